"""In step with the disk: `look` reads the whole tree, `pull` what changed since.

What a watcher says is a hint; this is the truth. Lane: writes, so that no look falls into the middle of a deed.
"""

from __future__ import annotations

from collections.abc import Callable

from memgui.domain.changes import ChangeSet
from memgui.domain.paths import DocPath
from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.storage.folders import never
from memgui.storage.scan import scan


def look(workspace: Workspace, *, stop: Callable[[], bool] = never) -> Snapshot:
    """All that stands in the workspace now. NotFound where its folder is gone, ReadFailed where it cannot be read."""
    return scan(workspace.root, private=workspace.private, stop=stop)


def pull(
    workspace: Workspace,
    known: Snapshot,
    folders: frozenset[DocPath] | None = None,
    *,
    stop: Callable[[], bool] = never,
) -> tuple[Snapshot, ChangeSet]:
    """What stands there now and what that changes against what was known; only `folders` are read, None reads them all.

    Where nothing changed the answer is empty, and what was known is given back.
    """
    from memgui.domain.compare import compare
    from memgui.storage.rescan import rescan

    if folders is None:
        found = look(workspace, stop=stop)
    else:
        found = rescan(workspace.root, known, folders, private=workspace.private, stop=stop)
    if found == known:
        return known, ChangeSet()
    return found, compare(known, found)
