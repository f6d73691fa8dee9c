"""Which day it is: by a clock, at midnight, after sleep, in any zone."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot

from memgui.gui.kit.today import LONGEST_WAIT_MS, Today, local_now


class Wall:
    """A clock on the wall: it goes where it is put."""

    def __init__(self, moment: datetime.datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime.datetime:
        return self.moment


def _at(text: str, zone: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@pytest.fixture
def told() -> list[datetime.date]:
    return []


def test_shortly_before_midnight_it_waits_for_midnight(qtbot: QtBot, told: list[datetime.date]) -> None:
    wall = Wall(_at("2026-11-30T23:59:50", "Europe/Berlin"))
    today = Today(wall)
    today.changed.connect(told.append)
    today.begin()
    assert 10_000 <= today.wait_ms <= 10_001
    wall.moment = _at("2026-12-01T00:00:00", "Europe/Berlin")
    today.check()
    assert told == [datetime.date(2026, 12, 1)]
    today.check()
    assert len(told) == 1
    today.end()


def test_midnight_comes_by_itself(qtbot: QtBot) -> None:
    wall = Wall(_at("2026-11-30T23:59:59.990", "Europe/Berlin"))
    today = Today(wall)
    today.begin()
    with qtbot.waitSignal(today.changed) as seen:
        wall.moment = _at("2026-12-01T00:00:00.001", "Europe/Berlin")
    assert seen.args == [datetime.date(2026, 12, 1)]
    today.end()


def test_it_never_waits_long_since_a_timer_sleeps_with_the_machine() -> None:
    assert Today(Wall(_at("2026-11-30T08:00:00", "UTC"))).wait_ms == LONGEST_WAIT_MS


def test_after_sleep_over_midnight_the_first_look_tells(told: list[datetime.date]) -> None:
    wall = Wall(_at("2026-11-30T18:30:00", "America/Chicago"))
    today = Today(wall)
    today.changed.connect(told.append)
    today.begin()
    wall.moment = _at("2026-12-03T07:00:00", "America/Chicago")
    today.check()
    assert told == [datetime.date(2026, 12, 3)]
    today.end()


def test_a_clock_that_is_put_back_is_believed(told: list[datetime.date]) -> None:
    wall = Wall(_at("2026-12-01T00:10:00", "UTC"))
    today = Today(wall)
    today.changed.connect(told.append)
    wall.moment = _at("2026-11-30T23:50:00", "UTC")
    today.check()
    assert told == [datetime.date(2026, 11, 30)]
    today.end()


@pytest.mark.parametrize("hour", ["00:30:00", "01:30:00", "02:30:00", "12:00:00", "23:58:00"])
def test_a_day_of_25_hours_ends_at_its_own_midnight(hour: str) -> None:
    moment = _at(f"2026-10-25T{hour}", "Europe/Berlin")
    today = Today(Wall(moment))
    midnight = _at("2026-10-26T00:00:00", "Europe/Berlin")
    left = round((midnight.timestamp() - moment.timestamp()) * 1000)
    assert today.wait_ms == min(left + 1, LONGEST_WAIT_MS)
    today.end()


def test_the_evening_in_chicago_is_not_the_next_day_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        now = local_now()
        assert now.utcoffset() in (datetime.timedelta(hours=-6), datetime.timedelta(hours=-5))
        assert Today().day == now.date()
    finally:
        monkeypatch.undo()
        time.tzset()
    evening = Wall(_at("2026-11-30T18:30:00", "America/Chicago"))
    assert Today(evening).day == datetime.date(2026, 11, 30)
