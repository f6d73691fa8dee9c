"""The first minute with a new workspace: other processes read it, and the window owes them nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from memgui.gui.app import wiring_of
from memgui.gui.window import MainWindow
from memgui.ops import own_process, review, sync
from memgui.ops.baselines import is_begun
from tests.gui.flows.conftest import Desk

DOCUMENTS = 400
AT_ONCE_SECONDS = 2.0
"""On a busy machine; whoever waited for these processes would wait for much longer."""

real_begin = own_process.begin


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "new"
    root.mkdir()
    for number in range(DOCUMENTS):
        (root / f"{number}.md").write_text(f"# Document {number}\n\nThe crane of berth {number}.\n")
    return root


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that the window began to have documents read."""
    made: list[subprocess.Popen[bytes]] = []

    def begin(module: str, *told: str) -> subprocess.Popen[bytes]:
        process = real_begin(module, *told)
        if module == "memgui.ops.apart.child":
            made.append(process)
        return process

    monkeypatch.setattr(own_process, "begin", begin)
    return made


def silent(*_told: str) -> subprocess.Popen[bytes]:
    """A process that does nothing and says nothing."""
    command = [sys.executable, "-c", "import signal; signal.pause()"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def close(window: MainWindow) -> float:
    """Close it; how long that took."""
    begin = time.monotonic()
    window.close()
    return time.monotonic() - begin


def test_a_new_workspace_is_read_by_other_processes_and_known_as_it_is(
    open_desk: Callable[[Path], Desk], root: Path, begun: list[subprocess.Popen[bytes]]
) -> None:
    desk = open_desk(root)
    wiring = wiring_of(desk.window)
    assert wiring is not None
    desk.until(lambda: desk.window.property("indexed") is True)
    desk.until(lambda: wiring.pending().known)
    view = wiring.session.view
    assert view is not None
    assert is_begun(view.workspace)
    assert review.pending(view.workspace, sync.look(view.workspace)) == ()
    assert wiring.session.finder is not None
    assert wiring.session.finder.search("crane of berth 399").total_files == 1
    assert len(begun) >= 2
    desk.window.close()
    assert [process for process in begun if process.poll() is None] == []


def test_closing_waits_for_none_of_them_and_leaves_none(
    open_desk: Callable[[Path], Desk], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[subprocess.Popen[bytes]] = []

    def begin(module: str, *told: str) -> subprocess.Popen[bytes]:
        made.append(silent() if module == "memgui.ops.apart.child" else real_begin(module, *told))
        return made[-1]

    monkeypatch.setattr(own_process, "begin", begin)
    desk = open_desk(root)
    wiring = wiring_of(desk.window)
    assert wiring is not None
    desk.until(lambda: bool(made) and wiring.pending.is_made)
    assert desk.window.property("indexed") is not True
    assert close(desk.window) < AT_ONCE_SECONDS
    desk.until(lambda: all(process.poll() is not None for process in made))
    for process in made:
        # As those do who read what it says.
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdin.closed
        assert process.stdout.closed


def test_the_page_in_front_is_there_before_anything_is_read_beside_the_window(
    open_desk: Callable[[Path], Desk], root: Path, begun: list[subprocess.Popen[bytes]]
) -> None:
    (root / "MEMORY.md").write_text("# Memory\n")
    desk = open_desk(root)
    shown: list[int] = []
    wiring = wiring_of(desk.window)
    assert wiring is not None
    wiring.tabs.page_shown.connect(lambda: shown.append(len(begun)))
    desk.until(lambda: isinstance(desk.page("MEMORY.md"), QWidget))
    desk.until(lambda: bool(begun))
    assert shown[0] == 0
