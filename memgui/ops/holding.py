"""Changes that wait for a person: kept beside the document, and made true or let go. Lane: writes."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, NotAuthorized, NotFound, WriteFailed
from memgui.domain.held import Held
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import together
from memgui.ops.together import Deed, Step
from memgui.storage import deeds as noted
from memgui.storage import files
from memgui.storage.deeds import Deeds
from memgui.storage.held import HeldChanges
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

MOST_HELD, MOST_HELD_BYTES = 500, 100_000_000
"""So many changes wait at the most: nobody looks through more."""


def hold(
    ws: Workspace, path: DocPath, before: bytes | None, data: bytes, *, origin: Origin, now: float, joint: int = 0
) -> Held:
    """Keep a change for a person to decide: each by itself, also several of one document. The lock is held."""
    base = None if before is None else fingerprint(before)
    held = Held.of(path, base, data, origin, now, before=before, joint=joint)
    records = HeldChanges(ws.state)
    is_new = records.get(held.id) is None
    count, taken = records.room
    if count >= MOST_HELD or taken > MOST_HELD_BYTES:
        raise ExecutionFailed(
            _("{count} changes wait for a person already; nothing was written").format(count=count),
            hint=_("They have to be decided first. Tell the person."),
        )
    try:
        records.put(held)
    except OSError as error:
        raise WriteFailed(
            _("The change could not be kept for a person to decide: {reason}. Nothing was written.").format(
                reason=reason_of(error)
            ),
            errno=error.errno,
            hint=_("Make room on the disk of memgui's state folder."),
        ) from error
    if is_new:
        with suppress(OSError):
            Deeds(ws.state).note(noted.Deed(now, "hold", path, origin))
    return held


def waiting(ws: Workspace) -> tuple[Held, ...]:
    """The changes that wait for a person, the oldest first."""
    return HeldChanges(ws.state).all()


def one_waiting(ws: Workspace, id_: str) -> Held:
    """The held change with this id. NotFound where there is none."""
    change = HeldChanges(ws.state).get(id_)
    if change is None:
        raise NotFound(_("There is no held change '{id}'.").format(id=shown(id_[:80])))
    return change


def accept(ws: Workspace, id_: str, *, origin: Origin, now: datetime) -> Deed:
    """Let a held change of a document come true, merged into what stands there by now. Only a person may.

    Conflict where the two do not go together; nothing is touched then, and the change goes on waiting.
    """
    check_person(origin)
    with workspace_lock(ws.state):
        change = one_waiting(ws, id_)
        disk = _bytes_now(ws, change.path)
        step = Step(change.path, disk, change.over(disk))
        deed = together.do(ws, [step], origin=origin, now=now.timestamp())
        HeldChanges(ws.state).drop(id_)
        return deed


def reject(ws: Workspace, id_: str, *, origin: Origin) -> Held:
    """Let a held change go, and tell what it was. Only a person may."""
    check_person(origin)
    with workspace_lock(ws.state):
        change = one_waiting(ws, id_)
        HeldChanges(ws.state).drop(id_)
        return change


def check_person(origin: Origin) -> None:
    """NotAuthorized for whoever is no person."""
    if not origin.is_person:
        raise NotAuthorized(_("only a person ratifies, withdraws and decides"))


def _bytes_now(ws: Workspace, path: DocPath) -> bytes | None:
    try:
        return files.read(ws.root, path)[0]
    except NotFound:
        return None
