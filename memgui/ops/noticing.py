"""Noticing: bytes that were read become a version of their document."""

from __future__ import annotations

import time
from contextlib import suppress

from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, MemguiError, NotFound
from memgui.domain.paths import DocPath
from memgui.domain.tree import Stat
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.locks import workspace_lock

PATIENCE_SECONDS = 2.0
"""How long one who asks for versions waits for those who write."""

_LITTLE_PATIENCE_SECONDS = 0.2


def notice(ws: Workspace, path: DocPath, data: bytes, stat: Stat | None, *, now: float | None = None) -> None:
    """A tool or a page read these bytes: they are a version from now on. Nobody waits for it, and none fails by it."""
    moment = time.time() if now is None else now
    with suppress(OSError, MemguiError):
        chronicle = Chronicle(ws)
        real = files.real_path(ws.root, path)
        with chronicle.held():
            known = chronicle.known.at(real)
            print_ = fingerprint(data)
            if known is not None and known.is_as(stat) and known.hash == print_:
                newest = chronicle.history.newest(known.id)
                if newest is not None and newest.hash == print_:
                    return
            look(ws, chronicle, real, now=moment, patience=_LITTLE_PATIENCE_SECONDS)


def look(ws: Workspace, chronicle: Chronicle, path: DocPath, *, now: float, patience: float) -> None:
    """Note what stands at a real path; where the lock or the disk is not to be had, what is known already has to do."""
    with suppress(OSError, ExecutionFailed), workspace_lock(ws.state, timeout=patience):
        chronicle.recover()
        see_disk(ws, chronicle, path, now=now)


def see_disk(ws: Workspace, chronicle: Chronicle, path: DocPath, *, now: float) -> None:
    """Read what stands at a real path, or that nothing does, and note it. The lock is held.

    Read here, under the lock: bytes that were read before it may be older than the newest version by now.
    """
    data: bytes | None = None
    stat: Stat | None = None
    with suppress(NotFound):
        data, node = files.read(ws.root, path)
        stat = node.stat
    chronicle.see(path, data, stat, now=now)
