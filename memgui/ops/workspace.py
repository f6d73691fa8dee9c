"""Workspaces: open a folder, find the one that a person stands in, and those worth offering. Lane: reads."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from memgui.config.places import Places
from memgui.config.settings import Settings, load
from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotFound, ReadFailed, WriteFailed
from memgui.domain.layouts import Layout, Listing, Store
from memgui.domain.paths import DocPath, is_document, shown
from memgui.domain.protection import Protection
from memgui.domain.tree import Snapshot
from memgui.domain.workspace import FoundWorkspace, RecentWorkspace, Workspace
from memgui.i18n import _
from memgui.storage import scan
from memgui.storage.recognition import identities, layout_at, stores_of
from memgui.storage.registry import WorkspaceRegistry
from memgui.storage.spot import reason_of

COUNT_SECONDS = 0.3
"""How long the documents of all found workspaces together may be counted."""

_LOCATED = frozenset({Layout.AGENTSMITH, Layout.IRONCLAW, Layout.OPENCLAW})


def open(
    path: str | Path, *, places: Places | None = None, settings: Settings | None = None, remember: bool = True
) -> Workspace:
    """The workspace in a folder. `remember`: among the recent ones. Nothing is written into the folder.

    NotFound, ReadFailed or InvalidParameters where the folder is missing, cannot be read, or is no folder. Where
    memgui's own folders cannot be written, WriteFailed; without `remember` it opens to be read, under a passing id.
    """
    places = Places.find() if places is None else places
    settings = load(places.settings_file) if settings is None else settings
    root = _real_folder(path)
    private = _private(root, places)
    listing = Listing()
    for name, is_folder in scan.names(root, private=private):
        listing.add(name, is_folder=is_folder)
    stores = stores_of(root, listing)
    protection = Protection.of(stores, tools=settings.protect_tools_and_bootstrap)
    protection = replace(protection, identities=identities(root, stores, protection))
    return _opened(root, stores, protection, private, places=places, remember=remember)


def open_whole(path: str | Path, *, places: Places, settings: Settings) -> tuple[Workspace, Snapshot]:
    """The workspace in a folder, and all in it, by one walk; `note_opened` puts it among the recent ones."""
    root = _real_folder(path)
    private = _private(root, places)
    snapshot = scan.scan(root, private=private)
    stores = stores_of(root, _listing(snapshot))
    protection = Protection.of(stores, tools=settings.protect_tools_and_bootstrap).knowing(snapshot)
    return _opened(root, stores, protection, private, places=places, remember=True, note=False), snapshot


def note_opened(workspace: Workspace, places: Places) -> None:
    """It is among the recent ones, as the latest."""
    WorkspaceRegistry(places.state).opened(workspace.root, now=time.time())


def _opened(
    root: Path,
    stores: tuple[Store, ...],
    protection: Protection,
    private: frozenset[DocPath],
    *,
    places: Places,
    remember: bool,
    note: bool = True,
) -> Workspace:
    registry, now = WorkspaceRegistry(places.state), time.time()
    try:
        own = places.for_workspace(registry.id_for(root, now=now if remember else 0.0))
    except WriteFailed:
        if remember:
            raise
        import uuid

        own = places.of_workspace(uuid.uuid5(uuid.NAMESPACE_URL, root.as_uri()).hex[:16])
    if remember and note:
        registry.opened(root, now=now)
    return Workspace(
        root=root,
        id=own.state.name,
        name=root.name or str(root),
        state=own.state,
        cache=own.cache,
        stores=stores,
        protection=protection,
        private=private,
    )


def recognised(workspace: Workspace, snapshot: Snapshot, *, settings: Settings | None = None) -> Workspace:
    """The workspace with the stores and the protected files that this snapshot shows; itself where nothing is new.

    To be asked after each look at the disk: stores come and go, and a saved identity file has a new inode.
    """
    stores = stores_of(workspace.root, _listing(snapshot))
    tools = workspace.protection.tools if settings is None else settings.protect_tools_and_bootstrap
    protection = Protection.of(stores, tools=tools).knowing(snapshot)
    if stores == workspace.stores and protection == workspace.protection:
        return workspace
    return replace(workspace, stores=stores, protection=protection)


def _listing(snapshot: Snapshot) -> Listing:
    listing = Listing()
    for path, node in snapshot.nodes.items():
        listing.add(path, is_folder=node.kind.is_folder)
    return listing


def locate(start: Path, home: Path) -> Path | None:
    """The nearest AgentSmith, IronClaw or OpenClaw workspace from a folder upwards.

    Never above the home folder, and never across the border of a file system. Other folders are opened by name only.
    """
    folder, top = Path(os.path.realpath(start)), Path(os.path.realpath(home))
    device = _device(folder)
    while device is not None and _device(folder) == device and not (folder != top and top.is_relative_to(folder)):
        if layout_at(folder) in _LOCATED:
            return folder
        if folder in (top, folder.parent):
            return None
        folder = folder.parent
    return None


def recents(places: Places | None = None) -> tuple[RecentWorkspace, ...]:
    """The workspaces opened before, the latest first; those whose folder is gone say so."""
    return WorkspaceRegistry((places or Places.find()).state).recents()


def forget(path: Path, *, places: Places | None = None) -> None:
    """No longer among the recent workspaces. Its history is kept."""
    WorkspaceRegistry((places or Places.find()).state).forget(path)


def found(home: Path, *, here: Path | None = None, seconds: float = COUNT_SECONDS) -> tuple[FoundWorkspace, ...]:
    """The workspaces in the usual places: where one stands, and where OpenClaw, Claude and IronClaw keep theirs."""
    candidates: dict[Path, Layout] = {}
    if here is not None and (near := locate(here, home)) is not None:
        candidates[near] = layout_at(near) or Layout.PLAIN
    for folder in (home / ".openclaw" / "workspace", home / ".ironclaw" / "workspace", home / ".ironclaw"):
        layout = layout_at(folder)
        if layout is not None:
            candidates.setdefault(Path(os.path.realpath(folder)), layout)
    projects = home / ".claude" / "projects"
    if any(entry.is_dir() for entry in projects.glob("*/memory")):
        candidates.setdefault(Path(os.path.realpath(projects)), Layout.CLAUDE)
    until = time.monotonic() + seconds
    counted = ((path, layout, _count(path, until)) for path, layout in candidates.items())
    return tuple(FoundWorkspace(path, layout, *count) for path, layout, count in counted)


def _count(root: Path, until: float) -> tuple[int, bool]:
    """How many documents there are, as far as they could be counted by then."""
    count = 0
    try:
        for path, is_folder in scan.names(root, stop=lambda: time.monotonic() > until):
            count += not is_folder and is_document(path)
    except MemguiError:
        return count, False
    return count, True


def _real_folder(path: str | Path) -> Path:
    given = Path(os.path.expanduser(path))
    name = shown(str(given))
    try:
        given = Path(os.path.abspath(given))
        name = shown(str(given))
        real = Path(os.path.realpath(given, strict=True))
        is_folder = real.is_dir()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(
            _("The folder {folder} is not there.").format(folder=name),
            hint=_("It may have been moved, or its drive is not connected."),
        ) from error
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ReadFailed(
            _("The folder {folder} cannot be read: {reason}.").format(folder=name, reason=reason)
        ) from error
    if not is_folder:
        raise ExecutionFailed(
            _("{path} is not a folder.").format(path=name), hint=_("Open the folder that it lies in.")
        )
    return real


def _private(root: Path, places: Places) -> frozenset[DocPath]:
    """memgui's own folders as far as they lie in the workspace."""
    inside = set()
    for place in places.all:
        real = Path(os.path.realpath(place))
        if root.is_relative_to(real):
            raise InvalidParameters(
                _("{folder} is a folder of memgui's own and no workspace.").format(folder=shown(str(root)))
            )
        if real.is_relative_to(root):
            inside.add(DocPath(real.relative_to(root).as_posix()))
    return frozenset(inside)


def _device(folder: Path) -> int | None:
    try:
        return os.stat(folder).st_dev
    except OSError:
        return None
