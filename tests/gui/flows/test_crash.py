"""A process that is killed, told to end, or breaks: what was typed comes back, and never goes over a newer file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from tests.gui.flows.conftest import Desk

TYPIST = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from memgui.gui.app import wiring_of
from memgui.gui.program import Program

root, home = Path(sys.argv[1]), Path(sys.argv[2])
app = QApplication([])
program = Program(app)
program.start(root, None)
window = next(w for w in app.topLevelWidgets() if w.objectName() == "mainWindow")
wiring = wiring_of(window)
step = ["open"]

def go():
    page = wiring.tabs.page_for("MEMORY.md")
    if step[0] == "open" and window.property("ready"):
        wiring.moves.open("MEMORY.md")
        step[0] = "type"
    elif step[0] == "type" and page is not None and page.ready:
        page.editor.textCursor().insertText("typed and never saved\\n")
        step[0] = "typed"
        print("typed", flush=True)
    elif step[0] == "typed" and "resolve" in sys.argv and "theirs" not in (root / "MEMORY.md").read_text():
        text = (root / "MEMORY.md").read_text()
        (root / "MEMORY.md").write_text("theirs\\n" + text)
    elif step[0] == "typed" and "resolve" in sys.argv and page.state.value == "conflict":
        page.resolve()
        from memgui.gui.panels.page.resolve_view import ResolveView
        page.findChild(ResolveView).result.textCursor().insertText("made of both\\n")
        step[0] = "made"
        print("made", flush=True)
    elif step[0] == "made" and any(b'"beside"' in f.read_bytes() for f in (home / "state").rglob("unsaved/*.unsaved")):
        step[0] = "done"
        print("beside", flush=True)
    elif step[0] == "typed" and "resolve" not in sys.argv and any((home / "state").rglob("unsaved/*.unsaved")):
        step[0] = "done"
        print("journalled", flush=True)

timer = QTimer()
timer.timeout.connect(go)
timer.start(5)
if "break" in sys.argv:
    def fail():
        raise RuntimeError("a slot that breaks")
    breaks = QTimer()
    breaks.timeout.connect(lambda: step[0] == "typed" and fail())
    breaks.start(5)
code = app.exec()
program.close()
sys.exit(code)
"""


class Typist:
    """Another process with a window, in which somebody types."""

    def __init__(self, root: Path, home: Path, *more: str, autosave: str = "0") -> None:
        settings = home / "config" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(f"autosave_seconds = {autosave}\njournal_seconds = {more[0] if more else 0.1}\n")
        self._process = subprocess.Popen(
            [sys.executable, "-c", TYPIST, str(root), str(home), *more[1:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "MEMGUI_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        )

    def wait_for(self, word: str) -> float:
        """Until it says so; when that was."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == word:
                return time.monotonic()
        pytest.fail(f"it ended before it said {word}: {self._process.communicate()[1]}")

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; how it ended, and what it complained of."""
        self._process.send_signal(number)
        _out, errors = self._process.communicate(timeout=20)
        complaints = [line for line in errors.splitlines(keepends=True) if not line.startswith("This plugin does not")]
        return self._process.returncode, "".join(complaints)


@pytest.fixture
def typist(workspace_root: Path, places: Path) -> Iterator[Callable[..., Typist]]:
    begun: list[Typist] = []

    def begin(*more: str) -> Typist:
        begun.append(Typist(workspace_root, places, *more))
        return begun[-1]

    yield begin
    for one in begun:
        if one._process.poll() is None:
            one._process.kill()
        one._process.communicate(timeout=20)


def test_after_a_kill_the_text_is_there_again_unsaved(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path, places: Path
) -> None:
    before = (workspace_root / "MEMORY.md").read_text()
    process = typist("1.0")
    typed = process.wait_for("typed")
    journalled = process.wait_for("journalled")
    process.end(signal.SIGKILL)
    assert journalled - typed < 5
    assert (workspace_root / "MEMORY.md").read_text() == before
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.state("MEMORY.md") == "unsaved")
    assert desk.text("MEMORY.md") == "typed and never saved\n" + before
    desk.save()
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.read("MEMORY.md") == "typed and never saved\n" + before
    assert not list((places / "state").rglob("unsaved/*.unsaved"))
    desk.window.close()
    again = open_desk(workspace_root)
    again.until(lambda: again.ready("MEMORY.md"))
    assert again.state("MEMORY.md") == "saved"


def test_after_a_kill_the_text_never_goes_over_a_newer_file(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    process = typist()
    process.wait_for("journalled")
    process.end(signal.SIGKILL)
    (workspace_root / "MEMORY.md").write_text("# newer\n")
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.state("MEMORY.md") == "conflict")
    assert desk.text("MEMORY.md").startswith("typed and never saved\n")
    desk.save()
    assert desk.read("MEMORY.md") == "# newer\n"
    # Neither taken nor thrown away yet: it is there at the next start as well.
    desk.window.close()
    again = open_desk(workspace_root)
    again.until(lambda: again.state("MEMORY.md") == "conflict")
    page = again.page("MEMORY.md")
    assert page is not None
    take = page.findChild(QPushButton, "takeTheirs")
    assert isinstance(take, QPushButton)
    take.click()
    again.until(lambda: again.text("MEMORY.md") == "# newer\n")
    again.window.close()
    third = open_desk(workspace_root)
    third.until(lambda: third.ready("MEMORY.md"))
    assert third.state("MEMORY.md") == "saved"


def test_text_of_a_file_that_is_gone_comes_back_too(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    process = typist()
    process.wait_for("journalled")
    process.end(signal.SIGKILL)
    (workspace_root / "MEMORY.md").unlink()
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.page("MEMORY.md") is not None and desk.text("MEMORY.md").startswith("typed"))
    assert not (workspace_root / "MEMORY.md").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_it_ends_at_once_and_loses_nothing(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path, number: int
) -> None:
    # The journal's own time is far away: only the signal can have put the text there.
    process = typist("60")
    process.wait_for("typed")
    code, errors = process.end(number)
    assert (code, errors) == (0, "")
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.page("MEMORY.md") is not None and desk.text("MEMORY.md").startswith("typed and never"))


def test_an_error_nobody_caught_first_saves_the_text(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    process = typist("60", "break")
    process.wait_for("journalled")
    _code, errors = process.end(signal.SIGKILL)
    assert "a slot that breaks" in errors
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.state("MEMORY.md") == "unsaved")


def test_after_a_kill_what_was_made_of_a_conflict_is_there_beside_both_sides(
    typist: Callable[..., Typist], open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    process = typist("1.0", "resolve")
    made = process.wait_for("made")
    kept = process.wait_for("beside")
    process.end(signal.SIGKILL)
    assert kept - made < 2.5
    disk = (workspace_root / "MEMORY.md").read_text()
    assert "made of both" not in disk
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.state("MEMORY.md") == "conflict")
    assert desk.text("MEMORY.md").startswith("typed and never saved\n")
    page = desk.page("MEMORY.md")
    assert page is not None
    pills = [pill for pill in page.findChildren(QWidget, "notice") if pill.property("kind") == "resolution"]
    assert len(pills) == 1
    put = pills[0].findChild(QPushButton, "noticeAction")
    assert isinstance(put, QPushButton)
    put.click()
    assert "made of both\n" in desk.text("MEMORY.md")
    assert desk.state("MEMORY.md") == "conflict"
    assert (workspace_root / "MEMORY.md").read_text() == disk
