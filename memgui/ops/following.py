"""Following: what others did to the documents becomes versions. Away from the window, and a few at a time.

A document that memgui has not met is met when it is first seen changed, or once there is time for it, so that the bytes
before its first change are kept as well; one that it knows is followed through changes, other names and its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import TypeVar

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.documents import fingerprint
from memgui.domain.errors import MemguiError
from memgui.domain.paths import DocPath, is_document
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.noticing import see_disk
from memgui.storage import files
from memgui.storage.baselines import Baselines
from memgui.storage.folders import never
from memgui.storage.known import Known
from memgui.storage.locks import workspace_lock

T = TypeVar("T")

_AT_ONCE = 4
"""So many documents, then the lock is let go for those who write."""

_LONGEST_REST = 0.2
"""So many seconds are left to others at most, also where they held the lock for longer."""

_ORDER = {ChangeKind.RENAMED: 0, ChangeKind.CREATED: 1, ChangeKind.MODIFIED: 1, ChangeKind.DELETED: 2}


def follow(ws: Workspace, changes: ChangeSet, *, now: float | None = None, stop: Callable[[], bool] = never) -> None:
    """What a look at the disk found changed. Names first and ends last, so that what moved stays what it was."""
    ordered = sorted(changes.changes, key=lambda change: _ORDER[change.kind])
    wanted = [
        change
        for change in ordered
        if not change.origin.is_person and (change.node is None or change.node.kind is NodeKind.FILE)
    ]
    _in_turns(ws, wanted, lambda chronicle, change: _follow(ws, chronicle, change, now), stop)


def catch_up(ws: Workspace, snapshot: Snapshot, *, now: float | None = None, stop: Callable[[], bool] = never) -> None:
    """What happened to the documents that have versions while no memgui looked; and what killed writers came to."""
    chronicle = Chronicle(ws)
    with suppress(OSError, MemguiError):
        with chronicle.held():
            if chronicle.journal.pending():
                with workspace_lock(ws.state):
                    chronicle.recover()
            every = chronicle.known.all()
            known = [one for one in every if not _is_as(one, snapshot)]
            # One that memgui only knows by name has nothing to go on with.
            changed = [one for one in known if chronicle.history.newest(one.id) is not None]
        missing = [one for one in changed if one.path not in snapshot.nodes]
        there = [one for one in changed if one.path in snapshot.nodes]
        moved = _moves(ws, missing, snapshot) if missing else {}
        _in_turns(ws, missing + there, lambda chron, one: _catch_up(ws, chron, one, moved, now), stop)
        unmet = _accepted_once(ws, snapshot, {one.path for one in every})
        _in_turns(ws, unmet, lambda chron, path: see_disk(ws, chron, path, now=now or time.time()), stop)


def meet(ws: Workspace, snapshot: Snapshot, *, now: float | None = None, stop: Callable[[], bool] = never) -> None:
    """Let every document have a first version."""
    meet_these(ws, unmet(ws, snapshot), now=now, stop=stop)


def unmet(ws: Workspace, snapshot: Snapshot) -> list[DocPath]:
    """The documents that have no version yet."""
    chronicle = Chronicle(ws)
    met: set[DocPath] = set()
    with suppress(OSError, MemguiError), chronicle.held():
        logged = set(chronicle.history.documents())
        met = {known.path for known in chronicle.known.all() if known.id in logged}
    return [
        path
        for path, node in snapshot.nodes.items()
        if node.kind is NodeKind.FILE and is_document(path) and path not in met
    ]


def meet_these(
    ws: Workspace, paths: Sequence[DocPath], *, now: float | None = None, stop: Callable[[], bool] = never
) -> None:
    """Let these have a first version. After each few as much time is left to others as they took."""

    def see(chronicle: Chronicle, path: DocPath) -> None:
        see_disk(ws, chronicle, path, now=time.time() if now is None else now)

    for begin in range(0, len(paths), _AT_ONCE):
        if stop():
            return
        begun = time.monotonic()
        _in_turns(ws, paths[begin : begin + _AT_ONCE], see, stop)
        # Who ends the program waits for this.
        time.sleep(min(time.monotonic() - begun, _LONGEST_REST))


def _follow(ws: Workspace, chronicle: Chronicle, change: Change, now: float | None) -> None:
    if change.kind is ChangeKind.RENAMED and change.renamed_from is not None:
        before = chronicle.known.at(change.renamed_from)
        if before is None:
            return
        chronicle.move(before, change.path, now=time.time() if now is None else now)
    known = chronicle.known.at(change.path)
    if known is not None or is_document(change.path):
        see_disk(ws, chronicle, change.path, now=time.time() if now is None else now)


def _catch_up(ws: Workspace, chronicle: Chronicle, one: Known, moved: dict[str, DocPath], now: float | None) -> None:
    path = moved.get(one.id)
    if path is not None and chronicle.known.at(path) is None:
        chronicle.move(one, path, now=time.time() if now is None else now)
    see_disk(ws, chronicle, path or one.path, now=time.time() if now is None else now)


def _accepted_once(ws: Workspace, snapshot: Snapshot, met: set[DocPath]) -> list[DocPath]:
    """Documents that were never met and are not as they were accepted any more: those bytes are their first version."""
    changed = []
    files_there = {node.stat[3:5] for node in snapshot.nodes.values() if node.stat is not None}
    for path, entry in Baselines(ws.state).all()[0].items():
        if entry.hash is None or path in met or not is_document(path):
            continue
        node = snapshot.nodes.get(path)
        if node is None:
            # What only has another name now is not gone.
            is_changed = entry.state is None or entry.state[3:5] not in files_there
        else:
            is_changed = node.stat is not None and not entry.is_as(node.stat)
        if is_changed:
            changed.append(path)
    return changed


def _moves(ws: Workspace, missing: list[Known], snapshot: Snapshot) -> dict[str, DocPath]:
    """Where documents went that are not at their path any more: by the file itself, else by the same bytes."""
    by_file: dict[tuple[int, int], DocPath] = {}
    by_size: dict[int, list[DocPath]] = {}
    sizes = {one.size for one in missing}
    for path, node in snapshot.nodes.items():
        if node.kind is NodeKind.FILE and node.stat is not None and node.stat.size in sizes:
            by_file[node.stat.device, node.stat.inode] = path
            by_size.setdefault(node.stat.size, []).append(path)
    prints: dict[DocPath, str] = {}

    def by_bytes(one: Known) -> DocPath | None:
        alike = by_size.get(one.size or 0, []) if one.hash is not None and one.size else []
        for path in alike:
            if path not in prints:
                with suppress(MemguiError):
                    prints[path] = fingerprint(files.read(ws.root, path)[0])
        same = [path for path in alike if prints.get(path) == one.hash]
        return same[0] if len(same) == 1 else None

    moved: dict[str, DocPath] = {}
    for one in missing:
        if one.device is not None and one.inode is not None:
            target = by_file.get((one.device, one.inode)) or by_bytes(one)
            if target is not None:
                moved[one.id] = target
    return moved


def _is_as(one: Known, snapshot: Snapshot) -> bool:
    node = snapshot.nodes.get(one.path)
    return one.is_as(node.stat if node is not None else None)


def _in_turns(
    ws: Workspace, things: Iterable[T], deed: Callable[[Chronicle, T], None], stop: Callable[[], bool]
) -> None:
    """Do it for all of them, a few under one lock; what cannot be done for one keeps no other from it."""
    rest = iter(things)
    while (some := list(islice(rest, _AT_ONCE))) and not stop():
        with suppress(OSError, MemguiError), workspace_lock(ws.state):
            chronicle = Chronicle(ws)
            with chronicle.held():
                chronicle.recover()
                for one in some:
                    with suppress(OSError, MemguiError):
                        deed(chronicle, one)
