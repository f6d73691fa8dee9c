"""What stands in a workspace: `scan` tells all of it, `names` the paths alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memgui.domain.paths import ROOT, DocPath, join
from memgui.domain.tree import Node, NodeKind, Snapshot
from memgui.storage.folders import ENCODING, FolderReader, Found, Stop, leads_to_folder, never


def scan(root: Path, *, private: frozenset[DocPath] = frozenset(), stop: Stop = never) -> Snapshot:
    """All names of a workspace. `private`: folders to leave out. NotFound, ReadFailed: the root cannot be read."""
    reader = FolderReader(root, private, stop)
    found = Found()
    top = reader.folder(ROOT, ())
    reader.deep(top, found)
    return in_order(found.nodes, found.problems)


def names(
    root: Path, *, private: frozenset[DocPath] = frozenset(), stop: Stop = never
) -> Iterator[tuple[DocPath, bool]]:
    """The paths alone, in no order, and whether each is a folder: no file is asked about, which makes it quick."""
    reader = FolderReader(root, private, stop)
    todo = [reader.folder(ROOT, ())]
    while todo:
        folder = todo.pop()
        with reader.entries(folder) as entries:
            for entry in entries or ():
                path = join(folder.path, entry.name)
                is_folder = leads_to_folder(entry)
                yield path, is_folder
                if is_folder and not entry.is_symlink():
                    inner = reader.below(folder, path)
                    if inner is not None:
                        todo.append(inner)


def in_order(nodes: dict[DocPath, Node], problems: dict[DocPath, str]) -> Snapshot:
    """A snapshot of these nodes in bytewise order, which for names in UTF-8 is the order of their characters."""
    try:
        if ENCODING != "utf-8":
            raise UnicodeError
        "\n".join(nodes).encode()
        paths = sorted(nodes)
    except UnicodeError:
        paths = sorted(nodes, key=os.fsencode)
    ordered = {path: nodes[path] for path in paths}
    return Snapshot(ordered, problems, count_folders(ordered))


def count_folders(nodes: dict[DocPath, Node]) -> int:
    """How many real folders a workspace with these nodes has, itself included."""
    return 1 + [node.kind for node in nodes.values()].count(NodeKind.FOLDER)
