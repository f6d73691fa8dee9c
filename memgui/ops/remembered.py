"""What memgui remembers about its own windows between two starts. Lane of `remember`: any but the window's thread."""

from __future__ import annotations

from typing import Any

from memgui.config.places import Places
from memgui.storage import remembered as _remembered

WINDOW = "window"


def recall(name: str, *, places: Places | None = None) -> dict[str, Any]:
    """The values last remembered under this name; nothing where there are none that can be read."""
    return _remembered.read((places or Places.find()).state, name)


def remember(name: str, values: dict[str, Any], *, places: Places | None = None) -> None:
    """Keep the values for the next start."""
    _remembered.put((places or Places.find()).state, name, values)
