"""One call of a tool from its name and arguments to its answer or error: what the protocol is not needed for."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from memgui.domain.errors import InvalidParameters, MemguiError, RateLimited
from memgui.domain.origin import Origin
from memgui.domain.paths import shown
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.mcp.parameters import checked
from memgui.mcp.tools import Answer, Call, Tool, by_name, moment
from memgui.ops import preferences, workspace
from memgui.ops.notes import LiveNote

if TYPE_CHECKING:
    from memgui.ops.fact_stores import KnownFacts
    from memgui.ops.finder import Finder
    from memgui.ops.words.behind import Behind

_REMEMBERED_SECONDS = 30.0
"""How long a tool that only looks goes by what was known of the workspace's stores."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is answered: a text, a value, and whether it is an error."""

    text: str
    value: dict[str, Any]
    failed: bool = False


class Caller:
    """The tools on one workspace for one session. `agent`: the name to be known by, whatever the client says."""

    def __init__(self, ws: Workspace, *, agent: str | None = None) -> None:
        self._ws = ws
        self._opened = monotonic()
        self._finder: Finder | None = None
        self._behind: Behind | None = None
        self._facts: KnownFacts | None = None
        self._making = threading.Lock()
        self._agent = agent
        self._tools = by_name()
        self.note = LiveNote(ws.root)

    def tool(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def about(self, tool: Tool) -> str:
        """What an agent is told of a tool: in this workspace, some writes may wait for a person."""
        patterns = preferences.load().held_in(self._ws.root) if tool.guarded else ()
        if not patterns:
            return tool.about
        waits = (
            'In this workspace a person looks first at what is written to {names}: the answer is then "held", nothing '
            "is written yet, and there is no need to try again."
        )
        return f"{tool.about} {waits.format(names=', '.join(patterns))}"

    def greet(self, client: str) -> Origin:
        """Who calls, by the client's own word; its session is live from now on."""
        origin = Origin.agent(self._agent if self._agent is not None else client)
        self.note.begin(origin.name)
        return origin

    def call(self, name: str, arguments: Mapping[str, Any], origin: Origin) -> Result:
        """Check what was sent and do it."""
        try:
            answer = self._answer(name, arguments, origin)
        except MemguiError as error:
            return failure(error)
        return Result(answer.text, answer.value)

    def end(self) -> None:
        """The session is over."""
        self.note.end()
        with self._making:
            if self._behind is not None:
                self._behind.close()
            if self._finder is not None:
                self._finder.close()

    def _searching(self) -> Finder:
        from memgui.ops import finding

        with self._making:
            if self._finder is None:
                self._finder = finding.open(self._ws)
            return self._finder

    def _searched(self) -> None:
        from memgui.ops import finding

        with self._making:
            if self._finder is None or self._finder.looked is None:
                return
            if self._behind is None:
                self._behind = finding.behind(self._ws, self._finder)
            self._behind.searched(self._finder.looked)

    def _known_facts(self) -> KnownFacts:
        from memgui.ops.fact_stores import KnownFacts

        with self._making:
            if self._facts is None:
                self._facts = KnownFacts()
            return self._facts

    def _answer(self, name: str, arguments: Mapping[str, Any], origin: Origin) -> Answer:
        tool = self._tools.get(name)
        if tool is None:
            raise InvalidParameters(
                _("there is no tool '{name}'").format(name=shown(name[:60])),
                hint=_("The tools are: {names}.").format(names=", ".join(self._tools)),
            )
        now = moment()
        try:
            given = checked(tool.parameters, arguments)
        except InvalidParameters as error:
            from memgui.ops import limits, refusals

            with refusals.noted(self._ws, origin, name, None, now=now):
                if tool.guarded:
                    # Whoever writes too often is told so first, whatever the call says.
                    limits.rate(self._ws, origin, now)
                raise error
        if tool.guarded or monotonic() - self._opened > _REMEMBERED_SECONDS:
            # Stores come and go while a server runs, and so do the files behind protected names.
            self._ws, self._opened = workspace.open(self._ws.root, remember=False), monotonic()
        call = Call(self._ws, origin, now, self.note, self._searching, self._searched, self._known_facts)
        if tool.notes_refusals:
            return tool.deed(call, given)
        try:
            return tool.deed(call, given)
        except MemguiError as error:
            # Loaded only where there is something to note: most calls are answered.
            from memgui.ops import refusals

            with refusals.noted(self._ws, origin, name, given.get("path", given.get("query")), now=now):
                raise error


def failure(error: MemguiError) -> Result:
    """An error as it is answered: the sentence, and the same for programs."""
    value: dict[str, Any] = {"code": error.code, "message": error.message, "hint": error.hint}
    if isinstance(error, RateLimited):
        value["retry_after"] = error.retry_after
    return Result(error.message, {"error": value}, failed=True)
