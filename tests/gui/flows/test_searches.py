"""Searches made before, in the real window: saved, named, asked again, taken away, there at the next start."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListView, QListWidget
from pytestqt.qtbot import QtBot

from memgui.ops import searches, workspace
from memgui.ops.preferences import Settings
from memgui.ops.searches import SavedSearch
from tests.gui.flows.conftest import Desk


def field(desk: Desk) -> QLineEdit:
    found = desk.widget(QLineEdit, "searchField")
    assert isinstance(found, QLineEdit)
    return found


def shelf(desk: Desk) -> QListWidget:
    found = desk.widget(QListWidget, "searchShelf")
    assert isinstance(found, QListWidget)
    return found


def rows(desk: Desk) -> list[str]:
    shown = shelf(desk)
    return [shown.item(number).text() for number in range(shown.count())]


def save(desk: Desk, query: str, name: str) -> None:
    desk.do("view.search")
    field(desk).setText(query)
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    naming = desk.widget(QLineEdit, "searchName")
    assert isinstance(naming, QLineEdit)
    assert naming.text() == query
    naming.selectAll()
    desk.qtbot.keyClicks(naming, name)
    desk.qtbot.keyClick(naming, Qt.Key.Key_Return)


def test_a_search_is_saved_under_a_name_and_there_at_the_next_start(desk: Desk, qtbot: QtBot) -> None:
    save(desk, "day:2026-11 berth", "November")
    ws = workspace.open(desk.root)
    desk.until(lambda: searches.known(ws).saved == (SavedSearch("day:2026-11 berth", "November"),))
    desk.window.close()
    again = Desk(qtbot, desk.root, Settings())
    again.do("view.search")
    again.until(lambda: again.shown("searchShelf"))
    assert rows(again) == ["Saved searches", "November"]
    qtbot.keyClick(field(again), Qt.Key.Key_Down)
    qtbot.keyClick(shelf(again), Qt.Key.Key_Return)
    assert field(again).text() == "day:2026-11 berth"
    assert not again.shown("searchShelf")


def test_the_latest_are_offered_below_an_empty_field_and_delete_takes_one_away(desk: Desk) -> None:
    desk.do("view.search")
    for query in ("berth", "crane"):
        field(desk).setText(query)
        desk.qtbot.keyClick(field(desk), Qt.Key.Key_Escape)
        desk.do("view.search")
    field(desk).clear()
    assert rows(desk) == ["Latest searches", "crane", "berth"]
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Down)
    desk.qtbot.keyClick(shelf(desk), Qt.Key.Key_Delete)
    assert rows(desk) == ["Latest searches", "berth"]
    desk.qtbot.keyClick(shelf(desk), Qt.Key.Key_Up)
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Up)
    assert field(desk).text() == "berth"
    ws = workspace.open(desk.root)
    desk.until(lambda: searches.known(ws).recent == ("berth",))


def test_a_saved_search_is_asked_from_the_palette(desk: Desk) -> None:
    save(desk, "berth 7", "the berth")
    field(desk).clear()
    desk.do("search.saved")
    palette = desk.widget(QLineEdit, "paletteField")
    assert isinstance(palette, QLineEdit)
    offers = desk.widget(QListView, "paletteResults")
    assert isinstance(offers, QListView)
    assert offers.model().index(0, 0).data() == "the berth"
    desk.qtbot.keyClick(palette, Qt.Key.Key_Return)
    desk.until(lambda: field(desk).text() == "berth 7")


def test_escape_saves_nothing(desk: Desk) -> None:
    desk.do("view.search")
    field(desk).setText("berth")
    desk.do("search.save")
    naming = desk.widget(QLineEdit, "searchName")
    desk.qtbot.keyClick(naming, Qt.Key.Key_Escape)
    assert not desk.shown("searchName")
    field(desk).clear()
    assert not desk.shown("searchShelf")
