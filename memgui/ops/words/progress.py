"""What is told of the index of words, and what it is to hold. Light: it knows nothing of how it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memgui.domain.paths import DocPath, is_document
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.search.segments import Key

FOLDER = "words"
"""Where in the cache the index lies."""

Rows = Mapping[DocPath, Key]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the index is. `waiting`: another process writes it just now. `problems` are sentences.

    `failed`: it could not be written, and stays as it is until all of it is looked at again; `retrying`: that is to
    come by itself.
    """

    done: int = 0
    total: int = 0
    passages: int = 0
    ready: bool = False
    waiting: bool = False
    problems: tuple[str, ...] = ()
    failed: bool = False
    retrying: bool = False


Tell = Callable[[Progress], None]


def nobody(_progress: Progress) -> None:
    """For work that nobody watches."""


def rows_of(ws: Workspace, snapshot: Snapshot) -> dict[DocPath, Key]:
    """The documents that the index is to hold, and the state each is in."""
    return {
        path: Key(node.stat.size, node.stat.mtime_ns, node.stat.ctime_ns, node.stat.inode)
        for path, node in snapshot.nodes.items()
        if node.kind is NodeKind.FILE and node.stat and is_document(path) and not ws.is_private(path)
    }
