"""Signs of many parts: a letter and its accent, a flag, a family. Where a text may be cut without cutting one."""

from __future__ import annotations

import unicodedata

_JOINER = "\N{ZERO WIDTH JOINER}"
_PARTS = frozenset("\uff9e\uff9f\u20e3" + _JOINER)
"""What belongs to the sign before it and is no accent: the marks of half-width kana, the frame of a keycap."""
_VIRAMA = 9


def is_whole(line: str, start: int, end: int) -> bool:
    """Whether this part of a line cuts no sign at either end. Accents alone, asked for as such, are a part as well."""
    if line.isascii():
        return True
    if start and line[start - 1] == _JOINER:
        return False
    if end < len(line) and _goes_on(line[end]) and not _goes_on(line[start]):
        return False
    return not (_cuts_a_flag(line, start) or _cuts_a_flag(line, end))


def _goes_on(character: str) -> bool:
    """Whether it belongs to what stands before it. Vowel signs of Indic and Thai are letters of their own."""
    if character <= "\x7f":
        return False
    accent = unicodedata.combining(character) not in (0, _VIRAMA) or "\ufe00" <= character <= "\ufe0f"
    return accent or character in _PARTS or "\U0001f3fb" <= character <= "\U0001f3ff"


def _cuts_a_flag(line: str, at: int) -> bool:
    """Whether a flag, which is two letters of its own kind, has one on either side of this place."""
    run = at
    while run and _is_flag_letter(line[run - 1]):
        run -= 1
    return (at - run) % 2 == 1 and at < len(line) and _is_flag_letter(line[at])


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
