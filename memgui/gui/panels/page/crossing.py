"""Knows when an undo went back over a change that came from outside."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextDocument


class Crossing(QObject):
    """Marks where in the undo history the disk's text came in. `changed` tells that undo crossed it, or came back."""

    changed = Signal(bool)

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._mark = 0
        self._crossed = False
        self._no_way_back = False
        document.undoCommandAdded.connect(self._branch)
        document.contentsChanged.connect(self._look)

    @property
    def crossed(self) -> bool:
        """Whether the text stands before a change that came from outside, or was typed on from there."""
        return self._crossed

    def mark(self) -> None:
        """A change from outside has just come in, as the latest step of undo."""
        self._mark = self._document.availableUndoSteps()
        self._set(False)

    def mark_behind(self) -> None:
        """A change from outside has come in behind text that stands before an earlier one: no undo leads out of it."""
        self._no_way_back = True

    def cross(self) -> None:
        """What came from outside was taken out of the text otherwise than by undo."""
        self._mark = max(self._mark, 1)
        self._set(True)
        self._no_way_back = True

    def forget(self) -> None:
        """What came from outside no longer matters: the person chose this text, or all of it is new."""
        self._mark = 0
        self._set(False)

    @Slot()
    def _branch(self) -> None:
        # New text in the place of what was undone: redo will never lead back to the text from outside.
        self._no_way_back = self._crossed

    @Slot()
    def _look(self) -> None:
        if not self._mark:
            return
        if self._document.availableUndoSteps() < self._mark:
            self._no_way_back = self._no_way_back or not self._document.isRedoAvailable()
            self._set(True)
        elif not self._no_way_back:
            self._set(False)

    def _set(self, crossed: bool) -> None:
        if not crossed:
            self._no_way_back = False
        if crossed != self._crossed:
            self._crossed = crossed
            self.changed.emit(crossed)
