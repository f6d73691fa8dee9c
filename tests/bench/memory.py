"""What a window on ten thousand files takes with the processes that help it: at rest, and right after a search.

Counted is the proportional share of each process: what several of them have in common is shared out between them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QMainWindow

from tests.bench.measure import Row, application, opened, part, press, rest, settled, tell, until
from tests.bench.workspace import question

_MOST = 350.0
_SETTLES_SECONDS = 70.0
_ASKED = 5


def _share(process: int) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def taken() -> tuple[float, float]:
    """Megabytes of this process, and of those that it began, theirs included."""
    parents: dict[int, int] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with suppress(OSError):
                parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
    below, found = {os.getpid()}, 0.0
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    for process in below - {os.getpid()}:
        with suppress(OSError, StopIteration):
            found += _share(process)
    return _share(os.getpid()), found


def _row(what: str, most: float | None = _MOST) -> Row:
    window, others = taken()
    return Row(what, window + others, "MB", most, "", f"the window {window:.0f} MB, its helper {others:.0f} MB")


def _search(window: QMainWindow) -> None:
    field = part(window, QLineEdit, "searchField")
    results = part(window, QAbstractItemView, "searchResults")
    part(window, QAction, "view.search").trigger()
    until(field.isVisible, "the search panel")
    for number in range(_ASKED):
        field.clear()
        for letter in question(number):
            press(field, letter)
            rest(0.05)
        until(lambda: results.model().rowCount() > 0, "the results")
        # The words and the meaning join a moment later; nothing says that the last of them is there.
        rest(3.0)


def measure(root: Path) -> list[Row]:
    """Words and vectors are there already: what is measured is asking, not building."""
    # By another process: what that takes is not the window's.
    subprocess.run([sys.executable, "-m", "tests.bench.hybrid", str(root), "--prepare"], check=True)
    app = application()
    window = opened(root)
    settled(window)
    said = part(window, QLabel, "statusIndex")
    until(lambda: "all searchable" in said.text(), "the words", seconds=600)
    rest(10.0)
    rows = [_row("memory of a window that was just opened")]
    _search(window)
    rows.append(_row("memory right after a search", None))
    rest(_SETTLES_SECONDS)
    rows.append(_row("memory settled"))
    window.close()
    app.quit()
    return rows


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
