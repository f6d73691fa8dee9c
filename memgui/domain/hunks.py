"""Hunks: a change in pieces by lines, and texts made of some of them. On bytes, so that not one of them is lost."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memgui.domain.differences import runs
from memgui.domain.review import Hunk

_LINE = re.compile(
    rb"[^\r\n\xe2\xef]*(?:(?:\xe2(?!\x80\xa9)|\xef(?!\xb7[\x90\x91]))[^\r\n\xe2\xef]*)*"
    rb"(?:\r\n|\n|\r|\xe2\x80\xa9|\xef\xb7[\x90\x91]|\Z)"
)
_RARE = re.compile(rb"\xe2\x80\xa9|\xef\xb7[\x90\x91]")
_TEXT_END = re.compile("(?:\r\n|[\n\r\u2029\ufdd0\ufdd1])\\Z")
_USUAL = (b"\r\n", b"\n", b"\r")
_ODD = (b"\xe2\x80\xa9", b"\xef\xb7\x90", b"\xef\xb7\x91")
_LEAST_MOVED = 3
"""A line with fewer letters and digits may stand anywhere; nobody can say that it moved."""

Lines = tuple[bytes, ...]
Moves = tuple[set[int], set[int]]
"""Which removed lines of a place went elsewhere, and which added ones came from elsewhere, by their numbers."""
_NOWHERE: Moves = (set(), set())


@dataclass(frozen=True, slots=True)
class Place:
    """Lines `start` to `end` of one text, and `new_start` to `new_end` of the other in their place, from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


def pieces(data: bytes) -> Lines:
    """The lines of these bytes with their endings, as a page has them; put together again they are the bytes."""
    if _RARE.search(data) is None:
        return tuple(data.splitlines(keepends=True))
    return tuple(line for line in _LINE.findall(data) if line)


def shown(lines: Iterable[bytes]) -> tuple[str, ...]:
    """The lines to look at."""
    return tuple(line.decode("utf-8", "replace") for line in lines)


def places(before: Lines, after: Lines) -> tuple[Place, ...]:
    """Where two texts differ: in order, and with at least one common line between any two."""
    return tuple(
        Place(start, start + removed, new_start, new_start + added)
        for start, removed, new_start, added in runs(before, after)
    )


def hunks(change: str, before: Lines, after: Lines) -> tuple[Hunk, ...]:
    """The hunks of a change, numbered from 1."""
    found = places(before, after)
    moved = _moved(found, before, after)
    made = []
    for number, place in enumerate(found, 1):
        gone, come = before[place.start : place.end], after[place.new_start : place.new_end]
        away, here = moved.get(number - 1, _NOWHERE)
        made.append(
            Hunk(
                f"{change}.{number}",
                number,
                place.start,
                place.new_start,
                shown(gone),
                shown(come),
                gone,
                come,
                frozenset(at - place.start for at in away),
                frozenset(at - place.new_start for at in here),
            )
        )
    return tuple(made)


def lost(found: Sequence[Place], before: Lines, after: Lines) -> int:
    """How many lines went without anything in their place: not those that moved, nor those that were edited."""
    moved = _moved(found, before, after)
    count = 0
    for number, place in enumerate(found):
        gone = place.end - place.start - len(moved.get(number, _NOWHERE)[0])
        count += max(0, gone - (place.new_end - place.new_start))
    return count


def remaining(found: Sequence[Place], before: Lines, after: Lines) -> int:
    """How many lines of `before` stand in `after`, in their place or in another."""
    moved = sum(len(away) for away, _here in _moved(found, before, after).values())
    return len(before) - sum(place.end - place.start for place in found) + moved


def _moved(found: Sequence[Place], before: Lines, after: Lines) -> dict[int, Moves]:
    """Which removed lines of one place are added ones of another, each once: of each place the lines in both texts."""
    if len(found) < 2:
        return {}
    waiting: dict[bytes, deque[tuple[int, int]]] = {}
    for number, place in enumerate(found):
        for at in range(place.new_start, place.new_end):
            key = after[at].rstrip(b"\r\n")
            if _says_enough(key):
                waiting.setdefault(key, deque()).append((number, at))
    moved: dict[int, Moves] = {}
    for number, place in enumerate(found):
        for at in range(place.start, place.end):
            alike = waiting.get(before[at].rstrip(b"\r\n"))
            # Those of one place stand together: if the first is of this one, the last may not be.
            if alike and alike[0][0] != number:
                other, new = alike.popleft()
            elif alike and alike[-1][0] != number:
                other, new = alike.pop()
            else:
                continue
            moved.setdefault(number, (set(), set()))[0].add(at)
            moved.setdefault(other, (set(), set()))[1].add(new)
    return moved


