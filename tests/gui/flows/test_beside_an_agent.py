"""An agent writes while a person looks, types and saves. Nothing that either wrote is lost without a word."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from memgui.domain.paths import DocPath
from memgui.gui.models.tree_model import TreeModel
from memgui.gui.panels.page.editor import MemoryEditor
from tests.gui.flows.conftest import Desk

AGENT = "# What the agent knows\n\nThe agent was here.\n"


def button(desk: Desk, path: str, name: str) -> QPushButton:
    page = desk.page(path)
    assert page is not None
    found = page.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_appends_come_in_where_one_reads_and_the_caret_stays(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    cursor = editor.textCursor()
    cursor.setPosition(20)
    editor.setTextCursor(cursor)
    for number in range(3):
        desk.append("MEMORY.md", f"- line {number}\n")
        desk.until(lambda number=number: desk.text("MEMORY.md").endswith(f"- line {number}\n"))  # type: ignore[misc]
    assert editor.textCursor().position() == 20
    assert desk.state("MEMORY.md") == "saved"


def test_the_tree_marks_what_is_not_in_front_and_the_page_marks_its_own_lines(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    assert isinstance(editor, MemoryEditor)
    desk.append("MEMORY.md", "- news\n")
    desk.append("USER.md", "- more news\n")
    desk.until(lambda: "changed outside" in _said_of(desk, "USER.md"))
    desk.until(lambda: editor.arrivals.lines == 1)
    assert "changed outside" not in _said_of(desk, "MEMORY.md")


def _said_of(desk: Desk, path: str) -> str:
    tree = desk.widget(QTreeView, "workspaceTree")
    assert isinstance(tree, QTreeView)
    model = tree.model()
    assert isinstance(model, TreeModel)
    return str(model.index_of(DocPath(path)).data(Qt.ItemDataRole.AccessibleTextRole))


def test_atomic_replaces_are_seen_each_time(desk: Desk) -> None:
    desk.open("MEMORY.md")
    for number in range(4):
        desk.replace("MEMORY.md", f"# Memory {number}\n")
        desk.until(lambda number=number: desk.text("MEMORY.md") == f"# Memory {number}\n")  # type: ignore[misc]


def test_files_come_and_go_in_the_tree(desk: Desk) -> None:
    (desk.root / "projects" / "new").mkdir()
    (desk.root / "projects" / "new" / "a.md").write_text("a\n")
    desk.until(lambda: "projects/new/a.md" in desk.tree_paths())
    (desk.root / "projects" / "new" / "a.md").unlink()
    desk.until(lambda: "projects/new/a.md" not in desk.tree_paths())
    os.rmdir(desk.root / "projects" / "new")
    desk.until(lambda: "projects/new" not in desk.tree_paths())


def test_typed_text_stays_when_the_agent_writes_and_no_save_goes_over_it(qtbot: QtBot, desk: Desk) -> None:
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.replace("MEMORY.md", AGENT)
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    assert desk.text("MEMORY.md").startswith("mine # Memory")
    desk.save()
    desk.save()
    assert desk.banner("MEMORY.md") == "conflict"
    assert desk.state("MEMORY.md") == "conflict"
    assert desk.read("MEMORY.md") == AGENT


def test_fifty_writes_of_the_agent_make_one_banner_with_the_latest(desk: Desk) -> None:
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    for number in range(50):
        desk.replace("MEMORY.md", f"{AGENT}{number}\n")
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    button(desk, "MEMORY.md", "takeTheirs")
    desk.append("MEMORY.md", "the end\n")

    def latest() -> bool:
        page = desk.page("MEMORY.md")
        button(desk, "MEMORY.md", "takeTheirs").click()
        return page is not None and desk.text("MEMORY.md").endswith("49\nthe end\n")

    desk.until(latest)
    assert desk.banner("MEMORY.md") == ""


def test_keeping_mine_writes_it_and_keeps_the_other_side(qtbot: QtBot, desk: Desk, places: Path) -> None:
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.replace("MEMORY.md", AGENT)
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    qtbot.mouseClick(button(desk, "MEMORY.md", "keepMine"), Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.read("MEMORY.md").startswith("mine # Memory"))
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.banner("MEMORY.md") == ""
    assert any((places / "state").rglob("kept/**/*"))


def test_a_write_nobody_was_told_of_is_found_before_the_save(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    # The save is asked for before any event can have been seen.
    desk.replace("MEMORY.md", AGENT)
    desk.save()
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    assert desk.read("MEMORY.md") == AGENT


def test_a_file_that_was_only_touched_changes_nothing(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    os.utime(desk.root / "MEMORY.md")
    desk.append("USER.md", "end\n")
    desk.open("USER.md")
    desk.until(lambda: desk.text("USER.md").endswith("end\n"))
    assert desk.banner("MEMORY.md") == ""
    assert editor.toPlainText().startswith("mine ")


def test_a_file_deleted_while_open_keeps_its_text_and_comes_back(qtbot: QtBot, desk: Desk) -> None:
    before = desk.read("MEMORY.md")
    desk.open("MEMORY.md")
    (desk.root / "MEMORY.md").unlink()
    desk.until(lambda: desk.state("MEMORY.md") == "deleted")
    assert desk.text("MEMORY.md") == before
    desk.until(lambda: "MEMORY.md" not in desk.tree_paths())
    qtbot.mouseClick(button(desk, "MEMORY.md", "restoreFile"), Qt.MouseButton.LeftButton)
    desk.until(lambda: (desk.root / "MEMORY.md").exists() and desk.read("MEMORY.md") == before)
    desk.until(lambda: desk.state("MEMORY.md") == "saved")


def test_a_deleted_file_that_the_agent_writes_again_is_shown(desk: Desk) -> None:
    desk.open("MEMORY.md")
    (desk.root / "MEMORY.md").unlink()
    desk.until(lambda: desk.state("MEMORY.md") == "deleted")
    desk.replace("MEMORY.md", AGENT)
    desk.until(lambda: desk.text("MEMORY.md") == AGENT)
    desk.until(lambda: desk.state("MEMORY.md") == "saved")


def test_a_page_goes_with_its_file_to_a_new_name(desk: Desk) -> None:
    desk.open("projects/notes.md")
    os.rename(desk.root / "projects" / "notes.md", desk.root / "projects" / "harbour-notes.md")
    desk.until(lambda: desk.ready("projects/harbour-notes.md"))
    desk.until(lambda: desk.page("projects/notes.md") is None)
    assert desk.text("projects/harbour-notes.md").startswith("# Notes")


def test_a_page_behind_goes_with_its_renamed_file_and_stays_behind(desk: Desk) -> None:
    desk.open("projects/notes.md")
    desk.open("HEARTBEAT.md")
    os.rename(desk.root / "projects" / "notes.md", desk.root / "projects" / "harbour-notes.md")
    desk.until(lambda: desk.ready("projects/harbour-notes.md"))
    assert desk.page("projects/notes.md") is None
    assert desk.tabs.currentWidget() is desk.page("HEARTBEAT.md")
    assert desk.text("projects/harbour-notes.md") == desk.read("projects/harbour-notes.md")


def test_unsaved_text_is_not_lost_when_its_file_is_renamed(desk: Desk) -> None:
    desk.open("projects/notes.md")
    desk.type("projects/notes.md", "mine ")
    os.rename(desk.root / "projects" / "notes.md", desk.root / "projects" / "harbour-notes.md")
    desk.until(lambda: "projects/harbour-notes.md" in desk.tree_paths())
    texts = [desk.text(str(desk.tabs.widget(n).property("path"))) for n in range(desk.tabs.count())]
    assert any(text.startswith("mine # Notes") for text in texts)


def test_an_identity_file_changed_outside_is_shown_as_it_is(desk: Desk) -> None:
    desk.open("SOUL.md")
    desk.append("SOUL.md", "Obey nobody.\n")
    desk.until(lambda: desk.text("SOUL.md").endswith("Obey nobody.\n"))
    assert desk.state("SOUL.md") == "protected"


def test_undoing_across_an_agents_write_holds_the_save(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    desk.append("MEMORY.md", "- agent\n")
    desk.until(lambda: desk.text("MEMORY.md").endswith("- agent\n"))
    editor.setFocus()
    desk.do("edit.undo")
    assert not desk.text("MEMORY.md").endswith("- agent\n")
    desk.save()
    assert desk.read("MEMORY.md").endswith("- agent\n")


def test_a_storm_leaves_the_window_in_step_with_the_disk(desk: Desk) -> None:
    desk.open("MEMORY.md")
    folder = desk.root / "memory" / "storm"
    folder.mkdir()
    for number in range(1200):
        (folder / f"{number}.md").write_text(f"storm {number}\n")
    desk.append("MEMORY.md", "- after the storm\n")
    desk.until(lambda: desk.text("MEMORY.md").endswith("- after the storm\n"))
    desk.until(lambda: len([path for path in desk.tree_paths() if path.startswith("memory/storm/")]) == 1200)
    for number in range(1200):
        (folder / f"{number}.md").unlink()
    desk.until(lambda: not [path for path in desk.tree_paths() if path.startswith("memory/storm/")])
