"""A soak: careless agents write without end while a person types, accepts and rejects. Afterwards nothing is missing.

Every line that an agent brought to the disk and that stood there for a quarter of a second, and every line that the
person typed, has to be on disk, in a version, or in what is kept of unsaved text.

`python -m tests.bench.soak ROOT [SECONDS]`: ten minutes, unless told otherwise.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit, QTabWidget

from memgui.gui.app import open_workspace
from memgui.ops import recovery, sample, workspace
from memgui.ops.preferences import Settings
from memgui.storage.history import History
from memgui.storage.kept import KeptCopies
from tests.bench.measure import BUSY, Probe, Row, application, open_document, press, rest, tell, until

AGENTS = 2
RATE = 4.0
STOOD = 0.25
_SECONDS = 600.0
_DOCUMENTS = ("MEMORY.md", "HEARTBEAT.md", "memory/2026-11-30.md", "memory/2026-11-28.md", "projects/winter-release.md")


@dataclass(slots=True)
class Person:
    """Types a line every moment into whatever page is in front, and sometimes looks through what was written."""

    window: QMainWindow
    dice: random.Random
    typed: list[str] = field(default_factory=list)
    deeds: dict[str, int] = field(default_factory=dict)

    def move(self) -> None:
        """One thing that a person does."""
        deed = self.dice.choices(["type", "open", "accept", "reject", "undo", "save"], [60, 12, 8, 6, 4, 10])[0]
        self.deeds[deed] = self.deeds.get(deed, 0) + 1
        if deed == "open":
            self._open()
        elif deed == "type":
            self._type()
        elif deed == "save":
            self._trigger("document.save")
        else:
            self._trigger("view.review")
            self._trigger({"accept": "review.accept", "reject": "review.reject", "undo": "edit.undo"}[deed])
            self._trigger("view.memory")

    def _trigger(self, name: str) -> None:
        action = self.window.findChild(QAction, name)
        if action is not None and action.isEnabled():
            action.trigger()

    def _open(self) -> None:
        try:
            open_document(self.window, self.dice.choice(_DOCUMENTS))
        except SystemExit:
            # An agent took it away, or gave it another name.
            return

    def _type(self) -> None:
        tabs = self.window.findChild(QTabWidget, "documentTabs")
        page = tabs.currentWidget() if tabs is not None else None
        editor = page.findChild(QPlainTextEdit, "editor") if page is not None else None
        if editor is None or editor.isReadOnly() or page is None or not page.property("ready"):
            return
        line = f"- me {len(self.typed)} {self.dice.randrange(10**6)}"
        caret = QTextCursor(editor.document().findBlockByNumber(self.dice.randrange(editor.document().blockCount())))
        caret.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        editor.setTextCursor(caret)
        before = editor.document().revision()
        press(editor, "\n", 0x01000004)
        for letter in line:
            press(editor, letter)
        if editor.document().revision() != before:
            self.typed.append(line)


def soak(root: Path, seconds: float) -> list[Row]:
    """Everybody at work at once; then the sum."""
    sample.write(root)
    app = application()
    window = open_workspace(root, settings=Settings(autosave_seconds=1.0))
    until(lambda: window.property("ready") is True, "the tree")
    open_document(window, _DOCUMENTS[0])
    # Into files: nobody reads a pipe while the soak goes on, and a full one would stop its agent.
    said = [root.with_name(f"{root.name}-said-{seed}.jsonl") for seed in range(1, AGENTS + 1)]
    agents = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.careless", str(root), str(seconds), str(RATE), str(seed)],
            stdout=os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        )
        for seed, path in enumerate(said, 1)
    ]
    person = Person(window, random.Random(11))
    timer = QTimer(interval=350)
    timer.timeout.connect(person.move)
    probe = Probe()
    begun = perf_counter()
    with probe.watching():
        timer.start()
        while perf_counter() - begun < seconds:
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        timer.stop()
    told: list[dict[str, object]] = []
    for agent, path in zip(agents, said, strict=True):
        agent.wait()
        told += [json.loads(line) for line in path.read_text().splitlines()]
        path.unlink()
    rest(3.0)
    window.close()
    QApplication.processEvents()
    return _sum(root, sorted(told, key=lambda deed: float(str(deed["time"]))), person, probe)


def _sum(root: Path, told: list[dict[str, object]], person: Person, probe: Probe) -> list[Row]:
    where = _everything(root)
    stood = _stood(told)
    lost = [line for line in stood if line.encode() not in where]
    mine = [line for line in person.typed if line.encode() not in where]
    for line in (*lost[:20], *mine[:20]):
        print(f"    missing: {line}", file=sys.stderr)
    deeds = ", ".join(f"{name} {count}" for name, count in sorted(person.deeds.items()))
    worked = [stall for stall in probe.stalls if stall.worked > BUSY]
    return [
        Row("lines of agents lost", float(len(lost)), "", 0.0, f"of {len(stood)}", f"{len(told)} deeds"),
        Row("lines of the person lost", float(len(mine)), "", 0.0, f"of {len(person.typed)}", deeds),
        Row("stalls over 50 ms", float(len(probe.stalls)), "", None, f"worst {probe.worst:.0f} ms", probe.places),
        Row(f"of them, worked over {BUSY:.0f} ms", float(len(worked)), "", 0.0, f"most {probe.most:.0f} ms"),
    ]


def _stood(told: list[dict[str, object]]) -> list[str]:
    """The lines that stood on disk for long enough, as far as the agents' own deeds tell."""
    lines: dict[str, list[tuple[float, str]]] = {}
    found: list[str] = []
    for deed in told:
        path, moment = str(deed["path"]), float(str(deed["time"]))
        if deed["deed"] == "rename":
            lines.setdefault(path, []).extend(lines.pop(str(deed["before"]), []))
            continue
        if deed["deed"] in ("rewrite", "delete"):
            gone = lines.pop(path, [])
            found += [line for since, line in gone if moment - since >= STOOD]
        brought = deed["lines"]
        assert isinstance(brought, list)
        lines.setdefault(path, []).extend((moment, line) for line in brought)
    last = float(str(told[-1]["time"])) if told else 0.0
    return found + [line for several in lines.values() for since, line in several if last - since >= STOOD]


def _everything(root: Path) -> bytes:
    """All bytes that are anywhere: on disk, in versions, in what was kept of unsaved text."""
    space = workspace.open(root)
    pieces = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
    pieces += [unsaved.data for unsaved in recovery.unsaved(space)]
    kept, history = KeptCopies(space.state / "kept"), History(space.state)
    prints = {version.hash for document in history.documents() for version in history.versions(document)}
    prints |= {copy.hash for copy in kept.all()}
    for print_ in prints:
        if print_ is not None and print_ in kept:
            pieces.append(kept.get(print_))
    return b"\n".join(pieces)


if __name__ == "__main__":
    tell(soak(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else _SECONDS))
