"""What the window keeps about itself: the state a document is in, as people see it, and where the window stood."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from memgui.i18n import _


class DocumentState(Enum):
    """The one state a page is in; the value is public."""

    SAVED = "saved"
    UNSAVED = "unsaved"
    MERGED = "merged"
    CONFLICT = "conflict"
    NOT_SAVED = "not-saved"
    PROTECTED = "protected"
    DELETED = "deleted"
    VIEW = "view"

    @property
    def icon(self) -> str:
        """The icon beside the name on a tab; none where all is well."""
        return _LOOKS[self][0]

    @property
    def colour(self) -> str:
        """The token its words are written in."""
        return _LOOKS[self][1]

    @property
    def words(self) -> str:
        """What a screen reader says after the name."""
        return _(_LOOKS[self][2])


_LOOKS = {
    DocumentState.SAVED: ("", "muted", "saved"),
    DocumentState.UNSAVED: ("live", "text", "unsaved"),
    DocumentState.MERGED: ("plus", "info", "merged"),
    DocumentState.CONFLICT: ("warning", "warning", "conflict"),
    DocumentState.NOT_SAVED: ("error", "error", "not saved"),
    DocumentState.PROTECTED: ("lock", "muted", "protected, read only"),
    DocumentState.DELETED: ("warning", "warning", "deleted on disk"),
    DocumentState.VIEW: ("eye", "muted", "view only"),
}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the window stood and what it showed beside the pages."""

    x: int = -1
    y: int = -1
    width: int = 1180
    height: int = 760
    maximised: bool = False
    side_width: int = 0
    """0: as wide as it usually is, at the zoom of the text."""
    side_shown: bool = True

    @property
    def is_placed(self) -> bool:
        """Whether it names a place on a screen."""
        return self.x >= 0 and self.y >= 0
