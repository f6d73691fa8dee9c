"""The outline lists the headings that a reader sees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.outline import outline


def found(text: str) -> list[tuple[str, int, int]]:
    return [(entry.text, entry.level, entry.line) for entry in outline(text.split("\n"))]


def test_headings_have_words_levels_and_lines() -> None:
    assert found("# One\n\ntext\n### Three ###\n   ## Two") == [("One", 1, 1), ("Three", 3, 4), ("Two", 2, 5)]


def test_a_hash_without_a_blank_is_no_heading() -> None:
    assert found("#tag\n####### seven\n    # code") == []


def test_what_is_fenced_is_no_heading() -> None:
    assert found("```\n# no\n```\n# yes\n~~~~ md\n# no\n~~~\n# no\n~~~~\n# again") == [("yes", 1, 4), ("again", 1, 10)]


def test_a_fence_that_never_closes_goes_to_the_end() -> None:
    assert found("# yes\n```\n# no") == [("yes", 1, 1)]


def test_an_empty_heading_is_one() -> None:
    assert found("#\n# ") == [("", 1, 1), ("", 1, 2)]


@given(st.lists(st.text(max_size=30), max_size=20))
def test_any_text_has_an_outline(lines: list[str]) -> None:
    assert all(1 <= entry.line <= len(lines) and 1 <= entry.level <= 6 for entry in outline(lines))
