"""A protected page lets nothing in by any way, until the person unlocks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result

SOUL = b"# Soul\r\n\r\nCalm and exact.\n"


def button(page: Page, name: str) -> QPushButton:
    found = page.findChild(QPushButton, name)
    assert found is not None
    return found


def mime(text: str) -> QMimeData:
    data = QMimeData()
    data.setText(text)
    return data


def keys(page: Page, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.editor, "abc")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
        qtbot.keyClick(page.editor, key)
    for key in (Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Z, Qt.Key.Key_Y):
        qtbot.keyClick(page.editor, key, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)


def input_method(page: Page, qtbot: QtBot) -> None:
    for preedit, commit in (("にほ", ""), ("", "日本")):
        event = QInputMethodEvent(preedit, [])
        event.setCommitString(commit)
        QApplication.sendEvent(page.editor, event)


def drop(page: Page, qtbot: QtBot) -> None:
    data = mime("dropped")
    event = QDropEvent(
        QPointF(20, 20),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(page.editor.viewport(), event)
    page.editor.dropEvent(event)


def paste(page: Page, qtbot: QtBot) -> None:
    QApplication.clipboard().setText("pasted")
    page.editor.paste()
    page.editor.insertFromMimeData(mime("pasted"))
    page.editor.insertPlainText("pasted")
    page.editor.appendPlainText("pasted")
    page.editor.setPlainText("pasted")
    page.editor.clear()


def cut_and_undo(page: Page, qtbot: QtBot) -> None:
    page.editor.selectAll()
    page.editor.cut()
    page.editor.undo()
    page.editor.redo()


def replace(page: Page, qtbot: QtBot) -> None:
    page.find_bar.open_replace()
    qtbot.keyClicks(page.find_bar.findChild(type(page.find_bar._field), "findField"), "Calm")
    page.find_bar.replace_one()
    page.find_bar.replace_all()


@pytest.mark.parametrize("way", [keys, input_method, drop, paste, cut_and_undo, replace])
def test_nothing_gets_into_a_locked_page(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot, way: Callable[[Page, QtBot], None]
) -> None:
    page = shown(SOUL, protected=True)
    way(page, qtbot)
    assert page.text_bytes() == SOUL
    assert page.state is DocumentState.PROTECTED
    page.save()
    assert heard.saves == []


def test_a_locked_page_lets_its_text_be_selected_and_copied(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(SOUL, protected=True)
    qtbot.keyClick(page.editor, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(page.editor, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "# Soul"
    assert page.editor.isReadOnly()
    assert not page.editor.canInsertFromMimeData(mime("x"))


def test_unlocking_asks_inline_and_says_what_it_means(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(SOUL, protected=True)
    said = page.lock_bar.findChild(QLabel, "lockText")
    assert said is not None
    assert page.lock_bar.isVisible()
    assert "memgui will not write this. Other programs can, and you will see it." in said.text()
    assert not button(page, "unlockConfirm").isVisible()
    button(page, "unlockButton").click()
    assert "instructions" in said.text()
    with qtbot.waitSignal(page.lock_changed) as told:
        button(page, "unlockConfirm").click()
    assert told.args == ["MEMORY.md", True]
    qtbot.keyClicks(page.editor, "x")
    assert page.text_bytes() == b"x" + SOUL
    assert page.state is DocumentState.UNSAVED


def unlocked(page: Page) -> Page:
    button(page, "unlockButton").click()
    button(page, "unlockConfirm").click()
    return page


def test_saving_an_unlocked_file_asks_once_with_its_difference(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = unlocked(shown(SOUL, protected=True))
    page.go_to(3)
    qtbot.keyClicks(page.editor, "Very ")
    page.save()
    assert heard.saves == []
    listed = page.lock_bar.findChild(QListWidget, "difference")
    assert listed is not None
    assert [listed.item(row).text() for row in range(listed.count())] == [
        "−    3  Calm and exact.",
        "+    3  Very Calm and exact.",
    ]
    assert listed.item(1).data(Qt.ItemDataRole.AccessibleTextRole) == "added line 3: Very Calm and exact."
    button(page, "saveConfirm").click()
    assert [(save.data, save.unlocked) for save in heard.saves] == [(SOUL.replace(b"Calm", b"Very Calm"), True)]
    page.saved(result(heard.saves[0]))
    assert page.state is DocumentState.SAVED
    page.save()
    assert len(heard.saves) == 1


def test_an_unlocked_file_is_never_saved_by_itself(
    shown: Callable[..., Page], heard: Heard, page: Page, qtbot: QtBot
) -> None:
    page.set_options(PageOptions(autosave_seconds=0.001, journal_seconds=0.02))
    unlocked(shown(SOUL, protected=True))
    qtbot.keyClicks(page.editor, "x")
    qtbot.waitUntil(lambda: bool(heard.journal))
    page.autosave()
    page.try_to_close()
    assert heard.saves == []
    assert page.lock_bar.is_asking


def test_discarded_changes_become_a_kept_copy(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = unlocked(shown(SOUL, protected=True))
    qtbot.keyClicks(page.editor, "x")
    page.save()
    button(page, "saveDrop").click()
    assert page.text_bytes() == SOUL
    assert heard.kept == [b"x" + SOUL]
    assert not page.is_dirty


def test_it_locks_itself_when_left_alone(shown: Callable[..., Page], page: Page, qtbot: QtBot) -> None:
    page.set_options(PageOptions(relock_seconds=0.05, autosave_seconds=0))
    with qtbot.waitSignals([page.lock_changed, page.lock_changed]):
        unlocked(shown(SOUL, protected=True))
    assert page.is_locked
    assert page.editor.isReadOnly()


def test_locking_keeps_typed_text_and_asks_about_it(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = unlocked(shown(SOUL, protected=True))
    qtbot.keyClicks(page.editor, "x")
    page.lock()
    assert page.text_bytes() == b"x" + SOUL
    assert page.editor.isReadOnly()
    assert heard.journal[-1].data == b"x" + SOUL
    assert button(page, "saveConfirm").isVisible()
    button(page, "saveConfirm").click()
    assert heard.saves[0].unlocked


def test_an_outside_write_to_a_locked_page_is_shown(shown: Callable[..., Page]) -> None:
    page = shown(SOUL, protected=True)
    page.apply_disk(document(SOUL + b"New.\n"))
    assert page.text_bytes() == SOUL + b"New.\n"
    assert page.state is DocumentState.PROTECTED
