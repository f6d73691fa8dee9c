"""Whether an agent runs a heartbeat is told as the agent would decide it, with the line that decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.heartbeat_run import verdict
from memgui.domain.lines import Lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("\n \n", None),
        ("# Heartbeat\n\n## Every day\n", None),
        ("#\n", None),
        ("- [ ]\n* [x]\n+\n1. [ ]\n-\n", None),
        ("- []\n", None),
        ("<!-- Keep this\n- [ ] empty\n-->\n# H\n", None),
        ("# H\n<!-- never closed\n- [ ] a\n", None),
        ("- [ ] <!-- only a comment -->\n", None),
        ("# a <!--\n--> b\n", None),
        ("<!-- a --> <!-- b -->\n", None),
        ("- [ ] a", 1),
        ("# H\r\n\r\n- [x] a\r\n", 3),
        ("#tag\n", 1),
        ("- [!]\n", 1),
        ("```\n```\n", 1),
        ("    text\n", 1),
        ("---\n", 1),
        ("<!-- a -->\n\nb <!-- c -->\n", 3),
        ("<!-- a\n--> b\n", 2),
        ("- <!--\n--> b\n", 1),
        ("\n<!--\n-->\n\n- b\n", 5),
    ],
)
def test_it_is_run_for_the_first_line_that_says_something(text: str, line: int | None) -> None:
    found = verdict(Lines.split(text).texts)
    assert (found.runs, found.line) == (line is not None, line)
    assert found.sentence


def test_the_sentence_says_why() -> None:
    assert "line 2 is not empty: “Check”" in verdict(["# H", "- [ ] Check"]).sentence
    assert "line 1 is not empty: “Check” " not in verdict(["Check " + "x" * 99]).sentence
    assert "though ticked" in verdict(["- [x] Check"]).sentence
    assert "headings, empty items and comments" in verdict(["# H", "- [ ]", "<!-- -->"]).sentence
    assert "nothing but headings." in verdict(["# H"]).sentence
    assert "nothing is in it" in verdict([""]).sentence


@given(st.text(alphabet="<!->-# x[]\n\r1.", max_size=60))
def test_it_decides_whatever_the_text(text: str) -> None:
    found = verdict(Lines.split(text).texts)
    assert found.runs == (found.line is not None)
