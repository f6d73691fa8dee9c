"""A verdict that had to wait: its change is looked for anew in what the document is by now. Lane: reads."""

from __future__ import annotations

from collections.abc import Sequence

from memgui.domain import hunks
from memgui.domain.review import Hunk, PendingChange, StaleChange
from memgui.domain.workspace import Workspace
from memgui.ops.review import change_at, show


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
