"""Source and preview go together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.preview.conftest import Reader

LONG = "\n".join(
    f"## Heading {number}\n\nA paragraph of so many words that it takes more than one line where there is little room, "
    f"number {number}.\n\n- one\n- two\n\n```\ncode {number}\n```\n"
    for number in range(120)
)
"""Eleven lines a heading."""


def scroll(view: QAbstractScrollArea, share: float) -> None:
    """Turn the wheel over a view, and go on to that share of its height."""
    event = QWheelEvent(
        QPointF(20, 20),
        QPointF(20, 20),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)
    view.verticalScrollBar().setValue(round(view.verticalScrollBar().maximum() * share))


@pytest.fixture
def both(reader: Reader) -> Reader:
    reader.show(LONG, beside=True)
    return reader


def test_the_preview_follows_the_source(both: Reader) -> None:
    scroll(both.page.editor, 0.4)
    line = both.panel.sync.source_line()
    assert line > 50
    assert both.panel.sync.preview_line() == pytest.approx(line, abs=1.5)


def test_the_source_follows_the_preview(both: Reader) -> None:
    scroll(both.panel.browser, 0.4)
    line = both.panel.sync.preview_line()
    assert line > 50
    assert both.panel.sync.source_line() == pytest.approx(line, abs=1.5)


def test_ends_meet(both: Reader) -> None:
    for mover, other in ((both.page.editor, both.panel.browser), (both.panel.browser, both.page.editor)):
        scroll(mover, 1)
        assert other.verticalScrollBar().value() == other.verticalScrollBar().maximum()
        scroll(mover, 0)
        assert other.verticalScrollBar().value() == 0


def test_one_does_not_answer_the_other(both: Reader, qtbot: QtBot) -> None:
    scroll(both.page.editor, 0.3)
    there = both.page.editor.verticalScrollBar().value()
    moved: list[int] = []
    both.page.editor.verticalScrollBar().valueChanged.connect(moved.append)
    qtbot.waitUntil(lambda: both.panel.is_current)
    QApplication.processEvents()
    assert both.page.editor.verticalScrollBar().value() == there
    assert not moved


def test_an_edit_is_rendered_and_the_view_stays(both: Reader, qtbot: QtBot) -> None:
    scroll(both.panel.browser, 0.4)
    line = both.panel.sync.preview_line()
    cursor = QTextCursor(both.page.editor.document())
    cursor.insertText("# New\n\n")
    qtbot.waitUntil(lambda: both.panel.browser.toPlainText().startswith("New"))
    assert both.panel.sync.source_line() == pytest.approx(line, abs=3)
    scroll(both.page.editor, 0.2)
    assert both.panel.sync.preview_line() == pytest.approx(both.panel.sync.source_line(), abs=1.5)


def test_keys_typed_in_a_row_are_rendered_once(both: Reader, qtbot: QtBot) -> None:
    renderings: list[None] = []
    both.panel.rendered.connect(lambda: renderings.append(None))
    for letter in "typed":
        both.page.editor.textCursor().insertText(letter)
    qtbot.waitUntil(lambda: "typed" in both.panel.browser.toPlainText())
    assert len(renderings) == 1


def test_where_the_source_is_hidden_the_caret_leads(reader: Reader) -> None:
    reader.show(LONG)
    reader.page.go_to(801)
    line = reader.panel.sync.preview_line()
    assert 760 < line <= 801


def test_what_is_found_in_the_source_is_marked_in_the_preview(reader: Reader, qtbot: QtBot) -> None:
    reader.show(LONG)
    reader.page.find_bar.open_find()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    qtbot.keyClicks(QApplication.focusWidget(), "number 100")

    def marked() -> list[str]:
        return [mark.cursor.selectedText() for mark in reader.panel.browser.extraSelections()]

    qtbot.waitUntil(lambda: marked() == ["number 100"])
    qtbot.waitUntil(lambda: 1060 < reader.panel.sync.preview_line() < 1103)
    reader.page.find_bar.close_bar()
    qtbot.waitUntil(reader.panel.browser.hasFocus)


def test_a_long_page_says_how_far_it_is_shown(reader: Reader, qtbot: QtBot) -> None:
    reader.show("word " * 10 + "\n\n" + "a paragraph of some words\n\n" * 20_000)
    assert reader.panel.rest.isVisible()
    assert "40,003" in reader.panel.rest.text
    button = reader.panel.rest.findChild(QWidget, "renderRest")
    assert isinstance(button, QWidget)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    reader.settled()
    qtbot.waitUntil(lambda: not reader.panel.rest.isVisible())


def test_what_is_copied_is_plain_text(reader: Reader) -> None:
    reader.show("# A\n\n- [x] b `c` **d**\n\n| e |\n|---|\n| f |\n")
    reader.panel.browser.selectAll()
    data = reader.panel.browser.createMimeDataFromSelection()
    assert data.formats() == ["text/plain"]
    assert data.text().split() == ["A", "b", "c", "d", "e", "f"]
