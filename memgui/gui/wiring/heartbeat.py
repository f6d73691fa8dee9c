"""Heartbeat files and their checklists: which page has one, and where the workspace keeps its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Document
from memgui.domain.errors import MemguiError
from memgui.domain.heartbeat import is_heartbeat
from memgui.domain.layouts import Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, join
from memgui.domain.requests import SaveResult
from memgui.gui.disk import View
from memgui.gui.jobs import Ticket
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.checklist import Beside, Reading, Tick
from memgui.gui.wiring.moves import Moves
from memgui.i18n import _
from memgui.ops import heartbeat
from memgui.ops.heartbeat import Mark, Marked


class Heartbeats(QObject):
    """Gives every page of a heartbeat file its checklist, and leads to the workspace's own."""

    said = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        tabs: DocumentTabs,
        moves: Moves,
        parent: QObject,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs, self._moves, self._now = window, session, tabs, moves, now
        self._beside: dict[Page, Beside] = {}
        self._ticks: dict[DocPath, list[Tick]] = {}
        tabs.page_shown.connect(self._attend)
        tabs.page_closed.connect(self._forget)
        session.document_read.connect(self._look)
        session.saved.connect(self._note_saved)

    @Slot()
    def show(self) -> None:
        """Open the workspace's heartbeat, with the keyboard in its checklist."""
        view = self._session.view
        if view is None:
            return
        path = heartbeat_of(view)
        if path is None:
            self.said.emit(_("The agents of this workspace keep no heartbeat file."))
            return
        if path not in view.snapshot.nodes:
            self._moves.new.add(path)
        self._moves.open(path)
        self._window.show_middle("documents")
        beside = self._attend(self._tabs.current)
        if beside is not None:
            beside.come_forward()

    @Slot(object)
    def _attend(self, page: Page | None) -> Beside | None:
        if page is None or not is_heartbeat(page.path):
            return None
        if page not in self._beside:
            self._beside[page] = Beside(page, self._ticks.setdefault(page.path, []), self._now, self._ask)
            self._beside[page].said.connect(self.said)
            self._beside[page].panel.other_requested.connect(self._window.action("go.file").trigger)
            self._beside[page].ticking.mark_requested.connect(partial(self._mark, page))
        return self._beside[page]

    def _ask(self, question: Callable[[], Reading], done: Callable[[Reading], None], ticket: Ticket) -> None:
        self._session.ask(lambda _view: question(), done, ticket=ticket)

    def _mark(self, page: Page, wanted: Mark) -> None:
        self._session.change(partial(_set_mark, wanted), partial(self._marked, page), partial(self._not_marked, page))

    def _marked(self, page: Page, marked: Marked) -> None:
        beside = self._beside.get(page)
        if beside is not None:
            beside.ticking.marked(marked)

    def _not_marked(self, page: Page, error: MemguiError) -> None:
        beside = self._beside.get(page)
        if beside is not None:
            beside.ticking.failed(error)

    @Slot(object)
    def _forget(self, path: DocPath) -> None:
        for page in [page for page in self._beside if page.path == path]:
            self._beside.pop(page).forget()

    def _of(self, path: DocPath) -> Beside | None:
        page = self._tabs.page_for(path)
        return self._beside.get(page) if page is not None else None

    @Slot(object)
    def _look(self, document: Document) -> None:
        beside = self._of(document.path)
        if beside is not None:
            beside.refresh()
            beside.look_for_lost()

    @Slot(object)
    def _note_saved(self, result: SaveResult) -> None:
        beside = self._of(result.path)
        if beside is not None:
            beside.saved()


def _set_mark(wanted: Mark, view: View) -> tuple[ChangeSet, Marked]:
    return heartbeat.set_mark(view.workspace, wanted, origin=Origin.you())


def heartbeat_of(view: View) -> DocPath | None:
    """The workspace's heartbeat: of its own store first, then of the others; else the place where one would be made."""
    nodes = view.snapshot.nodes
    wanted = [path for path in map(_target, view.workspace.stores) if path is not None]
    there = {path.casefold(): path for path in nodes if is_heartbeat(path)}
    for path in wanted:
        if path in nodes:
            return path
        if path.casefold() in there:
            return there[path.casefold()]
    return next(iter(wanted), None) or there.get("heartbeat.md")


def _target(store: Store) -> DocPath | None:
    name = store.layout.rules.heartbeat
    return join(store.path, name) if name is not None else None
