"""Where a text stands in a line, to be replaced there: whole characters, nothing that looks like it only in part."""

from __future__ import annotations

from memgui.domain.replacing import Exchange, Span
from memgui.search.fold import fold, origins

_JOINER = "\N{ZERO WIDTH JOINER}"
_PARTS = frozenset("\u3099\u309a\uff9e\uff9f\u20e3" + _JOINER)


def spans_of(line: str, exchange: Exchange) -> list[Span]:
    """The places, ascending and apart."""
    needle = exchange.what if exchange.exact else fold(exchange.what)
    if not needle:
        return []
    if exchange.exact:
        found = _spans(line, needle)
    else:
        found = list(origins(line, _spans(fold(line), needle)))
    whole: list[Span] = []
    for start, end in found:
        # Half of a ligature is no place: what is left of it could not be written.
        fits = exchange.exact or line.isascii() or fold(line[start:end]) == needle
        apart = not whole or start >= whole[-1][1]
        if (
            fits
            and apart
            and _is_whole(line, start, end)
            and (not exchange.whole_words or _stands_alone(line, start, end))
        ):
            whole.append((start, end))
    return whole


def _is_whole(line: str, start: int, end: int) -> bool:
    """Whether no sign of many parts (a letter and its accent, a flag, a family) is cut at either end."""
    if line.isascii():
        return True
    if start and line[start - 1] == _JOINER:
        return False
    if end < len(line) and _goes_on(line[end]) and not _goes_on(line[start]):
        return False
    return not (_cuts_a_flag(line, start) or _cuts_a_flag(line, end))


def _goes_on(character: str) -> bool:
    """Whether it belongs to what stands before it: accents, the signs that voice kana, skin tones, keycaps."""
    return character > "\x7f" and (
        not fold(character) or character in _PARTS or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _cuts_a_flag(line: str, at: int) -> bool:
    """Whether a flag, which is two letters of its own kind, has one on either side of this place."""
    run = at
    while run and _is_flag_letter(line[run - 1]):
        run -= 1
    return (at - run) % 2 == 1 and at < len(line) and _is_flag_letter(line[at])


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _spans(text: str, needle: str) -> list[Span]:
    found: list[Span] = []
    at = text.find(needle)
    while at >= 0:
        found.append((at, at + len(needle)))
        at = text.find(needle, at + len(needle))
    return found


def _stands_alone(line: str, start: int, end: int) -> bool:
    begins = start == 0 or not (_is_word(line[start - 1]) and _is_word(line[start]))
    return begins and (end >= len(line) or not (_is_word(line[end]) and _is_word(line[end - 1])))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
