"""Settling: a person's text and what others wrote to the same document have become one. Lane: writes."""

from __future__ import annotations

import time

from memgui.domain.documents import fingerprint
from memgui.domain.errors import WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops.chronicle import Chronicle
from memgui.ops.noticing import see_disk
from memgui.storage import files
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of


def settled(
    ws: Workspace, path: DocPath, how: str, *, mine: bytes | None, origin: Origin, now: float | None = None
) -> None:
    """Note `how` it was settled, in a few words. `mine`, which stood only on a page, becomes a version.

    It comes to stand between what is on the disk and that again: the newest version is the document as it is.
    """
    moment = time.time() if now is None else now
    try:
        with workspace_lock(ws.state):
            if mine is not None:
                _leave_behind(ws, path, mine, origin, moment)
            Deeds(ws.state).note(Deed(moment, "merge", path, origin, how))
    except OSError as error:
        message = _("What was merged could not be noted: {reason}.").format(reason=reason_of(error))
        raise WriteFailed(message, errno=error.errno) from error


def _leave_behind(ws: Workspace, path: DocPath, mine: bytes, origin: Origin, now: float) -> None:
    chronicle, real = Chronicle(ws), files.real_path(ws.root, path)
    with chronicle.held():
        chronicle.recover()
        see_disk(ws, chronicle, real, now=now)
        known = chronicle.known.at(real)
        newest = chronicle.history.newest(known.id) if known is not None else None
        if newest is None or newest.hash is None or newest.hash == fingerprint(mine):
            return
        there = chronicle.history.bytes_of(newest.hash)
        chronicle.see(real, mine, None, now=now, origin=origin, row=newest.row)
        chronicle.see(real, there, None, now=now, origin=newest.origin, row=newest.row)
