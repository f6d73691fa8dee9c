"""What the history is asked to compare, as values."""

from __future__ import annotations

from dataclasses import dataclass

from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.gui.kit.difference import Difference, Part
from memgui.i18n import _
from memgui.ops.timeline import Compared


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two states of a document to be compared, the older first (None: nothing). `now`: the second one is the disk's."""

    path: DocPath
    before: Version | None
    after: Version | None = None
    now: bool = False

    @property
    def words(self) -> str:
        """Which two they are."""
        old = _("nothing") if self.before is None else _("version {number}").format(number=self.before.number)
        if self.now:
            return _("{old} → now").format(old=old)
        new = _("nothing") if self.after is None else _("version {number}").format(number=self.after.number)
        return _("{old} → {new}").format(old=old, new=new)

    @property
    def can_restore_place(self) -> bool:
        """Whether a single place can be put back: the other side is what stands there now."""
        return self.now and self.before is not None and self.before.hash is not None


def difference_of(found: Compared) -> Difference:
    """What the view shows; its parts are known by the numbers of the places, from 1."""
    parts = tuple(
        Part(str(number), place.start, place.end - place.start, place.new_start, place.new_end - place.new_start)
        for number, place in enumerate(found.places, 1)
    )
    return Difference(found.before, found.after, parts)
