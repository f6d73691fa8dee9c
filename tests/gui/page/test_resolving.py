"""A conflict resolved in the place of its page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.requests import Unsaved
from memgui.gui.panels.page.keeping import PageOptions
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.resolve_text import Pane
from memgui.gui.panels.page.resolve_view import ResolveView
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result

BASE = "".join(f"line {number}\n" for number in range(1, 9))
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def with_lines(**lines: str) -> bytes:
    """The base with other lines in the place of some: `l2="mine"`."""
    texts = BASE.splitlines(keepends=True)
    for name, text in lines.items():
        texts[int(name[1:]) - 1] = f"{text}\n" if text else ""
    return "".join(texts).encode()


@pytest.fixture
def torn(shown: Callable[..., Page], qtbot: QtBot) -> Page:
    """A page with a conflict in its second and its seventh line."""
    page = shown(BASE.encode())
    for line in (2, 7):
        page.go_to(line, 99)
        qtbot.keyClicks(page.editor, " mine")
    page.apply_disk(document(with_lines(l2="line 2 theirs", l5="line 5 theirs", l7="line 7 theirs")))
    assert page.state is DocumentState.CONFLICT
    return page


def view_of(page: Page) -> ResolveView:
    view = page.findChild(ResolveView)
    assert view is not None
    return view


def said(page: Page) -> str:
    label = view_of(page).findChild(QLabel, "resolveWhere")
    assert label is not None
    assert label.accessibleName() == label.text()
    return label.text()


def press(page: Page, name: str) -> None:
    button = page.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    button.click()


def open_view(page: Page) -> ResolveView:
    press(page, "resolve")
    return view_of(page)


def test_three_texts_are_shown_and_what_is_disjoint_is_in_the_result_already(torn: Page) -> None:
    view = open_view(torn)
    assert view.isVisible()
    assert not torn.editor.isVisible()
    assert view.mine.lines().joined().encode() == with_lines(l2="line 2 mine", l7="line 7 mine")
    assert view.disk.lines().joined().encode() == with_lines(l2="line 2 theirs", l5="line 5 theirs", l7="line 7 theirs")
    assert view.result.lines().joined().encode() == with_lines(l2="line 2 mine", l5="line 5 theirs", l7="line 7 mine")
    assert view.mine.isReadOnly()
    assert view.disk.isReadOnly()
    assert not view.result.isReadOnly()
    assert said(torn) == "1 of 2 conflicts: undecided"


def test_by_keyboard_alone_mine_and_theirs_are_chosen_and_saved(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    view = open_view(torn)
    qtbot.keyClick(view.result, Qt.Key.Key_Left, CONTROL)
    assert said(torn) == "1 of 2 conflicts: mine"
    qtbot.keyClick(view.result, Qt.Key.Key_S, CONTROL)
    assert heard.saves == []
    assert "1 conflict is undecided" in said(torn)
    qtbot.keyClick(view.result, Qt.Key.Key_F7)
    qtbot.keyClick(view.result, Qt.Key.Key_F7, SHIFT)
    assert said(torn) == "2 of 2 conflicts: undecided"
    assert view.disk.textCursor().block().text() == "line 7 theirs"
    qtbot.keyClick(view.result, Qt.Key.Key_Right, CONTROL)
    qtbot.keyClick(view.result, Qt.Key.Key_S, CONTROL)
    theirs = with_lines(l2="line 2 theirs", l5="line 5 theirs", l7="line 7 theirs")
    wanted = with_lines(l2="line 2 mine", l5="line 5 theirs", l7="line 7 theirs")
    assert [(save.data, save.expected) for save in heard.saves] == [(wanted, fingerprint(theirs))]
    assert heard.kept == [with_lines(l2="line 2 mine", l7="line 7 mine")]
    torn.saved(result(heard.saves[0]))
    assert torn.state is DocumentState.SAVED
    assert torn.editor.isVisible()
    assert torn.text_bytes() == wanted
    torn.editor.undo()
    assert torn.text_bytes() == with_lines(l2="line 2 mine", l7="line 7 mine")


def test_both_stand_behind_each_other_and_a_choice_can_be_taken_back(torn: Page, qtbot: QtBot) -> None:
    view = open_view(torn)
    press(torn, "useBoth")
    assert view.result.lines().texts[1:3] == ("line 2 mine", "line 2 theirs")
    assert said(torn) == "1 of 2 conflicts: both"
    qtbot.keyClick(view.result, Qt.Key.Key_Z, CONTROL)
    assert view.result.lines().texts[1:3] == ("line 2 mine", "line 3")
    press(torn, "resolveNext")
    press(torn, "useTheirs")
    press(torn, "useMine")
    assert view.result.lines().texts[6] == "line 7 mine"


def test_what_is_typed_in_the_result_decides_too(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    view = open_view(torn)
    view.result.go_to(2, 99)
    qtbot.keyClicks(view.result, " and theirs")
    qtbot.waitUntil(lambda: said(torn) == "1 of 2 conflicts: your own text")
    # Where the person writes, the keys go from word to word.
    qtbot.keyClick(view.result, Qt.Key.Key_Left, CONTROL)
    assert view.result.lines().texts[1] == "line 2 mine and theirs"
    press(torn, "resolveNext")
    press(torn, "useTheirs")
    torn.save()
    assert heard.saves[0].data == with_lines(l2="line 2 mine and theirs", l5="line 5 theirs", l7="line 7 theirs")


def test_later_writes_come_in_live_and_only_what_is_new_has_to_be_decided(torn: Page, heard: Heard) -> None:
    view = open_view(torn)
    press(torn, "useTheirs")
    torn.apply_disk(document(with_lines(l1="line 1 later", l2="line 2 theirs", l5="line 5", l7="line 7 again")))
    assert view.disk.lines().texts[6] == "line 7 again"
    assert view.result.lines().texts[:8] == (
        "line 1 later", "line 2 theirs", "line 3", "line 4", "line 5", "line 6", "line 7 mine", "line 8",
    )  # fmt: skip
    assert view.resolution.left == 1
    press(torn, "resolveNext")
    press(torn, "useMine")
    press(torn, "resolveSave")
    assert heard.saves[0].data == with_lines(l1="line 1 later", l2="line 2 theirs", l7="line 7 mine")


def test_a_disk_that_moved_before_the_save_leaves_only_what_is_new(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    open_view(torn)
    press(torn, "useTheirs")
    press(torn, "resolveNext")
    press(torn, "useMine")
    press(torn, "resolveSave")
    latest = with_lines(l2="line 2 theirs", l4="line 4 later", l5="line 5 theirs", l7="line 7 latest")
    torn.save_failed(Conflict("MEMORY.md", expected=heard.saves[0].expected, found=fingerprint(latest)))
    torn.apply_disk(document(latest))
    assert torn.banner.kind == "conflict"
    view = open_view(torn)
    assert said(torn) == "1 of 1 conflict: undecided"
    assert view.result.lines().texts[3] == "line 4 later"
    press(torn, "useMine")
    press(torn, "resolveSave")
    assert heard.saves[1].data == with_lines(
        l2="line 2 theirs", l4="line 4 later", l5="line 5 theirs", l7="line 7 mine"
    )


def test_leaving_settles_nothing_and_it_goes_on_where_it_was_left(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    view = open_view(torn)
    press(torn, "useTheirs")
    qtbot.keyClick(view.result, Qt.Key.Key_Escape)
    assert torn.editor.isVisible()
    assert torn.state is DocumentState.CONFLICT
    assert heard.saves == []
    torn.apply_disk(document(with_lines(l1="line 1 later", l2="line 2 theirs", l7="line 7 theirs")))
    torn.resolve()
    assert view_of(torn).result.lines().texts[:2] == ("line 1 later", "line 2 theirs")
    assert view_of(torn).resolution.left == 1


def test_what_was_made_of_it_is_kept_when_the_file_goes(torn: Page, heard: Heard) -> None:
    open_view(torn)
    press(torn, "useTheirs")
    torn.deleted()
    assert not view_of(torn).isVisible()
    assert torn.state is DocumentState.DELETED
    assert with_lines(l2="line 2 theirs", l5="line 5 theirs", l7="line 7 mine") in heard.kept
    assert torn.text_bytes() == with_lines(l2="line 2 mine", l7="line 7 mine")


def test_text_that_was_taken_back_meanwhile_is_joined_instead(torn: Page, qtbot: QtBot) -> None:
    torn.editor.undo()
    torn.editor.undo()
    torn.go_to(8, 99)
    qtbot.keyClicks(torn.editor, " mine")
    torn.resolve()
    assert torn.state is DocumentState.MERGED
    assert torn.text_bytes() == with_lines(l2="line 2 theirs", l5="line 5 theirs", l7="line 7 theirs", l8="line 8 mine")


def test_in_a_narrow_page_one_text_is_shown_at_a_time(torn: Page, qtbot: QtBot) -> None:
    view = open_view(torn)
    torn.resize(1100, 600)
    assert all(pane.isVisible() for pane in (view.mine, view.result, view.disk))
    torn.resize(500, 500)
    assert [pane.isVisible() for pane in (view.mine, view.result, view.disk)] == [False, True, False]
    qtbot.keyClick(view.result, Qt.Key.Key_Down, CONTROL)
    assert [pane.isVisible() for pane in (view.mine, view.result, view.disk)] == [False, False, True]
    qtbot.keyClick(view.disk, Qt.Key.Key_Up, CONTROL)
    qtbot.keyClick(view.result, Qt.Key.Key_Up, CONTROL)
    assert [pane.isVisible() for pane in (view.mine, view.result, view.disk)] == [True, False, False]


def test_each_part_has_a_name(torn: Page) -> None:
    view = open_view(torn)
    for button in view.findChildren(QPushButton):
        assert button.accessibleName()
        assert button.objectName()
    names = [button.objectName() for button in view.findChildren(QPushButton)]
    names += [pane.objectName() for pane in (view.mine, view.result, view.disk)]
    assert len(set(names)) == len(names)
    assert [pane.accessibleName() for pane in (view.mine, view.result, view.disk)] == [
        "Mine", "Result, can be edited", "On disk",
    ]  # fmt: skip
    assert view.result.flag_of(view.result.document().findBlockByNumber(1)) == "≠"
    press(torn, "useMine")
    assert view.result.flag_of(view.result.document().findBlockByNumber(1)) == "✓"


def test_what_differs_between_the_sides_is_underlined(torn: Page) -> None:
    view = open_view(torn)

    def underlined(pane: Pane) -> list[str]:
        marks = [one for one in pane.extraSelections() if one.format.fontUnderline()]
        return [one.cursor.selectedText() for one in marks]

    assert underlined(view.mine) == ["mine", "mine"]
    assert underlined(view.disk) == ["theirs", "theirs"]
    assert underlined(view.result) == []


def test_in_a_low_page_what_decides_and_saves_is_whole_and_keys_do_the_rest(torn: Page, qtbot: QtBot) -> None:
    view = open_view(torn)
    # A little more than the lowest, where the letters are larger than most: a bare system has DejaVu alone.
    low = 240 if QFontMetrics(torn.font()).height() < 17 else 256
    torn.resize(480, low)
    qtbot.waitUntil(lambda: view.height() < low)
    for name in ("useMine", "useBoth", "useTheirs", "resolveSave"):
        button = torn.findChild(QPushButton, name)
        assert button is not None
        assert button.visibleRegion().boundingRect() == button.rect(), name
    assert view.result.height() >= 40
    qtbot.keyClick(view.result, Qt.Key.Key_F7)
    assert said(torn).startswith("2 of 2")


# The crash journal ---------------------------------------------------------------------------------------------------


def test_what_is_made_of_both_goes_into_the_journal_beside_the_text(torn: Page, heard: Heard) -> None:
    torn.resolve()
    torn.journal_now()
    assert heard.journal[-1].beside is None
    view_of(torn).result.textCursor().insertText("made of both ")
    torn.journal_now()
    assert heard.journal[-1].beside is not None
    assert heard.journal[-1].beside.startswith(b"line 1\nmade of both line 2 mine\n")
    assert heard.journal[-1].data == torn.text_bytes()
    # Back on the page, what was made is still to be had, and still kept.
    torn.resolve()
    torn.journal_now()
    assert b"made of both" in (heard.journal[-1].beside or b"")


def test_typing_in_the_result_starts_the_journals_time(torn: Page, heard: Heard, qtbot: QtBot) -> None:
    torn.set_options(PageOptions(autosave_seconds=0, journal_seconds=0.01))
    torn.resolve()
    before = len(heard.journal)
    qtbot.keyClicks(view_of(torn).result, "typed ")
    qtbot.waitUntil(lambda: len(heard.journal) > before)
    assert b"typed " in (heard.journal[-1].beside or b"")


def test_what_was_made_before_an_end_is_offered_beside_both_sides(page: Page, heard: Heard) -> None:
    mine, made = with_lines(l2="line 2 mine"), with_lines(l2="line 2 of both")
    unsaved = Unsaved(page.path, fingerprint(BASE.encode()), mine, 1.0, base_data=BASE.encode(), beside=made)
    page.restore_unsaved(unsaved, document(with_lines(l2="line 2 theirs")))
    assert page.state is DocumentState.CONFLICT
    assert page.text_bytes() == mine
    assert heard.kept == [made]
    assert heard.journal[-1].beside == made
    press(page, "noticeAction")
    assert page.text_bytes() == made
    assert page.state is DocumentState.CONFLICT
    page.undo()
    assert page.text_bytes() == mine


def test_what_was_made_before_and_is_not_wanted_is_not_offered_again(page: Page, heard: Heard) -> None:
    mine, made = with_lines(l2="line 2 mine"), with_lines(l2="line 2 of both")
    unsaved = Unsaved(page.path, fingerprint(BASE.encode()), mine, 1.0, base_data=BASE.encode(), beside=made)
    page.restore_unsaved(unsaved, document(with_lines(l2="line 2 theirs")))
    press(page, "noticeDismiss")
    assert heard.journal[-1].beside is None
    assert heard.kept == [made]
