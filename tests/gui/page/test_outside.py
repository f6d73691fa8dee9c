"""What other programs write while a page is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QInputMethodEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.gui.notices import Notice
from memgui.gui.panels.page.adopting import adopt
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result
from tests.gui.page.test_bytes import desk, texts

__all__ = ["desk"]

BASE = b"one\r\ntwo\nthree\n"


def press(page: Page, name: str) -> None:
    button = page.banner.findChild(QPushButton, name)
    assert button is not None
    button.click()


# Pages without unsaved text ----------------------------------------------------------------------------------------


def test_a_clean_page_takes_the_disk_in_and_nothing_moves(shown: Callable[..., Page], qtbot: QtBot) -> None:
    lines = [b"line %d" % number for number in range(400)]
    page = shown(b"\n".join(lines))
    page.go_to(200, 3)
    page.editor.verticalScrollBar().setValue(180)
    cursor = page.editor.textCursor()
    cursor.setPosition(cursor.position() + 3, QTextCursor.MoveMode.KeepAnchor)
    page.editor.setTextCursor(cursor)
    page.editor.verticalScrollBar().setValue(180)
    lines[2:2] = [b"new", b"newer"]
    lines[300] = b"other"
    page.apply_disk(document(b"\n".join(lines)))
    assert page.text_bytes() == b"\n".join(lines)
    assert page.editor.textCursor().selectedText() == "ne "
    assert page.editor.textCursor().blockNumber() == 201
    assert page.editor.firstVisibleBlock().text() == "line 180"
    assert page.state is DocumentState.SAVED


def test_a_line_appended_at_the_caret_does_not_push_it(shown: Callable[..., Page]) -> None:
    page = shown(b"a\nb")
    page.editor.moveCursor(QTextCursor.MoveOperation.End)
    page.apply_disk(document(b"a\nb\nc\n"))
    assert page.editor.textCursor().position() == 3


def test_a_touched_file_is_no_news(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(BASE))
    assert page.banner.kind == ""
    assert page.state is DocumentState.UNSAVED


def test_undo_goes_back_through_the_agents_line_and_then_my_typing(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.saved(result(heard.saves[0]))
    page.apply_disk(document(b"mine " + BASE + b"agent\n"))
    assert page.editor.lines().joined().endswith("agent\n")
    page.editor.undo()
    assert page.text_bytes() == b"mine " + BASE
    assert [notice.property("kind") for notice in page.notices.findChildren(Notice)] == ["undo-outside"]
    page.editor.undo()
    assert page.text_bytes() == BASE
    page.save()
    page.autosave()
    assert len(heard.saves) == 1
    page.editor.redo()
    page.editor.redo()
    assert page.notices.kinds == ()
    assert page.state is DocumentState.SAVED


def test_saving_waits_after_such_an_undo_until_the_person_says_so(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    page.apply_disk(document(BASE + b"agent\n"))
    page.editor.undo()
    qtbot.keyClicks(page.editor, "and new text over it ")
    dismiss = page.notices.findChild(QPushButton, "noticeDismiss")
    assert dismiss is not None
    dismiss.click()
    page.save()
    assert heard.saves == []
    assert page.notices.kinds == ("undo-outside",)
    actions = page.notices.findChildren(QPushButton, "noticeAction")
    next(button for button in actions if button.isVisible()).click()
    assert heard.saves[0].data == b"and new text over it " + BASE
    assert page.notices.kinds == ()


def test_the_pill_takes_no_focus(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    page.apply_disk(document(b"x" + BASE))
    page.editor.undo()
    for button in page.notices.findChildren(QPushButton):
        assert button.focusPolicy() is Qt.FocusPolicy.NoFocus


@given(old=texts, new=texts, caret=st.floats(0, 1))
def test_any_text_becomes_any_other_in_one_step_of_undo(desk: MemoryEditor, old: str, new: str, caret: float) -> None:
    desk.show_lines(Lines.split(old))
    cursor = desk.textCursor()
    cursor.setPosition(int(caret * (desk.document().characterCount() - 1)))
    desk.setTextCursor(cursor)
    adopt(desk, Lines.split(new))
    assert desk.lines().joined() == new
    if old != new:
        desk.undo()
        assert desk.lines().joined() == old
        assert not desk.document().isUndoAvailable()
        desk.redo()
        assert desk.lines().joined() == new


# Pages with unsaved text -------------------------------------------------------------------------------------------


def test_unsaved_text_is_never_replaced(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"agent\n"))
    assert page.text_bytes() == b"mine " + BASE
    assert page.state is DocumentState.CONFLICT
    assert page.banner.property("kind") == "conflict"
    assert heard.journal[-1].data == b"mine " + BASE
    page.save()
    page.autosave()
    assert heard.saves == []


def test_fifty_writes_are_one_banner_with_the_latest(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    for number in range(50):
        page.apply_disk(document(b"agent %d\n" % number))
    assert "50 writes" in page.banner.text
    said = page.banner.findChild(QLabel, "bannerText")
    assert said is not None
    assert said.accessibleName() == page.banner.text
    press(page, "takeTheirs")
    assert page.text_bytes() == b"agent 49\n"
    assert heard.kept == [b"mine " + BASE]
    assert page.state is DocumentState.SAVED
    assert page.banner.kind == ""


def test_a_hidden_banner_comes_back_with_the_save(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"agent\n"))
    page.banner._put_away()
    assert page.banner.kind == ""
    assert page.state is DocumentState.CONFLICT
    page.save()
    assert page.banner.kind == "conflict"
    assert heard.saves == []


def test_keeping_mine_names_the_bytes_it_replaces_and_keeps_the_other_side(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"agent\n"))
    button = page.banner.findChild(QPushButton, "keepMine")
    assert button is not None
    assert button.text() == "Keep mine (replace file)"
    button.click()
    assert heard.kept == [b"agent\n"]
    assert heard.saves[0].data == b"mine " + BASE
    assert heard.saves[0].expected == document(b"agent\n").fingerprint
    page.saved(result(heard.saves[0]))
    assert page.state is DocumentState.SAVED


def test_taking_theirs_can_be_undone(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"agent\n"))
    press(page, "takeTheirs")
    page.editor.undo()
    assert page.text_bytes() == b"mine " + BASE
    assert page.notices.kinds == ("undo-outside",)


def test_the_difference_can_be_seen_before_choosing(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"one\ntwo\n")
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"One\ntwo\nagent\n"))
    press(page, "showDifference")
    rows = page.banner.difference
    assert [rows.item(row).text() for row in range(rows.count())] == [
        "−    1  mine one",
        "+    1  One",
        "+    3  agent",
    ]
    page.apply_disk(document(b"mine, one\ntwo\n"))
    assert [rows.item(row).text() for row in range(rows.count())] == ["−    1  mine one", "+    1  mine, one"]


def test_the_disk_coming_back_to_my_very_text_is_no_conflict(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"agent\n"))
    page.apply_disk(document(b"mine " + BASE))
    assert page.state is DocumentState.SAVED
    assert page.banner.kind == ""


def test_a_write_that_lands_right_after_ours_is_taken_in(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.apply_disk(document(b"mine " + BASE + b"agent\n"))
    page.saved(result(heard.saves[0]))
    assert page.text_bytes() == b"mine " + BASE + b"agent\n"
    assert page.state is DocumentState.SAVED
    assert page.banner.kind == ""


# Deleted files -----------------------------------------------------------------------------------------------------


def test_a_deleted_file_leaves_its_text_here_and_restore_writes_it_back(
    shown: Callable[..., Page], heard: Heard
) -> None:
    page = shown(BASE)
    page.deleted()
    assert (page.state, page.sentence) == (DocumentState.DELETED, "Deleted on disk 14:03 – Restore")
    assert heard.kept == [BASE]
    page.autosave()
    assert heard.saves == []
    press(page, "restoreFile")
    assert (heard.saves[0].data, heard.saves[0].expected) == (BASE, None)
    page.saved(result(heard.saves[0]))
    assert page.state is DocumentState.SAVED


def test_a_deleted_file_that_comes_back_meets_what_was_typed(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    page.deleted()
    page.apply_disk(document(b"back\n"))
    assert page.text_bytes() == b"back\n"
    qtbot.keyClicks(page.editor, "mine ")
    page.deleted()
    assert page.banner.kind == "deleted"
    page.apply_disk(document(b"again\n"))
    assert page.banner.kind == "conflict"
    assert page.text_bytes() == b"mine back\n"


# What must not be disturbed ----------------------------------------------------------------------------------------


def compose(page: Page, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(page.editor, event)


def test_nothing_is_applied_while_an_input_method_composes(shown: Callable[..., Page]) -> None:
    page = shown(b"one\n")
    page.go_to(1, 4)
    compose(page, "にほ")
    page.apply_disk(document(b"one\nagent\n"))
    assert page.editor.lines().joined() == "one\n"
    compose(page, "", "日本")
    assert page.editor.lines().joined() == "one日本\nagent\n"
    assert page.state is DocumentState.MERGED


def test_an_abandoned_composition_lets_the_change_in(shown: Callable[..., Page]) -> None:
    page = shown(b"one\n")
    compose(page, "に")
    page.apply_disk(document(b"one\nagent\n"))
    page.apply_disk(document(b"one\nagent\nagain\n"))
    compose(page, "")
    assert page.text_bytes() == b"one\nagent\nagain\n"


@pytest.mark.parametrize("moved", [False, True])
def test_nothing_is_applied_while_the_mouse_selects(shown: Callable[..., Page], moved: bool) -> None:
    page = shown(b"one\n")

    def mouse(kind: QEvent.Type, buttons: Qt.MouseButton) -> None:
        left = Qt.MouseButton.LeftButton
        event = QMouseEvent(kind, QPointF(9, 9), QPointF(9, 9), left, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(page.editor.viewport(), event)

    mouse(QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton)
    page.apply_disk(document(b"one\nagent\n"))
    assert page.text_bytes() == b"one\n"
    if moved:
        # As after a drag: the button is up, and the editor never saw its release.
        mouse(QEvent.Type.MouseMove, Qt.MouseButton.LeftButton)
    else:
        mouse(QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton)
    assert page.text_bytes() == b"one\nagent\n"


def test_nothing_is_applied_under_an_open_menu(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"one\n")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(9, 9), page.editor.mapToGlobal(QPoint(9, 9)))
    QApplication.sendEvent(page.editor.viewport(), event)
    menu = page.editor.findChild(QMenu)
    assert menu is not None
    page.apply_disk(document(b"one\nagent\n"))
    assert page.text_bytes() == b"one\n"
    menu.close()
    assert page.text_bytes() == b"one\nagent\n"


def test_a_page_becomes_protected_when_the_settings_say_so(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    page.set_protected(True)
    qtbot.keyClicks(page.editor, "x")
    assert page.state is DocumentState.PROTECTED
    page.set_protected(False)
    qtbot.keyClicks(page.editor, "x")
    assert page.text_bytes() == b"x" + BASE
