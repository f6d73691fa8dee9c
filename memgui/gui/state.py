"""What the window keeps about itself: the state a document is in, as people see it, and where the window stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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


_FAR = 1 << 20
"""No screen reaches as far as this many pixels."""


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

    def values(self) -> dict[str, int | bool]:
        """As values that can be kept."""
        return asdict(self)

    @staticmethod
    def of(values: Mapping[str, object]) -> Placement:
        """From kept values; one that is missing or makes no sense is as usual."""
        usual = Placement()

        def whole(name: str, otherwise: int) -> int:
            value = values.get(name)
            return value if type(value) is int and abs(value) < _FAR else otherwise

        def flag(name: str, otherwise: bool) -> bool:
            value = values.get(name)
            return value if isinstance(value, bool) else otherwise

        return Placement(
            whole("x", usual.x),
            whole("y", usual.y),
            whole("width", usual.width),
            whole("height", usual.height),
            flag("maximised", usual.maximised),
            whole("side_width", usual.side_width),
            flag("side_shown", usual.side_shown),
        )
