"""The exact scan: all folded texts in memory, in a few segments, changed by one thread while others ask."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memgui.domain.paths import DocPath
from memgui.search.segments import Entry, Joined, Key, Segment

SEGMENT_BYTES = 1 << 20
SMALL_BYTES = 1 << 19
"""A last segment below this is written anew together with what comes next, so that single changes make no crowd."""

Stop = Callable[[], bool]


def never() -> bool:
    """Nobody asks to stop."""
    return False


@dataclass(frozen=True, slots=True)
class Text:
    """A file to be searched: what is known of it, and its folded text."""

    path: DocPath
    key: Key
    weight: float
    folded: bytes | None


@dataclass(frozen=True, slots=True)
class Part:
    """A segment and which of its entries no longer count."""

    segment: Segment
    dead: frozenset[int] = frozenset()

    def count(self, needle: bytes) -> int:
        texts = self.segment.texts
        gone = sum(texts.count(needle, texts.starts[i], texts.ends[i]) for i in self.dead)
        return self.segment.count(needle) - gone


@dataclass(slots=True)
class Match:
    """A file that holds the query: in its text (`at`: its first place in the buffer), in its path, or both."""

    segment: Segment
    index: int
    at: int = -1
    named: bool = False

    @property
    def entry(self) -> Entry:
        return self.segment.entries[self.index]

    def count(self, needle: bytes) -> int:
        """How often the file holds `needle`; its path counts once."""
        texts = self.segment.texts
        inside = texts.count(needle, self.at, texts.ends[self.index]) if self.at >= 0 else 0
        return inside + self.named

    def count_all(self, needles: Sequence[bytes]) -> int:
        """How often the file holds any of the needles; its path counts once."""
        if len(needles) == 1:
            return self.count(needles[0])
        texts = self.segment.texts
        start, end = texts.starts[self.index], texts.ends[self.index]
        return sum(texts.count(needle, start, end) for needle in needles) + self.named

    def holds(self, needle: bytes) -> bool:
        """Whether the file holds another text too, inside or in its path."""
        texts = self.segment.texts
        if texts.data.find(needle, texts.starts[self.index], texts.ends[self.index]) >= 0:
            return True
        names = self.segment.names
        return names.data.find(needle, names.starts[self.index], names.ends[self.index]) >= 0


@dataclass(frozen=True, slots=True)
class InSegment:
    """What of one segment holds a query: entry -> place of the first match in the texts, and the entries it names."""

    segment: Segment
    texts: dict[int, int]
    named: frozenset[int]

    @property
    def files(self) -> int:
        return len(self.texts) + len(self.named) - sum(index in self.texts for index in self.named)

    def match(self, index: int) -> Match:
        return Match(self.segment, index, self.texts.get(index, -1), index in self.named)

    def all(self) -> Iterator[Match]:
        """Every file, those found by name alone at the end."""
        return (self.match(index) for index in (*self.texts, *sorted(self.named.difference(self.texts))))

    def weightiest(self, limit: int) -> Iterator[Match]:
        """Enough files that the `limit` best of the segment are among them, named or not, by what is known of each."""
        weight = self.segment.weights.__getitem__
        chosen = heapq.nlargest(limit, self.texts, key=weight)
        named = heapq.nlargest(limit, self.named, key=weight)
        return (self.match(index) for index in dict.fromkeys((*chosen, *named)))


@dataclass(slots=True)
class Matches:
    """All files that hold a query, and how often it stands in all of them together."""

    segments: list[InSegment] = field(default_factory=list)
    total: int = 0
    stopped: bool = False

    @property
    def files(self) -> int:
        return sum(segment.files for segment in self.segments)

    def all(self) -> list[Match]:
        """Every file, in no order that means anything."""
        return [match for segment in self.segments for match in segment.all()]


class LiteralIndex:
    """Folded texts by path. One thread at a time changes it; whoever searches sees one whole state, old or new."""

    def __init__(self) -> None:
        self._writing = threading.Lock()
        self._parts: tuple[Part, ...] = ()
        self._places: dict[DocPath, tuple[Segment, int]] = {}

    @property
    def parts(self) -> tuple[Part, ...]:
        """The state as it is now; it never changes."""
        return self._parts

    @property
    def size(self) -> int:
        """How many bytes of folded text are held."""
        return sum(part.segment.size for part in self._parts)

    @property
    def files(self) -> int:
        """How many files are held."""
        return len(self._places)

    def known(self) -> dict[DocPath, Entry]:
        """Every file that is held."""
        return {path: segment.entries[index] for path, (segment, index) in list(self._places.items())}

    def adopt(self, parts: Sequence[Part]) -> None:
        """Begin with segments that were kept; what was held before is forgotten."""
        with self._writing:
            self._places = {entry.path: (part.segment, i) for part in parts for i, entry in _alive(part)}
            self._parts = tuple(parts)

    def update(self, texts: Iterable[Text] = (), gone: Iterable[DocPath] = ()) -> None:
        """Hold these texts, in the place of older ones of the same paths, and forget the paths in `gone`."""
        with self._writing:
            fresh = {text.path: text for text in texts}
            dead: dict[int, set[int]] = {}
            for path in (*gone, *fresh):
                segment, index = self._places.pop(path, (None, 0))
                if segment is not None:
                    dead.setdefault(id(segment), set()).add(index)
            parts = [_without(part, dead.get(id(part.segment))) for part in self._parts]
            moved: list[Text] = []
            kept = [
                part
                for i, part in enumerate(parts)
                if not _moves(part, moved, last=i == len(parts) - 1 and bool(fresh))
            ]
            added = [Part(segment) for segment in _segments([*moved, *fresh.values()])]
            for part in added:
                self._places.update((entry.path, (part.segment, i)) for i, entry in _alive(part))
            self._parts = (*kept, *added)

    def search(self, needle: bytes, *, stop: Stop = never) -> Matches:
        """All files that hold `needle`, in no particular order, and the exact number of places."""
        found = Matches()
        for part in self._parts:
            if stop():
                found.stopped = True
                break
            here = _in_part(part, needle)
            if here is None:
                continue
            found.segments.append(here)
            if len(here.texts) * 8 > len(part.segment.entries):
                found.total += part.count(needle) + len(here.named)
            else:
                found.total += sum(match.count(needle) for match in here.all())
        return found


def _in_part(part: Part, needle: bytes) -> InSegment | None:
    texts = part.segment.texts.holding(needle)
    named: Iterable[int] = part.segment.names.holding(needle)
    if not texts and not named:
        return None
    if part.dead:
        texts = {index: at for index, at in texts.items() if index not in part.dead}
        named = (index for index in named if index not in part.dead)
    return InSegment(part.segment, texts, frozenset(named))


def _alive(part: Part) -> Iterator[tuple[int, Entry]]:
    return ((i, entry) for i, entry in enumerate(part.segment.entries) if i not in part.dead)


def _without(part: Part, more: set[int] | None) -> Part:
    return replace(part, dead=part.dead | more) if more else part


def _moves(part: Part, moved: list[Text], *, last: bool) -> bool:
    """Whether the part is given up and its living texts moved: it is mostly dead, or small and the last."""
    texts, dead = part.segment.texts, part.dead
    lost = sum(texts.ends[i] - texts.starts[i] for i in dead)
    if (
        lost * 2 <= part.segment.size
        and len(dead) * 2 <= len(part.segment.entries)
        and not (last and part.segment.size < SMALL_BYTES)
    ):
        return False
    moved.extend(
        Text(entry.path, entry.key, entry.weight, texts.text(i) if entry.searched else None)
        for i, entry in _alive(part)
    )
    return True


def _segments(texts: Sequence[Text]) -> Iterator[Segment]:
    """The texts in segments of about the same size; a text that is larger has one of its own."""
    batch: list[Text] = []
    size = 0
    for text in texts:
        length = len(text.folded or b"")
        if batch and size + length > SEGMENT_BYTES:
            yield _segment(batch)
            batch, size = [], 0
        batch.append(text)
        size += length + 1
    if batch:
        yield _segment(batch)


def _segment(texts: Sequence[Text]) -> Segment:
    entries = [Entry(text.path, text.key, text.weight, text.folded is not None) for text in texts]
    return Segment(entries, Joined.of([text.folded or b"" for text in texts]))
