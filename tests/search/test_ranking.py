"""Which files come first: what is known early is what is known when everything was looked at."""

from __future__ import annotations

import random

import pytest

from memgui.domain.paths import DocPath
from memgui.search.literal import SEGMENT_BYTES, LiteralIndex, Text
from memgui.search.ranking import Asked, Read, answer
from memgui.search.segments import Key

FILES = 4_000
PADDING = "." * (SEGMENT_BYTES * 8 // FILES) + "\n"
"""So that the texts fill eight segments."""


def key(number: int) -> Key:
    return Key(1, number, 3, number)


@pytest.fixture(scope="module")
def index() -> LiteralIndex:
    """Files the later the lighter, in no strict order; three of four hold the word, some of them in the path alone."""
    dice = random.Random(7)
    made = LiteralIndex()
    made.update(
        Text(
            DocPath(f"{'harbour' if number % 50 == 1 else 'notes'}/{number}.md"),
            key(number),
            dice.uniform(0, 2) - 9 * number / FILES,
            f"{PADDING}{'harbour' if number % 4 else 'sea'} {number}\n".encode(),
        )
        for number in range(FILES)
    )
    return made


def read_of(index: LiteralIndex) -> Read:
    known = {
        entry.path: (part.segment.texts.text(i), entry.key)
        for part in index.parts
        for i, entry in enumerate(part.segment.entries)
    }
    return known.get


@pytest.mark.parametrize("query", ["h", "harbour", "sea", "...", "notes/", "1", "harbour 3999"])
def test_the_rows_that_are_shown_early_are_those_of_the_whole_answer(index: LiteralIndex, query: str) -> None:
    read = read_of(index)
    early = answer(index, query, read, Asked(count=False))
    whole = answer(index, query, read, Asked(count=True))
    assert early.files == whole.files
    assert early.total_files <= whole.total_files
    assert whole.counted


def test_early_rows_look_through_a_part_of_memory_only_and_say_so(index: LiteralIndex) -> None:
    early = answer(index, "...", read_of(index), Asked(count=False))
    assert not early.counted
    assert early.total_files < answer(index, "...", read_of(index), Asked()).total_files == FILES
