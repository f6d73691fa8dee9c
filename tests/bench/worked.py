"""How long does the window's thread work at one go? Processor time, which others on the machine hardly lengthen.

A stall in the sense of the budget is longer: while the thread works, others may have the processor or the interpreter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow, QTreeView

from tests.bench.measure import (
    Probe,
    Row,
    application,
    open_document,
    opened,
    part,
    press,
    rest,
    row_of,
    settled,
    tell,
    until,
)
from tests.bench.workspace import write_large

_FLAT, _ITEMS = 10_000, 5_000
_LINE = "A line to paste of some eighty characters, as they are in any text of memory.\n"


def _write(root: Path) -> None:
    """What the common workspace has not: one folder with all its files, a long checklist, large and odd texts."""
    (root / "flat").mkdir()
    for number in range(_FLAT):
        (root / "flat" / f"note {number}.md").write_text("# A note\n")
    items = "".join(f"- [ ] item {number}: look after berth {number}\n" for number in range(_ITEMS))
    (root / "HEARTBEAT.md").write_text(f"# Heartbeat\n\n{items}")
    write_large(root / "large.md")
    (root / "emoji.md").write_text("# Emoji\n\n" + "🚀👩‍👩‍👧‍👦 " * 2_000 + "\n\nend\n")
    (root / "paste.md").write_text("# Paste\n\n")


class _Bench:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.rows: list[Row] = []
        self.window: QMainWindow = self._opening()

    def _opening(self) -> QMainWindow:
        # What comes before the first picture holds up nothing that anybody could see.
        window = opened(self.root)
        self.watch("what is built after the first picture", lambda: rest(3.0))
        settled(window)
        rest(2.0)
        return window

    def watch(self, what: str, flow: Callable[[], object], *, seconds: float = 0.5, goal: float = Probe.LIMIT) -> None:
        """Adds a row: the longest that the thread worked at one go while the flow ran, and for a moment after."""
        with Probe().watching() as probe:
            flow()
            rest(seconds)
        self.rows.append(Row(f"worked: {what}", probe.most, "ms", goal, f"wall {probe.worst:.0f} ms", probe.places))

    def do(self, action: str) -> None:
        part(self.window, QAction, action).trigger()

    # Flows -----------------------------------------------------------------------------------------------------------

    def tree(self) -> None:
        self.do("view.memory")
        tree = part(self.window, QTreeView, "workspaceTree")
        flat = row_of(tree, "flat/note 0.md").parent()
        tree.scrollTo(flat)
        self.watch(f"opening a folder of {_FLAT:,} files", lambda: tree.expand(flat))
        self.watch("a new file in it", lambda: (self.root / "flat/new.md").write_text("# New\n"))
        tree.collapse(flat)
        projects = self._child(QModelIndex(flat.parent()), tree, "projects")
        tree.setCurrentIndex(projects)
        self.watch("opening all folders of projects", lambda: press(tree, "*", Qt.Key.Key_Asterisk), seconds=1.5)
        tree.collapse(projects)

    def _child(self, parent: QModelIndex, tree: QTreeView, name: str) -> QModelIndex:
        model = tree.model()
        rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
        return next(index for index in rows if index.data() == name)

    def checklist(self) -> None:
        self.watch(f"a checklist of {_ITEMS:,} items", lambda: self.do("view.heartbeat"), seconds=2.0)
        items = part(self.window, QAbstractItemView, "heartbeatItems")
        items.setFocus()

        def tick() -> None:
            for _time in range(5):
                press(items, key=Qt.Key.Key_Down)
                press(items, " ", Qt.Key.Key_Space)
                rest(0.4)

        self.watch("ticks in it", tick)

    def large(self) -> None:
        self.watch("opening 1 MB", lambda: open_document(self.window, "large.md"))

        def append() -> None:
            for number in range(4):
                with (self.root / "large.md").open("a") as file:
                    file.write(f"- a line of the agent, {number}\n")
                rest(0.5)

        self.watch("an agent's lines in it", append)

    def odd(self) -> None:
        editor = open_document(self.window, "emoji.md")

        def write() -> None:
            editor.setFocus()
            editor.moveCursor(QTextCursor.MoveOperation.End)
            for letter in "hello":
                press(editor, letter)
                rest(0.05)

        self.watch("typing below a line of thousands of emoji", write)
        QApplication.clipboard().setText(_LINE * (1_000_000 // len(_LINE)))
        paste = open_document(self.window, "paste.md")
        self.watch("pasting 1 MB", paste.paste)
        QApplication.clipboard().setText("")

    def places(self) -> None:
        for name in ("palette.show", "view.days", "view.review", "view.history", "view.activity", "view.search"):
            self.watch(name, lambda name=name: self.do(name))  # type: ignore[misc]
        self.do("view.memory")

    def looks(self) -> None:
        for number in range(12):
            open_document(self.window, f"memory/2026-11-{number + 10}.md")
        for name in ("view.zoom_in", "view.zoom_out"):
            # Every widget is dressed anew, with the window as it was until then: the hard limit counts.
            self.watch(f"{name}, 12 pages open", lambda name=name: self.do(name), goal=2 * Probe.LIMIT)  # type: ignore[misc]


def measure(root: Path) -> list[Row]:
    """Every flow in one window, one after the other."""
    app = application()
    _write(root)
    bench = _Bench(root)
    for flow in (bench.tree, bench.places, bench.checklist, bench.large, bench.odd, bench.looks):
        flow()
    bench.watch("closing", bench.window.close)
    until(lambda: not bench.window.isVisible(), "the end")
    app.quit()
    return bench.rows


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
