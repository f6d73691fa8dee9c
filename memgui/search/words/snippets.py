"""The lines of a passage that show why it answers, with every word that was asked for marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memgui.domain.hits import FileHits, HitGroup, SearchHit
from memgui.domain.paths import sort_key
from memgui.domain.patterns import places_of
from memgui.domain.wishes import Either, Every, Field, Only, Pattern, Phrase, Wish
from memgui.search.excerpts import cut_around, marks_in, merged
from memgui.search.fold import needle_of
from memgui.search.words import analysis
from memgui.search.words.answering import Found
from memgui.search.words.stems import is_bent, stem
from memgui.search.words.wanting import fulfils_task, pieces_asked

MOST_LINES = 3
"""So many lines of a passage are shown at most; as few as show every word."""

_MOST_CHARACTERS = 20_000
Kind = TypeVar("Kind", Phrase, Only, Pattern)

_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    marks: tuple[tuple[int, int], ...]
    words: frozenset[str]
    is_task: bool = False


class Snippets:
    """Shows passages for one query."""

    def __init__(self, wish: Wish) -> None:
        self._words = frozenset(word for piece in pieces_asked(wish) for word in piece.words)
        self._stems = frozenset(piece.stem for piece in pieces_asked(wish) if piece.stem)
        self._phrases = tuple(needle_of(phrase.text) for phrase in _all_of(wish, Phrase))
        self._patterns = tuple(filter(None, (places_of(one.pattern) for one in _all_of(wish, Pattern))))
        self._tasks = tuple(only for only in _all_of(wish, Only) if only.field in (Field.TODO, Field.DONE))

    def hits(self, found: Found, most: int = MOST_LINES) -> tuple[SearchHit, ...]:
        """The lines to show for a passage, in line order; at least one."""
        stems = self._stems if self._stems and is_bent(found.text) else frozenset[str]()
        lines = [self._line(found.lines, number, stems) for number in range(found.passage.first, found.passage.end)]
        chosen = self._chosen(lines, most)
        if not chosen:
            first = next((line for line in lines if analysis.words(line.text)), lines[0])
            chosen = [first]
        return tuple(_hit(found, line) for line in sorted(chosen, key=lambda line: line.number))

    def _line(self, lines: Sequence[str], number: int, stems: frozenset[str]) -> _Line:
        text = lines[number]
        found = [word for word in analysis.spans(text[:_MOST_CHARACTERS]) if self._is_asked(word, text, stems)]
        spans = [(word.start, word.end) for word in found]
        if self._phrases:
            spans += marks_in(text[:_MOST_CHARACTERS], self._phrases)
        for places in self._patterns:
            spans += places(text[:_MOST_CHARACTERS])
        task = any(fulfils_task(text, only) for only in self._tasks)
        return _Line(number, text, tuple(merged(spans)), frozenset(word.text for word in found), task)

    def _is_asked(self, word: analysis.Word, text: str, stems: frozenset[str]) -> bool:
        return word.text in self._words or bool(stems and stem(text[word.start : word.end]) in stems)

    def _chosen(self, lines: Sequence[_Line], most: int) -> list[_Line]:
        """The fewest lines that together show the most words, tasks that were asked for first, text before headings."""
        chosen: list[_Line] = []
        shown: frozenset[str] = frozenset()
        left = [line for line in lines if line.marks or line.is_task]
        while left and len(chosen) < most:
            best = max(
                left,
                key=lambda line: (
                    line.is_task,
                    len(line.words - shown),
                    not _HEADING.match(line.text),
                    len(line.marks),
                    -line.number,
                ),
            )
            if chosen and not best.words - shown and not best.is_task:
                break
            chosen.append(best)
            shown |= best.words
            left.remove(best)
        return chosen


def by_file(found: Iterable[Found], wish: Wish, *, per_file: int) -> tuple[FileHits, ...]:
    """The passages by file, the files in the order of their best passages. A file's total counts its passages."""
    snippets = Snippets(wish)
    passages: dict[str, list[Found]] = {}
    for one in found:
        passages.setdefault(one.path, []).append(one)
    files = []
    for several in passages.values():
        hits: list[SearchHit] = []
        for one in several:
            if len(hits) < per_file:
                hits += snippets.hits(one)[: per_file - len(hits)]
        hits.sort(key=lambda hit: hit.line)
        files.append(FileHits(several[0].path, tuple(hits), len(several), several[0].score))
    return tuple(sorted(files, key=lambda file: (-file.score, sort_key(file.path))))


def _all_of(wish: Wish, kind: type[Kind]) -> list[Kind]:
    """The wishes of this kind that are to be there."""
    if isinstance(wish, kind):
        return [wish]
    if isinstance(wish, (Every, Either)):
        return [one for inner in wish.wishes for one in _all_of(inner, kind)]
    return []


def _hit(found: Found, line: _Line) -> SearchHit:
    content, marks = cut_around(line.text, line.marks)
    column = line.marks[0][0] if line.marks else 0
    return SearchHit(found.path, line.number + 1, content, marks, found.score, HitGroup.WORDS, column)
