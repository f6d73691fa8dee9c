"""The list of what would change."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.gui.panels.page.differing import LONGEST, DifferenceList
from memgui.gui.panels.page.differing_rows import DifferingRole


@pytest.fixture
def listed(qtbot: QtBot) -> DifferenceList:
    made = DifferenceList()
    qtbot.addWidget(made)
    made.resize(400, 600)
    made.show()
    return made


def told(listed: DifferenceList, old: str, new: str) -> list[str]:
    listed.show_difference(Lines.split(old), Lines.split(new))
    return [listed.item(row).text() for row in range(listed.count())]


def changed(listed: DifferenceList, row: int) -> str:
    item = listed.item(row)
    start, end = item.data(DifferingRole.CHANGED)
    return item.text()[start:end]


def test_lines_are_numbered_as_they_stand_on_their_own_side(listed: DifferenceList) -> None:
    assert told(listed, "a\nb\nc\nd\n", "new\na\nb\nc\nD\n") == ["+    1  new", "−    4  d", "+    5  D"]


def test_a_long_line_turns_at_the_edge(listed: DifferenceList) -> None:
    told(listed, "", "word " * 60)
    one_line = listed.fontMetrics().height()
    assert listed.visualItemRect(listed.item(1)).height() > 4 * one_line
    assert listed.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert listed.visualItemRect(listed.item(1)).width() <= listed.viewport().width()


def test_a_change_far_in_a_long_line_is_shown(listed: DifferenceList) -> None:
    common, rest = "word " * 2_000, " and on" * 2_000
    old, new = told(listed, f"{common}old{rest}", f"{common}new{rest}")
    assert old.startswith("−    1  …")
    assert "old" in old
    assert "new" in new
    assert max(len(old), len(new)) < LONGEST
    assert new.endswith("…")


def test_what_is_new_in_a_line_is_marked_by_whole_words(listed: DifferenceList) -> None:
    told(listed, "He brought the cake once.", "He brought the coke twice.")
    assert changed(listed, 0) == "cake once"
    assert changed(listed, 1) == "coke twice"


def test_what_cannot_be_seen_is_labelled(listed: DifferenceList) -> None:
    assert told(listed, "safe\n", "sa\u200bfe\n")[1] == "+    1  sa‹U+200B ZWSP›fe"
