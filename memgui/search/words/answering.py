"""The passages that answer a query, each looked at on disk before it is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

from memgui.domain.lines import Lines
from memgui.domain.passages import Passage
from memgui.domain.paths import DocPath, sort_key
from memgui.domain.patterns import places_of
from memgui.domain.wishes import Asked, Every, Text, Wish
from memgui.search.fold import text_of
from memgui.search.literal import Stop, never
from memgui.search.ranking import Read
from memgui.search.segments import Key
from memgui.search.words import analysis
from memgui.search.words.index import AllOf, AnyOf, Hit, SearchIndex, Wanted
from memgui.search.words.pieces import Piece, pieces_of
from memgui.search.words.wanting import MOST_PATHS, Paths, Seen, fulfils, held, holds, is_exact, pieces_asked, wanted

_STEPS = (100, 1_000, 20_000)
"""The index is asked for more passages only where too few of the first are what is wanted."""

_LONGEST_SECONDS = 0.5
_LONGEST_LOOK_SECONDS = 4.0
_COMMON = 0.2
"""A word in more passages than this share says nothing where any word will do and rarer ones were asked too."""


@dataclass(frozen=True, slots=True)
class Found:
    """One passage that answers. `covered`: how much of what was asked it holds, the rare counting more, from 0 to 1."""

    path: DocPath
    passage: Passage
    lines: Sequence[str]
    """All lines of the document."""
    score: float
    covered: float

    @property
    def text(self) -> str:
        """The passage."""
        return "\n".join(self.lines[self.passage.first : self.passage.end])


@dataclass(slots=True)
class _Document:
    """A document as it is now; taken apart only where that is needed."""

    path: DocPath
    data: bytes
    key: Key
    lines: Sequence[str]
    pieces: list[Piece] | None = None

    def taken_apart(self) -> list[Piece]:
        if self.pieces is None:
            self.pieces = pieces_of(self.path, self.data)
        return self.pieces

    def beginning_at(self, first: int) -> list[Piece]:
        """The passage that begins in a line: far less work than all of them."""
        if self.pieces is None:
            return pieces_of(self.path, self.data, first=first)
        return [piece for piece in self.pieces if piece.first == first]


@dataclass(slots=True)
class Search:
    """One query put to an index."""

    index: SearchIndex
    asked: Asked
    read: Read
    paths: Paths = field(default_factory=Paths)
    stop: Stop = never
    _documents: dict[DocPath, _Document | None] = field(default_factory=dict)

    @property
    def pieces(self) -> tuple[analysis.Asked, ...]:
        """The words that are asked for."""
        return pieces_asked(self.asked.wish)

    def all_words(self, limit: int) -> list[Found]:
        """The passages that are what the query asks for, best first."""
        if not self.pieces and self.asked.is_plain:
            return []
        wish = self.asked.wish
        paths = replace(self.paths, fitting=self._fitting)
        return self._verified(wanted(wish, paths), wish, {}, limit)

    def any_word(self, limit: int) -> list[Found]:
        """The passages that hold some of the words (and what else is asked), those that hold most first."""
        rarities = self._rarities()
        if len(rarities) < 2 or not any(isinstance(wish, Text) for wish in self.asked.wish.wishes):
            return []
        most = _COMMON * self.index.passages
        telling = [piece for piece in rarities if 0 < self._passages_with(piece) <= most] or list(rarities)
        rest = Every(tuple(wish for wish in self.asked.wish.wishes if not isinstance(wish, Text)))
        words = AnyOf(tuple(held(piece) for piece in telling))
        found = self._verified(AllOf((words, wanted(rest, self.paths))), rest, rarities, limit, loose=True)
        best = max((one.score for one in found), default=1.0) or 1.0
        return sorted(
            found, key=lambda one: (-(2 * one.covered + one.score / best), sort_key(one.path), one.passage.first)
        )

    def _fitting(self, pattern: str) -> frozenset[DocPath] | None:
        """The documents with a line that fits: each is looked through, as no index knows them."""
        places, fitting = places_of(pattern), set[DocPath]()
        end = time.monotonic() + _LONGEST_LOOK_SECONDS
        for path in self.paths.all:
            if self.stop() or time.monotonic() > end or len(fitting) > MOST_PATHS:
                return None
            now = self.read(path) if places is not None else None
            if now is not None and places is not None and any(map(places, Lines.split(text_of(now[0])).texts)):
                fitting.add(path)
        return frozenset(fitting)

    def _rarities(self) -> dict[analysis.Asked, float]:
        """What each piece of the query is worth; those that have only parts (a Chinese question) taken apart."""
        total = self.index.passages
        single: dict[analysis.Asked, None] = {}
        for piece in self.pieces:
            single.update(dict.fromkeys([piece] if piece.whole else [analysis.Asked(part) for part in piece.parts]))
        return {piece: log(1 + total / (1 + self._passages_with(piece))) for piece in single}

    def _passages_with(self, piece: analysis.Asked) -> int:
        whole = max((self.index.passages_with(word) for word in (piece.whole, piece.stem) if word), default=0)
        return max(whole, min(map(self.index.passages_with, piece.parts), default=0))

    def _verified(
        self,
        asked_of_index: Wanted,
        wish: Wish,
        rarities: Mapping[analysis.Asked, float],
        limit: int,
        *,
        loose: bool = False,
    ) -> list[Found]:
        look = loose or not is_exact(wish, self.paths)
        end = time.monotonic() + _LONGEST_SECONDS
        found: dict[tuple[DocPath, int], Found] = {}
        looked = 0
        for step in _STEPS:
            hits = self.index.search(asked_of_index, limit=max(step, limit), stop=self.stop)
            for hit in hits[looked:]:
                if len(found) >= limit or self.stop() or time.monotonic() > end:
                    return list(found.values())
                for one in self._now(hit, wish, rarities if loose else {}, look=look):
                    found.setdefault((one.path, one.passage.first), one)
            looked = len(hits)
            if looked < max(step, limit):
                break
        return list(found.values())

    def _now(self, hit: Hit, wish: Wish, rarities: Mapping[analysis.Asked, float], *, look: bool) -> Iterator[Found]:
        """What has become of a hit: the passage itself, or where the document changed those that now answer."""
        document = self._document(hit.path)
        if document is None:
            return
        same = document.key == hit.key and hit.end <= len(document.lines)
        if same and not look:
            yield Found(hit.path, Passage(hit.first, hit.end), document.lines, hit.score, 1.0)
            return
        for piece in document.beginning_at(hit.first) if same else document.taken_apart():
            seen = Seen(hit.path, piece, document.lines[piece.first : piece.end], self.paths)
            covered = _covered(piece, rarities)
            if covered and fulfils(seen, wish):
                yield Found(hit.path, Passage(piece.first, piece.end), document.lines, hit.score, covered)

    def _document(self, path: DocPath) -> _Document | None:
        if path not in self._documents:
            now = self.read(path)
            self._documents[path] = (
                None if now is None else _Document(path, now[0], now[1], Lines.split(text_of(now[0])).texts)
            )
        return self._documents[path]


def _covered(piece: Piece, rarities: Mapping[analysis.Asked, float]) -> float:
    """How much of these pieces a passage holds; all where none is asked for."""
    total = sum(rarities.values())
    if not total:
        return 1.0
    return sum(worth for asked, worth in rarities.items() if holds(piece.weights, asked)) / total
