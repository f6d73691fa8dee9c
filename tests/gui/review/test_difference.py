"""The list of lines in which a difference is read."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from memgui.gui.kit.difference import Difference, DifferenceView, Part
from memgui.gui.kit.difference_breaks import Ruler
from memgui.gui.kit.difference_drawing import mark_ground
from memgui.gui.kit.difference_model import KEY_ROLE, DifferenceModel
from memgui.gui.kit.difference_rows import RowKind, Sign, rows_of
from memgui.gui.kit.difference_words import changed_words
from memgui.gui.theme import contrast, current, theme, tokens

LINES = "".join(f"line {number}\n" for number in range(1, 31))
CHANGED = LINES.replace("line 4\n", "line four\n").replace("line 20\n", "").replace("line 30\n", "line 30\nnew\n")


@pytest.fixture
def view(qtbot: QtBot) -> DifferenceView:
    made = DifferenceView()
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def show(view: DifferenceView, before: str, after: str) -> list[str]:
    view.show_difference(Difference.of_texts(before, after))
    return spoken(view)


def spoken(view: DifferenceView) -> list[str]:
    model = view.model()
    return [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]


def rows_model(view: DifferenceView) -> DifferenceModel:
    model = view.model()
    assert isinstance(model, DifferenceModel)
    return model


def marked(old: str, new: str) -> tuple[list[str], list[str]]:
    ours, theirs = changed_words(old, new)
    return [old[a:b] for a, b in ours], [new[a:b] for a, b in theirs]


# Rows ---------------------------------------------------------------------------------------------------------------


def test_every_line_says_aloud_what_became_of_it(view: DifferenceView) -> None:
    assert show(view, "# Memory\n- a\n- b\n", "# Memory\n- a\n- c\n") == [
        "change 1 of 1 · line 3 · Memory",
        "unchanged line 1: # Memory",
        "unchanged line 2: - a",
        "removed line 3: - b",
        "added line 3: - c",
    ]


def test_a_screen_reader_finds_the_lines_as_a_list(view: DifferenceView) -> None:
    show(view, "a\n", "b\n")
    found = QAccessible.queryAccessibleInterface(view)
    names = [found.child(n).text(QAccessible.Text.Name) for n in range(found.childCount())]
    assert "removed line 1: a" in names
    assert "added line 1: b" in names


def test_what_is_alike_is_folded_away_and_can_be_opened(view: DifferenceView) -> None:
    words = show(view, LINES, CHANGED)
    assert "9 unchanged lines, folded" in words
    assert not any("line 12" in word for word in words)
    view.setCurrentIndex(view.model().index(words.index("9 unchanged lines, folded"), 0))
    view.keyPressEvent(_key(Qt.Key.Key_Space))
    assert "unchanged line 12: line 12" in spoken(view)
    assert "9 unchanged lines, folded" not in spoken(view)


def test_every_line_of_both_texts_is_there_once_when_all_is_opened() -> None:
    difference = Difference.of_texts(LINES, CHANGED)
    rows = [row for row in rows_of(difference, opened=range(9)) if row.kind is RowKind.LINE]
    assert [row.old for row in rows if row.sign is not Sign.ADDED] == list(range(1, 31))
    assert [row.new for row in rows if row.sign is not Sign.REMOVED] == list(range(1, 31))


def test_folded_or_not_the_sum_of_the_lines_is_the_same() -> None:
    rows = rows_of(Difference.of_texts(LINES, CHANGED))
    shown = sum(row.kind is RowKind.LINE and row.sign is not Sign.ADDED for row in rows)
    assert shown + sum(row.old for row in rows if row.kind is RowKind.FOLD) == 30


def test_characters_that_cannot_be_seen_are_shown_and_told(view: DifferenceView) -> None:
    words = show(view, "safe\n", "sa\u200bfe\n")
    assert "added line 1: sa‹U+200B ZWSP›fe" in words
    assert "contains hidden characters (U+200B zero width space)" in words


def test_a_bell_in_plain_ascii_is_told_too(view: DifferenceView) -> None:
    assert "contains hidden characters (U+0007 BEL)" in [
        word.replace("bel)", "BEL)") for word in show(view, "", "a\a\n")
    ]


def test_a_tab_is_not_taken_for_blanks(view: DifferenceView) -> None:
    words = show(view, "a    b\n", "a\tb\n")
    assert words[-2:] == ["removed line 1: a    b", "added line 1: a→   b"]


def test_lines_that_differ_in_their_ends_alone_say_so(view: DifferenceView) -> None:
    assert show(view, "a\r\n", "a\n")[-2:] == ["removed line 1: a‹CRLF›", "added line 1: a‹LF›"]
    assert show(view, "a\n", "a")[-1] == "added line 1: a‹no line end›"


def test_a_line_that_stands_elsewhere_now_is_not_told_as_lost(view: DifferenceView) -> None:
    parts = (Part("1", 0, 1, 0, 0, moved_away=frozenset({0})), Part("2", 2, 0, 1, 1, moved_here=frozenset({0})))
    view.show_difference(Difference(("a\n", "b\n"), ("b\n", "a\n"), parts))
    assert "removed line 1, moved elsewhere: a" in spoken(view)
    assert "added line 2, moved from elsewhere: a" in spoken(view)


def test_a_line_without_end_is_cut_and_the_rest_counted(view: DifferenceView) -> None:
    words = show(view, "", "x" * 50_000 + "\n")
    assert words[-1].endswith("… (+44,000)")


def test_of_very_many_lines_the_rest_is_counted(view: DifferenceView) -> None:
    began = time.thread_time()
    view.show_difference(Difference.of_texts("", "- a line\n" * 30_000))
    view.grab()
    assert time.thread_time() - began < 0.2
    assert spoken(view)[-1] == "+ … 22,000 more lines, to be read in the file"


# Words --------------------------------------------------------------------------------------------------------------


def test_changed_words_are_marked_whole() -> None:
    assert marked("He brought the cake once.", "He brought the coke twice.") == (["cake once"], ["coke twice"])


def test_several_places_in_a_line_are_marked_apart() -> None:
    old, new = marked("- [ ] Ask about invoice 11 on Friday", "- [ ] Ask Mara about invoice 11 on Monday")
    assert (old, new) == (["Friday"], ["Mara", "Monday"])


def test_characters_are_words_where_scripts_have_no_blanks() -> None:
    assert marked("每周二开放到八点", "每周三开放到九点") == (["二", "八"], ["三", "九"])


def test_lines_that_share_nothing_are_not_marked() -> None:
    assert marked("- Use Postgres", "* wholly other text stands here now") == ([], [])


def test_blanks_are_marked_where_nothing_else_differs() -> None:
    assert marked("a word", "a word  ") == ([], ["  "])


def test_a_line_of_very_many_words_is_compared_in_no_time() -> None:
    old = " ".join(f"w{n % 7}" for n in range(20_000))
    began = time.thread_time()
    changed_words(old, old.replace("w3", "w9"))
    assert time.thread_time() - began < 0.5


def test_the_new_line_finds_the_one_it_stands_for_among_more(view: DifferenceView) -> None:
    show(view, "- Ask Mara about berth 7\n", "- Something new\n- Ask Mara about berth 9\n")
    model = rows_model(view)
    row = model.rows[-1]
    assert [model.text(row)[a:b] for a, b in model.marks(row)] == ["9"]


@pytest.mark.parametrize("dark", [False, True])
def test_changed_words_can_be_read_on_their_ground(qapp: QApplication, dark: bool) -> None:
    theme().apply("dark" if dark else "light", 100)
    assert current() == tokens(dark=dark)
    for sign in (Sign.ADDED, Sign.REMOVED):
        assert contrast(current().text, mark_ground(sign).name()) >= 4.5
    theme().apply("light", 100)


# Going through it ---------------------------------------------------------------------------------------------------


def _key(key: Qt.Key) -> QKeyEvent:
    return QKeyEvent(QKeyEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)


def test_the_first_part_is_chosen_and_one_steps_through_them(view: DifferenceView) -> None:
    show(view, LINES, CHANGED)
    assert view.part == "1"
    assert [view.step_part(1), view.part, view.step_part(1), view.part, view.step_part(1)] == [
        True,
        "2",
        True,
        "3",
        False,
    ]
    assert view.step_part(-1)
    assert view.part == "2"


def test_arrows_choose_the_part_that_one_walks_into(view: DifferenceView) -> None:
    words = show(view, LINES, CHANGED)
    view.setFocus()
    for _ in range(words.index("removed line 20: line 20") - words.index("removed line 4: line 4")):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.part == "2"
    assert view.currentIndex().data(KEY_ROLE) == "2"


def test_copying_gives_the_lines_themselves(view: DifferenceView) -> None:
    show(view, "a\n", "sa\u200bfe\n")
    view.choose_part("1")
    view.setCurrentIndex(view.model().index(2, 0))
    view.copy()
    assert QGuiApplication.clipboard().text() == "sa\u200bfe"


def test_enter_asks_for_the_line(view: DifferenceView, qtbot: QtBot) -> None:
    show(view, LINES, CHANGED)
    view.step_part(1)
    view.step_part(1)
    with qtbot.waitSignal(view.line_requested) as asked:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked.args == [30]


def test_a_newer_difference_leaves_the_chosen_part_where_it_is(view: DifferenceView) -> None:
    show(view, LINES, CHANGED)
    view.choose_part("2")
    view.show_difference(Difference.of_texts(LINES, CHANGED + "more\n"), keep_place=True)
    assert view.part == "2"


# Rows have their own heights -----------------------------------------------------------------------------------------


def test_rows_stand_below_each_other_and_are_found_where_they_are_drawn(view: DifferenceView) -> None:
    show(view, "short\n", "word " * 80 + "\nshort\n")
    model = view.model()
    places = [view.visualRect(model.index(row, 0)) for row in range(model.rowCount())]
    assert all(above.bottom() + 1 == below.top() for above, below in pairwise(places))
    assert places[1].height() > 3 * places[2].height()
    for row, place in enumerate(places):
        assert view.indexAt(place.center()).row() == row
    assert not view.indexAt(QPoint(5, places[-1].bottom() + 40)).isValid()


def test_a_narrower_view_turns_lines_earlier(view: DifferenceView, qtbot: QtBot) -> None:
    show(view, "", "word " * 40 + "\n")
    before = view.visualRect(view.model().index(1, 0)).height()
    view.resize(320, 500)
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(1, 0)).height() > before)


@pytest.mark.parametrize(
    "text",
    [
        "plain words that go on and on, with a/path/that/is/long and-a-word-with-hyphens " * 3,
        "x" * 300,
        "禾苗街工具图书馆每周二开放直到晚上八点为止节假日除外" * 6,
        "mixed 禾苗街 and Latin, Grüße aus Köln, 🐈‍⬛ cats 👩🏽‍🚀 " * 5,
        "नमस्ते दुनिया " * 20,
        "مرحبا بالعالم " * 20,
        "‹U+200B ZWSP›" * 30,
    ],
)
def test_no_line_is_wider_than_its_room(qapp: QApplication, text: str) -> None:
    if text.startswith("न") and not QFontDatabase.families(QFontDatabase.WritingSystem.Devanagari):
        pytest.skip("no font of this system can draw Devanagari")
    ruler = Ruler(theme().mono(0.95))
    for width in (90.0, 333.0, 700.0):
        starts = [0, *ruler.breaks(text, width), len(text)]
        assert starts == sorted(set(starts))
        assert ruler.lines(text, width) == len(starts) - 1
        for start, end in pairwise(starts):
            assert _drawn(text[start:end].rstrip(), theme().mono(0.95)) <= width * 1.1


def _drawn(text: str, font: QFont) -> float:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    return line.naturalTextWidth()


def test_words_stay_whole_where_they_have_room(qapp: QApplication) -> None:
    ruler = Ruler(theme().mono())
    text = "never let the crane operator lift anything heavier"
    for at in ruler.breaks(text, 20 * QFontMetricsF(theme().mono()).horizontalAdvance("0")):
        assert text[at - 1] == " "


# Editing in place ----------------------------------------------------------------------------------------------------


def test_a_field_takes_the_place_of_new_lines_and_gives_it_back(view: DifferenceView, qtbot: QtBot) -> None:
    before = show(view, LINES, CHANGED)
    field = QPlainTextEdit()
    view.open_editor("1", field)
    words = spoken(view)
    assert words.index("edited here") == words.index("removed line 4: line 4") + 1
    assert "added line 4: line four" not in words
    assert field.geometry().height() > view.visualRect(view.model().index(1, 0)).height()
    view.close_editor()
    assert spoken(view) == before
    assert view.part == "1"


# Speed ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["- [ ] item {n}, alike but for the tick", "- [ ] 项目 {n}，除了勾选以外都一样 " * 2])
def test_two_thousand_changed_lines_are_on_screen_within_a_tenth_of_a_second(view: DifferenceView, line: str) -> None:
    before = "".join(line.format(n=n) + "\n" for n in range(2_000))
    best = 9.0
    for _try in range(3):
        began = time.thread_time()
        view.show_difference(Difference.of_texts(before, before.replace("[ ]", "[x]")))
        view.grab()
        best = min(best, time.thread_time() - began)
    assert view.model().rowCount() == 4_001
    assert best < 0.1
