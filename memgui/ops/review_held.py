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


def of(ws: Workspace, id_: str) -> tuple[PendingChange, Held, bytes | None]:
    """A held change, and what is on disk in its place. StaleChange where it is decided."""
    one = HeldChanges(ws.state).get(id_)
    if one is None:
        raise StaleChange(id_)
    before = disk(ws, one.path)[0]
    return _told(ws, one, before), one, before


def note(one: Held, before: bytes | None) -> str:
    """What is to be said of a held change that is shown."""
    if one.base == (None if before is None else fingerprint(before)):
        return ""
    return _("The document was written since this was asked for; it can only be rejected, or asked for anew.")


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
    _change, one, before = of(ws, change.id)
    if one.base != (None if before is None else fingerprint(before)):
        raise Conflict(
            one.path,
            expected=one.base,
            found=None if before is None else fingerprint(before),
            hint=_("It can only be rejected, or asked for anew."),
        )
    if ws.holds_facts(one.path):
        _check_whole(change, chosen)
        deed = ratifying.accept_held(ws, one.id, origin=origin, now=_moment(now))
        moves = tuple(Moved(step.path, None, (_kept(ws, step.before), _kept(ws, step.after))) for step in deed.steps)
        return deed.changes, Verdict(VerdictKind.ACCEPT, one.path, moves, held=one)
    data = one.data
    if chosen is not None:
        data = b"".join(hunks.ended(hunks.taken(hunks.pieces(before or b""), chosen)))
    changes = documents.write(ws, one.path, data, expected=one.base, origin=origin, now=now, unlocked=unlocked)
    _replace(ws, one, Held.of(one.path, fingerprint(data), one.data, one.origin, one.time), is_done=data == one.data)
    moved = Moved(one.path, None, (_kept(ws, before), _kept(ws, data)))
    return changes, Verdict(VerdictKind.ACCEPT, one.path, (moved,), held=one)


def reject(ws: Workspace, change: PendingChange, chosen: Sequence[Hunk] | None) -> Answer:
    """Let a held change go, whole or in part. The disk stays as it is. The lock is held."""
    _change, one, before = of(ws, change.id)
    left = before or b""
    if chosen is not None:
        if ws.holds_facts(one.path):
            _check_whole(change, chosen)
        else:
            left = b"".join(hunks.ended(hunks.taken_out(hunks.pieces(one.data), chosen)))
    _replace(ws, one, Held.of(one.path, one.base, left, one.origin, one.time), is_done=left == (before or b""))
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


def _told(ws: Workspace, one: Held, before: bytes | None) -> PendingChange:
    measured = shapes.measured(before, one.data)
    kind = measured.kind if before != one.data else ChangeShape.EDIT
    reasons = shapes.alarms(ws.store_of(one.path), one.path, one.path, measured, before, one.data, protected=False)
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
        fingerprint(one.data),
        held=True,
    )


def _check_whole(change: PendingChange, chosen: Sequence[Hunk] | None) -> None:
    if chosen is not None and sum(len(one.before) + len(one.after) for one in chosen) != change.added + change.removed:
        raise InvalidParameters(
            _("A held change of a fact is decided as a whole."), hint=_("Leave the number of the hunk out.")
        )


def _replace(ws: Workspace, old: Held, new: Held, *, is_done: bool) -> None:
    records = HeldChanges(ws.state)
    records.drop(old.id)
    if not is_done:
        records.put(new)


def _kept(ws: Workspace, data: bytes | None) -> Fingerprint | None:
    return None if data is None else copies(ws).put(data)


def _bytes(ws: Workspace, print_: Fingerprint | None) -> bytes | None:
    return None if print_ is None else copies(ws).get(print_)


def _moment(now: float | None) -> datetime:
    return datetime.fromtimestamp(time.time() if now is None else now, UTC)
