"""Settling: what a person changed in a document, brought into the bytes that they accepted of it, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from memgui.domain.differences import runs
from memgui.domain.hunks import ended, ending_or_none, in_both
from memgui.domain.merging import Overlap
from memgui.domain.pieces import merge_pieces, pieces

Lines = Sequence[bytes]


def settled(accepted: bytes | None, before: bytes | None, after: bytes) -> bytes | None:
    """The accepted bytes once a person turned `before` into `after`. None: still nothing is accepted there.

    What others had written and the person left as it is stays open; so does what they only mended in it. Lines that
    they wrote in the midst of it are theirs, and accepted.
    """
    mine, theirs = pieces(accepted or b""), pieces(after)
    if before is None:
        return b"".join(in_both(mine, theirs))
    merged = merge_pieces(pieces(before), mine, theirs)
    lines: list[bytes] = []
    done = 0
    for overlap in merged.overlaps:
        stop = overlap.start + len(overlap.mine)
        lines += [*merged.lines[done:stop], *_own(overlap)]
        done = stop
    lines += merged.lines[done:]
    if not lines and accepted is None:
        return None
    result = [*ended(lines)]
    if result and theirs and _unended(result[-1]) == _unended(theirs[-1]):
        # Whether the last line ends is as the person left it.
        result[-1] = theirs[-1]
    return b"".join(result)


def _unended(line: bytes) -> bytes:
    return line.removesuffix(ending_or_none(line))


def _own(overlap: Overlap[bytes]) -> list[bytes]:
    """The lines that the person wrote where others had written, and that are no mended lines of theirs."""
    own = []
    for start, removed, new, added in runs(overlap.base, overlap.theirs):
        gone = overlap.base[start : start + removed]
        own += [
            line
            for line in overlap.theirs[new : new + added]
            if line not in overlap.mine and not any(is_alike(line, other) for other in gone)
        ]
    return own


def is_alike(one: bytes, other: bytes) -> bool:
    """Whether one line may be the other, mended: half of its bytes, at both ends together, are the same."""
    one, other = one.strip(), other.strip()
    shorter, longer = sorted((len(one), len(other)))
    head = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    tail = next((at for at in range(shorter - head) if one[-1 - at] != other[-1 - at]), shorter - head)
    return 2 * (head + tail) >= longer
