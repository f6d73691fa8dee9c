"""By which command this memgui is started again, for whoever connects an agent to it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from memgui.domain.connecting import Setup, setups

__all__ = ["Setup", "own_command", "setups_here"]


def own_command() -> tuple[str, ...]:
    """The words that start this memgui from anywhere: its script where there is one, else this interpreter."""
    script = Path(sys.executable).with_name("memgui.exe" if os.name == "nt" else "memgui")
    if script.is_file() and os.access(script, os.X_OK):
        return (str(script),)
    return (sys.executable, "-P", "-m", "memgui")


def setups_here(workspace: Path | None = None) -> tuple[Setup, ...]:
    """What to paste for an agent that is to use this memgui on a workspace."""
    return setups(own_command(), None if workspace is None else str(workspace))
