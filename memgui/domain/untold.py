"""What Markdown would swallow, kept in sight: links without words, definitions, the words behind a fence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from memgui.domain.invisible import labelled

NOTHING = "\uf8ff"
"""Stands in a text where Markdown would drop what has no words of its own. Whoever renders it takes it out again."""

LONGEST_DEFINITION = 20_000

_DEFINITION = re.compile(r" {0,3}\[((?:[^\[\]\\]|\\.)+)\]:[ \t]*(?:<([^<>\n]*)>|(\S+))(?:[ \t]+(.*))?\Z", re.DOTALL)
_OPENER = re.compile(r"(?m)^((?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*)\[((?:[^\[\]\\]|\\.)*)\]:")
_EMPTY_LINK = re.compile(r"((?<!\\)\[[ \t\n]*)\](?=[(\[])")
_PICTURE_LINK = re.compile(r"(!\[[^\[\]]*\](?:\([^()\n]*\)|\[[^\[\]]*\])?)[ \t\n]*\](?=[(\[])")
_INNER_FENCE = re.compile(r"(?m)^((?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*(?:`{3,}|~{3,}))[ \t]*(\S[^`\n]*)$")
_LABELS = re.compile(r"\[((?:[^\[\]\\]|\\.){1,200})\]")
_WORD = re.compile(r"[^\W_]+")
_UNTOLD = re.compile(
    r"(?m)^(?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)](?:[ \t]|$))*(?:\[[xX ]\][ \t])?|&\#?\w{1,31};|(?<=\])\[[^\[\]]*\]"
)
"""What has no words of its own in a rendered text: signs before a line, entities, the labels of definitions."""


def safe(text: str) -> str:
    """Markdown of which nothing is dropped when it is rendered, and nothing in it is hidden."""
    text = text.replace(NOTHING, f"‹U+{ord(NOTHING):04X}›")
    text = _OPENER.sub(rf"\1{NOTHING}[\2]:", text) if "]:" in text else text
    text = _EMPTY_LINK.sub(rf"\1{NOTHING}]", text) if "[" in text else text
    text = _PICTURE_LINK.sub(rf"\1{NOTHING}]", text) if "![" in text else text
    text = _INNER_FENCE.sub(_kept_words, text) if "```" in text or "~~~" in text else text
    return "\n".join(map(labelled, text.split("\n")))


def _kept_words(at: re.Match[str]) -> str:
    # Of the words behind a fence only the first would be told, and that as Latin-1: so they go as one, in ASCII.
    return at[1] + quote(at[2].strip())


def is_told(text: str, rendered: str) -> bool:
    """Whether every word of a Markdown text is in what became of it. Where it is not, show the text itself."""
    missing = set(_WORD.findall(_UNTOLD.sub(" ", text))) - set(_WORD.findall(rendered))
    return all(word in rendered for word in missing)


def is_definition(line: str) -> bool:
    """Whether a line says where a link by reference leads. A footnote is text."""
    found = _DEFINITION.match(line)
    return found is not None and not found[1].startswith("^")


class Definitions:
    """Where the links by reference in a text lead."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._found: dict[str, str] = {}
        for line in lines:
            match = _DEFINITION.match(line) if "]:" in line and len(line) <= LONGEST_DEFINITION else None
            if match is not None and not match[1].startswith("^"):
                target = match[2] if match[2] is not None else match[3]
                target = target.replace("<", "%3C").replace(">", "%3E")
                self._found.setdefault(_folded(match[1]), f"[{match[1]}]: <{target}>")

    def used_in(self, text: str) -> str:
        """Those that this part of the text uses, as Markdown."""
        if not self._found or "]" not in text:
            return ""
        wanted = {_folded(at[1]) for at in _LABELS.finditer(text)}
        return "\n\n".join(self._found[label] for label in sorted(wanted & self._found.keys()))


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()
