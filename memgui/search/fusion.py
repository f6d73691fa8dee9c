"""Words and meaning in one order: what both say of a passage, in figures that can be added.

A list that is noise must not drag the other down, so ranks are not added but what stands behind them: how near the
meaning is, on a scale where 0 is a model's floor, and how much of the query's words stand there. On four sets of
paired notes and questions this kept the order of meaning alone where the words were noise, and bettered it elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

from memgui.domain import frontmatter as block
from memgui.domain.hits import HitGroup, SearchHit
from memgui.domain.lines import Lines
from memgui.domain.outline import heading_of
from memgui.domain.passages import MOST_WORDS, Passage, Place, cut_to_words
from memgui.domain.paths import DocPath
from memgui.domain.query import words_of
from memgui.search.excerpts import cut_around
from memgui.search.fold import fold, text_of
from memgui.search.meaning.index import Lines as NamedLines
from memgui.search.meaning.index import Near, Nearness
from memgui.search.meaning.texts import passage_texts
from memgui.search.ranking import Read
from memgui.search.words.answering import Found

WORDS_WEIGH = 1.8
"""What all words of a query, said often, are worth beside a meaning from its floor (0) to clear (1).

Of MiniLM's cosine .17 lie between the two; .3 of a cosine is what the words were worth there when it was measured.
"""

SATURATION = 12.0
"""The BM25 at which words have said half of what they can say."""

_LIFT = 2.0
"""No closeness lies so far below a floor: lifted by this, what is shown as a score is never negative."""

_ALIKE = 5
"""Words that have so many letters in common at their beginning are taken for forms of one."""

CLEAR = 1.0
"""From this closeness on a passage answers strongly by its meaning alone."""

ByMeaning = Callable[[Collection[NamedLines]], Nearness | None]
"""Asks the vectors: what is near, and how near the named lines are. None where nothing is known."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: Place
    worth: float


def blended(
    words: Sequence[tuple[Found, Place]], nearness: Nearness, read: Read, text: str, *, seen: Collection[DocPath] = ()
) -> list[list[Place]]:
    """The places of both lists by document, best first; documents that were `seen` already are left out.

    `words`: what the index of words found, each with its place.
    """
    read = cache(read)
    best: dict[tuple[DocPath, int], _Candidate] = {}
    covered: dict[DocPath, list[Passage]] = {}
    for found, place in words:
        at = (found.path, found.passage.first)
        covered.setdefault(found.path, []).append(found.passage)
        now = read(found.path)
        # What was read before the file changed tells nothing of the passage that stands there now.
        close = nearness.of(found.path, found.passage.first, None if now is None else now[1])
        known = nearness.typical if close is None else close
        worth = known + WORDS_WEIGH * found.score / (found.score + SATURATION) * found.covered
        both = close is not None and close > 0
        best[at] = _Candidate(
            replace(place, score=worth + _LIFT, strong=place.strong or (close or 0.0) >= CLEAR, hybrid=both), worth
        )
    for place, one in near_places(nearness.found, read, text):
        told = any(passage.first <= place.first < passage.end for passage in covered.get(one.path, ()))
        if not told and one.path not in seen:
            best[one.path, place.first] = _Candidate(place, one.closeness)
    by_document: dict[DocPath, list[_Candidate]] = {}
    for candidate in best.values():
        by_document.setdefault(candidate.place.path, []).append(candidate)
    return [
        [one.place for one in sorted(several, key=lambda one: (-one.worth, one.place.hit.line))]
        for several in by_document.values()
    ]


def near_places(found: Sequence[Near], read: Read, text: str) -> list[tuple[Place, Near]]:
    """The near passages as places, each looked at in the file as it is now; what says another thing now is left out.

    Of each passage the line is shown that has most in common with the text that was asked.
    """
    asked = _beginnings(text)
    places: list[tuple[Place, Near]] = []
    for near in found:
        now = read(near.path)
        if now is None:
            continue
        data, key = now
        lines = Lines.split(text_of(data)).texts
        passage: Passage | None = Passage(near.first, near.end)
        if key != near.key or near.end > len(lines):
            passage = _moved(near, data)
        if passage is not None:
            places.append((_place(near, lines, passage, asked), near))
    return places


def _moved(near: Near, data: bytes) -> Passage | None:
    """Where the same passage stands in a document that changed."""
    for one in passage_texts(near.path, data):
        if one.print_ == near.print_:
            return Passage(one.first, one.end)
    return None


def _beginnings(text: str) -> frozenset[str]:
    """How the longer words of a text begin: whatever form they have, they begin alike."""
    return frozenset(word[:_ALIKE] for word in words_of(fold(text)) if len(word) >= _ALIKE - 1)


def _place(near: Near, lines: Sequence[str], passage: Passage, asked: frozenset[str]) -> Place:
    first = passage.first
    if not first and (meta := block.read("\n".join(lines[: passage.end]))) is not None:
        # The keys of the front matter tell nobody anything.
        first = "\n".join(lines[: passage.end])[: meta.body].count("\n")
    telling = [n for n in range(first, passage.end) if lines[n].strip() and heading_of(lines[n]) is None]
    number = max(telling, key=lambda n: (len(asked & _beginnings(lines[n])), -n), default=passage.first)
    content, _marks = cut_around(lines[number], ())
    hit = SearchHit(near.path, number + 1, content, (), near.closeness, HitGroup.MEANING)
    text = cut_to_words("\n".join(lines[passage.first : passage.end]), 0, MOST_WORDS)
    strong = near.closeness >= CLEAR
    return Place(near.path, text, hit, near.closeness + _LIFT, strong, first=passage.first)
