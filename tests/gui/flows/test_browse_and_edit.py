"""A person opens memory, reads it, writes in it; the disk holds what the window says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListView, QPlainTextEdit, QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from memgui.gui.app import open_workspace
from memgui.ops.preferences import Settings
from tests.gui.flows.conftest import Desk, rows_of


def test_the_window_shows_every_file_and_opens_memory_first(desk: Desk) -> None:
    assert desk.tree_paths() >= {"MEMORY.md", "HEARTBEAT.md", "SOUL.md", "memory/2026-11-30.md", "projects/crane"}
    desk.until(lambda: desk.ready("MEMORY.md"))
    assert desk.text("MEMORY.md").startswith("# Memory")
    assert desk.state("MEMORY.md") == "saved"
    assert desk.status("statusWatch") != ""
    desk.until(lambda: bool(desk.window.property("indexed")))
    assert "12" in desk.status("statusIndex")


def test_who_goes_somewhere_at_once_is_not_taken_to_the_memory(desk: Desk) -> None:
    desk.do("view.days")
    desk.until(lambda: not desk.window.parts.due)
    assert desk.window.middle == "days"


def test_who_looks_for_the_page_as_soon_as_the_window_is_ready_finds_it(desk: Desk) -> None:
    assert desk.window.findChild(QPlainTextEdit, "editor") is not None
    assert [page.path for page in desk.tabs.pages] == ["MEMORY.md"]


def test_what_is_typed_is_saved_and_only_its_line_changes(desk: Desk) -> None:
    (desk.root / "crlf.md").write_bytes(b"one\r\ntwo\nthree")
    desk.until(lambda: "crlf.md" in desk.tree_paths())
    desk.open("crlf.md")
    desk.type("crlf.md", "x")
    assert desk.state("crlf.md") == "unsaved"
    desk.save()
    desk.until(lambda: desk.state("crlf.md") == "saved")
    assert (desk.root / "crlf.md").read_bytes() == b"xone\r\ntwo\nthree"
    assert desk.status("statusSave").startswith("Saved")


def test_saving_without_an_edit_writes_nothing(desk: Desk) -> None:
    before = os.stat(desk.root / "USER.md").st_mtime_ns
    desk.open("MEMORY.md")
    desk.save()
    assert desk.state("MEMORY.md") == "saved"
    assert os.stat(desk.root / "USER.md").st_mtime_ns == before


def test_one_document_has_one_page_and_keeps_its_undo(desk: Desk) -> None:
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.open("HEARTBEAT.md")
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.read("MEMORY.md").startswith("mine # Memory")
    editor = desk.open("MEMORY.md")
    assert [desk.tabs.widget(n).property("path") for n in range(desk.tabs.count())].count("MEMORY.md") == 1
    desk.do("edit.undo")
    assert editor.toPlainText().startswith("# Memory")


def test_an_identity_file_takes_no_text_until_it_is_unlocked(qtbot: QtBot, desk: Desk) -> None:
    before = desk.read("SOUL.md")
    desk.open("SOUL.md")
    assert desk.state("SOUL.md") == "protected"
    desk.type("SOUL.md", "x")
    assert desk.text("SOUL.md") == before
    desk.do("document.unlock")
    page = desk.page("SOUL.md")
    assert page is not None
    confirm = page.findChild(QPushButton, "unlockConfirm")
    assert isinstance(confirm, QPushButton)
    qtbot.mouseClick(confirm, Qt.MouseButton.LeftButton)
    desk.type("SOUL.md", "x")
    assert desk.state("SOUL.md") == "unsaved"
    desk.save()
    assert desk.read("SOUL.md") == before
    again = page.findChild(QPushButton, "saveConfirm")
    assert isinstance(again, QPushButton)
    assert again.isVisible()
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.read("SOUL.md") == "x" + before)
    desk.until(lambda: desk.state("SOUL.md") == "saved")
    desk.do("document.lock")
    assert desk.state("SOUL.md") == "protected"


def test_search_leads_to_the_line_and_back(qtbot: QtBot, desk: Desk) -> None:
    desk.until(lambda: bool(desk.window.property("indexed")))
    desk.open("USER.md")
    desk.do("view.search")
    field = desk.widget(QLineEdit, "searchField")
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "crane part")
    results = desk.widget(QListView, "searchResults")
    assert isinstance(results, QListView)
    desk.until(lambda: ("memory/2026-11-29.md", 4) in rows_of(results))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.until(lambda: desk.ready("memory/2026-11-29.md"))
    editor = desk.editor("memory/2026-11-29.md")
    assert editor.textCursor().blockNumber() == 3
    desk.until(lambda: len(editor.extraSelections()) >= 2)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    desk.until(lambda: desk.tabs.currentWidget() is desk.page("USER.md"))


def test_f4_goes_from_hit_to_hit_through_all_files(desk: Desk) -> None:
    desk.until(lambda: bool(desk.window.property("indexed")))
    desk.do("view.search")
    field = desk.widget(QLineEdit, "searchField")
    results = desk.widget(QListView, "searchResults")
    assert isinstance(field, QLineEdit)
    assert isinstance(results, QListView)
    field.setText("berth 7")
    desk.until(lambda: len({path for path, _line in rows_of(results)} - {None}) >= 3)
    seen = []
    for _ in range(3):
        desk.do("search.next_hit")
        page = desk.tabs.currentWidget()
        desk.until(lambda: bool(desk.tabs.currentWidget().property("ready")))
        seen.append(page.property("path"))
    assert len(set(seen)) == 3


def test_the_palette_opens_a_file_and_goes_to_a_heading(qtbot: QtBot, desk: Desk) -> None:
    desk.do("go.file")
    field = desk.widget(QLineEdit, "paletteField")
    assert isinstance(field, QLineEdit)
    field.setText("heartb")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.until(lambda: desk.ready("HEARTBEAT.md"))
    desk.open("MEMORY.md")
    desk.do("go.section")
    field.setText("@people")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert desk.editor("MEMORY.md").textCursor().block().text() == "## People"
    desk.do("go.back")
    desk.do("go.forward")


def test_back_leads_to_where_one_was(desk: Desk) -> None:
    desk.open("MEMORY.md")
    desk.open("USER.md")
    desk.do("go.back")
    assert desk.tabs.currentWidget() is desk.page("MEMORY.md")
    desk.do("go.forward")
    assert desk.tabs.currentWidget() is desk.page("USER.md")


def test_many_windows_may_be_opened_and_closed_in_one_process(
    qtbot: QtBot, workspace_root: Path, open_desk: Callable[[Path], Desk]
) -> None:
    for number in range(8):
        window = open_workspace(workspace_root, settings=Settings())
        qtbot.addWidget(window)
        if number % 2:
            qtbot.waitUntil(lambda window=window: bool(window.property("ready")))  # type: ignore[misc]
        window.close()
    first, second = open_desk(workspace_root), open_desk(workspace_root)
    second.open("MEMORY.md")
    second.type("MEMORY.md", "two ")
    second.save()
    first.until(lambda: first.ready("MEMORY.md") and first.text("MEMORY.md").startswith("two "))


def test_a_folder_that_is_not_there_is_said_and_can_be_tried_again(
    qtbot: QtBot, tmp_path: Path, settings: Settings
) -> None:
    window = open_workspace(tmp_path / "missing", settings=settings)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: any(b.isVisible() for b in window.findChildren(QPushButton, "retryOpen")))
    (tmp_path / "missing").mkdir()
    (tmp_path / "missing" / "MEMORY.md").write_text("# here\n")
    (button,) = window.findChildren(QPushButton, "retryOpen")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.property("ready")))
    assert window.findChild(QTreeView, "workspaceTree") is not None
    window.close()


def test_what_cannot_be_opened_is_not_said_to_be_starting(qtbot: QtBot, tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "notes").write_text("no folder\n")
    window = open_workspace(tmp_path / "notes", settings=settings)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: window.status.watch.text() == "Not open")
    qtbot.waitUntil(lambda: any(b.isVisible() for b in window.findChildren(QPushButton, "retryOpen")))
    window.close()
