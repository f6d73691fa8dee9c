"""What no person has accepted yet, kept up to date beside the window: after each look at the disk, and each verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.review import PendingChange
from memgui.gui.disk import View
from memgui.gui.jobs import Desk
from memgui.gui.session import Session

if TYPE_CHECKING:
    from memgui.ops.apart.reading import Apart

Stamp = tuple[tuple[int, int], ...]
"""Another one after each verdict, look or held change, be it by another process."""
GATHER_MS = 60
"""Writes that follow each other this fast are looked at together."""
LONGEST_REST_MS = 2_000
ELSEWHERE_MS = 2_000
"""How often it is asked whether something was decided or held by another process."""
FIRST_WAIT_MS = 250
"""So long after the opening the changes are first looked for: the window's first pictures come before."""
PROGRESS_SECONDS = 0.1


class Pending(QObject):
    """The pending changes. `changed` tells them whenever they are others than before, or were asked for anew."""

    changed = Signal(object)
    """`tuple[PendingChange, ...]`"""
    began = Signal()
    """The workspace was opened for the first time: what is there counts as accepted from now on."""
    failed = Signal(object)
    """`MemguiError`"""
    progressed = Signal(int, int)

    _told = Signal(int, int)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._desk = Desk()
        self._asking = self._again = False
        self._told_at = self._asked_at = 0.0
        self._closed = False
        self.known = False
        """Whether they were looked for at least once."""
        self.changes: tuple[PendingChange, ...] = ()
        self.last_outside: tuple[float, DocPath] | None = None
        """When somebody other than the person last wrote, and where, as far as this window saw."""
        self._gather = QTimer(self, singleShot=True, interval=GATHER_MS)
        self._gather.timeout.connect(self._ask)
        self._elsewhere = QTimer(self, interval=ELSEWHERE_MS)
        self._elsewhere.timeout.connect(self._ask_for_stamp)
        self._stamp: Stamp = ()
        self._told.connect(self.progressed, Qt.ConnectionType.QueuedConnection)
        session.opened.connect(self._begin)
        session.changed.connect(self._note)
        if session.view is not None:
            self._begin()

    @Slot()
    def _begin(self) -> None:
        self._desk.cancel()
        self._asking = self._again = self.known = False
        self.changes = ()
        self._gather.start(FIRST_WAIT_MS)
        self._elsewhere.start()

    def stop(self) -> None:
        """Look for nothing any more. A first opening that was not through goes on the next time."""
        self._closed = True
        self._gather.stop()
        self._elsewhere.stop()
        self._desk.cancel()

    @property
    def closed(self) -> bool:
        """Whether nothing is looked for any more."""
        return self._closed

    @Slot(object)
    def _note(self, changes: ChangeSet) -> None:
        others = [change for change in changes.changes if not change.origin.is_person]
        if others:
            self.last_outside = time.time(), others[-1].path
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look anew, soon."""
        if not self._gather.isActive() and not self._closed:
            self._gather.start(GATHER_MS)

    def look_again(self, change: PendingChange) -> None:
        """Look at one document anew, at once: a person has just decided something of it."""
        if self._asking:
            # What is on its way was asked before that.
            self._desk.cancel()
            self._asking = False
            self.refresh()
        question = partial(_look_at, path=change.path, source=change.source)
        self._session.ask(question, partial(self._replace, change.path), self.failed.emit)

    def _replace(self, path: DocPath, newer: PendingChange | None) -> None:
        """Put what pends at one path now in the place of what was known of it."""
        before = next((one for one in self.changes if one.path == path and not one.held), None)
        if newer is not None and before is not None and newer.disk == before.disk:
            newer = replace(newer, seen=before.seen)
        if self._asking or newer == before:
            return
        others = [one for one in self.changes if one.held or one.path != path]
        changes = others if newer is None else sorted([*others, newer], key=in_order)
        self.changes = tuple(changes)
        self.changed.emit(self.changes)

    @Slot()
    def _ask(self) -> None:
        if self._asking:
            self._again = True
            return
        self._asking = True
        self._asked_at = time.monotonic()
        ticket = self._desk.next()
        stop = self._session.give_way.stop_of(ticket)
        # Only at first: then every document may have to be read.
        apart = None if self.known else self._session.apart
        question = partial(_look, known=self.changes, apart=apart, stop=stop, tell=self._tell_progress)
        self._session.ask(question, self._take, self._fail, ticket=ticket)

    def _take(self, answer: tuple[bool, tuple[PendingChange, ...], Stamp]) -> None:
        is_new, changes, self._stamp = answer
        same = self.known and changes == self.changes
        self.known, self.changes = True, changes
        if is_new:
            self.began.emit()
        if not same:
            self.changed.emit(changes)
        self._go_on()

    def _fail(self, error: MemguiError) -> None:
        self.failed.emit(error)
        self._go_on()

    def _go_on(self) -> None:
        self._asking = False
        if self._again and not self._closed:
            # In a storm of writes it rests as long as it looked.
            self._again = False
            took = round((time.monotonic() - self._asked_at) * 1000)
            self._gather.start(min(max(GATHER_MS, took), LONGEST_REST_MS))

    @Slot()
    def _ask_for_stamp(self) -> None:
        if self.known and not self._asking:
            self._session.ask(_stamp, self._take_stamp, self.failed.emit)

    def _take_stamp(self, stamp: Stamp) -> None:
        """Of what is decided on a command line, or held for the person, no file of the workspace tells."""
        if stamp != self._stamp and not self._asking:
            self._stamp = stamp
            self.refresh()

    def _tell_progress(self, done: int, total: int) -> None:
        """On the lane's thread."""
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS:
            self._told_at = now
            self._told.emit(done, total)

    # Looking is not accepting --------------------------------------------------------------------------------------

    @Slot(object)
    def look_at(self, change: PendingChange) -> None:
        """A person looked at these bytes of a document."""
        self.mark([change], seen=True)

    def look_at_page(self, path: DocPath, print_: Fingerprint | None) -> None:
        """A person looked at a document in a page, as long as it holds what pends."""
        self.mark([one for one in self.changes if one.path == path and one.disk == print_], seen=True)

    def mark(self, changes: Iterable[PendingChange], *, seen: bool) -> None:
        """Note that these were looked at, or take that back."""
        wanted = [change for change in changes if change.seen != seen and not change.held]
        if wanted:
            self._session.change(partial(_mark, changes=wanted, seen=seen), self._marked, self.failed.emit)

    def _marked(self, done: None) -> None:  # noqa: ARG002
        self.refresh()

    @property
    def unseen(self) -> dict[DocPath, int]:
        """The documents with changes that nobody looked at, and how many lines came into each."""
        return {change.path: change.added for change in self.changes if not change.seen and change.disk is not None}


