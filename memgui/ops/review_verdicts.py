"""Verdicts: what a person decides of a change, by hunk, by document or of many, and how that is undone. Lane: writes.

Accepting moves the baseline and never touches the disk; rejecting writes, and never moves the baseline. Both hold for
the bytes that were shown: where others stand there, nothing is done.
"""

from __future__ import annotations

from memgui.domain import hunks
from memgui.domain.changes import ChangeSet
from memgui.domain.errors import ExecutionFailed, ProtectedDocument
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath, shown
from memgui.domain.review import ChangeShape, Hunk, Moved, PendingChange, Verdict, VerdictKind
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import review_held
from memgui.ops.review import is_held, resolved, show
from memgui.ops.review_found import bytes_of
from memgui.ops.review_steps import (
    Chosen,
    accepted,
    accepted_bytes,
    chosen_of,
    deciding,
    hash_of,
    named,
    note,
    rejected,
    settle,
    written,
)


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
    with deciding(ws, origin):
        if is_held(change):
            return held(ws, change, hunk, True, origin=origin, now=now, unlocked=unlocked or frozenset())[1]
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
    with deciding(ws, origin):
        if is_held(change):
            return held(ws, change, hunk, False, origin=origin, now=now, unlocked=unlocked)
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
    with deciding(ws, origin):
        _check_on_disk(change)
        change, where = resolved(ws, change)
        if change.kind is ChangeShape.DELETE:
            data: bytes | None = accepted_bytes(ws, where)
        else:
            shown_change = show(ws, change)
            chosen = chosen_of(shown_change.hunks, hunk, change)
            if any(one.whole for one in chosen) or not any(one.lost for one in chosen):
                raise ExecutionFailed(_("No line of '{path}' was lost there.").format(path=shown(change.path)))
            data = b"".join(hunks.put_back(hunks.pieces(bytes_of(ws, where) or b""), chosen))
        changes = written(ws, where, data, origin=origin, now=now, unlocked=unlocked)
        moved = Moved(change.path, None, (where.disk, hash_of(data)))
        verdict = Verdict(VerdictKind.PUT_BACK, change.path, (moved,), named(change, hunk))
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
    with deciding(ws, origin):
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
        kept = b"".join(hunks.ended(hunks.taken(hunks.pieces(accepted_bytes(ws, where) or b""), [mine])))
        moved = Moved(change.path, settle(ws, change.source, where.entry, kept), (where.disk, hash_of(data)))
        verdict = Verdict(VerdictKind.EDIT, change.path, (moved,), one.id)
        note(ws, verdict, origin, now)
    return changes, verdict


def held(
    ws: Workspace,
    change: PendingChange | str,
    hunk: Chosen,
    is_accepted: bool,
    *,
    origin: Origin,
    now: float | None,
    unlocked: frozenset[DocPath],
) -> tuple[ChangeSet, Verdict]:
    """Accept or reject a change that waits beside the disk. The lock is held."""
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


def _check_on_disk(change: PendingChange | str) -> None:
    if is_held(change):
        raise ExecutionFailed(
            _("The change is held, and not on disk yet."), hint=_("Accept or reject it; then edit the document.")
        )


def _check_unlocked(ws: Workspace, change: PendingChange, unlocked: frozenset[DocPath]) -> None:
    for path in {change.path, change.source}:
        if ws.protects(path) and path not in unlocked:
            raise ProtectedDocument(path, hint=_("Decide it in memgui's window, or at a terminal."))
