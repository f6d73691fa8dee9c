"""Differences by line: right on any text, and quick where lines are alike."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.differences import differences

LINES = st.lists(st.sampled_from(["", "a", "b", "a\r", "a\u2028", "\x00", "\ud800", "@@ -1 +1 @@", "\\ No newline"]))


@given(LINES, LINES)
def test_the_splices_turn_the_old_lines_into_the_new(old: list[str], new: list[str]) -> None:
    result = list(old)
    splices = differences(old, new)
    for splice in reversed(splices):
        assert splice.removed or splice.texts
        result[splice.start : splice.start + splice.removed] = splice.texts
    assert result == new
    assert all(one.start + one.removed < two.start for one, two in itertools.pairwise(splices))


def test_alike_lines_that_all_changed_are_one_difference() -> None:
    """The standard library's matcher needs many seconds for these; the suite's time limit would end it."""
    assert len(differences(["- [ ] buy milk"] * 2000, ["- [x] buy milk"] * 2000)) == 1
    assert differences([f"- [ ] {i % 50}" for i in range(20_000)], [f"- [x] {i % 50}" for i in range(20_000)])
