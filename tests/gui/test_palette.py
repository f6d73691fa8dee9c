"""The palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from memgui.domain.paths import DocPath
from memgui.gui.actions import ACTIONS, Context
from memgui.gui.models.palette_model import Heading
from memgui.gui.panels.palette import Palette
from memgui.gui.window import MainWindow
from tests.gui.shell_values import FILES

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = MainWindow()
    qtbot.addWidget(made)
    made.place_documents(QLineEdit())
    made.show_middle("documents")
    made.show_context(Context(workspace=True))
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def palette(window: MainWindow) -> Palette:
    made = window.command_palette()
    made.set_files([DocPath(path) for path in FILES], [DocPath("SOUL.md")])
    made.set_headings([Heading("Memory", 1, 1), Heading("Berths", 2, 3), Heading("People", 2, 8)])
    made.set_line_count(40)
    return made


def offered(palette: Palette) -> list[str]:
    return [palette.model.index(n, 0).data() for n in range(palette.model.rowCount())]


def test_its_parts_bear_the_public_names(window: MainWindow, palette: Palette) -> None:
    for name in ("palette", "paletteField", "paletteResults"):
        found = window.findChild(object, name)
        assert found is not None
        assert found.accessibleName()  # type: ignore[attr-defined]


def test_it_offers_files_those_used_last_first(palette: Palette, qtbot: QtBot) -> None:
    palette.show_files()
    assert palette.field.hasFocus()
    assert offered(palette)[:2] == ["SOUL.md", "MEMORY.md"]
    qtbot.keyClicks(palette.field, "crplan")
    assert offered(palette)[0] == "plan.md"
    with qtbot.waitSignal(palette.document_chosen) as chosen:
        qtbot.keyClick(palette.field, Key.Key_Return)
    assert chosen.args == ["projects/crane/plan.md"]
    assert not palette.isVisible()


def test_arrows_preview_and_escape_takes_it_back(palette: Palette, qtbot: QtBot) -> None:
    palette.show_files()
    with qtbot.waitSignal(palette.document_previewed) as looked:
        qtbot.keyClick(palette.field, Key.Key_Down)
    assert looked.args == ["MEMORY.md"]
    with qtbot.waitSignal(palette.dismissed):
        qtbot.keyClick(palette.field, Key.Key_Escape)


def test_the_keyboard_returns_to_where_it_was(window: MainWindow, palette: Palette, qtbot: QtBot) -> None:
    before = window.findChild(QLineEdit, "", Qt.FindChildOption.FindChildrenRecursively)
    assert before is not None
    before.setFocus()
    palette.show_commands()
    qtbot.keyClick(palette.field, Key.Key_Escape)
    assert before.hasFocus()


def test_clicking_elsewhere_closes_it(window: MainWindow, palette: Palette, qtbot: QtBot) -> None:
    palette.show_files()
    other = window.findChild(QLineEdit)
    assert other is not None
    with qtbot.waitSignal(palette.dismissed):
        other.setFocus()
    assert other.hasFocus()
    assert not palette.isVisible()


def test_every_action_is_offered_with_its_key(palette: Palette, qtbot: QtBot) -> None:
    palette.show_commands()
    ids = {palette.model.index(n, 0).data(Qt.ItemDataRole.UserRole) for n in range(palette.model.rowCount())}
    assert ids == {row.id for row in ACTIONS}
    qtbot.keyClicks(palette.field, "reset zoom")
    assert palette.results.currentIndex().data(Qt.ItemDataRole.UserRole) == "view.zoom_reset"
    assert "Ctrl+0" in palette.results.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_chosen_command_is_done_and_remembered(window: MainWindow, palette: Palette, qtbot: QtBot) -> None:
    palette.show_commands()
    qtbot.keyClicks(palette.field, "side panel")
    with qtbot.waitSignal(window.action("view.side_panel").triggered):
        qtbot.keyClick(palette.field, Key.Key_Return)
    palette.show_commands()
    assert palette.model.index(0, 0).data(Qt.ItemDataRole.UserRole) == "view.side_panel"


def test_what_cannot_be_done_now_is_shown_last_and_cannot_be_chosen(palette: Palette, qtbot: QtBot) -> None:
    palette.show_commands()
    qtbot.keyClicks(palette.field, "unlock for")
    with qtbot.assertNotEmitted(palette.action_chosen):
        qtbot.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()


def test_a_line_number_goes_to_a_line_that_is_there(palette: Palette, qtbot: QtBot) -> None:
    palette.show_line()
    qtbot.keyClicks(palette.field, "999")
    with qtbot.waitSignal(palette.line_chosen) as chosen:
        qtbot.keyClick(palette.field, Key.Key_Return)
    assert chosen.args == [40]


def test_headings_keep_their_order_and_lead_to_their_lines(palette: Palette, qtbot: QtBot) -> None:
    palette.show_headings()
    assert offered(palette) == ["Memory", "Berths", "People"]
    qtbot.keyClicks(palette.field, "peo")
    with qtbot.waitSignal(palette.line_chosen) as chosen:
        qtbot.keyClick(palette.field, Key.Key_Return)
    assert chosen.args == [8]


def test_one_sign_turns_it_from_files_to_commands(palette: Palette, qtbot: QtBot) -> None:
    palette.show_files()
    qtbot.keyClicks(palette.field, ">about")
    assert palette.results.currentIndex().data(Qt.ItemDataRole.UserRole) == "help.about"


def test_nothing_found_is_said(palette: Palette, qtbot: QtBot) -> None:
    palette.show_files()
    qtbot.keyClicks(palette.field, "zzzzzz")
    assert palette._nothing.isVisible()
    assert not palette.results.isVisible()
    qtbot.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()
