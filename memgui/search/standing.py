"""Where a text stands in a line, to be replaced there: whole characters, nothing that looks like it only in part."""

from __future__ import annotations

from memgui.domain.replacing import Exchange, Span
from memgui.domain.signs import is_whole
from memgui.search.fold import fold, origins


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
            and is_whole(line, start, end)
            and (not exchange.whole_words or _stands_alone(line, start, end))
        ):
            whole.append((start, end))
    return whole


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
