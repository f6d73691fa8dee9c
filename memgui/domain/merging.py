"""Three-way merge by lines: what two sides made of the same base, in one text.

Changes in different places are both in, once; the same change on both sides is in once; changes that only lie next to
each other do not disturb each other. Where both sides changed the same place differently, and where alike lines leave
open which of them was meant, nothing is guessed: it is an `Overlap`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from memgui.domain.meeting import Edit, Place, edits_of, places_of, rewrites, says_something, touching, weight

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Overlap(Generic[T]):
    """One place that both sides changed differently. `start` is where `mine` stands in `Merged.lines`."""

    start: int
    base: tuple[T, ...]
    mine: tuple[T, ...]
    theirs: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Merged(Generic[T]):
    """The lines of both, with mine where they overlap. `taken`: how many lines theirs changed in it."""

    lines: tuple[T, ...]
    overlaps: tuple[Overlap[T], ...] = ()
    taken: int = 0


def merge(base: Sequence[T], mine: Sequence[T], theirs: Sequence[T]) -> Merged[T]:
    """What `mine` and `theirs` make of `base` together."""
    base, mine, theirs = tuple(base), tuple(mine), tuple(theirs)
    if theirs in (mine, base):
        return Merged(mine)
    of_theirs = edits_of(base, theirs, mine=False)
    if base == mine:
        return Merged(theirs, taken=sum(map(weight, of_theirs)))
    of_mine = edits_of(base, mine, mine=True)
    if rewrites(base, of_mine) or rewrites(base, of_theirs):
        return _undivided(base, mine, theirs)
    places = places_of(base, touching([*of_mine, *of_theirs]))
    merged = _joined(base, places)
    doubled = _doubled(base, mine, theirs, merged)
    if doubled:
        merged = _joined(base, places, doubtful=doubled)
    return merged if merged.overlaps or not doubled else _undivided(base, mine, theirs)


def _joined(base: Sequence[T], places: list[Place[T]], *, doubtful: frozenset[T] = frozenset()) -> Merged[T]:
    text = _Text(base, doubtful)
    for start, end, edits in places:
        text.add(start, end, edits)
    return text.result()


def _undivided(base: Sequence[T], mine: Sequence[T], theirs: Sequence[T]) -> Merged[T]:
    text = _Text(base)
    text.add_undivided(tuple(mine), tuple(theirs))
    return text.result()


def _doubled(base: Sequence[T], mine: Sequence[T], theirs: Sequence[T], merged: Merged[T]) -> frozenset[T]:
    """Lines that stand in the merged text more often than the two sides together account for.

    Both took such a line from its place, for example, and each put it elsewhere.
    """
    before, one, other = Counter(base), Counter(mine), Counter(theirs)
    with_mine = Counter(merged.lines)
    with_theirs = Counter(with_mine)
    for overlap in merged.overlaps:
        with_theirs.subtract(overlap.mine)
        with_theirs.update(overlap.theirs)
    return frozenset(
        line
        for line, count in (with_mine | with_theirs).items()
        if count > max(one[line], other[line], one[line] + other[line] - before[line]) and says_something(line)
    )


# What comes of it ---------------------------------------------------------------------------------------------------


class _Text(Generic[T]):
    """The merged text as it grows from above. A `doubtful` line comes in by no side alone."""

    def __init__(self, base: Sequence[T], doubtful: frozenset[T] = frozenset()) -> None:
        self._base = base
        self._doubtful = doubtful
        self._done = 0
        self._lines: list[T] = []
        self._overlaps: list[Overlap[T]] = []
        self._taken = 0

    def add(self, start: int, end: int, edits: list[Edit[T]]) -> None:
        """What becomes of the base from `start` up to `end`, with these changes of both sides."""
        self._lines += self._base[self._done : start]
        self._done = end
        base = tuple(self._base[start:end])
        mine = self._applied(start, end, [edit for edit in edits if edit.mine])
        theirs = self._applied(start, end, [edit for edit in edits if not edit.mine])
        if mine == theirs:
            self._lines += mine
        elif mine == base or theirs == base:
            self._one_side(base, mine, theirs)
        elif not base and self._insertions(mine, theirs, at_end=0 < end == len(self._base)):
            return
        elif len(base) == len(mine) == len(theirs):
            self._line_by_line(base, mine, theirs)
        else:
            self._trimmed(base, mine, theirs)

    def add_undivided(self, mine: tuple[T, ...], theirs: tuple[T, ...]) -> None:
        """All of the base, which is another text on either side."""
        self._done = len(self._base)
        self._trimmed(tuple(self._base), mine, theirs)

    def result(self) -> Merged[T]:
        """All of it."""
        self._lines += self._base[self._done :]
        return Merged(tuple(self._lines), tuple(self._overlaps), self._taken)

    def _applied(self, start: int, end: int, edits: list[Edit[T]]) -> tuple[T, ...]:
        lines: list[T] = []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            lines += self._base[start : edit.start]
            lines += edit.lines
            start = edit.end
        return (*lines, *self._base[start:end])

    def _one_side(self, base: tuple[T, ...], mine: tuple[T, ...], theirs: tuple[T, ...]) -> None:
        changed = theirs if mine == base else mine
        if self._doubtful and not self._doubtful.isdisjoint(Counter(changed) - Counter(base)):
            self._overlap(base, mine, theirs)
        else:
            self._lines += changed
            self._taken += (len(theirs) or len(base)) if mine == base else 0

    def _insertions(self, mine: tuple[T, ...], theirs: tuple[T, ...], *, at_end: bool) -> bool:
        """Both put something in at one place. False where it cannot be said how the two go together."""
        said = [{line for line in lines if says_something(line)} for lines in (mine, theirs)]
        if not said[0] and not said[1]:
            self._lines += mine if len(mine) > len(theirs) else theirs
            return True
        both_appended = at_end and said[0].isdisjoint(said[1])
        if both_appended or not said[0] or not said[1]:
            self._lines += theirs + mine
            self._taken += len(theirs)
            return True
        return False

    def _line_by_line(self, base: tuple[T, ...], mine: tuple[T, ...], theirs: tuple[T, ...]) -> None:
        """As many lines as before on both sides: each was changed by one, or by the other, or by both."""
        first = 0
        while first < len(base):
            last = first
            while last < len(base) and mine[last] != theirs[last] and base[last] not in (mine[last], theirs[last]):
                last += 1
            if last > first:
                self._overlap(base[first:last], mine[first:last], theirs[first:last])
                first = last
                continue
            taken = mine[first] == base[first] != theirs[first]
            self._lines.append(theirs[first] if taken else mine[first])
            self._taken += taken
            first += 1

    def _trimmed(self, base: tuple[T, ...], mine: tuple[T, ...], theirs: tuple[T, ...]) -> None:
        """What both sides begin and end with is no matter between them; what is left may be one side's alone."""
        shorter = min(len(mine), len(theirs))
        head = next((i for i in range(shorter) if mine[i] != theirs[i]), shorter)
        tail = next((i for i in range(shorter - head) if mine[-1 - i] != theirs[-1 - i]), shorter - head)
        left = [lines[head : len(lines) - tail] for lines in (mine, theirs)]
        common = {line for line in (*mine[:head], *mine[len(mine) - tail :]) if says_something(line)}
        if not common.isdisjoint((*left[0], *left[1])):
            # Alike lines: which of them both sides mean is anybody's guess.
            self._overlap(base, mine, theirs)
            return
        self._lines += mine[:head]
        if base in left:
            self._lines += left[1] if left[0] == base else left[0]
            self._taken += len(left[1]) if left[0] == base else 0
        else:
            self._overlap(base, left[0], left[1])
        self._lines += mine[len(mine) - tail :]

    def _overlap(self, base: tuple[T, ...], mine: tuple[T, ...], theirs: tuple[T, ...]) -> None:
        self._overlaps.append(Overlap(len(self._lines), base, mine, theirs))
        self._lines += mine
