"""Verdicts: what a person decides of a change, by hunk, by document or of many, and how that is undone. Lane: writes.

Accepting moves the baseline and never touches the disk; rejecting writes, and never moves the baseline. Both hold for
the bytes that were shown: where others stand there, nothing is done.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from memgui.domain import hunks
from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotAuthorized, ProtectedDocument
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath, shown
from memgui.domain.review import (
    Accepted,
    ChangeShape,
    Hunk,
    Moved,
    PendingChange,
    StaleChange,
    Verdict,
    VerdictKind,
)
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, review_held
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.ops.review import is_held, resolved, show
from memgui.ops.review_found import Found, bytes_of, disk
from memgui.storage.baselines import Baseline, Baselines, state_of
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.locks import workspace_lock

Chosen = int | Hunk | Sequence[Hunk] | None
"""Which hunks: one by its number, some as they were shown, None: the whole change."""


def accept(
    ws: Workspace,
    change: PendingChange | str,
    *,
    hunk: Chosen = None,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] | None = None,
) -> Verdict:
    """Count what was shown as accepted. The disk stays as it is.

    StaleChange where the change is not what it was. `unlocked`: given by who asks outside the window, where protected
    documents are only decided on by one who shows that they are a person; the window has shown that.
    """
    check_person(origin)
    with workspace_lock(ws.state):
        if is_held(change):
            return _held(ws, change, hunk, True, origin=origin, now=now, unlocked=unlocked or frozenset())[1]
        change, where = resolved(ws, change)
        if unlocked is not None:
            _check_unlocked(ws, change, unlocked)
        verdict = accepted(ws, change, where, hunk)
        note(ws, verdict, origin, now)
    return verdict


def reject(
    ws: Workspace,
    change: PendingChange | str,
    *,
    hunk: Chosen = None,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> tuple[ChangeSet, Verdict]:
    """Take what was shown out of the document again: an ordinary write of the person, compared and swapped.

    StaleChange where the change is not what it was, ProtectedDocument where the document is locked.
    """
    check_person(origin)
    with workspace_lock(ws.state):
        if is_held(change):
            return _held(ws, change, hunk, False, origin=origin, now=now, unlocked=unlocked)
        change, where = resolved(ws, change)
        if origin.kind is OriginKind.SHELL:
            _check_unlocked(ws, change, unlocked)
        done = rejected(ws, change, where, hunk, origin=origin, now=now, unlocked=unlocked)
        note(ws, done[1], origin, now)
    return done


def put_back(
    ws: Workspace,
    change: PendingChange | str,
    *,
    hunk: Chosen = None,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> tuple[ChangeSet, Verdict]:
    """Put the lines that were lost back into their places, and keep the new ones, which pend on.

    Lines that only moved are not lost. ExecutionFailed where none was.
    """
    check_person(origin)
    with workspace_lock(ws.state):
        _check_on_disk(change)
        change, where = resolved(ws, change)
        if change.kind is ChangeShape.DELETE:
            data: bytes | None = _accepted_bytes(ws, where)
        else:
            shown_change = show(ws, change)
            chosen = chosen_of(shown_change.hunks, hunk, change)
            if any(one.whole for one in chosen) or not any(one.lost for one in chosen):
                raise ExecutionFailed(_("No line of '{path}' was lost there.").format(path=shown(change.path)))
            data = b"".join(hunks.put_back(hunks.pieces(bytes_of(ws, where) or b""), chosen))
        changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
        moved = Moved(change.path, None, (where.disk, _hash(data)))
        verdict = Verdict(VerdictKind.PUT_BACK, change.path, (moved,), _named(change, hunk))
        note(ws, verdict, origin, now)
    return changes, verdict


def edit(
    ws: Workspace,
    change: PendingChange | str,
    hunk: int | Hunk,
    text: str,
    *,
    origin: Origin,
    now: float | None = None,
    unlocked: frozenset[DocPath] = frozenset(),
) -> tuple[ChangeSet, Verdict]:
    """Put the person's own text in the place of what a hunk brought, and count that place as accepted."""
    check_person(origin)
    with workspace_lock(ws.state):
        _check_on_disk(change)
        change, where = resolved(ws, change)
        (one,) = chosen_of(show(ws, change).hunks, hunk, change)
        if one.whole or where.disk is None:
            raise ExecutionFailed(
                _("'{path}' is not edited here.").format(path=shown(change.path)), hint=_("Open it in a page.")
            )
        mine = hunks.with_text(one, text)
        lines = list(hunks.pieces(bytes_of(ws, where) or b""))
        lines[one.new_start : one.new_start + len(one.after)] = mine.after
        data = b"".join(hunks.ended(lines))
        changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
        kept = b"".join(hunks.ended(hunks.taken(hunks.pieces(_accepted_bytes(ws, where) or b""), [mine])))
        moved = Moved(change.path, _settle(ws, change.source, where.entry, kept), (where.disk, _hash(data)))
        verdict = Verdict(VerdictKind.EDIT, change.path, (moved,), one.id)
        note(ws, verdict, origin, now)
    return changes, verdict


