"""Replacing in all files, in the real window: shown, ticked, done, undone, with open and unsaved pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPushButton, QWidget

from memgui.gui.models.replace_model import ReplaceModel
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
