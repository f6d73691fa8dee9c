"""Changes that two sides made to one base: what each did, and where they meet."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from memgui.domain.differences import runs

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Edit(Generic[T]):
    """`lines` stand in the place of the base's from `start` up to `end`. `low` to `high` is where it may be meant."""

    start: int
    end: int
    lines: tuple[T, ...]
    low: int
    high: int
    mine: bool


Place: TypeAlias = tuple[int, int, list[Edit[T]]]
"""From where to where in the base, and what the sides did there."""


# What a side did ----------------------------------------------------------------------------------------------------


def edits_of(base: Sequence[T], side: Sequence[T], *, mine: bool) -> list[Edit[T]]:
    """What a side did to the base, from above."""
    found: list[Edit[T]] = []
    limit = len(base)
    for start, removed, at, added in reversed(runs(base, side)):
        for first, last, lines in reversed(_parted(base, start, start + removed, tuple(side[at : at + added]), limit)):
            found.append(Edit(first, last, lines, *_room(base, first, last, lines), mine))
        limit = start
    found.reverse()
    return found


def _parted(
    base: Sequence[T], start: int, end: int, lines: tuple[T, ...], limit: int
) -> list[tuple[int, int, tuple[T, ...]]]:
    """A change that also made a run of alike lines behind it longer or shorter, as two: that one at the run's end.

    So both sides' changes to one run stand in one place, whatever else they changed before it.
    """
    if end == limit or not (lines or start < end):
        return [(start, end, lines)]
    alike = base[end]
    stop = end
    while stop < limit and base[stop] == alike:
        stop += 1
    more = _count_at_end(lines, alike)
    fewer = _count_at_end(base[start:end], alike)
    if more and not fewer:
        rest = lines[: len(lines) - more]
        longer = (stop, stop, lines[len(lines) - more :])
        return [(start, end, rest), longer] if rest or start < end else [longer]
    if fewer and not more and (fewer < end - start or not lines):
        shorter: tuple[int, int, tuple[T, ...]] = (stop - fewer, stop, ())
        return [(start, end - fewer, lines), shorter] if lines or fewer < end - start else [shorter]
    return [(start, end, lines)]


def _count_at_end(lines: Sequence[T], alike: T) -> int:
    return next((i for i in range(len(lines)) if lines[-1 - i] != alike), len(lines))


def _room(base: Sequence[T], start: int, end: int, lines: tuple[T, ...]) -> tuple[int, int]:
    """Of a change that only made a run of alike lines longer or shorter, the run: any of them may be meant."""
    gone = base[start:end]
    if (lines and gone) or not says_something((lines or gone)[0]) or len(set(lines or gone)) > 1:
        return start, end
    alike = (lines or gone)[0]
    low, high = start, end
    while low and base[low - 1] == alike:
        low -= 1
    while high < len(base) and base[high] == alike:
        high += 1
    return low, high


def weight(edit: Edit[T]) -> int:
    """How many lines it brought, or else took."""
    return len(edit.lines) or edit.end - edit.start


def says_something(line: Hashable) -> bool:
    """Whether a line is more than blank."""
    return bool(line.strip()) if isinstance(line, str | bytes) else True


def rewrites(base: Sequence[T], edits: list[Edit[T]]) -> bool:
    """Whether nothing of the base is left: then no line of the other side has a place in it any more."""
    if not base or len(edits) != 1 or edits[0].end - edits[0].start < len(base):
        return False
    lines = edits[0].lines
    return len(lines) != len(base) or 2 * sum(map(_alike, base, lines)) < len(base)


def _alike(one: Hashable, other: Hashable) -> bool:
    """Whether one line may have come of the other: half of their characters, at the ends, are the same."""
    if not isinstance(one, str | bytes) or not isinstance(other, str | bytes):
        return False
    shorter, longer = sorted((len(one), len(other)))
    head = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    tail = next((i for i in range(shorter - head) if one[-1 - i] != other[-1 - i]), shorter - head)
    return 2 * (head + tail) >= longer


# Which changes meet -------------------------------------------------------------------------------------------------


def touching(edits: list[Edit[T]]) -> list[list[Edit[T]]]:
    """The changes, together where one side's touches the other's."""
    order = sorted(edits, key=lambda edit: (edit.low, edit.high))
    leader = list(range(len(order)))

    def lead(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    open_ones: list[int] = []
    for at, edit in enumerate(order):
        open_ones = [other for other in open_ones if order[other].high >= edit.low]
        for other in open_ones:
            if order[other].mine != edit.mine and _touch(order[other], edit):
                leader[lead(at)] = lead(other)
        open_ones.append(at)
    groups: dict[int, list[Edit[T]]] = {}
    for at, edit in enumerate(order):
        groups.setdefault(lead(at), []).append(edit)
    return list(groups.values())


def _touch(one: Edit[T], other: Edit[T]) -> bool:
    if one.start == one.end == other.start == other.end:
        return True
    if one.start < other.end and other.start < one.end:
        return True
    for edit, beside in ((one, other), (other, one)):
        if edit.low < beside.end and beside.start < edit.high and (edit.low < beside.start or beside.end < edit.high):
            # It made a run of alike lines longer or shorter of which the other side changed some, but not all.
            return True
    if one.end == other.start or other.end == one.start:
        # Next to each other is no matter, unless both brought the same line there.
        return any(says_something(line) for line in set(one.lines) & set(other.lines))
    return False


def places_of(base: Sequence[T], groups: list[list[Edit[T]]]) -> list[Place[T]]:
    """The groups by their place in the base, those together that reach into each other."""
    spans = sorted(
        (min(edit.start for edit in group), max(edit.end for edit in group), at) for at, group in enumerate(groups)
    )
    places: list[Place[T]] = []
    for start, end, at in spans:
        place = (start, end, groups[at])
        while places and (start < places[-1][1] or _belong_together(base, places[-1], place)):
            first, last, edits = places.pop()
            place = (first, max(last, place[1]), edits + place[2])
            start = first
        places.append(place)
    return places


def _belong_together(base: Sequence[T], one: Place[T], other: Place[T]) -> bool:
    """Whether two places beside each other, one of which both sides changed, have lines in common."""
    if one[1] < other[0] or all(len({edit.mine for edit in edits}) == 1 for _start, _end, edits in (one, other)):
        return False
    held = [{*base[start:end], *(line for edit in edits for line in edit.lines)} for start, end, edits in (one, other)]
    return any(says_something(line) for line in held[0] & held[1])
