"""Naming: which agent wrote what a look at the disk found changed. By the journal, and never guessed. Lane: writes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.documents import fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.origin import OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.tree import NodeKind
from memgui.domain.workspace import Workspace
from memgui.storage import files
from memgui.storage.journal import Intent, IntentState, Journal

_MOST_ROWS = 500
"""So many rows back at the most: a look comes soon after a write."""


def named(ws: Workspace, changes: ChangeSet) -> ChangeSet:
    """The changes, those of agents under their names: where the bytes on disk are the last that one meant to put there.

    One question to the journal for all of them; a file is read only where it may be an agent's.
    """
    open_ = [change for change in changes.changes if _may_be_an_agents(change)]
    if not open_:
        return changes
    with suppress(OSError, MemguiError):
        newest = _newest(ws)
        names = {change.path: _named(ws, change, newest[change.path]) for change in open_ if change.path in newest}
        if names:
            told = tuple(names.get(change.path, change) for change in changes.changes)
            return replace(changes, changes=told)
    return changes


def _may_be_an_agents(change: Change) -> bool:
    return (
        change.origin.kind is OriginKind.OUTSIDE
        and change.kind in (ChangeKind.CREATED, ChangeKind.MODIFIED)
        and change.node is not None
        and change.node.kind is NodeKind.FILE
    )


def _newest(ws: Workspace) -> dict[DocPath, Intent]:
    """The youngest row of each document that was written lately."""
    journal = Journal(ws.state)
    last = journal.last()
    rows = () if last is None else journal.rows(after_id=last.id - _MOST_ROWS)
    return {row.path: row for row in rows if row.state is not IntentState.ABORTED}


def _named(ws: Workspace, change: Change, row: Intent) -> Change:
    size = change.node.stat.size if change.node is not None and change.node.stat is not None else None
    if not row.origin.is_agent or (row.size is not None and row.size != size):
        return change
    with suppress(MemguiError):
        if fingerprint(files.read(ws.root, change.path)[0]) == row.after:
            return replace(change, origin=row.origin, fingerprint=row.after)
    return change
