"""Behind a server, what its searches could not find yet is seen to; it goes with the server."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

from memgui.ops import indexing, workspace
from tests.mcp.raw import HELLO, READY, answer, call, closed, say, started

PATIENCE_SECONDS = 60.0


def _children(of: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{of}/task/{of}/children").read_text().split()] + [
        int(child)
        for task in Path(f"/proc/{of}/task").iterdir()
        if task.name != str(of)
        for child in (task / "children").read_text().split()
    ]


def _wait(fact: object) -> None:
    assert callable(fact)
    end = time.monotonic() + PATIENCE_SECONDS
    while not fact():
        assert time.monotonic() < end
        threading.Event().wait(0.02)


def test_a_server_without_any_window_comes_to_know_what_memory_means(workspace_root: Path) -> None:
    ws = workspace.open(workspace_root)
    server = started(workspace_root)
    say(server, HELLO, READY, call(2, "memory_tree", {}))
    answer(server, 2)
    assert not (ws.cache / "meaning").exists()
    assert _children(server.pid) == []
    say(server, call(3, "memory_search", {"query": "decision"}))
    answer(server, 3)
    _wait(lambda: (state := indexing.state(ws)).meant > 0 and state.covered == state.meant)
    _wait(lambda: _children(server.pid) == [])
    assert closed(server) == (0, "")


def test_a_server_that_is_told_to_end_takes_it_along(workspace_root: Path) -> None:
    server = started(workspace_root)
    say(server, HELLO, READY, call(2, "memory_search", {"query": "decision"}))
    answer(server, 2)
    _wait(lambda: bool(_children(server.pid)))
    (child,) = _children(server.pid)
    os.kill(server.pid, signal.SIGTERM)
    closed(server)
    assert not Path(f"/proc/{child}").exists()


def test_a_server_that_is_killed_leaves_nothing_running(workspace_root: Path) -> None:
    server = started(workspace_root)
    say(server, HELLO, READY, call(2, "memory_search", {"query": "decision"}))
    answer(server, 2)
    _wait(lambda: bool(_children(server.pid)))
    (child,) = _children(server.pid)
    server.kill()
    closed(server)
    _wait(lambda: _is_gone(child))


def _is_gone(process: int) -> bool:
    """Ended; whoever inherits it may have yet to take note."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
