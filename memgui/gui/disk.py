"""The disk as the window knows it: what it looked like last, and what a look or a save made of it. Lane: writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.groups import Group
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, parent_of, sort_key
from memgui.domain.tree import Snapshot, Stat
from memgui.domain.workspace import Workspace
from memgui.ops import arrange, sync
from memgui.ops import workspace as workspaces
from memgui.ops.preferences import Places, Settings

if TYPE_CHECKING:
    from memgui.domain.requests import SaveRequest, SaveResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class View:
    """What the tree shows: every name, the groups they stand in, the state words of those that have any."""

    workspace: Workspace
    snapshot: Snapshot
    groups: tuple[Group, ...]
    states: Mapping[DocPath, tuple[str, ...]]
    day: date


class Disk:
    """The write lane's own knowledge of the disk. Only jobs of that lane touch it, so it needs no lock."""

    def __init__(self, root: Path, places: Places, settings: Settings) -> None:
        self._root = root
        self._places = places
        self.settings = settings
        self._view: View | None = None

    def open(self) -> View:
        workspace, snapshot = workspaces.open_whole(self._root, places=self._places, settings=self.settings)
        self._view = self._arranged(workspace, snapshot)
        return self._view

    def pull(self, folders: frozenset[DocPath] | None) -> tuple[View, ChangeSet]:
        """Look into these folders (None: everywhere) and tell what is new. Groups are made anew only if names are."""
        view = self.view
        snapshot, changes = sync.pull(view.workspace, view.snapshot, folders)
        if changes.changes:
            from memgui.ops import naming

            changes = naming.named(view.workspace, changes)
        if changes.reload or date.today() != view.day or any(_names(view.workspace, c) for c in changes.changes):
            workspace = workspaces.recognised(view.workspace, snapshot, settings=self.settings)
            self._view = self._arranged(workspace, snapshot)
        elif snapshot is not view.snapshot:
            self._view = replace(view, snapshot=snapshot, states=_restated(view, changes))
        return self.view, changes

    def choose(self, settings: Settings) -> View:
        """Go by other settings from now on."""
        self.settings = settings
        workspace = workspaces.recognised(self.view.workspace, self.view.snapshot, settings=settings)
        self._view = self._arranged(workspace, self.view.snapshot)
        return self._view

    def _arranged(self, workspace: Workspace, snapshot: Snapshot) -> View:
        today = date.today()
        groups = arrange.arrange(workspace, snapshot, today)
        return View(workspace, snapshot, groups, arrange.states(workspace, snapshot), today)

    def save(self, request: SaveRequest) -> tuple[View, ChangeSet, SaveResult]:
        """Write one document, and know of it before the watcher tells."""
        from memgui.domain.documents import fingerprint
        from memgui.domain.requests import SaveResult
        from memgui.ops import documents

        view = self.view
        changes = documents.write(
            view.workspace,
            request.path,
            request.data,
            expected=request.expected,
            origin=Origin.you(),
            unlocked=frozenset({request.path}) if request.unlocked else frozenset(),
        )
        own = next((change for change in changes.changes if change.path == request.path), None)
        node = own.node if own is not None else None
        after, told = self._told(changes, frozenset({parent_of(request.path)}))
        if node is None:
            node = after.snapshot.nodes.get(request.path) or documents.read(view.workspace, request.path).node
        return after, told, SaveResult(request.path, fingerprint(request.data), node, request.ticket)

    def change(self, deed: Callable[[View], tuple[ChangeSet, T]]) -> tuple[View, ChangeSet, T]:
        """Do a deed of the person's, and know of it before the watcher tells."""
        changes, answer = deed(self.view)
        paths = [*changes.paths, *(old for change in changes.changes if (old := change.renamed_from) is not None)]
        folders = {folder for path in paths for folder in _folders_of(path)}
        after, told = self._told(changes, frozenset(folders)) if folders else (self.view, changes)
        return after, told, answer

    def _told(self, own: ChangeSet, folders: frozenset[DocPath]) -> tuple[View, ChangeSet]:
        """One's own changes, and whatever else happened in those folders, told as what it is."""
        after, seen = self.pull(folders)
        mine = {change.path: _state(change) for change in own.changes}
        # A file that is in another state than one's own write left it in was written again since.
        others = [change for change in seen.changes if change.path not in mine or mine[change.path] != _state(change)]
        return after, ChangeSet(tuple(sorted([*own.changes, *others], key=_by_path)), seen.reload)

    @property
    def view(self) -> View:
        assert self._view is not None, "the workspace is not open yet"
        return self._view


def _names(workspace: Workspace, change: Change) -> bool:
    """Whether more than one file's bytes are others: names came or went, or which file is an identity file."""
    return change.kind is not ChangeKind.MODIFIED or workspace.protects(change.path)


def _restated(view: View, changes: ChangeSet) -> Mapping[DocPath, tuple[str, ...]]:
    touched = {change.path: change.node for change in changes.changes if change.node is not None}
    now = arrange.states(view.workspace, Snapshot(touched))
    if all(view.states.get(path) == now.get(path) for path in touched):
        return view.states
    return {path: words for path, words in view.states.items() if path not in touched} | dict(now)


def _folders_of(path: DocPath) -> tuple[DocPath, ...]:
    """The folders that a path lies in, up to the root: a new file may have brought new ones."""
    folder = parent_of(path)
    return (folder, *_folders_of(folder)) if folder else (folder,)


def _state(change: Change) -> Stat | None:
    return change.node.stat if change.node is not None else None


def _by_path(change: Change) -> bytes:
    return sort_key(change.path)
