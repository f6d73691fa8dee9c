"""Bytes to text and back, and what may be edited."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.domain.documents import Document, fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.text import Editability, Encoding, candidates, decode, judge
from memgui.domain.tree import Node, NodeKind

FILE = Node(DocPath("a.md"), NodeKind.FILE)


@given(st.binary(), st.none() | st.sampled_from(Encoding))
def test_what_is_decoded_encodes_to_the_same_bytes(data: bytes, encoding: Encoding | None) -> None:
    text = decode(data, encoding)
    assert text is None or text.encode() == data


@given(st.text())
def test_all_of_utf8_is_text_with_its_mark_or_without(text: str) -> None:
    for mark in (b"", codecs.BOM_UTF8):
        data = mark + text.encode()
        found = decode(data)
        assert found is not None
        assert found.encode() == data


def test_the_mark_is_no_text_and_a_second_one_is() -> None:
    found = decode(codecs.BOM_UTF8 * 2 + b"a")
    assert found is not None
    assert (found.encoding, found.lines.joined()) == (Encoding.UTF8_BOM, "\ufeffa")
    assert found.encoding.shown == "UTF-8 with BOM"


def test_other_encodings_are_offered_where_they_give_the_bytes_back() -> None:
    offered = candidates("café\n".encode("cp1252"))
    assert offered[0] is Encoding.CP1252
    assert Encoding.UTF8 not in offered
    assert Encoding.GB18030 in candidates("記憶を保つ".encode("gb18030"))
    assert Encoding.SHIFT_JIS in candidates("記憶".encode("shift_jis"))
    assert candidates(b"\x81")[0] is Encoding.LATIN1


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", Editability.EDITABLE),
        (b"# Memory\r\n\xef\xbb\xbf", Editability.EDITABLE),
        (b"a\0b", Editability.BINARY),
        (b"a" * 8000 + b"\n" + b"b" * 191 + b"\0", Editability.EDITABLE),
        (b"a" * 8000 + b"\n" + b"b" * 190 + b"\0", Editability.BINARY),
        (b"caf\xe9\n", Editability.NOT_UTF8),
        (b"\xed\xa0\x80", Editability.NOT_UTF8),
        (b"line\n" * 500_000, Editability.HUGE),
        (b"a" * 20_000, Editability.EDITABLE),
        (b"a" * 20_001, Editability.LONG_LINE),
        ("é".encode() * 20_000, Editability.EDITABLE),
    ],
)
def test_what_may_be_edited(data: bytes, verdict: Editability) -> None:
    assert judge(data, FILE) is verdict
    assert verdict.can_be_forced is (verdict in (Editability.HUGE, Editability.LONG_LINE))


def test_a_link_out_and_what_has_no_bytes_is_not_edited() -> None:
    assert judge(b"", Node(DocPath("a.md"), NodeKind.LINK_OUT)) is Editability.LINK_OUT
    assert judge(b"", Node(DocPath("a.md"), NodeKind.OTHER)) is Editability.UNREADABLE


def test_a_document_can_be_reopened_in_an_encoding() -> None:
    data = "café\n".encode("cp1252")
    closed = Document.of(DocPath("a.md"), data, FILE)
    assert (closed.text, closed.editability) == (None, Editability.NOT_UTF8)
    assert closed.display.joined() == "caf\ufffd\n"
    reopened = Document.of(DocPath("a.md"), data, FILE, encoding=Encoding.CP1252)
    assert reopened.editability is Editability.EDITABLE
    assert reopened.text is not None
    assert reopened.text.encode() == data
    assert reopened.display.joined() == "café\n"
    assert reopened.fingerprint == fingerprint(data)
