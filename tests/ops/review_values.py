"""What the tests of review share: a workspace that was opened, and what others and the person do in it."""

from __future__ import annotations

import os
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.review import PendingChange
from memgui.domain.workspace import Workspace
from memgui.ops import baselines, documents, review, sync, workspace

SCRIBE, YOU, SHELL = Origin.agent("scribe"), Origin.you(), Origin.shell()
MEMORY = DocPath("MEMORY.md")
LONG_AGO = 1.7e9


def opened(root: Path, files: dict[str, bytes]) -> Workspace:
    """A workspace with these files, all of them accepted."""
    root.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        put(root, name, data)
        os.utime(root / name, (LONG_AGO, LONG_AGO))
    ws = workspace.open(root, remember=False)
    assert baselines.begin(ws, sync.look(ws))
    return ws


def put(root: Path, name: str, data: bytes) -> None:
    """As a program outside does."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(data)


def now_there(ws: Workspace, path: str = MEMORY) -> bytes | None:
    """What stands on disk."""
    file = ws.root / path
    return file.read_bytes() if file.exists() else None


def write(ws: Workspace, data: bytes, path: str = MEMORY, *, origin: Origin = YOU) -> None:
    """As the person does in the window, or an agent by its tools."""
    before = now_there(ws, path)
    expected: Fingerprint | None = None if before is None else fingerprint(before)
    documents.write(ws, DocPath(path), data, expected=expected, origin=origin)


def only(ws: Workspace) -> PendingChange:
    """The one change that is pending."""
    (change,) = review.pending(ws)
    return change
