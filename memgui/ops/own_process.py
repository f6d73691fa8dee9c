"""Another process of this same program, wherever it was begun from; nothing of the current folder is imported there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import memgui


def begin(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Run one of memgui's modules; it is told what to do on its input, and answers on its output."""
    package = str(Path(memgui.__file__).parent.parent)
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": package, "PYTHONSAFEPATH": "1"},
    )
