"""Unsaved text and what others write meanwhile: joined where both can stand, the person's choice where they cannot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict, ReadFailed
from memgui.domain.lines import Lines
from memgui.domain.own_lines import OwnSave
from memgui.domain.paths import DocPath
from memgui.domain.requests import Unsaved
from memgui.gui.notices import Notice
from memgui.gui.panels.page.joining import LARGE, Sides, join
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from tests.conftest import Clock
from tests.gui.page.conftest import Heard, document, hear, result

BASE = b"one\r\ntwo\nthree\nfour\n"


def press(page: Page, name: str) -> None:
    button = page.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    button.click()


def pill(page: Page, kind: str) -> Notice:
    return next(notice for notice in page.notices.findChildren(Notice) if notice.property("kind") == kind)


def press_pill(page: Page, kind: str, name: str = "noticeAction") -> None:
    button = pill(page, kind).findChild(QPushButton, name)
    assert button is not None
    button.click()


# Joined ------------------------------------------------------------------------------------------------------------


def test_lines_that_others_write_elsewhere_come_in_beside_what_is_typed(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"one\r\ntwo\nthree\nfour\nfive\r\nsix\n"))
    assert page.text_bytes() == b"mine one\r\ntwo\nthree\nfour\nfive\r\nsix\n"
    assert (page.state, page.sentence) == (DocumentState.MERGED, "Merged 2 lines from disk")
    assert page.property("state") == "merged"
    assert page.banner.kind == ""
    assert pill(page, "merged").text == "2 lines written outside memgui were merged into your text at 14:03."
    assert page.editor.textCursor().position() == 5
    assert heard.journal[-1].base == fingerprint(b"one\r\ntwo\nthree\nfour\nfive\r\nsix\n")
    page.save()
    assert heard.saves[0].expected == heard.journal[-1].base
    page.saved(result(heard.saves[0]))
    assert (page.state, page.is_dirty) == (DocumentState.SAVED, False)


def test_caret_selection_and_what_is_in_sight_stay(shown: Callable[..., Page], qtbot: QtBot) -> None:
    lines = [b"line %d" % number for number in range(400)]
    page = shown(b"\n".join(lines))
    page.go_to(200, 1)
    qtbot.keyClicks(page.editor, "mine ")
    page.editor.moveCursor(QTextCursor.MoveOperation.StartOfLine, QTextCursor.MoveMode.KeepAnchor)
    page.editor.verticalScrollBar().setValue(180)
    lines[2:2] = [b"new", b"newer"]
    page.apply_disk(document(b"\n".join(lines)))
    assert page.editor.textCursor().selectedText() == "mine "
    assert page.editor.textCursor().blockNumber() == 201
    assert page.editor.firstVisibleBlock().text() == "line 180"


def test_a_merge_is_one_step_of_undo_and_the_typing_before_it_another(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"zero\n" + BASE + b"five\n"))
    qtbot.keyClicks(page.editor, "too ")
    assert page.text_bytes() == b"zero\nmine too " + BASE + b"five\n"
    page.editor.undo()
    assert page.text_bytes() == b"zero\nmine " + BASE + b"five\n"
    assert "undo-outside" not in page.notices.kinds
    page.editor.undo()
    assert page.text_bytes() == b"mine " + BASE
    assert "undo-outside" in page.notices.kinds
    page.editor.undo()
    assert page.text_bytes() == BASE
    assert page.is_dirty
    page.save()
    page.autosave()
    assert heard.saves == []
    for _step in range(3):
        page.editor.redo()
    assert page.text_bytes() == b"zero\nmine too " + BASE + b"five\n"
    page.save()
    assert heard.saves[0].data == b"zero\nmine too " + BASE + b"five\n"


def test_a_merge_can_be_shown_and_taken_back_from_its_pill_also_when_more_was_typed(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(BASE + b"five\n"))
    qtbot.keyClicks(page.editor, "too ")
    press_pill(page, "merged", "noticeMore")
    assert page.editor.textCursor().block().text() == "five"
    press_pill(page, "merged")
    assert page.text_bytes() == b"mine too " + BASE
    assert page.notices.kinds == ("undo-outside",)
    page.save()
    assert heard.saves == []
    page.apply_disk(document(b"ONE\r\n" + BASE[5:] + b"five\nsix\n"))
    page.save()
    assert heard.saves == []


def test_the_same_change_on_both_sides_is_saved_already(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "x")
    page.apply_disk(document(b"x" + BASE + b"five\n"))
    assert page.text_bytes() == b"x" + BASE + b"five\n"
    assert (page.state, page.is_dirty) == (DocumentState.SAVED, False)


def test_a_save_that_meets_newer_bytes_joins_them_and_saves_again(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    newer = BASE + b"five\n"
    page.save_failed(Conflict("MEMORY.md", expected=fingerprint(BASE), found=fingerprint(newer)))
    assert heard.rereads == ["MEMORY.md"]
    assert page.banner.kind == ""
    page.apply_disk(document(newer))
    assert [save.data for save in heard.saves] == [b"mine " + BASE, b"mine " + newer]
    assert heard.saves[1].expected == fingerprint(newer)
    page.saved(result(heard.saves[1]))
    assert page.state is DocumentState.SAVED


def test_a_disk_that_is_as_it_was_again_is_saved_to(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.save_failed(Conflict("MEMORY.md", expected=fingerprint(BASE), found=fingerprint(b"gone again")))
    page.apply_disk(document(BASE))
    assert [save.data for save in heard.saves] == [b"mine " + BASE] * 2


def test_newer_bytes_that_cannot_be_read_hold_no_save_for_ever(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.save_failed(Conflict("MEMORY.md", expected=fingerprint(BASE), found=fingerprint(b"other")))
    page.read_failed(ReadFailed("It cannot be read."))
    page.save()
    assert len(heard.saves) == 2


def test_what_comes_while_a_save_is_on_its_way_is_joined_after_it(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    qtbot.keyClicks(page.editor, "too ")
    page.apply_disk(document(b"mine " + BASE + b"five\n"))
    assert page.text_bytes() == b"mine too " + BASE
    page.saved(result(heard.saves[0]))
    assert page.text_bytes() == b"mine too " + BASE + b"five\n"
    assert page.state is DocumentState.MERGED


def test_autosave_goes_on_after_a_merge(page: Page, heard: Heard, qtbot: QtBot) -> None:
    page.set_options(PageOptions(autosave_seconds=0.05, journal_seconds=60))
    page.show_document(document(BASE))
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(BASE + b"five\n"))
    qtbot.waitUntil(lambda: bool(heard.saves))
    assert heard.saves[-1].data == b"mine " + BASE + b"five\n"


def test_large_texts_are_joined_elsewhere_and_an_answer_to_an_older_text_does_not_count(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    base = b"a line of some length, again and again\n" * (LARGE // 80)
    page = shown(base)
    wanted: list[Sides] = []
    page.join_requested.connect(wanted.append)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(base + b"end\n"))
    page.save()
    # A save that has to wait for the answer asks again, should the first answer never come.
    assert (len(wanted), heard.saves) == (2, [])
    page.joined(wanted[0].ticket, join(wanted[0]))
    assert page.text_bytes() == b"mine " + base
    qtbot.keyClicks(page.editor, "too ")
    page.joined(wanted[1].ticket, join(wanted[1]))
    assert page.text_bytes() == b"mine too " + base
    assert len(wanted) == 3
    page.joined(wanted[2].ticket, join(wanted[2]))
    assert page.text_bytes() == b"mine too " + base + b"end\n"
    assert heard.saves[-1].data == b"mine too " + base + b"end\n"


def test_recovered_text_is_joined_with_a_newer_file(page: Page, heard: Heard) -> None:
    unsaved = Unsaved(DocPath("MEMORY.md"), fingerprint(BASE), b"mine " + BASE, 0.0, 4, BASE)
    page.restore_unsaved(unsaved, document(BASE + b"five\n"))
    assert page.text_bytes() == b"mine " + BASE + b"five\n"
    assert page.state is DocumentState.MERGED
    assert heard.saves == []
    page.save()
    assert heard.saves[0].expected == fingerprint(BASE + b"five\n")


def test_recovered_text_whose_ground_is_lost_is_the_persons_to_settle(page: Page, heard: Heard) -> None:
    unsaved = Unsaved(DocPath("MEMORY.md"), fingerprint(b"unknown"), b"mine " + BASE, 0.0)
    page.restore_unsaved(unsaved, document(BASE))
    assert page.state is DocumentState.CONFLICT


def test_an_empty_new_page_takes_in_the_file_that_came_meanwhile(page: Page, heard: Heard) -> None:
    page.show_absent()
    page.apply_disk(document(b"theirs\n"))
    assert (page.state, page.text_bytes()) == (DocumentState.SAVED, b"theirs\n")


# Left to the person ------------------------------------------------------------------------------------------------


@pytest.fixture
def torn(shown: Callable[..., Page], qtbot: QtBot) -> Page:
    """Both changed the first line; they alone added the last."""
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"theirs one\r\ntwo\nthree\nfour\nfive\n"))
    assert page.banner.kind == "conflict"
    return page


THEIRS = b"theirs one\r\ntwo\nthree\nfour\nfive\n"


def test_the_banner_says_how_many_lines_and_later_writes_update_it(torn: Page) -> None:
    assert torn.banner.text == (
        "An outside write changed 1 line you are editing (14:03:05). Your text is kept; not saving."
    )
    torn.apply_disk(document(b"theirs\r\nagain\ntwo\nthree\nfour\nfive\n"))
    assert torn.banner.text == (
        "An outside write changed 2 lines you are editing (14:03:05). 2 writes so far. Your text is kept; not saving."
    )


def test_one_write_has_nothing_to_unfold(torn: Page) -> None:
    assert unfold(torn).isHidden()


def test_several_writes_unfold_by_mouse_and_by_key(torn: Page, clock: Clock, qtbot: QtBot) -> None:
    clock.advance(62)
    torn.apply_disk(document(b"theirs\r\nagain\ntwo\nthree\nfour\nfive\n"))
    button = unfold(torn)
    assert (button.text(), button.accessibleName()) == ("2 writes ▾", "2 writes from outside, show each")
    assert not torn.banner.writes.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert torn.banner.writes.isVisible()
    assert told_writes(torn) == [
        "14:04:07, 2 lines added, 1 line removed",
        "14:03:05, 2 lines added, 1 line removed",
    ]
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert not torn.banner.writes.isVisible()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert torn.banner.writes.isVisible()
    assert button.text() == "2 writes ▴"


def test_what_is_unfolded_follows_and_goes_with_the_conflict(torn: Page) -> None:
    for number in range(60):
        torn.apply_disk(document(b"theirs %d\r\ntwo\nthree\nfour\nfive\n" % number))
    unfold(torn).click()
    assert unfold(torn).text() == "61 writes ▴"
    assert told_writes(torn)[-1] == "11 earlier writes"
    torn.apply_disk(document(b"another\r\ntwo\nthree\nfour\nfive\n"))
    assert unfold(torn).text() == "62 writes ▴"
    press(torn, "takeTheirs")
    assert torn.banner.kind == ""
    assert not torn.banner.writes.isVisible()
    assert unfold(torn).isHidden()


def unfold(page: Page) -> QPushButton:
    button = page.findChild(QPushButton, "showWrites")
    assert button is not None
    return button


def told_writes(page: Page) -> list[str]:
    rows = page.banner.writes
    return [str(rows.item(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(rows.count())]


def test_a_later_write_that_gives_way_is_joined_and_the_banner_goes(torn: Page) -> None:
    torn.apply_disk(document(BASE + b"five\n"))
    assert torn.banner.kind == ""
    assert torn.text_bytes() == b"mine " + BASE + b"five\n"
    assert torn.state is DocumentState.MERGED


def test_what_the_person_writes_may_end_it_and_is_saved_then(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    torn.save()
    assert heard.saves == []
    cursor = torn.editor.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(5, QTextCursor.MoveMode.KeepAnchor)
    torn.editor.setTextCursor(cursor)
    torn.editor.put("theirs ")
    torn.go_to(3, 99)
    qtbot.keyClicks(torn.editor, " mine")
    torn.save()
    assert torn.banner.kind == ""
    assert [save.data for save in heard.saves] == [THEIRS.replace(b"three", b"three mine")]


def test_keeping_both_puts_theirs_behind_mine_and_saves_at_once(torn: Page, heard: Heard) -> None:
    told: list[tuple[str, bytes | None]] = []
    torn.settled.connect(lambda _path, how, mine: told.append((how, mine)))
    press(torn, "keepBoth")
    both = b"mine one\r\ntheirs one\r\ntwo\nthree\nfour\nfive\n"
    assert [(save.data, save.expected) for save in heard.saves] == [(both, fingerprint(THEIRS))]
    assert told == [("kept both", b"mine " + BASE)]
    assert heard.kept == [b"mine " + BASE]
    torn.saved(result(heard.saves[0]))
    assert torn.state is DocumentState.SAVED
    torn.editor.undo()
    assert torn.text_bytes() == b"mine " + BASE
    assert torn.notices.kinds == ("undo-outside",)


def test_keeping_mine_can_be_undone_to_theirs(torn: Page, heard: Heard) -> None:
    caret = torn.editor.textCursor().position()
    press(torn, "keepMine")
    assert [(save.data, save.expected) for save in heard.saves] == [(b"mine " + BASE, fingerprint(THEIRS))]
    assert torn.editor.textCursor().position() == caret
    torn.saved(result(heard.saves[0]))
    torn.editor.undo()
    assert torn.text_bytes() == THEIRS
    torn.save()
    assert [(save.data, save.expected) for save in heard.saves[1:]] == [(THEIRS, fingerprint(b"mine " + BASE))]


def test_taking_theirs_settles_at_once_and_leaves_mine_behind(torn: Page, heard: Heard) -> None:
    told: list[tuple[str, bytes | None]] = []
    torn.settled.connect(lambda _path, how, mine: told.append((how, mine)))
    press(torn, "takeTheirs")
    assert (torn.state, torn.text_bytes(), heard.saves) == (DocumentState.SAVED, THEIRS, [])
    assert told == [("took theirs from the disk", b"mine " + BASE)]


def test_both_of_a_file_that_was_not_there_when_it_was_begun(page: Page, heard: Heard, qtbot: QtBot) -> None:
    page.show_absent()
    qtbot.keyClicks(page.editor, "mine")
    page.apply_disk(document(b"theirs\n"))
    assert page.banner.kind == "conflict"
    press(page, "keepBoth")
    assert heard.saves[0].data == b"mine\ntheirs\n"
    assert heard.saves[0].expected == fingerprint(b"theirs\n")


def test_bytes_that_are_no_text_can_only_be_replaced_or_taken(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE)
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(b"\0\1"))
    ready = {
        name: page.banner.findChild(QPushButton, name).isEnabled()  # type: ignore[union-attr]
        for name in ("keepMine", "takeTheirs", "keepBoth", "resolve")
    }
    assert ready == {"keepMine": True, "takeTheirs": True, "keepBoth": False, "resolve": False}
    press(page, "keepMine")
    assert heard.saves[0].data == b"mine " + BASE


def test_an_unlocked_identity_file_is_joined_too_but_never_saved_unasked(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(BASE, protected=True)
    page.unlock()
    qtbot.keyClicks(page.editor, "mine ")
    page.apply_disk(document(BASE + b"five\n"))
    assert page.text_bytes() == b"mine " + BASE + b"five\n"
    assert (page.state, heard.saves) == (DocumentState.MERGED, [])
    page.autosave()
    page.save()
    assert heard.saves == []


# Lost lines --------------------------------------------------------------------------------------------------------


def saved(page: Page, heard: Heard) -> None:
    page.save()
    page.saved(result(heard.saves[-1]))


def test_lines_saved_a_while_ago_that_an_outside_write_removes_are_offered_again(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot, clock: Clock
) -> None:
    page = shown(b"one\ntwo\n")
    page.go_to(1, 99)
    qtbot.keyClicks(page.editor, "\rmine\ralso mine")
    saved(page, heard)
    clock.advance(300)
    page.apply_disk(document(b"one\ntwo\nagent\n"))
    assert pill(page, "lost-lines").text == "An outside write removed 2 lines you saved at 14:03."
    press_pill(page, "lost-lines")
    assert heard.saves[-1].data == b"one\nmine\nalso mine\ntwo\nagent\n"
    assert "lost-lines" not in page.notices.kinds
    page.saved(result(heard.saves[-1]))
    page.editor.undo()
    assert page.text_bytes() == b"one\ntwo\nagent\n"


@pytest.mark.parametrize("typed_on", ["", "more "])
def test_lines_are_missed_too_where_the_disk_told_of_the_save_before_its_answer_came(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot, typed_on: str
) -> None:
    page = shown(b"one\ntwo\n")
    page.editor.put("mine\n")
    page.save()
    page.apply_disk(document(b"mine\none\ntwo\n"))
    page.editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(page.editor, typed_on)
    page.apply_disk(document(b"one\ntwo\nagent\n"))
    page.saved(result(heard.saves[-1]))
    assert page.banner.kind == ""
    assert "lost-lines" in page.notices.kinds


def test_after_ten_minutes_lines_are_missed_no_more(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot, clock: Clock
) -> None:
    page = shown(b"one\ntwo\n")
    qtbot.keyClicks(page.editor, "mine\r")
    saved(page, heard)
    clock.advance(601)
    page.apply_disk(document(b"one\ntwo\n"))
    assert page.notices.kinds == ()


def test_a_line_that_moved_or_whose_box_was_ticked_or_that_comes_back_is_not_lost(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(b"one\ntwo\n")
    page.editor.put("- [ ] mine\n")
    saved(page, heard)
    page.apply_disk(document(b"one\ntwo\n- [ ] mine\n"))
    page.apply_disk(document(b"one\ntwo\n- [x] mine\n"))
    assert page.notices.kinds == ()
    page.apply_disk(document(b"one\ntwo\n- [ ] mine\n"))
    page.apply_disk(document(b"one\ntwo\n"))
    assert page.notices.kinds == ("lost-lines",)
    page.apply_disk(document(b"one\ntwo\nthree\n"))
    assert page.notices.kinds == ("lost-lines",)
    page.apply_disk(document(b"one\n- [ ] mine\ntwo\nthree\n"))
    assert page.notices.kinds == ()


def test_lines_that_the_person_took_out_are_not_missed(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(b"one\ntwo\n")
    page.editor.put("mine\n")
    saved(page, heard)
    page.editor.undo()
    page.apply_disk(document(b"mine\none\ntwo\nagent\n"))
    assert page.text_bytes() == b"one\ntwo\nagent\n"
    assert "lost-lines" not in page.notices.kinds


def test_what_is_gone_is_offered_also_on_a_page_that_was_closed_in_between(qtbot: QtBot, clock: Clock) -> None:
    texts = [Lines.split("one\n"), Lines.split("one\nmine\n")]
    again = Page(DocPath("MEMORY.md"), now=clock, saves=[OwnSave.of(clock.time(), *texts)])
    qtbot.addWidget(again)
    again.show_document(document(b"one\nagent\n"))
    assert again.notices.kinds == ("lost-lines",)
    ears = hear(again)
    press_pill(again, "lost-lines")
    assert ears.saves[0].data == b"one\nagent\nmine\n"


def test_on_a_locked_identity_file_nothing_is_put_back_unasked(shown: Callable[..., Page], heard: Heard) -> None:
    page = shown(b"one\ntwo\n", protected=True)
    page.expect_own()
    page.apply_disk(document(b"one\nmine\ntwo\n"))
    page.apply_disk(document(b"one\ntwo\n"))
    press_pill(page, "lost-lines")
    assert (page.text_bytes(), heard.saves) == (b"one\ntwo\n", [])


# Anything at once --------------------------------------------------------------------------------------------------

DEEDS = st.lists(
    st.tuples(st.sampled_from(["mine", "theirs"]), st.sampled_from(["change", "insert", "remove"])),
    min_size=1,
    max_size=14,
)


@given(deeds=DEEDS, ending=st.sampled_from(["\n", "\r\n"]), last=st.booleans(), data=st.data())
def test_disjoint_edits_of_both_are_all_on_the_disk_once(
    qapp: object, deeds: list[tuple[str, str]], ending: str, last: bool, data: st.DataObject
) -> None:
    """Each deed has lines of its own, with an untouched one between; the person's are typed into the real editor."""
    texts = [f"line {number}" for number in range(2 * len(deeds) + 1)]
    base = ending.join(texts) + (ending if last else "")
    page = Page(DocPath("MEMORY.md"), PageOptions(autosave_seconds=0, journal_seconds=60))
    page.show_document(document(base.encode()))
    heard = hear(page)
    theirs, wanted = list(texts), list(texts)
    for number, (who, deed) in reversed(list(enumerate(deeds))):
        at, new = 2 * number + 1, f"{deed} {number} by {who}"
        lines = {"change": [new], "insert": [texts[at], new], "remove": []}[deed]
        wanted[at : at + 1] = lines
        if who == "theirs":
            theirs[at : at + 1] = lines
            continue
        cursor = QTextCursor(page.editor.document().findBlockByNumber(at))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        page.editor.setTextCursor(cursor)
        if deed == "remove":
            cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        else:
            page.editor.put("\n".join(lines))
    disk = (ending.join(theirs) + (ending if last else "")).encode()
    page.apply_disk(document(disk))
    page.save()
    for _turn in range(3):
        if heard.saves and page.is_dirty:
            request = heard.saves[-1]
            disk = request.data
            page.saved(result(request))
    expected = ending.join(wanted) + (ending if last else "")
    assert disk.decode() == expected
    assert page.text_bytes().decode() == expected
    assert page.state is DocumentState.SAVED
    page.deleteLater()
