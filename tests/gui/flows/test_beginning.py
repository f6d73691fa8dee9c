"""Where there is no memory yet, it is offered, and made only when asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from tests.gui.flows.conftest import Desk


def button(desk: Desk, name: str) -> QPushButton:
    found = desk.widget(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def said(desk: Desk) -> str:
    return " ".join(label.text() for label in desk.window.empty_state.findChildren(QLabel) if label.isVisible())


def test_an_empty_folder_offers_its_memory_and_writes_nothing_unasked(
    open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    root = tmp_path / "new"
    root.mkdir()
    desk = open_desk(root)
    desk.until(lambda: desk.shown("createMemory"))
    assert button(desk, "createMemory").text() == "Create MEMORY.md"
    assert list(root.iterdir()) == []
    button(desk, "createMemory").click()
    desk.until(lambda: (root / "MEMORY.md").exists() and desk.state("MEMORY.md") == "saved")
    assert (root / "MEMORY.md").read_text() == "# Memory\n\n"
    assert desk.editor("MEMORY.md").textCursor().blockNumber() == 2
    desk.do("edit.undo")
    assert desk.text("MEMORY.md") == ""


def test_a_memory_that_is_missing_is_offered_where_it_was_asked_for(
    open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "HEARTBEAT.md").write_text("- [ ] not the memory\n")
    desk = open_desk(tmp_path)
    desk.open("notes.md")
    desk.do("view.memory")
    desk.until(lambda: desk.shown("createMemory"))
    assert "No MEMORY.md here" in said(desk)
    assert desk.status("statusSave") == ""
    button(desk, "chooseFile").click()
    desk.until(lambda: desk.shown("paletteField"))
    field = desk.widget(QLineEdit, "paletteField")
    assert field.isVisible()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["HEARTBEAT.md", "notes.md"]


def test_a_memory_that_somebody_made_meanwhile_is_opened_as_it_is(
    open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    desk = open_desk(tmp_path)
    desk.do("view.memory")
    desk.until(lambda: desk.shown("createMemory"))
    made = button(desk, "createMemory")
    (tmp_path / "MEMORY.md").write_text("theirs\n")
    made.click()
    desk.until(lambda: desk.ready("MEMORY.md") and desk.text("MEMORY.md") == "theirs\n")
    assert desk.state("MEMORY.md") == "saved"
    assert (tmp_path / "MEMORY.md").read_text() == "theirs\n"
