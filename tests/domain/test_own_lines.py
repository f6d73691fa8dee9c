"""A person's saved lines that another program's write removed."""

from __future__ import annotations

import itertools

import pytest

from memgui.domain.lines import Lines
from memgui.domain.own_lines import OwnSave, lost, put_back, recent


def saves(*texts: str) -> tuple[OwnSave, ...]:
    """One after the other, a minute apart."""
    found = [Lines.split(text) for text in texts]
    return tuple(OwnSave.of(60.0 * n, one, two) for n, (one, two) in enumerate(itertools.pairwise(found), 1))


def back(own: tuple[OwnSave, ...], now_stands: str, stood: str | None = None) -> str | None:
    there = Lines.split(now_stands)
    gone = lost(own, Lines.split(stood) if stood is not None else own[-1].after, there)
    return put_back(own, gone, there).joined() if gone is not None else None


@pytest.mark.parametrize(
    ("texts", "now_stands", "expected"),
    [
        (["a\nb\n", "a\nmine\nb\n"], "a\nb\n", "a\nmine\nb\n"),
        (["a\nb\n", "a\nmine\nb\n"], "a\nb\nagent\n", "a\nmine\nb\nagent\n"),
        (["a\nb\n", "a\nmine\nb\n"], "all\nis\nnew\n", "all\nis\nnew\nmine\n"),
        (["a\nb\n", "a, said I\nb\n"], "a\nb\nagent\n", "a, said I\nb\nagent\n"),
        (["a\n", "a\nhum\n", "a\nhuman line\n"], "a\nagent\n", "a\nagent\nhuman line\n"),
        (["a\r\nb\r\n", "a\r\nmine\r\nb\r\n"], "a\r\nb", "a\r\nmine\r\nb"),
        (["a\nb\n", "a\none\nb\n", "a\none\nb\ntwo\n"], "a\nb\n", "a\none\nb\ntwo\n"),
        (["a\nb\n", "a\none\nb\n", "a\none\nb\ntwo\n"], "a\none\nb\n", "a\none\nb\ntwo\n"),
        (["a\nb\n", "a\none\ntwo\nb\n"], "two\na\nb\n", "two\na\none\nb\n"),
        (["a\nb\nc\n", "a1\nb1\nc\n"], "b1\na\nb\nc\n", "b1\na1\nb\nc\n"),
        (["a\nb\nc\n", "x\ny\nz\nc\n"], "y\na\nb\nc\n", "y\na\nb\nx\nz\nc\n"),
    ],
)
def test_lost_lines_come_back_at_their_place_beside_what_is_new(
    texts: list[str], now_stands: str, expected: str
) -> None:
    assert back(saves(*texts), now_stands) == expected


@pytest.mark.parametrize(
    ("texts", "stood", "now_stands"),
    [
        (["a\nb\n", "a\nmine\nb\n"], "a\nmine\nb\n", "b\nmoved\nmine\n"),
        (["a\nb\n", "a\nmine\nb\n"], "a\nb\n", "a\n"),
        (["a\nb\n", "a\n\n \nb\n"], "a\n\n \nb\n", "a\nb\n"),
        (["a\nb\n", "a\n"], "a\n", "a\nb\n"),
        (["a\n", "a\nmine\n"], "a\nmine\n", "a\r\nmine"),
        (["a\n", "a\nmine\n"], "a\nmine\n", "a\n- mine, and more\n"),
    ],
)
def test_what_stands_elsewhere_or_was_given_up_before_is_not_lost(
    texts: list[str], stood: str, now_stands: str
) -> None:
    assert back(saves(*texts), now_stands, stood) is None


def test_a_save_counts_for_ten_minutes() -> None:
    one, two = saves("", "a\n", "a\nb\n")
    assert recent((one, two), now=two.time) == (one, two)
    assert recent((one, two), now=one.time + 601) == (two,)
    assert recent((one, two), now=two.time + 601) == ()


def test_the_time_told_is_that_of_the_latest_lost_line() -> None:
    own = saves("a\n", "a\none\n", "a\none\ntwo\n")
    gone = lost(own, own[-1].after, Lines.split("a\n"))
    assert gone is not None
    assert (gone.texts, gone.time) == (("one", "two"), 120.0)
