"""The exact scan: all folded texts in memory, in a few segments, changed by one thread while others ask."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.search.memory import trim
from memgui.search.segments import Entry, Joined, Key, Segment, mapped

SEGMENT_BYTES = 1 << 20
SMALL_BYTES = 1 << 19
"""A last segment below this is written anew together with what comes next, so that single changes make no crowd."""

MAPPED_BYTES = 32 << 20
MOST_MAPPED = 16
"""So large are the files that are mapped, and where there are so many of them they are written anew."""

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


@dataclass(frozen=True, slots=True)
class Match:
    """A file that holds the query: in its text, in its path, or both."""

    segment: Segment
    index: int
    inside: bool
    named: bool

    @property
    def entry(self) -> Entry:
        return self.segment.entries[self.index]

    @property
    def span(self) -> tuple[int, int]:
        """Where the file's text begins and ends in the buffer of the segment."""
        return self.segment.texts.starts[self.index], self.segment.texts.ends[self.index]

    def count(self, needles: Sequence[bytes]) -> int:
        """How often the file holds the needles; its path counts once."""
        texts, (start, end) = self.segment.texts, self.span
        return sum(texts.count(needle, start, end) for needle in needles) + self.named

    def holds(self, needle: bytes) -> bool:
        """Whether the file holds another text too, inside or in its path."""
        return self.segment.texts.data.find(needle, *self.span) >= 0 or needle in self.segment.names[self.index]


@dataclass(frozen=True, slots=True)
class InPart:
    """What of one part holds a query: the entries that hold it inside, and those whose path does."""

    part: Part
    inside: Sequence[int]
    named: Sequence[int]

    @property
    def files(self) -> int:
        return len({*self.inside, *self.named}) if self.named else len(self.inside)

    def bound(self, named: float) -> float:
        """What none of these files outweighs, where one that the query names weighs `named` more."""
        return self.part.segment.heaviest + (named if self.named else 0.0)

    def is_counted(self, needle: bytes) -> bool:
        """Whether `count` has little to do."""
        return len(self.inside) * 8 <= len(self.part.segment.entries) or self.part.segment.counted(needle) is not None

    def count(self, needle: bytes) -> int:
        """How often the query stands in these files, each path counting once."""
        segment = self.part.segment
        if len(self.inside) * 8 > len(segment.entries) or segment.counted(needle) is not None:
            return self.part.count(needle) + len(self.named)
        texts = segment.texts
        return sum(texts.count(needle, texts.starts[i], texts.ends[i]) for i in self.inside) + len(self.named)

    def match(self, index: int) -> Match:
        """One of these files."""
        return Match(self.part.segment, index, index in self.inside, index in self.named)

    def matches(self) -> list[Match]:
        """All of these files."""
        inside, named = set(self.inside), set(self.named)
        return [Match(self.part.segment, i, i in inside, i in named) for i in sorted(inside | named)]

    def weightiest(self, limit: int, named: float) -> list[tuple[float, DocPath, int]]:
        """The `limit` best of these files, by what is known of each: how much they weigh, their paths, their numbers.

        A file that the query names weighs `named` more.
        """
        weights, entries = self.part.segment.weights, self.part.segment.entries
        weighed = {i: weights[i] for i in self.inside}
        weighed |= {i: weights[i] + named for i in self.named}
        best = sorted(weighed, key=weighed.__getitem__, reverse=True)
        if len(best) > limit:
            # Those that weigh as much as the last one are for the paths to decide.
            last = weighed[best[limit - 1]]
            limit = next((n for n in range(limit, len(best)) if weighed[best[n]] < last), len(best))
        return [(weighed[i], entries[i].path, i) for i in best[:limit]]


@dataclass(slots=True)
class Matches:
    """All files that hold a query."""

    needle: bytes
    parts: list[InPart] = field(default_factory=list)
    stopped: bool = False
    more: bool = False
    """There may be others, none of them among the weightiest."""

    @property
    def files(self) -> int:
        return sum(part.files for part in self.parts)

    @property
    def is_counted(self) -> bool:
        """Whether `count` has little to do."""
        return not self.more and all(part.is_counted(self.needle) for part in self.parts)

    def count(self, stop: Stop = never) -> int:
        """How often the query stands in all of them together. For a common letter this is most of the work."""
        return sum(part.count(self.needle) for part in self.parts if not stop())

    def all(self) -> list[Match]:
        """Every file, in no order that means anything."""
        return [match for part in self.parts for match in part.matches()]


