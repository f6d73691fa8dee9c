"""Saving: what is asked of the disk, what is held back, and what goes into the crash journal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.documents import Document, fingerprint
from memgui.domain.errors import Conflict, ReadFailed, WriteFailed
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveResult, Unsaved
from memgui.domain.text import Encoding
from memgui.gui.panels.page.joining import Sides, join
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result

BASE = b"# Memory\r\n\nBerth 7 is closed.\n"
NO_KEYS = Qt.KeyboardModifier.NoModifier


def press(page: Page, name: str) -> None:
    button = page.banner.findChild(QPushButton, name)
    assert button is not None
    assert button.isVisible()
    button.click()


def test_a_save_without_an_edit_asks_for_nothing(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    page.save()
    qtbot.keyClicks(page.editor, "x")
    qtbot.keyClick(page.editor, Qt.Key.Key_Backspace)
    page.save()
    assert heard.saves == []
    assert page.state is DocumentState.SAVED


def test_a_save_carries_the_bytes_it_may_replace(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    page.go_to(3, 99)
    qtbot.keyClicks(page.editor, " Still.")
    assert page.state is DocumentState.UNSAVED
    page.save()
    request = heard.saves[0]
    assert request.data == b"# Memory\r\n\nBerth 7 is closed. Still.\n"
    assert request.expected == fingerprint(BASE)
    page.saved(result(request))
    assert (page.state, page.sentence) == (DocumentState.SAVED, "Saved 14:03:05")
    assert page.property("state") == "saved"


def test_text_typed_during_a_save_is_unsaved_after_it_and_goes_next(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "a")
    page.save()
    qtbot.keyClicks(page.editor, "b")
    page.save()
    assert len(heard.saves) == 1
    page.saved(result(heard.saves[0]))
    assert [save.data for save in heard.saves] == [b"a" + BASE, b"ab" + BASE]
    assert heard.saves[1].expected == fingerprint(b"a" + BASE)
    page.saved(result(heard.saves[1]))
    assert page.state is DocumentState.SAVED


def test_text_taken_back_during_a_save_is_unsaved_after_it_and_goes_next(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "a")
    page.save()
    page.editor.undo()
    page.saved(result(heard.saves[0]))
    assert page.state is DocumentState.UNSAVED
    page.save()
    page.editor.redo()
    page.save()
    page.saved(result(heard.saves[1]))
    assert [save.data for save in heard.saves] == [b"a" + BASE, BASE, b"a" + BASE]
    page.saved(result(heard.saves[2]))
    assert page.state is DocumentState.SAVED


def test_a_page_closes_when_the_text_taken_back_during_a_save_is_saved_too(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    ready: list[bool] = []
    page.close_ready.connect(lambda: ready.append(page.is_dirty))
    qtbot.keyClicks(page.editor, "a")
    page.save()
    page.editor.undo()
    page.try_to_close()
    page.saved(result(heard.saves[0]))
    assert not ready
    page.saved(result(heard.saves[1]))
    assert heard.saves[1].data == BASE
    assert ready == [False]


def test_a_late_answer_changes_nothing(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "a")
    page.save()
    old = heard.saves[0]
    page.saved(SaveResult(old.path, fingerprint(b"other"), document(b"other").node, old.ticket - 1))
    assert page.state is DocumentState.UNSAVED
    page.saved(result(old))
    assert page.state is DocumentState.SAVED


def test_own_saves_are_never_taken_for_other_peoples(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    for number in range(30):
        qtbot.keyClicks(page.editor, "x")
        page.save()
        request = heard.saves[-1]
        # The watcher may see our write before its answer comes, or after it.
        if number % 2:
            page.apply_disk(document(request.data))
        page.saved(result(request))
        page.apply_disk(document(request.data))
        assert page.banner.kind == ""
        assert page.state is DocumentState.SAVED


def test_a_failed_save_keeps_the_text_and_says_why(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.save_failed(WriteFailed("No space left on device", errno=28))
    assert (page.state, page.sentence) == (
        DocumentState.NOT_SAVED,
        "Not saved: disk full – text is safe in the journal",
    )
    assert page.banner.kind == "save-failed"
    assert page.text_bytes() == b"mine " + BASE
    assert heard.journal[-1].data == b"mine " + BASE
    press(page, "tryAgain")
    page.saved(result(heard.saves[-1]))
    assert page.state is DocumentState.SAVED
    assert page.banner.kind == ""


def test_a_conflict_found_by_the_save_reads_the_disk_and_asks(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.save_failed(Conflict("MEMORY.md", expected=fingerprint(BASE), found=fingerprint(b"agent")))
    assert heard.rereads == ["MEMORY.md"]
    page.save()
    assert len(heard.saves) == 1
    page.apply_disk(document(b"agent"))
    assert page.state is DocumentState.CONFLICT
    assert page.banner.kind == "conflict"
    assert page.text_bytes() == b"mine " + BASE
    page.save()
    assert len(heard.saves) == 1


def test_a_file_that_came_into_being_meanwhile_is_not_overwritten(page: Page, heard: Heard, qtbot: QtBot) -> None:
    page.show_absent()
    page.save()
    assert heard.saves == []
    qtbot.keyClicks(page.editor, "mine")
    page.save()
    assert heard.saves[0].expected is None
    page.save_failed(Conflict("MEMORY.md", expected=None, found=fingerprint(b"agent\n")))
    page.apply_disk(document(b"agent\n"))
    assert page.state is DocumentState.CONFLICT
    press(page, "keepMine")
    assert heard.kept == [b"agent\n"]
    assert heard.saves[1].expected == fingerprint(b"agent\n")


# The crash journal -------------------------------------------------------------------------------------------------


def test_unsaved_text_is_journalled_within_the_second_and_no_later_than_that(
    shown: Callable[..., Page], heard: Heard, page: Page, qtbot: QtBot
) -> None:
    page.set_options(PageOptions(journal_seconds=0.05, autosave_seconds=0))
    shown(BASE)
    page.go_to(1, 3)

    def typed_on() -> bool:
        # Keys that never stop: the journal may not wait for the last of them.
        qtbot.keyClicks(page.editor, "x")
        return bool(heard.journal)

    qtbot.waitUntil(typed_on)
    entry = heard.journal[0]
    assert (entry.base, entry.base_data) == (fingerprint(BASE), BASE)
    assert entry.data.startswith(b"# x")
    assert entry.caret == 2 + entry.data.count(b"x")
    assert page.sentence == "Unsaved – in the crash journal"


def test_the_journal_forgets_what_was_saved_or_undone(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    page.journal_now()
    page.editor.undo()
    page.save()
    assert heard.dropped == ["MEMORY.md"]


def test_a_journal_that_cannot_be_written_is_said_and_tried_again(
    shown: Callable[..., Page], heard: Heard, page: Page, qtbot: QtBot
) -> None:
    page.set_options(PageOptions(journal_seconds=0.01, autosave_seconds=0))
    shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    qtbot.waitUntil(lambda: len(heard.journal) == 1)
    page.journal_answered(WriteFailed("No room.", errno=28))
    assert page.sentence == "Unsaved – not in the crash journal, which cannot be written"
    page.save()
    page.save_failed(WriteFailed("No room.", errno=28))
    assert page.sentence == "Not saved: disk full – text is only here"
    assert "kept only here" in said_by(page)
    count = len(heard.journal)
    page.journal_answered(WriteFailed("No room.", errno=28))
    qtbot.waitUntil(lambda: len(heard.journal) > count)
    page.journal_answered(None)
    assert page.sentence == "Not saved: disk full – text is safe in the journal"
    assert "in the crash journal" in said_by(page)


def test_a_file_that_cannot_be_put_back_says_why(shown: Callable[..., Page], heard: Heard) -> None:
    page = shown(BASE)
    page.deleted()
    press(page, "restoreFile")
    page.save_failed(WriteFailed("No room.", errno=28))
    assert page.state is DocumentState.DELETED
    assert "It could not be put back: disk full." in said_by(page)


def test_text_that_was_taken_back_does_not_come_again(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    page.journal_now()
    page.editor.undo()
    assert heard.dropped == ["MEMORY.md"]
    assert page.state is DocumentState.SAVED
    page.editor.redo()
    page.journal_now()
    assert len(heard.journal) == 2


def test_text_typed_while_a_save_was_on_its_way_is_journalled_again(
    shown: Callable[..., Page], heard: Heard, page: Page, qtbot: QtBot
) -> None:
    page.set_options(PageOptions(journal_seconds=0.01, autosave_seconds=0))
    shown(BASE)
    qtbot.keyClicks(page.editor, "a")
    page.save()
    qtbot.keyClicks(page.editor, "b")
    qtbot.waitUntil(lambda: bool(heard.journal))
    heard.journal.clear()
    page.saved(result(heard.saves[0]))
    qtbot.waitUntil(lambda: bool(heard.journal))
    assert heard.journal[-1].data == b"ab" + BASE
    assert heard.journal[-1].base == fingerprint(b"a" + BASE)


def said_by(page: Page) -> str:
    text = page.banner.findChild(QLabel, "bannerText")
    assert text is not None
    return text.text()


def unsaved(data: bytes, base: bytes = BASE) -> Unsaved:
    return Unsaved(DocPath("MEMORY.md"), fingerprint(base), data, 0.0, 4, base)


def test_recovered_text_over_the_same_file_is_unsaved_text(page: Page, heard: Heard) -> None:
    page.restore_unsaved(unsaved(b"mine " + BASE), document(BASE))
    assert page.state is DocumentState.UNSAVED
    assert page.text_bytes() == b"mine " + BASE
    assert page.editor.caret() == 4
    page.save()
    assert heard.saves[0].expected == fingerprint(BASE)


def test_recovered_text_never_goes_over_a_newer_file(page: Page, heard: Heard) -> None:
    newer = b"Memory\r\n\nAn agent was here.\n"
    page.restore_unsaved(unsaved(b"mine " + BASE), document(newer))
    assert page.state is DocumentState.CONFLICT
    assert page.text_bytes() == b"mine " + BASE
    page.save()
    page.autosave()
    assert heard.saves == []
    page.apply_disk(document(newer))
    assert page.state is DocumentState.CONFLICT


def test_recovered_text_that_reached_the_disk_is_nothing_to_recover(page: Page, heard: Heard) -> None:
    page.restore_unsaved(unsaved(BASE, b"older"), document(BASE))
    assert page.state is DocumentState.SAVED
    assert heard.dropped == ["MEMORY.md"]


def test_recovered_text_of_a_file_that_is_gone_can_be_put_back(page: Page, heard: Heard) -> None:
    page.restore_unsaved(unsaved(b"mine"), None)
    assert page.state is DocumentState.DELETED
    assert page.text_bytes() == b"mine"
    page.autosave()
    assert heard.saves == []
    press(page, "restoreFile")
    assert (heard.saves[0].data, heard.saves[0].expected) == (b"mine", None)


@pytest.mark.parametrize("base", [b"row\n" * 600_000, b"y" * 30_000])
def test_recovered_text_of_a_large_file_is_the_persons_to_edit_and_save(page: Page, heard: Heard, base: bytes) -> None:
    page.restore_unsaved(unsaved(b"mine " + base, base), document(base))
    assert page.state is DocumentState.UNSAVED
    assert not page.editor.isReadOnly()
    page.journal_now()
    assert heard.journal[0].data == b"mine " + base
    page.save()
    assert heard.saves[0].data == b"mine " + base


def test_recovered_text_comes_back_in_the_encoding_it_was_typed_in(page: Page, heard: Heard) -> None:
    base = b"caf\xe9\n"
    text = Unsaved(DocPath("MEMORY.md"), fingerprint(base), b"th\xe9, " + base, 0.0, 0, base, Encoding.LATIN1)
    page.restore_unsaved(text, document(base))
    assert page.state is DocumentState.UNSAVED
    assert page.editor.toPlainText() == "thé, café\n"
    page.editor.undo()
    assert page.text_bytes() == base
    page.editor.redo()
    page.save()
    assert (heard.saves[0].data, heard.saves[0].expected) == (b"th\xe9, " + base, fingerprint(base))


@pytest.mark.parametrize("theirs", [b"\0\1 no text", b"caf\xe9\n", b"row\n" * 600_000])
def test_recovered_text_is_kept_whatever_the_newer_file_is(page: Page, heard: Heard, theirs: bytes) -> None:
    wanted: list[Sides] = []
    page.join_requested.connect(wanted.append)
    page.restore_unsaved(unsaved(b"mine " + BASE), document(theirs))
    for sides in wanted:
        page.joined(sides.ticket, join(sides))
    assert page.state is DocumentState.CONFLICT
    page.journal_now()
    assert heard.journal[0].data == b"mine " + BASE
    page.editor.undo()
    press(page, "takeTheirs")
    assert page.text_bytes() == theirs


def test_recovered_text_of_a_file_that_cannot_be_read_is_shown_with_the_reason(page: Page, heard: Heard) -> None:
    page.restore_unsaved(unsaved(b"mine"), None, error=ReadFailed("Read failed: it is a folder."))
    assert page.state is DocumentState.NOT_SAVED
    assert page.text_bytes() == b"mine"
    press(page, "tryAgain")
    assert (heard.saves[0].data, heard.saves[0].expected) == (b"mine", None)


def test_recovered_text_of_an_identity_file_that_is_gone_is_asked_about_before_it_is_saved(
    page: Page, heard: Heard
) -> None:
    page.restore_unsaved(unsaved(b"mine"), None, protected=True)
    assert page.editor.isReadOnly()
    press(page, "restoreFile")
    assert heard.saves == []
    confirm = page.findChild(QPushButton, "saveConfirm")
    assert confirm is not None
    confirm.click()
    assert heard.saves[0].unlocked


# Saving by itself --------------------------------------------------------------------------------------------------


def test_a_page_saves_itself_after_the_last_key(
    shown: Callable[..., Page], heard: Heard, page: Page, qtbot: QtBot
) -> None:
    page.set_options(PageOptions(autosave_seconds=0.02))
    shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    qtbot.waitUntil(lambda: bool(heard.saves))
    assert heard.saves[0].data == b"x" + BASE


def test_nothing_saves_itself_while_an_input_method_composes(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    QApplication.sendEvent(page.editor, QInputMethodEvent("にほ", []))
    page.autosave()
    assert heard.saves == []
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QApplication.sendEvent(page.editor, done)
    page.autosave()
    assert heard.saves[0].data == "x日本".encode() + BASE


def test_text_that_grew_large_stays_the_persons_while_a_save_is_on_its_way(
    shown: Callable[..., Page], heard: Heard
) -> None:
    page = shown(b"# Memory\n")
    page.editor.insertPlainText("row\n" * 600_000)
    page.save()
    page.editor.moveCursor(QTextCursor.MoveOperation.Start)
    page.editor.insertPlainText("later ")
    page.save()
    page.saved(result(heard.saves[0]))
    page.autosave()
    assert page.is_dirty
    assert heard.saves[1].data.startswith(b"later row\n")
    page.saved(result(heard.saves[1]))
    assert page.state is DocumentState.SAVED
    assert not page.editor.isReadOnly()


@pytest.mark.parametrize("theirs", [b"\0\1 no text", b"caf\xe9\n"])
def test_keeping_mine_over_bytes_that_are_no_text_saves_mine(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot, theirs: bytes
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    page.apply_disk(document(theirs))
    press(page, "keepMine")
    assert heard.kept == [theirs]
    assert (heard.saves[0].data, heard.saves[0].expected) == (b"x" + BASE, fingerprint(theirs))
    page.saved(result(heard.saves[0]))
    assert page.state is DocumentState.SAVED
    assert page.banner.kind == ""


def test_what_stands_in_for_bytes_that_are_no_text_cannot_be_undone_to(shown: Callable[..., Page]) -> None:
    page = shown(b"caf\xe9\n")
    page.apply_disk(document("café\n".encode()))
    page.editor.undo()
    assert page.text_bytes() == "café\n".encode()


def test_a_new_identity_file_is_locked_until_it_is_unlocked(page: Page) -> None:
    page.show_absent(protected=True)
    assert page.editor.isReadOnly()
    assert page.is_locked


def test_nul_is_left_out_of_what_is_pasted_and_this_is_said(shown: Callable[..., Page], heard: Heard) -> None:
    page = shown(BASE)
    said: list[str] = []
    page.said.connect(said.append)
    page.editor.insertPlainText("a\0b")
    page.save()
    assert heard.saves[0].data == b"ab" + BASE
    assert said == ["NUL characters were left out: with them the file would no longer be text"]


def test_a_file_dropped_on_the_text_is_left_to_the_window(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/etc/hostname")])
    place, copy, left, none = QPoint(5, 5), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, NO_KEYS
    enters = QDragEnterEvent(place, copy, data, left, none)
    drops = QDropEvent(QPointF(place), copy, data, left, none)
    for event in (enters, drops):
        QApplication.sendEvent(page.editor.viewport(), event)
        assert not event.isAccepted()
    assert page.text_bytes() == BASE
    assert not page.editor.busy


# Encodings and large files -----------------------------------------------------------------------------------------


def test_what_is_not_utf8_can_only_be_looked_at_until_it_is_reopened(page: Page, heard: Heard, qtbot: QtBot) -> None:
    data = b"caf\xe9\nx\n"
    page.show_document(document(data))
    assert page.state is DocumentState.VIEW
    assert page.banner.kind == "encoding"
    qtbot.keyClicks(page.editor, "x")
    assert page.text_bytes() == data
    assert page.banner.encodings.count() > 1
    page.reopen_as(Encoding.LATIN1)
    assert page.state is DocumentState.SAVED
    page.go_to(2)
    qtbot.keyClicks(page.editor, "y")
    page.save()
    assert heard.saves[0].data == b"caf\xe9\nyx\n"
    page.saved(result(heard.saves[0]))
    page.apply_disk(document(b"caf\xe9\nyx\n\xfc\n"))
    assert page.text_bytes() == b"caf\xe9\nyx\n\xfc\n"
    assert page.encoding is Encoding.LATIN1
    assert page.state is DocumentState.SAVED


def test_a_reopened_file_that_somebody_writes_anew_in_utf8_is_read_and_typed_on_as_that(
    page: Page, heard: Heard, qtbot: QtBot
) -> None:
    page.show_document(document(b"caf\xe9\n"))
    page.reopen_as(Encoding.LATIN1)
    page.apply_disk(document("café 日\n".encode()))
    assert page.editor.toPlainText() == "café 日\n"
    assert page.encoding is Encoding.UTF8
    page.go_to(1)
    page.editor.insertPlainText("ü ")
    page.save()
    assert heard.saves[0].data == "ü café 日\n".encode()


@pytest.mark.parametrize("data", [b"# x\n" + b"word " * 500_000, b"y" * 30_000])
def test_a_large_file_is_edited_only_when_the_person_says_so(page: Page, qtbot: QtBot, data: bytes) -> None:
    page.show_document(document(data))
    assert page.state is DocumentState.VIEW
    assert page.banner.kind == "huge"
    qtbot.keyClicks(page.editor, "x")
    assert page.text_bytes() == data
    press(page, "editAnyway")
    assert page.banner.kind == ""
    qtbot.keyClicks(page.editor, "x")
    assert page.text_bytes() == b"x" + data


def test_binary_bytes_are_shown_and_never_asked_to_be_saved(page: Page, heard: Heard, qtbot: QtBot) -> None:
    page.show_document(document(bytes(range(256)) * 40))
    qtbot.keyClicks(page.editor, "x")
    page.save()
    page.try_to_close()
    assert heard.saves == []
    assert page.state is DocumentState.VIEW
    assert page.sentence == "Binary – view only"
    assert page.banner.kind == "binary"
    assert isinstance(page.document, Document)
