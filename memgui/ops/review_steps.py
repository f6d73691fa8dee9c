"""What verdicts are made of: accepting and rejecting what is known to be as it was shown. The lock is held."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from memgui.domain import hunks
from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import InvalidParameters, MemguiError, NotAuthorized, WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import Accepted, Hunk, Moved, PendingChange, StaleChange, Verdict, VerdictKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.ops.review import show
from memgui.ops.review_found import Found, bytes_of, disk
from memgui.storage.baselines import Baseline, Baselines, state_of, unsure
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

Chosen = int | Hunk | Sequence[Hunk] | None
"""Which hunks: one by its number, some as they were shown, None: the whole change."""


def accepted(
    ws: Workspace, change: PendingChange, where: Found, hunk: Chosen, *, chronicle: Chronicle | None = None
) -> Verdict:
    """Accept a change that is known to be as it was shown. The lock is held.

    `chronicle`: one that is held open for many; then nobody waits until each of them is on the disk.
    """
    if hunk is not None:
        chosen = chosen_of(show(ws, change).hunks, hunk, change)
        if not any(one.whole for one in chosen) and where.disk is not None:
            kept = b"".join(hunks.taken(hunks.pieces(accepted_bytes(ws, where) or b""), chosen))
            if hash_of(kept) != where.disk:
                moved = Moved(change.source, settle(ws, change.source, where.entry, kept))
                return Verdict(VerdictKind.ACCEPT, change.path, (moved,), named(change, hunk))
    return Verdict(VerdictKind.ACCEPT, change.path, _accept_all_of(ws, where, chronicle), named(change, hunk))


def _accept_all_of(ws: Workspace, where: Found, chronicle: Chronicle | None) -> tuple[Moved, ...]:
    now, durable = time.time(), chronicle is None
    data = bytes_of(ws, where)
    if data is not None:
        copies(ws).put(data, like=where.entry.hash, durable=durable)
    settled = newest_version(ws, where, now) if chronicle is None else _last_known_version(where, chronicle)
    entries = [(where.path, Baseline(where.disk, state_of(where.stat, now), settled, now))]
    moves = [Moved(where.path, (Accepted(None), Accepted(where.disk, settled)))]
    if where.source != where.path:
        entries.append((where.source, Baseline(None, unsure(where.entry.state), settled, now)))
        moves.append(Moved(where.source, (_as_accepted(where.entry), Accepted(None, settled))))
    else:
        moves = [Moved(where.path, (_as_accepted(where.entry), Accepted(where.disk, settled)))]
    Baselines(ws.state).put(entries, durable=durable)
    return tuple(moves)


def rejected(
    ws: Workspace,
    change: PendingChange,
    where: Found,
    hunk: Chosen,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> tuple[ChangeSet, Verdict]:
    """Reject a change that is known to be as it was shown. The lock is held."""
    data = before = accepted_bytes(ws, where)
    if hunk is not None:
        chosen = chosen_of(show(ws, change).hunks, hunk, change)
        if not any(one.whole for one in chosen) and where.disk is not None:
            left = b"".join(hunks.ended(hunks.taken_out(hunks.pieces(bytes_of(ws, where) or b""), chosen)))
            data = None if before is None and not left else left
            if change.renamed_from is not None:
                changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
                return changes, _rejected(change, hunk, Moved(change.path, None, (where.disk, hash_of(data))))
    if change.renamed_from is not None:
        return _moved_back(ws, change, where, before or b"", hunk, origin=origin, now=now, unlocked=unlocked)
    changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
    settled = _all_is_settled(ws, where) if hash_of(data) == where.entry.hash else None
    return changes, _rejected(change, hunk, Moved(change.path, settled, (where.disk, hash_of(data))))


def _all_is_settled(ws: Workspace, where: Found) -> tuple[Accepted, Accepted] | None:
    """Nothing is pending there any more: whoever wrote up to here is accounted for."""
    now = time.time()
    with suppress(OSError, MemguiError):
        data, stat = disk(ws, where.path)
        if hash_of(data) == where.entry.hash:
            number = newest_version(ws, Found(where.path, where.path, where.entry, hash_of(data), stat, data), now)
            new = Baseline(where.entry.hash, state_of(stat, now), number, now)
            Baselines(ws.state).put([(where.path, new)])
            return _as_accepted(where.entry), _as_accepted(new)
    return None


def _rejected(change: PendingChange, hunk: Chosen, *moves: Moved) -> Verdict:
    return Verdict(VerdictKind.REJECT, change.path, moves, named(change, hunk))


def _moved_back(
    ws: Workspace,
    change: PendingChange,
    where: Found,
    before: bytes,
    hunk: Chosen,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> tuple[ChangeSet, Verdict]:
    """The document stands under its old name again, with the bytes that were accepted there."""
    for path in (where.source, where.path):
        documents.guard(ws, path, origin, unlocked)
    old = Found(where.source, where.source, where.entry, None)
    changes = written(ws, old, before, origin=origin, now=now, unlocked=unlocked)
    more = written(ws, where, None, origin=origin, now=now, unlocked=unlocked)
    moves = Moved(where.source, None, (None, hash_of(before))), Moved(where.path, None, (where.disk, None))
    return ChangeSet((*changes.changes, *more.changes)), _rejected(change, hunk, *moves)


def written(
    ws: Workspace,
    where: Found,
    data: bytes | None,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> ChangeSet:
    """Put these bytes (None: nothing) in the place of those found on disk. The baseline stays where it is."""
    if data is None:
        if where.disk is None:
            return ChangeSet()
        return documents.remove(
            ws, where.path, expected=where.disk, origin=origin, now=now, unlocked=unlocked, settles=False
        )
    return documents.write(
        ws, where.path, data, expected=where.disk, origin=origin, now=now, unlocked=unlocked, settles=False
    )


def newest_version(ws: Workspace, where: Found, now: float) -> int:
    """The number of the version that stands on disk, which is noted where it was not yet. The lock is held."""
    chronicle = Chronicle(ws)
    with suppress(OSError, MemguiError), chronicle.held():
        chronicle.recover()
        if where.disk is not None or chronicle.known.at(where.path) is not None:
            version = chronicle.see(where.path, bytes_of(ws, where), where.stat, now=now)
            if version is not None:
                return version.number
    return where.entry.settled


def _last_known_version(where: Found, chronicle: Chronicle) -> int:
    """The number of the newest version that was seen; should it be older, the next is known by its bytes."""
    with suppress(OSError, MemguiError):
        known = chronicle.known.at(where.path)
        newest = chronicle.history.newest(known.id) if known is not None else None
        if newest is not None:
            return newest.number
    return where.entry.settled


def settle(ws: Workspace, source: DocPath, entry: Baseline, kept: bytes) -> tuple[Accepted, Accepted]:
    """Note these bytes as accepted; who wrote what is still pending stays open. The lock is held."""
    print_ = copies(ws).put(kept, like=entry.hash)
    new = Baseline(print_, unsure(entry.state), entry.settled, time.time())
    Baselines(ws.state).put([(source, new)], durable=True)
    return _as_accepted(entry), _as_accepted(new)


def _as_accepted(entry: Baseline) -> Accepted:
    return Accepted(entry.hash, entry.settled)


def accepted_bytes(ws: Workspace, where: Found) -> bytes | None:
    """The bytes last accepted. NotFound or ReadFailed where their copy is lost."""
    return None if where.entry.hash is None else copies(ws).get(where.entry.hash)


def hash_of(data: bytes | None) -> Fingerprint | None:
    """The hash of bytes that may not be there."""
    return None if data is None else fingerprint(data)


def chosen_of(found: Sequence[Hunk], hunk: Chosen, change: PendingChange) -> tuple[Hunk, ...]:
    """The hunks that are meant, each with what was shown of it. StaleChange where one is not there."""
    if hunk is None:
        return tuple(found)
    if isinstance(hunk, int):
        if not 1 <= hunk <= len(found):
            raise InvalidParameters(
                _("The change {id} has no hunk {number}.").format(id=change.id, number=hunk),
                hint=_("They count from 1 to {last}.").format(last=len(found)),
            )
        return (found[hunk - 1],)
    wanted = (hunk,) if isinstance(hunk, Hunk) else tuple(hunk)
    chosen = tuple(hunks.again(one, found) for one in wanted)
    if any(one is None for one in chosen):
        raise StaleChange(change.id, change.path)
    return tuple(one for one in chosen if one is not None)


def named(change: PendingChange, hunk: Chosen) -> str | None:
    """The id of the hunk that is meant, the first of several; None where all are."""
    if hunk is None:
        return None
    if isinstance(hunk, int):
        return f"{change.id}.{hunk}"
    return hunk.id if isinstance(hunk, Hunk) else next((one.id for one in hunk), None)


def note(ws: Workspace, verdict: Verdict, origin: Origin, now: float | None) -> None:
    """Note what was done, for the list of what happened. That it cannot be noted keeps nobody from doing it."""
    moment = time.time() if now is None else now
    detail = "" if verdict.hunk is None else verdict.hunk.rpartition(".")[2]
    with suppress(OSError, MemguiError):
        Deeds(ws.state).note(*(Deed(moment, verdict.kind.value, path, origin, detail) for path in verdict.paths))


@contextmanager
def deciding(ws: Workspace, origin: Origin) -> Iterator[None]:
    """A person's turn, under the lock. NotAuthorized for anybody else; WriteFailed where nothing can be kept."""
    check_person(origin)
    with workspace_lock(ws.state):
        try:
            yield
        except OSError as error:
            raise WriteFailed(
                _("What was decided could not be kept: {reason}.").format(reason=reason_of(error)),
                errno=error.errno,
                hint=_("Make room on the disk of memgui's state folder, and see what is still listed."),
            ) from error


def check_person(origin: Origin) -> None:
    """NotAuthorized for anybody else."""
    if not origin.is_person:
        raise NotAuthorized(_("only a person accepts and rejects changes"))