def _held(
    ws: Workspace,
    change: PendingChange | str,
    hunk: Chosen,
    is_accepted: bool,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> tuple[ChangeSet, Verdict]:
    shown_change = show(ws, change)
    told = shown_change.change
    chosen = None if hunk is None else chosen_of(shown_change.hunks, hunk, told)
    if chosen is not None and any(one.whole for one in chosen):
        chosen = None
    if is_accepted:
        done = review_held.accept(ws, told, chosen, origin=origin, now=now, unlocked=unlocked)
    else:
        done = review_held.reject(ws, told, chosen)
    note(ws, done[1], origin, now)
    return done


# The parts of them --------------------------------------------------------------------------------------------------


def accepted(ws: Workspace, change: PendingChange, where: Found, hunk: Chosen, *, durable: bool = True) -> Verdict:
    """Accept a change that is known to be as it was shown. The lock is held."""
    if hunk is not None:
        chosen = chosen_of(show(ws, change).hunks, hunk, change)
        if not any(one.whole for one in chosen) and where.disk is not None:
            kept = b"".join(hunks.taken(hunks.pieces(_accepted_bytes(ws, where) or b""), chosen))
            if _hash(kept) != where.disk:
                moved = Moved(change.source, _settle(ws, change.source, where.entry, kept))
                return Verdict(VerdictKind.ACCEPT, change.path, (moved,), _named(change, hunk))
    return Verdict(VerdictKind.ACCEPT, change.path, _accept_all_of(ws, where, durable=durable), _named(change, hunk))


def _accept_all_of(ws: Workspace, where: Found, *, durable: bool) -> tuple[Moved, ...]:
    now = time.time()
    data = bytes_of(ws, where)
    if data is not None:
        copies(ws).put(data, like=where.entry.hash, durable=durable)
    settled = newest_version(ws, where, now)
    entries = [(where.path, Baseline(where.disk, state_of(where.stat, now), settled, now))]
    moves = [Moved(where.path, (Accepted(None), Accepted(where.disk, settled)))]
    if where.source != where.path:
        entries.append((where.source, Baseline(None, None, settled, now)))
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
    data = before = _accepted_bytes(ws, where)
    if hunk is not None:
        chosen = chosen_of(show(ws, change).hunks, hunk, change)
        if not any(one.whole for one in chosen) and where.disk is not None:
            left = b"".join(hunks.ended(hunks.taken_out(hunks.pieces(bytes_of(ws, where) or b""), chosen)))
            data = None if before is None and not left else left
            if change.renamed_from is not None:
                changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
                return changes, _rejected(change, hunk, Moved(change.path, None, (where.disk, _hash(data))))
    if change.renamed_from is not None:
        return _moved_back(ws, change, where, before or b"", hunk, origin=origin, now=now, unlocked=unlocked)
    changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
    settled = _all_is_settled(ws, where) if _hash(data) == where.entry.hash else None
    return changes, _rejected(change, hunk, Moved(change.path, settled, (where.disk, _hash(data))))


def _all_is_settled(ws: Workspace, where: Found) -> tuple[Accepted, Accepted] | None:
    """Nothing is pending there any more: whoever wrote up to here is accounted for."""
    now = time.time()
    with suppress(OSError, MemguiError):
        data, stat = disk(ws, where.path)
        if _hash(data) == where.entry.hash:
            number = newest_version(ws, Found(where.path, where.path, where.entry, _hash(data), stat, data), now)
            new = Baseline(where.entry.hash, state_of(stat, now), number, now)
            Baselines(ws.state).put([(where.path, new)])
            return _as_accepted(where.entry), _as_accepted(new)
    return None


def _rejected(change: PendingChange, hunk: Chosen, *moves: Moved) -> Verdict:
    return Verdict(VerdictKind.REJECT, change.path, moves, _named(change, hunk))


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
    moves = Moved(where.source, None, (None, _hash(before))), Moved(where.path, None, (where.disk, None))
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
    with suppress(OSError, MemguiError):
        chronicle = Chronicle(ws)
        with chronicle.held():
            chronicle.recover()
            if where.disk is not None or chronicle.known.at(where.path) is not None:
                version = chronicle.see(where.path, bytes_of(ws, where), where.stat, now=now)
                if version is not None:
                    return version.number
    return where.entry.settled


def _settle(ws: Workspace, source: DocPath, entry: Baseline, kept: bytes) -> tuple[Accepted, Accepted]:
    """Note these bytes as accepted; who wrote what is still pending stays open. The lock is held."""
    print_ = copies(ws).put(kept, like=entry.hash)
    new = Baseline(print_, None, entry.settled, time.time())
    Baselines(ws.state).put([(source, new)], durable=True)
    return _as_accepted(entry), _as_accepted(new)


def _as_accepted(entry: Baseline) -> Accepted:
    return Accepted(entry.hash, entry.settled)


def _accepted_bytes(ws: Workspace, where: Found) -> bytes | None:
    return None if where.entry.hash is None else copies(ws).get(where.entry.hash)


def _hash(data: bytes | None) -> Fingerprint | None:
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


def _named(change: PendingChange, hunk: Chosen) -> str | None:
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


def check_person(origin: Origin) -> None:
    """NotAuthorized for anybody else."""
    if not origin.is_person:
        raise NotAuthorized(_("only a person accepts and rejects changes"))


def _check_on_disk(change: PendingChange | str) -> None:
    if is_held(change):
        raise ExecutionFailed(
            _("The change is held, and not on disk yet."), hint=_("Accept or reject it; then edit the document.")
        )


def _check_unlocked(ws: Workspace, change: PendingChange, unlocked: frozenset[DocPath]) -> None:
    for path in {change.path, change.source}:
        if ws.protects(path) and path not in unlocked:
            raise ProtectedDocument(path, hint=_("Decide it in memgui's window, or at a terminal."))
