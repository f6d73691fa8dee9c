"""Files and folders by hand, in the real window."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
)
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QMenu, QPushButton, QTreeView, QWidget

from memgui.gui.models.tree_model import DRAGGED
from memgui.gui.wiring import filing as wiring
from memgui.storage import copying
from tests.gui.flows.conftest import Desk, index_of, rows_of

NOTES, PLAN, CRANE = "projects/notes.md", "projects/crane/plan.md", "projects/crane"


def tree(desk: Desk) -> QTreeView:
    found = desk.widget(QTreeView, "workspaceTree")
    assert isinstance(found, QTreeView)
    return found


def choose(desk: Desk, path: str) -> QTreeView:
    view = tree(desk)
    index = index_of(view.model(), path)
    assert index is not None
    view.setFocus()
    view.setCurrentIndex(index)
    return view


def field(desk: Desk) -> QLineEdit:
    found = desk.widget(QLineEdit, "nameField")
    assert isinstance(found, QLineEdit)
    return found


def message(desk: Desk) -> str:
    label = desk.window.findChild(QLabel, "nameMessage")
    assert isinstance(label, QLabel)
    return label.text() if not label.isHidden() else ""


def name(desk: Desk, text: str) -> None:
    line = field(desk)
    line.selectAll()
    desk.qtbot.keyClicks(line, text)
    desk.qtbot.keyClick(line, Qt.Key.Key_Return)


def pill(desk: Desk) -> str:
    labels = [label for label in desk.window.findChildren(QLabel, "noticeText") if label.isVisible()]
    return labels[0].text() if labels else ""


def press_pill(desk: Desk) -> None:
    button = desk.widget(QPushButton, "noticeAction")
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_new_document_opens_in_the_chosen_folder(desk: Desk) -> None:
    choose(desk, CRANE)
    desk.do("document.new")
    name(desk, "ideas")
    desk.until(lambda: desk.ready("projects/crane/ideas.md"))
    assert (desk.root / "projects/crane/ideas.md").read_bytes() == b""
    assert not desk.shown("nameCard")


def test_among_daily_logs_the_name_of_todays_is_offered(
    open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    today = f"{date.today().isoformat()}.md"
    (workspace_root / "memory" / today).unlink(missing_ok=True)
    desk = open_desk(workspace_root)
    choose(desk, "memory")
    desk.do("document.new")
    assert field(desk).text() == today


def test_a_name_that_is_taken_is_said_below_the_field_and_nothing_is_made(desk: Desk) -> None:
    choose(desk, "projects")
    desk.do("document.new")
    desk.qtbot.keyClicks(field(desk), "Notes")
    assert message(desk) == "There is already “notes.md” here."
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Return)
    assert desk.shown("nameCard")
    assert sorted(os.listdir(desk.root / "projects")) == ["crane", "notes.md"]


@pytest.mark.parametrize(("text", "words"), [("aa:b", "cannot hold ':'"), ("../x", "'..'"), (".x", "begin with a dot")])
def test_a_name_that_will_not_do_says_why(desk: Desk, text: str, words: str) -> None:
    choose(desk, "projects")
    desk.do("document.new")
    desk.qtbot.keyClicks(field(desk), text)
    assert words in message(desk)


def test_a_name_that_windows_could_not_hold_is_warned_about_and_given(desk: Desk) -> None:
    choose(desk, "projects")
    desk.do("document.new")
    desk.qtbot.keyClicks(field(desk), "what?")
    assert message(desk) == "Windows cannot hold ? in a name."
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Return)
    desk.until(lambda: (desk.root / "projects/what?.md").exists())


def test_an_empty_name_is_asked_for_again_and_escape_gives_it_up(desk: Desk) -> None:
    choose(desk, "projects")
    desk.do("folder.new")
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Return)
    assert message(desk) == "Type a name."
    desk.qtbot.keyClick(field(desk), Qt.Key.Key_Escape)
    assert not desk.shown("nameCard")
    assert tree(desk).hasFocus()


def test_a_folder_is_made(desk: Desk) -> None:
    choose(desk, "projects")
    desk.do("folder.new")
    name(desk, "v1.2 plans")
    desk.until(lambda: "projects/v1.2 plans" in desk.tree_paths())


def test_a_page_goes_along_with_its_text_caret_and_undo(desk: Desk) -> None:
    editor = desk.open(NOTES)
    desk.type(NOTES, "mine ")
    choose(desk, NOTES)
    desk.do("document.rename")
    assert field(desk).selectedText() == "notes"
    name(desk, "quays")
    new = "projects/quays.md"
    desk.until(lambda: desk.page(new) is not None)
    assert desk.editor(new) is editor
    assert editor.toPlainText().startswith("mine # Notes")
    assert editor.textCursor().position() == 5
    desk.type(NOTES if desk.page(NOTES) else new, "more ")
    desk.save()
    desk.until(lambda: desk.state(new) == "saved")
    assert desk.read(new).startswith("more mine # Notes")
    editor.undo()
    assert editor.toPlainText().startswith("mine # Notes")
    assert not (desk.root / NOTES).exists()


def test_pages_of_a_renamed_folder_go_along(desk: Desk) -> None:
    desk.open(PLAN)
    choose(desk, CRANE)
    desk.do("document.rename")
    name(desk, "lift")
    desk.until(lambda: desk.page("projects/lift/plan.md") is not None)
    desk.until(lambda: desk.state("projects/lift/plan.md") == "saved")
    assert desk.page(PLAN) is None


def test_what_was_done_in_the_tree_is_undone_in_the_tree(desk: Desk) -> None:
    choose(desk, NOTES)
    desk.do("document.rename")
    name(desk, "quays")
    desk.until(lambda: "projects/quays.md" in desk.tree_paths() and not desk.shown("nameCard"))
    tree(desk).setFocus()
    desk.do("edit.undo")
    desk.until(lambda: NOTES in desk.tree_paths())
    assert "projects/quays.md" not in desk.tree_paths()


def test_delete_puts_the_chosen_file_in_the_trash_and_the_pill_brings_it_back(desk: Desk) -> None:
    before = desk.read(NOTES)
    desk.open(NOTES)
    view = choose(desk, NOTES)
    desk.qtbot.keyClick(view, Qt.Key.Key_Delete)
    desk.until(lambda: not (desk.root / NOTES).exists())
    desk.until(lambda: desk.page(NOTES) is None)
    desk.until(lambda: pill(desk) == "“notes.md” is in the trash.")
    press_pill(desk)
    desk.until(lambda: (desk.root / NOTES).exists())
    assert desk.read(NOTES) == before
    desk.until(lambda: desk.ready(NOTES))
    desk.until(lambda: NOTES in desk.tree_paths())


def test_unsaved_text_of_a_file_in_the_trash_stays_on_its_page(desk: Desk) -> None:
    desk.open(NOTES)
    desk.type(NOTES, "mine ")
    choose(desk, NOTES)
    desk.do("document.trash")
    desk.until(lambda: not (desk.root / NOTES).exists())
    desk.until(lambda: desk.page(NOTES) is None or desk.state(NOTES) == "deleted")
    page = desk.page(NOTES)
    if page is not None:
        assert desk.text(NOTES).startswith("mine ")


def test_delete_in_a_text_takes_away_a_letter(desk: Desk) -> None:
    editor = desk.open(NOTES)
    editor.setFocus()
    desk.qtbot.keyClick(editor, Qt.Key.Key_Delete)
    assert editor.toPlainText().startswith(" Notes")
    assert (desk.root / NOTES).exists()


def test_an_identity_file_stays_where_it_is_and_it_is_said(desk: Desk) -> None:
    choose(desk, "SOUL.md")
    desk.do("document.trash")
    desk.until(lambda: "identity file" in pill(desk))
    assert (desk.root / "SOUL.md").exists()
    choose(desk, "SOUL.md")
    desk.do("document.rename")
    assert pill(desk) == "“SOUL.md” is an identity file and stays where it is."
    assert not desk.shown("nameCard")
    choose(desk, NOTES)
    desk.do("document.rename")
    name(desk, "AGENTS")
    desk.until(lambda: (desk.root / "projects/AGENTS.md").exists())
    choose(desk, "MEMORY.md")
    desk.do("document.rename")
    name(desk, "BOOTSTRAP")
    desk.until(lambda: message(desk) == "“BOOTSTRAP.md” is an identity file and stays where it is.")
    assert (desk.root / "MEMORY.md").exists()


def test_a_file_is_moved_by_the_palette(desk: Desk) -> None:
    choose(desk, NOTES)
    desk.do("document.move")
    line = desk.widget(QLineEdit, "paletteField")
    desk.qtbot.keyClicks(line, "crane")
    desk.qtbot.keyClick(line, Qt.Key.Key_Return)
    desk.until(lambda: (desk.root / "projects/crane/notes.md").exists())
    desk.until(lambda: pill(desk) == "“notes.md” is now in projects/crane.")


def drop(desk: Desk, path: str, folder: str) -> tuple[bool, bool]:
    """Whether it may be dropped there, and whether the view would take its row away by itself."""
    model = tree(desk).model()
    source, target = index_of(model, path), index_of(model, folder)
    assert source is not None
    assert target is not None
    data = model.mimeData([source])
    action = Qt.DropAction.MoveAction
    return model.canDropMimeData(data, action, -1, -1, target), model.dropMimeData(data, action, -1, -1, target)


def test_a_file_dropped_on_a_folder_moves_there(desk: Desk) -> None:
    assert drop(desk, NOTES, CRANE) == (True, False)
    desk.until(lambda: (desk.root / "projects/crane/notes.md").exists())
    assert not (desk.root / NOTES).exists()


@pytest.mark.parametrize(("path", "folder"), [(CRANE, CRANE), ("projects", CRANE), (CRANE, "projects"), (NOTES, PLAN)])
def test_nothing_is_dropped_into_itself_below_itself_where_it_is_or_on_a_file(
    desk: Desk, path: str, folder: str
) -> None:
    assert drop(desk, path, folder) == (False, False)


def test_only_what_may_be_moved_can_be_dragged(desk: Desk) -> None:
    model = tree(desk).model()
    for path, may in ((NOTES, True), (CRANE, True), ("SOUL.md", False)):
        index = index_of(model, path)
        assert index is not None
        assert bool(model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled) is may
    assert not model.flags(model.index(0, 0, QModelIndex())) & Qt.ItemFlag.ItemIsDragEnabled
    foreign = QMimeData()
    foreign.setText("x")
    index = index_of(model, CRANE)
    assert index is not None
    assert not model.canDropMimeData(foreign, Qt.DropAction.MoveAction, -1, -1, index)
    assert model.mimeTypes() == [DRAGGED]


def test_the_menu_of_a_row_is_for_that_row(desk: Desk) -> None:
    desk.open(NOTES)
    view = tree(desk)
    index = index_of(view.model(), PLAN)
    assert index is not None
    view.expand(index.parent().parent())
    view.expand(index.parent())
    view.scrollTo(index)
    place = view.visualRect(index).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    menu = desk.window.findChild(QMenu, "treeMenu")
    assert isinstance(menu, QMenu)
    desk.until(menu.isVisible)
    assert desk.window.action("document.trash") in menu.actions()
    assert desk.window.action("document.trash").isEnabled()
    menu.hide()
    desk.do("path.copy")
    assert QApplication.clipboard().text() == str(desk.root / PLAN)


def test_the_folder_of_a_file_is_shown_outside(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def note(url: object) -> bool:
        opened.append(url.toLocalFile())  # type: ignore[attr-defined]
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", note)
    choose(desk, PLAN)
    desk.do("path.show")
    assert opened == [str(desk.root / CRANE)]


def test_a_copy_stands_beside_it(desk: Desk) -> None:
    choose(desk, NOTES)
    desk.do("document.duplicate")
    desk.until(lambda: "projects/notes copy.md" in desk.tree_paths())
    assert desk.read("projects/notes copy.md") == desk.read(NOTES)


def test_in_a_page_the_file_in_front_is_meant(desk: Desk) -> None:
    choose(desk, CRANE)
    editor = desk.open(NOTES)
    editor.setFocus()
    desk.do("document.rename")
    assert field(desk).text() == "notes.md"


def test_a_big_folder_goes_and_comes_back(open_desk: Callable[[Path], Desk], tmp_path: Path) -> None:
    root = tmp_path / "many"
    for number in range(1500):
        path = root / "old" / f"{number % 10}" / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}\n")
    (root / "MEMORY.md").write_text("x\n")
    desk = open_desk(root)
    choose(desk, "old")
    desk.do("document.trash")
    desk.until(lambda: pill(desk) == "“old” with 1,500 files is in the trash.")
    desk.until(lambda: "old" not in desk.tree_paths())
    press_pill(desk)
    desk.until(lambda: "old/7/7.md" in desk.tree_paths())
    assert len(list((root / "old").rglob("*.md"))) == 1500


def test_every_part_of_the_card_has_a_name(desk: Desk) -> None:
    choose(desk, NOTES)
    desk.do("document.rename")
    card = desk.widget(QWidget, "nameCard")
    assert field(desk).accessibleName() == card.accessibleName() == "Rename “notes.md”"
    assert card.geometry().top() >= QPoint(0, 0).y()


def test_a_big_folder_on_its_way_to_another_disk_says_how_far_it_is_and_can_be_stopped(
    open_desk: Callable[[Path], Desk], workspace_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shm = Path("/dev/shm")
    if not shm.is_dir() or shm.stat().st_dev == workspace_root.stat().st_dev or not os.access(shm, os.W_OK):
        pytest.skip("there is no other disk here")
    home = shm / f"memgui-window-{os.getpid()}"
    monkeypatch.setenv("MEMGUI_HOME", str(home))
    monkeypatch.setattr(wiring, "SLOW_SECONDS", 0.0)
    for number in range(40):
        (workspace_root / "projects" / f"{number}.md").write_text(f"{number}\n")
    before = {path: path.read_bytes() for path in workspace_root.rglob("*.md")}
    copied, go_on = copying._copy_file, threading.Event()
    files: list[bytes] = []

    def slow(source: int, old: bytes, target: int, new: bytes) -> tuple[int, int, int]:
        files.append(old)
        if len(files) == 10:
            go_on.wait(20)
        return copied(source, old, target, new)

    monkeypatch.setattr(copying, "_copy_file", slow)
    try:
        desk = open_desk(workspace_root)
        choose(desk, "projects")
        desk.do("document.trash")
        desk.until(lambda: pill(desk) == "“projects” goes to the trash: 9 files so far.")
        press_pill(desk)
        go_on.set()
        desk.until(lambda: pill(desk) == "Stopped. Everything is where it was.")
        desk.until(lambda: "projects/7.md" in desk.tree_paths())
        assert {path: path.read_bytes() for path in workspace_root.rglob("*.md")} == before
        desk.window.close()
    finally:
        go_on.set()
        shutil.rmtree(home, ignore_errors=True)


def carried(desk: Desk, path: str, folder: str) -> bool:
    """Carry a row over another one and let go; whether the tree would take it there."""
    view = tree(desk)
    source, target = index_of(view.model(), path), index_of(view.model(), folder)
    assert source is not None
    assert target is not None
    for index in (source, target):
        while index.isValid():
            view.expand(index.parent())
            index = index.parent()
    view.scrollTo(target)
    place, data = view.visualRect(target).center(), view.model().mimeData([source])
    move, left, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    view.setState(QTreeView.State.DraggingState)
    for kind in (QDragEnterEvent, QDragMoveEvent):
        event = kind(place, move, data, left, none)
        event.ignore()
        QApplication.sendEvent(view.viewport(), event)
    may = event.isAccepted()
    desk.window.grab()
    if may:
        QApplication.sendEvent(view.viewport(), QDropEvent(place.toPointF(), move, data, left, none))
    else:
        QApplication.sendEvent(view.viewport(), QDragLeaveEvent())
    view.setState(QTreeView.State.NoState)
    return may


@pytest.mark.parametrize(("path", "folder"), [(CRANE, CRANE), ("projects", CRANE), (CRANE, "projects"), (NOTES, PLAN)])
def test_what_is_carried_where_it_cannot_go_is_not_taken(desk: Desk, path: str, folder: str) -> None:
    assert not carried(desk, path, folder)


def test_what_is_carried_to_a_folder_and_let_go_moves_there_and_back(desk: Desk) -> None:
    assert carried(desk, NOTES, CRANE)
    desk.until(lambda: pill(desk) == "“notes.md” is now in projects/crane.")
    assert "projects/crane/notes.md" in desk.tree_paths()
    tree(desk).setFocus()
    desk.do("edit.undo")
    desk.until(lambda: NOTES in desk.tree_paths())


def test_a_search_finds_a_renamed_file_by_its_new_name(desk: Desk) -> None:
    desk.until(lambda: bool(desk.window.property("indexed")))
    choose(desk, NOTES)
    desk.do("document.rename")
    name(desk, "quays")
    desk.until(lambda: "projects/quays.md" in desk.tree_paths() and not desk.shown("nameCard"))
    desk.do("view.search")
    desk.qtbot.keyClicks(desk.widget(QLineEdit, "searchField"), "Anker opens")
    results = desk.widget(QListView, "searchResults")
    assert isinstance(results, QListView)
    desk.until(lambda: {path for path, _line in rows_of(results) if path is not None} == {"projects/quays.md"})


def test_what_is_in_the_trash_can_be_brought_back_at_another_time(desk: Desk) -> None:
    (desk.root / "projects/picture.bin").write_bytes(b"\0\1")
    desk.until(lambda: "projects/picture.bin" in desk.tree_paths())
    desk.do("trash.show")
    desk.until(lambda: pill(desk) == "The trash is empty.")
    for path in ("projects/picture.bin", CRANE):
        choose(desk, path)
        desk.do("document.trash")
        desk.until(lambda path=path: not (desk.root / path).exists())  # type: ignore[misc]
        desk.until(lambda: "in the trash" in pill(desk))
    desk.do("trash.show")
    desk.until(lambda: desk.shown("paletteField"))
    line = desk.widget(QLineEdit, "paletteField")
    desk.qtbot.keyClicks(line, "picture")
    desk.qtbot.keyClick(line, Qt.Key.Key_Return)
    desk.until(lambda: "projects/picture.bin" in desk.tree_paths())
    assert (desk.root / "projects/picture.bin").read_bytes() == b"\0\1"
    assert not (desk.root / CRANE).exists()
