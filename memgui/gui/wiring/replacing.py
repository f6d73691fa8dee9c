"""Replacing in all files: where a text stands is looked up beside the window, and a batch is done, told and undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.lines import Lines
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Exchange, LeftOut, Plan, Replaced
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, Ticket
from memgui.gui.models.replace_model import excluded_said, places_said
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.search.replace import ReplacePanel
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _, ngettext
from memgui.ops import replacing
from memgui.ops.finder import Finder

PLACE = "replace"
"""Where in the window's middle it stands."""

MOST_UNDONE = 50
PROGRESS_SECONDS = 0.1

_NOT_THERE = "Its page is other than it was shown."


@dataclass(frozen=True, slots=True)
class _OnPage:
    """What was replaced on a page that is not saved."""

    path: DocPath
    before: str
    after: str
    places: int


@dataclass(frozen=True, slots=True)
class _Batch:
    """All that one button did."""

    replaced: Replaced
    on_pages: tuple[_OnPage, ...] = ()

    @property
    def counts(self) -> tuple[int, int]:
        """How many places, in how many files."""
        places = self.replaced.places + sum(one.places for one in self.on_pages)
        return places, len(self.replaced.done) + len(self.on_pages)


class Replacing(QObject):
    """Shows the panel in the middle, answers it, and does what the person wishes."""

    undo_changed = Signal()
    """There is more, or less, to take back."""
    _progressed = Signal(int, int)

    def __init__(self, window: MainWindow, session: Session, tabs: DocumentTabs, moves: Moves, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._tabs, self._moves = window, session, tabs, moves
        self.panel = ReplacePanel()
        self._desk = Desk()
        self._before = "documents"
        self._told_at = 0.0
        self._is_stopped = False
        self._done: list[_Batch] = []
        window.place_replace(self.panel)
        self._progressed.connect(self.panel.show_progress, Qt.ConnectionType.QueuedConnection)
        self.panel.places_requested.connect(self._look)
        self.panel.replace_requested.connect(self._replace)
        self.panel.undo_requested.connect(self.undo)
        self.panel.stop_requested.connect(self._stop)
        self.panel.place_chosen.connect(self._open)
        self.panel.left.connect(self._leave)
        session.changed.connect(self._look_again)
        window.middle_changed.connect(self._look_again)
        window.closing.connect(self._stop)

    def begin(self, what: str = "") -> None:
        """Bring it to the front, with this to be replaced."""
        if self._window.middle != PLACE:
            self._before = self._window.middle
        self._window.show_middle(PLACE)
        self.panel.begin(what)

    # Looking -----------------------------------------------------------------------------------------------------

    @Slot(object)
    def _look(self, exchange: Exchange) -> None:
        ticket = self._desk.next()
        question = partial(
            _look,
            finder=self._session.finder,
            exchange=exchange,
            texts={page.path: page.lines().joined() for page in self._tabs.pages if page.ready and page.is_dirty},
            progress=self._tell_progress,
            ticket=ticket,
        )
        self._session.ask(question, self.panel.show_plan, self._fail, ticket=ticket)

    @Slot()
    def _look_again(self) -> None:
        if self._window.middle == PLACE:
            self.panel.look_again()

    def _tell_progress(self, done: int, of: int) -> None:
        """On the lane's thread."""
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS and not self._session.is_closed:
            self._told_at = now
            self._progressed.emit(done, of)

    # Doing -------------------------------------------------------------------------------------------------------

    @Slot()
    def _replace(self) -> None:
        plan, chosen = self.panel.model.plan, self.panel.model.chosen
        if plan is None:
            return
        on_pages, left_out = self._replace_on_pages(plan, chosen)
        self._is_stopped = False
        self.panel.show_working(working=True)
        deed = partial(_do, plan=plan, chosen=chosen, progress=self._tell_progress, stop=lambda: self._is_stopped)
        self._session.change(deed, partial(self._tell_done, on_pages, left_out), self._fail)

    def _replace_on_pages(
        self, plan: Plan, chosen: dict[DocPath, frozenset[int]]
    ) -> tuple[tuple[_OnPage, ...], tuple[LeftOut, ...]]:
        done: list[_OnPage] = []
        left_out: list[LeftOut] = []
        for file in plan.files:
            if not file.on_page or not chosen.get(file.path):
                continue
            page = self._tabs.page_for(file.path)
            before = page.lines() if page is not None else Lines.split("")
            after, places = replacing.changed(before, plan.exchange, chosen[file.path])
            same = page is not None and replacing.text_print(before.joined()) == file.print_
            if page is not None and same and page.change(after):
                done.append(_OnPage(file.path, before.joined(), after.joined(), places))
            else:
                left_out.append(LeftOut(file.path, _(_NOT_THERE)))
        return tuple(done), tuple(left_out)

    def _tell_done(self, on_pages: tuple[_OnPage, ...], left_out: tuple[LeftOut, ...], replaced: Replaced) -> None:
        batch = _Batch(replaced, on_pages)
        self._follow(one.path for one in replaced.done)
        places, files = batch.counts
        if places:
            self._done.append(batch)
            del self._done[:-MOST_UNDONE]
        said = [_("Replaced {count} in {files}.").format(count=places_said(places), files=_files(files))]
        if replaced.stopped:
            said.append(_("It was stopped; the rest is as it was."))
        self._finish(said, (*left_out, *replaced.left_out), undo=bool(places))

    def _finish(self, said: list[str], left_out: tuple[LeftOut, ...], *, undo: bool) -> None:
        reasons: dict[str, list[DocPath]] = {}
        for one in left_out:
            reasons.setdefault(one.reason, []).append(one.path)
        for reason, paths in reasons.items():
            said.append(_("Left out: {names}. {reason}").format(names=excluded_said(paths), reason=reason))
        self.panel.show_working(working=False)
        self.panel.say(" ".join(said), _("Undo") if undo else "")
        self.panel.look_again()
        self.undo_changed.emit()

    def _follow(self, paths: Iterable[DocPath]) -> None:
        """Open pages learn of what was written for the person."""
        for path in paths:
            page = self._tabs.page_for(path)
            if page is not None:
                page.expect_own()
                self._session.read(path)

    @property
    def can_undo(self) -> bool:
        """Whether there is a batch to take back."""
        return bool(self._done)

    @Slot()
    def undo(self) -> None:
        """Take back the last batch, all of it that nobody changed since."""
        if not self._done:
            return
        batch = self._done.pop()
        back: list[_OnPage] = []
        left_out: list[LeftOut] = []
        for one in batch.on_pages:
            page = self._tabs.page_for(one.path)
            same = page is not None and page.lines().joined() == one.after
            if page is not None and same and page.change(Lines.split(one.before)):
                back.append(one)
            else:
                left_out.append(LeftOut(one.path, _(_NOT_THERE)))
        self._is_stopped = False
        self.panel.show_working(working=True)
        deed = partial(_take_back, replaced=batch.replaced, progress=self._tell_progress)
        self._session.change(deed, partial(self._tell_undone, tuple(back), tuple(left_out)), self._fail)
        self.undo_changed.emit()

    def _tell_undone(self, on_pages: tuple[_OnPage, ...], left_out: tuple[LeftOut, ...], back: Replaced) -> None:
        self._follow(one.path for one in back.done)
        places, files = _Batch(back, on_pages).counts
        said = [_("Taken back: {count} in {files}.").format(count=places_said(places), files=_files(files))]
        self._finish(said, (*left_out, *back.left_out), undo=False)

    def _fail(self, error: MemguiError) -> None:
        self.panel.show_working(working=False)
        self.panel.say(error.message if error.hint is None else f"{error.message} {error.hint}")

    # Coming and going --------------------------------------------------------------------------------------------

    @Slot()
    def _stop(self) -> None:
        self._is_stopped = True
        self._desk.cancel()

    @Slot(object, int)
    def _open(self, path: DocPath, line: int) -> None:
        self._window.show_middle("documents")
        self._moves.go(Spot(path, line))

    @Slot()
    def _leave(self) -> None:
        self._desk.cancel()
        self._window.show_middle(self._before if self._before != PLACE else "documents")


def _files(count: int) -> str:
    return ngettext("{count} file", "{count} files", count).format(count=f"{count:,}")


def _look(
    view: View,
    *,
    finder: Finder | None,
    exchange: Exchange,
    texts: dict[DocPath, str],
    progress: Callable[[int, int], None],
    ticket: Ticket,
) -> Plan:
    paths = (
        finder.holding(exchange.what)
        if finder is not None and finder.coverage.complete
        else [path for path, node in view.snapshot.nodes.items() if node.kind.has_bytes]
    )
    return replacing.look(view.workspace, exchange, paths, texts=texts, progress=progress, stop=lambda: ticket.stale)


def _do(
    view: View,
    *,
    plan: Plan,
    chosen: dict[DocPath, frozenset[int]],
    progress: Callable[[int, int], None],
    stop: Callable[[], bool],
) -> tuple[ChangeSet, Replaced]:
    return replacing.replace(view.workspace, plan, chosen, origin=Origin.you(), progress=progress, stop=stop)


def _take_back(view: View, *, replaced: Replaced, progress: Callable[[int, int], None]) -> tuple[ChangeSet, Replaced]:
    return replacing.take_back(view.workspace, replaced, origin=Origin.you(), progress=progress)
