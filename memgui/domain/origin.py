"""Who wrote: the person in the window, the person in a shell, an agent through memgui's tools, or a program outside."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_UNSAFE = re.compile(r"[^A-Za-z0-9._ -]")


class OriginKind(Enum):
    """The four writers that memgui tells apart; it never guesses a name."""

    YOU = "you"
    SHELL = "you (shell)"
    AGENT = "agent"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote. An agent's `name` is its own word, cut to 64 characters of `[A-Za-z0-9._ -]`."""

    kind: OriginKind
    name: str = ""

    @staticmethod
    def you() -> Origin:
        """The person, in the window."""
        return Origin(OriginKind.YOU)

    @staticmethod
    def shell() -> Origin:
        """The person, on the command line."""
        return Origin(OriginKind.SHELL)

    @staticmethod
    def outside() -> Origin:
        """Any program but memgui: seen on disk, writer unknown."""
        return Origin(OriginKind.OUTSIDE)

    @staticmethod
    def agent(name: str) -> Origin:
        """An agent through memgui's own tools."""
        clean = _UNSAFE.sub("", name)[:64].strip()
        if clean.casefold() in {"", "you", "outside", "you shell"}:
            clean = "unnamed"
        return Origin(OriginKind.AGENT, clean)

    @property
    def is_agent(self) -> bool:
        return self.kind is OriginKind.AGENT

    @property
    def is_person(self) -> bool:
        return self.kind in (OriginKind.YOU, OriginKind.SHELL)

    @property
    def label(self) -> str:
        """As it is shown and kept: `you`, `you (shell)`, `agent "NAME"`, `outside`."""
        return f'agent "{self.name}"' if self.is_agent else self.kind.value
