"""Preferences, keys, about, the welcome page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.layouts import Layout
from memgui.domain.workspace import FoundWorkspace, RecentWorkspace
from memgui.gui.actions import ACTIONS
from memgui.gui.dialogs.about import AboutDialog
from memgui.gui.dialogs.connect import ConnectDialog
from memgui.gui.dialogs.keys import KeysDialog
from memgui.gui.dialogs.preferences import PreferencesDialog
from memgui.gui.panels.welcome import WelcomePanel
from memgui.gui.window import MainWindow
from memgui.ops import connecting
from memgui.ops.preferences import Settings


@pytest.fixture
def dialog(qtbot: QtBot) -> PreferencesDialog:
    made = PreferencesDialog(Settings(appearance="light", autosave_seconds=2.4))
    qtbot.addWidget(made)
    return made


def test_preferences_are_not_modal_and_show_what_holds(dialog: PreferencesDialog) -> None:
    assert not dialog.isModal()
    assert dialog.appearance.currentData() == "light"
    assert dialog.zoom.value() == 100
    assert dialog.wrap.isChecked()


def test_each_change_is_told_at_once(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.settings_requested) as told:
        dialog.wrap.setChecked(False)
    assert told.args[0] == Settings(appearance="light", autosave_seconds=2.4, wrap_lines=False)
    with qtbot.waitSignal(dialog.settings_requested) as told:
        dialog.autosave.setValue(0)
    assert told.args[0].autosave_seconds == 0


def test_showing_settings_tells_nobody(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(dialog.settings_requested):
        dialog.show_settings(Settings(appearance="dark", zoom=150))
    assert dialog.zoom.value() == 150


def test_a_person_says_whose_writes_wait(qtbot: QtBot) -> None:
    root = Path("/somewhere/memory")
    made = PreferencesDialog(Settings().holding(root, ["MEMORY.md"]).holding("/elsewhere", ["**"]), workspace=root)
    qtbot.addWidget(made)
    assert made.hold.text() == "MEMORY.md"
    made.hold.setText("MEMORY.md, projects/*.md ,")
    with qtbot.waitSignal(made.settings_requested) as told:
        made.hold.editingFinished.emit()
    assert told.args[0].held_in(root) == ("MEMORY.md", "projects/*.md")
    assert told.args[0].held_in("/elsewhere") == ("**",)
    made.hold.setText("")
    with qtbot.waitSignal(made.settings_requested) as told:
        made.hold.editingFinished.emit()
    assert told.args[0].hold == (("/elsewhere", ("**",)),)


def test_the_keys_list_every_action_and_the_keys_of_the_panels(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    dialog = KeysDialog(list(window.actions_by_id.values()), window)
    listed = [dialog.model.index(n, 0).data(Qt.ItemDataRole.UserRole) for n in range(dialog.model.rowCount())]
    assert listed[: len(ACTIONS)] == [row.id for row in ACTIONS]
    assert len(listed) > len(ACTIONS)
    dialog.field.setText("zoom")
    assert dialog.model.rowCount() == 3
    dialog.field.setText("earlier day")
    assert dialog.model.index(0, 0).data() == "Later, Earlier Day"


def test_about_says_which_version(qtbot: QtBot) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    assert not dialog.isModal()


def test_connecting_an_agent_names_the_folder_and_can_be_copied(qtbot: QtBot, tmp_path: Path) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.connects_to = tmp_path
    window.action("help.connect").trigger()
    dialog = window.findChild(ConnectDialog, "connect")
    assert isinstance(dialog, ConnectDialog)
    assert dialog.isVisible()
    assert not dialog.isModal()
    programs = [dialog.program.itemText(n) for n in range(dialog.program.count())]
    assert programs == ["Claude Code", "Codex", "Cursor", "VS Code", "OpenClaw"]
    for setup in connecting.setups_here(tmp_path):
        dialog.program.setCurrentText(setup.program)
        assert str(tmp_path) in dialog.text.toPlainText()
        assert setup.where in dialog.place.text()
        dialog.copy.click()
        assert QGuiApplication.clipboard().text() == setup.text
        assert dialog.copy.text() == "Copied"
    dialog.close()


def test_the_welcome_page_offers_recent_and_found_workspaces_once(qtbot: QtBot, tmp_path: Path) -> None:
    panel = WelcomePanel()
    qtbot.addWidget(panel)
    recent = [
        RecentWorkspace(tmp_path / "a", "1", "a", 1.0),
        RecentWorkspace(tmp_path / "gone", "2", "gone", 0.5, False),
    ]
    found = [
        FoundWorkspace(tmp_path / "a", Layout.OPENCLAW, 3),
        FoundWorkspace(tmp_path / "bad\udcff", Layout.CLAUDE, 1204, False),
    ]
    panel.show_workspaces(recent, found)
    buttons = list(panel.findChildren(QPushButton, "welcomeWorkspace"))
    assert [button.text() for button in buttons] == ["a", "gone", r"bad\xff"]
    assert "not there" in buttons[1].accessibleName()
    assert "over 1,204 files" in buttons[2].accessibleName()
    with qtbot.waitSignal(panel.workspace_chosen) as chosen:
        buttons[2].click()
    assert chosen.args == [tmp_path / "bad\udcff"]
    panel.show_workspaces([], [])
    assert not [button for button in panel.findChildren(QPushButton, "welcomeWorkspace") if not button.isHidden()]


def test_the_welcome_page_asks_for_a_folder_or_the_sample(qtbot: QtBot) -> None:
    panel = WelcomePanel()
    qtbot.addWidget(panel)
    with qtbot.waitSignal(panel.folder_requested):
        panel.open_button.click()
    with qtbot.waitSignal(panel.sample_requested):
        panel.sample_button.click()
