"""A person and an agent write the same file at once, in the real window: nothing of either is lost without a word."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.documents import fingerprint
from memgui.gui.app import wiring_of
from memgui.gui.panels.page.keeping import PageOptions
from memgui.ops import recovery, workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.versions import all_versions
from memgui.storage.deeds import Deeds
from tests.gui.flows.conftest import Desk

BASE = "# Memory\n\n- one\n- two\n- three\n- four\n"


@pytest.fixture
def torn(desk: Desk) -> Desk:
    """Typed into the first line, which an agent wrote anew meanwhile."""
    desk.replace("MEMORY.md", BASE)
    desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    desk.type("MEMORY.md", "mine ")
    desk.replace("MEMORY.md", "theirs\n" + BASE.partition("\n")[2])
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    return desk


def press(desk: Desk, path: str, name: str) -> None:
    page = desk.page(path)
    assert page is not None
    found = [button for button in page.findChildren(QPushButton, name) if button.isVisible()]
    assert found, f"no visible {name}"
    desk.qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)


def pill(desk: Desk, path: str, kind: str) -> QWidget | None:
    page = desk.page(path)
    pills = page.findChildren(QWidget, "notice") if page is not None else []
    return next((notice for notice in pills if notice.property("kind") == kind and notice.isVisible()), None)


def pill_text(desk: Desk, path: str, kind: str) -> str:
    notice = pill(desk, path, kind)
    label = notice.findChild(QLabel, "noticeText") if notice is not None else None
    return label.text() if label is not None else ""


def press_pill(desk: Desk, path: str, kind: str) -> None:
    notice = pill(desk, path, kind)
    assert notice is not None
    button = notice.findChild(QPushButton, "noticeAction")
    assert button is not None
    desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def put(editor: QPlainTextEdit, line: int, text: str) -> None:
    """Type at the end of a line."""
    cursor = QTextCursor(editor.document().findBlockByNumber(line))
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    editor.setTextCursor(cursor)
    editor.insertPlainText(text)


def held(root: Path, path: str) -> list[str]:
    """The text of every version that history has of a document."""
    ws = workspace.open(root, remember=False)
    history = Chronicle(ws).history
    return [history.bytes_of(one.hash).decode() for one in all_versions(ws, path)[1] if one.hash is not None]


# Both can stand ----------------------------------------------------------------------------------------------------


def test_an_agents_lines_come_in_beside_typed_text_and_both_are_saved(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    editor = desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    desk.type("MEMORY.md", "mine ")
    desk.append("MEMORY.md", "- five\n- six\n")
    desk.until(lambda: desk.state("MEMORY.md") == "merged")
    assert desk.text("MEMORY.md") == f"mine {BASE}- five\n- six\n"
    assert desk.status("statusSave") == "Merged 2 lines from disk"
    assert editor.textCursor().position() == 5
    assert "2 lines written outside memgui were merged" in pill_text(desk, "MEMORY.md", "merged")
    assert desk.banner("MEMORY.md") == ""
    desk.save()
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.read("MEMORY.md") == f"mine {BASE}- five\n- six\n"
    ws = workspace.open(desk.root, remember=False)
    desk.until(
        lambda: ("merge", "Merged 2 lines from disk") in [(one.kind, one.detail) for one in Deeds(ws.state).all()]
    )


def test_a_save_that_meets_a_newer_file_joins_it_and_saves_again(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    desk.type("MEMORY.md", "mine ")
    desk.append("MEMORY.md", "- five\n")
    desk.save()
    desk.until(lambda: desk.read("MEMORY.md") == f"mine {BASE}- five\n")
    desk.until(lambda: desk.state("MEMORY.md") == "saved")


def test_text_typed_without_end_while_an_agent_appends_is_all_on_the_disk_once(
    open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    desk = open_desk(workspace_root)
    wiring = wiring_of(desk.window)
    assert wiring is not None
    wiring.tabs.set_options(PageOptions(autosave_seconds=0.05, journal_seconds=0.05))
    desk.replace("MEMORY.md", BASE)
    editor = desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    for number in range(40):
        put(editor, 2, f" {number}")
        desk.append("MEMORY.md", f"- agent {number}\n")
        if number % 4 == 3:
            desk.until(lambda number=number: f"- agent {number}\n" in desk.text("MEMORY.md"))  # type: ignore[misc]
    desk.until(lambda: desk.state("MEMORY.md") == "saved" and desk.text("MEMORY.md") == desk.read("MEMORY.md"))
    typed = "".join(f" {number}" for number in range(40))
    stands = desk.read("MEMORY.md").splitlines()
    # What comes in the instant of a save is put behind it: behind what came right after it, too.
    wanted = BASE.replace("- one", f"- one{typed}").splitlines()
    assert stands[: len(wanted)] == wanted
    assert sorted(stands[len(wanted) :]) == sorted(f"- agent {number}" for number in range(40))


def test_a_very_large_file_is_joined_beside_the_window(desk: Desk) -> None:
    base = "".join(f"- line {number} of a long memory\n" for number in range(30_000))
    desk.replace("MEMORY.md", base)
    desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == base)
    desk.type("MEMORY.md", "mine ")
    desk.append("MEMORY.md", "- the end\n")
    desk.until(lambda: desk.state("MEMORY.md") == "merged")
    desk.save()
    desk.until(lambda: desk.read("MEMORY.md") == f"mine {base}- the end\n")


def test_nothing_comes_in_while_an_input_method_composes(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    editor = desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    put(editor, 2, "")
    QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    wiring = wiring_of(desk.window)
    assert wiring is not None
    with desk.qtbot.waitSignal(wiring.session.document_read):
        desk.append("MEMORY.md", "- agent\n")
    assert desk.text("MEMORY.md") == BASE
    event = QInputMethodEvent("", [])
    event.setCommitString("日本")
    QApplication.sendEvent(editor, event)
    desk.until(lambda: desk.text("MEMORY.md") == BASE.replace("- one", "- one日本") + "- agent\n")


# The person chooses ------------------------------------------------------------------------------------------------


def test_the_buttons_say_which_side_goes(torn: Desk) -> None:
    page = torn.page("MEMORY.md")
    assert page is not None
    words = {
        name: page.findChild(QPushButton, name).text()  # type: ignore[union-attr]
        for name in ("keepMine", "takeTheirs", "keepBoth", "resolve")
    }
    assert words == {
        "keepMine": "Keep mine (replace file)",
        "takeTheirs": "Take theirs (from disk)",
        "keepBoth": "Keep both",
        "resolve": "Resolve…",
    }


def test_a_hidden_banner_comes_back_with_the_save_and_nothing_is_written(torn: Desk) -> None:
    theirs = torn.read("MEMORY.md")
    dismiss = torn.widget(QWidget, "bannerDismiss")
    torn.qtbot.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert torn.banner("MEMORY.md") == ""
    torn.save()
    torn.until(lambda: torn.banner("MEMORY.md") == "conflict")
    assert torn.read("MEMORY.md") == theirs
    assert torn.text("MEMORY.md") == f"mine {BASE}"


def test_keeping_both_is_saved_at_once_and_mine_alone_is_a_version(torn: Desk) -> None:
    press(torn, "MEMORY.md", "keepBoth")
    both = "mine # Memory\ntheirs\n" + BASE.partition("\n")[2]
    torn.until(lambda: torn.read("MEMORY.md") == both)
    torn.until(lambda: torn.state("MEMORY.md") == "saved")
    torn.until(lambda: f"mine {BASE}" in held(torn.root, "MEMORY.md"))
    assert held(torn.root, "MEMORY.md")[-1] == both
    torn.do("edit.undo")
    assert torn.text("MEMORY.md") == f"mine {BASE}"
    assert pill(torn, "MEMORY.md", "undo-outside") is not None


def test_taking_theirs_leaves_mine_as_a_version_and_undo_brings_it_back(torn: Desk) -> None:
    theirs = torn.read("MEMORY.md")
    press(torn, "MEMORY.md", "takeTheirs")
    assert torn.text("MEMORY.md") == theirs
    assert torn.state("MEMORY.md") == "saved"
    torn.until(lambda: f"mine {BASE}" in held(torn.root, "MEMORY.md"))
    assert held(torn.root, "MEMORY.md")[-1] == theirs
    torn.do("edit.undo")
    assert torn.text("MEMORY.md") == f"mine {BASE}"
    torn.save()
    assert torn.read("MEMORY.md") == theirs
    press_pill(torn, "MEMORY.md", "undo-outside")
    torn.until(lambda: torn.read("MEMORY.md") == f"mine {BASE}")


def test_keeping_mine_leaves_theirs_as_a_version_and_undo_brings_it_back(torn: Desk) -> None:
    theirs = torn.read("MEMORY.md")
    press(torn, "MEMORY.md", "keepMine")
    torn.until(lambda: torn.read("MEMORY.md") == f"mine {BASE}")
    torn.until(lambda: torn.state("MEMORY.md") == "saved")
    assert theirs in held(torn.root, "MEMORY.md")
    torn.do("edit.undo")
    assert torn.text("MEMORY.md") == theirs
    torn.save()
    torn.until(lambda: torn.read("MEMORY.md") == theirs)


def test_a_conflict_is_resolved_by_keys_alone_while_the_agent_goes_on(torn: Desk, qtbot: QtBot) -> None:
    torn.window.action("document.resolve").trigger()
    result = torn.widget(QPlainTextEdit, "resolveResult")
    assert isinstance(result, QPlainTextEdit)
    torn.until(lambda: QApplication.focusWidget() is result or not torn.window.isActiveWindow())
    torn.append("MEMORY.md", "- five\n")
    torn.until(lambda: result.toPlainText().endswith("- five\n"))
    torn.do("document.save")
    assert torn.banner("MEMORY.md") == "conflict"
    qtbot.keyClick(result, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(result, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    torn.do("document.save")
    wanted = f"mine {BASE}- five\n"
    torn.until(lambda: torn.read("MEMORY.md") == wanted)
    torn.until(lambda: torn.state("MEMORY.md") == "saved")
    assert torn.text("MEMORY.md") == wanted
    assert torn.editor("MEMORY.md").isVisible()
    assert not torn.window.action("document.resolve").isEnabled()


def test_leaving_the_resolving_settles_nothing(torn: Desk, qtbot: QtBot) -> None:
    theirs = torn.read("MEMORY.md")
    press(torn, "MEMORY.md", "resolve")
    result = torn.widget(QPlainTextEdit, "resolveResult")
    qtbot.keyClick(result, Qt.Key.Key_Escape)
    assert torn.editor("MEMORY.md").isVisible()
    assert torn.banner("MEMORY.md") == "conflict"
    assert torn.read("MEMORY.md") == theirs


def test_a_file_that_came_into_being_meanwhile_is_never_replaced(desk: Desk) -> None:
    wiring = wiring_of(desk.window)
    assert wiring is not None
    wiring.moves.open_when_ready(desk.root / "new.md", None)
    desk.until(lambda: desk.ready("new.md"))
    desk.type("new.md", "mine")
    (desk.root / "new.md").write_text("agent\n")
    desk.save()
    desk.until(lambda: desk.banner("new.md") == "conflict")
    assert desk.read("new.md") == "agent\n"
    press(desk, "new.md", "keepBoth")
    desk.until(lambda: desk.read("new.md") == "mine\nagent\n")
    desk.until(lambda: desk.state("new.md") == "saved")


def test_an_empty_new_page_shows_the_file_that_came_meanwhile(desk: Desk) -> None:
    wiring = wiring_of(desk.window)
    assert wiring is not None
    wiring.moves.open_when_ready(desk.root / "new.md", None)
    desk.until(lambda: desk.ready("new.md"))
    (desk.root / "new.md").write_text("agent\n")
    desk.until(lambda: desk.text("new.md") == "agent\n")
    assert desk.state("new.md") == "saved"


# False alarms, and changes that hide ------------------------------------------------------------------------------


def test_a_hundred_saves_and_a_touched_file_raise_no_banner(desk: Desk) -> None:
    desk.open("MEMORY.md")
    for number in range(100):
        desk.type("MEMORY.md", "x")
        desk.save()
        desk.until(lambda: desk.state("MEMORY.md") == "saved")
        assert desk.banner("MEMORY.md") == ""
        if number % 20 == 0:
            os.utime(desk.root / "MEMORY.md")
    assert desk.read("MEMORY.md").startswith("x" * 100)
    assert pill(desk, "MEMORY.md", "merged") is None


def test_a_write_of_the_same_length_at_the_same_time_is_found(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    desk.type("MEMORY.md", "mine ")
    stat = (desk.root / "MEMORY.md").stat()
    with (desk.root / "MEMORY.md").open("r+b") as file:
        file.write(b"@ Memory")
    os.utime(desk.root / "MEMORY.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    desk.save()
    desk.until(lambda: desk.banner("MEMORY.md") == "conflict")
    assert desk.read("MEMORY.md").startswith("@ Memory")


def test_opening_an_open_file_again_shows_the_same_text_and_undo(desk: Desk) -> None:
    editor = desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.open("USER.md")
    assert desk.open("MEMORY.md") is editor
    assert desk.text("MEMORY.md").startswith("mine ")


# Renamed, deleted, made again --------------------------------------------------------------------------------------


def test_a_page_with_unsaved_text_goes_with_its_renamed_file(desk: Desk) -> None:
    editor = desk.open("projects/notes.md")
    before = desk.read("projects/notes.md")
    desk.type("projects/notes.md", "mine ")
    os.rename(desk.root / "projects" / "notes.md", desk.root / "projects" / "harbour-notes.md")
    desk.until(lambda: desk.ready("projects/harbour-notes.md"))
    assert desk.page("projects/notes.md") is None
    assert desk.editor("projects/harbour-notes.md") is editor
    assert desk.text("projects/harbour-notes.md") == f"mine {before}"
    desk.until(lambda: desk.state("projects/harbour-notes.md") == "unsaved")
    desk.append("projects/harbour-notes.md", "- agent\n")
    desk.until(lambda: desk.state("projects/harbour-notes.md") == "merged")
    desk.save()
    desk.until(lambda: desk.read("projects/harbour-notes.md") == f"mine {before}- agent\n")
    assert not (desk.root / "projects" / "notes.md").exists()
    desk.do("edit.undo")
    desk.do("edit.undo")
    assert desk.text("projects/harbour-notes.md") == before


def test_unsaved_text_meets_a_file_that_was_deleted_and_made_again(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    desk.type("MEMORY.md", "mine ")
    (desk.root / "MEMORY.md").unlink()
    desk.until(lambda: desk.state("MEMORY.md") == "deleted")
    (desk.root / "MEMORY.md").write_text(BASE + "- again\n")
    desk.until(lambda: desk.state("MEMORY.md") == "merged")
    assert desk.text("MEMORY.md") == f"mine {BASE}- again\n"


# Lost lines --------------------------------------------------------------------------------------------------------


def test_saved_lines_that_an_agents_stale_write_removes_come_back(desk: Desk) -> None:
    desk.replace("MEMORY.md", BASE)
    editor = desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    put(editor, 2, "\nmy line")
    desk.save()
    desk.until(lambda: "my line" in desk.read("MEMORY.md"))
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    desk.replace("MEMORY.md", BASE + "- agent\n")
    desk.until(lambda: pill(desk, "MEMORY.md", "lost-lines") is not None)
    assert pill_text(desk, "MEMORY.md", "lost-lines").startswith("An outside write removed 1 line you saved at ")
    press_pill(desk, "MEMORY.md", "lost-lines")
    wanted = BASE.replace("- one\n", "- one\nmy line\n") + "- agent\n"
    desk.until(lambda: desk.read("MEMORY.md") == wanted)
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert pill(desk, "MEMORY.md", "lost-lines") is None
    ws = workspace.open(desk.root, remember=False)
    desk.until(lambda: all_versions(ws, "MEMORY.md")[1][-1].origin.label == "you")


def test_lines_lost_while_the_page_was_closed_are_told_when_it_is_opened_again(desk: Desk) -> None:
    desk.open("USER.md")
    desk.replace("MEMORY.md", BASE)
    editor = desk.open("MEMORY.md")
    desk.until(lambda: desk.text("MEMORY.md") == BASE)
    put(editor, 2, "\nmy line")
    desk.do("document.close")
    desk.until(lambda: desk.page("MEMORY.md") is None)
    desk.replace("MEMORY.md", BASE)
    desk.open("MEMORY.md")
    desk.until(lambda: pill(desk, "MEMORY.md", "lost-lines") is not None)


def test_lines_are_missed_under_a_new_name_too(desk: Desk) -> None:
    desk.open("projects/notes.md")
    before = desk.read("projects/notes.md")
    desk.editor("projects/notes.md").insertPlainText("my line\n")
    desk.save()
    desk.until(lambda: desk.state("projects/notes.md") == "saved")
    os.rename(desk.root / "projects" / "notes.md", desk.root / "projects" / "renamed.md")
    desk.until(lambda: desk.ready("projects/renamed.md"))
    desk.replace("projects/renamed.md", before)
    desk.until(lambda: pill(desk, "projects/renamed.md", "lost-lines") is not None)


def test_a_choice_in_the_banner_ends_the_resolving_and_keeps_what_was_made(torn: Desk) -> None:
    press(torn, "MEMORY.md", "resolve")
    result = torn.widget(QPlainTextEdit, "resolveResult")
    assert isinstance(result, QPlainTextEdit)
    result.insertPlainText("half done ")
    press(torn, "MEMORY.md", "keepMine")
    torn.until(lambda: torn.read("MEMORY.md") == f"mine {BASE}")
    assert torn.editor("MEMORY.md").isVisible()
    made = f"half done mine {BASE}".encode()
    copies = recovery.copies(workspace.open(torn.root, remember=False))
    torn.until(lambda: fingerprint(made) in copies)
    assert copies.get(fingerprint(made)) == made
