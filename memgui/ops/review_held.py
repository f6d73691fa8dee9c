"""Held changes in review: what an agent asked for and is not on disk. Accepting writes it, rejecting lets it go."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from memgui.domain import hunks, shapes
from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, InvalidParameters, MemguiError
from memgui.domain.held import Held
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import ChangeShape, Hunk, Moved, PendingChange, StaleChange, Verdict, VerdictKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, ratifying, together
from memgui.ops.recovery import copies
from memgui.ops.review_found import disk
from memgui.storage.held import HeldChanges

PREFIX = "held-"
"""How the ids of held changes begin."""

Answer = tuple[ChangeSet, Verdict]


def held(ws: Workspace) -> tuple[PendingChange, ...]:
    """The held changes as changes: from what is on disk to what was asked for. One that cannot be read is left out."""
    found = []
    for one in HeldChanges(ws.state).all():
        try:
            found.append(_told(ws, one, disk(ws, one.path)[0]))
        except MemguiError:
            continue
    return tuple(found)


def of(ws: Workspace, id_: str) -> tuple[PendingChange, Held, bytes | None, bytes]:
    """A held change, what is on disk in its place, and what it would make of that. StaleChange where it is decided."""
    one = HeldChanges(ws.state).get(id_)
    if one is None:
        raise StaleChange(id_)
    before = disk(ws, one.path)[0]
    return _told(ws, one, before), one, before, _after(one, before)


def note(one: Held, before: bytes | None) -> str:
    """What is to be said of a held change that is shown."""
    try:
        one.over(before)
    except Conflict:
        return _("The document was written since this was asked for, at the same place. It can only be rejected.")
    return ""


def accept(
    ws: Workspace,
    change: PendingChange,
    chosen: Sequence[Hunk] | None,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> Answer:
    """Let a held change come true, whole or in part; what is left of it waits on. The lock is held."""
    _change, one, before, after = of(ws, change.id)
    if chosen is not None and ws.holds_facts(one.path):
        _check_whole(change, chosen)
        chosen = None
    data = after if chosen is None else b"".join(hunks.taken(hunks.pieces(before or b""), chosen))
    if chosen is None or data == after:
        deed = ratifying.accept_held(ws, one.id, origin=origin, now=_moment(now))
        moves = tuple(Moved(step.path, None, (_kept(ws, step.before), _kept(ws, step.after))) for step in deed.steps)
        return deed.changes, Verdict(VerdictKind.ACCEPT, one.path, moves, held=one)
    one.over(before)
    base = None if before is None else fingerprint(before)
    changes = documents.write(ws, one.path, data, expected=base, origin=origin, now=now, unlocked=unlocked)
    left = Held.of(one.path, fingerprint(data), after, one.origin, one.time, before=data)
    _replace(ws, one, left)
    moved = Moved(one.path, None, (_kept(ws, before), _kept(ws, data)))
    return changes, Verdict(VerdictKind.ACCEPT, one.path, (moved,), held=one)


def reject(ws: Workspace, change: PendingChange, chosen: Sequence[Hunk] | None) -> Answer:
    """Let a held change go, whole or in part. The disk stays as it is. The lock is held."""
    _change, one, before, after = of(ws, change.id)
    left = None
    if chosen is not None and ws.holds_facts(one.path):
        _check_whole(change, chosen)
    elif chosen is not None:
        data = b"".join(hunks.taken_out(hunks.pieces(after), chosen))
        base = None if before is None else fingerprint(before)
        if data != (before or b""):
            left = Held.of(one.path, base, data, one.origin, one.time, before=before)
    _replace(ws, one, left)
    return ChangeSet(), Verdict(VerdictKind.REJECT, one.path, held=one)


def take_back(
    ws: Workspace, verdict: Verdict, one: Held, *, origin: Origin, now: float | None, unlocked: frozenset[DocPath]
) -> ChangeSet:
    """Undo a verdict on a held change: it waits again, and what it wrote is gone. The lock is held."""
    steps = tuple(
        together.Step(move.path, _bytes(ws, move.disk[0]), _bytes(ws, move.disk[1]))
        for move in verdict.moves
        if move.disk is not None
    )
    changes = ChangeSet()
    if steps and ws.holds_facts(one.path):
        changes = ratifying.take_back(ws, together.Deed(steps), origin=origin, now=_moment(now)).changes
    elif steps:
        changes = together.take_back(ws, together.Deed(steps), origin=origin, now=now, unlocked=unlocked).changes
    records = HeldChanges(ws.state)
    for other in records.all():
        # What was left of it is a part of it again.
        if (other.path, other.origin, other.time) == (one.path, one.origin, one.time):
            records.drop(other.id)
    records.put(one)
    return changes


def _after(one: Held, before: bytes | None) -> bytes:
    """What the change makes of what is on disk; what was asked for, where the two do not go together."""
    try:
        return one.over(before)
    except Conflict:
        return one.data


def _told(ws: Workspace, one: Held, before: bytes | None) -> PendingChange:
    after = _after(one, before)
    measured = shapes.measured(before, after)
    kind = measured.kind if before != after else ChangeShape.EDIT
    reasons = shapes.alarms(ws.store_of(one.path), one.path, one.path, measured, before, after, protected=False)
    return PendingChange(
        one.id,
        one.path,
        kind,
        reasons,
        (one.origin.label,),
        one.time,
        one.time,
        measured.added,
        measured.removed,
        None,
        None if before is None else fingerprint(before),
        fingerprint(after),
        held=True,
    )


def _check_whole(change: PendingChange, chosen: Sequence[Hunk] | None) -> None:
    if chosen is not None and sum(len(one.before) + len(one.after) for one in chosen) != change.added + change.removed:
        raise InvalidParameters(
            _("A held change of a fact is decided as a whole."), hint=_("Leave the number of the hunk out.")
        )


def _replace(ws: Workspace, old: Held, new: Held | None) -> None:
    records = HeldChanges(ws.state)
    if new is not None:
        # The new one first: whoever is killed in between leaves it waiting twice rather than not at all.
        records.put(new)
    records.drop(old.id)


def _kept(ws: Workspace, data: bytes | None) -> Fingerprint | None:
    return None if data is None else copies(ws).put(data)


def _bytes(ws: Workspace, print_: Fingerprint | None) -> bytes | None:
    return None if print_ is None else copies(ws).get(print_)


def _moment(now: float | None) -> datetime:
    return datetime.fromtimestamp(time.time() if now is None else now, UTC)
