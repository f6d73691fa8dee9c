"""A second start: the window that is there opens what was asked for, and the second process is gone at once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memgui.config.places import Places
from memgui.ops import instance
from memgui.storage.registry import WorkspaceRegistry

_SECOND = """
import sys
from memgui.cli.main import main
from memgui.storage import instance
# A first one that is only slow, on a busy machine, is none that hangs.
instance.enter.__kwdefaults__["patience"] = 20.0
code = main(sys.argv[1:])
assert not [name for name in sys.modules if name.startswith("PySide6")], "the toolkit was loaded"
sys.exit(code)
"""


@pytest.fixture
def first(workspace_root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program with a window on the workspace."""
    process = subprocess.Popen([sys.executable, "-m", "memgui", str(workspace_root)], stderr=subprocess.PIPE)
    until(lambda: (Places.find().runtime / "window.sock").exists())
    # While it begins it may not answer yet, and is then taken for one that hangs.
    until(lambda: instance.enter(workspace_root, None).took)
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    assert process.stderr is not None
    process.stderr.close()
    process.wait(20)


def until(fact: Callable[[], bool]) -> None:
    end, pause = time.monotonic() + 20, threading.Event()
    while not fact():
        assert time.monotonic() < end, "it did not come to pass"
        pause.wait(0.02)


def second(*words: str, cwd: Path) -> tuple[int, float]:
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", _SECOND, *words], cwd=cwd, check=False, timeout=30)
    return done.returncode, time.monotonic() - began


def kept(root: Path) -> list[tuple[str, int]]:
    """The tabs that the first program has kept, each with the place of its caret."""
    state = Places.find().state / WorkspaceRegistry(Places.find().state).id_for(root, now=0.0)
    try:
        return [(tab["path"], tab["caret"]) for tab in json.loads((state / "sitting.json").read_bytes())["tabs"]]
    except (FileNotFoundError, ValueError):
        return []


def test_it_opens_the_file_at_its_line_in_the_window_that_is_there(
    first: subprocess.Popen[bytes], workspace_root: Path
) -> None:
    code, seconds = second("open", "projects/crane/plan.md:2", cwd=workspace_root)
    assert code == 0
    assert first.poll() is None
    assert seconds < 10
    until(lambda: ("projects/crane/plan.md", len("# Crane\n")) in kept(workspace_root))


def test_a_first_one_that_hangs_is_not_waited_for_long(first: subprocess.Popen[bytes], workspace_root: Path) -> None:
    code, _seconds = second(str(workspace_root), cwd=workspace_root)
    assert code == 0
    first.send_signal(signal.SIGSTOP)
    try:
        began = time.monotonic()
        entered = instance.enter(workspace_root, None)
        assert (entered.took, entered.door) == (False, None)
        assert 1 < time.monotonic() - began < 15
    finally:
        first.send_signal(signal.SIGCONT)


def test_a_first_one_that_was_killed_leaves_its_place(first: subprocess.Popen[bytes], workspace_root: Path) -> None:
    first.kill()
    first.wait(20)
    entered = instance.enter(workspace_root, None)
    assert entered.door is not None
    entered.door.close()
