"""Places in one file: which lines hold the query, cut to a readable length, with the exact characters marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import AnyStr

from memgui.domain.hits import HitGroup, SearchHit
from memgui.domain.lines import Lines
from memgui.domain.paths import DocPath, shown
from memgui.search.fold import PIECE, fold, fold_bytes, origins, pieces, text_of

WIDTH = 300
"""Longer lines are cut around their first match."""

_BEFORE = 60
_MOST_MARKS = 200
_WEIGHED_MARKS = 8
_ODD_BREAKS = ("\u2029", "\ufdd0", "\ufdd1")
_FIRST, _SECOND, _THIRD = (odd.encode() for odd in _ODD_BREAKS)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")

WHOLE_WORD, EXACT, HEADING = 4.0, 3.0, 3.0


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: the text as typed (blanks around it cut) and the folded needles, one or several words."""

    typed: str
    needles: tuple[str, ...]
    group: HitGroup = HitGroup.LITERAL


def line_hits(
    path: DocPath, data: bytes, query: Query, *, limit: int, folded: bytes | None = None
) -> tuple[SearchHit, ...]:
    """The first lines of a file that hold the query, at most `limit`. `folded`: its folded text, where known."""
    if len(data) <= PIECE:
        needles = [needle.encode() for needle in query.needles]
        found = islice(_lines_with(fold_bytes(data) if folded is None else folded, needles, b"\n"), limit)
        lines = _lines_of(data)
        return tuple(_hit(path, number + 1, lines(number), query, piece.decode()) for number, piece in found)
    hits: list[SearchHit] = []
    before = 0
    for text in _whole_lines(data, whole=any("\n" in needle for needle in query.needles)):
        piece = fold(text)
        texts: Sequence[str] = ()
        for number, folded_line in islice(_lines_with(piece, query.needles, "\n"), limit - len(hits)):
            texts = texts or _split(text)
            hits.append(_hit(path, before + number + 1, texts[number], query, folded_line))
        if len(hits) >= limit:
            break
        before += piece.count("\n")
    return tuple(hits)


def _split(text: str) -> Sequence[str]:
    if "\r" in text or any(odd in text for odd in _ODD_BREAKS):
        return Lines.split(text).texts
    return text.split("\n")


def _lines_of(data: bytes) -> Callable[[int], str]:
    """Gives the lines of a file by their numbers from 0; only those that are asked for are decoded."""
    if b"\r" in data or _FIRST in data or _SECOND in data or _THIRD in data:
        return Lines.split(text_of(data)).texts.__getitem__
    rows = data.split(b"\n")

    def line(number: int) -> str:
        row = rows[number]
        if number:
            try:
                return row.decode()
            except UnicodeDecodeError:
                # The mark at the beginning is dropped from the first line, and would be dropped from any other.
                return text_of(b"\n" + row)[1:]
        return text_of(row)

    return line


def name_hit(path: DocPath, query: Query) -> SearchHit:
    """The place that a file has because its path holds the query."""
    content = shown(path)
    marks = marks_in(content, query.needles)
    stem = fold(path.rpartition("/")[2].partition(".")[0])
    name = fold(path.rpartition("/")[2])
    score = 0.5
    if any(needle in (stem, name) for needle in query.needles):
        score = 12.0
    elif any(needle in name for needle in query.needles):
        score = 5.0
    return SearchHit(path, 1, content, marks, score, query.group, in_name=True)


def marks_in(line: str, needles: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The spans of a line that hold a needle, ascending and apart from each other."""
    return _marks(line, fold(line), needles)


def _marks(line: str, folded: str, needles: Sequence[str]) -> tuple[tuple[int, int], ...]:
    return origins(line, _spans(folded, needles))


def _spans(folded: str, needles: Sequence[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for needle in needles:
        first, _break, rest = needle.partition("\n")
        if rest:
            if folded.endswith(first):
                spans.append((len(folded) - len(first), len(folded)))
            continue
        at = folded.find(needle)
        while at >= 0 and len(spans) < _MOST_MARKS:
            spans.append((at, at + len(needle)))
            at = folded.find(needle, at + len(needle))
    return merged(spans) if len(needles) > 1 else spans


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order; those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _whole_lines(data: bytes, *, whole: bool) -> Iterator[str]:
    """The text in pieces that end where a line ends; as one piece where the query itself runs over lines."""
    if whole:
        yield "".join(pieces(data))
        return
    held: list[str] = []
    for piece in pieces(data):
        cut = piece.rfind("\n") + 1
        if not cut:
            held.append(piece)
            continue
        yield "".join((*held, piece[:cut]))
        held = [piece[cut:]]
    yield "".join(held)


def _lines_with(folded: AnyStr, needles: Sequence[AnyStr], newline: AnyStr) -> Iterator[tuple[int, AnyStr]]:
    """The lines in which a needle begins: their numbers, from 0, and each as it is folded."""
    line, counted, start = 0, 0, 0
    while True:
        places = [at for needle in needles if (at := folded.find(needle, start)) >= 0]
        if not places:
            return
        at = min(places)
        line += folded.count(newline, counted, at)
        counted = at
        end = folded.find(newline, at)
        yield line, folded[folded.rfind(newline, 0, at) + 1 : end if end >= 0 else None]
        start = end + 1
        if not start:
            return


def _hit(path: DocPath, number: int, line: str, query: Query, folded: str) -> SearchHit:
    marks = _marks(line, folded, query.needles)
    column = marks[0][0] if marks else 0
    content, shifted = cut_around(line, marks)
    return SearchHit(path, number, content, shifted, _worth(line, marks, query, folded), query.group, column)


def _worth(line: str, marks: Sequence[tuple[int, int]], query: Query, folded: str) -> float:
    """Whole words, text exactly as typed and headings are worth more; of several words, each that is there."""
    worth = 1.0
    if any(_stands_alone(line, start, end) for start, end in marks[:_WEIGHED_MARKS]):
        worth += WHOLE_WORD
    if query.typed in line:
        worth += EXACT
    if _HEADING.match(line):
        worth += HEADING
    if len(query.needles) > 1:
        worth += 2.0 * sum(needle in folded for needle in query.needles)
    return worth


def _stands_alone(line: str, start: int, end: int) -> bool:
    """Whether no letter or digit goes on at either end."""
    begins = start == 0 or not (_is_word(line[start - 1]) and _is_word(line[start]))
    return begins and (end >= len(line) or not (_is_word(line[end]) and _is_word(line[end - 1])))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def cut_around(line: str, marks: Sequence[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A readable part of the line, and the marks in it."""
    if len(line) <= WIDTH:
        return line, tuple(marks)
    first = marks[0][0] if marks else 0
    start = max(0, min(first - _BEFORE, len(line) - WIDTH))
    end = min(len(line), start + WIDTH)
    head, tail = ("…" if start else ""), ("…" if end < len(line) else "")
    shift = len(head) - start
    inside = [(max(a, start) + shift, min(b, end) + shift) for a, b in marks if a < end and b > start]
    return f"{head}{line[start:end]}{tail}", tuple(inside)
