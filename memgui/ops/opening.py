"""What stood there when a workspace was first opened counts as accepted; a person may want to review it after all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from memgui.domain.errors import MemguiError
from memgui.domain.invisible import places
from memgui.domain.paths import DocPath, is_document
from memgui.domain.text import HUGE_BYTES
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import check
from memgui.storage import files
from memgui.storage.baselines import Baseline, Baselines
from memgui.storage.deeds import Deeds
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock

Taken = tuple[tuple[DocPath, Baseline], ...]
"""What was taken back of a first opening."""


def to_be_reviewed(ws: Workspace) -> Taken:
    """Let all that the first opening took in pend, but for what a person decided on since. Lane: writes."""
    with workspace_lock(ws.state):
        baselines = Baselines(ws.state)
        entries, opening = baselines.all()
        began = opening.began or 0.0
        decided = {deed.path for deed in Deeds(ws.state).all() if deed.time >= began}
        taken = tuple(
            (path, entry) for path, entry in entries.items() if entry.hash is not None and path not in decided
        )
        baselines.put((path, Baseline(None, None, 0, entry.time)) for path, entry in taken)
        baselines.note(replace(opening, seen=False))
    return taken


def already_seen(ws: Workspace, taken: Taken) -> None:
    """Let it count as accepted again, but for what a person decided on meanwhile. Lane: writes."""
    with workspace_lock(ws.state):
        baselines = Baselines(ws.state)
        entries, opening = baselines.all()
        back = [(path, entry) for path, entry in taken if path in entries and entries[path].hash is None]
        baselines.put(back)
        baselines.note(replace(opening, seen=True))


# Whatever was chosen ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Overview:
    """What a first look over a workspace found: so many findings of `check`, and documents that hide characters."""

    findings: int = 0
    hiding: tuple[DocPath, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.findings or self.hiding)


def look_over(ws: Workspace, snapshot: Snapshot, *, stop: Callable[[], bool] = never) -> Overview:
    """Look for what was wrong before anybody looked. Lane: reads."""
    hiding = []
    for path, node in snapshot.nodes.items():
        if stop():
            break
        if node.kind is NodeKind.FILE and is_document(path) and _hides(ws, path):
            hiding.append(path)
    return Overview(0 if stop() else len(check.check(ws, stop=stop)), tuple(hiding))


def _hides(ws: Workspace, path: DocPath) -> bool:
    with suppress(MemguiError, OSError, UnicodeDecodeError):
        data, _node = files.read(ws.root, path)
        if len(data) <= HUGE_BYTES:
            text = data.decode("utf-8-sig")
            return any(places(line.rstrip("\r")) for line in text.split("\n"))
    return False
