"""Recovery: copies of bytes that a write could have lost, and text that was typed and never saved."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown
from memgui.domain.requests import Unsaved
from memgui.domain.text import Encoding
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.storage.crash import NO_DESK, CrashJournal, leave_desk, take_desk
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.kept import KeptCopies
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

__all__ = ["claim_unsaved", "copies", "drop_unsaved", "journal_unsaved", "kept", "leave_desk", "take_desk", "unsaved"]


def copies(ws: Workspace) -> KeptCopies:
    """The workspace's kept copies."""
    return KeptCopies(ws.state / "kept")


def kept(ws: Workspace, data: bytes) -> Fingerprint:
    """Keep a copy of these bytes."""
    try:
        return copies(ws).put(data)
    except OSError as error:
        raise _not_kept(_("A copy could not be kept: {reason}.").format(reason=reason_of(error)), error) from error


def journal_unsaved(
    ws: Workspace,
    path: DocPath,
    base: bytes | None,
    data: bytes,
    *,
    caret: int = 0,
    now: float | None = None,
    encoding: Encoding | None = None,
    beside: bytes | None = None,
    desk: str = NO_DESK,
    spare: Path | None = None,
) -> Unsaved:
    """Keep text that is not saved yet, with the bytes it was typed over (None: there was no file)."""
    unsaved = Unsaved(
        path,
        base=None if base is None else fingerprint(base),
        data=data,
        time=time.time() if now is None else now,
        caret=caret,
        base_data=base,
        encoding=encoding,
        beside=beside,
    )
    try:
        _journal(ws, desk, spare).put(unsaved)
    except OSError as error:
        message = _("The unsaved text of '{path}' could not be put in safety: {reason}.")
        raise _not_kept(message.format(path=shown(path), reason=reason_of(error)), error) from error
    return unsaved


def drop_unsaved(
    ws: Workspace, path: DocPath, *, desk: str = NO_DESK, saved: bytes | None = None, spare: Path | None = None
) -> None:
    """Forget a desk's unsaved text of a document: it was given up, or `saved` as these bytes. Newer text stays."""
    try:
        _journal(ws, desk, spare).drop(path, saved=saved)
    except OSError as error:
        message = _("The crash journal could not forget the text of '{path}': {reason}.")
        raise _not_kept(message.format(path=shown(path), reason=reason_of(error)), error) from error


def claim_unsaved(ws: Workspace, desk: str, *, spare: Path | None = None) -> tuple[Unsaved, ...]:
    """What nobody is left to save becomes this desk's, the newest text of each document; older ones become copies."""
    found = _journal(ws, desk, spare).claim(copies(ws).put)
    if found:
        deeds = [Deed(time.time(), "recover", one.path, Origin.you()) for one in found]
        # That it cannot be listed keeps nobody's text from coming back.
        with suppress(OSError, ExecutionFailed), workspace_lock(ws.state):
            Deeds(ws.state).note(*deeds)
    return found


def unsaved(ws: Workspace) -> tuple[Unsaved, ...]:
    """What a memgui that ended early left unsaved, the oldest first. Where nothing was kept, nothing."""
    return _journal(ws, NO_DESK).all()


def _journal(ws: Workspace, desk: str, spare: Path | None = None) -> CrashJournal:
    """`spare` is a folder for when the state folder takes nothing; each workspace has one of its own in there."""
    return CrashJournal(ws.state / "unsaved", desk, spare=None if spare is None else spare / ws.id)


def _not_kept(message: str, error: OSError) -> WriteFailed:
    return WriteFailed(
        message,
        errno=error.errno,
        hint=_("Make room on the disk of memgui's state folder, or save the document now."),
    )
