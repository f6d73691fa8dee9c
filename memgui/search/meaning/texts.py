"""A document as models are given it: its passages, each below the heading that it stands under."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from memgui.domain import frontmatter as block
from memgui.domain.daily import day_of
from memgui.domain.language import is_english
from memgui.domain.lines import Lines
from memgui.domain.outline import outline
from memgui.domain.passages import Passage, passages_of, words_in
from memgui.domain.paths import DocPath
from memgui.search.fold import text_of

RULE = 3
"""Another number where the same document would be taken apart otherwise: all vectors are then made anew."""

_LIST = 3
"""So many items make a list of which each says something by itself."""

_TOGETHER = 60
"""Items of so many words together share a vector: more vectors find hardly more, and take as much more time to make."""

_ITEM = re.compile(r" ?(?:[-*+]|\d{1,9}[.)])\s")
_LONGEST = 4_000
"""Characters of a passage that a model is given; it reads no more than some hundred words."""


@dataclass(frozen=True, slots=True)
class PassageText:
    """Lines `first` up to `end` (from 0) and what a model is given for them."""

    first: int
    end: int
    text: str
    english: bool

    @property
    def print_(self) -> bytes:
        """What tells this text from others, whatever document it stands in."""
        return hashlib.blake2b(self.text.encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _by_items(lines: Sequence[str], passage: Passage) -> list[Passage]:
    """A long list in its items, short ones together: a dozen decisions in one vector are near to none of them."""
    starts = [number for number in range(passage.first, passage.end) if _ITEM.match(lines[number])]
    if len(starts) < _LIST:
        return [passage]
    found: list[Passage] = []
    room = 0
    for first, end in pairwise([passage.first, *starts, passage.end]):
        size = sum(words_in(lines[number]) for number in range(first, end))
        if found and size <= room:
            found[-1] = Passage(found[-1].first, end)
            room -= size
        elif first < end:
            found.append(Passage(first, end))
            room = _TOGETHER - size
    return found


def passage_texts(path: DocPath, data: bytes) -> list[PassageText]:
    """The passages that say something. Never raises, whatever the bytes are."""
    text = text_of(data)
    lines = Lines.split(text).texts
    headings = {entry.line - 1: entry.text for entry in outline(lines)}
    meta = block.read(text)
    # The keys of the front matter are no sentence; what they say stands in the first passage's heading.
    begins = text.count("\n", 0, meta.body) if meta is not None else 0
    title = (meta.description or meta.name or "") if meta is not None else ""
    found = []
    above = title
    daily = day_of(path) is not None
    whole = passages_of(lines, frozenset(headings), daily=daily)
    for passage in whole if daily else (part for one in whole for part in _by_items(lines, one)):
        inside = [number for number in headings if passage.first <= number < passage.end]
        body = "\n".join(lines[max(passage.first, begins) : passage.end]).strip()
        given = f"{above}\n{body}" if above and passage.first not in headings else body
        given = given.strip()[:_LONGEST]
        if inside:
            above = headings[max(inside)]
        if any(character.isalnum() for character in given):
            found.append(PassageText(passage.first, passage.end, given, is_english(given)))
    return found
