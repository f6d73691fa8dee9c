"""The days and the session: weeks that are read, lines that are added, and the day that it is."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.daily import Days as LoggedDays
from memgui.domain.errors import MemguiError
from memgui.domain.groups import Group
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, Ticket
from memgui.gui.kit.today import Today, local_now
from memgui.gui.panels.days import DaysPanel
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.moves import Moves, Spot
from memgui.i18n import _
from memgui.ops import logs
from memgui.ops.logs import Addition, Captured, LogText, Week


@dataclass(frozen=True, slots=True)
class _InPage:
    """A line that went into an open page: its text before and after."""

    path: DocPath
    before: str
    after: str


class Days(QObject):
    """Shows the days in the middle, keeps them as the disk is, and adds to today's log."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        tabs: DocumentTabs,
        moves: Moves,
        *,
        newest_first: bool,
        now: Callable[[], datetime.datetime] = local_now,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._tabs = tabs
        self._moves = moves
        self.today = Today(now, self)
        self.panel = DaysPanel(self.today.day)
        self.panel.set_newest_first(newest_first)
        self._desk = Desk()
        self._until: datetime.date | None = None
        self._logged: tuple[tuple[Group, ...], LoggedDays] | None = None
        self._stale = True
        self._added: tuple[Captured | _InPage, str] | None = None
        window.place_days(self.panel)
        session.opened.connect(self._begin)
        session.view_changed.connect(self._follow)
        session.index_changed.connect(self._prepare)
        window.activated.connect(self.today.check)
        window.closing.connect(self.today.end)
        window.middle_changed.connect(self._show_if_stale)
        self.today.changed.connect(self._show_today)
        self.panel.week_requested.connect(self._request)
        self.panel.entry_chosen.connect(self._open)
        self.panel.capture_requested.connect(self._capture)
        self.panel.undo_requested.connect(self._take_back)
        if session.view is not None:
            self._begin()
        if window.property("indexed"):
            self._prepare()

    # Showing -----------------------------------------------------------------------------------------------------

    @Slot()
    def show(self) -> None:
        """Bring the days to the front, where one left them."""
        self._window.show_middle("days")
        self.panel.reader.setFocus()

    @Slot()
    def show_today(self) -> None:
        """Bring the days to the front, at today."""
        self.show()
        self.panel.go_to_today()

    @Slot()
    def begin_line(self) -> None:
        """Bring the days to the front, with the keyboard in the field for today."""
        self._window.show_middle("days")
        self.panel.capture.field.setFocus()

    @property
    def _in_front(self) -> bool:
        return self._window.middle == "days"

    @Slot()
    def _begin(self) -> None:
        self._stale = True
        self.today.begin()
        self._show_if_stale()

    @Slot()
    def _prepare(self) -> None:
        """Everything else has been read: read the week, so that it is there when it is asked for."""
        if self.panel.week is None and self._stale:
            self._load()

    @Slot()
    def _follow(self) -> None:
        """The disk is other than before: read what changed, now or when the days are next looked at."""
        self._stale = True
        self._show_if_stale()

    @Slot()
    def _show_if_stale(self) -> None:
        if self._in_front and self._stale:
            self._load()

    @Slot(object)
    def _request(self, until: datetime.date) -> None:
        self._until = until
        self._load()

    def _load(self) -> None:
        view = self._session.view
        if view is None:
            return
        self._stale = False
        ticket = self._desk.next()
        known = self.panel.week.texts if self.panel.week is not None else {}
        question = partial(
            _read, until=self._until, today=self.today.day, logged=self._logged_in(view), known=known, ticket=ticket
        )
        self._session.ask(question, partial(self._take, view.groups), ticket=ticket)

    def _take(self, groups: tuple[Group, ...], week: Week) -> None:
        self._until = week.until
        self._logged = (groups, week.days)
        self.panel.show_week(week)

    def _logged_in(self, view: View) -> LoggedDays | None:
        """Which days have logs, where no name has come or gone since that was asked."""
        return self._logged[1] if self._logged is not None and self._logged[0] is view.groups else None

    @Slot(object)
    def _show_today(self, day: datetime.date) -> None:
        before = self.panel.today
        self.panel.show_today(day)
        if self._until == before:
            self._until = day
        self._stale = True
        self._show_if_stale()
        self._session.reconcile()

    @Slot(object, int)
    def _open(self, path: DocPath, line: int) -> None:
        self._window.show_middle("documents")
        self._moves.go(Spot(path, line))

    # Adding a line -----------------------------------------------------------------------------------------------

    @Slot(str)
    def _capture(self, text: str) -> None:
        view = self._session.view
        if view is None:
            return
        now = self.today.now()
        self.today.check()
        logged = self._logged_in(view) or logs.days(view.workspace, view.snapshot)
        path = logs.target(view.workspace, logged, now.date())
        page = self._tabs.page_for(path) if path is not None else None
        if page is not None and page.is_dirty:
            # To write beside unsaved text would put the two into conflict.
            question = partial(_prepare, logged=logged, text=text, now=now)
            self._session.ask(question, partial(self._add_to_page, text))
        else:
            deed = partial(_add, logged=logged, text=text, now=now)
            self._session.change(deed, partial(self._tell_added, text), self._tell_failed)

    def _add_to_page(self, text: str, addition: Addition | MemguiError) -> None:
        page = self._tabs.page_for(addition.path) if isinstance(addition, Addition) else None
        if isinstance(addition, MemguiError):
            self._tell_failed(addition)
        elif page is None:
            self._capture(text)
        else:
            before = page.lines().joined()
            after = before + addition.behind(before)
            if page.change(Lines.split(after)):
                self._added = (_InPage(page.path, before, after), text)
                self.panel.capture.show_added(page.path, into_page=True)
            else:
                self.panel.capture.show_failed(page.sentence)

    def _tell_added(self, text: str, captured: Captured) -> None:
        self._added = (captured, text)
        self._tabs.read_own(captured.path)
        self.panel.reveal(captured.path)
        self.panel.capture.show_added(captured.path)

    def _tell_failed(self, error: MemguiError) -> None:
        self.panel.capture.show_failed(error.sentences)

    @Slot()
    def _take_back(self) -> None:
        added, self._added = self._added, None
        if added is None:
            return
        what, text = added
        if isinstance(what, _InPage):
            page = self._tabs.page_for(what.path)
            if page is not None and _is_as(page, what) and page.change(Lines.split(what.before)):
                self.panel.capture.show_taken_back(what.path, text)
            else:
                self.panel.capture.show_failed(_("The page has changed since; take the line out there."))
        else:
            deed = partial(_remove, captured=what)
            self._session.change(deed, partial(self._tell_taken_back, what.path, text), self._tell_failed)

    def _tell_taken_back(self, path: DocPath, text: str, done: None) -> None:  # noqa: ARG002
        self._tabs.read_own(path)
        self.panel.capture.show_taken_back(path, text)


def _is_as(page: Page, what: _InPage) -> bool:
    return page.lines().joined() == what.after


def _read(
    view: View,
    *,
    until: datetime.date | None,
    today: datetime.date,
    logged: LoggedDays | None,
    known: Mapping[DocPath, LogText],
    ticket: Ticket,
) -> Week:
    days = logged if logged is not None else logs.days(view.workspace, view.snapshot)
    return logs.read_week(
        view.workspace,
        view.snapshot,
        days,
        until=until or logs.week_to_begin_with(days, today),
        today=today,
        known=known,
        stop=lambda: ticket.stale,
    )


def _prepare(view: View, *, logged: LoggedDays, text: str, now: datetime.datetime) -> Addition | MemguiError:
    try:
        return logs.prepare(view.workspace, logged, text, now=now)
    except MemguiError as error:
        return error


def _add(view: View, *, logged: LoggedDays, text: str, now: datetime.datetime) -> tuple[ChangeSet, Captured]:
    captured = logs.capture(view.workspace, logged, text, now=now)
    return captured.changes, captured


def _remove(view: View, *, captured: Captured) -> tuple[ChangeSet, None]:
    return logs.take_back(view.workspace, captured), None
