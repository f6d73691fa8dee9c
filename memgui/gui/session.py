"""`Session`: the workspace that is open in a window. It turns wishes into jobs and their answers into facts."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import Conflict, MemguiError, NotFound
from memgui.domain.paths import DocPath
from memgui.domain.watch import WatchState
from memgui.gui.disk import Disk, View
from memgui.gui.jobs import Desk, GiveWay, Lane, Lanes, Ticket
from memgui.gui.safety import Safety
from memgui.gui.searching import Searching
from memgui.gui.watcher import Watcher
from memgui.gui.words import WordsKeeper
from memgui.ops import preferences
from memgui.ops import workspace as workspaces
from memgui.ops.preferences import Places, Settings

if TYPE_CHECKING:
    from memgui.domain.documents import Document
    from memgui.domain.requests import SaveRequest, SaveResult, Unsaved
    from memgui.domain.review import Owed
    from memgui.domain.text import Encoding
    from memgui.domain.workspace import Workspace
    from memgui.ops import finding
    from memgui.ops.apart.reading import Apart

FIRST_PICTURE_MS = 80
FIRST_LOOK_MS = 800
"""So long a window that shows a document first may take for that."""
T = TypeVar("T")
LONGEST_REST_MS = 250


class Session(QObject):
    """The open workspace. Every slot returns at once; what came of it arrives as a signal."""

    opened = Signal(object)
    """`View`: the tree can be shown."""
    open_failed = Signal(object)
    """`MemguiError`"""
    view_changed = Signal(object)
    """`View`: names, sizes or times are others than before."""
    changed = Signal(object)
    """`ChangeSet`"""
    document_read = Signal(object)
    """`Document`"""
    read_failed = Signal(object, object)
    """`DocPath`, `MemguiError`. Paths go as objects: Qt's own strings lose names that are no UTF-8."""
    saved = Signal(object)
    """`SaveResult`"""
    save_failed = Signal(object, object)
    """`SaveRequest`, `MemguiError`: nothing was written, the text is in the crash journal."""
    conflicted = Signal(object, object)
    """`SaveRequest`, `Conflict`: other bytes stand on disk, nothing was written."""
    found = Signal(object)
    """`Found`, for the latest query only: first what holds it as typed, then the same with what the words add."""
    coverage_changed = Signal(object)
    """`Coverage` of the search."""
    index_changed = Signal()
    """What the last query found may not be all any more."""
    watch_state_changed = Signal(object)
    """`WatchState`"""
    unsaved_found = Signal(object)
    """`tuple[Unsaved, ...]`: text that an earlier run did not get to save; told once, also where there is none."""
    journalled = Signal(object, object)
    """`DocPath`, and `MemguiError` where the crash journal could not take its unsaved text, None where it could."""
    words_counted = Signal(object, int)
    """`DocPath`, and how many words its text has."""
    failed = Signal(object)
    """`MemguiError` of something no page asked for."""

    def __init__(
        self,
        root: Path,
        *,
        places: Places,
        settings: Settings,
        lanes: Lanes | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.root = root
        self.view: View | None = None
        self._places = places
        self._closed = False
        self._lanes = lanes or Lanes.threaded(self)
        self._index_lane = Lane("index", parent=self) if lanes is None else lanes.reads
        self._history_lane = Lane("history", parent=self) if lanes is None else lanes.writes
        self._disk = Disk(root, places, settings)
        safety_lane = Lane("safety", parent=self) if lanes is None else lanes.writes
        spare = places.runtime / "unsaved"
        self._safety = Safety(safety_lane, spare, self.journalled.emit, self.failed.emit)
        self._searching = Searching(self._lanes.reads, self._index_lane, self)
        self._searching.found.connect(self.found)
        self._searching.coverage_changed.connect(self.coverage_changed)
        self._searching.index_changed.connect(self.index_changed)
        self._searching.failed.connect(self.failed)
        self._apart: Apart | None = None
        self._reads: dict[DocPath, Desk] = {}
        self._counts = Desk()
        self._pulling = False
        self._pull_began = 0.0
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._next_pull)
        self._everywhere = False
        self._folders: set[DocPath] = set()
        self._rest_of_opening = QTimer(self, singleShot=True, interval=FIRST_PICTURE_MS)
        self._rest_of_opening.timeout.connect(self._finish_opening)
        self._claims = QTimer(self, singleShot=True, interval=FIRST_PICTURE_MS)
        self._claims.timeout.connect(self._claim)
        self._watcher: Watcher | None = None

    # Opening and closing -----------------------------------------------------------------------------------------

    @Slot()
    def open(self) -> None:
        """Open the workspace: `opened`, and soon after `unsaved_found`; or `open_failed`: try again."""
        self._lanes.writes.submit(self._disk.open, self._on_opened, self.open_failed.emit)

    def _on_opened(self, view: View) -> None:
        self.view = view
        self._watcher = Watcher(view.workspace.root, self)
        self._watcher.touched.connect(self._pull)
        self._watcher.state_changed.connect(self.watch_state_changed)
        self.opened.emit(view)
        # The picture does not wait for this to be on the disk.
        self._lanes.writes.submit(partial(workspaces.note_opened, view.workspace, self._places), _nothing, _nothing)
        self._claims.start()
        if not self._rest_of_opening.isActive():
            self._rest_of_opening.start()

    def wait_for_first_look(self) -> None:
        """A document is shown first: `go_on` is told when it is."""
        self._rest_of_opening.start(FIRST_LOOK_MS)

    def go_on(self) -> None:
        """What is seen first is there, or nearly."""
        if self._rest_of_opening.isActive():
            self._rest_of_opening.start(FIRST_PICTURE_MS)

    @Slot()
    def _claim(self) -> None:
        if self.view is not None:
            claim = partial(self._safety.claim, self.view.workspace)
            self._lanes.writes.submit(claim, self.unsaved_found.emit, self.failed.emit)

    @Slot()
    def _finish_opening(self) -> None:
        """Watch and read, once the first pictures have been painted: both want the interpreter for a while."""
        if self._watcher is not None and self.view is not None:
            self._watcher.start()
            self._index_lane.submit(_load_the_rest, self._begin_finding, self.failed.emit)

    def _begin_finding(self, value: None) -> None:  # noqa: ARG002
        if self.view is not None:
            from memgui.ops import following

            self._searching.open(self.view, self._disk.settings, self.apart)
            work = partial(following.catch_up, self.view.workspace, self.view.snapshot, stop=self._is_closed)
            self._history_lane.submit(work, _nothing, self.failed.emit)

    def close(self, wait: float = 5.0) -> None:
        """Finish what is being written, end all threads, free all files. Nothing is signalled any more."""
        if self._closed:
            return
        self._closed = True
        self._rest.stop()
        self._rest_of_opening.stop()
        self._claims.stop()
        # First everybody is told, then each is waited for: what they still do they do at the same time.
        if self._apart is not None:
            self._apart.close()
        self._searching.end()
        if self._watcher is not None:
            self._watcher.end()
        if self._index_lane is not self._lanes.reads:
            self._index_lane.close(0.0)
        if self._history_lane is not self._lanes.writes:
            self._history_lane.close(0.0)
        self._lanes.close(wait)
        self._safety.close(wait)
        if self._watcher is not None:
            self._watcher.close(wait)
        self._searching.close()
        if self._index_lane is not self._lanes.reads:
            self._index_lane.close(wait)
        if self._history_lane is not self._lanes.writes:
            self._history_lane.close(wait)

    @Slot(object)
    def choose(self, settings: Settings) -> None:
        """Go by other settings: what is protected may be others than before."""
        if self.view is not None:
            self._lanes.writes.submit(partial(self._disk.choose, settings), self._on_chosen, self.failed.emit)

    def _on_chosen(self, view: View) -> None:
        self._take(view, ChangeSet())

    @Slot()
    def look_anew(self) -> None:
        """What memgui keeps of the workspace lies elsewhere by now: go on with that."""
        self._lanes.writes.submit(self._disk.open, self._on_chosen, self.failed.emit)

    @property
    def is_folder_missing(self) -> bool:
        """Whether the workspace's folder is gone for now. What was known of it stays known."""
        return self._watcher is not None and self._watcher.state is WatchState.FOLDER_MISSING

    # The disk ----------------------------------------------------------------------------------------------------

    @Slot()
    def reconcile(self) -> None:
        """Look at everything on disk."""
        if self._watcher is not None:
            self._watcher.look_everywhere()

    @Slot(object)
    def _pull(self, folders: frozenset[DocPath] | None) -> None:
        if self._closed or self.view is None:
            return
        if folders is None:
            self._everywhere = True
        else:
            self._folders |= folders
        if not self._pulling and not self._rest.isActive():
            self._next_pull()

    @Slot()
    def _next_pull(self) -> None:
        """One look at a time: what is touched meanwhile is gathered for the next."""
        folders = None if self._everywhere else frozenset(self._folders)
        self._pulling = folders is None or bool(folders)
        self._everywhere = False
        self._folders.clear()
        if self._pulling:
            self._pull_began = time.monotonic()
            self._lanes.writes.submit(partial(self._disk.pull, folders), self._on_pulled, self._on_pull_failed)

    def _on_pulled(self, answer: tuple[View, ChangeSet]) -> None:
        self._take(*answer)
        self._pulled()

    def _on_pull_failed(self, error: MemguiError) -> None:
        # A folder that is gone is the watcher's to tell; what was known of it stays shown.
        if not isinstance(error, NotFound):
            self.failed.emit(error)
        self._pulled()

    def _pulled(self) -> None:
        """In a storm rest as long as the look took, so that half of the time is left to the window."""
        self._pulling = False
        if self._everywhere or self._folders:
            took = time.monotonic() - self._pull_began
            self._rest.start(min(LONGEST_REST_MS, round(took * 1000)))

    def _take(self, view: View, changes: ChangeSet) -> None:
        if view is not self.view:
            self.view = self._searching.view = view
            self.view_changed.emit(view)
        if changes:
            self.changed.emit(changes)
            self._searching.apply(changes)
            from memgui.ops import following

            work = partial(following.follow, view.workspace, changes, stop=self._is_closed)
            self._history_lane.submit(work, _nothing, self.failed.emit)

    def _is_closed(self) -> bool:
        return self._closed

    # Documents ---------------------------------------------------------------------------------------------------

    @Slot(object)
    def read(self, path: DocPath, encoding: Encoding | None = None) -> None:
        """Read a document: `document_read` or `read_failed`. An older reading of the same one is dropped."""
        if self.view is None or self._closed:
            return
        ticket = self._reads.setdefault(path, Desk()).next()
        work = partial(_read, self.view.workspace, path, encoding)
        self._lanes.reads.submit(work, self._on_read, partial(self.read_failed.emit, path), ticket=ticket)

    def _on_read(self, document: Document) -> None:
        self.document_read.emit(document)
        if self.view is not None and not self._closed:
            from memgui.ops import noticing

            work = partial(noticing.notice, self.view.workspace, document.path, document.data, document.node.stat)
            self._history_lane.submit(work, _nothing, self.failed.emit)

    def look_into(
        self, path: DocPath, use: Callable[[bytes], T], done: Callable[[T], None], failed: Callable[[MemguiError], None]
    ) -> None:
        """Read a file of the workspace and make something of its bytes, both in the lane; then tell `done`."""
        if self.view is not None and not self._closed:
            self._lanes.reads.submit(partial(_use, self.view.workspace, path, use), done, failed)

    @Slot(object)
    def save(self, request: SaveRequest) -> None:
        """Write a document: `saved`, `conflicted` or `save_failed`."""
        # What was being read is older than what is written now.
        self._reads.setdefault(request.path, Desk()).cancel()
        failed = partial(self._on_save_failed, request)
        self._lanes.writes.submit(partial(_save, self._disk, self._safety, request), self._on_saved, failed)

    def _on_saved(self, answer: tuple[View, ChangeSet, SaveResult]) -> None:
        view, changes, result = answer
        self.saved.emit(result)
        self._take(view, changes)

    def _on_save_failed(self, request: SaveRequest, error: MemguiError) -> None:
        if isinstance(error, Conflict):
            self.conflicted.emit(request, error)
        else:
            self.save_failed.emit(request, error)

    def ask(
        self,
        question: Callable[[View], T],
        done: Callable[[T], None],
        failed: Callable[[MemguiError], None] | None = None,
        *,
        ticket: Ticket | None = None,
    ) -> None:
        """Look something up beside the window; `done` is told here, unless the ticket is stale by then."""
        if self.view is not None and not self._closed:
            self._lanes.reads.submit(partial(question, self.view), done, failed or self.failed.emit, ticket=ticket)

    def change(
        self,
        deed: Callable[[View], tuple[ChangeSet, T]],
        done: Callable[[T], None],
        failed: Callable[[MemguiError], None],
    ) -> None:
        """Do a deed that writes, after all that is to be written before it: `changed`, then `done`; or `failed`."""
        if self.view is not None and not self._closed:
            self._lanes.writes.submit(partial(self._disk.change, deed), partial(self._on_done, done), failed)

    def _on_done(self, done: Callable[[T], None], answer: tuple[View, ChangeSet, T]) -> None:
        view, changes, value = answer
        self._take(view, changes)
        done(value)

    def later(self, work: Callable[[View], object]) -> None:
        """Do something beside the window that nobody waits for."""
        if self.view is not None and not self._closed:
            self._history_lane.submit(partial(work, self.view), _nothing, self.failed.emit)

    @property
    def is_closed(self) -> bool:
        """Whether it has ended: long work stops then."""
        return self._closed

    @Slot(object)
    def journal(self, text: Unsaved) -> None:
        """Keep unsaved text where a crash cannot reach it."""
        if self.view is not None:
            self._safety.journal(self.view.workspace, text)

    @Slot(object)
    def drop_journal(self, path: DocPath) -> None:
        """The unsaved text was saved or given up."""
        if self.view is not None:
            self._safety.drop(self.view.workspace, path)

    def journal_now(self, text: Unsaved) -> None:
        """The same before this returns: when the process is about to end."""
        if self.view is not None:
            self._safety.journal_now(self.view.workspace, text)

    @Slot(object, object)
    def keep(self, path: DocPath, data: bytes) -> None:
        """Keep a copy of bytes that are about to be replaced for good; until it is kept, they are not replaced."""
        if self.view is not None:
            self._safety.keep(self.view.workspace, path, data)

    def owe(self, verdicts: tuple[Owed, ...]) -> None:
        """Keep what was decided and is not done yet, in case the process ends before; of nothing all is done."""
        if self.view is not None:
            self._safety.owe(self.view.workspace, verdicts)

    def save_settings(self, settings: Settings, *, known: Settings) -> None:
        """Write what differs from the settings as they were."""
        work = partial(preferences.save, settings, known=known, places=self._places)
        self._lanes.writes.submit(work, _nothing, self.failed.emit)

    @Slot(object, str)
    def count_words(self, path: DocPath, text: str) -> None:
        """Count the words of a text, `words_counted`; only the latest count is told."""
        done = partial(self.words_counted.emit, path)
        self._lanes.reads.submit(partial(_count, text), done, self.failed.emit, ticket=self._counts.next())

    @property
    def apart(self) -> Apart:
        """What reads every document beside this process; it ends with the session."""
        if self._apart is None:
            from memgui.ops.apart.reading import Apart

            self._apart = Apart()
        return self._apart

    # Finding -----------------------------------------------------------------------------------------------------

    @property
    def finder(self) -> finding.Finder | None:
        """What knows the texts of all files; None before they are read for the first time."""
        return self._searching.finder

    @property
    def words(self) -> WordsKeeper:
        """What has the words indexed."""
        return self._searching.words

    @property
    def give_way(self) -> GiveWay:
        """What long work of other parts asks, so that it does not slow down who searches."""
        return self._searching.give_way

    @Slot(str)
    def search(self, text: str) -> None:
        """Look for text in every document; `found` comes for the latest query alone."""
        self._searching.search(text)


def _load_the_rest() -> None:
    """What a window needs of the program after its first picture; beside it, for it takes some frames."""
    from memgui.domain import differences
    from memgui.ops import documents, finding, following, noticing  # noqa: F401
    from memgui.ops.apart import reading  # noqa: F401

    differences.prepare()


def _use(workspace: Workspace, path: DocPath, use: Callable[[bytes], T]) -> T:
    return use(_read(workspace, path).data)


def _read(workspace: Workspace, path: DocPath, encoding: Encoding | None = None) -> Document:
    from memgui.ops import documents

    return documents.read(workspace, path, encoding=encoding)


def _nothing(value: object) -> None:
    """For work whose answer nobody waits for."""


def _save(disk: Disk, safety: Safety, request: SaveRequest) -> tuple[View, ChangeSet, SaveResult]:
    workspace = disk.view.workspace
    safety.settle(workspace, request.path)
    answer = disk.save(request)
    safety.saved(workspace, request.path, request.data)
    return answer


def _count(text: str) -> int:
    return len(text.split())
