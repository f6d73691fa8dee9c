"""Run by the tests as a program of its own: agents that write side by side."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memgui.domain.errors import RateLimited
from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.ops import writing
from memgui.ops.preferences import Settings

warnings.simplefilter("error")
FREE = Settings(limits_per_minute=0, limits_per_hour=0, limits_workspace_per_minute=0)
NOW = datetime(2026, 11, 30, 14, 3, 5, tzinfo=UTC)
LOG = "daily/2026-11-30.md"


def workspace(place: Path) -> Workspace:
    return Workspace(place / "workspace", "id", "name", place / "state", place / "cache")


def write(ws: Workspace, text: str, *, settings: Settings = FREE, target: str = "daily_log") -> None:
    writing.memory_write(ws, content=text, target=target, origin=Origin.agent("scribe"), now=NOW, settings=settings)


def append(place: Path, times: int) -> None:
    """Add so many entries, each of several lines, and say so."""
    ws = workspace(place)
    for number in range(times):
        write(ws, f"begin {os.getpid()} {number}\nend {os.getpid()} {number}")


def limited(place: Path, times: int) -> None:
    """Call so many times; print how many were let through."""
    ws, done = workspace(place), 0
    for _call in range(times):
        with suppress(RateLimited):
            write(ws, "x", settings=Settings())
            done += 1
    sys.stdout.write(f"{done}\n")


if __name__ == "__main__":
    {"append": append, "limited": limited}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
