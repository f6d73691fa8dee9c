"""From the start of a process to a tree that can be used, beside a bare window's first paint."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

from tests.bench.measure import Row, percentile, spread, tell

_BARE = """
import sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class First(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            print("painted", flush=True)
            window.removeEventFilter(self)
            QTimer.singleShot(0, app.quit)
        return False

app = QApplication(sys.argv)
window = QMainWindow()
window.resize(1200, 800)
first = First()
window.installEventFilter(first)
window.show()
app.exec()
"""

_MEMGUI = """
import sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QTreeView
from memgui.gui.app import open_workspace

class First(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and window.property("ready") and tree.model().rowCount():
            print("painted", flush=True)
            tree.viewport().removeEventFilter(self)
            QTimer.singleShot(0, window.close)
        return False

app = QApplication(sys.argv)
window = open_workspace(sys.argv[1])
tree = window.findChild(QTreeView, "workspaceTree")
first = First()
tree.viewport().installEventFilter(first)
app.exec()
"""

_RUNS = 9


def _once(code: str, *arguments: str) -> float:
    begun = perf_counter()
    with subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        taken = (perf_counter() - begun) * 1000
        process.stdout.read()
    if line != "painted\n" or process.returncode:
        raise SystemExit(f"a window ended with {process.returncode} and said {line!r}")
    return taken


def measure(root: Path) -> None:
    """Warm: each is started once before it counts; then turn by turn."""
    bare, memgui = [], []
    _once(_BARE)
    _once(_MEMGUI, str(root))
    for _ in range(_RUNS):
        bare.append(_once(_BARE))
        memgui.append(_once(_MEMGUI, str(root)))
    reference = percentile(bare, 0.5)
    ratio = percentile(memgui, 0.5) / reference
    tell([Row("tree usable after start", ratio, "x", 3.0, f"bare window {reference:.0f} ms", spread(memgui) + " ms")])


if __name__ == "__main__":
    measure(Path(sys.argv[1]))
