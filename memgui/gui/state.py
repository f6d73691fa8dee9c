"""What the window keeps about itself: the state a document is in, where the window stood, and what was open in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from memgui.domain.paths import DocPath
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


MOST_TABS = 200
"""Nobody finds their way among more; what is kept stays small."""


@dataclass(frozen=True, slots=True)
class Tab:
    """An open document: whether it is a tab of its own, where caret and selection were, and the topmost line shown."""

    path: DocPath
    pinned: bool = True
    anchor: int = 0
    caret: int = 0
    top: int = 0
    encoding: str = ""
    """The name of the encoding in which a person reopened it; empty: as it is read by itself."""
    mode: str = ""
    """How it was shown: as source, where empty, or rendered, alone or beside its source."""

    def values(self) -> dict[str, Any]:
        """As values that can be kept."""
        return asdict(self) | {"path": os.fsencode(self.path).decode("utf-8", "surrogateescape")}

    @staticmethod
    def of(values: object) -> Tab | None:
        """From kept values; None where they name no document."""
        if not isinstance(values, Mapping) or not isinstance(path := values.get("path"), str) or not path:
            return None

        def whole(name: str) -> int:
            value = values.get(name)
            return value if type(value) is int and 0 <= value < 1 << 31 else 0

        encoding, mode = values.get("encoding"), values.get("mode")
        return Tab(
            DocPath(path),
            values.get("pinned") is not False,
            whole("anchor"),
            whole("caret"),
            whole("top"),
            encoding if isinstance(encoding, str) else "",
            mode if isinstance(mode, str) else "",
        )


@dataclass(frozen=True, slots=True)
class Sitting:
    """What was open in a workspace's window: tabs in their order, which was in front, what middle and side showed."""

    tabs: tuple[Tab, ...] = ()
    front: int = 0
    middle: str = ""
    side: str = ""

    def values(self) -> dict[str, Any]:
        """As values that can be kept."""
        tabs = [tab.values() for tab in self.tabs[:MOST_TABS]]
        return {"tabs": tabs, "front": self.front, "middle": self.middle, "side": self.side}

    @staticmethod
    def of(values: Mapping[str, object]) -> Sitting:
        """From kept values; what makes no sense is left out."""
        kept = values.get("tabs")
        found = [Tab.of(one) for one in kept[:MOST_TABS]] if isinstance(kept, list) else []
        front = values.get("front")
        middle, side = values.get("middle"), values.get("side")
        at = front if type(front) is int and 0 <= front < len(found) else 0
        # Tabs before it that are left out move it forward.
        at -= sum(tab is None for tab in found[:at])
        tabs: dict[DocPath, Tab] = {}
        for tab in found:
            if tab is not None:
                tabs.setdefault(tab.path, tab)
        return Sitting(
            tuple(tabs.values()),
            min(at, max(0, len(tabs) - 1)),
            middle if isinstance(middle, str) else "",
            side if isinstance(side, str) else "",
        )