def _look(
    view: View,
    *,
    known: tuple[PendingChange, ...],
    apart: Apart | None,
    stop: Callable[[], bool],
    tell: Callable[[int, int], None],
) -> tuple[bool, tuple[PendingChange, ...], Stamp]:
    from memgui.ops import baselines, review

    # Before the look: what changes while it goes on is seen the next time.
    space, before = view.workspace, _stamp(view)
    is_new = apart is not None and not baselines.is_begun(space)
    if apart is not None and is_new:
        apart.begin(space, view.snapshot, progress=tell, stop=stop)
    return is_new, review.pending(space, view.snapshot, known=known, stop=stop), before


def _look_at(view: View, *, path: DocPath, source: DocPath) -> PendingChange | None:
    from memgui.ops import review

    return review.change_at(view.workspace, path, source=source)


def _stamp(view: View) -> Stamp:
    from memgui.ops.review_stamp import stamp

    return stamp(view.workspace)


def in_order(change: PendingChange) -> tuple[bool, float, DocPath]:
    """As they are read: alarms first, then the newest."""
    return not change.alarm, -change.since, change.path


def _mark(view: View, *, changes: list[PendingChange], seen: bool) -> tuple[ChangeSet, None]:
    from memgui.ops import review

    review.mark_all(view.workspace, changes, seen=seen)
    return ChangeSet(), None
