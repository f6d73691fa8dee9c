"""Replacing in all files: where a text stands is looked up beside the window, and a batch is done, told and undone."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, Slot

from memgui.domain.errors import MemguiError
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Exchange, LeftOut, Plan, Replaced
from memgui.gui.jobs import Desk
from memgui.gui.models.replace_model import left_out_said, places_said
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.panels.search.replace import ReplacePanel
from memgui.gui.panels.search.words import short
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.gui.wiring.replacing_deeds import Part, Work, do, earlier, look, slices, take_back
from memgui.i18n import _, ngettext
from memgui.ops import replacing

PLACE = "replace"
"""Where in the window's middle it stands."""

MOST_UNDONE = 50
RECALLED_SECONDS = 24 * 3600
"""What an earlier memgui replaced longer ago is for the history: nobody expects undo to reach so far back."""
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

    id: str
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
        self._is_stopped = self._is_working = False
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
        session.opened.connect(self._recall)
        self._recall()

    @Slot()
    def _recall(self) -> None:
        """What an earlier memgui replaced, whole or in part, can still be taken back."""
        self._session.ask(earlier, self._offer)

    def _offer(self, known: tuple[tuple[str, Replaced], ...]) -> None:
        young = time.time() - RECALLED_SECONDS
        late = [_Batch(id_, one) for id_, one in known if id_.isdecimal() and int(id_) > young * 1e9]
        if self._done or self._is_working or not late:
            return
        self._done = late
        places, files = self._done[-1].counts
        words = _(
            "Before memgui last ended, {count} in {files} were replaced: “{what}” by “{by}”. That can be taken back."
        )
        exchange = self._done[-1].replaced.exchange
        what, by = short(exchange.what), short(exchange.by)
        said = words.format(count=places_said(places), files=_files(files), what=what, by=by)
        self.panel.say(said, _("Undo"))
        self.undo_changed.emit()

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
            look,
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
        if plan is None or self._is_working:
            return
        on_pages, left_out = self._replace_on_pages(plan, chosen)
        # What was typed since the look is on its page alone: to write below it would be to work against the person.
        typed = [file.path for file in plan.files if not file.on_page and self._is_typed(file.path)]
        left_out += tuple(LeftOut(path, _(_NOT_THERE)) for path in typed if chosen.pop(path, None))
        paths = [file.path for file in plan.files if not file.on_page and file.path in chosen]
        id_ = str(time.time_ns())
        parts = tuple(
            Part(
                len(some),
                partial(do, plan=plan, chosen={p: chosen[p] for p in some}, batch=id_, begins=some[0] == paths[0]),
            )
            for some in slices(paths)
        )
        self._go_on(Work(parts, Replaced(plan.exchange), partial(self._tell_done, id_, on_pages, left_out)))

    def _is_typed(self, path: DocPath) -> bool:
        page = self._tabs.page_for(path)
        return page is not None and page.ready and page.is_dirty

    # A long batch is done part by part: what is saved meanwhile, and what agents write, comes in between.

    def _go_on(self, work: Work) -> None:
        if not self._is_working:
            self._is_stopped, self._is_working = False, True
            self.panel.show_working(working=True)
            self.undo_changed.emit()
        if not work.parts or self._is_stopped:
            self._end(work, stopped=bool(work.parts) or work.so_far.stopped)
            return
        deed = partial(work.parts[0].deed, progress=partial(self._tell_part, work), stop=lambda: self._is_stopped)
        self._session.change(deed, partial(self._did_part, work), partial(self._fail_part, work))

    def _did_part(self, work: Work, replaced: Replaced) -> None:
        self._follow(one.path for one in replaced.done)
        self._go_on(work.after(replaced))

    def _fail_part(self, work: Work, error: MemguiError) -> None:
        self._end(work, stopped=True, trouble=error.sentences)

    def _end(self, work: Work, *, stopped: bool, trouble: str = "") -> None:
        self._is_working = False
        work.finish(replace(work.so_far, stopped=stopped), trouble)

    def _tell_part(self, work: Work, done: int, _of: int) -> None:
        """On the lane's thread."""
        self._tell_progress(work.before + done, work.size)

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

    def _tell_done(
        self, id_: str, on_pages: tuple[_OnPage, ...], left_out: tuple[LeftOut, ...], replaced: Replaced, trouble: str
    ) -> None:
        batch = _Batch(id_, replaced, on_pages)
        places, files = batch.counts
        if places:
            self._done.append(batch)
            del self._done[:-MOST_UNDONE]
        said = [_("Replaced {count} in {files}.").format(count=places_said(places), files=_files(files))]
        if replaced.stopped or trouble:
            said.append(_("It was stopped; the rest is as it was."))
        self._finish([*said, trouble], (*left_out, *replaced.left_out), undo=bool(places))

    def _finish(self, said: list[str], left_out: tuple[LeftOut, ...], *, undo: bool) -> None:
        self.panel.show_working(working=False)
        self.panel.say(" ".join(filter(None, (*said, *left_out_said(left_out)))), _("Undo") if undo else "")
        self.panel.look_again()
        self.undo_changed.emit()

    def _follow(self, paths: Iterable[DocPath]) -> None:
        """Open pages learn of what was written for the person."""
        for path in paths:
            self._tabs.read_own(path)

    @property
    def can_undo(self) -> bool:
        """Whether there is a batch to take back."""
        return bool(self._done) and not self._is_working

    @Slot()
    def undo(self) -> None:
        """Take back the last batch, all of it that nobody changed since."""
        if not self.can_undo:
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
        parts = tuple(
            Part(len(some), partial(take_back, replaced=replace(batch.replaced, done=tuple(some)), batch=batch.id))
            for some in slices(batch.replaced.done)
        )
        finish = partial(self._tell_undone, batch, tuple(back), tuple(left_out))
        self._go_on(Work(parts, Replaced(batch.replaced.exchange), finish))

    def _tell_undone(
        self, batch: _Batch, on_pages: tuple[_OnPage, ...], left_out: tuple[LeftOut, ...], back: Replaced, trouble: str
    ) -> None:
        places, files = _Batch(batch.id, back, on_pages).counts
        tried = {one.path for one in back.done} | {one.path for one in back.left_out}
        rest = tuple(one for one in batch.replaced.done if one.path not in tried)
        if rest:
            # What nobody came to is still there to be taken back.
            self._done.append(_Batch(batch.id, replace(batch.replaced, done=rest)))
        said = [_("Taken back: {count} in {files}.").format(count=places_said(places), files=_files(files))]
        if rest:
            said.append(_("It was stopped; the rest is as it was."))
        self._finish([*said, trouble], (*left_out, *back.left_out), undo=bool(rest))

    def _fail(self, error: MemguiError) -> None:
        self.panel.show_trouble(error.sentences)

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
