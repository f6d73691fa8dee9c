"""The tree as the window shows it: groups above every file, and the state words of each row. Lane: reads."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from memgui.domain import groups
from memgui.domain.groups import Group
from memgui.domain.paths import DocPath
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace

__all__ = ["Group", "arrange", "states"]


def arrange(workspace: Workspace, snapshot: Snapshot, today: datetime.date) -> tuple[Group, ...]:
    """The groups of the workspace, top to bottom, by the day that it is where the person sits."""
    return groups.arrange(workspace, snapshot, today)


def states(workspace: Workspace, snapshot: Snapshot) -> Mapping[DocPath, tuple[str, ...]]:
    """The state words of the files that have any: `protected`, `readonly`, `missing`."""
    protection = workspace.protection
    identities = protection.identities
    may_hold: dict[str, bool] = {}
    found: dict[DocPath, tuple[str, ...]] = {}
    for path, node in snapshot.nodes.items():
        kind, stat = node.kind, node.stat
        if kind is NodeKind.FILE or kind is NodeKind.LINK_FILE:
            folder = path.rpartition("/")[0]
            if folder not in may_hold:
                may_hold[folder] = protection.may_hold(folder)
            is_identity = stat is not None and (stat.device, stat.inode) in identities
            words = ("protected",) if is_identity or (may_hold[folder] and protection.covers(path)) else ()
            if stat is None or not stat.mode & 0o222:
                words = (*words, "readonly")
        elif kind is NodeKind.LINK_BROKEN:
            words = ("missing",)
        else:
            words = () if kind.is_folder else ("readonly",)
        if words:
            found[path] = words
    return found
