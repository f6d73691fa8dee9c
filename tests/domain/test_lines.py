"""Lines split and joined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.lines import Lines

ENDINGS = ["\r\n", "\n", "\r", "\u2029", "\ufdd0", "\ufdd1"]
ODD = "ab \t\u00a0\u2028\x0b\x0c\x85\ufeff\u200b\r\n\u2029\ufdd0\ufdd1"


@given(st.text(alphabet=ODD) | st.text())
def test_split_and_joined_is_the_identity(text: str) -> None:
    lines = Lines.split(text)
    assert lines.joined() == text
    assert len(lines.breaks) == len(lines.texts) - 1
    assert not any(ending in line for line in lines.texts for ending in ENDINGS)


@pytest.mark.parametrize(
    ("text", "texts", "breaks"),
    [
        ("", ("",), ()),
        ("a\n", ("a", ""), ("\n",)),
        ("a\r\nb\rc", ("a", "b", "c"), ("\r\n", "\r")),
        ("a\n\rb", ("a", "", "b"), ("\n", "\r")),
        ("a\u2028b\x0bc\x0cd\x85e", ("a\u2028b\x0bc\x0cd\x85e",), ()),
        ("a\u2029b\ufdd0c\ufdd1", ("a", "b", "c", ""), ("\u2029", "\ufdd0", "\ufdd1")),
    ],
)
def test_lines_end_where_they_should(text: str, texts: tuple[str, ...], breaks: tuple[str, ...]) -> None:
    assert Lines.split(text) == Lines(texts, breaks)


def test_a_new_line_takes_the_ending_of_the_line_above_or_for_the_first_of_the_one_below() -> None:
    lines = Lines.split("a\r\nb\nc")
    assert [lines.ending_for_new(i) for i in range(4)] == ["\r\n", "\r\n", "\n", "\n"]
    assert Lines.split("a").ending_for_new(0) == "\n"
