"""Lines with their own endings, differences between two texts by line, and the table that keeps endings through edits.

A line ends at CR LF, LF, CR, U+2029, U+FDD0 or U+FDD1 (the last three because a Qt document begins a new block there).
U+2028, vertical tab, form feed and U+0085 are ordinary characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BREAK = re.compile("(\r\n|[\n\r\u2029\ufdd0\ufdd1])")


@dataclass(frozen=True, slots=True)
class Lines:
    """Text as lines. `breaks[i]` stands between `texts[i]` and `texts[i + 1]`: one break less than there are texts."""

    texts: tuple[str, ...]
    breaks: tuple[str, ...]

    @staticmethod
    def split(text: str) -> Lines:
        """The lines of `text`; `joined` gives it back exactly."""
        pieces = _BREAK.split(text)
        return Lines(tuple(pieces[::2]), tuple(pieces[1::2]))

    def joined(self) -> str:
        """The whole text."""
        pieces = [""] * (len(self.texts) + len(self.breaks))
        pieces[::2] = self.texts
        pieces[1::2] = self.breaks
        return "".join(pieces)

    def ending_for_new(self, index: int) -> str:
        """The ending of a new line before line `index`: of the line above; for the first, of the one below; or LF."""
        if not self.breaks:
            return "\n"
        return self.breaks[min(max(index - 1, 0), len(self.breaks) - 1)]


@dataclass(frozen=True, slots=True)
class Splice:
    """Put `texts` in the place of the lines from `start` up to `start + removed`."""

    start: int
    removed: int
    texts: tuple[str, ...]


def differences(old: Sequence[str], new: Sequence[str]) -> tuple[Splice, ...]:
    """What turns `old` into `new`, line by line: ascending, apart from each other, in the coordinates of `old`."""
    head = _common_head(old, new)
    tail = _common_tail(old, new, head)
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if not before and not after:
        return ()
    if not before or not after:
        return (Splice(head, len(before), tuple(after)),)
    return tuple(
        Splice(head + start, removed, tuple(after[new_start : new_start + added]))
        for start, removed, new_start, added in _hunks(before, after)
    )


def _common_head(old: Sequence[str], new: Sequence[str]) -> int:
    shorter = min(len(old), len(new))
    return next((i for i in range(shorter) if old[i] != new[i]), shorter)


def _common_tail(old: Sequence[str], new: Sequence[str], head: int) -> int:
    shorter = min(len(old), len(new)) - head
    return next((i for i in range(shorter) if old[-1 - i] != new[-1 - i]), shorter)


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """(start, count) in old and (start, count) in new of each run that differs, by libgit2."""
    # Here, and not at the top: loading libgit2 takes longer than most verbs of the command line, which compare nothing.
    from pygit2 import Patch

    numbers: dict[str, int] = {}
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
