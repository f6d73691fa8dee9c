"""One program of windows per user: a later start tells the first what to open. It waits two seconds at most."""

from __future__ import annotations

import os
from pathlib import Path

from memgui.config.places import Places
from memgui.storage.instance import Door, Entered, Wish
from memgui.storage.instance import enter as _enter

__all__ = ["Door", "Entered", "Wish", "enter"]


def enter(target: Path | None, line: int | None, *, places: Places | None = None) -> Entered:
    """Tell the program that runs already to open a target; or be the first, and keep the door."""
    path = None if target is None else os.path.abspath(target)
    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
    return _enter((places or Places.find()).runtime, Wish(path, line, token))
