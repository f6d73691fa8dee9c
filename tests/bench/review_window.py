"""The review in the window: 5,000 changed files, a difference of 2,000 lines on screen, verdicts, and no stall."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListView, QMainWindow, QPushButton, QWidget

from tests.bench.measure import (
    Paints,
    Probe,
    Row,
    application,
    opened,
    part,
    percentile,
    press,
    rest,
    settled,
    spread,
    tell,
    until,
)

_MANY = 5_000
_LINES = 2_000
_PATH = int(Qt.ItemDataRole.UserRole) + 1
_CHANGE_CODE = """
import sys
from pathlib import Path
for number in range(int(sys.argv[2])):
    (Path(sys.argv[1]) / f"{number}.md").write_text(f"# Note {number}\\n\\n- other {number}\\n")
"""


def _write(folder: Path) -> None:
    folder.mkdir()
    for number in range(_MANY):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n- a line\n")


def _change_elsewhere(folder: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", _CHANGE_CODE, str(folder), str(_MANY)])
    until(lambda: process.poll() is not None, "the other process", seconds=120)


class _Bench:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.window: QMainWindow = opened(root)
        settled(self.window)
        self.do("view.review")
        self.list = part(self.window, QListView, "reviewList")
        self.diff = part(self.window, QListView, "reviewDiff")
        panel = part(self.window, QWidget, "reviewPanel")
        until(lambda: panel.property("ready") is True, "what pends", seconds=300)

    def do(self, action: str) -> None:
        part(self.window, QAction, action).trigger()

    def listed(self) -> int:
        return self.list.model().rowCount()

    def stalls(self, what: str, flow: Callable[[], object]) -> Row:
        with Probe().watching() as probe:
            flow()
            rest(0.3)
        return Row(f"longest stall: {what}", probe.worst, "ms", Probe.LIMIT, "", probe.report)

    # Flows -----------------------------------------------------------------------------------------------------------

    def storm(self) -> None:
        _change_elsewhere(self.root / "many")
        until(lambda: self.listed() == _MANY, "all changes in the list", seconds=120)

    def walk(self) -> None:
        self.list.setFocus()
        for _step in range(40):
            before = self.diff.property("hunk")
            press(self.list, key=Qt.Key.Key_Down)
            until(lambda before=before: self.diff.property("hunk") not in (None, before), "the next text")  # type: ignore[misc]

    def verdicts(self) -> list[float]:
        """From the key to the next change on screen."""
        taken = []
        paints = Paints(self.list.viewport())
        button = part(self.window, QPushButton, "acceptFileButton")
        for _time in range(15):
            until(button.isEnabled, "the text")
            left = self.listed() - 1
            taken.append(paints.after(button.click, lambda left=left: self.listed() == left, "the list"))  # type: ignore[misc]
        return taken

    def accept_all(self) -> None:
        part(self.window, QPushButton, "acceptAllButton").click()
        until(lambda: self.listed() == 0, "the empty list", seconds=120)

    def long_text(self, name: str, before: str, after: str) -> Row:
        """From the choice in the list to the difference on screen."""
        file, other = self.root / f"{name}.md", self.root / "another.md"
        for one, text in ((file, before), (other, "one\n")):
            one.write_text(text)
        until(lambda: self.listed() == 2, "the new files")
        self.accept_all()
        file.write_text(after)
        other.write_text("two\n")
        until(lambda: self.listed() == 2, "the changed files")
        rows = {self.list.model().index(row, 0).data(_PATH): row for row in range(2)}
        taken = []
        paints = Paints(self.diff.viewport())
        for _time in range(7):
            self._choose(rows[other.name])
            until(lambda: 0 < self.diff.model().rowCount() < 10, "the short text")
            rest(0.1)
            choose = partial(self._choose, rows[file.name])
            taken.append(paints.after(choose, lambda: self.diff.model().rowCount() > _LINES, "the long text"))
        self.accept_all()
        return Row(
            f"{_LINES:,} changed lines on screen, {name}", percentile(taken, 0.95), "ms", 100.0, "", spread(taken)
        )

    def _choose(self, row: int) -> None:
        self.list.setCurrentIndex(self.list.model().index(row, 0))


def measure(root: Path) -> list[Row]:
    """Every flow in one window."""
    app = application()
    _write(root / "many")
    bench = _Bench(root)
    rows = [bench.stalls(f"{_MANY:,} files change", bench.storm), bench.stalls("walking through the list", bench.walk)]
    # What the history has to do with so many files is done first.
    rest(15.0)
    taken: list[float] = []
    rows.append(bench.stalls("fifteen verdicts", lambda: taken.extend(bench.verdicts())))
    rows.append(Row("a verdict, to the next on screen", percentile(taken, 0.95), "ms", 250.0, "", spread(taken)))
    rows.append(bench.stalls("accepting all of them", bench.accept_all))
    ticks = "".join(f"- [ ] item {number}, alike but for its tick\n" for number in range(_LINES))
    words = "".join(
        f"- 项目 {number}，这一行很长，长到在窗口的边缘需要换行，而且每一行都改了\n" for number in range(_LINES)
    )
    rows.append(bench.long_text("ticked", ticks, ticks.replace("[ ]", "[x]")))
    rows.append(bench.long_text("chinese", words, words.replace("改了", "又改了")))
    bench.window.close()
    shutil.rmtree(root / "many")
    app.quit()
    return rows


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
