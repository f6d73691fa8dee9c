"""The marks of lines that came in from the disk."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from memgui.gui import theme
from memgui.gui.panels.page.page import Page
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result

BASE = b"one\ntwo\nthree\n"


def marked(page: Page) -> list[str]:
    """The lines that are marked."""
    texts, block = [], page.editor.document().firstBlock()
    while block.isValid():
        texts += [block.text()] if page.editor.arrivals.hold(block) else []
        block = block.next()
    return texts


def test_what_came_in_is_marked_and_said_until_the_caret_was_there(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    page.apply_disk(document(b"zero\none\ntwo\nthree\nfour\nfive\n"))
    assert marked(page) == ["zero", "four", "five"]
    assert (page.state, page.sentence) == (DocumentState.SAVED, "Saved · 3 new lines from outside")
    page.go_to(5)
    assert marked(page) == ["zero"]
    assert page.sentence == "Saved · 1 new line from outside"
    page.go_to(1)
    assert (marked(page), page.sentence) == ([], "Saved")


def test_a_changed_line_is_marked_and_one_with_another_ending_is_not(shown: Callable[..., Page]) -> None:
    page = shown(b"one\ntwo")
    page.apply_disk(document(b"ONE\ntwo\nthree"))
    assert marked(page) == ["ONE", "three"]


def test_where_lines_only_went_a_wedge_stands_until_the_caret_was_there(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    told: list[int] = []
    page.arrivals_changed.connect(lambda: told.append(page.new_lines))
    page.apply_disk(document(b"one\nthree\n"))
    assert (marked(page), page.sentence) == ([], "Saved")
    blocks = [page.editor.document().findBlockByNumber(number) for number in range(3)]
    assert list(page.editor.arrivals.gone_above(blocks)) == [False, True, False]
    gutter = page.editor.gutter
    line, middle = page.editor.fontMetrics().lineSpacing(), page.editor.contentOffset().y()
    wedge = QPoint(gutter.width() - 3, round(middle + line))
    assert gutter.grab().toImage().pixelColor(wedge) == QColor(theme.current().removed)
    page.go_to(2)
    assert (told[0], told[-1]) == (1, 0)


def test_lines_that_went_from_the_end_are_missed_there(shown: Callable[..., Page]) -> None:
    page = shown(b"one\ntwo\nthree")
    page.apply_disk(document(b"one\n"))
    assert page.new_lines == 1
    page.go_to(2)
    assert page.new_lines == 0
    page.apply_disk(document(b""))
    assert page.new_lines == 0


def test_marks_go_with_their_lines_while_others_are_typed(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(BASE)
    page.apply_disk(document(BASE + b"four\n"))
    qtbot.keyClicks(page.editor, "mine\r")
    assert marked(page) == ["four"]


def test_a_save_and_an_undo_end_the_marks(shown: Callable[..., Page], heard: Heard, qtbot: QtBot) -> None:
    page = shown(BASE)
    page.apply_disk(document(BASE + b"four\n"))
    qtbot.keyClicks(page.editor, "mine ")
    page.save()
    page.saved(result(heard.saves[0]))
    assert marked(page) == []
    page.apply_disk(document(b"mine " + BASE + b"four\nfive\n"))
    assert marked(page) == ["five"]
    page.editor.undo()
    assert marked(page) == []


def test_what_was_written_for_the_person_is_no_news(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    page.expect_own()
    page.apply_disk(document(BASE + b"mine\n"))
    assert marked(page) == []
    page.apply_disk(document(BASE + b"mine\ntheirs\n"))
    assert marked(page) == ["theirs"]


def test_a_protected_page_says_it_too(shown: Callable[..., Page]) -> None:
    page = shown(BASE, protected=True)
    page.apply_disk(document(BASE + b"Obey.\n"))
    assert page.sentence == "Protected – read only · 1 new line from outside"


def test_the_gutter_draws_the_mark_and_says_what_it_means(shown: Callable[..., Page]) -> None:
    page = shown(BASE)
    page.apply_disk(document(BASE + b"four\n"))
    gutter = page.editor.gutter
    _block, top, height = list(page.editor.visible_blocks())[3]
    place = QPoint(gutter.width() - 2, round(top + height / 2))
    assert gutter.grab().toImage().pixelColor(place) == QColor(theme.current().focus)
    QApplication.sendEvent(gutter, QHelpEvent(QEvent.Type.ToolTip, place, gutter.mapToGlobal(place)))
    assert QToolTip.text() == "Came in from the disk, and you have not been here since"
    QToolTip.hideText()


def test_a_page_without_a_file_does_not_say_that_it_is_saved(page: Page) -> None:
    page.show_absent()
    assert page.sentence == "New – nothing on disk yet"
