"""What turns one text into another, line by line, at a cost that the window can bear."""

from __future__ import annotations

from collections.abc import Sequence

from memgui.domain.lines import Lines, Splice, differences

LARGE = 2_000_000
"""Above this many characters only the common head and tail are looked for."""


def splices(old: Sequence[str], new: Sequence[str]) -> tuple[Splice, ...]:
    """What turns `old` into `new`; for large texts one splice between common head and tail, which costs little."""
    if sum(map(len, old)) + sum(map(len, new)) <= 2 * LARGE:
        return differences(old, new)
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    if head + tail == len(old) == len(new):
        return ()
    return (Splice(head, len(old) - head - tail, tuple(new[head : len(new) - tail])),)


def with_endings(lines: Lines) -> list[str]:
    """Each line with what ends it, so that two lines are alike only if their bytes are."""
    return [text + ending for text, ending in zip(lines.texts, (*lines.breaks, ""), strict=True)]
