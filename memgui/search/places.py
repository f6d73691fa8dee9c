"""The places that answer a tool's query: passages of documents, those that hold the query as it was typed first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Protocol

from memgui.domain.hits import HitGroup, Reading, SearchHit
from memgui.domain.lines import Lines
from memgui.domain.passages import Passage, Place, cut_to_words, headings_in, passage_around
from memgui.domain.paths import DocPath, is_document, name_of, sort_key, visible
from memgui.domain.query import parts_of, words_of
from memgui.domain.wishes import Wish
from memgui.search.excerpts import Query, line_hits
from memgui.search.fold import fold, needle_of, text_of
from memgui.search.fusion import ByMeaning, blended
from memgui.search.literal import LiteralIndex, Match
from memgui.search.meaning.index import Near, Nearness
from memgui.search.ranking import Read, holding_all, is_curated, needles_of, promising
from memgui.search.words.answering import Found
from memgui.search.words.snippets import Snippets

MOST_PER_DOCUMENT = 3
"""So many places of one document stand in an answer while other documents match."""

COVERS_MOST = 0.6
"""A place that covers this much of the query's words, the rare ones counting more, matches strongly."""

_LINES_TRIED = 60
_MOST_DOCUMENTS = 60


@dataclass(frozen=True, slots=True)
class Words:
    """The needles of a query's words and what each is worth: the fewer documents hold it, the more."""

    worth: dict[str, float]

    def covered(self, folded: str) -> float:
        """How much of the words a text holds, from 0 to 1."""
        total = sum(self.worth.values())
        return sum(worth for needle, worth in self.worth.items() if needle in folded) / total if total else 0.0


class ByWords(Protocol):
    """Asks the index of words; answers passages and whether they hold all of the words, or None where it cannot say."""

    def __call__(self, read: Read, before_any: Callable[[], bool]) -> tuple[Sequence[Found], Reading, Wish] | None: ...


def places(
    index: LiteralIndex,
    text: str,
    read: Read,
    *,
    limit: int,
    exact: bool,
    words: ByWords | None = None,
    meaning: ByMeaning | None = None,
) -> tuple[tuple[Place, ...], Reading]:
    """The best places for a query, best first, the first scored 1.0. `exact`: only what holds the query as typed.

    What holds the whole query comes first; then what `words` answers, and where it has nothing that holds all words,
    the documents that do; only then what holds some. What `meaning` answers is weighed together with the words.
    """
    whole = needle_of(text)
    if not whole:
        return (), Reading.WHOLE
    holders = _documents(index.search(whole.encode()).all(), whole)
    scan = _Scan(index, needles_of(words_of(text)) or (whole,), alone=exact)
    reading = Reading.WHOLE if scan.is_one else Reading.ALL
    by_words = words(read, lambda: bool(holders or scan.holding_all)) if words is not None and not exact else None
    left: list[Match] = []
    if by_words is not None and by_words[0]:
        reading = reading if by_words[1] is Reading.ALL else Reading.ANY
    elif not exact and not holders and not scan.holding_all:
        reading = Reading.ANY
        scan = _Scan(index, needles_of((*words_of(text), *parts_of(words_of(text)))))
        left = _holding_any(index, scan.words)
    search = _Search(whole, text.strip(), scan, read)
    first = search.in_documents(promising(holders, whole.encode(), _MOST_DOCUMENTS), whole_only=True)
    seen = {match.entry.path for match in holders}
    answered = [one for one in by_words[0] if one.path not in seen] if by_words is not None else []
    nearness = None
    if meaning is not None and not exact:
        nearness = meaning([(one.path, one.passage.first, one.passage.end) for one in answered])
    if by_words is not None and (answered or nearness is not None):
        told = _told(answered, by_words[2])
        rest = _by_document(told) if nearness is None else blended(told, nearness, read, text, seen=seen)
    else:
        left = [match for match in left or scan.holding_all if match.entry.path not in seen][:_MOST_DOCUMENTS]
        rest = search.in_documents(left, whole_only=False)
        if nearness is not None:
            rest = _with_near(rest, blended((), nearness, read, text, seen={*seen, *(one[0].path for one in rest)}))
    return _ordered(first, rest, limit), reading


