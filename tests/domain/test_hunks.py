"""Hunks: texts made of some of them, on any bytes; lines that moved; and what is found again."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memgui.domain import hunks
from memgui.domain.hunks import again, in_both, pieces, put_back, taken, taken_out, with_text
from memgui.domain.lines import Lines

LINE = st.sampled_from(
    [b"a\n", b"b\n", b"a\r\n", b"b\r\n", b"c\r", b"\n", b"\r\n", b"\xff\n", b"\xef\xbb\xbfa\n", "d\u2029".encode()]
)
LAST = st.sampled_from([b"", b"a", b"b", b"\xff", b"\x00", "\u2028".encode()])
TEXT = st.builds(lambda lines, last: b"".join(lines) + last, st.lists(LINE, max_size=12), LAST)


@given(st.binary() | TEXT)
def test_the_lines_put_together_are_the_bytes(data: bytes) -> None:
    lines = pieces(data)
    assert b"".join(lines) == data
    assert all(lines)


@given(st.text(st.sampled_from("ab\r\n\u2028\u2029\ufdd0\ufdd1é")))
def test_the_lines_are_those_of_a_page(text: str) -> None:
    found = Lines.split(text)
    ended = [line + ending for line, ending in zip(found.texts, (*found.breaks, ""), strict=True)]
    assert [line.decode() for line in pieces(text.encode())] == [line for line in ended if line]


@settings(max_examples=300)
@given(TEXT, TEXT, st.data())
def test_accepting_some_hunks_and_rejecting_the_others_come_to_the_same_bytes(
    old: bytes, new: bytes, data: st.DataObject
) -> None:
    before, after = pieces(old), pieces(new)
    found = hunks.hunks("id", before, after)
    assert [one.id for one in found] == [f"id.{number}" for number in range(1, len(found) + 1)]
    chosen = [one for one in found if data.draw(st.booleans())]
    others = [one for one in found if one not in chosen]
    assert taken(before, chosen) == taken_out(after, others)
    assert taken(before, found) == after
    assert taken_out(after, found) == before
    for one, two in itertools.pairwise(found):
        assert one.start + len(one.before) < two.start
        assert one.new_start + len(one.after) < two.new_start


@given(TEXT, TEXT)
def test_with_the_lost_lines_put_back_nothing_is_lost_and_the_new_ones_stay(old: bytes, new: bytes) -> None:
    before, after = pieces(old), pieces(new)
    joined = in_both(before, after)
    lines = {line.rstrip(b"\r\n") for line in joined}
    assert {line.rstrip(b"\r\n") for line in (*before, *after)} <= lines
    assert put_back(after, hunks.hunks("", before, after)) == joined


@given(TEXT, TEXT)
def test_what_moved_is_told_on_both_sides(old: bytes, new: bytes) -> None:
    found = hunks.hunks("", pieces(old), pieces(new))
    away = sorted(one.before[at].rstrip(b"\r\n") for one in found for at in one.moved_away)
    here = sorted(one.after[at].rstrip(b"\r\n") for one in found for at in one.moved_here)
    assert away == here


def test_a_line_of_few_letters_may_stand_anywhere_and_moved_nowhere() -> None:
    before, after = pieces(b"- a\nx\ny\nz\n"), pieces(b"x\ny\nz\n- a\n")
    assert not any(one.moved_away for one in hunks.hunks("", before, after))
    before, after = pieces(b"- anchor\nx\ny\nz\n"), pieces(b"x\ny\nz\n- anchor\n")
    assert [set(one.moved_away) for one in hunks.hunks("", before, after)] == [{0}, set()]


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (b"a\nb\nx\n", True),
        (b"q\na\nb\nx\n", True),
        (b"a\nb\nx\ny\n", True),
        (b"a\nb\ny\nx\n", False),
        (b"a\nb\n", False),
        (b"a\nx\nb\nx\n", True),
        (b"x\na\nb\n", True),
        (b"x\na\nx\nb\n", False),
    ],
)
def test_a_hunk_is_found_again_where_it_stands_once(new: bytes, found: bool) -> None:
    before = pieces(b"a\nb\n")
    (old,) = hunks.hunks("1", before, pieces(b"a\nb\nx\n"))
    one = again(old, hunks.hunks("2", before, pieces(new)))
    assert (one is not None) is found
    if one is not None:
        assert (one.before, one.after) == (old.before, old.after)
        assert taken_out(pieces(new), [one]).count(b"x\n") == new.count(b"x\n") - 1


def test_of_a_hunk_that_grew_only_what_was_shown_is_found() -> None:
    before = pieces(b"a\n")
    (old,) = hunks.hunks("1", before, pieces(b"a\nx\n"))
    one = again(old, hunks.hunks("2", before, pieces(b"a\nx\nx\nx\n")))
    assert one is not None
    assert taken_out(pieces(b"a\nx\nx\nx\n"), [one]) == pieces(b"a\nx\nx\n")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("mine", (b"mine\r\n",)),
        ("mine\nand more\n", (b"mine\r\n", b"and more\r\n")),
        ("", ()),
        ("é", ("é\r\n".encode(),)),
    ],
)
def test_the_text_of_a_person_gets_the_endings_of_the_place(text: str, after: tuple[bytes, ...]) -> None:
    (old,) = hunks.hunks("1", pieces(b"a\r\nb\r\n"), pieces(b"a\r\nx\r\nb\r\n"))
    assert with_text(old, text).after == after


def test_a_missing_last_line_end_stays_missing() -> None:
    (old,) = hunks.hunks("1", pieces(b"a\nb"), pieces(b"a\nx"))
    assert with_text(old, "mine\n").after == (b"mine",)


def test_many_alike_lines_in_any_order_take_no_time_to_speak_of() -> None:
    """Looking through all alike lines for each that went would take minutes; the suite's time limit would end it."""
    draw = random.Random(7)
    old, new = ([b"line %d\n" % draw.randrange(3) for _line in range(120_000)] for _side in range(2))
    found = hunks.hunks("1", tuple(old), tuple(new))
    assert taken(tuple(old), found) == tuple(new)
    assert any(one.moved_away for one in found)
