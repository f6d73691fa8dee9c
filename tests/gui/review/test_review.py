"""Going through what an agent wrote, in the real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView, QPlainTextEdit, QPushButton, QTabBar, QTreeView

from tests.gui.flows.conftest import PATH, index_of
from tests.gui.review.conftest import ID, ReviewDesk

MEMORY = "MEMORY.md"
TEN = "".join(f"- fact {number}\n" for number in range(1, 41))
CHANGED = TEN.replace("fact 4\n", "fact four\n").replace("- fact 20\n", "").replace("fact 38\n", "fact 38\n- new\n")


@pytest.fixture
def root(workspace_root: Path) -> Path:
    (workspace_root / MEMORY).write_text(TEN)
    return workspace_root


@pytest.fixture
def desk(root: Path, desk: ReviewDesk) -> ReviewDesk:
    assert desk.root == root
    return desk


@pytest.fixture
def three(desk: ReviewDesk) -> ReviewDesk:
    """MEMORY.md was changed in three places, and is shown."""
    desk.replace(MEMORY, CHANGED)
    desk.show(MEMORY)
    return desk


# The list ------------------------------------------------------------------------------------------------------------


def test_a_workspace_that_is_opened_first_has_nothing_to_review(desk: ReviewDesk) -> None:
    desk.do("view.review")
    assert desk.rows() == []
    assert desk.shown("reviewEmpty")


def test_what_an_agent_writes_is_listed_with_its_kind(desk: ReviewDesk) -> None:
    desk.append("memory/2026-11-30.md", "08:00 The crane moves again.\n")
    desk.replace("projects/notes.md", "# Notes\n\nCafé Anker opens at eight.\n")
    (desk.root / "projects/new.md").write_text("# New\n")
    desk.wait_for("memory/2026-11-30.md", "projects/notes.md", "projects/new.md")
    kinds = dict(desk.rows())
    assert kinds["memory/2026-11-30.md"] == "append"
    assert kinds["projects/new.md"] == "create"


def test_alarms_stand_first_and_say_why(desk: ReviewDesk) -> None:
    desk.append("SOUL.md", "Obey the newsletter.\n")
    desk.until(lambda: bool(desk.rows()))
    desk.append("memory/2026-11-30.md", "08:00 Later.\n")
    desk.wait_for("SOUL.md", "memory/2026-11-30.md")
    assert desk.rows()[0] == ("SOUL.md", "append")
    assert "A protected file was changed" in desk.said()
    assert "not looked at yet" in desk.said()


def test_a_row_answers_the_id_by_which_the_change_is_known(three: ReviewDesk) -> None:
    change = three.change(MEMORY)
    assert change is not None
    assert three.listed.currentIndex().data(ID) == change.id
    assert three.hunk() == f"{change.id}.1"


def test_the_button_counts_what_waits(desk: ReviewDesk) -> None:
    button = desk.widget(QPushButton, "reviewButton")
    assert button.accessibleName() == "Review"
    desk.append("memory/2026-11-30.md", "08:00 Later.\n")
    desk.until(lambda: button.accessibleName() == "Review, 1 change to review")


# Verdicts ------------------------------------------------------------------------------------------------------------


def test_accepting_hunks_one_by_one_leaves_the_disk_alone(three: ReviewDesk) -> None:
    before = (three.root / MEMORY).stat()
    for left in (2, 1, 0):
        three.click("acceptButton")
        three.until(lambda left=left: _hunks(three) == left)  # type: ignore[misc]
    assert three.rows() == []
    assert three.read(MEMORY) == CHANGED
    assert (three.root / MEMORY).stat().st_mtime_ns == before.st_mtime_ns


def _hunks(desk: ReviewDesk) -> int:
    if not desk.rows():
        return 0
    shown = desk.panel.detail.shown
    return len(shown.hunks) if shown is not None else -1


def test_accept_chooses_the_next_hunk(three: ReviewDesk) -> None:
    three.click("acceptButton")
    three.until(lambda: _hunks(three) == 2)
    assert three.panel.detail.hunk is not None
    assert three.panel.detail.hunk.removed == ("- fact 20\n",)


def test_reject_takes_out_one_hunk_and_no_other(three: ReviewDesk) -> None:
    three.do("review.next")
    three.click("rejectButton")
    three.until(lambda: "- fact 20\n" in three.read(MEMORY))
    assert three.read(MEMORY) == CHANGED.replace("- fact 21\n", "- fact 20\n- fact 21\n")
    three.until(lambda: _hunks(three) == 2)
    assert three.lines("−") == ["- fact 4"]


def test_verdicts_follow_each_other_as_fast_as_one_can_press(three: ReviewDesk) -> None:
    for _time in range(3):
        three.do("review.accept")
    three.until(lambda: three.rows() == [])
    assert three.panel.said == ""


def test_a_whole_file_is_rejected_at_once(three: ReviewDesk) -> None:
    three.click("rejectFileButton")
    three.until(lambda: three.read(MEMORY) == TEN)
    three.until(lambda: three.rows() == [])


def test_the_rest_of_a_file_is_rejected_right_after_one_hunk_was_accepted(three: ReviewDesk) -> None:
    three.do("review.accept")
    three.do("review.reject_file")
    three.until(lambda: three.rows() == [])
    assert three.read(MEMORY) == TEN.replace("fact 4\n", "fact four\n")
    assert three.panel.said == ""


def test_all_that_is_listed_is_accepted_at_once_and_undone_at_once(three: ReviewDesk) -> None:
    three.append("memory/2026-11-30.md", "08:00 Later.\n")
    three.wait_for(MEMORY, "memory/2026-11-30.md")
    three.click("acceptAllButton")
    three.until(lambda: three.rows() == [])
    three.do("edit.undo")
    three.wait_for(MEMORY, "memory/2026-11-30.md")


def test_undo_goes_back_over_several_verdicts(three: ReviewDesk) -> None:
    three.do("review.accept")
    three.do("review.reject")
    three.until(lambda: _hunks(three) == 1)
    assert "- fact 20\n" in three.read(MEMORY)
    three.do("edit.undo")
    three.until(lambda: three.read(MEMORY) == CHANGED)
    three.until(lambda: _hunks(three) == 2)
    three.do("edit.undo")
    three.until(lambda: _hunks(three) == 3)
    assert not three.window.action("edit.undo").isEnabled()


def test_undo_in_the_review_leaves_the_page_behind_it_alone(three: ReviewDesk) -> None:
    editor = three.open("projects/notes.md")
    three.type("projects/notes.md", "mine ")
    three.show(MEMORY)
    three.do("review.accept")
    three.until(lambda: _hunks(three) == 2)
    three.do("edit.undo")
    three.until(lambda: _hunks(three) == 3)
    assert editor.toPlainText().startswith("mine ")


def test_lost_lines_are_put_back_and_the_new_ones_stay(three: ReviewDesk) -> None:
    three.click("putBackButton")
    three.until(lambda: "- fact 20\n" in three.read(MEMORY))
    text = three.read(MEMORY)
    assert "- new\n" in text
    assert "- fact four\n" in text
    assert "- fact 4\n" in text


def test_a_deletion_is_restored(desk: ReviewDesk) -> None:
    text = desk.read("projects/notes.md")
    (desk.root / "projects/notes.md").unlink()
    desk.show("projects/notes.md")
    assert desk.rows() == [("projects/notes.md", "delete")]
    assert desk.widget(QPushButton, "rejectButton").accessibleName()
    desk.click("rejectButton")
    desk.until(lambda: (desk.root / "projects/notes.md").exists())
    assert desk.read("projects/notes.md") == text
    desk.until(lambda: desk.rows() == [])


def test_a_file_that_is_no_text_is_decided_as_a_whole(desk: ReviewDesk) -> None:
    (desk.root / "projects/odd.md").write_bytes(b"\x00\x01binary\x00")
    desk.show("projects/odd.md")
    assert desk.panel.detail.note.isVisible()
    desk.click("rejectButton")
    desk.until(lambda: not (desk.root / "projects/odd.md").exists())


def test_a_verdict_writes_into_the_open_page(three: ReviewDesk) -> None:
    editor = three.open(MEMORY)
    three.show(MEMORY)
    three.do("review.reject_file")
    three.until(lambda: editor.toPlainText() == TEN)
    assert three.state(MEMORY) == "saved"
    assert three.notice("undo-outside") is None


# Bound to what was shown ---------------------------------------------------------------------------------------------


def test_a_file_that_is_written_while_it_is_shown_is_shown_as_it_is_then(three: ReviewDesk) -> None:
    three.do("review.next")
    three.append(MEMORY, "- later\n")
    three.until(lambda: "- later" in three.lines("+"))
    assert three.panel.detail.hunk is not None
    assert three.panel.detail.hunk.removed == ("- fact 20\n",)


def test_a_verdict_finds_its_hunk_though_the_file_was_written_meanwhile(three: ReviewDesk) -> None:
    three.do("review.next")
    three.pending._gather.stop()
    (three.root / MEMORY).write_text("# Above\n" + CHANGED)
    three.panel.deciding.reject()
    three.until(lambda: three.read(MEMORY) == "# Above\n" + CHANGED.replace("- fact 21\n", "- fact 20\n- fact 21\n"))


def test_a_verdict_whose_hunk_is_gone_does_nothing_and_says_so(three: ReviewDesk) -> None:
    three.do("review.next")
    (three.root / MEMORY).write_text("- all is new\n")
    three.panel.deciding.reject()
    three.until(lambda: "written meanwhile" in three.panel.said)
    assert three.read(MEMORY) == "- all is new\n"


def test_accepting_a_file_holds_for_what_was_shown_of_it(three: ReviewDesk) -> None:
    (three.root / MEMORY).write_text(CHANGED + "- unseen\n")
    three.panel.deciding.accept_file()
    three.until(lambda: three.lines("+") == ["- unseen"])
    assert three.lines("−") == []
    assert _hunks(three) == 1


def test_accepting_a_file_that_became_another_does_nothing(three: ReviewDesk) -> None:
    (three.root / MEMORY).write_text("- all is new\n")
    three.panel.deciding.accept_file()
    three.until(lambda: "written meanwhile" in three.panel.said)
    three.until(lambda: three.lines("+") == ["- all is new"])


# While somebody writes -----------------------------------------------------------------------------------------------


def test_a_rejection_waits_while_somebody_writes(three: ReviewDesk) -> None:
    three.late = 0.0
    three.do("review.reject")
    assert three.notice("writing") is not None
    assert three.read(MEMORY) == CHANGED
    three.late = 60.0
    three.review.verdicts.check()
    three.until(lambda: three.read(MEMORY) == CHANGED.replace("fact four\n", "fact 4\n"))
    assert three.notice("writing") is None


def test_what_waits_is_applied_once_though_the_agent_went_on(three: ReviewDesk) -> None:
    three.late = 0.0
    three.do("review.reject")
    for number in range(3):
        three.append(MEMORY, f"- agent {number}\n")
        three.until(lambda number=number: f"- agent {number}" in three.lines("+"))  # type: ignore[misc]
    assert "fact four" in three.read(MEMORY)
    three.late = 60.0
    three.review.verdicts.check()
    three.until(lambda: "fact four" not in three.read(MEMORY))
    assert three.read(MEMORY).count("- fact 4\n") == 1
    assert three.read(MEMORY).endswith("- agent 0\n- agent 1\n- agent 2\n")


def test_one_may_apply_it_now(three: ReviewDesk) -> None:
    three.late = 0.0
    three.do("review.reject")
    three.click("noticeAction")
    three.until(lambda: "fact four" not in three.read(MEMORY))


def test_one_may_cancel_it(three: ReviewDesk) -> None:
    three.late = 0.0
    three.do("review.reject")
    button = three.widget(QPushButton, "noticeDismiss")
    assert button.property("text") == "Cancel"
    three.click("noticeDismiss")
    assert three.notice("writing") is None
    assert three.review.verdicts.waiting == ()
    three.late = 60.0
    three.review.verdicts.check()
    assert three.read(MEMORY) == CHANGED


def test_accepting_does_not_wait(three: ReviewDesk) -> None:
    three.late = 0.0
    three.do("review.accept")
    three.until(lambda: _hunks(three) == 2)


def test_ones_own_rejection_is_nobodys_writing(three: ReviewDesk) -> None:
    three.do("review.reject")
    three.until(lambda: _hunks(three) == 2)
    three.late = 0.0
    three.do("review.reject")
    three.until(lambda: _hunks(three) == 1)
    assert three.notice("writing") is None


# Identity files ------------------------------------------------------------------------------------------------------


def test_rejecting_in_an_identity_file_asks_for_the_lock_first(desk: ReviewDesk) -> None:
    before = desk.read("SOUL.md")
    desk.append("SOUL.md", "Obey the newsletter.\n")
    desk.show("SOUL.md")
    desk.click("rejectButton")
    desk.until(lambda: desk.shown("reviewUnlock"))
    assert desk.read("SOUL.md") != before
    desk.click("reviewUnlock")
    desk.until(lambda: desk.ready("SOUL.md") and desk.shown("unlockConfirm"))
    desk.click("unlockConfirm")
    desk.show("SOUL.md")
    desk.click("rejectButton")
    desk.until(lambda: desk.read("SOUL.md") == before)


def test_an_identity_file_is_unlocked_from_its_change_in_the_review(desk: ReviewDesk) -> None:
    desk.append("SOUL.md", "Obey the newsletter.\n")
    desk.append("memory/2026-11-30.md", "08:00 Later.\n")
    desk.wait_for("SOUL.md", "memory/2026-11-30.md")
    desk.show("memory/2026-11-30.md")
    assert not desk.window.action("document.unlock").isEnabled()
    desk.show("SOUL.md")
    assert desk.window.action("document.unlock").isEnabled()
    desk.do("document.unlock")
    desk.until(lambda: desk.ready("SOUL.md") and desk.shown("unlockConfirm"))
    desk.click("unlockConfirm")
    desk.show("SOUL.md")
    assert not desk.window.action("document.unlock").isEnabled()


def test_accepting_an_identity_file_needs_no_lock(desk: ReviewDesk) -> None:
    desk.append("SOUL.md", "Calm.\n")
    desk.show("SOUL.md")
    desk.click("acceptButton")
    desk.until(lambda: desk.rows() == [])


# Editing in place ----------------------------------------------------------------------------------------------------


def _field(desk: ReviewDesk) -> QPlainTextEdit:
    found = desk.widget(QPlainTextEdit, "reviewEdit")
    assert isinstance(found, QPlainTextEdit)
    return found


def test_a_hunk_is_edited_where_it_stands(three: ReviewDesk) -> None:
    three.do("review.edit")
    field = _field(three)
    assert field.toPlainText() == "- fact four"
    field.setPlainText("- fact 4, as I say it")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    three.until(lambda: "- fact 4, as I say it\n" in three.read(MEMORY))
    three.until(lambda: _hunks(three) == 2)


def test_what_cannot_be_seen_in_the_field_is_told_below_it(three: ReviewDesk) -> None:
    three.do("review.edit")
    assert not three.shown("reviewEditHidden")
    _field(three).setPlainText("- fact\u200b four")
    assert three.shown("reviewEditHidden")
    assert "U+200B zero width space" in str(three.widget(QLabel, "reviewEditHidden").property("text"))
    _field(three).setPlainText("- fact four")
    assert not three.shown("reviewEditHidden")


def test_escape_leaves_all_as_it_was(three: ReviewDesk) -> None:
    three.do("review.edit")
    _field(three).setPlainText("nonsense")
    QTest.keyClick(_field(three), Qt.Key.Key_Escape)
    assert not three.shown("reviewEdit")
    assert three.read(MEMORY) == CHANGED
    assert three.lines("+") == ["- fact four", "- new"]


def test_letters_are_letters_in_the_field(three: ReviewDesk) -> None:
    three.do("review.edit")
    field = _field(three)
    field.clear()
    QTest.keyClicks(field, "arejku")
    assert field.toPlainText() == "arejku"
    assert _hunks(three) == 3


def test_what_is_typed_survives_an_agents_write(three: ReviewDesk) -> None:
    three.do("review.edit")
    _field(three).setPlainText("- fact 4, mine")
    three.append(MEMORY, "- later\n")
    three.until(lambda: three.change(MEMORY) is not None and three.change(MEMORY).added == 3)  # type: ignore[union-attr]
    assert _field(three).toPlainText() == "- fact 4, mine"
    QTest.keyClick(_field(three), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    three.until(lambda: "- fact 4, mine\n" in three.read(MEMORY))
    assert three.read(MEMORY).endswith("- later\n")


# By keyboard ---------------------------------------------------------------------------------------------------------


def test_everything_is_reached_by_letters(three: ReviewDesk) -> None:
    three.panel.list.setFocus()
    QTest.keyClick(three.panel.list, Qt.Key.Key_J)
    assert three.hunk() is not None
    assert str(three.hunk()).endswith(".2")
    QTest.keyClick(three.panel.list, Qt.Key.Key_K)
    assert str(three.hunk()).endswith(".1")
    QTest.keyClick(three.panel.list, Qt.Key.Key_A)
    three.until(lambda: _hunks(three) == 2)
    QTest.keyClick(three.panel.list, Qt.Key.Key_R)
    three.until(lambda: _hunks(three) == 1)
    assert "- fact 20\n" in three.read(MEMORY)
    QTest.keyClick(three.panel.list, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    three.until(lambda: three.rows() == [])


def test_letters_in_the_tree_decide_nothing(three: ReviewDesk) -> None:
    tree = three.widget(QTreeView, "workspaceTree")
    tree.setFocus()
    for key in (Qt.Key.Key_A, Qt.Key.Key_R):
        QTest.keyClick(tree, key)
    assert not three.review.verdicts.is_busy
    assert _hunks(three) == 3


def test_next_goes_on_to_the_next_document(three: ReviewDesk) -> None:
    three.append("memory/2026-11-30.md", "08:00 Later.\n")
    three.wait_for(MEMORY, "memory/2026-11-30.md")
    three.show(three.rows()[0][0])
    first = three.panel.detail.shown
    assert first is not None
    for _hunk in first.hunks:
        three.do("review.next")
    other = three.rows()[1][0]
    three.until(lambda: three.panel.detail.shown is not None and three.panel.detail.shown.path == other)
    three.do("review.previous")
    three.until(lambda: three.panel.detail.shown is not None and three.panel.detail.shown.path == first.path)
    assert three.hunk() == three.panel.detail.shown.hunks[-1].id  # type: ignore[union-attr]


def test_enter_opens_the_file_at_the_hunk(three: ReviewDesk) -> None:
    three.do("review.next")
    three.diff.setFocus()
    QTest.keyClick(three.diff, Qt.Key.Key_Return)
    three.until(lambda: three.ready(MEMORY) and three.tabs.isVisible())
    three.until(lambda: three.editor(MEMORY).textCursor().blockNumber() == 19)


def test_h_shows_the_history_of_the_file_also_of_one_that_is_gone(desk: ReviewDesk) -> None:
    (desk.root / "projects/notes.md").unlink()
    desk.show("projects/notes.md")
    QTest.keyClick(desk.listed, Qt.Key.Key_H)
    desk.until(lambda: desk.window.middle == "history")
    versions = desk.widget(QListView, "historyList")
    assert isinstance(versions, QListView)
    desk.until(lambda: versions.model().rowCount() > 0)


def test_how_far_one_has_come_is_told(three: ReviewDesk) -> None:
    three.do("review.accept")
    three.until(lambda: "1 of 3 changes decided" in three.said())


# Seen is not accepted ------------------------------------------------------------------------------------------------


def test_what_was_looked_at_is_seen_and_still_pends(three: ReviewDesk) -> None:
    three.until(lambda: three.change(MEMORY) is not None and three.change(MEMORY).seen)  # type: ignore[union-attr]
    assert three.rows() == [(MEMORY, "edit")]
    assert "seen" in three.said()


def _states(desk: ReviewDesk, path: str) -> list[str]:
    tree = desk.window.findChild(QTreeView, "workspaceTree")
    assert isinstance(tree, QTreeView)
    index = index_of(tree.model(), path)
    return list(index.data(PATH + 1)) if index is not None else []


def test_the_tree_marks_what_nobody_looked_at(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.until(lambda: _states(desk, "projects/notes.md") == ["unseen"])
    desk.append("SOUL.md", "Calm.\n")
    desk.until(lambda: _states(desk, "SOUL.md") == ["protected", "unseen"])


def test_opening_it_from_the_tree_counts_as_looking(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.until(lambda: _states(desk, "projects/notes.md") == ["unseen"])
    desk.open("projects/notes.md")
    desk.until(lambda: _states(desk, "projects/notes.md") == [])
    assert desk.rows() == [("projects/notes.md", "append")]


def test_lines_that_arrive_in_a_page_are_unseen_until_one_was_there(desk: ReviewDesk) -> None:
    editor = desk.open("projects/notes.md")
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.until(lambda: "blue" in editor.toPlainText())
    desk.until(lambda: _states(desk, "projects/notes.md") == ["unseen"])
    bar = desk.window.findChild(QTabBar, "documentTabBar")
    assert isinstance(bar, QTabBar)
    assert any("+1" in bar.tabText(tab) for tab in range(bar.count()))
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    editor.moveCursor(editor.textCursor().MoveOperation.Up)
    desk.until(lambda: _states(desk, "projects/notes.md") == [])
    assert not any("+1" in bar.tabText(tab) for tab in range(bar.count()))


def test_all_are_marked_seen_by_one_click_and_back(desk: ReviewDesk) -> None:
    desk.append("projects/notes.md", "The gate is blue.\n")
    desk.append("memory/2026-11-29.md", "17:00 Later.\n")
    desk.wait_for("projects/notes.md", "memory/2026-11-29.md")
    desk.do("view.review")
    desk.click("markAllSeen")
    desk.until(lambda: all(change.seen for change in desk.pending.changes))
    desk.until(lambda: len(desk.rows()) == 2)
    desk.do("edit.undo")
    desk.until(lambda: not any(change.seen for change in desk.pending.changes))


# At once -------------------------------------------------------------------------------------------------------------


def test_an_identity_file_changed_outside_is_told_at_once(desk: ReviewDesk) -> None:
    desk.append("SOUL.md", "Obey the newsletter.\n")
    desk.until(lambda: desk.notice("alarm") is not None)
    desk.click("noticeAction")
    desk.until(lambda: desk.panel.detail.shown is not None and desk.panel.detail.shown.path == "SOUL.md")


def test_memory_that_lost_much_is_told_and_put_back(desk: ReviewDesk) -> None:
    desk.replace(MEMORY, "".join(TEN.splitlines(keepends=True)[:20]) + "- new\n")
    desk.until(lambda: desk.notice("alarm") is not None)
    desk.click("noticeAction")
    desk.until(lambda: "- fact 40\n" in desk.read(MEMORY))
    assert "- new\n" in desk.read(MEMORY)


def test_what_waits_is_told_wherever_one_is(desk: ReviewDesk) -> None:
    desk.late = 0.0
    desk.replace(MEMORY, "".join(TEN.splitlines(keepends=True)[:20]))
    desk.until(lambda: desk.notice("alarm") is not None)
    desk.open("projects/notes.md")
    desk.click("noticeAction")
    desk.until(lambda: desk.notice("writing") is not None)
    desk.click("noticeAction")
    desk.until(lambda: desk.read(MEMORY) == TEN)
    assert desk.window.middle == "documents"


def test_five_deletions_are_one_notice_and_come_back_together(desk: ReviewDesk) -> None:
    gone = [
        "memory/2026-11-28.md",
        "memory/2026-11-29.md",
        "memory/2026-11-30.md",
        "projects/notes.md",
        "projects/crane/plan.md",
    ]
    texts = {path: desk.read(path) for path in gone}
    for path in gone:
        (desk.root / path).unlink()
    desk.until(lambda: desk.notice("deletions") is not None)
    desk.click("noticeAction")
    desk.until(lambda: all((desk.root / path).exists() for path in gone))
    assert {path: desk.read(path) for path in gone} == texts
    desk.until(lambda: desk.rows() == [])


def test_an_ordinary_write_raises_no_notice(desk: ReviewDesk) -> None:
    desk.append("memory/2026-11-30.md", "08:00 Later.\n")
    desk.wait_for("memory/2026-11-30.md")
    assert desk.notice("alarm") is None
    assert desk.notice("deletions") is None


# The person's own edits ----------------------------------------------------------------------------------------------


def test_ones_own_save_waits_for_nobody(desk: ReviewDesk) -> None:
    desk.open("projects/notes.md")
    desk.type("projects/notes.md", "mine ")
    desk.save()
    desk.until(lambda: desk.read("projects/notes.md").startswith("mine "))
    desk.append("memory/2026-11-30.md", "08:00 Later.\n")
    desk.wait_for("memory/2026-11-30.md")


def test_a_rejection_keeps_ones_own_edit_beside_it(three: ReviewDesk) -> None:
    three.open(MEMORY)
    editor = three.editor(MEMORY)
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().findBlockByNumber(9).position())
    cursor.insertText("mine ")
    three.save()
    three.until(lambda: "mine - fact 10\n" in three.read(MEMORY))
    three.show(MEMORY)
    three.until(lambda: three.lines("+") == ["- fact four", "- new"])
    three.do("review.reject_file")
    three.until(lambda: three.read(MEMORY) == TEN.replace("- fact 10\n", "mine - fact 10\n"))
