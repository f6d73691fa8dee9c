"""Keeping: what is done for the history while nobody waits, and what only the person can decide about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QPushButton

from memgui.domain.errors import MemguiError
from memgui.domain.paths import shown
from memgui.domain.workspace import Workspace
from memgui.gui.disk import View
from memgui.gui.jobs import Desk, Lane, Ticket
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.i18n import _, ngettext
from memgui.ops import adoption, damage, retention
from memgui.ops.adoption import Candidate
from memgui.ops.apart.reading import Apart
from memgui.ops.preferences import Settings
from memgui.ops.retention import Limits, Swept

MOVED, ROOM, DAMAGED = "history-moved", "history-room", "history-damaged"
"""The kinds of its pills."""

FIRST_MS = 4_000
"""So long after the window is there, before anything of this begins."""
SWEEP_MS = 60_000
AGAIN_MS = 6 * 3_600_000
REST_SECONDS = 0.0005


class Keeping(QObject):
    """Lets every document have a version, sweeps, and tells of damage, of a move and of too much."""

    said = Signal(str)

    def __init__(self, window: MainWindow, session: Session, settings: Callable[[], Settings], parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._settings = window, session, settings
        self._candidate: Candidate | None = None
        self._desk = Desk()
        self._lane = Lane("keep", parent=self)
        self._first = QTimer(self, singleShot=True, interval=FIRST_MS)
        self._sweep = QTimer(self, singleShot=True, interval=SWEEP_MS)
        self._first.timeout.connect(self.begin)
        self._sweep.timeout.connect(self.sweep)
        session.opened.connect(self._first.start)
        window.closing.connect(self._end)
        window.notices.acted.connect(self._act)
        window.notices.dismissed.connect(self._dismiss)
        if session.view is not None:
            self._first.start()

    @Slot()
    def _end(self) -> None:
        self._desk.cancel()
        self._lane.close(2.0)

    @Slot()
    def begin(self) -> None:
        """Look whether it stood elsewhere before; then meet what is there."""
        view, ticket = self._session.view, self._desk.next()
        if view is not None:
            self._lane.submit(partial(_looked, view), self._tell_candidates, self._say, ticket=ticket)
            work = partial(_met, view, self._session.apart, self._session.give_way.stop_of(ticket))
            self._lane.submit(work, self._tell_damage, self._say, ticket=ticket)
            self._sweep.start(SWEEP_MS)

    @Slot()
    def sweep(self, *, asked: bool = False) -> None:
        """Keep what the settings say. `asked`: the person said that younger versions may go."""
        view, settings, ticket = self._session.view, self._settings(), self._desk.next()
        if view is not None:
            limits = Limits(settings.history_days, settings.history_megabytes)
            work = partial(_swept, view.workspace, limits, asked, ticket)
            self._lane.submit(work, partial(self._tell_swept, asked), self._say, ticket=ticket)
            self._sweep.start(AGAIN_MS)

    def _tell_swept(self, asked: bool, swept: Swept) -> None:
        if asked:
            words = ngettext("{count} old version went.", "{count} old versions went.", swept.versions)
            self.said.emit(words.format(count=f"{swept.versions:,}"))
        if swept.over and not asked:
            settings = self._settings()
            words = _(
                "Versions take {kept} MB, more than the {most} MB that they may; none under {days} days goes without"
                " your word."
            ).format(
                kept=f"{swept.kept // 1_000_000:,}",
                most=f"{settings.history_megabytes:,}",
                days=settings.history_days or retention.DAYS,
            )
            self._window.notices.tell(ROOM, words, _("Let old ones go"), lasting=True)

    def _tell_damage(self, words: str | None) -> None:
        if words:
            self._window.notices.tell(DAMAGED, words, _("OK"), lasting=True)

    def _tell_candidates(self, found: tuple[Candidate, ...]) -> None:
        if found:
            self._candidate = found[0]
            words = _("This looks like {folder}, moved here. Take over its history?")
            told = words.format(folder=shown(str(self._candidate.path)))
            pill = self._window.notices.tell(MOVED, told, _("Take over"), lasting=True)
            button = pill.findChild(QPushButton, "noticeDismiss")
            if button is not None:
                button.setText(_("No"))
                button.setAccessibleName(_("No"))

    @Slot(str)
    def _act(self, kind: str) -> None:
        view, candidate = self._session.view, self._candidate
        if kind == ROOM:
            self.sweep(asked=True)
        elif kind == MOVED and view is not None and candidate is not None:
            work = partial(adoption.adopt, view.workspace, candidate)
            self._lane.submit(work, self._tell_adopted, self._say)

    @Slot(str)
    def _dismiss(self, kind: str) -> None:
        view, candidate = self._session.view, self._candidate
        if kind == MOVED and view is not None and candidate is not None:
            self._lane.submit(partial(adoption.decline, view.workspace, candidate), _nothing, self._say)

    def _tell_adopted(self, value: None) -> None:  # noqa: ARG002
        self._session.look_anew()
        self.said.emit(_("Its history goes on here."))
        self._first.start()

    def _say(self, error: MemguiError) -> None:
        self.said.emit(error.sentences)


def _looked(view: View) -> tuple[Candidate, ...]:
    return adoption.candidates(view.workspace, snapshot=view.snapshot)


def _met(view: View, apart: Apart, stop: Callable[[], bool]) -> str | None:
    apart.meet(view.workspace, view.snapshot, stop=stop)
    return damage.met(view.workspace, damage.WINDOW)


def _swept(workspace: Workspace, limits: Limits, asked: bool, ticket: Ticket) -> Swept:
    def stop() -> bool:
        # Asked at each step: so the window, which waits for the interpreter, always comes first.
        time.sleep(REST_SECONDS)
        return ticket.stale

    return retention.sweep(workspace, limits, asked=asked, stop=stop)


def _nothing(value: None) -> None:
    """Nobody waits for it."""
