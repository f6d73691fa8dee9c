"""What happened between two looks at a workspace, by what the scan tells: no file is read for it."""

from __future__ import annotations

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, sort_key
from memgui.domain.tree import Node, NodeKind, Snapshot


def compare(old: Snapshot, new: Snapshot) -> ChangeSet:
    """The names that came, went, moved or may hold other bytes, in bytewise order; written by a program outside.

    MODIFIED is a hint: a file that was only touched is told as well. A folder is modified where it turned into
    something else or became (un)readable, never for what lies in it.
    """
    if old.nodes is new.nodes:
        return ChangeSet()
    origin = Origin.outside()
    gone = [node for path, node in old.nodes.items() if path not in new.nodes]
    arrived: list[Node] = []
    changes: list[Change] = []
    for path, node in new.nodes.items():
        before = old.nodes.get(path)
        if before is None:
            arrived.append(node)
        elif before is not node and _differs(before, node):
            changes.append(Change(path, ChangeKind.MODIFIED, origin, node))
    moved = _moves(gone, arrived)
    for node in arrived:
        source = moved.get(node.path)
        kind = ChangeKind.CREATED if source is None else ChangeKind.RENAMED
        changes.append(Change(node.path, kind, origin, node, renamed_from=source))
    sources = set(moved.values())
    changes += [Change(node.path, ChangeKind.DELETED, origin) for node in gone if node.path not in sources]
    return ChangeSet(tuple(sorted(changes, key=lambda change: sort_key(change.path))))


def _differs(before: Node, after: Node) -> bool:
    if before.kind is not after.kind or before.problem != after.problem:
        return True
    return after.kind.has_bytes and before.stat != after.stat


def _moves(gone: list[Node], arrived: list[Node]) -> dict[DocPath, DocPath]:
    """New path -> the vanished one whose file it is; each vanished path is given out once."""
    if not gone or not arrived:
        return {}
    sources: dict[tuple[NodeKind, int, int, int, int], list[DocPath]] = {}
    for node in reversed(gone):
        if (key := _file_key(node)) is not None:
            sources.setdefault(key, []).append(node.path)
    moved: dict[DocPath, DocPath] = {}
    for node in arrived:
        key = _file_key(node)
        if key is not None and sources.get(key):
            moved[node.path] = sources[key].pop()
    return moved


def _file_key(node: Node) -> tuple[NodeKind, int, int, int, int] | None:
    """Inodes are used again at once, so size and time have to agree too. A folder's size is no property of its own."""
    stat = node.stat
    if stat is None:
        return None
    size = 0 if node.kind.is_folder else stat.size
    return node.kind, stat.device, stat.inode, size, stat.mtime_ns
