"""Find and replace in a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from memgui.gui.panels.page import finding
from memgui.gui.panels.page.finding import MOST_MARKED, MOST_MATCHES
from memgui.gui.panels.page.matches import Sought
from memgui.gui.panels.page.page import Page
from tests.gui.page.conftest import Heard, document

TEXT = "Café Anker\r\ncafe anker CAFÉ\n😀 cafe\u0301teria\nstraße STRASSE\n"


def field(page: Page, name: str) -> QLineEdit:
    found = page.find_bar.findChild(QLineEdit, name)
    assert found is not None
    return found


def count(page: Page) -> str:
    found = page.find_bar.findChild(QLabel, "findCount")
    assert found is not None
    return found.text()


def seek(page: Page, text: str, qtbot: QtBot, *, replacing: str | None = None) -> None:
    page.find_bar.open_find() if replacing is None else page.find_bar.open_replace()
    field(page, "findField").setText(text)
    if replacing is not None:
        field(page, "replaceField").setText(replacing)
    qtbot.waitUntil(lambda: page.find_bar.finder.complete)


def press(page: Page, name: str) -> None:
    found = page.find_bar.findChild(QPushButton, name) or page.find_bar.findChild(QToolButton, name)
    assert found is not None
    found.click()


@pytest.mark.parametrize(
    ("sought", "line", "found"),
    [
        (Sought("cafe"), "Café CAFE cafe\u0301", ["Café", "CAFE", "cafe\u0301"]),
        (Sought("CAFÉ", exact=True), "Café CAFÉ", ["CAFÉ"]),
        (Sought("strasse"), "straße STRASSE", ["straße", "STRASSE"]),
        (Sought("abc"), "ＡＢＣ abc", ["ＡＢＣ", "abc"]),
        (Sought("記憶"), "記憶管理 記憶", ["記憶", "記憶"]),
        (Sought("cat", whole_words=True), "cat concat cat_ cats Cat.", ["cat", "Cat"]),
        (Sought("aa"), "aaaaa", ["aa", "aa"]),
        (Sought("\u0301"), "e\u0301", []),
        (Sought("s"), "Straße", ["S"]),
        (Sought("f"), "\ufb01nd effort", ["f", "f"]),
        (Sought("cafe", exact=True), "cafe\u0301 cafe", ["cafe"]),
        (Sought("\U0001f44d"), "\U0001f44d\U0001f3fd \U0001f44d", ["\U0001f44d"]),
        (Sought("\U0001f469"), "\U0001f468\u200d\U0001f469\u200d\U0001f467", []),
        (Sought(""), "anything", []),
        (Sought("***"), "a *** b", ["***"]),
    ],
)
def test_text_is_found_as_a_person_means_it(sought: Sought, line: str, found: list[str]) -> None:
    assert [line[start:end] for start, end in sought.in_line(line)] == found


@pytest.mark.parametrize(("caret", "line"), [(1, 30), (31, 900), (901, 30)])
def test_what_is_typed_is_selected_from_the_caret_on_however_long_the_search_takes(
    page: Page, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caret: int, line: int
) -> None:
    monkeypatch.setattr(finding, "_SLICE_SECONDS", 0.0)
    lines = ["a line"] * 1_000
    lines[29] = lines[899] = "a crane"
    page.show_document(document("\n".join(lines).encode()))
    page.go_to(caret)
    page.find_bar.open_find()
    qtbot.waitUntil(field(page, "findField").hasFocus)
    seek(page, "crane", qtbot)
    assert page.editor.textCursor().selectedText() == "crane"
    assert page.editor.textCursor().blockNumber() + 1 == line
    page.go_to(1)
    page.find_bar.finder.seek(Sought("crane"))
    qtbot.waitUntil(lambda: page.find_bar.finder.complete)
    assert not page.editor.textCursor().hasSelection()


@given(st.text(max_size=30), st.text(min_size=1, max_size=3), st.booleans(), st.booleans())
def test_matches_lie_in_the_line_and_apart(line: str, text: str, exact: bool, whole: bool) -> None:
    spans = Sought(text, exact, whole).in_line(line)
    edges = [edge for span in spans for edge in span]
    assert all(0 <= start < end <= len(line) for start, end in spans)
    if exact:
        assert edges == sorted(edges)
        assert all(line[start:end] == text for start, end in spans)


def test_the_bar_counts_goes_round_and_says_where_it_is(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(TEXT.encode())
    seek(page, "cafe", qtbot)
    page.go_to(1)
    page.find_bar.find_next()
    assert count(page) == "1 of 4"
    assert page.editor.textCursor().selectedText() == "Café"
    page.find_bar.find_next()
    page.find_bar.find_next()
    page.find_bar.find_next()
    assert count(page) == "4 of 4"
    assert page.editor.textCursor().selectedText() == "cafe\u0301"
    page.find_bar.find_next()
    assert count(page) == "1 of 4"
    page.find_bar.find_previous()
    assert count(page) == "4 of 4"
    assert len(page.editor.extraSelections()) == 5


def test_case_and_whole_words_can_be_asked_for(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"Cat cat concat\n")
    seek(page, "cat", qtbot)
    assert count(page).endswith("3") or count(page).startswith("3")
    press(page, "findCase")
    press(page, "findWords")
    qtbot.waitUntil(lambda: len(page.find_bar.finder.matches) == 1)


def test_escape_closes_and_leaves_the_match_selected(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(TEXT.encode())
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    seek(page, "anker", qtbot)
    qtbot.keyClick(field(page, "findField"), Qt.Key.Key_Return)
    qtbot.keyClick(field(page, "findField"), Qt.Key.Key_Escape)
    assert page.editor.hasFocus()
    assert page.editor.textCursor().selectedText().lower() == "anker"
    assert not page.find_bar.isVisible()
    assert len(page.editor.extraSelections()) == 1


def test_the_selection_is_what_is_sought_first(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(TEXT.encode())
    page.go_to(1, 6)
    for _ in range(5):
        qtbot.keyClick(page.editor, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    page.find_bar.open_find()
    assert field(page, "findField").text() == "Anker"


def test_replace_one_goes_to_the_next(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"a b a b a\r\n")
    page.go_to(1)
    seek(page, "a", qtbot, replacing="xx")
    page.find_bar.replace_one()
    page.find_bar.replace_one()
    assert page.text_bytes() == b"xx b xx b a\r\n"


def test_replace_all_is_one_step_of_undo_and_touches_nothing_else(
    shown: Callable[..., Page], heard: Heard, qtbot: QtBot
) -> None:
    page = shown(TEXT.encode())
    seek(page, "cafe", qtbot, replacing="bar 😀")
    assert page.find_bar.findChild(QPushButton, "replaceAll").text() == "Replace all (4)"
    press(page, "replaceAll")
    after = "bar 😀 Anker\r\nbar 😀 anker bar 😀\n😀 bar 😀teria\nstraße STRASSE\n"
    assert page.text_bytes() == after.encode()
    page.editor.undo()
    assert page.text_bytes() == TEXT.encode()
    assert not page.editor.document().isUndoAvailable()


def test_replacing_in_thousands_of_lines_keeps_each_ending(shown: Callable[..., Page], qtbot: QtBot) -> None:
    data = b"".join(b"word %d\r\n" % n if n % 3 else b"other %d\n" % n for n in range(3000))
    page = shown(data)
    seek(page, "word", qtbot, replacing="")
    press(page, "replaceAll")
    assert page.text_bytes() == data.replace(b"word", b"")
    page.editor.undo()
    assert page.text_bytes() == data


def test_many_matches_are_capped_and_only_those_in_sight_are_marked(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"aaaaaaaaaa " * 20_000)
    seek(page, "a", qtbot)
    qtbot.waitUntil(lambda: page.find_bar.finder.complete)
    assert page.find_bar.finder.capped
    assert f"{MOST_MATCHES:,}+" in count(page)
    assert len(page.editor.extraSelections()) <= MOST_MARKED + 1


def test_matches_follow_the_text(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown(b"one\n")
    seek(page, "two", qtbot)
    assert count(page) == "No matches"
    page.editor.put("two ")
    qtbot.waitUntil(lambda: len(page.find_bar.finder.matches) == 1)


def test_every_part_of_the_bar_has_a_name(shown: Callable[..., Page]) -> None:
    page = shown(b"one\n")
    page.find_bar.open_replace()
    for widget in page.find_bar.findChildren(QWidget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible():
            assert widget.accessibleName(), widget.objectName()


def test_replacing_loses_no_half_of_a_ligature(shown: Callable[..., Page], qtbot: QtBot) -> None:
    page = shown("Straße: \ufb01nd ships\n".encode())
    seek(page, "s", qtbot, replacing="x")
    press(page, "replaceAll")
    assert page.text_bytes() == "xtraße: \ufb01nd xhipx\n".encode()
