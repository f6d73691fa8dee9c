"""Review: what was written and not accepted by a person, shown in pieces. Lane: reads.

Whoever takes a change takes it as it was listed (a `PendingChange`), or by its id alone, which costs a look at the
whole workspace. Verdicts are `review_verdicts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import replace

from memgui.domain import hunks, shapes
from memgui.domain.documents import Fingerprint
from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError
from memgui.domain.paths import DocPath, shown
from memgui.domain.review import ChangeShape, Hunk, PendingChange, ShownChange, StaleChange
from memgui.domain.shapes import Measured
from memgui.domain.text import HUGE_BYTES
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import review_held, sync
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.ops.review_found import Found, at, bytes_of, found, one, settle_own
from memgui.ops.review_writers import writers
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock
from memgui.storage.seen import Seen

Progress = Callable[[int, int], object]
"""Told how many are done, of how many."""


def pending(
    ws: Workspace,
    snapshot: Snapshot | None = None,
    *,
    known: Iterable[PendingChange] = (),
    progress: Progress | None = None,
    stop: Callable[[], bool] = never,
) -> tuple[PendingChange, ...]:
    """What no person has accepted: alarms first, then the newest first. Where it was told to stop, what it has by then.

    `snapshot`: a look at the disk, else it looks itself. `known`: an earlier answer, of which what is still so is taken
    over, and not read again.
    """
    earlier = {change.path: change for change in known if not change.held}
    snapshot = sync.look(ws, stop=stop) if snapshot is None else snapshot
    differing = found(ws, snapshot, known=earlier, stop=stop)
    looked_at = Seen(ws.state).all()
    changes = list(review_held.held(ws))
    with ExitStack() as stack:
        chronicle = _chronicle(ws, stack) if differing else None
        for number, each in enumerate(differing):
            if stop():
                break
            before = earlier.get(each.path)
            if before is None or before.id != each.id:
                before = _told(ws, each, chronicle)
            if before is not None:
                is_seen = each.path in looked_at and looked_at[each.path] == each.disk
                changes.append(_with(before, seen=is_seen))
            if progress is not None:
                progress(number + 1, len(differing))
    return tuple(sorted(changes, key=lambda change: (not change.alarm, -change.since, change.path)))


def show(ws: Workspace, change: PendingChange | str) -> ShownChange:
    """The text of a change and its hunks. StaleChange (a Conflict) where it is no longer the change that was listed."""
    if is_held(change):
        told, asked, there, wanted = review_held.of(ws, change if isinstance(change, str) else change.id)
        note = "" if shapes.has_lines(there or b"", wanted) else _not_text()
        return _shown(told, there, wanted, note, review_held.note(asked, there))
    change, where = resolved(ws, change)
    before, after, note = texts(ws, where)
    return _shown(change, before, after, note, "")


def is_held(change: PendingChange | str) -> bool:
    """Whether it is a change that waits beside the disk."""
    return change.startswith(review_held.PREFIX) if isinstance(change, str) else change.held


def _shown(change: PendingChange, before: bytes | None, after: bytes | None, note: str, more: str) -> ShownChange:
    old, new = hunks.pieces(before or b""), hunks.pieces(after or b"")
    if note or not (old or new):
        whole = Hunk(f"{change.id}.1", 1, 0, 0, (), (), _one(before), _one(after), whole=True)
        return ShownChange(change, (whole,) if note or before != after else (), note=note)
    note = more or _encoding_note(before, after)
    return ShownChange(change, hunks.hunks(change.id, old, new), hunks.shown(old), hunks.shown(new), note)


def mark_seen(ws: Workspace, path: DocPath, disk: Fingerprint | None) -> None:
    """A person looked at these bytes of a document. That accepts nothing. Lane: writes."""
    with suppress(OSError, MemguiError), workspace_lock(ws.state):
        Seen(ws.state).put(path, disk)


def mark_unseen(ws: Workspace, path: DocPath) -> None:
    """As if nobody had looked. Lane: writes."""
    with suppress(OSError, MemguiError), workspace_lock(ws.state):
        Seen(ws.state).drop(path)


def mark_all(ws: Workspace, changes: Iterable[PendingChange], *, seen: bool) -> None:
    """A person looked at all of these, or takes that back. Lane: writes."""
    with suppress(OSError, MemguiError), workspace_lock(ws.state):
        if seen:
            Seen(ws.state).put_all({change.path: change.disk for change in changes})
        else:
            Seen(ws.state).drop_all([change.path for change in changes])


def resolved(ws: Workspace, change: PendingChange | str) -> tuple[PendingChange, Found]:
    """A change as it is now, and where it stands. InvalidParameters for what is no id, StaleChange for an old one."""
    if isinstance(change, PendingChange):
        return change, one(ws, change)
    if not change or len(change) > 80 or not change.replace("-", "").isalnum():
        raise InvalidParameters(
            _("'{id}' is not the id of a change.").format(id=shown(change[:80])), hint=_("memgui review lists them.")
        )
    for each in found(ws, sync.look(ws)):
        if each.id == change:
            with ExitStack() as stack:
                told = _told(ws, each, _chronicle(ws, stack))
            if told is not None:
                return told, each
    raise StaleChange(change)


def change_at(ws: Workspace, path: DocPath, *, source: DocPath | None = None) -> PendingChange | None:
    """What pends at one path now, without a look at the whole workspace. `source`: where the baseline is, if moved."""
    where = at(ws, path, source or path)
    if where is None:
        return None
    with ExitStack() as stack:
        return _told(ws, where, _chronicle(ws, stack))


def texts(ws: Workspace, where: Found) -> tuple[bytes | None, bytes | None, str]:
    """The accepted bytes and those on disk, and why they are not shown by lines, or nothing."""
    after = bytes_of(ws, where)
    try:
        before = None if where.entry.hash is None else copies(ws).get(where.entry.hash)
    except MemguiError:
        return None, after, _("What was accepted last can no longer be read; the document is accepted as a whole.")
    if not shapes.has_lines(before or b"", after or b""):
        return before, after, _not_text()
    if max(len(before or b""), len(after or b"")) > HUGE_BYTES:
        return before, after, _("It is too large to be shown by lines. It is accepted or rejected as a whole.")
    return before, after, ""


def _told(ws: Workspace, where: Found, chronicle: Chronicle | None) -> PendingChange | None:
    """A difference as a change; None where it turns out to be the person's alone, or cannot be read any more."""
    try:
        before, after, _note = texts(ws, where)
    except MemguiError:
        return None
    if before is None and where.entry.hash is not None:
        # Its copy is lost; that something happened is not.
        measured = Measured(ChangeShape.DELETE if after is None else ChangeShape.EDIT)
    else:
        measured = shapes.measured(before, after, renamed=where.source != where.path)
    by = writers(ws, where, chronicle)
    if by.yours:
        settle_own(ws, where, by.yours)
    if by.yours or not by.labels:
        return None
    node = Node(where.path, NodeKind.FILE, where.stat)
    protected = ws.protects(where.path, node) or ws.protects(where.source)
    store = ws.store_of(where.path)
    return PendingChange(
        where.id,
        where.path,
        measured.kind,
        shapes.alarms(store, where.path, where.source, measured, before, after, protected=protected),
        by.labels,
        by.since,
        by.changed,
        measured.added,
        measured.removed,
        where.source if where.source != where.path else None,
        where.entry.hash,
        where.disk,
        where.stat,
    )


def _chronicle(ws: Workspace, stack: ExitStack) -> Chronicle | None:
    """The chronicle, its database held open; None where it cannot be used."""
    chronicle = Chronicle(ws)
    try:
        stack.enter_context(chronicle.held())
    except (OSError, ExecutionFailed):
        return None
    return chronicle


def _with(change: PendingChange, *, seen: bool) -> PendingChange:
    if change.seen == seen:
        return change
    return replace(change, seen=seen)


def _one(data: bytes | None) -> tuple[bytes, ...]:
    return () if data is None else (data,)


def _not_text() -> str:
    return _("It is not text. It is accepted or rejected as a whole.")


def _encoding_note(before: bytes | None, after: bytes | None) -> str:
    for data in (before, after):
        try:
            (data or b"").decode()
        except UnicodeDecodeError:
            return _("Some bytes are no UTF-8; U+FFFD stands for them here. They are kept as they are.")
    return ""
