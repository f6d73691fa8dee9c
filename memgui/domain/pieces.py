"""A text as pieces, each line with its own ending, and the three-way merge of such texts.

Whether the last line ends is no part of that line: a side that only writes on below it has not changed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import AnyStr

from memgui.domain.lines import Lines
from memgui.domain.merging import Merged, merge

_ENDINGS = ("\r\n", "\n", "\r", "\u2029", "\ufdd0", "\ufdd1")
_BYTE_ENDINGS = (b"\r\n", b"\n", b"\r")


def pieces(data: bytes) -> tuple[bytes, ...]:
    """The lines with their endings: joined they are `data` again. A lone CR is an ending too."""
    return tuple(data.splitlines(keepends=True))


def pieces_of(lines: Lines) -> tuple[str, ...]:
    """The same of a text."""
    found = [text + ending for text, ending in zip(lines.texts, (*lines.breaks, ""), strict=True)]
    return tuple(found if found[-1] else found[:-1])


def text_of(lines: Sequence[str]) -> Lines:
    """The text of these pieces; one inside it that has no ending gets one."""
    return Lines.split("".join(_closed_inside(list(lines))))


def merge_pieces(base: Sequence[AnyStr], mine: Sequence[AnyStr], theirs: Sequence[AnyStr]) -> Merged[AnyStr]:
    """`merge`, with the end of the last line as a matter of its own."""
    sides = (base, mine, theirs)
    if tuple(base) == tuple(mine):
        theirs_alone = merge(_closed(base, sides), _closed(mine, sides), _closed(theirs, sides))
        return replace(theirs_alone, lines=tuple(theirs)) if base != theirs else Merged(tuple(mine))
    if tuple(base) == tuple(theirs) or tuple(mine) == tuple(theirs):
        return Merged(tuple(mine))
    merged = merge(*(_closed(side, sides) for side in sides))
    if not base:
        ended = _ended(mine, False) or _ended(theirs, False)
    else:
        ended = _ended(mine, True)
        ended = _ended(theirs, ended) if ended == _ended(base, True) else ended
    return merged if ended else replace(merged, lines=_opened(merged.lines))


def with_theirs(merged: Merged[AnyStr], *, mine: bool) -> tuple[AnyStr, ...]:
    """The merged lines with theirs at each overlap: behind mine, or in its place."""
    lines: list[AnyStr] = []
    done = 0
    for overlap in merged.overlaps:
        stop = overlap.start + len(overlap.mine)
        lines += merged.lines[done : stop if mine else overlap.start]
        lines += overlap.theirs
        done = stop
    lines += merged.lines[done:]
    ended = _ended(merged.lines, True)
    closed = _closed_inside(lines)
    return closed if ended else _opened(closed)


def replaced(lines: Sequence[str], first: int, count: int, new: Sequence[str]) -> tuple[str, ...]:
    """The lines with others in the place of some. Whether the text ends with a line's end stays as it was."""
    changed = [*lines[:first], *new, *lines[first + count :]]
    closed = _closed_inside(changed)
    if not _ended(lines, True):
        return _opened(closed)
    return _closed(closed, (lines,)) if lines else closed


def _ending(piece: AnyStr) -> AnyStr:
    endings: Iterable[AnyStr] = _ENDINGS if isinstance(piece, str) else _BYTE_ENDINGS
    return next((ending for ending in endings if piece.endswith(ending)), piece[:0])


def _ended(side: Sequence[AnyStr], otherwise: bool) -> bool:
    """Whether its last line ends; of an empty text that cannot be said."""
    return bool(_ending(side[-1])) if side else otherwise


def _closed(side: Sequence[AnyStr], sides: Sequence[Sequence[AnyStr]]) -> tuple[AnyStr, ...]:
    """The side with an ended last line: as that line stands elsewhere, or as the line above it ends."""
    if _ended(side, True):
        return tuple(side)
    last = side[-1]
    for other in sides:
        for piece in other:
            if piece != last and piece == last + _ending(piece):
                return _with_last(side, piece)
    return _with_last(side, last + _usual_ending(side, *sides))


def _usual_ending(*sides: Sequence[AnyStr]) -> AnyStr:
    """How the last ended line of the first side ends that has one."""
    for side in sides:
        for piece in reversed(side):
            if ending := _ending(piece):
                return ending
    return _newline(sides[0][0])


def _newline(like: AnyStr) -> AnyStr:
    return "\n" if isinstance(like, str) else b"\n"


def _closed_inside(lines: list[AnyStr]) -> tuple[AnyStr, ...]:
    """Every line but the last ends."""
    closed: list[AnyStr] = []
    for line in lines[:-1]:
        closed.append(line if _ending(line) else line + _usual_ending(closed, lines))
    return tuple(closed + lines[-1:])


def _opened(lines: tuple[AnyStr, ...]) -> tuple[AnyStr, ...]:
    """The lines without the end of the last one, where that one says something."""
    if not lines:
        return lines
    last = lines[-1].removesuffix(_ending(lines[-1]))
    return _with_last(lines, last) if last else lines


def _with_last(lines: Sequence[AnyStr], last: AnyStr) -> tuple[AnyStr, ...]:
    changed = list(lines)
    changed[-1] = last
    return tuple(changed)
