"""Refusals: who was told no, for what and why. Kept for the person to see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotAuthorized, RateLimited
from memgui.domain.moments import rfc3339
from memgui.domain.origin import Origin
from memgui.domain.paths import shown
from memgui.domain.refusals import Refusal
from memgui.domain.workspace import Workspace
from memgui.storage.journal import Journal

_LONGEST = 200
_NOES = (InvalidParameters, NotAuthorized, RateLimited)


@contextmanager
def noted(ws: Workspace, origin: Origin, tool: str, target: object, *, now: datetime) -> Iterator[None]:
    """Whatever is refused in the block is noted, and raised on. What should have been written never is."""
    try:
        yield
    except _NOES as error:
        note(ws, origin, tool, target, error, now=now)
        raise


def note(ws: Workspace, origin: Origin, tool: str, target: object, error: MemguiError, *, now: datetime) -> None:
    """Note one refusal. A state folder that takes none does not change the answer."""
    name = shown(str(target)[:_LONGEST]) if target is not None else ""
    refusal = Refusal(now.timestamp(), origin, tool, name, error.code, error.message)
    with suppress(ExecutionFailed):
        Journal(ws.state).refuse(refusal)


def refusals(ws: Workspace) -> tuple[Refusal, ...]:
    """What was refused in this workspace, oldest first."""
    return Journal(ws.state).refusals()


def refusals_answer(ws: Workspace) -> dict[str, Any]:
    """The same in the form that programs are given."""
    return {
        "refusals": [
            {
                "at": rfc3339(one.time),
                "who": one.origin.label,
                "tool": one.tool,
                "target": one.target,
                "code": one.code,
                "message": one.message,
                "count": one.count,
            }
            for one in refusals(ws)
        ]
    }
