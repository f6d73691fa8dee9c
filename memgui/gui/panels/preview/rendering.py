"""Turns a text into a document in slices between which the window lives on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QTextCursor, QTextDocument

from memgui.domain.rendering import pieces
from memgui.gui.panels.preview.style import Style
from memgui.gui.panels.preview.writer import Writer, Written

MOST_CHARACTERS = 400_000
"""A longer text is rendered up to here until the person asks for the rest: laying it out takes its time."""

_SLICE_SECONDS = 0.010


class Rendering(QObject):
    """One text on its way. `done` tells that all that was asked for is in `document`."""

    done = Signal()

    def __init__(self, lines: Sequence[str], style: Style, *, limit: int, parent: QObject) -> None:
        super().__init__(parent)
        self.document = QTextDocument(self)
        self.total = len(lines)
        self.finished = False
        self._writer = Writer(self.document, style)
        self._steps = self._write(lines, limit)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    @property
    def written(self) -> Written:
        """What is in the document so far."""
        return self._writer.written

    @property
    def complete(self) -> bool:
        """Whether nothing of the text was left for later."""
        return self.finished and self.written.end >= self.total

    def start(self) -> None:
        """Begin at once; a text that is short is done when this returns."""
        self._step()
        if not self.finished:
            self._timer.start()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._timer.stop()
        self._steps = iter(())

    def _write(self, lines: Sequence[str], limit: int) -> Iterator[None]:
        seen, last = 0, 0
        for piece in pieces(lines):
            if seen > limit:
                return
            yield from self._writer.write(piece)
            seen += len(piece.text)
            last = piece.end
            yield
        # What follows the last piece is blank.
        self._writer.written.end = max(last, self.total)

    @Slot()
    def _step(self) -> None:
        if self._write_a_slice() or self.finished:
            return
        self._timer.stop()
        self._writer.finish()
        self.finished = True
        self.done.emit()

    def _write_a_slice(self) -> bool:
        """Whether there is more to come."""
        deadline = perf_counter() + _SLICE_SECONDS
        edit = QTextCursor(self.document)
        # As one edit, so that the view lays the document out once a slice and not once a word.
        edit.beginEditBlock()
        try:
            return any(perf_counter() > deadline for _nothing in self._steps)
        finally:
            edit.endEditBlock()
