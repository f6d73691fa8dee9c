"""Fifty thousand files: rows after a key, the exact search beside ripgrep, and how many files are open for that.

It takes minutes and is run where it is named: `python -m tests.bench large`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from memgui.ops import finding, workspace
from memgui.ops.sync import look
from tests.bench.measure import Row, tell
from tests.bench.search import exact_search, rows_after_a_key
from tests.bench.workspace import write

_FILES = 50_000
_OPEN = 64.0
"""A process may have 256 open files on some systems; a window has its own beside these."""


def open_files(root: Path) -> Row:
    """With every text known."""
    space = workspace.open(root)
    finder = finding.open(space)
    before = len(os.listdir("/proc/self/fd"))
    finder.refresh(look(space))
    held = len(os.listdir("/proc/self/fd")) - before
    files = finder.coverage.done
    finder.close()
    return Row("files that are open for a search", float(held), "", _OPEN, "", f"{files:,} files are known")


def _named(row: Row, goal: float) -> Row:
    return replace(row, what=f"{row.what} at {_FILES:,}", goal=goal)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as place:
        large = write(Path(place, "large"), _FILES)
        tell([open_files(large)])
        tell(_named(row, 0.25) for row in exact_search(large))
        tell(_named(row, 80.0) for row in rows_after_a_key(large))
