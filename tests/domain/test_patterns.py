"""Patterns of a query: where they stand in a line, and that none takes long or stands everywhere."""

from __future__ import annotations

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.patterns import MOST_SPANS, lies_at, places_of


def spans(pattern: str, line: str) -> list[str]:
    places = places_of(pattern)
    assert places is not None
    return [line[slice(*span)] for span in places(line)]


@pytest.mark.parametrize(
    ("pattern", "line", "found"),
    [
        ("sq.*te", "We stay with SQLite, not sqlite3.", ["SQLite, not sqlite"]),
        (r"\d{4}-\d\d", "from 2026-11-12 to 2026-12", ["2026-11", "2026-12"]),
        ("港.", "東京の港口と港町 🎉 港", ["港口", "港町"]),
        ("^a|b$", "ab ab", ["a", "b"]),
        (r"\bis\b", "this is", ["is"]),
        ("x", "y", []),
    ],
)
def test_places_are_those_of_the_characters(pattern: str, line: str, found: list[str]) -> None:
    assert spans(pattern, line) == found


@pytest.mark.parametrize("pattern", ["(", "[", "a{2000}", "(?<=a)b", r"\1", ".*", "a?", "^", "a\udcff", "\ud83d."])
def test_what_is_no_pattern_or_stands_everywhere_is_none(pattern: str) -> None:
    assert places_of(pattern) is None


def test_no_pattern_takes_longer_than_the_line_is_long() -> None:
    began = thread_time()
    assert spans("(a+)+$", "a" * 20_000 + "!") == []
    assert spans("(a|aa)+b", "a" * 20_000) == []
    assert thread_time() - began < 2


def test_not_more_places_are_told_than_can_be_shown() -> None:
    assert len(spans("a", "a" * 1_000)) == MOST_SPANS


@given(st.text(max_size=40), st.text(max_size=60))
def test_no_pattern_raises_and_no_place_lies_outside(pattern: str, line: str) -> None:
    places = places_of(pattern)
    if places is not None:
        assert all(0 <= start < end <= len(line) for start, end in places(line))


def test_a_name_that_is_no_utf8_is_looked_through() -> None:
    assert spans("b.r", "\udce9 bär \udcff bar") == ["bär", "bar"]


@pytest.mark.parametrize(
    ("wanted", "path", "fits"),
    [
        ("daily", "memory/daily/a.md", True),
        ("daily/*.md", "memory/daily/a.md", True),
        ("daily/*.md", "memory/daily/2026/a.md", False),
        ("daily/**.md", "memory/daily/2026/a.md", True),
        ("*.md", "a.markdown", False),
        ("*.md", "tea/a.md", True),
        ("2026-11-?0", "daily/2026-11-30.md", True),
        ("a?b", "a/b.md", False),
        ("what?.md", "what?.md", True),
        ("*", "a.md", True),
        ("**", "a.md", True),
        ("[ab]*(", "x[ab]y(.md", True),
        ("日*\udcff", "日記\udcff.md", True),
    ],
)
def test_a_path_is_asked_for_by_a_part_of_it_or_its_shape(wanted: str, path: str, fits: bool) -> None:
    assert lies_at(wanted, path) is fits


def test_no_shape_takes_long() -> None:
    began = thread_time()
    assert not lies_at("*a" * 400 + "b", "a" * 4_000)
    assert thread_time() - began < 0.5
