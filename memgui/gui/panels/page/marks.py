"""Characters that leave no trace on the screen, and the signs that are painted in their place."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_DECEIVING = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\U000e0000-\U000e007f"
)
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\ufffc"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028"
ALWAYS = re.compile(f"[{_DECEIVING}{_CONTROLS}]")
"""Zero width, direction and control characters: shown whatever the setting, for they make text lie."""
ON_SETTING = re.compile(f"[{_SPACES}\t]|[ \t]+$")
"""Blanks that look like others, tabs, and blanks at the end of a line."""

_C0 = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_NAMES = {
    **{chr(code): name for code, name in enumerate(_C0.split())},
    "\x85": "NEL",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u061c": "ALM",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LS",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u202f": "NNBSP",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\u3000": "IDSP",
    "\ufeff": "BOM",
    "\ufffc": "OBJ",
    "\x7f": "DEL",
}
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
    found = [Mark(at.start(), at.end(), name(at[0])) for at in ALWAYS.finditer(text)]
    if all_kinds:
        found += [Mark(at.start(), at.end(), "LS" if at[0] == "\u2028" else "") for at in ON_SETTING.finditer(text)]
        found.sort(key=_start)
    return found


def hidden(text: str) -> list[str]:
    """The characters in a line that hide themselves or turn its direction."""
    return [] if text.isascii() and text.isprintable() else ALWAYS.findall(text)


def name(character: str) -> str:
    """Its short name, else its number."""
    return _NAMES.get(character) or f"{ord(character):02X}"


def explained(character: str) -> str:
    """Its number and its full name, for people."""
    return f"U+{ord(character):04X} {unicodedata.name(character, name(character)).lower()}"


def _start(mark: Mark) -> int:
    return mark.start
