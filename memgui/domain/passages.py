"""Passages: the part of a document that an answer quotes around a line, at most 200 words of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memgui.domain.hits import SearchHit
from memgui.domain.paths import DocPath

MOST_WORDS = 200

_HEADING = re.compile(r" {0,3}#{1,6}(\s|$)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_ITEM = re.compile(r"\s*([-*+]|\d{1,9}[.)])\s")
_ENTRY = re.compile(r"(?:[-*+]\s+|\d{1,9}[.)]\s+|(?:[*_`\[(]{0,3})\d{1,2}[:.h]\d{2}\b)")
"""How an entry of a daily log begins: an item of a list, or a time, at the beginning of the line."""
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines `first` up to `end` (from 0, the end not counted)."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """One result of a memory search: a passage, the line in it that answers best, and how well it does."""

    path: DocPath
    content: str
    hit: SearchHit
    score: float
    strong: bool
    first: int = 0
    """The first line of the passage, from 0."""
    hybrid: bool = False
    """Both its words and its meaning answer."""


def words_in(line: str) -> int:
    """How many words a line has; in scripts without blanks, two characters count as one."""
    if line.isascii():
        return len(line.split())
    unspaced = len(_UNSPACED.findall(line))
    return len(_UNSPACED.sub(" ", line).split()) + (unspaced + 1) // 2


def headings_in(lines: Sequence[str]) -> frozenset[int]:
    """The numbers, from 0, of the lines that are headings; in fenced code none is."""
    found = set()
    fence = ""
    for number, line in enumerate(lines):
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1] == fence):
            fence = "" if fence else opened[1]
        elif not fence and _HEADING.match(line):
            found.add(number)
    return frozenset(found)


def passage_around(lines: Sequence[str], line: int, headings: frozenset[int]) -> Passage:
    """What a reader needs around a line: its section, its paragraph, its list item, or the nearest lines."""
    for passage in (_section(lines, line, headings), _paragraph(lines, line, headings), _item(lines, line, headings)):
        trimmed = _trimmed(lines, passage)
        if trimmed.first <= line < trimmed.end and _words(lines, trimmed) <= MOST_WORDS:
            return trimmed
    return _nearest(lines, line)


def passages_of(lines: Sequence[str], headings: frozenset[int], *, daily: bool = False) -> tuple[Passage, ...]:
    """The whole document in passages, none empty: sections, and where one is too long its paragraphs, items, lines.

    In a daily log each entry is one, with its further lines.
    """
    starts = sorted({0, *headings})
    found: list[Passage] = []
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        section = Passage(first, end)
        if daily:
            found += _packed(lines, _cut_at(lines, section, _is_entry), together=False)
        elif _words(lines, section) <= MOST_WORDS:
            found.append(section)
        else:
            found += _packed(lines, _cut_at(lines, section, _is_paragraph), together=True)
    trimmed = (_trimmed(lines, passage) for passage in found)
    return tuple(passage for passage in trimmed if any(lines[n].strip() for n in range(passage.first, passage.end)))


def cut_to_words(text: str, at: int, most: int = MOST_WORDS) -> str:
    """At most so many words of the text, around the character `at`; marked where it was cut."""
    if words_in(text) <= most:
        return text
    start = end = max(0, min(at, len(text) - 1))
    step = 1 + len(text) // 400
    while end - start < len(text):
        wider = (max(0, start - step), min(len(text), end + 3 * step))
        if words_in(text[wider[0] : wider[1]]) > most:
            break
        start, end = wider
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _section(lines: Sequence[str], line: int, headings: frozenset[int]) -> Passage:
    first = line
    while first > 0 and first not in headings:
        first -= 1
    end = line + 1
    while end < len(lines) and end not in headings:
        end += 1
    return Passage(first, end)


def _is_entry(lines: Sequence[str], number: int) -> bool:
    return bool(_ENTRY.match(lines[number]))


def _is_paragraph(lines: Sequence[str], number: int) -> bool:
    return not lines[number - 1].strip() or bool(_ITEM.match(lines[number]))


def _cut_at(lines: Sequence[str], section: Passage, begins: Callable[[Sequence[str], int], bool]) -> list[Passage]:
    cuts = [section.first, *(n for n in range(section.first + 1, section.end) if begins(lines, n)), section.end]
    return [Passage(first, end) for first, end in pairwise(cuts)]


def _packed(lines: Sequence[str], parts: Sequence[Passage], *, together: bool) -> list[Passage]:
    """Neighbours `together` as far as they fit; a part that is too long by itself in as many lines as fit."""
    found: list[Passage] = []
    room = 0
    for part in parts:
        size = _words(lines, part)
        if size > MOST_WORDS:
            found += _by_lines(lines, part)
            room = 0
        elif together and size <= room:
            found[-1] = Passage(found[-1].first, part.end)
            room -= size
        else:
            found.append(part)
            room = MOST_WORDS - size
    return found


def _by_lines(lines: Sequence[str], part: Passage) -> list[Passage]:
    found: list[Passage] = []
    room = 0
    for number in range(part.first, part.end):
        size = words_in(lines[number])
        if found and size <= room:
            found[-1] = Passage(found[-1].first, number + 1)
            room -= size
        else:
            found.append(Passage(number, number + 1))
            room = MOST_WORDS - size
    return found


def _paragraph(lines: Sequence[str], line: int, headings: frozenset[int]) -> Passage:
    first, end = line, line + 1
    while first > 0 and lines[first - 1].strip() and first not in headings:
        first -= 1
    while end < len(lines) and lines[end].strip() and end not in headings:
        end += 1
    return Passage(first, end)


def _item(lines: Sequence[str], line: int, headings: frozenset[int]) -> Passage:
    whole = _paragraph(lines, line, headings)
    first, end = line, line + 1
    while first > whole.first and not _ITEM.match(lines[first]):
        first -= 1
    while end < whole.end and not _ITEM.match(lines[end]):
        end += 1
    return Passage(first, end)


def _nearest(lines: Sequence[str], line: int) -> Passage:
    first, end, words = line, line + 1, words_in(lines[line])
    grown = True
    while grown:
        grown = False
        if end < len(lines) and words + (more := words_in(lines[end])) <= MOST_WORDS:
            words, end, grown = words + more, end + 1, True
        if first > 0 and words + (more := words_in(lines[first - 1])) <= MOST_WORDS:
            words, first, grown = words + more, first - 1, True
    return Passage(first, end)


def _trimmed(lines: Sequence[str], passage: Passage) -> Passage:
    first, end = passage.first, passage.end
    while end > first + 1 and not lines[end - 1].strip():
        end -= 1
    while first < end - 1 and not lines[first].strip():
        first += 1
    return Passage(first, end)


def _words(lines: Sequence[str], passage: Passage) -> int:
    total = 0
    for number in range(passage.first, passage.end):
        total += words_in(lines[number])
        if total > MOST_WORDS:
            break
    return total
