"""A long text comes into a new page a part at a time: it is whole when the page is ready, and nobody typed it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.gui.panels.page.breaks import LINES_AT_ONCE
from memgui.gui.panels.page.editor import MemoryEditor
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.state import DocumentState
from tests.conftest import Clock
from tests.gui.page.conftest import Heard, document

LONG = "".join(f"- {number} A line that says what it is, é or not.\n" for number in range(4 * LINES_AT_ONCE))
OTHER = LONG.replace("A line", "Another line")


def half_open(tabs: DocumentTabs, text: str = LONG, *, line: int | None = None) -> Page:
    """A page into which a part of the text has come."""
    page = tabs.open(DocPath("large.md"), line=line)
    tabs.show_document(document(text.encode(), "large.md"))
    assert not page.ready
    assert 1 < page.editor.blockCount() < LONG.count("\n")
    return page


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "no line end"])
@pytest.mark.parametrize("count", [1, 2, LINES_AT_ONCE - 1, LINES_AT_ONCE, LINES_AT_ONCE + 1, 2 * LINES_AT_ONCE])
def test_text_that_came_in_parts_is_as_one_that_came_whole(
    editor: MemoryEditor, ending: str, last: str, count: int
) -> None:
    lines = Lines.split(ending.join([*(f"\ufeff{number}" for number in range(count)), last]))
    while not editor.show_some(lines):
        pass
    editor.show_lines(lines)
    assert editor.lines() == lines
    assert editor.breaks.prevailing == ending
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()


def test_mixed_endings_stay(editor: MemoryEditor) -> None:
    lines = Lines.split("one\ntwo\r\n" * LINES_AT_ONCE)
    assert editor.show_some(lines)
    editor.show_lines(lines)
    assert editor.lines() == lines


def test_a_long_document_is_shown_in_turns_and_saved_by_nobody(
    qtbot: QtBot, tabs: DocumentTabs, asked: Heard, clock: Clock
) -> None:
    page = half_open(tabs, line=9_000)
    assert page.editor.isReadOnly()
    qtbot.waitUntil(lambda: page.ready)
    assert page.text_bytes() == LONG.encode()
    assert page.state is DocumentState.SAVED
    assert page.editor.textCursor().blockNumber() == 8_999
    assert not page.editor.isReadOnly()
    assert (asked.saves, asked.journal) == ([], [])


def test_what_is_read_meanwhile_takes_its_place(qtbot: QtBot, tabs: DocumentTabs) -> None:
    page = half_open(tabs)
    tabs.show_document(document(OTHER.encode(), "large.md"))
    qtbot.waitUntil(lambda: page.ready)
    assert page.text_bytes() == OTHER.encode()


def test_a_short_text_that_is_read_meanwhile_is_shown_alone(tabs: DocumentTabs) -> None:
    page = half_open(tabs)
    tabs.show_document(document(b"short\n", "large.md"))
    assert page.ready
    assert page.text_bytes() == b"short\n"


def test_a_file_that_goes_meanwhile_leaves_its_text(tabs: DocumentTabs) -> None:
    page = half_open(tabs)
    tabs.deleted(DocPath("large.md"))
    assert page.text_bytes() == LONG.encode()
    assert page.state is DocumentState.DELETED


def test_a_page_that_gets_another_name_meanwhile_is_whole(tabs: DocumentTabs) -> None:
    page = half_open(tabs)
    tabs.rename(page, DocPath("larger.md"))
    assert page.ready
    assert page.text_bytes() == LONG.encode()


def test_a_page_that_is_closed_meanwhile_is_gone(qtbot: QtBot, tabs: DocumentTabs) -> None:
    page = half_open(tabs)
    with qtbot.waitSignal(page.destroyed):
        page.try_to_close()
    assert tabs.page_for(DocPath("large.md")) is None
