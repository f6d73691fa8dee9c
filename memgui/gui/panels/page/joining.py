"""A page's text and the disk's as two sides of what both came from. Values alone: they may be joined on any thread."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.lines import Lines
from memgui.domain.merging import Merged
from memgui.domain.paths import DocPath
from memgui.domain.pieces import merge_pieces, pieces_of

LARGE = 400_000
"""Above this many characters in all three texts the sides are joined beside the window."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What both came from (None: nothing stood there), the page's text and the disk's. `ticket` names the question."""

    path: DocPath
    base: Lines | None
    mine: Lines
    theirs: Lines
    ticket: int = 0

    @property
    def is_large(self) -> bool:
        """Whether the window would feel it."""
        texts = [self.mine.texts, self.theirs.texts, self.base.texts if self.base is not None else ()]
        return sum(sum(map(len, lines)) for lines in texts) > LARGE


def join(sides: Sides) -> Merged[str]:
    """Both sides' changes, each once; overlaps where they changed the same lines."""
    base = pieces_of(sides.base) if sides.base is not None else ()
    return merge_pieces(base, pieces_of(sides.mine), pieces_of(sides.theirs))


def overlapping(merged: Merged[str]) -> int:
    """How many of theirs lines stand against lines of mine."""
    return sum(max(1, len(overlap.theirs), len(overlap.base)) for overlap in merged.overlaps)
