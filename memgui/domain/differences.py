"""What differs between two texts, line by line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Splice:
    """Put `texts` in the place of the lines from `start` up to `start + removed`."""

    start: int
    removed: int
    texts: tuple[str, ...]


def prepare() -> None:
    """Load what comparing needs, so that the first who compares does not wait for it."""
    import pygit2  # noqa: F401


def differences(old: Sequence[str], new: Sequence[str]) -> tuple[Splice, ...]:
    """What turns `old` into `new`, line by line: ascending, apart from each other, in the coordinates of `old`."""
    return tuple(
        Splice(start, removed, tuple(new[new_start : new_start + added]))
        for start, removed, new_start, added in runs(old, new)
    )


def runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """(start, count) in `old` and (start, count) in `new` of each run that differs, in order."""
    head = _common_head(old, new)
    tail = _common_tail(old, new, head)
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if not before and not after:
        return []
    if not before or not after:
        return [(head, len(before), head, len(after))]
    return [
        (head + start, removed, head + new_start, added) for start, removed, new_start, added in _hunks(before, after)
    ]


def _common_head(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    shorter = min(len(old), len(new))
    return next((i for i in range(shorter) if old[i] != new[i]), shorter)


def _common_tail(old: Sequence[Hashable], new: Sequence[Hashable], head: int) -> int:
    shorter = min(len(old), len(new)) - head
    return next((i for i in range(shorter) if old[-1 - i] != new[-1 - i]), shorter)


def _hunks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """As `runs`, by libgit2."""
    # Here, and not at the top: loading libgit2 takes longer than most verbs of the command line, which compare nothing.
    from pygit2 import Patch

    numbers: dict[Hashable, int] = {}
    buffers = [b"".join(b"%x\n" % numbers.setdefault(line, len(numbers)) for line in lines) for lines in (old, new)]
    patch = Patch.create_from(buffers[0], buffers[1], context_lines=0, interhunk_lines=0)
    return [
        (
            hunk.old_start - 1 if hunk.old_lines else hunk.old_start,
            hunk.old_lines,
            hunk.new_start - 1 if hunk.new_lines else hunk.new_start,
            hunk.new_lines,
        )
        for hunk in patch.hunks
    ]
