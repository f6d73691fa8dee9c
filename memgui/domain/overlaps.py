"""Overlaps while somebody works on them: where they stand, and what becomes of them as a side goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memgui.domain.differences import runs
from memgui.domain.merging import Merged, Overlap
from memgui.domain.pieces import merge_pieces


@dataclass(frozen=True, slots=True)
class Region:
    """Where an overlap stands in a text that is being made of both sides: its first line and how many."""

    overlap: Overlap[str]
    first: int
    count: int
    decided: bool = False
    """The person has said what it is to be."""

    @property
    def end(self) -> int:
        """The line after it."""
        return self.first + self.count


def regions_of(merged: Merged[str]) -> tuple[Region, ...]:
    """The overlaps in a merged text, undecided: mine stands there."""
    return tuple(Region(overlap, overlap.start, len(overlap.mine)) for overlap in merged.overlaps)


def moved(regions: Sequence[Region], old: Sequence[str], new: Sequence[str]) -> tuple[Region, ...]:
    """The same regions in another text: what came beside one is not in it."""
    changes = runs(old, new)
    found = []
    for region in regions:
        first = _placed(region.first, changes, after=True)
        end = max(first, _placed(region.end, changes, after=region.count == 0))
        found.append(replace(region, first=first, count=end - first))
    return tuple(found)


def places_in(side: Sequence[str], merged: Sequence[str], lines: Sequence[int]) -> tuple[int, ...]:
    """The lines of a side that stand where these do in the merged text."""
    changes = runs(merged, side)
    return tuple(min(_placed(line, changes, after=False), max(len(side) - 1, 0)) for line in lines)


def follow(
    result: Sequence[str],
    regions: Sequence[Region],
    *,
    before: Sequence[str],
    after: Sequence[str],
    anew: Merged[str],
) -> tuple[tuple[str, ...], tuple[Region, ...]]:
    """The text made so far, with what theirs has changed from `before` to `after`; `anew` is how the sides meet now.

    What was decided stays, as long as theirs is still what was decided about. Where theirs changed what stands in the
    text otherwise, there is a new region.
    """
    merged = merge_pieces(before, result, after)
    new = regions_of(merged)
    current = {(overlap.mine, overlap.theirs) for overlap in anew.overlaps}
    kept = [
        region
        for region in moved(regions, result, merged.lines)
        if (region.overlap.mine, region.overlap.theirs) in current and not any(_meet(region, other) for other in new)
    ]
    return merged.lines, tuple(sorted([*kept, *new], key=_first))


def _meet(one: Region, other: Region) -> bool:
    return one.first <= other.end and other.first <= one.end


def _first(region: Region) -> tuple[int, int]:
    return region.first, region.end


def _placed(line: int, changes: Sequence[tuple[int, int, int, int]], *, after: bool) -> int:
    """Where a line went. One right at lines that came in stands after them, or before."""
    moved_by = 0
    for start, removed, new_start, added in changes:
        if line < start or (line == start and not removed and not after):
            break
        if removed and line < start + removed:
            return new_start + min(line - start, added)
        moved_by = new_start + added - start - removed
    return line + moved_by
