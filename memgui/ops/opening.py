"""What stood there when a workspace was first opened counts as accepted; a person may want to review it after all."""

from __future__ import annotations

from dataclasses import replace

from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.storage.baselines import Baseline, Baselines
from memgui.storage.deeds import Deeds
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
