"""Folding: what is taken to be the same text, and how a place in folded text leads back to its characters."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.lines import Lines
from memgui.search.fold import PIECE, fold, fold_bytes, is_binary, needle_of, origins, pieces, text_of

any_text = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("aÅé\u0301\r\n\u2029\ufdd0ﬁ한が ｶﾞ\ufe0f❤")
)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Café"),
        ("CAFÉ", "cafe\u0301"),
        ("café", "cafe"),
        ("strasse", "Straße"),
        ("ＡＢＣ１", "abc1"),
        ("abc1", "ＡＢＣ１"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("が", "か\u3099"),
        ("성어", unicodedata.normalize("NFD", "성어")),
        ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
        ("istanbul", "İstanbul"),
        ("ﬁle", "file"),
        ("ё", "е"),
        ("محمد", "مُحَمَّد"),
        ("हिन्दी", "हिन्दी"),
        ("❤", "❤\ufe0f"),
        ("a b", "a\u00a0b"),
        ("x²", "X2"),
    ],
)
def test_two_ways_to_write_the_same_are_the_same(query: str, text: str) -> None:
    assert needle_of(query) in fold(text)


@pytest.mark.parametrize(
    ("query", "text"), [("हिन्दी", "हन्द"), ("がくせい", "かくせい"), ("成語", "成言"), ("ß", "s"), ("کتاب", "کتب")]
)
def test_what_makes_another_word_is_kept(query: str, text: str) -> None:
    assert needle_of(query) not in fold(text)


def test_every_character_folds_to_something_that_folds_to_itself() -> None:
    for code in range(sys.maxunicode + 1):
        folded = fold(chr(code))
        assert fold(folded) == folded, hex(code)
        assert ("\n" in folded) == (chr(code) in "\n\r\u2029\ufdd0\ufdd1"), hex(code)
        folded.encode()


@given(any_text, any_text)
def test_a_part_is_always_found_in_the_whole(one: str, other: str) -> None:
    if not (one.endswith("\r") and other.startswith("\n")):
        assert fold(one + other) == fold(one) + fold(other)


@given(any_text)
def test_folded_text_has_the_same_lines(text: str) -> None:
    assert len(fold(text).split("\n")) == len(Lines.split(text).texts)


@given(any_text)
def test_bytes_and_text_fold_alike(text: str) -> None:
    assert fold_bytes(text.encode()) == fold(text.removeprefix("\ufeff")).encode()


@given(st.binary(), st.integers(1, 7))
def test_pieces_are_the_whole_text_whatever_their_size(data: bytes, size: int) -> None:
    assert "".join(pieces(data, size)) == text_of(data)
    assert "".join(fold(piece) for piece in pieces(data, size)).encode() == fold_bytes(data)


def test_a_long_text_is_folded_in_pieces_without_a_seam() -> None:
    text = "é\r\n한국 ﬁ\r" * (PIECE // 8)
    assert fold_bytes(text.encode()) == fold(text).encode()


def test_bytes_that_are_no_utf8_are_read_as_windows_text_one_by_one() -> None:
    assert text_of(b"caf\xe9 \xe6\x88\x90\n\x93x\x94") == "café 成\n“x”"
    assert needle_of("café") in fold_bytes(b"CAF\xc9").decode()


def test_a_name_that_is_no_utf8_folds_like_the_bytes_in_a_text() -> None:
    assert fold("caf\udce9\udbff") == "cafe\ufffd"


def test_only_a_zero_byte_near_the_beginning_makes_a_file_binary() -> None:
    assert is_binary(b"a\0b")
    assert not is_binary(b"a" * 9000 + b"\0")


@given(any_text.map(lambda text: Lines.split(text).texts[0]), st.data())
def test_a_span_of_folded_text_leads_to_characters_that_hold_it(line: str, data: st.DataObject) -> None:
    folded = fold(line)
    if not folded:
        return
    start = data.draw(st.integers(0, len(folded) - 1))
    end = data.draw(st.integers(start + 1, len(folded)))
    ((first, last),) = origins(line, [(start, end)])
    assert 0 <= first < last <= len(line)
    assert folded[start:end] in fold(line[first:last])
    assert folded[start:end] not in fold(line[first + 1 : last]) or len(fold(line[first : first + 1])) == 0
    assert last == len(line) or fold(line[last])


def test_a_mark_covers_the_accent_that_follows_and_the_ligature_it_ends_in() -> None:
    assert origins("x cafe\u0301!", [(2, 6)]) == ((2, 7),)
    assert origins("oﬃce", [(1, 3)]) == ((1, 2),)


def test_a_place_far_along_a_very_long_line_is_found_again() -> None:
    line = "é" * 3000 + "ﬃ" * 1000 + "ende"
    at = fold(line).index("ende")
    assert origins(line, [(at, at + 4)]) == ((4000, 4004),)
