"""What keys do to Markdown lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.gui.panels.page.editor import MemoryEditor

Key, Mod = Qt.Key, Qt.KeyboardModifier


def at(editor: MemoryEditor, text: str) -> None:
    """Show the text, with the caret where `|` stands (and the selection from `[` to `|`)."""
    plain = text.replace("|", "")
    editor.show_lines(Lines.split(plain.replace("[[", "")))
    flat = text.replace("\r\n", "\n")
    cursor = QTextCursor(editor.document())
    if "[[" in flat:
        cursor.setPosition(flat.index("[["))
        cursor.setPosition(flat.replace("[[", "").index("|"), QTextCursor.MoveMode.KeepAnchor)
    else:
        cursor.setPosition(flat.index("|"))
    editor.setTextCursor(cursor)


def text(editor: MemoryEditor) -> str:
    """The text, with `|` at the caret; for texts of ASCII and LF."""
    lines, place = editor.lines().joined(), editor.textCursor().position()
    return lines[:place] + "|" + lines[place:]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- one|\n", "- one\n- |\n"),
        ("  * one|", "  * one\n  * |"),
        ("- [ ] one|", "- [ ] one\n- [ ] |"),
        ("- [x] done|", "- [x] done\n- [ ] |"),
        ("9. nine|", "9. nine\n10. |"),
        ("2) two|", "2) two\n3) |"),
        ("> - quoted|", "> - quoted\n> - |"),
        ("- on|e", "- on\n- |e"),
        ("- |", "|"),
        ("- one\n- [ ] |\nrest", "- one\n|\nrest"),
        ("|- one", "\n|- one"),
        ("plain|", "plain\n|"),
        ("```\n- code|\n```", "```\n- code\n|\n```"),
    ],
)
def test_enter_goes_on_with_a_list_and_ends_it_at_an_empty_item(
    editor: MemoryEditor, qtbot: QtBot, before: str, after: str
) -> None:
    at(editor, before)
    qtbot.keyClick(editor, Key.Key_Return)
    assert text(editor) == after
    editor.undo()
    assert editor.lines().joined() == before.replace("|", "")


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("one\ntw|o\nthree", Key.Key_Up, "tw|o\none\nthree"),
        ("one\ntw|o\nthree", Key.Key_Down, "one\nthree\ntw|o"),
        ("o|ne\ntwo", Key.Key_Up, "o|ne\ntwo"),
        ("one\ntwo|", Key.Key_Down, "one\ntwo|"),
    ],
)
def test_alt_and_an_arrow_move_the_line(editor: MemoryEditor, qtbot: QtBot, before: str, key: Key, after: str) -> None:
    at(editor, before)
    qtbot.keyClick(editor, key, Mod.AltModifier)
    assert text(editor) == after


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("a\r\nb|\nc\r\nd", Key.Key_Up, "b\na\r\nc\r\nd"),
        ("a\r\nb|\nc\r\nd", Key.Key_Down, "a\r\nc\r\nb\nd"),
        ("a\r\nb\nc|", Key.Key_Up, "a\r\nc\nb"),
        ("[[a\r\nb|\nc\r", Key.Key_Down, "c\ra\r\nb\n"),
    ],
)
def test_moved_lines_take_their_endings_along(
    editor: MemoryEditor, qtbot: QtBot, before: str, key: Key, after: str
) -> None:
    at(editor, before)
    qtbot.keyClick(editor, key, Mod.AltModifier)
    assert editor.lines().joined() == after
    editor.undo()
    assert editor.lines().joined() == before.replace("|", "").replace("[[", "")


def test_tab_puts_in_a_tab_and_deepens_lists_and_selections(editor: MemoryEditor, qtbot: QtBot) -> None:
    at(editor, "a|")
    qtbot.keyClick(editor, Key.Key_Tab)
    assert text(editor) == "a\t|"
    at(editor, "- it|em")
    qtbot.keyClick(editor, Key.Key_Tab)
    assert text(editor) == "  - it|em"
    qtbot.keyClick(editor, Key.Key_Backtab, Mod.ShiftModifier)
    assert text(editor) == "- it|em"
    at(editor, "[[a\n\nb\n|c")
    qtbot.keyClick(editor, Key.Key_Tab)
    assert editor.lines().joined() == "  a\n\n  b\nc"
    qtbot.keyClick(editor, Key.Key_Backtab, Mod.ShiftModifier)
    assert editor.lines().joined() == "a\n\nb\nc"


@pytest.fixture
def beside(qtbot: QtBot) -> Iterator[tuple[MemoryEditor, QLineEdit]]:
    """An editor with a field after it, in a window that has the keyboard."""
    window = QWidget()
    qtbot.addWidget(window)
    editor, field = MemoryEditor(window), QLineEdit(window)
    box = QVBoxLayout(window)
    box.addWidget(editor)
    box.addWidget(field)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    editor.setFocus()
    yield editor, field
    window.close()


def test_control_m_lets_tab_move_the_focus(beside: tuple[MemoryEditor, QLineEdit], qtbot: QtBot) -> None:
    editor, field = beside
    qtbot.keyClick(editor, Key.Key_Tab)
    assert editor.hasFocus()
    with qtbot.waitSignal(editor.tab_mode_changed):
        qtbot.keyClick(editor, Key.Key_M, Mod.ControlModifier)
    qtbot.keyClick(editor, Key.Key_Tab)
    assert field.hasFocus()
    assert editor.lines().joined() == "\t"


def test_a_read_only_page_never_traps_tab(beside: tuple[MemoryEditor, QLineEdit], qtbot: QtBot) -> None:
    editor, field = beside
    editor.set_locked(True)
    qtbot.keyClick(editor, Key.Key_Tab)
    assert field.hasFocus()


def test_the_wheel_with_control_asks_for_zoom_and_does_not_scroll(editor: MemoryEditor, qtbot: QtBot) -> None:
    editor.show_lines(Lines.split("x\n" * 500))
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Mod.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    with qtbot.waitSignal(editor.zoom_requested) as asked:
        QApplication.sendEvent(editor.viewport(), event)
    assert asked.args == [-1]
    assert editor.verticalScrollBar().value() == 0


@pytest.mark.parametrize("key", [Key.Key_K, Key.Key_F, Key.Key_S, Key.Key_W, Key.Key_D])
def test_the_windows_own_keys_pass_by(editor: MemoryEditor, qtbot: QtBot, key: Key) -> None:
    at(editor, "one| two")
    qtbot.keyClick(editor, key, Mod.ControlModifier)
    assert text(editor) == "one| two"
