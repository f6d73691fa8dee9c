"""A verdict that had to wait: its change is looked for anew in what the document is by now. Lane: writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from memgui.domain import hunks
from memgui.domain.errors import Conflict
from memgui.domain.review import Hunk, PendingChange, StaleChange
from memgui.domain.workspace import Workspace
from memgui.ops.review import change_at, show
from memgui.storage.locks import workspace_lock

_TRIES = 8

T = TypeVar("T")


def find_again(
    ws: Workspace, change: PendingChange, wanted: Hunk | Sequence[Hunk]
) -> tuple[PendingChange, tuple[Hunk, ...]]:
    """The change of the same document as it is now, and in it the hunks that were shown. Both are for a verdict.

    What has grown since is found as far as it was shown. StaleChange (a Conflict) where one is not found exactly once.
    """
    now = change_at(ws, change.path, source=change.source)
    if now is None:
        raise StaleChange(change.id, change.path)
    found = show(ws, now).hunks
    again = [hunks.again(one, found) for one in ([wanted] if isinstance(wanted, Hunk) else wanted)]
    if any(one is None for one in again):
        raise StaleChange(change.id, change.path)
    return now, tuple(one for one in again if one is not None)


def decide_again(
    ws: Workspace,
    change: PendingChange,
    wanted: Hunk | Sequence[Hunk],
    decide: Callable[[PendingChange, tuple[Hunk, ...]], T],
) -> T:
    """Find the hunks and decide on them, and once more where somebody outside writes in between.

    Conflict where they are not found, or where others never leave the document alone for long enough.
    """
    with workspace_lock(ws.state):
        for _try in range(_TRIES - 1):
            try:
                return decide(*find_again(ws, change, wanted))
            except Conflict:
                continue
        return decide(*find_again(ws, change, wanted))
