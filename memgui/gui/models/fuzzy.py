"""Finding a name by a few of its letters: folding, matching, ranking, and which letters matched."""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

_BOUNDARIES = frozenset(" /\\._-:@#…&")
_SCORED = 2_000
"""So many scattered matches are weighed letter by letter; what lies beyond is a query of one or two letters."""


def fold(text: str) -> str:
    """The text without case, accents and width: what is compared. Never raises."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def fold_all(texts: Iterable[str]) -> list[str]:
    """Each text folded; for many texts much faster than one by one."""
    every = list(texts)
    joined = "\n".join(every)
    # One call lowers them all, unless a text holds what parts them here.
    if joined.isascii() and joined.count("\n") == len(every) - 1:
        return joined.lower().split("\n")
    return [text.lower() if text.isascii() else fold(text) for text in every]


def filtered(query: str, folded: Mapping[str, str]) -> set[str]:
    """The keys whose text holds every word of the query; where none does, those that hold its letters in order."""
    words = fold(query).split()
    if not words:
        return set(folded)
    first, *others = words
    found = {key for key, text in folded.items() if first in text}
    for word in others:
        found = {key for key in found if word in folded[key]}
    if found:
        return found
    matches = _in_order("".join(words))
    return {key for key, text in folded.items() if matches(text)}


def positions(query: str, text: str) -> tuple[int, ...]:
    """Which characters of `text` the query matched, drawn together as it can be; none where it does not match."""
    folded, places = _folded_with_places(text)
    letters = "".join(fold(query).split())
    return tuple(sorted({places[at] for at in _letters(letters, folded)}))


@dataclass(frozen=True, slots=True)
class Haystack:
    """Things to be found, each by its name and by all that may be typed for it (for a file: its path)."""

    names: tuple[str, ...]
    texts: tuple[str, ...]

    @staticmethod
    def of(names: Iterable[str], texts: Iterable[str]) -> Haystack:
        """From the name and the whole text of each thing."""
        return Haystack(tuple(fold_all(names)), tuple(fold_all(texts)))

    def best(self, query: str, *, limit: int, recent: Sequence[int] = ()) -> list[int]:
        """The numbers of the things that match, best first: the name itself, its beginning, a part of it, then letters.

        Among equals those in `recent` come first, in its order; then the shorter. An empty query keeps the order given.
        """
        words = fold(query).split()
        fresh = {number: rank for rank, number in enumerate(recent)}
        if not words:
            rest = (number for number in range(len(self.names)) if number not in fresh)
            return [*(number for number in recent if number < len(self.names)), *rest][:limit]
        late = len(fresh)
        ranked = [
            (tier, fresh.get(number, late), len(self.texts[number]), number) for tier, number in self._literal(words)
        ]
        if len(ranked) < limit:
            known = {entry[3] for entry in ranked}
            ranked += self._scattered("".join(words), known, fresh, late)
        return [entry[3] for entry in heapq.nsmallest(limit, ranked)]

    def _literal(self, words: Sequence[str]) -> Iterable[tuple[float, int]]:
        whole, first = " ".join(words), words[0]
        for number, text in enumerate(self.texts):
            if first not in text or not all(word in text for word in words):
                continue
            name = self.names[number]
            if name.startswith(whole):
                yield (0.0 if len(name) == len(whole) or name[len(whole)] == "." else 1.0), number
            else:
                yield (2.0 if all(word in name for word in words) else 3.0), number

    def _scattered(
        self, letters: str, known: set[int], fresh: Mapping[int, int], late: int
    ) -> list[tuple[float, int, int, int]]:
        matches = _in_order(letters)
        found = [number for number, text in enumerate(self.texts) if matches(text) and number not in known]
        found.sort(key=lambda number: (fresh.get(number, late), len(self.texts[number])))
        return [
            (4.0 + _looseness(letters, self.texts[number]), fresh.get(number, late), len(self.texts[number]), number)
            for number in found[:_SCORED]
        ]


def _in_order(letters: str) -> Callable[[str], object]:
    # One forward pass in C for each text: a set of all characters but one never gives back what it took.
    return re.compile("".join(f"[^{re.escape(c)}]*{re.escape(c)}" for c in letters), re.DOTALL).match


def _letters(letters: str, folded: str) -> list[int]:
    """Where the letters stand: in one piece if they can (the last there is), else drawn together from the right."""
    if not letters:
        return []
    whole = folded.rfind(letters)
    if whole >= 0:
        return list(range(whole, whole + len(letters)))
    found: list[int] = []
    at = len(folded)
    for letter in reversed(letters):
        at = folded.rfind(letter, 0, at)
        if at < 0:
            return []
        found.append(at)
    return found[::-1]


def _looseness(letters: str, folded: str) -> float:
    """How scattered the letters stand, 0 to 1: gaps count, and beginnings of words count less."""
    at = _letters(letters, folded)
    if not at:
        return 1.0
    loose = 0.0
    for before, here in zip([at[0] - 1, *at], at, strict=False):
        if here != before + 1:
            loose += 0.4 if here == 0 or folded[here - 1] in _BOUNDARIES else 1.0
    return loose / (len(at) + 1)


def _folded_with_places(text: str) -> tuple[str, list[int]]:
    if text.isascii():
        return text.lower(), list(range(len(text)))
    folded: list[str] = []
    places: list[int] = []
    for number, character in enumerate(text):
        piece = fold(character)
        folded.append(piece)
        places += [number] * len(piece)
    return "".join(folded), places
