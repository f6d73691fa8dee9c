"""`Searching`: what a window knows of the texts of all files, kept up with the disk, and asked as one types."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, GiveWay, Lane, Ticket
from memgui.gui.words import WordsKeeper
from memgui.ops.preferences import Settings

if TYPE_CHECKING:
    from memgui.domain.hits import Coverage, Found
    from memgui.domain.tree import Snapshot
    from memgui.ops import finding
    from memgui.ops.apart.reading import Apart

FIRST_ROWS_MS = 60
"""How long the first rows of a search have to be painted before the rest is looked for: both want the interpreter."""
QUIET_MS = 5_000
"""So long after the last change what the search has learnt is kept for the next start: closing must not wait for it."""
PROGRESS_SECONDS = 0.1
"""Progress is told no more often than this."""


class Searching(QObject):
    """Reads all files in the lane for that, and answers by the one that reads. Every slot returns at once."""

    found = Signal(object)
    """`Found`, for the latest query only: first what holds it as typed, then the same with what the words add."""
    coverage_changed = Signal(object)
    """`Coverage` of the search."""
    index_changed = Signal()
    """What the last query found may not be all any more."""
    failed = Signal(object)
    """`MemguiError`"""

    _progressed = Signal(object)

    def __init__(self, reads: Lane, index: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._reads, self._index = reads, index
        self.view: View | None = None
        """What the workspace looks like now."""
        self.finder: finding.Finder | None = None
        self.give_way = GiveWay()
        self._queries, self._indexings = Desk(), Desk()
        self._answered = ""
        self._asked_again = False
        self._first: tuple[Ticket, Found] | None = None
        self._rest = QTimer(self, singleShot=True, interval=FIRST_ROWS_MS)
        self._rest.timeout.connect(self._finish)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._keep)
        self._told_at = 0.0
        self._closed = False
        self.words = WordsKeeper(index, self)
        self.words.grown.connect(self.index_changed)
        self._progressed.connect(self.coverage_changed, Qt.ConnectionType.QueuedConnection)

    def open(self, view: View, settings: Settings, apart: Apart) -> None:
        """Know all of this; the words come when it is known."""
        from memgui.ops import finding

        self.view = view
        self.finder = finding.open(view.workspace, apart=apart)
        self.words.open(view.workspace, settings)
        ticket = self._indexings.next()
        work = partial(_refresh, self.finder, view.snapshot, ticket, self._tell_progress)
        self._index.submit(work, self._on_all_indexed, self._on_failed, ticket=ticket)

    def end(self) -> None:
        """Nothing is told any more; whatever works is told to end."""
        self._closed = True
        self._rest.stop()
        self._quiet.stop()
        self._indexings.cancel()
        self._queries.cancel()
        self.words.close()

    def close(self) -> None:
        """Let go of the texts, after `end` and when nobody reads them any more."""
        if self.finder is not None:
            self.finder.close(keep=False)

    # Keeping up ------------------------------------------------------------------------------------------------------

    def apply(self, changes: ChangeSet) -> None:
        """Know what these changes did, of which `view` knows already."""
        if self.finder is not None and self.view is not None:
            self._index.submit(partial(_apply, self.finder, changes), self._on_indexed, self.failed.emit)
            self._quiet.start()
            self.words.apply(changes, self.view.snapshot)

    @Slot()
    def _keep(self) -> None:
        if self.finder is not None:
            self._index.submit(self.finder.keep, _nothing, self.failed.emit)

    def _on_indexed(self, coverage: Coverage) -> None:
        self.coverage_changed.emit(coverage)
        self.index_changed.emit()

    def _on_all_indexed(self, coverage: Coverage) -> None:
        self._on_indexed(coverage)
        self._begin_words()

    def _on_failed(self, error: MemguiError) -> None:
        self.failed.emit(error)
        self._begin_words()

    def _begin_words(self) -> None:
        if self.view is not None:
            self.words.refresh(self.view.snapshot)

    def _tell_progress(self, done: int, total: int) -> None:
        """On the index's thread."""
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS and not self._closed:
            from memgui.domain.hits import Coverage

            self._told_at = now
            self._progressed.emit(Coverage(done, total))

    # Asking ----------------------------------------------------------------------------------------------------------

    def search(self, text: str) -> None:
        """Look for text in every document; `found` comes for the latest query alone."""
        ticket = self._queries.next()
        self.give_way.ask()
        self._rest.stop()
        if not text.strip():
            self._answered = ""
        elif self.finder is not None:
            from memgui.ops import finding

            work = partial(finding.search_text, self.finder, text, count=False, stop=lambda: ticket.stale)
            self._reads.submit(work, partial(self._show_first, ticket), self.failed.emit, ticket=ticket)

    def _show_first(self, ticket: Ticket, first: Found) -> None:
        """What holds the text as it was typed is shown at once; the rest comes when these rows have been painted.

        Where the same was asked before, its answer is shown already and stays until there is all of the new one.
        """
        self._asked_again, self._answered = first.query == self._answered, first.query
        self._first = ticket, first
        if first.files and not self._asked_again:
            self.found.emit(first)
            self._rest.start()
        else:
            self._finish()

    @Slot()
    def _finish(self) -> None:
        """Count what is not counted, and add what the words know."""
        if self._first is None or self.view is None or self.finder is None or self.words.words is None:
            return
        from memgui.ops import finding

        self.words.used()
        (ticket, first), self._first = self._first, None
        space, words = self.view.workspace, self.words.words
        work = partial(finding.complete, space, self.finder, words, first, stop=lambda: ticket.stale)
        self._reads.submit(work, partial(self._show_whole, ticket), self.failed.emit, ticket=ticket)

    def _show_whole(self, ticket: Ticket, found: Found) -> None:
        """What holds the words is shown; what only means the like takes a little longer and comes below."""
        words = self.words.words
        knows = self.finder is not None and words is not None and words.meaning.progress.knows_any
        if not (knows and self._asked_again):
            self.found.emit(found)
        if knows:
            from memgui.ops import finding

            assert self.finder is not None
            assert words is not None
            work = partial(finding.join_meaning, self.finder, words, found, stop=lambda: ticket.stale)
            self._reads.submit(work, self.found.emit, self.failed.emit, ticket=ticket)


def _refresh(finder: finding.Finder, snapshot: Snapshot, ticket: Ticket, tell: Callable[[int, int], None]) -> Coverage:
    finder.refresh(snapshot, stop=lambda: ticket.stale, progress=tell)
    return finder.coverage


def _apply(finder: finding.Finder, changes: ChangeSet) -> Coverage:
    finder.apply(changes)
    return finder.coverage


def _nothing(_value: object) -> None:
    """Nobody waits for it."""
