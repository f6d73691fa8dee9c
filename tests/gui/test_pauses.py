"""Garbage is collected in the window's thread alone; the process gets its collector back in the end."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memgui.gui.app import open_workspace
from memgui.gui.pauses import MANY, MIDDLE, PATIENCE, SWITCH_SECONDS, YOUNG, Pauses, pauses


class _Ring:
    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def calm(qapp: QApplication) -> Iterator[Pauses]:
    calm = pauses()
    calm.begin()
    yield calm
    calm.end()


@pytest.fixture
def collectors() -> Iterator[list[int]]:
    """The threads in which Python has looked for garbage."""
    threads: list[int] = []

    def note(phase: str, _info: object) -> None:
        if phase == "start":
            threads.append(threading.get_ident())

    gc.callbacks.append(note)
    yield threads
    gc.callbacks.remove(note)


def _make_rings(count: int) -> None:
    """Leaves that much garbage, made in a thread beside the window."""
    thread = threading.Thread(target=lambda: [_Ring() for _ in range(count)] and None)
    thread.start()
    thread.join()


def test_there_is_one_for_the_process(qapp: QApplication, calm: Pauses) -> None:
    assert pauses() is calm


def test_threads_take_turns_often(calm: Pauses) -> None:
    assert sys.getswitchinterval() <= SWITCH_SECONDS


def test_while_a_window_is_open_no_other_thread_collects(qtbot: QtBot, tmp_path: Path, collectors: list[int]) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    window = open_workspace(tmp_path)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.property("indexed") is True)
    collectors.clear()
    ring = _Ring()
    there = weakref.ref(ring)
    del ring
    _make_rings(4 * YOUNG)
    assert not set(collectors) - {threading.get_ident()}
    qtbot.waitUntil(lambda: there() is None)
    assert set(collectors) == {threading.get_ident()}
    window.close()
    assert gc.isenabled()


def test_python_collects_again_only_after_the_last_window(calm: Pauses) -> None:
    calm.begin()
    calm.end()
    assert not gc.isenabled()
    calm.end()
    assert gc.isenabled()


def test_what_is_settled_is_given_back_in_the_end(calm: Pauses) -> None:
    calm.settle()
    assert gc.get_freeze_count() > 0
    calm.end()
    assert gc.get_freeze_count() == 0


def test_what_came_in_a_crowd_is_left_for_a_quiet_moment(calm: Pauses) -> None:
    calm._look()
    _make_rings(MANY + 1)
    ring = _Ring()
    there = weakref.ref(ring)
    del ring
    calm._look()
    assert there() is not None
    calm._look()
    assert gc.get_count()[0] < MANY
    for _ in range(PATIENCE + 1):
        calm._tidy_if_idle()
    assert there() is None


def test_what_outlived_several_looks_is_not_looked_through_in_one(calm: Pauses) -> None:
    kept: list[list[None]] = []
    calm._tidy_if_idle()
    before = gc.get_freeze_count()
    looked_through: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 1:
            looked_through.append(len(gc.get_objects(1)))

    gc.callbacks.append(note)
    for _ in range(MIDDLE + 2):
        kept += ([] for _ in range(MANY // MIDDLE + YOUNG))
        calm._look()
    gc.callbacks.remove(note)
    assert looked_through
    assert max(looked_through) < MANY
    assert gc.get_freeze_count() > before + MANY


def test_garbage_is_collected_in_the_end_also_from_a_busy_person(calm: Pauses) -> None:
    ring = _Ring()
    there = weakref.ref(ring)
    calm.settle()
    del ring
    for _ in range(PATIENCE + 1):
        calm._tidy_if_idle()
    assert there() is None
