"""The table of actions."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from pytestqt.qtbot import QtBot

from memgui.gui import actions, icons
from memgui.gui.actions import ACTIONS, MENUS, Context
from memgui.gui.window import MainWindow

PUBLIC = (
    "workspace.open",
    "workspace.reconcile",
    "document.new",
    "document.rename",
    "document.trash",
    "document.save",
    "document.close",
    "document.unlock",
    "document.lock",
    "edit.undo",
    "edit.redo",
    "edit.find",
    "edit.replace",
    "view.memory",
    "view.search",
    "palette.show",
    "preferences.show",
)


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = MainWindow()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_action_is_a_child_of_the_window_by_its_id(window: MainWindow, name: str) -> None:
    found = window.findChild(QAction, name, Qt.FindChildOption.FindDirectChildrenOnly)
    assert found is not None
    assert found.text()


def test_no_two_actions_share_an_id_or_a_key() -> None:
    assert max(Counter(row.id for row in ACTIONS).values()) == 1
    everywhere = Counter(key.toString() for row in ACTIONS if not row.in_panel for key in actions.sequences(row.keys))
    assert [key for key, count in everywhere.items() if count > 1] == []
    # Two panels may give a key each a meaning of its own, for only one of them has the keyboard.
    within = Counter(
        (row.id.partition(".")[0], key.toString())
        for row in ACTIONS
        if row.in_panel
        for key in actions.sequences(row.keys)
    )
    assert [key for key, count in within.items() if count > 1] == []
    assert not {key for _panel, key in within} & set(everywhere)


def _is_unsafe(key: str) -> bool:
    """Ctrl+Alt+letter is AltGr+letter on many keyboards; Alt+letter belongs to the menus."""
    *modifiers, last = key.split("+")
    return "Alt" in modifiers and len(last) == 1 and last.isalnum()


def test_no_key_types_a_character_on_some_keyboard() -> None:
    keys = [key.toString() for row in ACTIONS for key in actions.sequences(row.keys)]
    assert not [key for key in keys if _is_unsafe(key)]
    assert not {"Ctrl+Space", "Ctrl+Shift+U"} & set(keys)
    assert _is_unsafe("Ctrl+Alt+Q")
    assert _is_unsafe("Alt+F")


def test_single_letters_are_no_keys_of_the_window() -> None:
    assert not [
        row.id
        for row in ACTIONS
        for key in actions.sequences(row.keys)
        if len(key.toString().removeprefix("Shift+")) == 1 and not row.in_panel
    ]


def test_keys_of_a_panel_do_nothing_outside_of_it(window: MainWindow) -> None:
    for row in ACTIONS:
        if row.in_panel:
            assert window.action(row.id).shortcutContext() is Qt.ShortcutContext.WidgetWithChildrenShortcut


def test_every_action_stands_in_a_menu_and_has_an_icon_that_exists(window: MainWindow) -> None:
    in_menus = {action.objectName() for menu in window.menuBar().actions() for action in menu.menu().actions()}
    assert {row.id for row in ACTIONS} <= in_menus
    assert {row.menu for row in ACTIONS} == {name for name, _title in MENUS}
    assert {row.icon for row in ACTIONS if row.icon} <= set(icons.names())


def test_what_an_action_needs_is_a_part_of_the_context() -> None:
    assert {need for row in ACTIONS for need in row.needs} <= set(Context._fields)


def test_actions_are_enabled_by_what_there_is(window: MainWindow) -> None:
    assert window.action("workspace.open").isEnabled()
    assert not window.action("document.save").isEnabled()
    window.show_context(Context(workspace=True, document=True))
    assert window.action("document.save").isEnabled()
    assert not window.action("document.unlock").isEnabled()
    window.show_context(Context())
    assert not window.action("document.save").isEnabled()


def test_mnemonics_in_a_menu_differ() -> None:
    for name, _title in MENUS:
        letters = Counter(row.text[row.text.index("&") + 1].lower() for row in ACTIONS if row.menu == name)
        assert [letter for letter, count in letters.items() if count > 1] == [], name


def test_the_key_is_shown_as_the_system_writes_it(window: MainWindow) -> None:
    assert actions.shown_key(window.action("go.file")) == QKeySequence("Ctrl+P").toString(
        QKeySequence.SequenceFormat.NativeText
    )