def _with_near(by_scan: list[list[Place]], near: list[list[Place]]) -> list[list[Place]]:
    """What the scan found where no index of words could say, and the near: strong ones first, the scan's before."""
    ranked = [
        replace(place, score=place.strong * 2.0 + shift + 0.5 * place.score / (1.0 + place.score))
        for shift, several in ((0.5, by_scan), (0.0, near))
        for one in several
        for place in one
    ]
    by_document: dict[DocPath, list[Place]] = {}
    for place in _by_score(ranked):
        by_document.setdefault(place.path, []).append(place)
    return list(by_document.values())


def places_of_words(found: Sequence[Found], wish: Wish) -> list[list[Place]]:
    """What the index of words found, by document, as places."""
    return _by_document(_told(found, wish))


def _by_document(told: Sequence[tuple[Found, Place]]) -> list[list[Place]]:
    by_document: dict[DocPath, list[Place]] = {}
    for _found, place in told:
        by_document.setdefault(place.path, []).append(place)
    return [_by_score(several) for several in by_document.values()]


def _told(found: Sequence[Found], wish: Wish) -> list[tuple[Found, Place]]:
    """What the index of words found, each with the place that it is."""
    snippets = Snippets(wish)
    best = max((one.score for one in found), default=0.0) or 1.0
    told: list[tuple[Found, Place]] = []
    for one in found:
        if not _is_seen(one.path):
            continue
        hit = snippets.hits(one, 1)[0]
        lines = one.lines[one.passage.first : one.passage.end]
        before = sum(len(line) + 1 for line in one.lines[one.passage.first : hit.line - 1]) + hit.column
        content = cut_to_words("\n".join(lines), before)
        score = 4.0 * one.covered + one.score / best + (0.5 if is_curated(one.path) else 0.0)
        told.append((one, Place(one.path, content, hit, score, strong=one.covered >= COVERS_MOST)))
    return told


def only_near(found: Sequence[Near], read: Read, text: str, limit: int) -> tuple[Place, ...]:
    """The places of the vectors alone."""
    return _ordered([], blended((), Nearness(tuple(one for one in found if _is_seen(one.path))), read, text), limit)


def only_words(found: Sequence[Found], wish: Wish, limit: int) -> tuple[Place, ...]:
    """The places of the index of words alone."""
    return _ordered([], places_of_words(found, wish), limit)


def _documents(files: Sequence[Match], needle: str = "") -> list[Match]:
    """The documents among them; where a needle is given, not those that hold it in a folder's name alone."""
    documents = [match for match in files if _is_seen(match.entry.path)]
    return [match for match in documents if match.inside or not needle or needle in fold(name_of(match.entry.path))]


def _is_seen(path: DocPath) -> bool:
    """Whether tools may reach it. Of hidden folders only those that a layout names are in the index at all."""
    return is_document(path) and not visible(name_of(path)).strip().startswith(".")


def _weighed(index: LiteralIndex, needles: Sequence[str]) -> Words:
    known = max(1, index.files)
    return Words({needle: log(1 + known / (1 + index.search(needle.encode()).files)) for needle in needles})


def _holding_any(index: LiteralIndex, words: Words) -> list[Match]:
    """Documents that hold a word, those that cover most first."""
    matches: dict[str, Match] = {}
    covered: dict[str, float] = {}
    for needle, worth in words.worth.items():
        for match in _documents(index.search(needle.encode()).all(), needle):
            matches.setdefault(match.entry.path, match)
            covered[match.entry.path] = covered.get(match.entry.path, 0.0) + worth
    ranked = sorted(matches, key=lambda path: (-covered[path], -matches[path].entry.weight, sort_key(path)))
    return [matches[path] for path in ranked]


