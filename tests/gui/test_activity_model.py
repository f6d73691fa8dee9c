"""The rows of what happened: days above their events, what is new in its place, and words for everything."""

from __future__ import annotations

import datetime

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from memgui.domain.activity import Event, EventKind
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.gui import icons
from memgui.gui.models.activity_model import ActivityModel, picture_of, place_of, rest_of, spoken, title_of

DAY = datetime.datetime(2026, 11, 28, 12).timestamp()
HOUR = 3600.0


def event(number: int, time: float) -> Event:
    path = DocPath(f"notes/{number}.md")
    return Event(f"write-{number:06}", time, EventKind.WRITE, "edit", Origin.agent("scribe"), (path,))


def rows(model: ActivityModel) -> list[str]:
    """Numbers of events; days as days."""
    found = []
    for row in range(model.rowCount()):
        one = model.event_at(row)
        found.append(str(int(one.id[-6:])) if one is not None else str(model.index(row).data()).split(" · ")[-1])
    return found


@pytest.fixture
def model(qapp: QApplication, qtmodeltester: ModelTester) -> ActivityModel:
    model = ActivityModel()
    model.show([event(3, DAY + HOUR), event(2, DAY), event(1, DAY - 24 * HOUR)], is_all=True)
    qtmodeltester.check(model, force_py=True)
    return model


def test_each_day_has_its_heading(model: ActivityModel) -> None:
    assert rows(model) == ["Sat 28 Nov", "3", "2", "Fri 27 Nov", "1"]


def test_what_comes_on_the_same_day_stands_below_its_heading(model: ActivityModel) -> None:
    assert model.join([event(5, DAY + 3 * HOUR), event(4, DAY + 2 * HOUR), event(3, DAY + HOUR)]) == 2
    assert rows(model)[:4] == ["Sat 28 Nov", "5", "4", "3"]


def test_what_comes_on_later_days_has_headings_of_its_own(model: ActivityModel) -> None:
    new = [event(8, DAY + 48 * HOUR), event(7, DAY + 24 * HOUR), event(6, DAY + 23 * HOUR), event(5, DAY + 2 * HOUR)]
    assert model.join(new) == 4
    assert rows(model) == [
        *("Mon 30 Nov", "8"),
        *("Sun 29 Nov", "7", "6"),
        *("Sat 28 Nov", "5", "3", "2"),
        *("Fri 27 Nov", "1"),
    ]


def test_what_comes_late_stands_where_it_belongs(model: ActivityModel) -> None:
    assert model.join([event(9, DAY + HOUR / 2), event(8, DAY - 72 * HOUR)]) == 2
    assert rows(model) == ["Sat 28 Nov", "3", "9", "2", "Fri 27 Nov", "1", "Wed 25 Nov", "8"]


def test_what_is_known_changes_in_its_row_alone(model: ActivityModel, qtbot: QtBot) -> None:
    again = Event(**{name: getattr(event(2, DAY), name) for name in Event.__dataclass_fields__} | {"count": 4})
    with qtbot.waitSignal(model.dataChanged) as changed:
        assert model.join([event(3, DAY + HOUR), again]) == 0
    assert changed.args is not None
    assert changed.args[0].row() == changed.args[1].row() == 2
    assert "4 times" in spoken(again)


def test_older_ones_go_on_where_the_last_stood(model: ActivityModel) -> None:
    model.append([event(0, DAY - 25 * HOUR), event(7, DAY - 48 * HOUR)], is_all=True)
    assert rows(model)[-4:] == ["1", "0", "Thu 26 Nov", "7"]


def test_more_is_asked_for_once_until_it_came(qtbot: QtBot) -> None:
    model = ActivityModel()
    model.show([event(1, DAY)], is_all=False)
    with qtbot.waitSignal(model.more_wanted):
        model.fetchMore(QModelIndex())
    assert not model.canFetchMore(QModelIndex())
    model.append([event(0, DAY - HOUR)], is_all=False)
    assert model.canFetchMore(QModelIndex())


def test_what_is_older_than_what_is_listed_waits_until_it_is_asked_for(qapp: QApplication) -> None:
    model = ActivityModel()
    model.show([event(1, DAY)], is_all=False)
    assert rows(model) == ["Sat 28 Nov", "1"]
    assert model.join([event(0, DAY - HOUR)]) == 0
    assert rows(model) == ["Sat 28 Nov", "1"]
    model.append([event(0, DAY - HOUR)], is_all=True)
    assert rows(model) == ["Sat 28 Nov", "1", "0"]


@pytest.mark.parametrize("kind", EventKind)
def test_every_kind_has_words_and_a_picture(qapp: QApplication, kind: EventKind) -> None:
    one = Event("x", DAY, kind, "other", Origin.you(), (DocPath("a/b.md"),), detail="words")
    assert kind.words
    assert title_of(one)
    assert "{" not in title_of(one) + place_of(one) + rest_of(one) + spoken(one)
    assert picture_of(one) in icons.names()


def test_a_long_name_does_not_hide_what_was_done(qapp: QApplication) -> None:
    one = Event("x", DAY, EventKind.WRITE, "delete", Origin.agent("a" * 64), (DocPath("b.md"),))
    assert title_of(one) == f'agent "{"a" * 21}…" deleted b.md'
    assert "a" * 64 in one.sentence


def test_many_documents_are_counted(qapp: QApplication) -> None:
    paths = tuple(DocPath(f"{number}.md") for number in range(1200))
    one = Event("x", DAY, EventKind.VERDICT, "accept", Origin.you(), paths)
    assert title_of(one) == "you accepted the changes of 1,200 documents"
