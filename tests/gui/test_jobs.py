"""Lanes run work beside the window, in order, and bring each answer home."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from pytestqt.qtbot import QtBot

from memgui.domain.errors import MemguiError, NotFound
from memgui.gui.jobs import Desk, Failure, GiveWay, InlineLane, Lane, Lanes


class Ear(QObject):
    """Keeps what it is told, and on which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []
        self.errors: list[MemguiError] = []
        self.threads: list[QThread] = []

    @Slot(object)
    def hear(self, value: object) -> None:
        self.heard.append(value)
        self.threads.append(QThread.currentThread())

    @Slot(object)
    def fail(self, error: MemguiError) -> None:
        self.errors.append(error)


@pytest.fixture
def lane(qtbot: QtBot) -> Iterator[Lane]:
    lane = Lane("try")
    yield lane
    assert lane.close(5.0)


def value(what: object) -> object:
    return what


def raises(error: Exception) -> object:
    raise error


def test_answers_arrive_in_order_on_the_thread_of_the_lane(qtbot: QtBot, lane: Lane) -> None:
    ear = Ear()
    for number in range(50):
        lane.submit(partial(value, number), ear.hear, ear.fail)
    qtbot.waitUntil(lambda: len(ear.heard) == 50)
    assert ear.heard == list(range(50))
    assert set(ear.threads) == {QThread.currentThread()}


def test_work_runs_on_another_thread(qtbot: QtBot, lane: Lane) -> None:
    ear = Ear()
    lane.submit(threading.get_ident, ear.hear, ear.fail)
    qtbot.waitUntil(lambda: bool(ear.heard))
    assert ear.heard != [threading.get_ident()]


def test_expected_trouble_arrives_as_it_is(qtbot: QtBot, lane: Lane) -> None:
    ear = Ear()
    trouble = NotFound("no such document")
    lane.submit(partial(raises, trouble), ear.hear, ear.fail)
    qtbot.waitUntil(lambda: ear.errors == [trouble])
    assert ear.heard == []


def test_an_error_nobody_expected_becomes_a_sentence_and_is_logged(
    qtbot: QtBot, lane: Lane, caplog: pytest.LogCaptureFixture, expected_log: list[str]
) -> None:
    ear = Ear()
    expected_log.append("a job failed unexpectedly")
    lane.submit(partial(raises, ZeroDivisionError("oh")), ear.hear, ear.fail)
    qtbot.waitUntil(lambda: bool(ear.errors))
    (failure,) = ear.errors
    assert isinstance(failure, Failure)
    assert "ZeroDivisionError" in failure.message
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_the_lane_goes_on_after_an_error(qtbot: QtBot, lane: Lane) -> None:
    ear = Ear()
    lane.submit(partial(raises, NotFound("gone")), ear.hear, ear.fail)
    lane.submit(partial(value, "next"), ear.hear, ear.fail)
    qtbot.waitUntil(lambda: ear.heard == ["next"])


def test_a_late_answer_is_dropped_by_its_ticket(qtbot: QtBot, lane: Lane) -> None:
    ear, desk, gate = Ear(), Desk(), threading.Event()
    lane.submit(partial(gate.wait, 5), ear.hear, ear.fail, ticket=desk.next())
    lane.submit(partial(value, "old"), ear.hear, ear.fail, ticket=desk.next())
    lane.submit(partial(value, "new"), ear.hear, ear.fail, ticket=desk.next())
    gate.set()
    qtbot.waitUntil(lambda: bool(ear.heard))
    assert ear.heard == ["new"]


def test_work_whose_ticket_is_stale_is_not_even_begun(qtbot: QtBot, lane: Lane) -> None:
    ear, desk, gate = Ear(), Desk(), threading.Event()
    begun: list[int] = []
    lane.submit(partial(gate.wait, 5), ear.hear, ear.fail)
    for number in range(20):
        lane.submit(partial(begun.append, number), ear.hear, ear.fail, ticket=desk.next())
    gate.set()
    qtbot.waitUntil(lambda: len(ear.heard) == 2)
    assert begun == [19]


def test_closing_finishes_what_is_to_be_written_and_says_nothing_more(qtbot: QtBot) -> None:
    lanes, ear, gate = Lanes.threaded(), Ear(), threading.Event()
    written: list[int] = []
    lanes.writes.submit(partial(gate.wait, 5), ear.hear, ear.fail)
    for number in range(10):
        lanes.writes.submit(partial(written.append, number), ear.hear, ear.fail)
    gate.set()
    assert lanes.close()
    assert written == list(range(10))
    assert ear.heard == []


def test_closing_drops_questions_and_is_bounded(qtbot: QtBot) -> None:
    lane, ear, gate, begun = Lane("try", threads=2), Ear(), threading.Event(), threading.Barrier(3)
    asked: list[int] = []

    def wait() -> None:
        begun.wait(5)
        gate.wait(10)

    lane.submit(wait, ear.hear, ear.fail)
    lane.submit(wait, ear.hear, ear.fail)
    lane.submit(partial(asked.append, 1), ear.hear, ear.fail)
    begun.wait(5)
    assert not lane.close(0.05)
    gate.set()
    assert lane.close(5.0)
    assert asked == []
    lane.submit(partial(asked.append, 2), ear.hear, ear.fail)
    assert asked == []


def test_two_reads_run_beside_each_other(qtbot: QtBot) -> None:
    lanes, ear, meet = Lanes.threaded(), Ear(), threading.Barrier(2)
    lanes.reads.submit(partial(meet.wait, 5), ear.hear, ear.fail)
    lanes.reads.submit(partial(meet.wait, 5), ear.hear, ear.fail)
    qtbot.waitUntil(lambda: len(ear.heard) == 2)
    assert lanes.close()


def test_an_inline_lane_has_answered_when_submit_returns(qtbot: QtBot) -> None:
    lane, ear = InlineLane(), Ear()
    lane.submit(partial(value, 1), ear.hear, ear.fail)
    lane.submit(partial(raises, NotFound("gone")), ear.hear, ear.fail)
    assert (ear.heard, len(ear.errors)) == ([1], 1)
    assert lane.close(0.1)


def test_long_work_stands_still_while_somebody_asks_and_ends_when_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, looks = [100.0], []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        clock[0] += 0.25

    monkeypatch.setattr("memgui.gui.jobs.time", SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep))
    desk = Desk()
    way, ticket = GiveWay(), desk.next()
    stop = way.stop_of(ticket)
    assert not stop()
    assert looks == []
    way.ask()
    assert not stop()
    assert len(looks) == 3
    way.ask()
    desk.cancel()
    assert stop()
    assert len(looks) == 3


def test_a_lane_without_work_has_no_thread(qtbot: QtBot) -> None:
    def threads() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("memgui-idle")]

    lane, ear = Lane("idle", threads=2), Ear()
    assert threads() == []
    lane.submit(threads, ear.hear, ear.fail)
    assert threads() == ["memgui-idle-0"]
    assert lane.close(5.0, finish=True)
    assert Lane("idle").close(5.0)
