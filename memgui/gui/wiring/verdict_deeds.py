"""What verdicts do, as jobs for the lane that writes: values in, a value out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import Hunk, Owed, PendingChange, StaleChange, Verdict, VerdictKind
from memgui.domain.workspace import Workspace
from memgui.gui.disk import View
from memgui.gui.panels.review.wishes import Wish, WishForAll

Decision = Wish | WishForAll | Verdict
"""What is to be done: a verdict, one over many changes, or one that is taken back."""


@dataclass(slots=True)
class Turn:
    """The decision that is in the lane. `done` is set there, for whoever comes after it in the same lane."""

    what: Decision
    done: bool = False


def owed_by(decisions: Iterable[Decision]) -> tuple[Owed, ...]:
    """What has to be told of these where they are never done."""
    return tuple(dict.fromkeys(one for what in decisions for one in _owed(what)))


def _owed(what: Decision) -> list[Owed]:
    if isinstance(what, Verdict):
        return [Owed(VerdictKind.UNDO, path) for path in what.paths]
    changes = what.changes if isinstance(what, WishForAll) else (what.change,)
    return [Owed(what.kind, change.path) for change in changes]


def hand_in(
    view: View,
    *,
    turn: Turn | None,
    decisions: tuple[Decision, ...],
    unlocked: frozenset[DocPath],
    owe: Callable[[tuple[Owed, ...]], None],
) -> tuple[ChangeSet, None]:
    """Do all that is left before the window ends, each for itself; then tell what was not done, `turn` included."""
    left = [] if turn is None or turn.done else list(owed_by([turn.what]))
    for what in decisions:
        try:
            if isinstance(what, Verdict):
                take_back(view, verdict=what, unlocked=unlocked)
            elif isinstance(what, WishForAll):
                _changes, (_verdict, undone) = decide_all(view, wish=what, unlocked=unlocked)
                left += [Owed(what.kind, change.path) for change in undone]
            else:
                decide(view, wish=what, unlocked=unlocked)
        except MemguiError:
            left += owed_by([what])
    owe(tuple(left))
    return ChangeSet(), None


def decide(view: View, *, wish: Wish, unlocked: frozenset[DocPath]) -> tuple[ChangeSet, Verdict]:
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


def decide_all(
    view: View, *, wish: WishForAll, unlocked: frozenset[DocPath]
) -> tuple[ChangeSet, tuple[Verdict | None, tuple[PendingChange, ...]]]:
    """The same over many changes; those that were not decided are told."""
    from memgui.ops import review_many as many

    you = Origin.you()
    if wish.kind is VerdictKind.ACCEPT:
        verdict, left = many.accept_all(view.workspace, wish.changes, origin=you)
        return ChangeSet(), (verdict, left)
    changes, verdict, left = many.reject_all(view.workspace, wish.changes, origin=you, unlocked=unlocked)
    return changes, (verdict, left)


def take_back(view: View, *, verdict: Verdict, unlocked: frozenset[DocPath]) -> tuple[ChangeSet, Verdict]:
    """Undo a verdict."""
    from memgui.ops import review_undo

    return review_undo.take_back(view.workspace, verdict, origin=Origin.you(), unlocked=unlocked)
