"""The words of a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.query import MOST_WORDS, parts_of, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what did we decide?", ("what", "did", "we", "decide")),
        ("  one\ttwo\none ", ("one", "two")),
        ('"SQLite" (or) src/a/mod.rs, snake_case.', ("SQLite", "or", "src/a/mod.rs", "snake_case")),
        ("- [ ]", ("-", "[", "]")),
        ("什么是成語？", ("什么是成語",)),
        ("", ()),
    ],
)
def test_words_stand_between_blanks_without_the_punctuation_around_them(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_of_a_long_query_the_longest_words_are_kept_in_their_order() -> None:
    words = words_of(" ".join(["a", "bb", *(f"word{i}" for i in range(MOST_WORDS))]))
    assert words == tuple(f"word{i}" for i in range(MOST_WORDS))


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("决定了什么",), ("决定", "定了", "了什", "什么")),
        (("成語",), ("成語",)),
        (("用SQLite数据库",), ("用", "SQLite", "数据", "据库")),
        (("plain", "words"), ("plain", "words")),
    ],
)
def test_runs_without_blanks_are_taken_apart_into_pairs(words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    assert parts_of(words) == parts


@given(st.text())
def test_any_text_has_few_words_and_no_empty_one(text: str) -> None:
    for words in (words_of(text), parts_of(words_of(text))):
        assert len(words) <= MOST_WORDS
        assert all(words)
        assert len(set(words)) == len(words)
