"""Searches made before, in the real window: saved, named, asked again, taken away, there at the next start."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QListWidget
from pytestqt.qtbot import QtBot

from memgui.domain.searches import MOST_SAVED
from memgui.gui.kit.rows import RowRole
from memgui.ops import searches, workspace
from memgui.ops.preferences import Settings
from memgui.ops.searches import SavedSearch
from memgui.storage import private
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


def test_what_was_taken_off_is_brought_back_by_undo_also_the_last_one(desk: Desk) -> None:
    save(desk, "berth 7", "the berth")
    field(desk).clear()
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Down)
    desk.qtbot.keyClick(shelf(desk), Qt.Key.Key_Delete)
    desk.until(lambda: not desk.shown("searchShelf"))
    assert field(desk).hasFocus()
    ws = workspace.open(desk.root)
    desk.until(lambda: searches.known(ws).saved == ())
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert rows(desk) == ["Saved searches", "the berth"]
    desk.until(lambda: searches.known(ws).saved == (SavedSearch("berth 7", "the berth"),))
    field(desk).setText("tide")
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Escape)
    desk.do("view.search")
    field(desk).clear()
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Down)
    desk.qtbot.keyClick(shelf(desk), Qt.Key.Key_Delete)
    assert rows(desk) == ["Latest searches", "tide"]
    desk.qtbot.keyClick(shelf(desk), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert rows(desk)[:2] == ["Saved searches", "the berth"]


def test_what_is_not_saved_is_said(desk: Desk) -> None:
    desk.do("view.search")
    field(desk).setText("berth " * 200)
    desk.do("search.save")
    assert not desk.shown("searchName")
    why = desk.widget(QLabel, "searchWhyText")
    assert isinstance(why, QLabel)
    assert why.text().startswith("It is longer than 1,000 characters")
    ws = workspace.open(desk.root)
    full = searches.Searches()
    for number in range(MOST_SAVED):
        full = full.with_saved(f"berth {number}", "")
    searches.keep(ws, full, base=searches.Searches())
    save(desk, "tide", "the tide")
    # The other window left no room for more.
    desk.until(lambda: len(searches.known(ws).saved) == MOST_SAVED + 1)
    field(desk).clear()
    desk.until(lambda: len(rows(desk)) > MOST_SAVED)
    save(desk, "moon", "the moon")
    assert why.text().startswith("There are 200 saved searches")


def test_a_search_that_looks_like_markup_is_shown_as_it_is(desk: Desk) -> None:
    save(desk, "<b>berth</b>", "<i>name</i>")
    field(desk).clear()
    assert shelf(desk).item(1).text() == "<i>name</i>"
    assert "&lt;b&gt;berth" in shelf(desk).item(1).toolTip()


def test_what_a_full_disk_did_not_take_is_kept_with_the_next(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    real, full = private.put, [True]

    def put(path: Path, data: bytes, **how: Any) -> None:
        if full and path.name == "searches.jsonl":
            raise OSError(errno.ENOSPC, "No space left on device")
        real(path, data, **how)

    monkeypatch.setattr(private, "put", put)
    save(desk, "tide", "the tide")
    desk.until(lambda: "The saved searches could not be kept" in desk.window.status.currentMessage())
    full.clear()
    save(desk, "moon", "the moon")
    ws = workspace.open(desk.root)
    desk.until(lambda: [one.title for one in searches.known(ws).saved] == ["the moon", "the tide"])


def test_a_name_that_would_turn_the_row_around_is_shown_in_its_order(desk: Desk) -> None:
    save(desk, "berth \u202egnihton", "x")
    field(desk).setText("\u202eevil")
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Escape)
    desk.do("view.search")
    field(desk).clear()
    assert rows(desk) == ["Saved searches", "x", "Latest searches", "\N{MIDDLE DOT}evil"]
    assert shelf(desk).item(1).data(RowRole.DETAIL) == "berth \N{MIDDLE DOT}gnihton"
