"""What Enter, Tab and Alt with an arrow do to lines. Each is one step of undo and keeps the endings of other lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtGui import QTextBlock, QTextCursor

from memgui.domain.lines import Lines
from memgui.gui.panels.page import highlighting
from memgui.gui.panels.page.breaks import Breaks, units

INDENT = "  "
_ITEM = re.compile(
    r"(?P<lead>[ \t]*(?:> ?)*[ \t]*)(?P<mark>[-*+]|(?P<number>\d{1,8})(?P<dot>[.)]))"
    r"(?P<gap>[ \t]+)(?P<box>\[[ xX]\][ \t]+)?"
)
_DEEPER = re.compile(r"[ \t]*([-*+]|\d{1,8}[.)])[ \t]")


def new_line(cursor: QTextCursor, breaks: Breaks, *, plain: bool = False) -> None:
    """Begin a line. In a list it begins the next item; at an empty item it ends the list. `plain`: only a line."""
    cursor.beginEditBlock()
    ending = breaks.ending_for_selection(cursor)
    cursor.removeSelectedText()
    block, column = cursor.block(), cursor.positionInBlock()
    item = None if plain or _is_code(block) else _ITEM.match(block.text())
    if item and column < units(item[0]):
        item = None
    if item and not block.text()[item.end() :].strip():
        cursor.setPosition(block.position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    else:
        breaks.insert(cursor, Lines(("", _next_item(item) if item else ""), (ending,)))
    cursor.endEditBlock()


def indent(cursor: QTextCursor) -> None:
    """Put every selected line, or the list item the caret is in, one step deeper; elsewhere put in a tab."""
    if not cursor.hasSelection() and not _DEEPER.match(cursor.block().text() + " "):
        cursor.insertText("\t")
        return
    _each_line(cursor, _deeper)


def outdent(cursor: QTextCursor) -> None:
    """Take one step of indentation from every selected line."""
    _each_line(cursor, _shallower)


def move_lines(cursor: QTextCursor, breaks: Breaks, *, down: bool) -> None:
    """Let the selected lines and the one above or below change places, with their endings; the last line has none."""
    first, last = _selected_blocks(cursor)
    neighbour = last.next() if down else first.previous()
    if not neighbour.isValid():
        return
    start, end = (first, neighbour) if down else (neighbour, last)
    blocks = _between(start, end)
    lines = [(block.text(), breaks.ending_after(block)) for block in blocks]
    turned = [lines[-1], *lines[:-1]] if down else [*lines[1:], lines[0]]
    texts, endings = [text for text, _ in turned], [ending for _, ending in turned]
    if lines[-1][1] is None:
        endings = [ending or endings[-1] for ending in endings[:-1]] + [None]
    shift = units(neighbour.text()) + 1
    anchor, position = cursor.anchor(), cursor.position()
    cursor.beginEditBlock()
    cursor.setPosition(start.position())
    cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    breaks.insert(cursor, Lines(tuple(texts), tuple(ending or "\n" for ending in endings[:-1])))
    if endings[-1] is not None and endings[-1] != lines[-1][1]:
        breaks.set_ending(cursor.block(), endings[-1])
    cursor.endEditBlock()
    cursor.setPosition(anchor + shift if down else anchor - shift)
    cursor.setPosition(position + shift if down else position - shift, QTextCursor.MoveMode.KeepAnchor)


def _is_code(block: QTextBlock) -> bool:
    return block.previous().userState() > highlighting.COMMENT


def _next_item(item: re.Match[str]) -> str:
    mark = f"{int(item['number']) + 1}{item['dot']}" if item["number"] else item["mark"]
    return item["lead"] + mark + item["gap"] + ("[ ] " if item["box"] else "")


def _selected_blocks(cursor: QTextCursor) -> tuple[QTextBlock, QTextBlock]:
    document = cursor.document()
    first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    if last != first and cursor.selectionEnd() == last.position():
        last = last.previous()
    return first, last


def _between(first: QTextBlock, last: QTextBlock) -> list[QTextBlock]:
    blocks, block = [first], first
    while block != last:
        block = block.next()
        blocks.append(block)
    return blocks


def _each_line(cursor: QTextCursor, change: Callable[[QTextCursor], None]) -> None:
    edit = QTextCursor(cursor)
    blocks = _between(*_selected_blocks(cursor))
    cursor.beginEditBlock()
    for block in blocks:
        if block.length() > 1 or len(blocks) == 1:
            edit.setPosition(block.position())
            change(edit)
    cursor.endEditBlock()


def _deeper(line: QTextCursor) -> None:
    line.insertText("\t" if line.block().text().startswith("\t") else INDENT)


def _shallower(line: QTextCursor) -> None:
    lead = re.match(r"\t| {1,2}", line.block().text())
    if lead:
        line.setPosition(line.position() + len(lead[0]), QTextCursor.MoveMode.KeepAnchor)
        line.removeSelectedText()
