"""Takes the disk's lines into an editor by the smallest edits: one step of undo, and nothing under the person moves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextCursor

from memgui.domain.lines import Lines, Splice
from memgui.gui.panels.page.breaks import exact, units
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.lines_compared import splices, with_endings


def adopt(editor: MemoryEditor, new: Lines) -> tuple[tuple[int, int], ...]:
    """Make the editor hold `new`. Caret, selection and what is in sight stay where they are.

    Answers which lines have other words now: (the first, how many) each; none where lines only went from above.
    """
    old = editor.lines()
    changes = splices(with_endings(old), with_endings(new))
    if not changes:
        return ()
    held = QTextCursor(editor.textCursor())
    # Text that comes in at the caret must not push it.
    ends = [QTextCursor(editor.document()), QTextCursor(editor.document())]
    for end, at in zip(ends, (held.anchor(), held.position()), strict=True):
        end.setPosition(at)
        end.setKeepPositionOnInsert(True)
    top = QTextCursor(editor.firstVisibleBlock())
    below_top = editor.verticalScrollBar().value() - editor.firstVisibleBlock().firstLineNumber()
    edit = QTextCursor(editor.document())
    edit.beginEditBlock()
    shift = _shifts(changes)
    for splice, moved in reversed(list(zip(changes, shift, strict=True))):
        start = splice.start + moved
        _replace(editor, edit, old, new, splice, start)
    edit.endEditBlock()
    held.setPosition(ends[0].position())
    held.setPosition(ends[1].position(), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(held)
    editor.verticalScrollBar().setValue(top.block().firstLineNumber() + max(below_top, 0))
    return tuple(place for splice, moved in zip(changes, shift, strict=True) for place in _new(old, new, splice, moved))


def _new(old: Lines, new: Lines, splice: Splice, moved: int) -> list[tuple[int, int]]:
    """Where a change brought new words: not where only a line's ending is another."""
    first = splice.start + moved
    was, now = old.texts[splice.start : splice.start + splice.removed], new.texts[first : first + len(splice.texts)]
    places, ahead = [], first
    for change in splices(was, now):
        places.append((change.start + ahead, len(change.texts)))
        ahead += len(change.texts) - change.removed
    return places


def _shifts(changes: Sequence[Splice]) -> list[int]:
    """By how many lines the new text runs ahead of the old where each change begins."""
    shifts, ahead = [], 0
    for splice in changes:
        shifts.append(ahead)
        ahead += len(splice.texts) - splice.removed
    return shifts


def _replace(editor: MemoryEditor, edit: QTextCursor, old: Lines, new: Lines, splice: Splice, new_start: int) -> None:
    if splice.removed == len(splice.texts):
        for offset in range(splice.removed):
            _change_line(editor, edit, old, new, splice.start + offset, new_start + offset)
        return
    was, now = _region(old, splice.start, splice.removed), _region(new, new_start, len(splice.texts))
    head = _common(was.texts[0], now.texts[0])
    room = min(len(was.texts[0]), len(now.texts[0])) - head
    one_line = len(was.texts) == 1 or len(now.texts) == 1
    tail = min(_common(was.texts[-1][::-1], now.texts[-1][::-1]), room if one_line else len(was.texts[-1]))
    last = splice.start + len(was.texts) - 1
    _select(
        editor,
        edit,
        (splice.start, units(was.texts[0][:head])),
        (last, units(was.texts[-1][: len(was.texts[-1]) - tail])),
    )
    texts = list(now.texts)
    texts[-1] = texts[-1][: len(texts[-1]) - tail]
    texts[0] = texts[0][head:]
    editor.breaks.insert(edit, Lines(tuple(texts), now.breaks))


def _region(lines: Lines, start: int, count: int) -> Lines:
    """These lines with their endings: up to the start of the line after them, where there is one."""
    end = start + count
    if end < len(lines.texts):
        return Lines((*lines.texts[start:end], ""), lines.breaks[start:end])
    return Lines(lines.texts[start:], lines.breaks[start:])


def _change_line(editor: MemoryEditor, edit: QTextCursor, old: Lines, new: Lines, before: int, after: int) -> None:
    """One line for one line: only the characters that differ, and its ending if that differs."""
    was, now = old.texts[before], new.texts[after]
    if was != now:
        head = _common(was, now)
        tail = min(_common(was[::-1], now[::-1]), min(len(was), len(now)) - head)
        _select(editor, edit, (before, units(was[:head])), (before, units(was[: len(was) - tail])))
        edit.removeSelectedText()
        edit.insertText(exact(now[head : len(now) - tail]))
    if before < len(old.breaks) and after < len(new.breaks) and old.breaks[before] != new.breaks[after]:
        editor.breaks.set_ending(editor.document().findBlockByNumber(before), new.breaks[after])


def _common(one: str, other: str) -> int:
    """How many characters the two begin with alike."""
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)


def _select(editor: MemoryEditor, edit: QTextCursor, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Select from one (line, place in it) to another."""
    document = editor.document()
    edit.setPosition(document.findBlockByNumber(start[0]).position() + start[1])
    edit.setPosition(document.findBlockByNumber(end[0]).position() + end[1], QTextCursor.MoveMode.KeepAnchor)
