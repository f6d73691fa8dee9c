"""Characters that leave no trace on the screen, or turn the direction of others, and the names to show for them."""

from __future__ import annotations

import re
import unicodedata

DECEIVING = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\U000e0000-\U000e007f"
)
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\ufffc"
HIDDEN = re.compile(f"[{DECEIVING}{CONTROLS}]")
"""Zero width, direction and control characters: they make text lie."""

_C0 = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_NAMES = {
    **{chr(code): name for code, name in enumerate(_C0.split())},
    "\x7f": "DEL",
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
}
_JOINERS = "\u200c\u200d"
_JOINED_SCRIPTS = "\u0600-\u06ff\u0750-\u077f\u0900-\u0dff\u1000-\u109f\u1780-\u17ff"
_PICTURES = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"


def name(character: str) -> str:
    """Its short name, else its number."""
    return _NAMES.get(character) or f"{ord(character):02X}"


def explained(character: str) -> str:
    """Its number and its full name, for people."""
    return f"U+{ord(character):04X} {unicodedata.name(character, name(character)).lower()}"


def label(character: str) -> str:
    """What stands in its place where text is only read: `‹U+200B ZWSP›`."""
    known = _NAMES.get(character, "")
    return f"‹U+{ord(character):04X} {known}".rstrip() + "›"


def _joined(kind: str) -> str:
    """A joiner has just been read: it stands between two of that kind."""
    return f"(?<=[{kind}][{_JOINERS}])[{kind}]"


_UNJOINED = re.compile(
    f"(?![{_JOINERS}])[{DECEIVING}{CONTROLS}]|[{_JOINERS}](?!{_joined(_JOINED_SCRIPTS)}|{_joined(_PICTURES)})"
)
"""As `HIDDEN`, but for joiners that join; by one expression, since a line of emoji may hold thousands."""

_RUN = re.compile(f"([{DECEIVING}{CONTROLS}])\\1*")
LABEL = re.compile("‹U\\+[0-9A-F]{4,6}(?: [A-Z0-9]+)?(?: ×[0-9]+)?›")
"""Every label that `labelled` puts in."""


def labelled(text: str) -> str:
    """The text with each of these characters labelled, but for joiners that join (in emoji, Arabic, Devanagari …).

    Several of one kind in a row have one label, with their number.
    """
    if text.isascii() and text.isprintable():
        return text
    return _RUN.sub(lambda at: _label_of(text, at), text)


def places(text: str) -> list[int]:
    """Where these characters stand in a line, but for joiners that join."""
    if text.isascii() and text.isprintable():
        return []
    return [at.start() for at in _UNJOINED.finditer(text)]


def _label_of(text: str, run: re.Match[str]) -> str:
    character, count = run[1], len(run[0])
    if count == 1:
        return label(character) if _UNJOINED.match(text, run.start()) else character
    return f"{label(character)[:-1]} ×{count}›"
