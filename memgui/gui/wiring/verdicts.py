"""Verdicts on their way: one after the other, held back while somebody writes, and taken back again."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint
from memgui.domain.errors import MemguiError, ProtectedDocument
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown
from memgui.domain.review import Hunk, PendingChange, StaleChange, Verdict, VerdictKind, quiet_in
from memgui.domain.workspace import Workspace
from memgui.gui.disk import View
from memgui.gui.panels.review.wishes import Wish, WishForAll
from memgui.gui.session import Session
from memgui.i18n import _, ngettext

MOST_UNDOS = 200


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
        self._queue: deque[Wish | WishForAll | Verdict] = deque()
        self._busy = False
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
            self.waiting_changed.emit(wishes)
        self._quiet.stop()
        if wishes:
            soonest = min(self._wait_for(wish) for wish in wishes)
            self._quiet.start(max(50, round(soonest * 1000) + 20))

    @Slot()
    def check(self) -> None:
        """Do what waited for a file where all is quiet now. Also asked whenever the changes are others than before."""
        ready = [wish for wish in self.waiting if self._wait_for(wish) <= 0]
        self._hold(tuple(wish for wish in self.waiting if wish not in ready))
        self._queue.extend(ready)
        self._next()

    @Slot()
    def apply_now(self) -> None:
        """The person does not want to wait."""
        ready = self.waiting
        self._hold(())
        self._queue.extend(ready)
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
        return self._busy or bool(self._queue)

    def _next(self) -> None:
        if self._busy or not self._queue:
            return
        self._busy = True
        what = self._queue.popleft()
        unlocked = self._unlocked()
        if isinstance(what, Verdict):
            undo = partial(_take_back, verdict=what, unlocked=unlocked)
            self._session.change(undo, partial(self._on_undone, what), partial(self._on_undo_failed, what))
        elif isinstance(what, WishForAll):
            all_of_them = partial(_decide_all, wish=what, unlocked=unlocked)
            self._session.change(all_of_them, partial(self._on_all_decided, what), self._on_failed)
        else:
            deed = partial(_decide, wish=what, unlocked=unlocked)
            self._session.change(deed, partial(self._on_decided, what), self._on_failed)

    def _on_decided(self, wish: Wish, verdict: Verdict) -> None:
        self._note(verdict)
        self._remember(verdict)
        self.decided.emit(wish, verdict)
        self._go_on()

    def _on_all_decided(self, wish: WishForAll, answer: tuple[Verdict | None, int]) -> None:
        verdict, left = answer
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
        self._busy = False
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
    return error.message if error.hint is None else f"{error.message} {error.hint}"


def _decide(view: View, *, wish: Wish, unlocked: frozenset[DocPath]) -> tuple[ChangeSet, Verdict]:
    """Over what was shown; where the document was written since, over the same hunks in it, and no others."""
    from memgui.ops.review_again import decide_again

    space, change, hunk = view.workspace, wish.change, wish.hunk
    try:
        return _done(space, wish, change, hunk, unlocked)
    except StaleChange:
        wanted = (hunk,) if hunk is not None else wish.hunks
        if change.held or not wanted:
            raise

        def once(newer: PendingChange, found: tuple[Hunk, ...]) -> tuple[ChangeSet, Verdict]:
            return _done(space, wish, newer, found[0] if hunk is not None else found, unlocked)

        return decide_again(space, change, wanted, once)


def _done(
    space: Workspace,
    wish: Wish,
    change: PendingChange,
    hunk: Hunk | tuple[Hunk, ...] | None,
    unlocked: frozenset[DocPath],
) -> tuple[ChangeSet, Verdict]:
    from memgui.ops import review_verdicts as verdicts

    you = Origin.you()
    if wish.kind is VerdictKind.ACCEPT:
        return ChangeSet(), verdicts.accept(space, change, hunk=hunk, origin=you)
    if wish.kind is VerdictKind.PUT_BACK:
        return verdicts.put_back(space, change, hunk=hunk, origin=you, unlocked=unlocked)
    if wish.kind is VerdictKind.EDIT:
        assert isinstance(hunk, Hunk)
        return verdicts.edit(space, change, hunk, wish.text, origin=you, unlocked=unlocked)
    return verdicts.reject(space, change, hunk=hunk, origin=you, unlocked=unlocked)


def _decide_all(
    view: View, *, wish: WishForAll, unlocked: frozenset[DocPath]
) -> tuple[ChangeSet, tuple[Verdict | None, int]]:
    from memgui.ops import review_many as many

    you = Origin.you()
    if wish.kind is VerdictKind.ACCEPT:
        verdict, left = many.accept_all(view.workspace, wish.changes, origin=you)
        return ChangeSet(), (verdict, len(left))
    changes, verdict, left = many.reject_all(view.workspace, wish.changes, origin=you, unlocked=unlocked)
    return changes, (verdict, len(left))


def _take_back(view: View, *, verdict: Verdict, unlocked: frozenset[DocPath]) -> tuple[ChangeSet, Verdict]:
    from memgui.ops.review_undo import take_back

    return take_back(view.workspace, verdict, origin=Origin.you(), unlocked=unlocked)
