"""What happened to a workspace: `Change` per document, a `ChangeSet` for one deed or one look at the disk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.tree import Node


class ChangeKind(Enum):
    """What became of the name."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Change:
    """One document's change. `node` is what stands there now (None: gone); `renamed_from` is set for RENAMED alone."""

    path: DocPath
    kind: ChangeKind
    origin: Origin
    node: Node | None = None
    renamed_from: DocPath | None = None
    fingerprint: str | None = None
    """The hash of the bytes now on disk, where the deed knows it."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one deed did, in path order. Empty: nothing was new. `reload` says the whole tree is better read anew."""

    changes: tuple[Change, ...] = ()
    reload: bool = False

    def __bool__(self) -> bool:
        return bool(self.changes) or self.reload

    @property
    def paths(self) -> tuple[DocPath, ...]:
        return tuple(change.path for change in self.changes)
