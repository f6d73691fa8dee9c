"""What an index of words has to be able to do, and the values it speaks in. Nothing here knows what is behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from memgui.domain.paths import DocPath
from memgui.search.literal import Stop, never
from memgui.search.segments import Key
from memgui.search.words.pieces import Piece


@dataclass(frozen=True, slots=True)
class Has:
    """Passages that hold a word."""

    word: str


@dataclass(frozen=True, slots=True)
class Marked:
    """Passages that bear a mark: `todo`, `done`, `day=2026-11`, `type=feedback`, `status=proposed`."""

    mark: str


@dataclass(frozen=True, slots=True)
class In:
    """Passages of these documents."""

    paths: frozenset[DocPath]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Passages that all the wishes want; of none: every passage."""

    wishes: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Passages that at least one of the wishes wants; of none: no passage."""

    wishes: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class NoneOf:
    """Passages that none of the wishes wants."""

    wishes: tuple[Wanted, ...]


Wanted = Has | Marked | In | AllOf | AnyOf | NoneOf


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage as it was when it was indexed: lines `first` up to `end` of the document in the state `key`."""

    path: DocPath
    first: int
    end: int
    key: Key
    score: float


@dataclass(frozen=True, slots=True)
class Indexed:
    """One document to be held: its state and its passages."""

    path: DocPath
    key: Key
    pieces: Sequence[Piece]


class BrokenIndexError(Exception):
    """The index on disk is damaged, gone, or of another rule. It is to be made anew; the documents are all there."""


class SearchIndex(Protocol):
    """Passages by their words. Any thread may ask; it sees what was there when it last refreshed.

    Everything may raise BrokenIndexError.
    """

    @property
    def passages(self) -> int:
        """How many passages are held."""
        ...

    def search(self, wanted: Wanted, *, limit: int, stop: Stop = never) -> tuple[Hit, ...]:
        """The passages that are wanted, best first, at most `limit`."""
        ...

    def passages_with(self, word: str) -> int:
        """How many passages hold a word."""
        ...

    def known(self) -> dict[DocPath, Key]:
        """Every document that is held, and in which state."""
        ...

    def update(self, documents: Iterable[Indexed], gone: Iterable[DocPath] = ()) -> None:
        """Hold these documents in the place of older states, and forget others. One writer at a time.

        They are taken one by one. OSError where the disk does not take them: nothing is changed then.
        """
        ...

    def refresh(self) -> bool:
        """See what has been written since. Answers whether there was anything."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...
