"""The frame: places, panes, panel, placement, settings, and names for a screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.watch import WatchState
from memgui.gui import theme
from memgui.gui.actions import Context
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.panels.status import CaretPlace
from memgui.gui.panels.welcome import WelcomePanel
from memgui.gui.state import DocumentState, Placement
from memgui.gui.window import MainWindow
from memgui.ops.preferences import Settings
from tests.gui.shell_values import STATES, arranged


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = MainWindow()
    qtbot.addWidget(made)
    panel = MemoryPanel()
    panel.show_workspace(*arranged(), STATES)
    made.place_memory(panel)
    search = QLineEdit()
    search.setAccessibleName("search")
    made.place_search(search)
    editor = QPlainTextEdit()
    editor.setAccessibleName("editor")
    made.place_documents(editor)
    made.show_middle("documents")
    made.show_context(Context(workspace=True, document=True))
    made.resize(1100, 700)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.choices.show_settings(Settings(appearance="light"))


def test_it_has_the_public_name_and_is_not_ready_by_itself(window: MainWindow) -> None:
    assert window.objectName() == "mainWindow"
    assert window.property("ready") is False
    assert window.property("indexed") is False
    assert QGuiApplication.desktopFileName() == "org.memgui.Memgui"


def test_the_side_shows_memory_or_search(window: MainWindow, qtbot: QtBot) -> None:
    assert window.side == "memory"
    window.show_side("search")
    assert window.side == "search"
    button = window.findChild(QWidget, "side.memory")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.side == "memory"


def test_the_side_panel_hides_and_the_keyboard_goes_to_the_page(window: MainWindow) -> None:
    window.focus_pane(window.panes()[0])
    window.action("view.side_panel").trigger()
    assert not window.frame.side_shown
    assert not window.action("view.side_panel").isChecked()
    assert isinstance(window.focusWidget(), QPlainTextEdit)
    window.action("view.side_panel").trigger()
    assert window.frame.side_shown


def test_f6_goes_through_the_panes_and_comes_back(window: MainWindow) -> None:
    window.focus_pane(window.panes()[0])
    first = window.focusWidget()
    seen = []
    for _ in window.panes():
        window.action("view.next_pane").trigger()
        seen.append(window.focusWidget())
    assert seen[-1] is first
    assert any(isinstance(widget, QPlainTextEdit) for widget in seen)
    window.action("view.previous_pane").trigger()
    assert window.focusWidget() is seen[-2]


def test_where_it_is_narrow_the_side_panel_is_a_drawer(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(520, 500)
    qtbot.waitUntil(lambda: window.frame.is_narrow)
    assert not window.frame.side_shown
    window.action("view.side_panel").trigger()
    assert window.frame.side_shown
    window.findChild(QPlainTextEdit).setFocus()  # type: ignore[union-attr]
    assert not window.frame.side_shown
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: not window.frame.is_narrow)
    assert window.frame.side_shown


def test_escape_closes_the_drawer(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(520, 500)
    qtbot.waitUntil(lambda: window.frame.is_narrow)
    window.show_side("memory")
    tree = window.findChild(QWidget, "workspaceTree")
    assert tree is not None
    qtbot.keyClick(tree, Qt.Key.Key_Escape)
    assert not window.frame.side_shown


def test_a_side_panel_that_only_had_no_room_stands_there_next_time(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(520, 500)
    qtbot.waitUntil(lambda: window.frame.is_narrow and not window.frame.side_shown)
    assert window.placement().side_shown


def test_enter_presses_the_button_that_has_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    button = QPushButton("Unlock", window.empty_state)
    button.show()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Return)


def test_it_gets_no_smaller_than_its_text_can_bear(window: MainWindow) -> None:
    assert window.minimumSize() == QSize(480, 360)
    window.choices.show_settings(Settings(appearance="light", zoom=200))
    window.resize(480, 360)
    assert window.size() == QSize(480, 360)


def test_a_place_off_every_screen_is_brought_back(window: MainWindow) -> None:
    window.place_at(Placement(x=9000, y=9000, width=4000, height=300, side_width=333))
    room = QGuiApplication.primaryScreen().availableGeometry()
    assert room.contains(window.geometry())
    assert window.frame.side_width == 333
    assert window.placement().side_width == 333


def test_the_welcome_page_stands_alone(window: MainWindow) -> None:
    window.place_welcome(WelcomePanel())
    window.show_middle("welcome")
    assert not window.frame.side_shown
    assert not window.status.isVisible()


def test_actions_tell_their_ids(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.action_chosen) as chosen:
        window.action("workspace.reconcile").trigger()
    assert chosen.args == ["workspace.reconcile"]


def test_zoom_and_appearance_are_in_force_at_once_and_asked_to_be_kept(window: MainWindow, qtbot: QtBot) -> None:
    window.choices.show_settings(Settings(appearance="light"))
    with qtbot.waitSignal(window.settings_requested) as kept:
        window.action("view.zoom_in").trigger()
    assert kept.args[0].zoom == 110
    assert theme.theme().zoom == 110
    with qtbot.waitSignal(window.settings_requested) as kept:
        window.action("view.appearance").trigger()
    assert kept.args[0].appearance == "dark"
    assert theme.current().dark


def test_showing_settings_asks_for_nothing(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(window.settings_requested):
        window.choices.show_settings(Settings(appearance="dark", zoom=150, wrap_lines=False))
    assert not window.action("view.wrap").isChecked()


def test_copy_and_paste_act_where_the_keyboard_is(window: MainWindow) -> None:
    editor = window.findChild(QPlainTextEdit)
    assert editor is not None
    editor.setPlainText("one")
    editor.setFocus()
    for name in ("edit.select_all", "edit.copy", "edit.cut", "edit.paste", "edit.paste"):
        window.action(name).trigger()
    assert editor.toPlainText() == "oneone"


def test_closing_is_told_before_it_happens(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.closing):
        window.close()


# The status bar --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", list(WatchState))
def test_the_watch_is_told_in_words(window: MainWindow, state: WatchState) -> None:
    window.status.show_watch(state)
    assert window.status.watch.text()
    assert window.status.watch.text() in window.status.watch.accessibleName()
    assert window.status.watch.accessibleDescription()


def test_the_status_bar_tells_of_index_caret_and_save(window: MainWindow) -> None:
    assert window.status.index.text() == ""
    window.status.show_index(0, 0)
    assert window.status.index.text() == "No files"
    window.status.show_index(40, 100)
    assert "40 of 100" in window.status.index.text()
    window.status.show_index(100, 100)
    assert "100 files" in window.status.index.text()
    window.status.show_caret(CaretPlace(4, 12, 812, "UTF-8", "CRLF"))
    assert window.status.caret.text() == "Ln 4, Col 12"
    assert "CRLF" in window.status.text_kind.text()
    window.status.show_save(DocumentState.NOT_SAVED, "Not saved: disk full")
    assert window.status.save.text() == "Not saved: disk full"
    window.status.show_caret(None)
    assert not window.status.caret.isVisible()


def test_in_a_narrow_window_the_save_state_stays(window: MainWindow, qtbot: QtBot) -> None:
    window.status.show_index(100, 100)
    window.status.show_caret(CaretPlace(4, 12, 812))
    window.status.show_save(DocumentState.SAVED, "Saved 14:03:05")
    window.resize(480, 400)
    qtbot.waitUntil(lambda: not window.status.text_kind.isVisible())
    assert window.status.save.isVisible()
    assert window.status.save.geometry().right() <= window.status.width()


def test_the_watch_explains_itself_and_offers_to_reconcile(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.status.watch, Qt.MouseButton.LeftButton)
    button = window.status.findChild(QWidget, "reconcileNow")
    assert button is not None
    with qtbot.waitSignal(window.action("workspace.reconcile").triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


# For people who do not see it ------------------------------------------------------------------------------------


def _unnamed(top: QWidget) -> list[str]:
    """Focusable things in the accessible tree without a name."""
    found: list[str] = []
    waiting: list[QAccessibleInterface | None] = [QAccessible.queryAccessibleInterface(top)]
    while waiting:
        here = waiting.pop()
        if here is None or not here.isValid():
            continue
        widget = here.object()
        focusable = isinstance(widget, QWidget) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        if focusable and not here.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} {widget.objectName()}")
        if here.role() not in (QAccessible.Role.Tree, QAccessible.Role.List):
            waiting += [here.child(n) for n in range(here.childCount())]
    return found


def test_everything_that_takes_the_keyboard_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    window.place_welcome(WelcomePanel())
    for name in ("preferences.show", "help.keys", "help.connect", "help.about"):
        window.action(name).trigger()
    window.command_palette().show_files()
    tops = [window, *window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)]
    assert [name for top in tops for name in _unnamed(top)] == []
    nameless = QLineEdit(window)
    assert _unnamed(nameless)


def test_everything_to_click_is_big_enough(window: MainWindow) -> None:
    small = [
        f"{type(widget).__name__} {widget.objectName()} {widget.size()}"
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and (widget.width() < 24 or widget.height() < 24)
        and not widget.objectName().startswith("qt_")
    ]
    assert small == []
