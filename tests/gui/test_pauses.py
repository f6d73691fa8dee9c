"""What has lived long is looked through when nobody waits; the process gets its collector back in the end."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from memgui.gui.pauses import NEVER, PATIENCE, SWITCH_SECONDS, Pauses, pauses


@pytest.fixture
def calm(qapp: QApplication) -> Iterator[Pauses]:
    calm = pauses()
    calm.begin()
    yield calm
    calm.end()


def test_there_is_one_for_the_process(qapp: QApplication, calm: Pauses) -> None:
    assert pauses() is calm


def test_threads_take_turns_often_and_old_things_are_left_alone(calm: Pauses) -> None:
    assert sys.getswitchinterval() <= SWITCH_SECONDS
    assert gc.get_threshold()[2] == NEVER


def test_what_is_settled_is_given_back_in_the_end(calm: Pauses) -> None:
    calm.settle()
    assert gc.get_freeze_count() > 0
    calm.end()
    assert gc.get_freeze_count() == 0


def test_garbage_is_collected_in_the_end_also_from_a_busy_person(calm: Pauses) -> None:
    class Ring:
        pass

    ring = Ring()
    ring.me = ring  # type: ignore[attr-defined]
    number = id(ring)
    calm.settle()
    del ring
    for _ in range(PATIENCE + 1):
        calm._tidy_if_idle()
    gc.unfreeze()
    assert not [thing for thing in gc.get_objects() if id(thing) == number and type(thing).__name__ == "Ring"]
