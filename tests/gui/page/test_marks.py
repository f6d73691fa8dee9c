"""What hides in text is shown: always where it deceives, else by the setting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.marks import explained, hidden, marks


@pytest.mark.parametrize(
    ("character", "tag"),
    [
        ("\u200b", "ZWSP"),
        ("\u200d", "ZWJ"),
        ("\u202e", "RLO"),
        ("\u2066", "LRI"),
        ("\ufeff", "BOM"),
        ("\x00", "NUL"),
        ("\x07", "BEL"),
    ],
)
def test_what_deceives_is_marked_whatever_the_setting(character: str, tag: str) -> None:
    for all_kinds in (True, False):
        found = marks(f"a{character}b", all_kinds=all_kinds)
        assert [(mark.start, mark.end, mark.tag) for mark in found] == [(1, 2, tag)]
    assert hidden(f"a{character}") == [character]


@pytest.mark.parametrize("text", ["a\u00a0b", "a\tb", "a  ", "a\u2028b", "a\u3000b"])
def test_blanks_are_marked_by_the_setting(text: str) -> None:
    assert marks(text, all_kinds=True)
    assert not marks(text, all_kinds=False)


def test_joiners_are_marked_only_where_they_do_not_join() -> None:
    family = "👩\u200d👩\u200d👧"
    assert (marks(family, all_kinds=True), hidden(family)) == ([], [])
    assert hidden(f"{family} a\u200db می\u200cخواهم") == ["\u200d"]


def test_ordinary_text_has_no_marks() -> None:
    assert marks("plain text, 中文, é, עברית, 😀", all_kinds=True) == []


def picture(editor: MemoryEditor) -> QImage:
    return editor.viewport().grab().toImage()


def test_the_marks_can_be_seen_and_follow_the_setting(editor: MemoryEditor) -> None:
    editor.clearFocus()
    editor.show_lines(Lines.split("a\u200bb"))
    marked = picture(editor)
    editor.set_show_invisibles(False)
    assert picture(editor) == marked
    editor.show_lines(Lines.split("ab"))
    assert picture(editor) != marked
    editor.show_lines(Lines.split("a\tb"))
    without = picture(editor)
    editor.set_show_invisibles(True)
    assert picture(editor) != without


def test_endings_are_named_where_they_are_mixed(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split("a\nb\nc\n"))
    uniform = picture(editor)
    editor.show_lines(Lines.split("a\nb\rc\n"))
    assert picture(editor) != uniform


def test_the_gutter_names_what_hides_in_a_line(editor: MemoryEditor, qtbot: QtBot) -> None:
    editor.show_lines(Lines.split("a\u200bb\u202ec\n"))
    QApplication.sendEvent(editor.gutter, QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(2, 8), QPoint(2, 8)))
    assert QToolTip.text().splitlines()[1:] == ["U+200B zero width space", "U+202E right-to-left override"]
    QToolTip.hideText()
    assert explained("\x07") == "U+0007 bel"


def test_the_gutter_grows_with_the_font_and_the_count(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split("a\n"))
    narrow = editor.gutter.width()
    editor.show_lines(Lines.split("a\n" * 20_000))
    assert editor.gutter.width() > narrow
    font = editor.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    editor.setFont(font)
    assert editor.gutter.wanted_width() > 1.6 * narrow
