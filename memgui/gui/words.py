"""The index of words as a window keeps it: begun when the window stands, told of changes, and its progress heard."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.gui.jobs import Lane
from memgui.ops.preferences import Settings

if TYPE_CHECKING:
    from memgui.ops.finding import MeaningProgress, Progress, Words

BEGIN_MS = 1_000
"""The window comes first: the other process begins so long after the exact search knows everything."""

REST_MS = 60_000
"""So long after the last search the memory of the open index is given back."""

AGAIN_MS = (2_000, 15_000, 60_000)
"""Where the index could not be written, so long until it is tried again; after that only when the person asks."""


class WordsKeeper(QObject):
    """Has the words indexed by another process. `progressed` tells a `Progress`; `grown`: there is more to be found."""

    progressed = Signal(object)
    grown = Signal()

    meaning_progressed = Signal(object)
    """`MeaningProgress`: how much of memory is known by its meaning."""

    _heard = Signal(object)
    _heard_meaning = Signal(object)

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self.words: Words | None = None
        self._lane = lane
        self._snapshot: Snapshot | None = None
        self._passages = -1
        self._closed = False
        self._begin = QTimer(self, singleShot=True)
        self._begin.timeout.connect(self._refresh)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._give_back)
        self._failures = 0
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._refresh)
        # It is heard on a thread of its own.
        self._heard.connect(self._on_progress, Qt.ConnectionType.QueuedConnection)
        self._heard_meaning.connect(self._on_meaning, Qt.ConnectionType.QueuedConnection)

    def open(self, workspace: Workspace, settings: Settings) -> None:
        """This is the workspace."""
        from memgui.ops.finding import ByModel, Words

        meaning = ByModel.of(settings)
        self.words = Words(workspace, tell=self._tell, tell_meaning=self._tell_meaning, meaning=meaning)

    def refresh(self, snapshot: Snapshot) -> None:
        """Have all of this indexed, soon."""
        self._snapshot = snapshot
        if not self._closed:
            self._begin.start(BEGIN_MS)

    def apply(self, changes: ChangeSet, snapshot: Snapshot) -> None:
        """Have these changes indexed, at once where the other process is there already."""
        self._snapshot = snapshot
        if changes.reload:
            self.refresh(snapshot)
        elif self.words is not None and not self._begin.isActive() and not self._closed:
            self._lane.submit(partial(self.words.apply, changes), _nothing, _nothing)

    def used(self) -> None:
        """Somebody searches, and is not to be slowed down just now."""
        if not self._closed:
            self._rest.start()
            if self._begin.isActive():
                self._begin.start(BEGIN_MS)

    @Slot()
    def _give_back(self) -> None:
        if self.words is not None and not self._closed:
            self._lane.submit(self.words.rest, _nothing, _nothing)

    def close(self) -> None:
        """End the other process. Nothing is told any more."""
        self._closed = True
        self._begin.stop()
        self._again.stop()
        self._rest.stop()
        if self.words is not None:
            # It may be ended at any moment, and closing a window does not wait for that.
            self.words.close(0.0)

    @Slot()
    def try_again(self) -> None:
        """Where the index could not be written, look at all of it once more."""
        if self._failures and not self._closed:
            self._failures = 0
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self.words is not None and self._snapshot is not None:
            self._lane.submit(partial(self.words.refresh, self._snapshot), _nothing, _nothing)

    def _tell_meaning(self, progress: MeaningProgress) -> None:
        if not self._closed:
            self._heard_meaning.emit(progress)

    @Slot(object)
    def _on_meaning(self, progress: MeaningProgress) -> None:
        if not self._closed:
            self.meaning_progressed.emit(progress)

    def _tell(self, progress: Progress) -> None:
        if not self._closed:
            self._heard.emit(progress)

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        if self._closed:
            return
        self.progressed.emit(replace(progress, retrying=progress.failed and self._comes_again()))
        if progress.ready:
            self._failures = 0
            self._again.stop()
        if progress.ready or progress.passages != self._passages:
            self._passages = progress.passages
            self.grown.emit()

    def _comes_again(self) -> bool:
        """Whether it is tried again by itself, each time after a longer while."""
        if not self._again.isActive():
            self._failures += 1
            if self._failures <= len(AGAIN_MS):
                self._again.start(AGAIN_MS[self._failures - 1])
        return self._again.isActive()


def _nothing(_value: object) -> None:
    """What there is to tell comes as progress."""
