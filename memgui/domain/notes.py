"""The working note of a live session: the port that a host may fill with a store of its own, and what a tool does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from memgui.domain.errors import InvalidParameters
from memgui.i18n import _

READ, REPLACE, APPEND = "read", "replace", "append"
ACTIONS = (READ, REPLACE, APPEND)

MOST_CHARACTERS = 1_000_000
"""A note grows no longer by what is added to it."""

TOOLS = ("memory",)
"""The tools by which an agent reaches its note."""


class NoteStore(Protocol):
    """Where a session's note is. Kept no longer than the session, unless the host's own store does."""

    def read(self) -> str:
        """The whole note; empty where nothing was written."""

    def replace(self, content: str) -> None:
        """Other text in the place of the whole note."""

    def append(self, line: str) -> None:
        """One more line, or lines, at the end."""


class MemoryNote:
    """A note in memory alone: gone with the process."""

    def __init__(self, text: str = "") -> None:
        self._text = text

    def read(self) -> str:
        return self._text

    def replace(self, content: str) -> None:
        self._text = content

    def append(self, line: str) -> None:
        between = "\n" if self._text and not self._text.endswith("\n") else ""
        self._text += between + line


@dataclass(frozen=True, slots=True)
class NoteSession:
    """A live session that offers the note. `active`: whether its agent may use it; the text stays either way."""

    id: str
    agent: str
    workspace: str
    active: bool = True
    text: str = ""
    tools: tuple[str, ...] = TOOLS

    @property
    def value(self) -> dict[str, Any]:
        """In the form that programs are given."""
        return {
            "id": self.id,
            "agent": self.agent,
            "active": self.active,
            "length": len(self.text),
            "tools": list(self.tools),
        }


def act(store: NoteStore, action: str, content: str | None = None) -> dict[str, Any]:
    """Do one action on a note; the answer of contract §3. InvalidParameters for an unknown action."""
    if action not in ACTIONS:
        raise InvalidParameters(_("action must be one of {choices}").format(choices=", ".join(ACTIONS)))
    if action == REPLACE:
        if content is None:
            raise InvalidParameters(_("content is missing: replace needs the new text"))
        store.replace(content)
    elif action == APPEND and content:
        if len(store.read()) + len(content) > MOST_CHARACTERS:
            raise InvalidParameters(
                _("the note would be longer than {most:,} characters").format(most=MOST_CHARACTERS),
                hint=_("Replace it with what is still needed."),
            )
        store.append(content)
    text = store.read()
    return {"action": action, "ok": True, "length": len(text), "text": text}
