"""A verdict taken back: what was accepted pends again, what was rejected stands there again. Lane: writes."""

from __future__ import annotations

import time
from dataclasses import dataclass

from memgui.domain import hunks
from memgui.domain.changes import Change, ChangeSet
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.pieces import merge_pieces, pieces
from memgui.domain.review import Accepted, Moved, Verdict, VerdictKind
from memgui.domain.shapes import has_lines
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, review_held
from memgui.ops.recovery import copies
from memgui.ops.review_found import disk
from memgui.ops.review_steps import deciding, note
from memgui.storage.baselines import Baseline, Baselines, unsure


@dataclass(frozen=True, slots=True)
class _Step:
    """What taking one move back comes to: bytes for the disk, or the baseline, in the place of what is there."""

    path: DocPath
    accepted: tuple[Accepted, Accepted] | None
    disk: tuple[Fingerprint | None, bytes | None] | None


def take_back(
    ws: Workspace,
    verdict: Verdict,
    *,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> tuple[ChangeSet, Verdict]:
    """Undo a verdict, and nothing that was written or decided since: Conflict where that cannot be told apart.

    The verdict in the answer takes this back in turn.
    """
    with deciding(ws, origin):
        if verdict.held is not None:
            changes = review_held.take_back(ws, verdict, verdict.held, origin=origin, now=now, unlocked=unlocked)
            undone = Verdict(VerdictKind.UNDO, verdict.path)
            note(ws, undone, origin, now)
            return changes, undone
        # All of it is made out before the first byte is written.
        steps = [_step(ws, move) for move in reversed(verdict.moves)]
        for step in steps:
            if step.disk is not None:
                documents.guard(ws, step.path, origin, unlocked)
        done: list[Change] = []
        moves: list[Moved] = []
        for part in reversed(verdict.parts):
            done += take_back(ws, part, origin=origin, now=now, unlocked=unlocked)[0].changes
        for step in steps:
            written: tuple[Fingerprint | None, Fingerprint | None] | None = None
            if step.disk is not None:
                done += _written(ws, step.path, *step.disk, origin=origin, now=now, unlocked=unlocked).changes
                data = step.disk[1]
                written = step.disk[0], None if data is None else fingerprint(data)
            moves.append(Moved(step.path, step.accepted, written))
        when = time.time()
        back = [(step.path, step.accepted[1]) for step in steps if step.accepted is not None]
        baselines = Baselines(ws.state)
        states = {path: unsure((baselines.at(path) or Baseline(None)).state) for path, _new in back}
        baselines.put([(path, Baseline(new.hash, states[path], new.settled, when)) for path, new in back], durable=True)
        undone = Verdict(VerdictKind.UNDO, verdict.path, tuple(moves), verdict.hunk)
        if steps:
            note(ws, undone, origin, now)
    return ChangeSet(tuple(sorted(done, key=lambda change: change.path))), undone


def _step(ws: Workspace, move: Moved) -> _Step:
    accepted = None
    if move.accepted is not None:
        before, after = move.accepted
        entry = Baselines(ws.state).at(move.path) or Baseline(None)
        found = _bytes(ws, entry.hash)
        data = _without(move.path, found, _bytes(ws, after.hash), _bytes(ws, before.hash))
        print_ = None if data is None else copies(ws).put(data, like=entry.hash)
        settled = before.settled if entry.settled == after.settled else min(before.settled, entry.settled)
        accepted = Accepted(entry.hash, entry.settled), Accepted(print_, settled)
    if move.disk is None or move.disk[0] == move.disk[1]:
        # Nothing was written: what stands there need not be kept anywhere.
        return _Step(move.path, accepted, None)
    now, _stat = disk(ws, move.path)
    data = _without(move.path, now, _bytes(ws, move.disk[1]), _bytes(ws, move.disk[0]))
    return _Step(move.path, accepted, (None if now is None else fingerprint(now), data))


def _without(path: DocPath, now: bytes | None, after: bytes | None, before: bytes | None) -> bytes | None:
    """What is there now, without the step that turned `before` into `after`. Conflict where something lies over it."""
    if now == after:
        return before
    if now == before:
        return now
    if now is None or after is None or before is None or not has_lines(now, after, before):
        raise _conflict(path, now, after)
    merged = merge_pieces(pieces(after), pieces(now), pieces(before))
    if merged.overlaps:
        raise _conflict(path, now, after)
    return b"".join(hunks.ended(merged.lines))


def _conflict(path: DocPath, now: bytes | None, after: bytes | None) -> Conflict:
    return Conflict(
        path,
        expected=None if after is None else fingerprint(after),
        found=None if now is None else fingerprint(now),
        hint=_("It was written or decided since, at the same place. What was there before is in its history."),
    )


def _bytes(ws: Workspace, print_: Fingerprint | None) -> bytes | None:
    return None if print_ is None else copies(ws).get(print_)


def _written(
    ws: Workspace,
    path: DocPath,
    expected: Fingerprint | None,
    data: bytes | None,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> ChangeSet:
    if data is None:
        if expected is None:
            return ChangeSet()
        return documents.remove(ws, path, expected=expected, origin=origin, now=now, unlocked=unlocked, settles=False)
    return documents.write(ws, path, data, expected=expected, origin=origin, now=now, unlocked=unlocked, settles=False)
