"""Passages: what is quoted around a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.passages import MOST_WORDS, cut_to_words, headings_in, passage_around, words_in

LONG = "word " * 60


def around(lines: list[str], line: int) -> tuple[int, int]:
    passage = passage_around(lines, line, headings_in(lines))
    return passage.first, passage.end


def test_a_short_section_is_quoted_whole_with_its_heading_and_without_blank_ends() -> None:
    lines = ["intro", "", "# One", "", "text", "", "more", "", "## Two", "other"]
    assert around(lines, 4) == around(lines, 2) == around(lines, 6) == (2, 7)
    assert around(lines, 0) == (0, 1)
    assert around(lines, 9) == (8, 10)


def test_of_a_long_section_the_paragraph_is_quoted() -> None:
    lines = ["# One", LONG, "", LONG, LONG, "", LONG, "", LONG]
    assert around(lines, 4) == (3, 5)


def test_of_a_long_list_the_item_is_quoted_with_its_further_lines() -> None:
    lines = [*(f"- item {i} {LONG}" for i in range(5)), "- the one", "  goes on", "- last"]
    assert around(lines, 6) == (5, 7)


def test_of_a_long_paragraph_the_nearest_lines_are_quoted() -> None:
    lines = [LONG] * 20
    first, end = around(lines, 10)
    assert first <= 10 < end
    assert end - first == 3


def test_in_fenced_code_nothing_is_a_heading() -> None:
    assert headings_in(["# a", "```", "# b", "~~~", "```", "# c", "#d", "    # e", "#"]) == {0, 5, 8}


@pytest.mark.parametrize(
    ("line", "words"), [("two words", 2), ("", 0), ("我们用数据库", 3), ("用 SQLite 库", 2), ("Käse und Brot", 3)]
)
def test_words_are_counted_in_every_script(line: str, words: int) -> None:
    assert words_in(line) == words


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "left " * 500 + "needle " + "right " * 500
    cut = cut_to_words(text, text.index("needle"))
    assert "needle" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert words_in(cut) <= MOST_WORDS + 2
    assert cut_to_words("short", 0) == "short"


@given(st.lists(st.sampled_from(["", "# h", "- x", "text", "```", LONG, LONG * 5]), min_size=1, max_size=30), st.data())
def test_a_passage_always_holds_its_line_and_is_short_or_that_line_alone(lines: list[str], data: st.DataObject) -> None:
    line = data.draw(st.integers(0, len(lines) - 1))
    first, end = around(lines, line)
    assert 0 <= first <= line < end <= len(lines)
    assert end - first == 1 or sum(map(words_in, lines[first:end])) <= MOST_WORDS
