"""Whether something was decided, seen or held elsewhere, told by a stamp of the state folder: it costs three stats."""

from __future__ import annotations

from memgui.domain.workspace import Workspace
from memgui.storage.baselines import FILE

Stamp = tuple[tuple[int, int], ...]

_NAMES = (FILE, "seen.jsonl", "held")


def stamp(ws: Workspace) -> Stamp:
    """Another one after each verdict, look or held change, be it by another process. Lane: reads."""
    found: list[tuple[int, int]] = []
    for name in _NAMES:
        try:
            stat = (ws.state / name).stat()
            found.append((stat.st_size, stat.st_mtime_ns))
        except OSError:
            found.append((0, 0))
    return tuple(found)
