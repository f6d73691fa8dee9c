"""The headings of a document, as a reader would list them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One heading: its words, its level from 1, its line from 1."""

    text: str
    level: int
    line: int


def outline(lines: Sequence[str]) -> tuple[OutlineEntry, ...]:
    """The `#` headings of a Markdown text, those in fenced code left out."""
    found: list[OutlineEntry] = []
    fence = ""
    for number, text in enumerate(lines, 1):
        if fence:
            stripped = text.strip()
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
            continue
        if (opened := _FENCE.match(text)) is not None and "`" not in (opened[2] if opened[1][0] == "`" else ""):
            fence = opened[1]
        elif (heading := heading_of(text)) is not None:
            level, words = heading
            found.append(OutlineEntry(words, level, number))
    return tuple(found)


def heading_of(text: str) -> tuple[int, str] | None:
    """The level and the words of the heading that this line is, if it is one; the signs that close it left out."""
    found = _HEADING.match(text)
    if found is None:
        return None
    words = text[found.end() :].strip()
    opened = words.rstrip("#")
    if opened != words and (not opened or opened[-1] in " \t"):
        words = opened.rstrip()
    return len(found[1]), words
