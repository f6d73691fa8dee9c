"""What a person wishes to be done with a change, as it was shown to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Property

from memgui.domain.review import Hunk, PendingChange, ShownChange, VerdictKind
from memgui.gui.kit.difference import Difference, DifferenceView, Part


@dataclass(frozen=True, slots=True)
class Wish:
    """One verdict asked for: over the change and the hunk (None: all of it) as they were shown."""

    kind: VerdictKind
    change: PendingChange
    hunk: Hunk | None = None
    text: str = ""
    """The person's own lines, for EDIT."""
    hunks: tuple[Hunk, ...] = ()
    """What was shown and is not decided yet, where the wish is for all of it."""

    @property
    def writes(self) -> bool:
        """Whether it changes the document and not only what counts as accepted."""
        return self.kind is not VerdictKind.ACCEPT


@dataclass(frozen=True, slots=True)
class WishForAll:
    """The same verdict over many changes, as they were listed."""

    kind: VerdictKind
    changes: Sequence[PendingChange]


class ReviewDifference(DifferenceView):
    """The text of a change. Its property `hunk` is the id of the chosen hunk, None where none is."""

    def _hunk(self) -> str | None:
        return self.part

    hunk = Property(object, _hunk)


def difference_of(shown: ShownChange) -> Difference:
    """What the view shows of a change; its parts are known by the ids of the hunks."""
    return Difference(
        shown.before,
        shown.after,
        tuple(
            Part(
                hunk.id,
                hunk.start,
                len(hunk.removed),
                hunk.new_start,
                len(hunk.added),
                hunk.moved_away,
                hunk.moved_here,
            )
            for hunk in shown.hunks
        ),
    )
