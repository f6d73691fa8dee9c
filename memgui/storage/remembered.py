"""Small values that memgui remembers about its windows from one start to the next: nothing of a workspace's text."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from memgui.storage import private

_MAX_BYTES = 1024 * 1024


def read(state: Path, name: str) -> dict[str, Any]:
    """What was put under this name; nothing where there is nothing, or nothing that can be used."""
    try:
        with open(state / f"{name}.json", "rb") as file:
            values = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def put(state: Path, name: str, values: dict[str, Any]) -> None:
    """Remember the values. A disk that does not take them costs them, and nothing else."""
    with contextlib.suppress(OSError):
        private.put(private.folder(state) / f"{name}.json", json.dumps(values).encode())
