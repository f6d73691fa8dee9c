"""Days in the real window: read a week, follow what agents write, add to today."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QCalendarWidget, QLineEdit, QListView, QPushButton, QTreeView, QWidget

from memgui.gui.app import wiring_of
from memgui.gui.kit.today import Today
from tests.gui.flows.conftest import PATH, Desk, rows_of

TODAY = datetime.date.today()
YESTERDAY = TODAY - datetime.timedelta(days=1)


def _log(day: datetime.date) -> str:
    return f"memory/{day.isoformat()}.md"


@pytest.fixture
def root(workspace_root: Path) -> Path:
    for path in (workspace_root / "memory").iterdir():
        path.unlink()
    for back in range(3):
        day = TODAY - datetime.timedelta(days=back)
        text = f"# {day}\n\n" + "".join(f"- {hour:02}:10 Entry {hour} of {back} days ago\n" for hour in range(8, 18))
        (workspace_root / _log(day)).write_text(text)
    (workspace_root / "memory/2025-01-02.md").write_text("- 12:00 Long ago\n")
    (workspace_root / "memory/2026-02-30.md").write_text("- 12:00 Never\n")
    return workspace_root


@pytest.fixture
def days(open_desk: Callable[[Path], Desk], root: Path) -> Desk:
    desk = open_desk(root)
    desk.do("view.days")
    desk.until(lambda: bool(_rows(desk)))
    return desk


def _entries(desk: Desk) -> QListView:
    found = desk.widget(QListView, "dayEntries")
    assert isinstance(found, QListView)
    return found


def _rows(desk: Desk) -> list[tuple[object, object, object]]:
    model = _entries(desk).model()
    indexes = [model.index(number, 0) for number in range(model.rowCount())]
    return [(i.data(PATH), i.data(PATH + 1), i.data(PATH + 2)) for i in indexes]


def _current(desk: Desk) -> tuple[object, object]:
    index = _entries(desk).currentIndex()
    return index.data(PATH), index.data(PATH + 2)


def _field(desk: Desk) -> QLineEdit:
    found = desk.widget(QLineEdit, "dayCapture")
    assert isinstance(found, QLineEdit)
    return found


def _said(desk: Desk) -> str:
    wiring = wiring_of(desk.window)
    assert wiring is not None
    return wiring.days().panel.capture.said


def _add(desk: Desk, text: str) -> None:
    _field(desk).setFocus()
    desk.qtbot.keyClicks(_field(desk), text)
    desk.qtbot.keyClick(_field(desk), Qt.Key.Key_Return)


def test_a_week_is_read_newest_day_first_and_in_the_order_of_each_file(days: Desk) -> None:
    told = [row for row in _rows(days) if row[0] is not None]
    assert [path for path, line, _time in told if line == 3] == [
        _log(TODAY - datetime.timedelta(days=back)) for back in range(3)
    ]
    assert told[:2] == [(_log(TODAY), 3, "08:10"), (_log(TODAY), 4, "09:10")]
    assert len([row for row in _rows(days) if row[0] is None]) == 7
    assert _entries(days).hasFocus()


def test_no_file_is_chosen_in_the_tree_while_the_days_are_in_front(days: Desk) -> None:
    tree = days.widget(QTreeView, "workspaceTree")
    assert isinstance(tree, QTreeView)
    assert not tree.selectionModel().hasSelection()
    days.open("MEMORY.md")
    assert [index.data(PATH) for index in tree.selectedIndexes()] == ["MEMORY.md"]


def test_enter_opens_an_entry_at_its_line_and_ctrl_3_leads_back(days: Desk) -> None:
    days.until(lambda: _current(days) == (_log(TODAY), "08:10"))
    for _step in range(2):
        days.qtbot.keyClick(_entries(days), Qt.Key.Key_J)
    assert _current(days) == (_log(TODAY), "10:10")
    days.qtbot.keyClick(_entries(days), Qt.Key.Key_Return)
    days.until(lambda: days.ready(_log(TODAY)))
    assert days.editor(_log(TODAY)).textCursor().blockNumber() + 1 == 5
    assert days.window.middle == "documents"
    days.until(days.editor(_log(TODAY)).hasFocus)
    days.do("view.days")
    assert _current(days) == (_log(TODAY), "10:10")


def test_the_page_in_front_comes_back_when_its_file_is_chosen_again(days: Desk) -> None:
    days.do("view.memory")
    days.until(lambda: days.ready("MEMORY.md"))
    days.do("view.days")
    assert not days.window.action("document.close").isEnabled()
    assert not days.window.action("edit.find").isEnabled()
    days.do("view.memory")
    assert days.window.middle == "documents"
    assert days.window.action("document.close").isEnabled()


def test_letters_go_by_entry_day_and_week(days: Desk) -> None:
    entries = _entries(days)
    days.qtbot.keyClick(entries, Qt.Key.Key_J)
    days.qtbot.keyClick(entries, Qt.Key.Key_P)
    assert _current(days) == (_log(YESTERDAY), "08:10")
    days.qtbot.keyClick(entries, Qt.Key.Key_K)
    assert _current(days) == (_log(TODAY), "17:10")
    days.qtbot.keyClick(entries, Qt.Key.Key_N)
    assert _current(days) == (_log(TODAY), "17:10")
    days.qtbot.keyClick(entries, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    days.until(lambda: not [row for row in _rows(days) if row[0] is not None])
    days.qtbot.keyClick(entries, Qt.Key.Key_T)
    days.until(lambda: _current(days) == (_log(TODAY), "08:10"))


def test_the_entry_after_the_last_one_is_in_the_next_week_that_has_one(days: Desk) -> None:
    entries = _entries(days)
    wiring = wiring_of(days.window)
    assert wiring is not None
    wiring.days().panel.reader.choose_last()
    days.qtbot.keyClick(entries, Qt.Key.Key_J)
    days.until(lambda: _current(days) == ("memory/2025-01-02.md", "12:00"))
    days.qtbot.keyClick(entries, Qt.Key.Key_K)
    days.until(lambda: _current(days) == (_log(TODAY - datetime.timedelta(days=2)), "17:10"))


def test_a_day_of_the_calendar_is_brought_to_the_top(days: Desk) -> None:
    calendar = days.widget(QCalendarWidget, "dayCalendar")
    assert isinstance(calendar, QCalendarWidget)
    calendar.setSelectedDate(QDate(2025, 1, 2))
    days.until(lambda: _current(days) == ("memory/2025-01-02.md", "12:00"))
    calendar.setSelectedDate(QDate(YESTERDAY.year, YESTERDAY.month, YESTERDAY.day))
    days.until(lambda: _current(days) == (_log(YESTERDAY), "08:10"))


def test_impossible_dates_are_listed_apart(days: Desk) -> None:
    wiring = wiring_of(days.window)
    assert wiring is not None
    others = wiring.days().panel._others
    assert [others.item(number).text() for number in range(others.count())] == ["memory/2026-02-30.md"]
    others.itemActivated.emit(others.item(0))
    days.until(lambda: days.ready("memory/2026-02-30.md"))


def test_what_an_agent_writes_appears_and_what_is_read_stays(days: Desk) -> None:
    entries = _entries(days)
    wiring = wiring_of(days.window)
    assert wiring is not None
    wiring.days().panel.reader.choose_last()
    before = entries.visualRect(entries.currentIndex()).top()
    assert entries.verticalScrollBar().value() > 0
    days.append(_log(TODAY), "- 18:00 The ladder is back\n" * 5)
    days.until(lambda: (_log(TODAY), 17, "18:00") in _rows(days))
    assert _current(days) == (_log(TODAY - datetime.timedelta(days=2)), "17:10")
    assert abs(entries.visualRect(entries.currentIndex()).top() - before) <= 1


def test_a_line_is_added_to_today_and_taken_back(days: Desk) -> None:
    before = days.read(_log(TODAY))
    _add(days, "Quince jelly")
    days.until(lambda: _said(days) == f"Added to {_log(TODAY)}")
    after = days.read(_log(TODAY))
    assert after.startswith(before)
    added = after[len(before) :]
    assert added.startswith("- ")
    assert added.endswith(" Quince jelly\n")
    days.until(lambda: _rows(days)[11][:2] == (_log(TODAY), 13))
    assert _field(days).text() == ""
    days.qtbot.mouseClick(days.widget(QPushButton, "dayCaptureUndo"), Qt.MouseButton.LeftButton)
    days.until(lambda: days.read(_log(TODAY)) == before)
    days.until(lambda: _field(days).text() == "Quince jelly")


def test_an_open_page_without_unsaved_text_shows_the_added_line(days: Desk) -> None:
    days.do("view.memory")
    days.open(_log(TODAY))
    days.do("day.add")
    days.until(lambda: _field(days).hasFocus())
    _add(days, "Quince jelly")
    days.until(lambda: "Quince jelly" in days.text(_log(TODAY)))
    assert days.state(_log(TODAY)) == "saved"
    assert not days.banner(_log(TODAY))


def test_beside_unsaved_text_the_line_goes_into_the_page(days: Desk) -> None:
    days.open(_log(TODAY))
    days.type(_log(TODAY), "Mine. ")
    before = days.read(_log(TODAY))
    days.do("view.days")
    _add(days, "Quince jelly")
    days.until(lambda: days.text(_log(TODAY)).endswith(" Quince jelly\n"))
    assert days.text(_log(TODAY)).startswith("Mine. ")
    assert days.state(_log(TODAY)) == "unsaved"
    assert days.read(_log(TODAY)) == before
    days.qtbot.mouseClick(days.widget(QPushButton, "dayCaptureUndo"), Qt.MouseButton.LeftButton)
    assert "Quince" not in days.text(_log(TODAY))


def test_a_line_that_cannot_be_written_comes_back_into_the_field(days: Desk, root: Path) -> None:
    os.chmod(root / _log(TODAY), 0o444)
    _add(days, "Quince jelly")
    days.until(lambda: "read-only" in _said(days))
    assert _field(days).text() == "Quince jelly"


def test_a_workspace_without_logs_says_so_and_begins_one(open_desk: Callable[[Path], Desk], tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Memory\n")
    desk = open_desk(root)
    desk.do("view.days")
    desk.until(lambda: desk.shown("dayBegin"))
    _add(desk, "First line")
    desk.until(lambda: (root / f"daily/{TODAY}.md").exists())
    desk.until(lambda: bool(rows_of(_entries(desk))))
    assert (root / f"daily/{TODAY}.md").read_text().endswith("] First line\n")


def test_nothing_logged_today_is_said_with_what_was_last(open_desk: Callable[[Path], Desk], root: Path) -> None:
    (root / _log(TODAY)).unlink()
    desk = open_desk(root)
    desk.do("view.days")
    desk.until(lambda: bool(_rows(desk)))
    wiring = wiring_of(desk.window)
    assert wiring is not None
    assert wiring.days().panel.note.startswith("Nothing logged today (")
    assert wiring.days().panel.note.endswith("Last: yesterday 17:10")


def test_old_logs_are_shown_where_the_last_week_has_none(open_desk: Callable[[Path], Desk], root: Path) -> None:
    for back in range(3):
        (root / _log(TODAY - datetime.timedelta(days=back))).unlink()
    desk = open_desk(root)
    desk.do("view.days")
    desk.until(lambda: ("memory/2025-01-02.md", 1, "12:00") in _rows(desk))


def test_at_midnight_another_day_is_today(days: Desk) -> None:
    wiring = wiring_of(days.window)
    assert wiring is not None
    today: Today = wiring.days().today
    real = today.now
    today.now = lambda: real() + datetime.timedelta(days=1)
    today.check()
    panel = wiring.days().panel
    days.until(lambda: panel.week is not None and panel.week.until == TODAY + datetime.timedelta(days=1))
    assert panel.note.startswith("Nothing logged today (")
    assert panel.week is not None
    assert panel.week.target == _log(TODAY + datetime.timedelta(days=1))


def test_every_part_has_a_name_for_a_screen_reader(days: Desk) -> None:
    panel = days.widget(QWidget, "days")
    for kind in (QPushButton, QLineEdit, QListView, QCalendarWidget):
        for part in panel.findChildren(kind):
            if part.isVisible() and not part.objectName().startswith("qt_"):
                assert part.accessibleName(), part.objectName()


@pytest.mark.parametrize("name", ["view.days", "go.today", "day.add"])
def test_the_days_are_reached_by_an_action(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, name)
    assert action is not None
    action.trigger()
    desk.until(lambda: desk.shown("dayEntries") or desk.shown("dayCapture"))
    assert desk.window.windowTitle().startswith("Days — ")


def test_who_looks_for_something_and_gives_up_is_back_at_the_days(days: Desk) -> None:
    days.do("view.search")
    field = days.widget(QLineEdit, "searchField")
    days.qtbot.keyClicks(field, "crane")
    results = days.widget(QListView, "searchResults")
    assert isinstance(results, QListView)
    days.until(lambda: results.model().rowCount() > 0)
    days.qtbot.keyClick(field, Qt.Key.Key_Down)
    days.until(lambda: days.window.middle == "documents")
    days.qtbot.keyClick(results, Qt.Key.Key_Escape)
    assert days.window.middle == "days"
    days.until(_entries(days).hasFocus)


def test_who_looks_through_the_palette_and_gives_up_is_back_at_the_days(days: Desk) -> None:
    days.do("go.file")
    field = days.widget(QLineEdit, "paletteField")
    days.qtbot.keyClicks(field, "crane")
    days.qtbot.keyClick(field, Qt.Key.Key_Down)
    days.qtbot.keyClick(field, Qt.Key.Key_Escape)
    days.until(lambda: days.window.middle == "days")


def test_a_letter_typed_into_the_field_is_text(days: Desk, qapp: QApplication) -> None:
    before = _current(days)
    _field(days).setFocus()
    days.qtbot.keyClicks(_field(days), "jknpt")
    assert _field(days).text() == "jknpt"
    assert _current(days) == before
