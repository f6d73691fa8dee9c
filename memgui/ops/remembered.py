"""What memgui remembers about its own windows between two starts. Lane of `remember`: any but the window's thread."""

from __future__ import annotations

from typing import Any

from memgui.config.places import Places
from memgui.domain.workspace import Workspace
from memgui.storage import remembered as _remembered

WINDOW = "window"
_SITTING = "sitting"


def recall(name: str, *, places: Places | None = None) -> dict[str, Any]:
    """The values last remembered under this name; nothing where there are none that can be read."""
    return _remembered.read((places or Places.find()).state, name)


def remember(name: str, values: dict[str, Any], *, places: Places | None = None) -> None:
    """Keep the values for the next start."""
    _remembered.put((places or Places.find()).state, name, values)


def recall_sitting(ws: Workspace) -> dict[str, Any]:
    """What was open in the window of this workspace; nothing where there is nothing that can be read."""
    return _remembered.read(ws.state, _SITTING)


def remember_sitting(ws: Workspace, values: dict[str, Any]) -> None:
    """Keep what is open in the window of this workspace, in memgui's own folder for it."""
    _remembered.put(ws.state, _SITTING, values)
