"""Batches of replacements as a later memgui knows them: what a killed one did can still be taken back as one.

Lane of `known`: reads; of all others: writes. A disk that takes none of it keeps nobody from anything now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from memgui.domain.errors import ExecutionFailed
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Done, Exchange, Replaced
from memgui.domain.workspace import Workspace
from memgui.storage.batches import Batches
from memgui.storage.locks import workspace_lock


def begin(ws: Workspace, batch: str, exchange: Exchange) -> None:
    """A batch of this name begins."""
    _tell(ws, lambda known: known.begin(batch, exchange))


def note(ws: Workspace, batch: str, done: Done) -> None:
    """This is about to be written to a document."""
    _tell(ws, lambda known: known.note(batch, done))


def took_back(ws: Workspace, batch: str, paths: Sequence[DocPath]) -> None:
    """These documents are no part of a batch any more."""
    _tell(ws, lambda known: known.took_back(batch, paths))


def known(ws: Workspace) -> tuple[tuple[str, Replaced], ...]:
    """The latest batches of which something is left to take back, by their names, the oldest first."""
    return Batches(ws.state).all()


def _tell(ws: Workspace, what: Callable[[Batches], None]) -> None:
    with suppress(OSError, ExecutionFailed), workspace_lock(ws.state):
        what(Batches(ws.state))
