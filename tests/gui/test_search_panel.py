"""The search panel asks as one types, shows files and lines, and is worked by keys alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QListView, QPushButton
from pytestqt.qtbot import QtBot

from memgui.domain.hits import Coverage, FileHits, Found, HitGroup, Reading, SearchHit
from memgui.domain.paths import DocPath
from memgui.gui import theme
from memgui.gui.models.results_model import GROUP_ROLE, LINE_ROLE, LONGEST, PATH_ROLE, Row, RowKind, excerpt
from memgui.gui.panels.search.panel import SearchPanel
from memgui.gui.panels.search.rows import fitted_row
from memgui.gui.panels.search.words import without_one


def hit(path: str, line: int, content: str, *marks: tuple[int, int], in_name: bool = False) -> SearchHit:
    return SearchHit(DocPath(path), line, content, marks, 1.0, in_name=in_name)


def found(query: str, *hits: SearchHit, reading: Reading = Reading.WHOLE, done: int = 12, total: int = 12) -> Found:
    files: dict[DocPath, list[SearchHit]] = {}
    for one in hits:
        files.setdefault(one.path, []).append(one)
    shown = tuple(FileHits(path, tuple(lines), len(lines), 1.0) for path, lines in files.items())
    return Found(query, shown, len(hits), len(files), reading, Coverage(done, total))


CRANE = found(
    "crane",
    hit("MEMORY.md", 5, "- Berth 7 is closed until the crane is repaired.", (32, 37)),
    hit("projects/crane/plan.md", 1, "# Crane", (2, 7)),
    hit("projects/crane/plan.md", 4, "2. The crane again", (7, 12)),
)


class Told:
    """What the panel has asked for."""

    def __init__(self, panel: SearchPanel) -> None:
        self.asked: list[str] = []
        self.chosen: list[SearchHit] = []
        self.previewed: list[SearchHit] = []
        self.left: list[bool] = []
        panel.search_requested.connect(self.asked.append)
        panel.hit_chosen.connect(self.chosen.append)
        panel.hit_previewed.connect(self.previewed.append)
        panel.left.connect(self.leave)

    def leave(self) -> None:
        self.left.append(True)


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[SearchPanel]:
    theme.apply(qapp, theme.LIGHT)
    panel = SearchPanel()
    qtbot.addWidget(panel)
    panel.resize(320, 500)
    panel.show()
    yield panel
    panel.close()


def rows(view: QListView) -> list[tuple[object, object, object]]:
    model = view.model()
    return [
        tuple(model.index(number, 0).data(role) for role in (PATH_ROLE, LINE_ROLE, GROUP_ROLE))  # type: ignore[misc]
        for number in range(model.rowCount(QModelIndex()))
    ]


def test_rows_are_a_heading_then_files_with_their_lines(panel: SearchPanel) -> None:
    panel.search("crane")
    panel.show_found(CRANE)
    assert rows(panel.results) == [
        (None, None, None),
        ("MEMORY.md", 5, "literal"),
        ("MEMORY.md", 5, "literal"),
        ("projects/crane/plan.md", 1, "literal"),
        ("projects/crane/plan.md", 1, "literal"),
        ("projects/crane/plan.md", 4, "literal"),
    ]
    heading = panel.results.model().index(0, 0).data()
    assert "3 lines" in heading
    assert "2 files" in heading


def test_it_asks_with_every_key_and_keeps_the_rows_meanwhile(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    qtbot.keyClicks(panel.field, "cr")
    assert told.asked == ["c", "cr"]
    panel.show_found(CRANE)
    qtbot.keyClicks(panel.field, "a")
    assert len(rows(panel.results)) == 6


def test_an_answer_after_the_field_was_emptied_is_not_shown(panel: SearchPanel) -> None:
    panel.search("crane")
    panel.search("")
    panel.show_found(CRANE)
    assert rows(panel.results) == []


def test_enter_in_the_field_opens_the_first_hit(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    panel.search("crane")
    panel.show_found(CRANE)
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert told.chosen == [CRANE.hits[0]]


def test_enter_typed_faster_than_the_answer_opens_a_hit_of_what_was_typed(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    qtbot.keyClicks(panel.field, "crane")
    panel.show_found(CRANE)
    qtbot.keyClicks(panel.field, "s")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert told.chosen == []
    cranes = found("cranes", hit("tea.md", 2, "two cranes", (4, 10)))
    panel.show_found(cranes)
    assert told.chosen == [cranes.hits[0]]
    # Once is enough: what is found later takes nobody anywhere.
    panel.show_found(replace(cranes, total_hits=2))
    assert told.chosen == [cranes.hits[0]]


@pytest.mark.parametrize("away", ["typed on", "left", "nothing there"])
def test_an_answer_takes_nobody_away_who_is_elsewhere_by_then(qtbot: QtBot, panel: SearchPanel, away: str) -> None:
    told = Told(panel)
    qtbot.keyClicks(panel.field, "crane")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    if away == "typed on":
        qtbot.keyClicks(panel.field, "s")
        qtbot.keyClick(panel.field, Qt.Key.Key_Backspace)
    elif away == "left":
        panel.results.setFocus()
    else:
        panel.show_found(found("crane"))
    panel.show_found(CRANE)
    assert told.chosen == []


def test_the_same_question_asked_again_moves_nothing_that_is_looked_at(qtbot: QtBot, panel: SearchPanel) -> None:
    many = [hit(f"note{number:02}.md", 1, "a crane", (2, 7)) for number in range(60)]
    panel.search("crane")
    panel.show_found(found("crane", *many))
    panel.results.executeDelayedItemsLayout()
    bar = panel.results.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    scrolled = bar.value()
    assert scrolled > 0
    panel.show_found(found("crane", *many[:20], *many[21:]))
    assert bar.value() == scrolled
    # The chosen row stays under the eye, whatever comes in above it.
    panel.results.setFocus()
    panel.results.setCurrentIndex(panel.results.indexAt(panel.results.viewport().rect().center()))
    chosen, top = panel.results.currentIndex().data(), panel.results.visualRect(panel.results.currentIndex()).top()
    panel.show_found(found("crane", hit("new.md", 1, "a crane", (2, 7)), *many))
    assert panel.results.currentIndex().data() == chosen
    assert panel.results.visualRect(panel.results.currentIndex()).top() == top


def test_a_very_long_text_that_was_pasted_is_taken_at_once(panel: SearchPanel) -> None:
    began = time.process_time()
    panel.search("a b " * 5_000)
    panel.show_found(found(panel.query))
    assert time.process_time() - began < 1.0
    assert without_one(panel.query) == ()


def test_arrows_preview_and_enter_opens(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    panel.search("crane")
    panel.show_found(CRANE)
    panel.focus_field()
    qtbot.waitUntil(panel.field.hasFocus)
    qtbot.keyClick(panel.field, Qt.Key.Key_Down)
    qtbot.keyClick(panel.results, Qt.Key.Key_Down)
    qtbot.keyClick(panel.results, Qt.Key.Key_Down)
    assert told.previewed == [CRANE.hits[0], CRANE.hits[1], CRANE.hits[1]]
    qtbot.keyClick(panel.results, Qt.Key.Key_Down)
    qtbot.keyClick(panel.results, Qt.Key.Key_Return)
    assert told.chosen == [CRANE.hits[2]]
    for _ in range(5):
        qtbot.keyClick(panel.results, Qt.Key.Key_Up)
    assert panel.field.hasFocus()


def test_the_row_with_the_keyboard_is_framed_and_not_only_coloured(qtbot: QtBot, panel: SearchPanel) -> None:
    panel.search("crane")
    panel.show_found(CRANE)
    panel.results.setCurrentIndex(panel.results.model().index(2, 0))
    panel.results.setFocus()
    qtbot.waitUntil(panel.results.hasFocus)
    row = panel.results.visualRect(panel.results.currentIndex())
    picture = panel.results.viewport().grab(row).toImage()
    upper = {picture.pixelColor(picture.width() // 2, y).name() for y in range(5)}
    assert theme.current().focus in upper


def test_next_and_previous_hit_go_through_all_files_and_around(panel: SearchPanel) -> None:
    told = Told(panel)
    panel.search("crane")
    panel.show_found(CRANE)
    for _ in range(4):
        panel.go_to_next()
    assert told.chosen == [*CRANE.hits, CRANE.hits[0]]
    panel.go_to_previous()
    assert told.chosen[-1] == CRANE.hits[2]


def test_a_new_answer_keeps_the_place_and_moves_no_page(panel: SearchPanel) -> None:
    told = Told(panel)
    panel.search("crane")
    panel.show_found(CRANE)
    panel.go_to_next()
    panel.go_to_next()
    panel.show_found(found("crane", hit("A.md", 1, "crane", (0, 5)), *CRANE.hits))
    assert told.chosen == list(CRANE.hits[:2])
    assert told.previewed == []
    panel.go_to_next()
    assert told.chosen[-1] == CRANE.hits[2]


def test_up_in_an_empty_field_calls_back_earlier_searches(qtbot: QtBot, panel: SearchPanel) -> None:
    for query in ("crane", "berth"):
        panel.search(query)
        panel.show_found(found(query, *CRANE.hits))
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    panel.search("")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(panel.field, key)
        seen.append(panel.field.text())
    assert seen == ["berth", "crane", "crane", "berth", ""]


def test_escape_leaves(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    panel.search("crane")
    panel.show_found(CRANE)
    qtbot.keyClick(panel.results, Qt.Key.Key_Escape)
    assert told.left == [True, True]


def test_typing_in_the_results_goes_on_in_the_field(qtbot: QtBot, panel: SearchPanel) -> None:
    panel.search("cran")
    panel.show_found(CRANE)
    qtbot.keyClick(panel.results, Qt.Key.Key_E)
    assert panel.field.text() == "crane"


def test_nothing_found_says_where_it_looked_and_offers_a_step(qtbot: QtBot, panel: SearchPanel) -> None:
    told = Told(panel)
    panel.search("crane whale")
    panel.show_found(found("crane whale"))
    assert "12 files" in panel.explain.text()
    assert "crane whale" in panel.explain.text()
    offer = panel.findChild(QPushButton, "searchOffer")
    assert isinstance(offer, QPushButton)
    assert offer.isVisible()
    qtbot.mouseClick(offer, Qt.MouseButton.LeftButton)
    assert told.asked[-1] == "crane"


@pytest.mark.parametrize(
    ("query", "offers"),
    [
        ("crane whale", ("crane", "whale")),
        ("crane", ()),
        (
            '"the crane" whale -path:"my notes"',
            ('"the crane" whale', '"the crane" -path:"my notes"', 'whale -path:"my notes"'),
        ),
        ('"the crane"', ("the crane",)),
        ("crane OR whale", ()),
        ("(crane whale) x", ()),
        ("a a", ("a",)),
        ("a b c d e", ("a b c d", "a b c e", "a b d e")),
        ("a " * 5_000, ()),
    ],
)
def test_what_is_offered_leaves_out_one_term_and_breaks_none(query: str, offers: tuple[str, ...]) -> None:
    assert without_one(query) == offers


def test_while_files_are_read_it_says_how_far(panel: SearchPanel) -> None:
    panel.show_coverage(3200, 10000)
    assert "3,200 of 10,000 files read" in panel.explain.text()
    panel.search("crane")
    panel.show_found(CRANE)
    assert "3,200 of 10,000 files read" in panel.explain.text()
    panel.show_coverage(10000, 10000)
    assert "files read" not in panel.explain.text()


@pytest.mark.parametrize("reading", list(Reading))
def test_it_says_how_the_query_was_read(panel: SearchPanel, reading: Reading) -> None:
    panel.search("crane")
    panel.show_found(found("crane", *CRANE.hits, reading=reading))
    assert "crane" in panel.explain.text()


def test_a_match_in_a_name_is_said_to_be_one(panel: SearchPanel) -> None:
    panel.search("plan")
    panel.show_found(found("plan", hit("projects/plan.md", 1, "projects/plan.md", (9, 13), in_name=True)))
    spoken = panel.results.model().index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "by its name" in spoken


def test_odd_answers_are_drawn(qtbot: QtBot, panel: SearchPanel) -> None:
    panel.search("x")
    panel.show_found(
        found(
            "x",
            hit("names/bad\udcff.md", 1, "🧠🧠 x 記憶", (3, 4)),
            hit("rtl/\u202egnol.md", 2, "\u202eabc\x00x\u200b", (5, 6)),
            hit("ar.md", 3, "ذاكرة x ملاحظات", (6, 7)),
            hit("e.md", 4, "", (0, 0)),
        )
    )
    for appearance in (theme.DARK, theme.LIGHT):
        theme.theme().apply(appearance, 200)
        assert not panel.grab().isNull()


def test_a_long_line_is_cut_around_its_match() -> None:
    line = "  " + "word " * 400 + "needle " + "tail " * 400
    at = line.index("needle")
    text, marks = excerpt(line, [(at, at + 6)])
    assert text.startswith("…")
    assert text.endswith("…")
    assert len(text) <= LONGEST + 2
    assert [text[a:b] for a, b in marks] == ["needle"]
    assert marks[0][0] < 60


def test_a_short_line_loses_only_its_indent() -> None:
    assert excerpt("    - crane", [(6, 11)]) == ("- crane", ((2, 7),))
    assert excerpt(" x", [(0, 1)]) == (" x", ((0, 1),))


def test_no_mark_goes_beyond_the_blanks_that_are_left_out_at_the_end() -> None:
    assert excerpt("0 \r", [(0, 3)]) == ("0", ((0, 1),))


@given(st.text(max_size=900), st.data())
def test_an_excerpt_holds_its_first_match(content: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 20)))
    text, marks = excerpt(content, [(start, end)])
    for a, b in marks:
        assert 0 <= a <= b <= len(text) + 1
    if end > start and content[start:end].isalnum() and content[start:end].isprintable():
        assert [text[a:b] for a, b in marks] == [content[start:end]]


WORDS = FileHits(
    DocPath("notes.md"),
    (SearchHit(DocPath("notes.md"), 3, "crane plan", ((0, 5), (6, 10)), 1.0, HitGroup.WORDS),),
    1,
    1.0,
)


def test_words_join_below_without_moving_what_is_there(panel: SearchPanel) -> None:
    panel.search("crane")
    panel.show_found(CRANE)
    before = rows(panel.results)
    chosen = panel.results.model().index(2, 0)
    panel.results.setCurrentIndex(chosen)
    resets: list[bool] = []
    panel.results.model().modelReset.connect(lambda: resets.append(True))
    panel.show_found(replace(CRANE, by_words=(WORDS,), words_reading=Reading.ALL))
    assert rows(panel.results)[: len(before)] == before
    assert [row[2] for row in rows(panel.results)[len(before) :]] == [None, "words", "words"]
    assert panel.results.currentIndex().row() == 2
    assert not resets
    panel.show_found(CRANE)
    assert resets


@pytest.mark.parametrize(
    ("reading", "heading"),
    [(Reading.ALL, "All words · 1 line in 1 file"), (Reading.ANY, "Some of the words · 1 line in 1 file")],
)
def test_the_heading_says_whether_all_words_are_there(panel: SearchPanel, reading: Reading, heading: str) -> None:
    panel.search("plan crane")
    panel.show_found(Found("plan crane", by_words=(WORDS,), words_reading=reading, coverage=Coverage(12, 12)))
    assert panel.results.model().index(0, 0).data() == heading
    assert ("all of its words" in panel.explain.text()) is (reading is Reading.ALL)


def test_the_heading_counts_all_lines_as_the_sentence_above_does(panel: SearchPanel) -> None:
    file = replace(WORDS, total=9)
    panel.search("plan crane")
    panel.show_found(Found("plan crane", (file,), 9, 2, reading=Reading.ALL, coverage=Coverage(12, 12)))
    assert "1 of 9 lines shown" in panel.explain.text()
    assert panel.results.model().index(0, 0).data() == "All words · 9 lines in 2 files"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("crane -plan", "Read as: crane and without plan"),
        ('path:"my notes" OR day:2026', "Read as: (path with “my notes” or day 2026)"),
    ],
)
def test_the_line_below_the_field_says_how_operators_were_read(panel: SearchPanel, query: str, said: str) -> None:
    panel.search(query)
    panel.show_found(Found(query, by_words=(WORDS,), words_reading=Reading.ALL, coverage=Coverage(12, 12)))
    assert panel.explain.text() == said
    panel.show_found(Found(query, coverage=Coverage(12, 12)))
    assert panel.explain.text().startswith("Nothing in 12 files is: ")


@pytest.mark.parametrize("sign", ["x ", "\u6771\u4eac", "\U0001f600", "W"])
def test_a_match_is_in_sight_however_wide_what_stands_before_it(panel: SearchPanel, sign: str) -> None:
    metrics = QFontMetrics(theme.theme().font())
    line = sign * 200 + "zebra"
    at = len(sign) * 200
    text, marks = excerpt(line, ((at, at + 5),))
    row = Row(RowKind.HIT, text, hit("a.md", 1, line, (at, at + 5)), marks=marks)
    fitted = fitted_row(row, theme.theme().font(), 180)
    ((start, end),) = fitted.marks
    assert fitted.text[start:end] == "zebra"
    assert metrics.horizontalAdvance(fitted.text[:end]) <= 180
    # And no more is cut away than has to be.
    assert start > 3
