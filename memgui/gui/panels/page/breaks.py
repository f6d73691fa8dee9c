"""The endings of lines inside a QTextDocument, which itself knows only "a block ends here".

Each break carries its ending as a property of its own character format. So the ending goes where the break goes: what
deletes, undoes, redoes or moves the break does the same to its ending, exactly, whatever else one step of undo holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

from memgui.domain.lines import Lines

_ENDING = QTextFormat.Property.UserProperty.value + 1
SEPARATOR = "\u2029"
"""How `toRawText` and `selectedText` spell a break."""
LINES_AT_ONCE = 5_000
"""So many lines of a long text are put into the document in one turn."""
ODD_ENDINGS = frozenset("\u2029\ufdd0\ufdd1")
"""Endings that are characters in their own right to everybody but Qt; a copy keeps them."""


class Breaks:
    """Puts text into a document with each line's own ending, and reads it back with the endings."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._carriers: dict[str, QTextCharFormat] = {}
        self._known: dict[int, str] = {}
        self._coming: Lines | None = None
        self._there = 0
        """So many lines of those that are coming are there."""
        self.prevailing = "\n"
        """The ending that most lines had when the text was loaded."""

    @property
    def kinds(self) -> frozenset[str]:
        """Every ending that was ever put into this document; more than one: they may be mixed."""
        return frozenset(self._carriers)

    def load(self, lines: Lines) -> None:
        """Make the document hold `lines` and nothing else; there is nothing to undo afterwards."""
        if self._coming is not lines:
            self._begin(lines)
        self._append(lines, len(lines.texts))
        self._coming = None
        self._document.setUndoRedoEnabled(True)
        self._document.setModified(False)

    def load_some(self, lines: Lines) -> bool:
        """Begin to load these, or go on with it for a moment; whether the rest of it is a moment's work for `load`.

        Qt takes a megabyte in no less than twenty milliseconds.
        """
        if len(set(lines.breaks)) != 1:
            return True
        if self._coming is not lines:
            self._begin(lines)
        self._append(lines, self._there + LINES_AT_ONCE)
        self._document.setModified(False)
        return self._there + LINES_AT_ONCE >= len(lines.texts)

    def _begin(self, lines: Lines) -> None:
        self._carriers.clear()
        self._known.clear()
        self.prevailing = max(set(lines.breaks), key=lines.breaks.count, default="\n")
        self._document.setUndoRedoEnabled(False)
        cursor = QTextCursor(self._document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setCharFormat(QTextCharFormat())
        self._coming, self._there = lines, 0

    def _append(self, lines: Lines, end: int) -> None:
        """Put what comes, up to this line, behind what is there; later lines begin with the break before them."""
        first, end = self._there, min(end, len(lines.texts))
        if first == end:
            return
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        texts, breaks = lines.texts[first:end], lines.breaks[max(first - 1, 0) : end - 1]
        self.insert(cursor, Lines(("", *texts) if first else texts, breaks))
        self._there = end

    def insert(self, cursor: QTextCursor, lines: Lines) -> None:
        """Put `lines` in the place of the selection, as one step of undo."""
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        if lines.breaks and lines.breaks.count(lines.breaks[0]) == len(lines.breaks):
            # A file with one kind of ending is a single insertion.
            cursor.insertText(exact("\n".join(lines.texts)), self._carrier(lines.breaks[0]))
        else:
            self._insert_mixed(cursor, lines)
        cursor.endEditBlock()

    def _insert_mixed(self, cursor: QTextCursor, lines: Lines) -> None:
        """Runs with one ending go in at once."""
        pieces = list(zip(lines.texts, lines.breaks, strict=False))
        for ending, run in groupby(pieces, key=_ending_of):
            cursor.insertText(exact("".join(f"{text}\n" for text, _ in run)), self._carrier(ending))
        if lines.texts[-1]:
            cursor.insertText(
                exact(lines.texts[-1]), self._carrier(lines.breaks[-1]) if lines.breaks else QTextCharFormat()
            )

    def set_ending(self, block: QTextBlock, ending: str) -> None:
        """Give the break after `block` another ending, as a step of undo. The last block has none."""
        following = block.next()
        if following.isValid():
            QTextCursor(following).setBlockCharFormat(self._carrier(ending))

    def lines(self) -> Lines:
        """The whole text, with endings."""
        texts = tuple(whole(self._document.toRawText()).split(SEPARATOR))
        if len(self._carriers) > 1:
            return Lines(texts, self._resolved(self._found(self._document.firstBlock(), len(texts) - 1)))
        return Lines(texts, (self._only(),) * (len(texts) - 1))

    def selected(self, cursor: QTextCursor) -> str:
        """The selection for other programs: exact characters, `\\n` for an ordinary ending, odd endings as they are."""
        text = whole(cursor.selectedText())
        if not ODD_ENDINGS & self.kinds:
            return text.replace(SEPARATOR, "\n")
        texts = text.split(SEPARATOR)
        first = self._document.findBlock(cursor.selectionStart())
        endings = (ending if ending in ODD_ENDINGS else "\n" for ending in self._found(first, len(texts) - 1))
        return Lines(tuple(texts), tuple(endings)).joined()

    def ending_for_selection(self, cursor: QTextCursor) -> str:
        """The ending of a break put in the place of the selection."""
        block = self._document.findBlock(cursor.selectionStart())
        return self.ending_for_new(block, cursor.selectionStart() - block.position())

    def ending_for_new(self, block: QTextBlock, column: int) -> str:
        """The ending of a break put in here: at a line's start that of the line above, else that of the line split."""
        below, above = (
            self.ending_after(block),
            self.ending_after(block.previous()) if block.previous().isValid() else None,
        )
        wanted = (above, below) if column == 0 else (below, above)
        return next((ending for ending in wanted if ending), "\n")

    def _carrier(self, ending: str) -> QTextCharFormat:
        if ending not in self._carriers:
            carrier = QTextCharFormat()
            carrier.setProperty(_ENDING, ending)
            self._carriers[ending] = carrier
        return self._carriers[ending]

    def _only(self) -> str:
        return next(iter(self._carriers), "\n")

    def ending_after(self, block: QTextBlock) -> str | None:
        """The ending of this line; the last has none."""
        following = block.next()
        return self._ending(following) if following.isValid() else None

    def _ending(self, following: QTextBlock) -> str | None:
        index = following.charFormatIndex()
        if index not in self._known:
            self._known[index] = following.charFormat().stringProperty(_ENDING)
        return self._known[index] or None

    def _found(self, block: QTextBlock, count: int) -> list[str | None]:
        found: list[str | None] = []
        for _ in range(count):
            block = block.next()
            found.append(self._ending(block))
        return found

    def _resolved(self, found: Sequence[str | None]) -> tuple[str, ...]:
        # A break that came in by a way of Qt's own (never by a key, a paste or a drop) has no ending yet: its line's.
        below: str | None = None
        resolved: list[str | None] = []
        for ending in reversed(found):
            below = ending or below
            resolved.append(below)
        resolved.reverse()
        above = next((ending for ending in reversed(found) if ending), self._only())
        return tuple(ending or above for ending in resolved)


def exact(text: str) -> str:
    """The text in the form in which PySide hands all of it to Qt.

    It takes a first U+FEFF for a byte order mark, and a first U+FFFE for one in the wrong order, which turns every
    character round; a mark put in front is taken away instead.
    """
    return "\ufeff" + text if text.startswith(("\ufeff", "\ufffe")) else text


def whole(text: str) -> str:
    """The text without halves of characters, which no encoding can write."""
    if text.isascii():
        return text
    try:
        text.encode("utf-16-le")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def pasted(text: str, ending: str) -> Lines:
    """Text from elsewhere as lines of this document: ordinary endings become `ending`, odd ones stay what they are."""
    lines = Lines.split(whole(text))
    return Lines(lines.texts, tuple(own if own in ODD_ENDINGS else ending for own in lines.breaks))


def units(text: str) -> int:
    """How many places `text` takes in a QTextDocument, which counts UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def place(text: str, column: int) -> int:
    """Where in `text` the place `column`, counted in UTF-16, falls."""
    if text.isascii():
        return column
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * column].decode("utf-16-le", "ignore"))


def _ending_of(piece: tuple[str, str]) -> str:
    return piece[1]