@dataclass(frozen=True)
class _Scan:
    """What the scan knows of the words of a query, found out only where it is wanted: a common word takes a while."""

    index: LiteralIndex
    needles: tuple[str, ...]
    alone: bool = False
    """Only what holds the whole query is wanted."""

    @property
    def is_one(self) -> bool:
        """Whether there is nothing to be looked for beside the whole query."""
        return self.alone or len(self.needles) < 2

    @cached_property
    def words(self) -> Words:
        """The words, and what each is worth."""
        return _weighed(self.index, self.needles)

    @cached_property
    def holding_all(self) -> list[Match]:
        """The documents that hold every word."""
        return [] if self.is_one else _documents(holding_all(self.index, self.needles).chosen)


@dataclass(frozen=True, slots=True)
class _Search:
    whole: str
    typed: str
    scan: _Scan
    read: Read

    def in_documents(self, matches: Sequence[Match], *, whole_only: bool) -> list[list[Place]]:
        """The places of each document, best first, none empty; the documents best first."""
        needles = (self.whole,) if whole_only else self.scan.needles
        found = [self._in_document(match, needles, whole_only=whole_only) for match in matches]
        return sorted(filter(None, found), key=lambda one: (-one[0].score, sort_key(one[0].path), one[0].hit.line))

    def _in_document(self, match: Match, needles: tuple[str, ...], *, whole_only: bool) -> list[Place]:
        path = match.entry.path
        found = self.read(path)
        if found is None:
            return []
        data = found[0]
        query = Query(self.typed, needles, HitGroup.LITERAL if whole_only else HitGroup.WORDS)
        hits = line_hits(path, data, query, limit=_LINES_TRIED)
        lines = Lines.split(text_of(data)).texts
        if not hits and match.named:
            hits = (SearchHit(path, 1, lines[0], (), 1.0, query.group),)
        headings = headings_in(lines)
        # Enough to decide between like places, not to lift an unlike one.
        known = 0.5 if is_curated(path) else 0.0
        by_passage: dict[Passage, Place] = {}
        for hit in hits:
            passage = passage_around(lines, hit.line - 1, headings)
            place = self._place(lines, passage, hit, known=known, named=match.named)
            if passage not in by_passage or place.score > by_passage[passage].score:
                by_passage[passage] = place
        return sorted(by_passage.values(), key=lambda place: (-place.score, place.hit.line))

    def _place(self, lines: Sequence[str], passage: Passage, hit: SearchHit, *, known: float, named: bool) -> Place:
        content = "\n".join(lines[passage.first : passage.end])
        before = sum(len(line) + 1 for line in lines[passage.first : hit.line - 1]) + hit.column
        content = cut_to_words(content, before)
        folded = fold(content)
        # What holds the whole query holds its words, whatever they are worth.
        covered = 1.0 if self.whole in folded else self.scan.words.covered(folded)
        holds = self.whole in folded or (named and not hit.marks)
        score = 3.0 * holds + 4.0 * covered + 0.15 * hit.score + known
        return Place(hit.path, content, hit, score, strong=holds or covered >= COVERS_MOST)


def _ordered(holders: list[list[Place]], others: list[list[Place]], limit: int) -> tuple[Place, ...]:
    """First one place of each document that holds the query, then the rest by score, few of one document at first."""
    first = [one[0] for one in holders]
    later = [place for one in holders for place in one[1:MOST_PER_DOCUMENT]]
    later += [place for one in others for place in one[:MOST_PER_DOCUMENT]]
    last = [place for one in (*holders, *others) for place in one[MOST_PER_DOCUMENT:]]
    chosen = [*first, *_by_score(later), *_by_score(last)][:limit]
    return _relative(chosen)


def _by_score(places: list[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (-place.score, sort_key(place.path), place.hit.line))


def _relative(places: list[Place]) -> tuple[Place, ...]:
    """Scores divided by the best, never rising from one place to the next."""
    if not places:
        return ()
    top = places[0].score
    ceiling = 1.0
    scored = []
    for place in places:
        ceiling = min(ceiling, place.score / top)
        scored.append(replace(place, score=round(ceiling, 4)))
    return tuple(scored)
