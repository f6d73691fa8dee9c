"""Does the window ever stand still? A probe timer through opening, typing, searching, saving and a storm of files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMainWindow, QWidget

from tests.bench.measure import (
    Probe,
    Row,
    application,
    open_document,
    opened,
    part,
    press,
    rest,
    settled,
    tell,
    until,
)
from tests.bench.workspace import write_large

_STORM = 5_000
_STORM_CODE = """
import sys
from pathlib import Path
root = Path(sys.argv[1])
for number in range(int(sys.argv[2])):
    path = root / f"storm/{number % 50}/{number}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Storm {number}\\n" + "A line of the storm.\\n" * 100)
"""


def _storm(root: Path) -> None:
    _wait_for(subprocess.Popen([sys.executable, "-c", _STORM_CODE, str(root), str(_STORM)]))


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    until(lambda: process.poll() is not None, "the other process", seconds=120)


def _watch(what: str, flow: Callable[[], object], *, reference: str = "") -> Row:
    with Probe().watching() as probe:
        flow()
        rest(0.3)
    return Row(f"longest stall: {what}", probe.worst, "ms", Probe.LIMIT, reference, probe.report)


def _bare(flow: Callable[[], object]) -> str:
    window = QWidget()
    window.show()
    with Probe().watching() as probe:
        flow()
    window.close()
    return f"bare window {probe.worst:.0f} ms"


def measure(root: Path) -> list[Row]:
    """Every flow in one window, one after the other."""
    app = application()
    quiet = _bare(lambda: rest(1.0))
    elsewhere = root.parent / "elsewhere"
    stormy = _bare(lambda: _storm(elsewhere))
    shutil.rmtree(elsewhere)
    write_large(root / "large.md")
    kept: list[QMainWindow] = []
    rows = [_watch("opening", lambda: kept.append(opened(root)), reference=quiet)]
    window = kept[0]
    rows.append(_watch("indexing", lambda: settled(window)))

    def browse() -> None:
        for number in range(12):
            open_document(window, f"memory/2026-11-{number + 10}.md")
            rest(0.05)

    rows.append(_watch("going through documents", browse))
    rows.append(_watch("opening 1 MB", lambda: open_document(window, "large.md")))

    def write() -> None:
        editor = open_document(window, "memory/2026-11-12.md")
        editor.setFocus()
        for letter in "The crane is repaired and berth seven is open again. " * 3:
            press(editor, letter)
            rest(0.01)
        part(window, QAction, "document.save").trigger()
        rest(0.5)

    rows.append(_watch("typing and saving", write))

    def search() -> None:
        part(window, QAction, "view.search").trigger()
        field = part(window, QLineEdit, "searchField")
        for query in ("trai", "POL-3", "storm", "e", "th"):
            field.clear()
            for letter in query:
                press(field, letter)
                rest(0.06)

    rows.append(_watch("searching", search))

    def filtering() -> None:
        field = part(window, QLineEdit, "treeFilter")
        for query in ("2026-1", "plans", "0"):
            for letter in query:
                press(field, letter)
                rest(0.06)
            field.clear()
            rest(0.1)

    rows.append(_watch("filtering the tree", filtering))

    def storm() -> None:
        _storm(root)
        settled(window)
        rest(2.0)

    def calm() -> None:
        _wait_for(subprocess.Popen(["rm", "-r", str(root / "storm")]))
        rest(2.0)

    rows.append(_watch(f"a storm of {_STORM:,} files", storm, reference=stormy))
    rows.append(_watch("the storm's files going", calm))
    rows.append(_watch("closing", window.close))
    (root / "large.md").unlink()
    app.quit()
    return rows


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
