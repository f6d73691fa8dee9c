"""Finding by a few letters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.gui.models.fuzzy import Haystack, filtered, fold, fold_all, positions

PATHS = ("MEMORY.md", "memory/2026-11-30.md", "projects/café.md", "projects/crane/plan.md", "notes/港口.md", "SOUL.md")


def _plain(*names: str) -> Haystack:
    return Haystack.of(names, names)


def _best(query: str, *, recent: tuple[int, ...] = ()) -> list[str]:
    haystack = Haystack.of((path.rpartition("/")[2] for path in PATHS), PATHS)
    return [PATHS[number] for number in haystack.best(query, limit=10, recent=recent)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("memory", "MEMORY.md"),
        ("MEM", "MEMORY.md"),
        ("1130", "memory/2026-11-30.md"),
        ("cafe", "projects/café.md"),
        ("CAFÉ", "projects/café.md"),
        ("plan crane", "projects/crane/plan.md"),
        ("prcrpl", "projects/crane/plan.md"),
        ("港口", "notes/港口.md"),
        ("soul", "SOUL.md"),
    ],
)
def test_the_file_that_was_meant_comes_first(query: str, first: str) -> None:
    assert _best(query)[0] == first


def test_nothing_typed_shows_what_was_used_last_first() -> None:
    assert _best("", recent=(3, 5))[:3] == ["projects/crane/plan.md", "SOUL.md", "MEMORY.md"]


def test_among_equals_the_recent_one_comes_first() -> None:
    haystack = _plain("a-note.md", "b-note.md", "c-note.md")
    assert haystack.best("note", limit=1, recent=(2,)) == [2]


def test_what_matched_can_be_pointed_at() -> None:
    assert positions("mem", "MEMORY.md") == (0, 1, 2)
    assert positions("cafe", "a/café.md") == (2, 3, 4, 5)
    assert positions("zz", "MEMORY.md") == ()


def test_a_filter_takes_words_as_they_stand_and_letters_only_where_no_name_holds_them() -> None:
    folded = {path: fold(path) for path in PATHS}
    assert filtered("memory 30", folded) == {"memory/2026-11-30.md"}
    assert filtered("mmry", folded) == {"MEMORY.md", "memory/2026-11-30.md"}
    assert filtered("", folded) == set(PATHS)
    assert filtered("zzz", folded) == set()


@given(st.text(max_size=20), st.lists(st.text(max_size=30), max_size=8))
def test_no_text_can_break_the_search(query: str, names: list[str]) -> None:
    haystack = _plain(*names)
    found = haystack.best(query, limit=5)
    assert len(found) == len(set(found)) <= 5
    for name in names:
        assert all(0 <= at < len(name) for at in positions(query, name))


def test_ten_thousand_files_are_searched_in_a_moment() -> None:
    paths = [
        f"memory/{year}-{month:02}-{day:02}.md"
        for year in range(1997, 2027)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    haystack = Haystack.of((path.rpartition("/")[2] for path in paths), paths)
    taken = []
    for query in ("m", "me", "mem", "20", "2011-11", "m1d", "zz", "md3"):
        before = time.thread_time()
        haystack.best(query, limit=80)
        taken.append(time.thread_time() - before)
    # The budget is 30 ms on a quick machine; a slow one gets some grace.
    assert sorted(taken)[len(taken) // 2] < 0.06


@given(st.lists(st.text(max_size=12)))
def test_folding_many_is_folding_each(texts: list[str]) -> None:
    assert fold_all(texts) == [fold(text) for text in texts]
    assert fold_all([*texts, "a\nB"]) == [fold(text) for text in [*texts, "a\nB"]]
