"""Verdicts on their way: one after the other, held back while somebody writes, and taken back again."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError, ProtectedDocument
from memgui.domain.paths import DocPath, shown
from memgui.domain.review import Owed, PendingChange, StaleChange, Verdict, quiet_in
from memgui.gui.disk import View
from memgui.gui.panels.review.wishes import Wish, WishForAll
from memgui.gui.session import Session
from memgui.gui.wiring.verdict_deeds import Decision, Turn, decide, decide_all, hand_in, owed_by, take_back
from memgui.i18n import _, ngettext

if TYPE_CHECKING:
    from memgui.domain.changes import ChangeSet

MOST_UNDOS = 200
T = TypeVar("T")


class Verdicts(QObject):
    """Does what a person decides. Wishes wait for each other, and those that write for a quiet file."""

    decided = Signal(object, object)
    """`Wish` or `WishForAll`, and the `Verdict` it became."""
    undone = Signal(object)
    """The `Verdict` that was taken back."""
    settled = Signal()
    """Nothing is on its way any more: what pends now can be looked at."""
    failed = Signal(str, object)
    """A sentence, and the `DocPath` of the identity file that has to be unlocked first, or None."""
    said = Signal(str)
    waiting_changed = Signal(object)
    """`tuple[Wish, ...]`: those that wait until nobody writes."""
    undo_changed = Signal()
    """There is a verdict more, or less, to take back."""

    def __init__(
        self,
        session: Session,
        unlocked: Callable[[], frozenset[DocPath]],
        current: Callable[[DocPath], PendingChange | None],
        parent: QObject,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._session, self._unlocked, self._current, self.now = session, unlocked, current, now
        self._queue: deque[Decision] = deque()
        self._turn: Turn | None = None
        self._owes = False
        self._own: dict[DocPath, Fingerprint | None] = {}
        self._undo: list[Verdict] = []
        self.waiting: tuple[Wish, ...] = ()
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self.check)

    # Asking --------------------------------------------------------------------------------------------------------

    @Slot(object)
    def ask(self, wish: Wish | WishForAll) -> None:
        """Do it, in its turn; one that writes into a file where somebody writes has to wait."""
        if isinstance(wish, Wish) and wish.writes and self._wait_for(wish) > 0:
            self._hold((*self.waiting, wish))
        else:
            self._queue.append(wish)
            self._next()

    def _wait_for(self, wish: Wish) -> float:
        """So many seconds until nobody can be thought to be writing into its document."""
        newest = self._current(wish.change.path) or wish.change
        # What the person's own verdict left there is nobody's writing.
        if newest.disk is not None and newest.disk == self._own.get(newest.path):
            return 0.0
        return max(quiet_in(wish.change, self.now()), quiet_in(newest, self.now()))

    def _hold(self, wishes: tuple[Wish, ...]) -> None:
        if wishes != self.waiting:
            self.waiting = wishes
            self._owe()
            self.waiting_changed.emit(wishes)
        self._quiet.stop()
        if wishes:
            soonest = min(self._wait_for(wish) for wish in wishes)
            self._quiet.start(max(50, round(soonest * 1000) + 20))

    @Slot()
    def check(self) -> None:
        """Do what waited for a file where all is quiet now. Also asked whenever the changes are others than before."""
        ready = [wish for wish in self.waiting if self._wait_for(wish) <= 0]
        self._queue.extend(ready)
        self._hold(tuple(wish for wish in self.waiting if wish not in ready))
        self._next()

    @Slot()
    def apply_now(self) -> None:
        """The person does not want to wait."""
        self._queue.extend(self.waiting)
        self._hold(())
        self._next()

    @Slot()
    def give_up(self) -> None:
        """The person no longer wants what waits."""
        self._hold(())
        self.settled.emit()

    # Doing ---------------------------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is a verdict to take back."""
        return bool(self._undo)

    @Slot()
    def undo(self) -> None:
        """Take the last verdict back."""
        if self.waiting:
            self._hold(self.waiting[:-1])
            self.settled.emit()
        elif self._undo:
            self._queue.append(self._undo.pop())
            self.undo_changed.emit()
            self._next()

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way."""
        return self._turn is not None or bool(self._queue)

    def _next(self) -> None:
        if self._turn is not None or not self._queue:
            return
        turn = self._turn = Turn(self._queue.popleft())
        what, unlocked = turn.what, self._unlocked()
        if isinstance(what, Verdict):
            undo = partial(take_back, verdict=what, unlocked=unlocked)
            self._do(turn, undo, partial(self._on_undone, what), partial(self._on_undo_failed, what))
        elif isinstance(what, WishForAll):
            all_of_them = partial(decide_all, wish=what, unlocked=unlocked)
            self._do(turn, all_of_them, partial(self._on_all_decided, what), self._on_failed)
        else:
            deed = partial(decide, wish=what, unlocked=unlocked)
            self._do(turn, deed, partial(self._on_decided, what), self._on_failed)

    def _do(
        self,
        turn: Turn,
        deed: Callable[[View], tuple[ChangeSet, T]],
        done: Callable[[T], None],
        failed: Callable[[MemguiError], None],
    ) -> None:
        self._session.change(partial(_noted, turn, deed), done, failed)

    # At the end ----------------------------------------------------------------------------------------------------

    def _owe(self) -> None:
        """What waits is kept beside, should the process end before it is done."""
        if self.waiting or self._owes:
            owed = self._all_owed()
            self._owes = bool(owed)
            self._session.owe(owed)

    def _all_owed(self) -> tuple[Owed, ...]:
        turn = () if self._turn is None else (self._turn.what,)
        return owed_by((*turn, *self._queue, *self.waiting))

    def end(self) -> None:
        """The window is about to go: do all that was decided, and keep for the next start what cannot be done of it.

        What waits for a quiet file is done now: the window cannot wait for it, and it is found or left alone.
        """
        self._quiet.stop()
        owed = self._all_owed()
        if not owed:
            return
        left, owe = (*self._queue, *self.waiting), self._session.owe
        self._queue.clear()
        owe(owed)
        deed = partial(hand_in, turn=self._turn, decisions=left, unlocked=self._unlocked(), owe=owe)
        self._session.change(deed, _nothing, _nothing)

    def _on_decided(self, wish: Wish, verdict: Verdict) -> None:
        self._note(verdict)
        self._remember(verdict)
        self.decided.emit(wish, verdict)
        self._go_on()

    def _on_all_decided(self, wish: WishForAll, answer: tuple[Verdict | None, tuple[PendingChange, ...]]) -> None:
        verdict, undone = answer
        left = len(undone)
        if verdict is not None:
            self._note(verdict)
            self._remember(verdict)
            self.decided.emit(wish, verdict)
        if left:
            words = ngettext(
                "{count} change was left as it is: it is locked, or was written meanwhile.",
                "{count} changes were left as they are: they are locked, or were written meanwhile.",
                left,
            )
            self.failed.emit(words.format(count=f"{left:,}"), None)
        self._go_on()

    def _on_undone(self, verdict: Verdict, back: Verdict) -> None:
        self._note(back)
        self.undone.emit(verdict)
        self._go_on()

    def _on_undo_failed(self, verdict: Verdict, error: MemguiError) -> None:
        if isinstance(error, ProtectedDocument):
            # It can still be taken back once the file is unlocked.
            self._remember(verdict)
        self._on_failed(error)

    def _on_failed(self, error: MemguiError) -> None:
        locked = DocPath(error.path) if isinstance(error, ProtectedDocument) else None
        self.failed.emit(sentence_of(error), locked)
        self._go_on()

    def _note(self, verdict: Verdict) -> None:
        for move in verdict.moves:
            if move.disk is not None:
                self._own[move.path] = move.disk[1]

    def _remember(self, verdict: Verdict) -> None:
        self._undo = [*self._undo, verdict][-MOST_UNDOS:]
        self.undo_changed.emit()

    def _go_on(self) -> None:
        self._turn = None
        if self._owes:
            self._owe()
        if self._queue:
            self._next()
        else:
            self.settled.emit()


def sentence_of(error: MemguiError) -> str:
    """An error as the review says it."""
    if isinstance(error, StaleChange):
        name = shown(error.path)
        return _("'{name}' was written meanwhile, and this place is not as it was shown. Nothing was done.").format(
            name=name
        )
    if isinstance(error, ProtectedDocument):
        return _("'{name}' is an identity file and locked. Nothing was done; unlock it first.").format(
            name=shown(error.path)
        )
    return error.sentences


def _noted(turn: Turn, deed: Callable[[View], tuple[ChangeSet, T]], view: View) -> tuple[ChangeSet, T]:
    answer = deed(view)
    turn.done = True
    return answer


def _nothing(answer: object) -> None:
    """The window is gone: nobody is there to be told."""
