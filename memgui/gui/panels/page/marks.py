"""Characters that leave no trace on the screen, and the signs that are painted in their place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memgui.domain.invisible import explained, name, places

__all__ = ["ENDING_NAMES", "ON_SETTING", "Mark", "explained", "hidden", "marks", "name"]

_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028"
ON_SETTING = re.compile(f"[{_SPACES}\t]|[ \t]+$")
"""Blanks that look like others, tabs, and blanks at the end of a line."""

ENDING_NAMES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR", "\u2029": "PS", "\ufdd0": "FDD0", "\ufdd1": "FDD1"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign for the characters from `start` up to `end`. `tag`: their name, where they take no room themselves."""

    start: int
    end: int
    tag: str = ""


def marks(text: str, *, all_kinds: bool) -> list[Mark]:
    """What to mark in a line, from left to right."""
    if text.isascii() and text.isprintable() and not (all_kinds and text.endswith(" ")):
        return []
    found = [Mark(at, at + 1, name(text[at])) for at in places(text)]
    if all_kinds:
        found += [Mark(at.start(), at.end(), "LS" if at[0] == "\u2028" else "") for at in ON_SETTING.finditer(text)]
        found.sort(key=_start)
    return found


def hidden(text: str) -> list[str]:
    """The characters in a line that hide themselves or turn its direction."""
    return [text[at] for at in places(text)]


def _start(mark: Mark) -> int:
    return mark.start
