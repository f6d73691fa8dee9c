"""Files that an agent is given when it starts, read as the agent reads them: through links, wherever they lie."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024
"""No agent is given more of one file than this."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The bytes of such a file, and by what it is known to be the same file under another name."""

    data: bytes
    identity: tuple[int, int]


def read(path: Path) -> Standing | None:
    """The file; None where there is none, where it is no file, or where it cannot be read."""
    try:
        # Never waits for whoever might write into a pipe of this name.
        handle = os.open(os.fsencode(path), os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        with open(handle, "rb") as file:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                return None
            return Standing(file.read(MAX_BYTES), (info.st_dev, info.st_ino))
    except OSError:
        return None
