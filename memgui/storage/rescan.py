"""What stands in a workspace now, told by a snapshot and a look into the folders in which something happened."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memgui.domain.paths import ROOT, DocPath, parent_of
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.storage.folders import Contents, Folder, FolderReader, Found, Stop, never
from memgui.storage.scan import count_folders, in_order


def rescan(
    root: Path,
    snapshot: Snapshot,
    folders: Iterable[DocPath],
    *,
    private: frozenset[DocPath] = frozenset(),
    stop: Stop = never,
) -> Snapshot:
    """The snapshot with these folders read anew: what is new in them deeply, what vanished dropped with all below it.

    Links are looked at again wherever they stand, for what they lead to may have changed anywhere. What did not change
    keeps its node.
    """
    return _Renewal(FolderReader(root, private, stop), snapshot).renewed(folders)


class _Renewal:
    """One `rescan`."""

    def __init__(self, reader: FolderReader, snapshot: Snapshot) -> None:
        self._reader = reader
        self._nodes = dict(snapshot.nodes)
        self._problems = dict(snapshot.problems)
        self._children: dict[str, list[DocPath]] = {}
        self._read: set[DocPath] = set()
        """What this renewal has already read from the disk: folders and links."""
        self._arrived = False

    def renewed(self, folders: Iterable[DocPath]) -> Snapshot:
        for path in self._nodes:
            self._children.setdefault(path.rpartition("/")[0], []).append(path)
        for path in sorted({self._start(folder) for folder in folders}):
            if path not in self._read and (not path or path in self._nodes):
                self._again(self._standing(path))
        self._look_at_links()
        if not self._arrived:
            return Snapshot(self._nodes, self._problems, count_folders(self._nodes))
        return in_order(self._nodes, self._problems)

    def _start(self, path: DocPath) -> DocPath:
        """Where to begin reading so that what became of a folder shows: itself while it is what it was, else above."""
        while path:
            node = self._nodes.get(path)
            if node is not None and node.kind is NodeKind.FOLDER:
                try:
                    now = self._reader.folder(path, ())
                except OSError:
                    pass
                else:
                    if _is_same_folder(node, now):
                        return path
            path = parent_of(path)
        return path

    def _standing(self, path: DocPath) -> Folder:
        """The folder with those it lies in; the nearest one above it where it has gone since one began."""
        above = [self._reader.folder(ROOT, ()).identity] if path else []
        for index, character in enumerate(path):
            if character == "/" and (stat := self._nodes[DocPath(path[:index])].stat) is not None:
                above.append((stat.device, stat.inode))
        try:
            return self._reader.folder(path, tuple(above))
        except OSError:
            return self._standing(self._start(parent_of(path)))

    def _again(self, folder: Folder) -> bool:
        """Reads one folder; whether it is (still) to be seen."""
        self._read.add(folder.path)
        problem = self._reader.way_ends(folder)
        contents = Contents([], [], problem) if problem is not None else self._reader.contents(folder)
        if not contents.is_seen:
            self._drop(folder.path)
            return False
        if folder.path:
            self._put(Node(folder.path, NodeKind.FOLDER, folder.stat, contents.problem))
        self._problems.pop(folder.path, None)
        if contents.problem is not None:
            self._problems[folder.path] = contents.problem
        names = {node.path for node in contents.nodes}
        for node in contents.nodes:
            old = self._nodes.get(node.path)
            if old is not None and old.kind is NodeKind.FOLDER:
                self._drop(node.path)
            self._put(node)
            if node.kind.is_link:
                self._read.add(node.path)
        names.update(inner.path for inner in contents.folders if self._inner(inner))
        for path in self._children.get(folder.path, ()):
            if path not in names:
                self._drop(path)
        return True

    def _inner(self, folder: Folder) -> bool:
        """A folder met in one that is read anew: kept with all below it where it is known, read deeply where not."""
        old = self._nodes.get(folder.path)
        if old is None or old.kind is not NodeKind.FOLDER or not _is_same_folder(old, folder):
            self._drop(folder.path)
            found = Found()
            is_seen = self._reader.deep(folder, found)
            for node in found.nodes.values():
                self._put(node)
                self._read.add(node.path)
            self._problems.update(found.problems)
            return is_seen
        if old.problem is not None or old.stat is None or old.stat.mode != folder.stat.mode:
            # It may have been opened, or closed.
            return self._again(folder)
        self._put(old._replace(stat=folder.stat))
        return True

    def _put(self, node: Node) -> None:
        old = self._nodes.get(node.path)
        if old is None:
            self._arrived = True
        if old != node:
            self._nodes[node.path] = node

    def _drop(self, path: DocPath) -> None:
        todo = [path]
        while todo:
            gone = todo.pop()
            if self._nodes.pop(gone, None) is not None:
                self._problems.pop(gone, None)
                todo += self._children.get(gone, ())

    def _look_at_links(self) -> None:
        links = [
            node
            for path, node in self._nodes.items()
            if (node.kind.is_link or node.kind is NodeKind.OTHER) and path not in self._read
        ]
        for node in links:
            if os.path.islink(self._reader.on_disk(node.path)):
                self._put(self._reader.link(node.path))


def _is_same_folder(node: Node, folder: Folder) -> bool:
    return node.stat is not None and (node.stat.device, node.stat.inode) == folder.identity
