"""Replacing in all files, in the real window: shown, ticked, done, undone, with open and unsaved pages."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.errors import ExecutionFailed
from memgui.domain.paths import DocPath
from memgui.domain.replacing import LeftOut
from memgui.gui.models.replace_model import ReplaceModel, left_out_said
from memgui.gui.panels.page.page import Page
from memgui.gui.wiring import replacing_deeds
from memgui.ops import replacing
from memgui.ops.preferences import Settings
from tests.gui.flows.conftest import Desk


@pytest.fixture
def many(desk: Desk) -> Desk:
    for number in range(4):
        (desk.root / f"zebra{number}.md").write_text(f"one zebra and a Zebra, {number}\n")
    (desk.root / "SOUL.md").write_text("You are a zebra.\n")
    desk.until(lambda: "zebra3.md" in desk.tree_paths())
    desk.until(lambda: bool(desk.window.property("indexed")))
    return desk


def field(desk: Desk, name: str) -> QLineEdit:
    found = desk.widget(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


def places(desk: Desk) -> ReplaceModel:
    view = desk.window.findChild(QListView, "replacePlaces")
    assert isinstance(view, QListView)
    model = view.model()
    assert isinstance(model, ReplaceModel)
    return model


def button(desk: Desk) -> QPushButton:
    found = desk.window.findChild(QPushButton, "replaceAllButton")
    assert isinstance(found, QPushButton)
    return found


def message(desk: Desk) -> str:
    strip = desk.window.findChild(QWidget, "replaceMessage")
    label = desk.window.findChild(QLabel, "replaceMessageText")
    assert strip is not None
    assert isinstance(label, QLabel)
    return "" if strip.isHidden() else label.text()


def press(desk: Desk, name: str) -> None:
    found = desk.widget(QPushButton, name)
    desk.qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def look(desk: Desk, what: str, by: str) -> None:
    desk.do("search.replace")
    field(desk, "replaceWhat").setText(what)
    field(desk, "replaceBy").setText(by)
    desk.until(lambda: (plan := places(desk).plan) is not None and (plan.exchange.what, plan.exchange.by) == (what, by))


def test_what_is_sought_is_replaced_everywhere_and_one_undo_takes_it_back(many: Desk) -> None:
    many.do("view.search")
    field(many, "searchField").setText('"zebra"')
    many.do("search.replace")
    assert field(many, "replaceWhat").text() == "zebra"
    look(many, "zebra", "horse")
    assert button(many).text() == "Replace 8 in 4 files"
    note = many.widget(QLabel, "replaceNote")
    assert isinstance(note, QLabel)
    assert note.text() == "Left out: SOUL.md. An identity file: unlock it and replace there."
    button(many).click()
    many.until(lambda: message(many).startswith("Replaced 8 places in 4 files."))
    assert (many.root / "zebra2.md").read_text() == "one horse and a horse, 2\n"
    assert (many.root / "SOUL.md").read_text() == "You are a zebra.\n"
    many.do("edit.undo")
    many.until(lambda: message(many).startswith("Taken back: 8 places in 4 files."))
    assert (many.root / "zebra2.md").read_text() == "one zebra and a Zebra, 2\n"


def test_what_is_not_ticked_stays(many: Desk) -> None:
    look(many, "zebra", "horse")
    model = places(many)
    first = model.index(1)
    assert first.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    view = many.widget(QListView, "replacePlaces")
    assert isinstance(view, QListView)
    view.setFocus()
    view.setCurrentIndex(first)
    many.qtbot.keyClick(view, Qt.Key.Key_Space)
    assert model.index(0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.PartiallyChecked
    assert button(many).text() == "Replace 7 in 4 files"
    many.qtbot.keyClick(view, Qt.Key.Key_Down)
    many.qtbot.keyClick(view, Qt.Key.Key_Space)
    assert button(many).text() == "Replace 6 in 3 files"
    button(many).click()
    many.until(lambda: message(many).startswith("Replaced 6"))
    assert (many.root / "zebra0.md").read_text() == "one zebra and a Zebra, 0\n"


def test_nothing_in_its_place_is_asked_about_once(many: Desk) -> None:
    look(many, "zebra", "")
    button(many).click()
    assert message(many) == "Nothing will stand in the place of “zebra”: it is taken out of 8 places in 4 files."
    assert (many.root / "zebra1.md").read_text() == "one zebra and a Zebra, 1\n"
    press(many, "replaceMessageAction")
    many.until(lambda: message(many).startswith("Replaced 8"))
    assert (many.root / "zebra1.md").read_text() == "one  and a , 1\n"


def test_open_pages_follow_and_unsaved_text_is_replaced_on_its_page(many: Desk) -> None:
    many.open("zebra0.md")
    many.open("zebra1.md")
    many.type("zebra1.md", "typed zebra. ")
    look(many, "zebra", "horse")
    assert button(many).text() == "Replace 9 in 4 files"
    button(many).click()
    many.until(lambda: message(many).startswith("Replaced 9"))
    many.until(lambda: many.text("zebra0.md") == "one horse and a horse, 0\n")
    assert many.state("zebra0.md") == "saved"
    assert many.text("zebra1.md") == "typed horse. one horse and a horse, 1\n"
    many.do("edit.undo")
    many.until(lambda: message(many).startswith("Taken back: 9"))
    many.until(lambda: many.text("zebra0.md") == "one zebra and a Zebra, 0\n")
    assert many.text("zebra1.md") == "typed zebra. one zebra and a Zebra, 1\n"


def test_what_an_agent_changed_since_is_looked_at_anew(many: Desk) -> None:
    look(many, "zebra", "horse")
    (many.root / "zebra3.md").write_text("no animal here\n")
    many.until(lambda: button(many).text() == "Replace 6 in 3 files")
    (many.root / "zebra3.md").write_text("a zebra again\n")
    many.until(lambda: button(many).text() == "Replace 7 in 4 files")


def test_escape_leads_back(many: Desk) -> None:
    many.open("zebra0.md")
    many.do("search.replace")
    assert many.shown("replacePanel")
    many.qtbot.keyClick(field(many, "replaceBy" if field(many, "replaceWhat").text() else "replaceWhat"), "\x1b")
    assert not many.shown("replacePanel")
    assert many.shown("documentTabs")


def test_a_place_is_opened_on_its_page(many: Desk) -> None:
    look(many, "zebra", "horse")
    view = many.widget(QListView, "replacePlaces")
    assert isinstance(view, QListView)
    view.setFocus()
    view.setCurrentIndex(places(many).index(1))
    many.qtbot.keyClick(view, Qt.Key.Key_Return)
    many.until(lambda: many.ready("zebra0.md"))
    assert many.shown("documentTabs")


def test_what_is_saved_while_a_long_batch_runs_comes_in_between(many: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacing_deeds, "SLICE", 1)
    many.open("MEMORY.md")
    look(many, "zebra", "horse")
    page = many.page("MEMORY.md")
    assert isinstance(page, Page)
    button(many).click()
    many.window.show_middle("documents")
    page.editor.insertPlainText("typed meanwhile ")
    many.save()
    many.until(lambda: "typed meanwhile" in many.read("MEMORY.md"))
    assert not message(many)
    many.until(lambda: message(many).startswith("Replaced 8 places in 4 files."))


def test_a_batch_that_is_stopped_says_so_and_what_it_did_is_taken_back(
    many: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replacing_deeds, "SLICE", 1)
    look(many, "zebra", "horse")
    button(many).click()
    many.until(lambda: "horse" in many.read("zebra0.md"))
    press(many, "replaceStop")
    many.until(lambda: "It was stopped; the rest is as it was." in message(many))
    assert many.read("zebra3.md") == "one zebra and a Zebra, 3\n"
    many.do("edit.undo")
    many.until(lambda: message(many).startswith("Taken back"))
    assert many.read("zebra0.md") == "one zebra and a Zebra, 0\n"


def test_trouble_in_the_middle_leaves_what_was_done_to_be_taken_back(
    many: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replacing_deeds, "SLICE", 1)
    real = replacing.replace

    def failing(*args: Any, **how: Any) -> Any:
        if DocPath("zebra1.md") in args[2]:
            raise ExecutionFailed("The disk went away.", hint="Bring it back.")
        return real(*args, **how)

    monkeypatch.setattr(replacing, "replace", failing)
    look(many, "zebra", "horse")
    button(many).click()
    many.until(lambda: "The disk went away. Bring it back." in message(many))
    assert message(many).startswith("Replaced 2 places in 1 file. It was stopped; the rest is as it was.")
    assert button(many).isEnabled()
    many.do("edit.undo")
    many.until(lambda: message(many).startswith("Taken back: 2 places in 1 file."))
    assert many.read("zebra0.md") == "one zebra and a Zebra, 0\n"


def test_nothing_is_written_below_text_that_was_typed_since_the_look(many: Desk) -> None:
    many.open("zebra0.md")
    look(many, "zebra", "horse")
    page = many.page("zebra0.md")
    assert isinstance(page, Page)
    page.editor.insertPlainText("typed ")
    button(many).click()
    many.until(lambda: message(many).startswith("Replaced 6 places in 3 files."))
    assert "Left out: zebra0.md. Its page is other than it was shown." in message(many)
    assert many.read("zebra0.md") == "one zebra and a Zebra, 0\n"
    many.until(lambda: button(many).text() == "Replace 2 in 1 file")
    button(many).click()
    many.until(lambda: many.text("zebra0.md") == "typed one horse and a horse, 0\n")


def test_a_text_of_several_lines_is_said_not_to_be_looked_for(many: Desk) -> None:
    look(many, "one zebra\nand", "horse")
    empty = many.widget(QWidget, "replaceEmpty")
    many.until(lambda: any("looked at by itself" in label.text() for label in empty.findChildren(QLabel)))


def test_what_no_file_can_hold_is_refused_and_the_next_key_forgets_the_trouble(many: Desk) -> None:
    look(many, "zebra", "horse")
    field(many, "replaceBy").setText("a\0b")
    many.until(lambda: "no text file can hold" in message(many))
    assert places(many).plan is None
    button(many).click()
    field(many, "replaceBy").setText("ab")
    assert not message(many)
    many.until(lambda: (plan := places(many).plan) is not None and plan.exchange.by == "ab")
    assert many.read("zebra0.md") == "one zebra and a Zebra, 0\n"


def test_of_many_different_reasons_a_few_are_told() -> None:
    left_out = [LeftOut(DocPath(f"{number}.md"), f"Reason {number % 9}.") for number in range(1_000)]
    said = left_out_said(left_out)
    assert len(said) == 4
    assert said[0] == "Left out: 0.md, 9.md, 18.md and 109 more. Reason 0."
    assert said[-1] == "666 more, for other reasons."


def test_the_keyboard_is_where_it_was_after_a_replacement(many: Desk) -> None:
    look(many, "zebra", "horse")
    by = field(many, "replaceBy")
    by.setFocus()
    many.until(button(many).isEnabled)
    many.qtbot.keyClick(by, Qt.Key.Key_Return)
    many.until(lambda: message(many).startswith("Replaced 8"))
    assert by.hasFocus()


def test_it_is_said_which_places_are_where_links_lead(many: Desk) -> None:
    (many.root / "zebra0.md").write_text("- [zebra](zebra1.md) the zebra\n")
    look(many, "zebra", "horse")
    note = many.widget(QLabel, "replaceNote")
    assert isinstance(note, QLabel)
    many.until(lambda: note.text().startswith("1 place names the file that a link leads to"))
    spoken = places(many).index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("; in a link")


def test_a_batch_is_undone_after_the_next_start(many: Desk, qtbot: QtBot, settings: Settings) -> None:
    look(many, "zebra", "horse")
    button(many).click()
    many.until(lambda: message(many).startswith("Replaced 8"))
    many.window.close()
    again = Desk(qtbot, many.root, settings)
    again.do("search.replace")
    again.until(lambda: "8 places in 4 files were replaced: “zebra” by “horse”" in message(again))
    press(again, "replaceMessageAction")
    again.until(lambda: message(again).startswith("Taken back: 8 places in 4 files."))
    assert again.read("zebra0.md") == "one zebra and a Zebra, 0\n"
    again.window.close()
