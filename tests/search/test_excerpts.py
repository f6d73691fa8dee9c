"""Places in a file: the right line, the exact characters, a readable length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath
from memgui.search.excerpts import WIDTH, Query, line_hits, marks_in
from memgui.search.fold import PIECE, fold, needle_of

PATH = DocPath("a.md")


def hits(data: bytes, query: str, limit: int = 100) -> list[tuple[int, str, list[str]]]:
    found = line_hits(PATH, data, Query(query.strip(), (needle_of(query),)), limit=limit)
    return [(hit.line, hit.content, [hit.content[a:b] for a, b in hit.marks]) for hit in found]


def test_a_line_is_shown_as_it_stands_with_what_was_found_marked() -> None:
    assert hits("# Naïve\nCafé au lait, CAFE noir\n".encode(), "cafe") == [
        (2, "Café au lait, CAFE noir", ["Café", "CAFE"])
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2029", "\ufdd0"])
def test_lines_count_by_every_ending(newline: str) -> None:
    data = newline.join(["one", "two\u2028still two\x0b\x0c\x85", "", "needle"]).encode()
    assert hits(data, "needle") == [(4, "needle", ["needle"])]
    assert hits(data, "still")[0][0] == 2


def test_a_mark_at_the_beginning_of_a_file_is_no_text() -> None:
    assert hits(b"\xef\xbb\xbfneedle\n\xef\xbb\xbfneedle", "needle")[0] == (1, "needle", ["needle"])


def test_a_query_over_two_lines_is_marked_where_it_begins() -> None:
    assert hits(b"x\nlast words\nfirst words\n", "words\nFIRST") == [(2, "last words", ["words"])]


def test_a_very_long_line_is_cut_around_the_match() -> None:
    line = "é" * 50_000 + " needle " + "x" * 50_000
    ((number, content, marked),) = hits(f"a\n{line}\n".encode(), "needle")
    assert (number, marked) == (2, ["needle"])
    assert len(content) <= WIDTH + 2
    assert content.startswith("…")
    assert content.endswith("…")


def test_a_file_of_many_pieces_counts_its_lines_right() -> None:
    rows = [f"row {i} é" for i in range(PIECE // 4)]
    rows[-2] = "the needle"
    assert hits("\n".join(rows).encode(), "needle") == [(len(rows) - 1, "the needle", ["needle"])]


def test_no_more_lines_are_given_than_asked_for() -> None:
    assert [line for line, _content, _marks in hits(b"x\n" * 50, "x", limit=3)] == [1, 2, 3]


def test_several_words_are_marked_once_where_they_meet() -> None:
    assert marks_in("foobar bar", ("foob", "bar")) == ((0, 6), (7, 10))


@given(
    st.text(st.sampled_from("aAáe\u0301\r\n\u2029 ﬁfi한하か゛が\ufe0f"), min_size=1, max_size=60),
    st.integers(0, 59),
    st.integers(1, 8),
)
def test_any_part_of_a_text_is_found_in_it_and_marked(text: str, start: int, length: int) -> None:
    part = text[start : start + length]
    needle = needle_of(part)
    if not needle:
        return
    found = line_hits(PATH, text.encode(), Query(part.strip(), (needle,)), limit=100)
    lines = Lines.split(text.removeprefix("\ufeff")).texts
    assert found
    for hit in found:
        assert hit.content == lines[hit.line - 1]
        assert hit.marks
        if "\n" not in needle:
            assert all(needle in fold(hit.content[a:b]) for a, b in hit.marks)