@dataclass(frozen=True, slots=True)
class Enough:
    """When a search may end early: `files` are found, and the `weightiest` of them outweigh all that is not looked at.

    A file that the query names weighs `named` more.
    """

    files: int
    weightiest: int
    named: float

    def bound(self, part: Part, named: Sequence[int]) -> float:
        """What no file of a part outweighs."""
        return part.segment.heaviest + (self.named if named else 0.0)

    def is_reached(self, weights: Sequence[float], bound: float) -> bool:
        """Whether nothing below the bound can matter beside files of these weights."""
        return len(weights) > self.files and sum(weight > bound for weight in weights) >= self.weightiest

    def weights(self, found: InPart) -> list[float]:
        """What the files of one part weigh."""
        known, named = found.part.segment.weights, set(found.named)
        inside = [known[i] + self.named if i in named else known[i] for i in found.inside]
        return inside + [known[i] + self.named for i in named.difference(found.inside)]


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

    def map_beyond(self, most: int, folder: Path) -> None:
        """Have no more than so many bytes in this process's own memory; the lightest texts are mapped first."""
        with self._writing:
            some = self._map_beyond(most, folder)
        if some:
            # Only now nothing here holds the texts as they were.
            trim()

    def _map_beyond(self, most: int, folder: Path) -> bool:
        chosen = _to_map([part.segment for part in self._parts], most)
        for group in _groups(chosen):
            mapping = mapped([segment.texts for segment in group], folder)
            # Who searches just now goes on in the segments as they were.
            self._exchange({id(old): old.with_texts(new) for old, new in zip(group, mapping, strict=False)})
        return bool(chosen)

    def _exchange(self, fresh: Mapping[int, Segment]) -> None:
        self._parts = tuple(replace(part, segment=fresh.get(id(part.segment), part.segment)) for part in self._parts)
        for path, (segment, index) in self._places.items():
            if id(segment) in fresh:
                self._places[path] = fresh[id(segment)], index

    def search(self, needle: bytes, *, stop: Stop = never, enough: Enough | None = None) -> Matches:
        """All files that hold `needle`; where `enough` is given, no more than it takes to know the weightiest."""
        found = Matches(needle)
        parts = [(part, part.segment.named(needle)) for part in self._parts]
        if enough is not None:
            parts.sort(key=lambda one: enough.bound(*one), reverse=True)
        weights: list[float] = []
        for part, named in parts:
            if stop():
                found.stopped = True
                break
            if enough is not None and enough.is_reached(weights, enough.bound(part, named)):
                found.more = True
                break
            inside = part.segment.holding(needle)
            if part.dead:
                inside = [i for i in inside if i not in part.dead]
                named = [i for i in named if i not in part.dead]
            if inside or named:
                found.parts.append(InPart(part, inside, named))
                if enough is not None:
                    weights += enough.weights(found.parts[-1])
        return found


def _to_map(segments: Sequence[Segment], most: int) -> list[Segment]:
    """The lightest of those that are held, where they are too many: some more, so that few files are mapped."""
    held = sorted((one for one in segments if not one.texts.is_mapped), key=lambda segment: segment.heaviest)
    left = sum(segment.size for segment in held) - most
    if left <= 0:
        return []
    left += min(most // 4, MAPPED_BYTES)
    chosen: list[Segment] = []
    for segment in held:
        if left > 0 and segment.size >= SMALL_BYTES:
            chosen.append(segment)
            left -= segment.size
    before = [one for one in segments if one.texts.is_mapped]
    # Where little is left of each of the files that were mapped, what is left of them shares new ones.
    return chosen + before if len({id(one.texts.data) for one in before}) >= MOST_MAPPED else chosen


def _groups(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """So many that one file for them is neither small nor all too large."""
    group: list[Segment] = []
    for segment in segments:
        if group and sum(one.size for one in group) + segment.size > MAPPED_BYTES:
            yield group
            group = []
        group.append(segment)
    if group:
        yield group


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
