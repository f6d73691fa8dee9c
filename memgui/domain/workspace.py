"""`Workspace`: a folder that a person opened, its stores, what is protected there, where memgui keeps its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memgui.domain.layouts import NAMED_FOLDERS, Layout, Store, deepest, lies_among_facts
from memgui.domain.paths import ROOT, DocPath, is_inside
from memgui.domain.protection import Protection
from memgui.domain.tree import Node


@dataclass(frozen=True, slots=True)
class RecentWorkspace:
    """A workspace that was opened. `opened` is in seconds since 1970; `is_there`: whether the folder still is."""

    path: Path
    id: str
    name: str
    opened: float
    is_there: bool = True


@dataclass(frozen=True, slots=True)
class FoundWorkspace:
    """Memory in one of the usual places. `documents` were counted; there are more where the count is not complete."""

    path: Path
    layout: Layout
    documents: int
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder of memory. `root` is its real path; `state` and `cache` are memgui's own folders for it."""

    root: Path
    id: str
    name: str
    state: Path
    cache: Path
    stores: tuple[Store, ...] = (Store(ROOT, Layout.PLAIN),)
    """The store of the workspace itself first, then by path."""
    protection: Protection = field(default_factory=Protection)
    private: frozenset[DocPath] = frozenset()
    """memgui's own folders, where they lie inside the workspace: never shown, read or written as memory."""

    @property
    def layout(self) -> Layout:
        """The layout of the workspace's own store."""
        return self.stores[0].layout

    @property
    def named_folders(self) -> frozenset[str]:
        """The dot folders that may stand in a document's path."""
        return frozenset(NAMED_FOLDERS)

    def store_of(self, path: DocPath) -> Store:
        """The store whose rules hold for a path: the deepest that contains it."""
        return deepest(self.stores, path)

    def protects(self, path: DocPath, node: Node | None = None) -> bool:
        """Whether it is an identity file, by its name or (given its node) by the file behind the name."""
        return self.protection.covers(path) if node is None else self.protection.covers_node(node)

    def holds_facts(self, path: DocPath) -> bool:
        """Whether it lies among facts, also where a store is only about to be made there."""
        return self.store_of(path).holds_facts or lies_among_facts(path, above=self.root.parts, stores=self.stores)

    def is_private(self, path: DocPath) -> bool:
        """Whether it lies in memgui's own folders."""
        return any(is_inside(path, folder) for folder in self.private)
