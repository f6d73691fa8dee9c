"""Lines that came in from the disk while the page was open, or went, until the person has been there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

MOST_PLACES = 400
"""So many places are remembered, the latest ones."""


class Arrivals(QObject):
    """Remembers where they stand, whatever is edited around them. The caret's visit ends a place, a save ends all."""

    changed = Signal()

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._places: list[QTextCursor] = []
        self._gaps: list[QTextCursor] = []
        editor.cursorPositionChanged.connect(self._visit)

    def add(self, places: Iterable[tuple[int, int]]) -> None:
        """Lines came in: (the first, how many) each, counted from 0. None came: some went from above the first."""
        document = self._editor.document()
        for first, count in places:
            if not count and document.blockCount() > 1:
                self._gaps.append(self._gap_above(first))
            if not count:
                # Where a single line is left the caret cannot go anywhere to come back.
                continue
            begin, end = document.findBlockByNumber(first), document.findBlockByNumber(first + count - 1)
            place = QTextCursor(begin)
            place.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
            self._places.append(place)
        del self._places[:-MOST_PLACES]
        del self._gaps[:-MOST_PLACES]
        self.changed.emit()

    def _gap_above(self, line: int) -> QTextCursor:
        """What stays before the line as the text changes: at the end of the text, behind its last line."""
        document = self._editor.document()
        block = document.findBlockByNumber(line)
        gap = QTextCursor(block if block.isValid() else document.lastBlock())
        if not block.isValid():
            gap.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        return gap

    @Slot()
    def clear(self) -> None:
        """Nothing of it is new any more."""
        if self._places or self._gaps:
            self._places.clear()
            self._gaps.clear()
            self.changed.emit()

    def hold(self, block: QTextBlock) -> bool:
        """Whether this line is one of them."""
        return next(self.among([block]))

    def among(self, blocks: Iterable[QTextBlock]) -> Iterator[bool]:
        """Of each of these lines, whether it is one of them: cheaper than to ask line by line."""
        spans = [(place.selectionStart(), place.selectionEnd()) for place in self._places]
        for block in blocks:
            start, end = block.position(), block.position() + block.length()
            yield any(first < end and start <= last for first, last in spans)

    def gone_above(self, blocks: Iterable[QTextBlock]) -> Iterator[bool]:
        """Of each of these lines, whether others went from right above it."""
        spots = {gap.position() for gap in self._gaps}
        for block in blocks:
            yield block.position() in spots

    @property
    def places(self) -> int:
        """How many lines are new, and how many places lost some."""
        return self.lines + len({gap.position() for gap in self._gaps})

    @property
    def first(self) -> int | None:
        """The first of these places, by its line counted from 0."""
        document = self._editor.document()
        marked = (*self._places, *self._gaps)
        starts = [document.findBlock(place.selectionStart()).blockNumber() for place in marked]
        return min(starts, default=None)

    @property
    def lines(self) -> int:
        """How many lines they are."""
        return len({number for place in self._places for number in self._numbers(place)})

    def _numbers(self, place: QTextCursor) -> range:
        document = self._editor.document()
        first, last = (document.findBlock(at) for at in (place.selectionStart(), place.selectionEnd()))
        return range(first.blockNumber(), last.blockNumber() + 1)

    @Slot()
    def _visit(self) -> None:
        if not self._places and not self._gaps:
            return
        here = self._editor.textCursor().block()
        left = [place for place in self._places if not _holds(place, here)]
        gaps = [gap for gap in self._gaps if not _holds(gap, here)]
        if len(left) < len(self._places) or len(gaps) < len(self._gaps):
            self._places, self._gaps = left, gaps
            self.changed.emit()


def _holds(place: QTextCursor, block: QTextBlock) -> bool:
    return place.selectionStart() < block.position() + block.length() and block.position() <= place.selectionEnd()
