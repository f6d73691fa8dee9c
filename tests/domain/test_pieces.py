"""Texts merged as lines with their endings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.lines import Lines
from memgui.domain.pieces import merge_pieces, pieces, pieces_of, with_theirs

BYTES = st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"\r", b"\x0b", b"\xff"]), max_size=12).map(b"".join)


def merged(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """None where something is left to the person."""
    result = merge_pieces(pieces(base), pieces(mine), pieces(theirs))
    return None if result.overlaps else b"".join(result.lines)


@given(BYTES)
def test_the_pieces_are_the_bytes(data: bytes) -> None:
    assert b"".join(pieces(data)) == data


@given(st.text(alphabet="a\r\n\u2028\u2029\x0b\x85\ufdd0"))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(pieces_of(Lines.split(text))) == text


@given(BYTES, BYTES)
def test_one_side_alone_is_taken_byte_for_byte(base: bytes, side: bytes) -> None:
    assert merged(base, side, base) == side
    assert merged(base, base, side) == side
    assert merged(base, side, side) == side


@given(BYTES, BYTES, BYTES)
def test_only_the_last_line_may_have_no_end(base: bytes, mine: bytes, theirs: bytes) -> None:
    result = merge_pieces(pieces(base), pieces(mine), pieces(theirs))
    for lines in (result.lines, with_theirs(result, mine=True), with_theirs(result, mine=False)):
        assert all(line.endswith((b"\n", b"\r")) for line in lines[:-1])


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        (b"a\r\nb\n", b"x\r\nb\n", b"a\r\nb\ny\n", b"x\r\nb\ny\n"),
        (b"a\nb\n", b"a\r\nb\n", b"a\nc\n", b"a\r\nc\n"),
        (b"a\nb", b"a\nb\nmine", b"x\nb", b"x\nb\nmine"),
        (b"a\nb", b"x\nb", b"a\nb\ntheirs\n", b"x\nb\ntheirs\n"),
        (b"a\nb", b"a\nb\nmine", b"a\nb\ntheirs\n", b"a\nb\ntheirs\nmine\n"),
        (b"a\nb\n", b"a\nb\nmine", b"a\nb\ntheirs\n", b"a\nb\ntheirs\nmine"),
        (b"a\r\nb", b"a\r\nb\r\nmine", b"A\r\nb", b"A\r\nb\r\nmine"),
        (b"a", b"a\r\n", b"x\na", b"x\na\r\n"),
        (b"a\n\nb\n", b"a\n\nb\n\nmine\n", b"a\n\nb\n\ntheirs\n", b"a\n\nb\n\ntheirs\n\nmine\n"),
        (b"a\nb\n", b"a\nx\n", b"a\ny\n", None),
        (b"", b"mine\n", b"theirs\n", None),
        (b"", b"mine", b"mine\n", b"mine\n"),
    ],
    ids=repr,
)
def test_each_line_keeps_its_own_ending(base: bytes, mine: bytes, theirs: bytes, expected: bytes | None) -> None:
    assert merged(base, mine, theirs) == expected


def test_both_sides_of_an_overlap_can_be_put_in_and_either_alone() -> None:
    result = merge_pieces(pieces(b"a\nb\nc"), pieces(b"a\nx\nm"), pieces(b"a\ny\nt"))
    assert b"".join(result.lines) == b"a\nx\nm"
    assert b"".join(with_theirs(result, mine=True)) == b"a\nx\nm\ny\nt"
    assert b"".join(with_theirs(result, mine=False)) == b"a\ny\nt"
