"""A note for agents after a rejection: offered where that is wanted, written as the person, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from memgui.ops.preferences import Settings
from tests.gui.review.conftest import ReviewDesk

NOTES, MEMORY = "projects/notes.md", "MEMORY.md"
LINE = "- Leave the opening hours of shops out.\n"


@pytest.fixture
def asking(qtbot: QtBot, qapp: QApplication, workspace_root: Path) -> Iterator[ReviewDesk]:
    """A person who wants to be asked, before a change of projects/notes.md."""
    settings = Settings(appearance="light", autosave_seconds=0.0, note_after_reject=True)
    desk = ReviewDesk(qtbot, workspace_root, settings)
    desk.append(NOTES, "Café Anker opens at eight.\n")
    desk.show(NOTES)
    yield desk
    desk.window.close()


def _field(desk: ReviewDesk) -> QLineEdit:
    field = desk.widget(QLineEdit, "rejectionNoteField")
    assert isinstance(field, QLineEdit)
    return field


def _leave_note(desk: ReviewDesk) -> None:
    QTest.keyClicks(_field(desk), LINE.removeprefix("- ").strip())
    QTest.keyClick(_field(desk), Qt.Key.Key_Return)


def test_nothing_is_asked_unless_that_is_wanted(desk: ReviewDesk) -> None:
    desk.append(NOTES, "Café Anker opens at eight.\n")
    desk.show(NOTES)
    desk.do("review.reject")
    desk.until(lambda: desk.rows() == [])
    assert not desk.shown("rejectionNote")
    desk.do("review.note")
    desk.until(lambda: desk.shown("rejectionNote"))
    assert _field(desk).hasFocus()


def test_a_rejection_asks_and_takes_no_keyboard(asking: ReviewDesk) -> None:
    asking.panel.list.setFocus()
    asking.do("review.reject")
    asking.until(lambda: asking.shown("rejectionNote"))
    assert "Add a note to MEMORY.md?" in asking.panel.note.said
    assert not _field(asking).hasFocus()


def test_accepting_asks_nothing(asking: ReviewDesk) -> None:
    asking.do("review.accept")
    asking.until(lambda: asking.rows() == [])
    assert not asking.shown("rejectionNote")


def test_the_note_goes_into_memory_as_the_persons_and_is_taken_back(asking: ReviewDesk) -> None:
    before = asking.read(MEMORY)
    asking.do("review.reject")
    asking.until(lambda: asking.shown("rejectionNote"))
    _leave_note(asking)
    asking.until(lambda: asking.read(MEMORY) == before + LINE)
    asking.until(lambda: asking.shown("noteUndo"))
    asking.until(lambda: asking.rows() == [])
    asking.click("noteUndo")
    asking.until(lambda: asking.read(MEMORY) == before)
    asking.until(lambda: _field(asking).text() == LINE.removeprefix("- ").strip())


def test_a_note_joins_the_unsaved_text_of_an_open_page(asking: ReviewDesk) -> None:
    before = asking.read(MEMORY)
    asking.open(MEMORY)
    asking.type(MEMORY, "mine ")
    asking.show(NOTES)
    asking.do("review.reject")
    asking.until(lambda: asking.shown("rejectionNote"))
    _leave_note(asking)
    asking.until(lambda: asking.text(MEMORY) == "mine " + before + LINE)
    assert asking.read(MEMORY) == before
    asking.click("noteUndo")
    assert asking.text(MEMORY) == "mine " + before


def test_escape_puts_it_away_and_the_keys_decide_again(asking: ReviewDesk) -> None:
    asking.append("memory/2026-11-30.md", "08:00 Later.\n")
    asking.wait_for(NOTES, "memory/2026-11-30.md")
    asking.show(NOTES)
    asking.do("review.reject")
    asking.until(lambda: asking.shown("rejectionNote"))
    QTest.keyClick(asking.panel.list, Qt.Key.Key_N)
    asking.until(lambda: _field(asking).hasFocus())
    QTest.keyClicks(_field(asking), "arn")
    assert _field(asking).text() == "arn"
    QTest.keyClick(_field(asking), Qt.Key.Key_Escape)
    assert not asking.shown("rejectionNote")
    assert asking.panel.list.hasFocus()
