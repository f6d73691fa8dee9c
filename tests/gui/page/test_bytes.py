"""Bytes that nobody touched come out of the editor as they went in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memgui.domain.lines import Lines
from memgui.domain.text import Encoding, Text, decode
from memgui.gui.panels.page.breaks import units, whole
from memgui.gui.panels.page.editor import MemoryEditor

BREAKS = ("\n", "\r\n", "\r", "\u2029", "\ufdd0", "\ufdd1")
ODD = "\u2029\ufdd0\ufdd1"
LETTERS = "ab😀é\u00a0\u2028\u200b\u202e\x85\x0b\x0c\x1c\x1e\x00\ufffc\ufffd\ufeff\ufffe\U0010ffff \t"

texts = st.lists(st.one_of(st.sampled_from(LETTERS), st.sampled_from(BREAKS)), max_size=30).map("".join)


@pytest.fixture(scope="module")
def desk(qapp: QApplication) -> Iterator[MemoryEditor]:
    """One editor for all examples; each loads a text of its own."""
    made = MemoryEditor()
    made.setObjectName("qtooltip_label")
    yield made
    made.close()
    made.deleteLater()


def press(editor: MemoryEditor, key: Qt.Key, text: str = "", modifiers: Qt.KeyboardModifier | None = None) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers or Qt.KeyboardModifier.NoModifier, text)
    QApplication.sendEvent(editor, event)


def paste(editor: MemoryEditor, text: str) -> None:
    data = QMimeData()
    # PySide takes a first U+FEFF or U+FFFE for a byte order mark; another one in front saves it.
    data.setText(f"\ufeff{text}")
    editor.insertFromMimeData(data)


def select(editor: MemoryEditor, start: int, end: int) -> None:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


@given(st.binary(max_size=200) | texts.map(str.encode) | texts.map(lambda text: b"\xef\xbb\xbf" + text.encode()))
def test_open_and_save_is_the_identity(desk: MemoryEditor, data: bytes) -> None:
    text = decode(data)
    if text is not None:
        desk.show_lines(text.lines)
        assert desk.lines() == text.lines
        assert Text(desk.lines(), text.encoding).encode() == data
        assert not desk.document().isModified()


class Model:
    """The text as tokens: characters, and breaks that each hold their ending. It shares nothing with the editor."""

    def __init__(self, text: str) -> None:
        lines = Lines.split(text)
        self.tokens: list[str] = []
        for line, ending in zip(lines.texts, (*lines.breaks, ""), strict=True):
            self.tokens += [*line, *([ending] if ending else [])]

    @property
    def text(self) -> str:
        return "".join(self.tokens)

    def place(self, at: int) -> int:
        """Where a token stands in a document that counts UTF-16."""
        return sum(1 if token in BREAKS else units(token) for token in self.tokens[:at])

    def ending_for_new(self, at: int) -> str:
        """The rule: at the start of a line the ending of the line above, else that of the line itself; else LF."""
        above = next((token for token in reversed(self.tokens[:at]) if token in BREAKS), None)
        below = next((token for token in self.tokens[at:] if token in BREAKS), None)
        at_start = at == 0 or self.tokens[at - 1] in BREAKS
        return ((above or below) if at_start else (below or above)) or "\n"

    def replace(self, start: int, end: int, text: str) -> None:
        ending = self.ending_for_new(start)
        new = Model(text).tokens
        self.tokens[start:end] = [ending if token in BREAKS and token not in ODD else token for token in new]


deeds = st.lists(
    st.tuples(
        st.sampled_from(["type", "enter", "delete", "backspace", "paste", "commit", "undo", "redo", "raw"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 4),
        texts,
    ),
    max_size=12,
)


@given(texts, deeds)
def test_an_edit_changes_only_its_own_lines(
    desk: MemoryEditor, base: str, steps: list[tuple[str, float, int, str]]
) -> None:
    desk.show_lines(Lines.split(base))
    model, seen = Model(base), {base}
    for deed, where, length, text in steps:
        start = int(where * (len(model.tokens) + 1))
        end = min(start + length, len(model.tokens))
        select(desk, model.place(start), model.place(end))
        if deed in ("undo", "redo"):
            desk.undo() if deed == "undo" else desk.redo()
            # However Qt joins steps, each text that undo leads to is one that was there before, to the byte.
            assert desk.lines().joined() in seen
            model = Model(desk.lines().joined())
            continue
        if deed == "enter":
            press(desk, Qt.Key.Key_Return, "\r")
            model.replace(start, end, "\n")
        elif deed == "type":
            press(desk, Qt.Key.Key_X, "x")
            model.replace(start, end, "x")
        elif deed == "commit":
            event = QInputMethodEvent("", [])
            event.setCommitString("日本")
            QApplication.sendEvent(desk, event)
            model.replace(start, end, "日本")
        elif deed == "paste" and (allowed := text.replace("\0", "")):
            paste(desk, text)
            model.replace(start, end, allowed)
        elif deed == "raw":
            desk.textCursor().insertText("yz")
            model.replace(start, end, "yz")
        elif deed in ("delete", "backspace"):
            if start == end:
                continue
            press(desk, Qt.Key.Key_Delete if deed == "delete" else Qt.Key.Key_Backspace)
            model.replace(start, end, "")
        seen.add(model.text)
        assert desk.lines().joined() == model.text


@pytest.mark.parametrize(
    ("before", "line", "typed", "after"),
    [
        (b"a\r\nb\nc\r\n", 2, "x", b"a\r\nbx\nc\r\n"),
        (b"\xef\xbb\xbft\n", 1, "x", b"\xef\xbb\xbftx\n"),
        ("a\u00a0b\u2028c\nd".encode(), 2, "x", "a\u00a0b\u2028c\ndx".encode()),
        (b"no newline", 1, "x", b"no newlinex"),
        (b"trailing  \t\nb\n", 2, "x", b"trailing  \t\nbx\n"),
        (b"mac\rold\r", 2, "x", b"mac\roldx\r"),
    ],
)
def test_typing_in_a_line_keeps_the_others(
    editor: MemoryEditor, qtbot: QtBot, before: bytes, line: int, typed: str, after: bytes
) -> None:
    text = decode(before)
    assert text is not None
    editor.show_lines(text.lines)
    editor.go_to(line, 10_000)
    qtbot.keyClicks(editor, typed)
    assert Text(editor.lines(), text.encoding).encode() == after


@pytest.mark.parametrize(
    ("before", "line", "column", "after"),
    [
        ("a\r\nb\nc\r\n", 2, 99, "a\r\nb\nx\nc\r\n"),
        ("a\r\nb\nc\r\n", 2, 1, "a\r\n\r\nxb\nc\r\n"),
        ("a\r\nb", 2, 99, "a\r\nb\r\nx"),
        ("a\r\nb", 1, 1, "\r\nxa\r\nb"),
        ("one", 1, 99, "one\nx"),
    ],
)
def test_a_new_line_takes_the_ending_of_the_line_above(
    editor: MemoryEditor, qtbot: QtBot, before: str, line: int, column: int, after: str
) -> None:
    editor.show_lines(Lines.split(before))
    editor.go_to(line, column)
    press(editor, Qt.Key.Key_Return, "\r")
    qtbot.keyClicks(editor, "x")
    assert editor.lines().joined() == after


def test_shift_and_enter_begin_a_line_that_other_programs_know(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split("a"))
    editor.go_to(1, 2)
    press(editor, Qt.Key.Key_Return, "\r", Qt.KeyboardModifier.ShiftModifier)
    assert editor.lines().joined() == "a\n"


@given(texts)
def test_a_copy_gives_every_character_back(desk: MemoryEditor, text: str) -> None:
    desk.show_lines(Lines.split(text))
    desk.selectAll()
    copied = desk.createMimeDataFromSelection().text() if text else ""
    assert copied == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_paste_from_windows_leaves_no_stray_characters(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split("a\nb"))
    editor.go_to(1, 2)
    paste(editor, "1\r\n2\r3")
    assert editor.lines().joined() == "a1\n2\n3\nb"


def test_halves_of_characters_never_get_in(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split(""))
    data = QMimeData()
    data.setData("text/plain;charset=utf-8", b"a\xed\xa0\xbdb")
    editor.insertFromMimeData(data)
    editor.put("c\ud83dd")
    editor.lines().joined().encode()
    assert whole("c\ud83dd") == "c\ufffdd"


def test_what_the_encoding_cannot_spell_stays_out(editor: MemoryEditor, qtbot: QtBot) -> None:
    editor.set_codec(Encoding.LATIN1.codec)
    editor.show_lines(Lines.split("caf\u00e9"))
    with qtbot.waitSignal(editor.unspellable) as told:
        paste(editor, "5 \u20ac")
    assert told.args == ["\u20ac"]
    press(editor, Qt.Key.Key_unknown, "\u20ac")
    press(editor, Qt.Key.Key_unknown, "\u00fc")
    assert editor.lines().joined() == "\u00fccaf\u00e9"


def test_a_drag_within_the_text_moves_exactly_what_was_taken(editor: MemoryEditor) -> None:
    editor.show_lines(Lines.split("one\r\ntwo\u00a0\u2028x\nthree"))
    select(editor, 4, 9)
    taken = editor.createMimeDataFromSelection()
    editor.textCursor().removeSelectedText()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.insertFromMimeData(taken)
    assert editor.lines().joined() == "one\r\nx\nthreetwo\u00a0\u2028"
