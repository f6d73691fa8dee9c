"""Passages: the part of a document that an answer quotes around a line, at most 200 words of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memgui.domain.hits import SearchHit
from memgui.domain.paths import DocPath

MOST_WORDS = 200

_HEADING = re.compile(r" {0,3}#{1,6}(\s|$)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_ITEM = re.compile(r"\s*([-*+]|\d{1,9}[.)])\s")
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
