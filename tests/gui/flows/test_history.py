"""The history in the real window: versions listed, compared, restored, undone; what is gone; forgetting; a move."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.gui.kit.difference import DifferenceView
from memgui.gui.panels.history.panel import HistoryPanel
from memgui.gui.wiring.history import Recall
from memgui.gui.wiring.keeping import Keeping
from memgui.ops import documents, following, reading, sync, versions, workspace
from memgui.storage import anchors
from memgui.storage.journal import IntentState, Journal
from tests.gui.flows.conftest import Desk

MEMORY, SCRIBE = DocPath("MEMORY.md"), Origin.agent("scribe")
NUMBER = int(Qt.ItemDataRole.UserRole)
LINES = [f"- line {number}\n" for number in range(30)]


def text(*edits: tuple[int, str]) -> str:
    lines = LINES.copy()
    for number, line in edits:
        lines[number] = line
    return "".join(lines)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """MEMORY.md with three versions: seen, by an agent, and by the person; SOUL.md and a document that is gone."""
    root = tmp_path / "ws"
    (root / "daily").mkdir(parents=True)
    (root / "HEARTBEAT.md").write_text("")
    (root / "MEMORY.md").write_text(text())
    (root / "SOUL.md").write_text("soul\n")
    (root / "gone.md").write_text("what was there\n")
    ws = workspace.open(root)
    for name in ("MEMORY.md", "SOUL.md", "gone.md"):
        os.utime(root / name, (1.7e9, 1.7e9))
        reading.read(ws, name)
    two, three = text((3, "- agent\n")), text((3, "- agent\n"), (20, "- mine\n"))
    documents.write(ws, MEMORY, two.encode(), expected=fingerprint(text().encode()), origin=SCRIBE, now=1.71e9)
    documents.write(ws, MEMORY, three.encode(), expected=fingerprint(two.encode()), origin=Origin.you(), now=1.72e9)
    (root / "gone.md").unlink()
    following.catch_up(ws, sync.look(ws), now=1.73e9)
    return ws


@pytest.fixture
def desk(ws: Workspace, open_desk: Callable[[Path], Desk]) -> Desk:
    desk = open_desk(ws.root)
    desk.open("MEMORY.md")
    return desk


def panel_of(desk: Desk) -> HistoryPanel:
    panel = desk.window.findChild(HistoryPanel)
    assert isinstance(panel, HistoryPanel)
    return panel


def show(desk: Desk) -> QListView:
    desk.do("view.history")
    found = desk.widget(QListView, "historyList")
    assert isinstance(found, QListView)
    desk.until(lambda: found.model().rowCount() >= 3 and panel_of(desk).detail.found is not None)
    return found


def numbers(rows: QListView) -> list[int | None]:
    return [rows.model().index(row, 0).data(NUMBER) for row in range(rows.model().rowCount())]


def choose(desk: Desk, rows: QListView, number: int) -> DifferenceView:
    rows.setCurrentIndex(rows.model().index(numbers(rows).index(number), 0))
    panel = panel_of(desk)
    desk.until(lambda: panel.detail.found is not None)
    view = desk.window.findChild(DifferenceView, "historyDiff")
    assert isinstance(view, DifferenceView)
    return view


def said(desk: Desk) -> str:
    label = desk.window.findChild(QLabel, "historyMessageText")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def counts(view: DifferenceView) -> tuple[int, int]:
    return view.difference.added, view.difference.removed


def test_versions_stand_newest_first_with_who_and_how_many_lines(desk: Desk) -> None:
    rows = show(desk)
    assert numbers(rows) == [3, 2, 1]
    model = panel_of(desk).model
    desk.until(lambda: all(row.counts is not None for row in model.rows))
    assert [row.counts for row in model.rows] == [(1, 1), (1, 1), (30, 0)]
    spoken = rows.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert 'agent "scribe"' in spoken
    assert "1 line added" in spoken
    assert rows.hasFocus()


def test_in_the_smallest_window_the_buttons_are_whole_and_stand_apart(desk: Desk) -> None:
    choose(desk, show(desk), 1)
    desk.window.resize(480, 360)
    detail = panel_of(desk).detail
    desk.until(lambda: desk.window.height() == 360 and not detail.copy.isVisible())
    for button in (detail.restore, detail.restore_place, detail.more):
        assert button.visibleRegion().boundingRect() == button.rect(), button.objectName()
    assert not detail.restore.geometry().intersects(detail.restore_place.geometry())
    assert detail.view.height() >= 40


def test_the_name_of_the_document_is_cut_in_its_middle(desk: Desk) -> None:
    show(desk)
    chooser = panel_of(desk).chooser
    assert chooser.shown_text() == "MEMORY.md"
    chooser.addItem("a-note-" + "with-a-long-name-" * 8 + "at-the-end.md")
    chooser.setCurrentIndex(chooser.count() - 1)
    assert re.fullmatch(r"a-note.*….*\.md", chooser.shown_text())
    assert chooser.toolTip() == chooser.currentText()


def test_a_version_is_compared_with_now_and_any_other_by_one_key(desk: Desk) -> None:
    rows = show(desk)
    assert counts(choose(desk, rows, 1)) == (2, 2)
    assert counts(choose(desk, rows, 2)) == (1, 1)
    desk.qtbot.keyClick(rows, Qt.Key.Key_S)
    assert counts(choose(desk, rows, 1)) == (1, 1)
    assert panel_of(desk).detail.comparison is not None
    assert panel_of(desk).detail.comparison.words == "version 1 → version 2"  # type: ignore[union-attr]
    desk.qtbot.keyClick(rows, Qt.Key.Key_Return)
    desk.until(lambda: counts(panel_of(desk).detail.view) == (2, 2))


def test_a_click_with_ctrl_compares_with_that_version(desk: Desk) -> None:
    rows = show(desk)
    choose(desk, rows, 2)
    place = rows.visualRect(rows.model().index(numbers(rows).index(1), 0)).center()
    desk.qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
    assert rows.currentIndex().data(NUMBER) == 2
    desk.until(lambda: counts(panel_of(desk).detail.view) == (1, 1))
    comparison = panel_of(desk).detail.comparison
    assert comparison is not None
    assert comparison.words == "version 1 → version 2"


def test_places_are_stepped_through_by_key(desk: Desk) -> None:
    rows = show(desk)
    view = choose(desk, rows, 1)
    assert view.part == "1"
    desk.qtbot.keyClick(rows, Qt.Key.Key_J)
    assert view.part == "2"
    desk.qtbot.keyClick(rows, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert view.part == "1"


def test_restore_is_a_save_of_the_person_and_undo_takes_it_back(desk: Desk, ws: Workspace) -> None:
    rows = show(desk)
    before = (desk.root / "MEMORY.md").read_bytes()
    choose(desk, rows, 1)
    desk.qtbot.keyClick(rows, Qt.Key.Key_R)
    desk.until(lambda: (desk.root / "MEMORY.md").read_text() == text())
    desk.until(lambda: numbers(rows) == [4, 3, 2, 1])
    assert versions.seen(ws, MEMORY)[-1].origin == Origin.you()
    desk.until(lambda: desk.text("MEMORY.md") == text())
    assert desk.state("MEMORY.md") == "saved"
    assert "as version 1 was" in said(desk)
    desk.do("edit.undo")
    desk.until(lambda: (desk.root / "MEMORY.md").read_bytes() == before)
    desk.until(lambda: desk.text("MEMORY.md").encode() == before)
    assert not desk.window.action("edit.undo").isEnabled()


def test_one_place_comes_back_and_the_other_stays(desk: Desk) -> None:
    rows = show(desk)
    view = choose(desk, rows, 1)
    desk.until(lambda: len(view.difference.parts) == 2)
    view.choose_part("2")
    desk.qtbot.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    desk.until(lambda: (desk.root / "MEMORY.md").read_text() == text((3, "- agent\n")))


def test_what_was_written_meanwhile_is_not_overwritten(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = show(desk)
    choose(desk, rows, 1)
    # The person sees the older comparison still: nothing tells the window in time.
    monkeypatch.setattr(Recall, "_follow_disk", lambda _self, _changes: None)
    (desk.root / "MEMORY.md").write_text("newer\n")
    desk.qtbot.keyClick(rows, Qt.Key.Key_R)
    desk.until(lambda: "changed on disk" in said(desk))
    assert (desk.root / "MEMORY.md").read_text() == "newer\n"


def test_an_outside_write_becomes_a_row_and_the_chosen_one_stays(desk: Desk) -> None:
    rows = show(desk)
    choose(desk, rows, 2)
    (desk.root / "MEMORY.md").write_text("newer\n")
    desk.until(lambda: numbers(rows) == [4, 3, 2, 1])
    assert rows.currentIndex().data(NUMBER) == 2


def test_the_text_of_a_version_goes_to_the_clipboard(desk: Desk) -> None:
    rows = show(desk)
    choose(desk, rows, 1)
    desk.qtbot.keyClick(rows, Qt.Key.Key_C)
    desk.until(lambda: QApplication.clipboard().text() == text())


def test_an_identity_file_is_not_written_unless_it_is_unlocked(desk: Desk) -> None:
    (desk.root / "SOUL.md").write_text("poison\n")
    desk.open("SOUL.md")
    desk.do("view.history")
    rows = panel_of(desk).list
    desk.until(lambda: panel_of(desk).path == "SOUL.md" and rows.model().rowCount() == 2)
    choose(desk, rows, 1)
    desk.qtbot.keyClick(rows, Qt.Key.Key_R)
    desk.until(lambda: "identity file" in said(desk))
    assert (desk.root / "SOUL.md").read_text() == "poison\n"
    desk.qtbot.mouseClick(desk.widget(QPushButton, "historyMessageAction"), Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.shown("unlockConfirm"))


def test_deleted_files_are_listed_and_come_back(desk: Desk) -> None:
    desk.do("history.deleted")
    desk.until(lambda: desk.shown("deletedList"))
    rows = desk.widget(QListView, "deletedList")
    assert isinstance(rows, QListView)
    assert [rows.model().index(row, 0).data(NUMBER + 1) for row in range(rows.model().rowCount())] == ["gone.md"]
    desk.until(lambda: panel_of(desk).detail.found is not None)
    desk.qtbot.keyClick(rows, Qt.Key.Key_R)
    desk.until(lambda: (desk.root / "gone.md").exists())
    assert (desk.root / "gone.md").read_text() == "what was there\n"
    desk.until(lambda: "gone.md" in desk.tree_paths())
    desk.until(lambda: panel_of(desk).deleted_model.gone == ())
    desk.do("edit.undo")
    desk.until(lambda: not (desk.root / "gone.md").exists())


def test_a_version_is_forgotten_only_after_it_was_asked(desk: Desk, ws: Workspace) -> None:
    rows = show(desk)
    choose(desk, rows, 2)
    desk.do("history.forget")
    assert "cannot be brought back" in said(desk)
    assert "with the file's name, who wrote it and when" in said(desk)
    desk.qtbot.keyClick(desk.widget(QPushButton, "historyMessageDismiss"), Qt.Key.Key_Escape)
    assert not said(desk)
    assert rows.hasFocus()
    desk.do("history.forget")
    desk.qtbot.mouseClick(desk.widget(QPushButton, "historyMessageAction"), Qt.MouseButton.LeftButton)
    desk.until(lambda: "1 version was forgotten" in said(desk))
    desk.until(lambda: panel_of(desk).model.rows[1].version.is_forgotten)  # type: ignore[union-attr]
    assert [one.is_forgotten for one in versions.seen(ws, MEMORY)] == [False, True, False]
    assert not desk.widget(QPushButton, "restoreButton").isEnabled()


def test_a_secret_is_forgotten_everywhere_and_search_goes_on(desk: Desk, ws: Workspace) -> None:
    show(desk)
    desk.do("history.forget_text")
    assert "Names of files, who wrote them and when stay" in said(desk)
    field = desk.widget(QLineEdit, "historyMessageField")
    assert field.hasFocus()
    desk.qtbot.keyClicks(field, "- agent")
    desk.qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.until(lambda: "It still stands on disk in MEMORY.md" in said(desk))
    assert [one.is_forgotten for one in versions.seen(ws, MEMORY)] == [False, True, True]
    assert not [path for path in ws.state.rglob("*") if path.is_file() and b"- agent" in path.read_bytes()]
    desk.until(lambda: (ws.cache / "words").is_dir())


def test_the_workspace_is_laid_out_as_of_the_chosen_moment(desk: Desk, tmp_path: Path) -> None:
    rows = show(desk)
    choose(desk, rows, 2)
    row = panel_of(desk).row
    recall = desk.window.findChild(Recall)
    assert row is not None
    assert isinstance(recall, Recall)
    recall.laying_out.lay_out(row.time, tmp_path / "then")
    desk.until(lambda: "documents, as of" in said(desk))
    assert (tmp_path / "then/MEMORY.md").read_text() == text((3, "- agent\n"))
    recall.laying_out.lay_out(row.time, desk.root)
    desk.until(lambda: "lies in the workspace" in said(desk))


def test_where_there_is_no_page_nothing_is_shown_but_what_to_do(
    ws: Workspace, open_desk: Callable[[Path], Desk]
) -> None:
    (ws.root / "MEMORY.md").unlink()
    desk = open_desk(ws.root)
    desk.do("view.history")
    desk.until(lambda: desk.window.middle == "history")
    assert panel_of(desk).path is None or panel_of(desk).model.rows


def notice_action(desk: Desk, kind: str) -> QPushButton:
    """The button of the pill of that kind."""
    pills = [pill for pill in desk.window.notices.findChildren(QWidget, "notice") if pill.property("kind") == kind]
    button = pills[0].findChild(QPushButton, "noticeAction")
    assert isinstance(button, QPushButton)
    return button


def test_a_damaged_copy_is_said_where_its_text_would_stand_and_the_others_can_be_read(
    desk: Desk, ws: Workspace
) -> None:
    print_ = fingerprint(text((3, "- agent\n")).encode())
    for file in (ws.state / "kept" / print_[:2]).glob(f"{print_[2:]}*"):
        file.write_bytes(b"damage")
    desk.do("view.history")
    rows = panel_of(desk).list
    desk.until(lambda: rows.model().rowCount() == 3)
    rows.setCurrentIndex(rows.model().index(1, 0))
    note = desk.window.findChild(QLabel, "historyNote")
    assert isinstance(note, QLabel)
    desk.until(lambda: "version 2 of 'MEMORY.md' is damaged" in note.text())
    assert counts(choose(desk, rows, 1)) == (2, 2)


def test_a_write_that_never_came_is_said_and_is_no_version(desk: Desk, ws: Workspace) -> None:
    journal = Journal(ws.state)
    before = fingerprint((ws.root / "MEMORY.md").read_bytes())
    row = journal.intend(MEMORY, SCRIBE, before=before, after=fingerprint(b"never"), time=1.715e9)
    journal.settle(row, IntentState.ABORTED)
    rows = show(desk)
    desk.until(lambda: numbers(rows) == [3, None, 2, 1])
    rows.setCurrentIndex(rows.model().index(1, 0))
    note = desk.window.findChild(QLabel, "historyNote")
    assert isinstance(note, QLabel)
    desk.until(lambda: "never came to the disk" in note.text())
    assert not desk.widget(QPushButton, "restoreButton").isEnabled()


def test_a_damaged_journal_keeps_no_window_from_opening_and_is_said(
    ws: Workspace, open_desk: Callable[[Path], Desk]
) -> None:
    anchors.release()
    (ws.state / "journal.sqlite").write_bytes(b"no database" * 999)
    desk = open_desk(ws.root)
    desk.open("MEMORY.md")
    rows = show(desk)
    assert numbers(rows) == [3, 2, 1]
    keeping_of(desk).begin()
    desk.until(lambda: "history-damaged" in desk.window.notices.kinds)
    desk.qtbot.mouseClick(notice_action(desk, "history-damaged"), Qt.MouseButton.LeftButton)
    assert "history-damaged" not in desk.window.notices.kinds


# What is done while nobody waits ------------------------------------------------------------------------------------


def keeping_of(desk: Desk) -> Keeping:
    found = desk.window.findChild(Keeping)
    assert isinstance(found, Keeping)
    return found


def test_every_document_gets_a_version_while_nobody_waits(desk: Desk, ws: Workspace) -> None:
    (desk.root / "new.md").write_text("new\n")
    desk.until(lambda: "new.md" in desk.tree_paths())
    keeping_of(desk).begin()
    # Those that stand there, and the one that is gone.
    desk.until(lambda: len(list((ws.state / "history").rglob("*.jsonl"))) == 5)


def test_a_moved_workspace_is_offered_its_history_in_a_pill(
    ws: Workspace, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    moved = ws.root.with_name("moved")
    shutil.move(ws.root, moved)
    desk = open_desk(moved)
    keeping_of(desk).begin()
    desk.until(lambda: "history-moved" in desk.window.notices.kinds)
    qtbot.mouseClick(notice_action(desk, "history-moved"), Qt.MouseButton.LeftButton)
    desk.until(lambda: workspace.open(moved, remember=False).id == ws.id)
    desk.open("MEMORY.md")
    rows = show(desk)
    desk.until(lambda: numbers(rows) == [3, 2, 1])


def test_too_much_is_asked_about_and_goes_on_a_word(desk: Desk, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    big = DocPath("big.md")
    before = None
    for _number in range(4):
        data = os.urandom(400_000).hex().encode()
        documents.write(ws, big, data, expected=before, origin=SCRIBE)
        before = fingerprint(data)
    keeping = keeping_of(desk)
    settings = keeping._settings()
    monkeypatch.setattr(keeping, "_settings", lambda: settings.__class__(history_megabytes=1))
    keeping.sweep()
    desk.until(lambda: "history-room" in desk.window.notices.kinds)
    assert len(versions.seen(ws, big)) == 4
    desk.qtbot.mouseClick(notice_action(desk, "history-room"), Qt.MouseButton.LeftButton)
    desk.until(lambda: len(versions.seen(ws, big)) < 4)
