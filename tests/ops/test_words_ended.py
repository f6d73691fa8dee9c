"""The process that writes the index of words is ended by force where nobody can wait for it."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.ops.words.helper import Helper
from memgui.search.segments import Key


def rows(count: int) -> dict[DocPath, Key]:
    return {DocPath(f"{number}.md"): Key(1, 1, 1, number) for number in range(count)}


def begun(tmp_path: Path) -> tuple[Helper, int]:
    helper = Helper(tmp_path, tmp_path / "cache", lambda _progress: None)
    helper.refresh({})
    assert helper.process is not None
    return helper, helper.process


def test_one_that_stands_still_is_ended_and_seen_off(tmp_path: Path) -> None:
    helper, process = begun(tmp_path)
    os.kill(process, signal.SIGSTOP)
    helper.close(0.0)
    assert helper._listener is not None
    helper._listener.join(10)
    assert not helper._listener.is_alive()
    assert not Path(f"/proc/{process}").exists()


def test_one_that_is_being_told_more_than_it_takes_is_ended_too(tmp_path: Path) -> None:
    helper, process = begun(tmp_path)
    os.kill(process, signal.SIGSTOP)
    telling = threading.Thread(target=helper.refresh, args=(rows(20_000),))
    telling.start()
    while not helper._lock.locked():
        telling.join(0.001)
    helper.close(0.0)
    telling.join(10)
    assert not telling.is_alive()
    assert helper._listener is not None
    helper._listener.join(10)
    assert helper.process is None


def test_one_that_was_ended_is_not_begun_again(tmp_path: Path) -> None:
    helper, _process = begun(tmp_path)
    helper.close(0.0)
    assert helper._listener is not None
    helper._listener.join(10)
    helper.refresh(rows(1))
    assert helper.process is None