def _says_enough(line: bytes) -> bool:
    return sum(byte > 127 or chr(byte).isalnum() for byte in line) >= _LEAST_MOVED


# Texts made of hunks -----------------------------------------------------------------------------------------------


def taken(lines: Lines, chosen: Iterable[Hunk]) -> Lines:
    """The baseline's lines with these hunks in it."""
    return _replaced(lines, [(one.start, len(one.before), one.after) for one in chosen])


def taken_out(lines: Lines, chosen: Iterable[Hunk]) -> Lines:
    """The disk's lines without these hunks."""
    return _replaced(lines, [(one.new_start, len(one.after), one.before) for one in chosen])


def put_back(lines: Lines, chosen: Iterable[Hunk]) -> Lines:
    """The disk's lines, with those that these hunks lost before those that they brought."""
    return _replaced(lines, [(one.new_start, 0, one.lost) for one in chosen])


def in_both(lines: Lines, other: Lines) -> Lines:
    """`other` with the lines of `lines` that it lacks in it: against it nothing was added, only taken away."""
    return put_back(other, hunks("", lines, other))


def _replaced(lines: Lines, parts: Iterable[tuple[int, int, Lines]]) -> Lines:
    """Other lines in some places, from the last on. A line that is no longer the last is given an ending."""
    result = list(lines)
    for start, count, new in sorted(parts, key=lambda part: part[0], reverse=True):
        result[start : start + count] = new
    return ended(result)


def ended(lines: Sequence[bytes]) -> Lines:
    """The lines, an ending given to each that has none and is not the last: that of the one above, or below."""
    result = list(lines)
    for at, line in enumerate(result[:-1]):
        if not ending_or_none(line):
            ending = _usual_ending(result[at - 1] if at else result[1])
            # A lone CR would run together with a blank line below it.
            result[at] = line + (b"\n" if ending == b"\r" and result[at + 1] == b"\n" else ending)
    return tuple(result)


def ending_or_none(line: bytes) -> bytes:
    """The ending of a line; nothing where it has none."""
    return next((ending for ending in (*_USUAL, *_ODD) if line.endswith(ending)), b"")


def _usual_ending(line: bytes) -> bytes:
    """The ending that a line beside this one gets."""
    return next((ending for ending in _USUAL if line.endswith(ending)), b"\n")


def unended(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines without their endings."""
    return tuple(_TEXT_END.sub("", line) for line in lines)


# Found again -------------------------------------------------------------------------------------------------------


def with_text(hunk: Hunk, text: str) -> Hunk:
    """The hunk with what a person wrote in the place of what it brought, with the endings that its lines have."""
    ending = _usual_ending(next((line for line in (*hunk.after, *hunk.before) if ending_or_none(line)), b""))
    lines = [line + ending for line in text.encode("utf-8", "surrogateescape").splitlines()]
    last = (hunk.after or hunk.before)[-1:]
    if lines and last and not ending_or_none(last[0]):
        lines[-1] = lines[-1].removesuffix(ending)
    return replace(hunk, added=shown(lines), after=tuple(lines), moved_here=frozenset())


def again(old: Hunk, found: Sequence[Hunk]) -> Hunk | None:
    """The same hunk in a change that has moved on: found exactly once, else None.

    What has grown since is the same as far as it was shown: only that part of it is answered, under its number.
    """
    if old.whole:
        return None
    same = [one for one in found if (one.before, one.after) == (old.before, old.after) and not one.whole]
    if len(same) > 1:
        same = [one for one in same if one.start == old.start]
    if len(same) == 1:
        return same[0]
    if same or not old.after:
        return None
    length = len(old.after)
    grown = [one for one in found if one.before == old.before and one.after[:length] == old.after]
    return _beginning(grown[0], length) if len(grown) == 1 else None


def _beginning(hunk: Hunk, length: int) -> Hunk:
    here = frozenset(at for at in hunk.moved_here if at < length)
    return replace(hunk, added=hunk.added[:length], after=hunk.after[:length], moved_here=here)


def counted(found: Iterable[Place]) -> tuple[int, int]:
    """How many lines were added and removed."""
    added = removed = 0
    for place in found:
        added += place.new_end - place.new_start
        removed += place.end - place.start
    return added, removed
