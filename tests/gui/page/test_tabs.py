"""Tabs: one page per document, previews, names, and closing without losing text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from memgui.domain.errors import WriteFailed
from memgui.domain.paths import DocPath
from memgui.gui.panels.page.page import Page
from memgui.gui.panels.page.tab_bar import short_names
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.state import DocumentState
from tests.gui.page.conftest import Heard, document, result


def opened(
    tabs: DocumentTabs, path: str, data: bytes = b"text\n", *, pin: bool = True, protected: bool = False
) -> Page:
    page = tabs.open(DocPath(path), pin=pin)
    tabs.show_document(document(data, path), protected=protected)
    return page


def test_a_document_has_one_page_however_often_it_is_opened(tabs: DocumentTabs, qtbot: QtBot) -> None:
    with qtbot.waitSignal(tabs.read_requested) as asked:
        page = opened(tabs, "MEMORY.md")
    assert asked.args == ["MEMORY.md"]
    qtbot.keyClicks(page.editor, "mine ")
    opened(tabs, "other.md")
    assert opened(tabs, "MEMORY.md", b"text\n") is page
    assert page.text_bytes() == b"mine text\n"
    assert (tabs.count(), tabs.current) == (2, page)


def test_undo_outlives_a_change_of_tab(tabs: DocumentTabs, qtbot: QtBot) -> None:
    page = opened(tabs, "MEMORY.md")
    qtbot.keyClicks(page.editor, "mine ")
    opened(tabs, "other.md")
    tabs.open(DocPath("MEMORY.md"))
    page.editor.undo()
    assert page.text_bytes() == b"text\n"


def test_a_page_asks_to_be_at_a_line_before_it_is_read(tabs: DocumentTabs) -> None:
    page = tabs.open(DocPath("MEMORY.md"), line=3, column=2)
    assert not page.property("ready")
    tabs.show_document(document(b"a\nb\ncde\n"))
    assert page.property("ready")
    assert page.property("path") == "MEMORY.md"
    assert (page.editor.textCursor().blockNumber(), page.editor.textCursor().positionInBlock()) == (2, 1)


def test_a_preview_is_replaced_by_the_next_and_stays_once_edited(tabs: DocumentTabs, qtbot: QtBot) -> None:
    first = opened(tabs, "a.md", pin=False)
    second = opened(tabs, "b.md", pin=False)
    assert tabs.pages == (second,)
    assert tabs.page_for(DocPath("a.md")) is None
    assert first is not second
    qtbot.keyClicks(second.editor, "x")
    third = opened(tabs, "c.md", pin=False)
    assert set(tabs.pages) == {second, third}
    opened(tabs, "c.md")
    opened(tabs, "d.md", pin=False)
    assert tabs.count() == 3


def test_changing_the_tab_saves(tabs: DocumentTabs, asked: Heard, qtbot: QtBot) -> None:
    page = opened(tabs, "a.md")
    qtbot.keyClicks(page.editor, "x")
    opened(tabs, "b.md")
    assert [save.path for save in asked.saves] == ["a.md"]


def test_closing_saves_first_and_closes_once_that_is_done(tabs: DocumentTabs, asked: Heard, qtbot: QtBot) -> None:
    page = opened(tabs, "a.md")
    qtbot.keyClicks(page.editor, "x")
    tabs.close_current()
    assert tabs.count() == 1
    with qtbot.waitSignal(tabs.page_closed):
        tabs.saved(result(asked.saves[0]))
    assert tabs.count() == 0


def test_a_page_whose_save_fails_stays_and_says_why(tabs: DocumentTabs, asked: Heard, qtbot: QtBot) -> None:
    page = opened(tabs, "a.md")
    qtbot.keyClicks(page.editor, "x")
    tabs.close_current()
    with qtbot.waitSignal(tabs.said) as said:
        tabs.save_failed(asked.saves[0], WriteFailed("no", errno=28))
    assert said.args == ["a.md stays open: Not saved: disk full – text is safe in the journal"]
    assert tabs.pages == (page,)
    assert page.text_bytes() == b"xtext\n"


def test_a_page_in_conflict_cannot_be_closed_over(tabs: DocumentTabs, asked: Heard, qtbot: QtBot) -> None:
    page = opened(tabs, "a.md")
    qtbot.keyClicks(page.editor, "x")
    tabs.show_document(document(b"agent\n", "a.md"))
    tabs.close_current()
    assert tabs.pages == (page,)
    assert asked.saves == []


def test_a_tab_says_its_state_to_the_eye_and_to_a_screen_reader(tabs: DocumentTabs, qtbot: QtBot) -> None:
    page = opened(tabs, "notes/a.md")
    qtbot.keyClicks(page.editor, "x")
    assert tabs.tabText(0) == "a.md ●"
    assert tabs.tabBar().accessibleTabName(0) == "a.md, unsaved"
    assert tabs.tabToolTip(0) == "notes/a.md\nUnsaved"
    tabs.show_document(document(b"agent\n", "notes/a.md"))
    assert tabs.tabText(0) == "a.md ⚠"
    soul = opened(tabs, "SOUL.md", protected=True)
    assert tabs.tabBar().accessibleTabName(tabs.indexOf(soul)) == "SOUL.md, protected, read only"


def test_names_that_are_alike_are_told_apart_by_their_folders() -> None:
    paths = [DocPath(path) for path in ("notes.md", "a/x/notes.md", "b/x/notes.md", "c.md")]
    assert list(short_names(paths).values()) == ["notes.md", "a/x/notes.md", "b/x/notes.md", "c.md"]


def test_a_middle_click_closes(tabs: DocumentTabs, qtbot: QtBot) -> None:
    opened(tabs, "a.md")
    opened(tabs, "b.md")
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.MiddleButton, pos=tabs.tabBar().tabRect(0).center())
    assert [page.path for page in tabs.pages] == ["b.md"]


def test_many_tabs_can_be_scrolled_and_stay_in_the_window(tabs: DocumentTabs) -> None:
    for number in range(30):
        opened(tabs, f"a-rather-long-name-of-a-document-{number}.md")
    assert tabs.tabBar().usesScrollButtons()
    assert tabs.tabBar().tabRect(0).width() <= 240
    assert tabs.width() == 800


def test_before_the_window_goes_unsaved_text_is_saved_or_journalled(
    tabs: DocumentTabs, asked: Heard, qtbot: QtBot
) -> None:
    page = opened(tabs, "a.md")
    qtbot.keyClicks(page.editor, "x")
    soul = opened(tabs, "SOUL.md", protected=True)
    soul.unlock()
    qtbot.keyClicks(soul.editor, "y")
    asked.saves.clear()
    tabs.flush()
    assert {entry.path for entry in asked.journal} == {"a.md", "SOUL.md"}
    assert all(save.path == "a.md" for save in asked.saves)


def test_names_that_are_not_utf8_have_pages_of_their_own(tabs: DocumentTabs) -> None:
    names = ["bad\udcff.md", "bad\udcfe.md"]
    pages = [opened(tabs, name) for name in names]
    assert [page.path for page in tabs.pages] == names
    assert pages[0].state is DocumentState.SAVED
    assert tabs.tabText(0) == "bad\\xff.md"
    assert [tabs.widget(n).property("path") for n in range(2)] == ["bad\\xff.md", "bad\\xfe.md"]
