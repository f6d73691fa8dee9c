"""Verdicts on many changes at once: each holds for what was listed, and what changed since is left alone. Lane: writes.

The lock is let go now and then, so that agents can write meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from memgui.domain.changes import Change, ChangeSet
from memgui.domain.errors import MemguiError
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import Moved, PendingChange, Verdict, VerdictKind
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.review import Progress, resolved
from memgui.ops.review_steps import accepted, check_person, deciding, note, rejected
from memgui.ops.review_verdicts import held
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock

_AT_ONCE = 20

Left = tuple[PendingChange, ...]
"""The changes that were not decided: no longer as they were listed, locked, or not come to."""


def accept_all(
    ws: Workspace,
    changes: Iterable[PendingChange],
    *,
    origin: Origin,
    now: float | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] = never,
) -> tuple[Verdict | None, Left]:
    """Accept these as one verdict, which undoes them all; None where none was."""
    moves: list[Moved] = []
    parts: list[Verdict] = []

    def one(change: PendingChange, chronicle: Chronicle) -> None:
        if change.held:
            parts.append(held(ws, change, None, True, origin=origin, now=now, unlocked=frozenset())[1])
            return
        found, where = resolved(ws, change)
        moves.extend(accepted(ws, found, where, None, chronicle=chronicle).moves)

    left = _each(ws, changes, one, origin, progress, stop)
    return _verdict(ws, VerdictKind.ACCEPT, moves, parts, origin, now), left


def reject_all(
    ws: Workspace,
    changes: Iterable[PendingChange],
    *,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
    progress: Progress | None = None,
    stop: Callable[[], bool] = never,
) -> tuple[ChangeSet, Verdict | None, Left]:
    """Reject these as one verdict, which undoes them all; None where none was. So deleted documents come back."""
    moves: list[Moved] = []
    parts: list[Verdict] = []
    done: list[Change] = []

    def one(change: PendingChange, _chronicle: Chronicle) -> None:
        if change.held:
            parts.append(held(ws, change, None, False, origin=origin, now=now, unlocked=unlocked)[1])
            return
        found, where = resolved(ws, change)
        written, verdict = rejected(ws, found, where, None, origin=origin, now=now, unlocked=unlocked)
        done.extend(written.changes)
        moves.extend(verdict.moves)

    left = _each(ws, changes, one, origin, progress, stop)
    changed = ChangeSet(tuple(sorted(done, key=lambda change: change.path)))
    return changed, _verdict(ws, VerdictKind.REJECT, moves, parts, origin, now), left


def _each(
    ws: Workspace,
    changes: Iterable[PendingChange],
    one: Callable[[PendingChange, Chronicle], None],
    origin: Origin,
    progress: Progress | None,
    stop: Callable[[], bool],
) -> Left:
    check_person(origin)
    wanted: Sequence[PendingChange] = tuple(changes)
    left: list[PendingChange] = []
    for first in range(0, len(wanted), _AT_ONCE):
        if stop():
            return (*left, *wanted[first:])
        some = wanted[first : first + _AT_ONCE]
        chronicle = Chronicle(ws)
        with deciding(ws, origin), chronicle.held():
            chronicle.recover()
            for change in some:
                try:
                    one(change, chronicle)
                except MemguiError:
                    left.append(change)
        if progress is not None:
            progress(first + len(some), len(wanted))
    return tuple(left)


def _verdict(
    ws: Workspace, kind: VerdictKind, moves: list[Moved], parts: list[Verdict], origin: Origin, now: float | None
) -> Verdict | None:
    if not moves:
        return None if not parts else Verdict(kind, parts[0].path, parts=tuple(parts))
    verdict = Verdict(kind, moves[0].path, tuple(moves))
    with suppress(MemguiError), workspace_lock(ws.state):
        note(ws, verdict, origin, now)
    return replace(verdict, parts=tuple(parts))
