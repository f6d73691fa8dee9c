"""Folded text: what the exact scan compares. Case, accents, width and compatibility forms no longer matter in it.

Every character is folded by itself, so `fold(a + b) == fold(a) + fold(b)`: part of a text is always found in the whole,
and a place in folded text leads back to the characters it came from. Lines stay lines (the rule of `domain.lines`).
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from memgui.domain.text import BINARY_HEAD

PIECE = 1 << 16
"""Texts are worked on in pieces of about this many bytes, so that no single call keeps other threads waiting."""

_RETURNS = re.compile("\r\n?")
_RETURN_BYTES = re.compile(rb"\r\n?")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_LINE_BREAKS = frozenset("\u2029\ufdd0\ufdd1")
_KANA_VOICING, _VIRAMA = 8, 9


def _keeps(character: str) -> bool:
    """Accents go. Signs that make another letter stay: Indic vowel signs (class 0), kana voicing, viramas."""
    if "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return False
    return unicodedata.combining(character) in (0, _KANA_VOICING, _VIRAMA)


def _once(text: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(filter(_keeps, plain))


class _Table(dict[int, str]):
    """Code point -> folded text, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in _LINE_BREAKS:
            folded = "\n"
        elif 0xD800 <= code <= 0xDFFF:
            folded = _once(_byte_as_text(code)) if 0xDC80 <= code <= 0xDCFF else "\ufffd"
        else:
            folded, again = _once(character), _once(_once(character))
            while folded != again:
                folded, again = again, _once(again)
        self[code] = folded
        return folded


def _byte_as_text(escape: int) -> str:
    """A byte that is no UTF-8 (as its surrogate escape), read as Windows text: what a stray byte most likely means."""
    return bytes([escape - 0xDC00]).decode("cp1252", "replace")


_TABLE = _Table()
_STRAY = {escape: _byte_as_text(escape) for escape in range(0xDC80, 0xDD00)}


def _fold_run(run: re.Match[str]) -> str:
    return run[0].translate(_TABLE)


def fold(text: str) -> str:
    """The text folded. Empty only where nothing but accents stood there."""
    if "\r" in text:
        text = _RETURNS.sub("\n", text)
    if text.isascii():
        return text.lower()
    if len(text) > PIECE:
        return "".join(fold(text[at : at + PIECE]) for at in range(0, len(text), PIECE))
    # The last step is for the ASCII letters between the runs; what the table made stays as it is.
    return _NOT_ASCII.sub(_fold_run, text).casefold()


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text at all."""
    return b"\0" in data[:BINARY_HEAD]


def pieces(data: bytes, size: int = PIECE) -> Iterator[str]:
    """The text in the bytes, a piece at a time; no piece ends between CR and LF.

    Bytes that are no UTF-8 are read as Windows text, each by itself.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    held = ""
    for at in range(start, len(data), size):
        last = at + size >= len(data)
        text = held + decoder.decode(data[at : at + size], final=last)
        held = ""
        if text.endswith("\r") and not last:
            text, held = text[:-1], "\r"
        yield text if text.isascii() else _without_strays(text)


def _without_strays(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.translate(_STRAY)
    return text


def text_of(data: bytes) -> str:
    """The whole text in the bytes, by the same reading as `pieces`."""
    return "".join(pieces(data))


def fold_bytes(data: bytes) -> bytes:
    """The folded text of a file's bytes, as UTF-8."""
    if len(data) <= PIECE and data.isascii():
        return (_RETURN_BYTES.sub(b"\n", data) if b"\r" in data else data).lower()
    return b"".join(fold(piece).encode() for piece in pieces(data))


def needle_of(query: str) -> str:
    """What to look for: the query folded, without blanks around it. Empty where there is nothing to look for."""
    return fold(query).strip()


def origins(line: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans (ascending) of `fold(line)` as spans of `line`: whole characters, with the accents that follow them."""
    if line.isascii():
        return tuple(spans)
    found: list[tuple[int, int]] = []
    base, folded_base, chunk_size = 0, 0, 512
    ends = _ends(line[:chunk_size])
    starts_at = -1
    for start, end in spans:
        for wanted in (start, end - 1):
            while wanted >= folded_base + ends[-1] and base + chunk_size < len(line):
                folded_base += ends[-1]
                base += chunk_size
                ends = _ends(line[base : base + chunk_size])
            at = base + bisect_right(ends, wanted - folded_base)
            if wanted == start:
                starts_at = at
        stop = min(at + 1, len(line))
        while stop < len(line) and not fold(line[stop]):
            stop += 1
        found.append((min(starts_at, len(line)), stop))
    return tuple(found)


@lru_cache(maxsize=4096)
def _width(character: str) -> int:
    """How many characters one becomes when it is folded."""
    return len(fold(character))


def _ends(chunk: str) -> list[int]:
    """Where in the folded chunk each of its characters ends."""
    odd = {character: _width(character) for character in set(chunk) if character > "\x7f"}
    if all(width == 1 for width in odd.values()):
        return list(range(1, len(chunk) + 1))
    return list(accumulate(odd.get(character, 1) for character in chunk))
