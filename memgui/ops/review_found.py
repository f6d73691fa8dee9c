"""What differs from what was accepted: which documents, from which bytes to which. Only what may differ is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import MemguiError, NotAuthorized, NotFound
from memgui.domain.paths import ROOT, DocPath, is_document, name_of, parent_of
from memgui.domain.review import PendingChange, StaleChange, change_id
from memgui.domain.shapes import is_same_document
from memgui.domain.tree import NodeKind, Snapshot, Stat
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.storage import files
from memgui.storage.baselines import Baseline, Baselines, state_of
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock

_EMPTY = fingerprint(b"")
_NOTHING = Baseline(None)
_HELD_BYTES = 64 << 20
"""So many bytes that were read to be hashed are kept for what comes next."""
_PATIENCE_SECONDS = 0.05


@dataclass(slots=True)
class Found:
    """One difference: the baseline of `source` against what stands at `path`."""

    path: DocPath
    source: DocPath
    entry: Baseline
    disk: Fingerprint | None
    stat: Stat | None = None
    data: bytes | None = None
    """The bytes on disk, as long as they are at hand."""

    @property
    def id(self) -> str:
        return change_id(self.path, self.entry.hash, self.disk, source=self.source)


def found(
    ws: Workspace,
    snapshot: Snapshot,
    *,
    known: Mapping[DocPath, PendingChange] | None = None,
    stop: Callable[[], bool] = never,
) -> list[Found]:
    """All differences, in the order of paths; what moved is one. `known`: what was found before, not read again."""
    entries, opening = Baselines(ws.state).all()
    candidates: list[tuple[DocPath, Baseline, Stat]] = []
    gone: list[Found] = []
    for path, node in snapshot.nodes.items():
        entry = entries.get(path)
        stat = node.stat
        if entry is None:
            if opening.done and node.kind is NodeKind.FILE and stat is not None and is_document(path):
                candidates.append((path, _NOTHING, stat))
        elif node.kind.has_bytes and stat is not None:
            if not entry.is_as(stat):
                candidates.append((path, entry, stat))
        elif not node.kind.has_bytes and entry.hash is not None:
            gone.append(Found(path, path, entry, None))
    gone += [
        Found(path, path, entry, None)
        for path, entry in entries.items()
        if entry.hash is not None and path not in snapshot.nodes and _would_be_seen(path, snapshot)
    ]
    there = _read(ws, candidates, known or {}, stop)
    moved = _moves(ws, gone, there)
    result = [one for one in gone if one.path not in moved.values()] + there
    for one in there:
        if (source := moved.get(one.path)) is not None:
            one.source, one.entry = source, entries[source]
    return sorted(result, key=lambda one: one.path)


def one(ws: Workspace, change: PendingChange) -> Found:
    """The difference that a change tells of, as it is now. StaleChange where it is another one, or none."""
    result = at(ws, change.path, change.source)
    if result is None or result.id != change.id:
        raise StaleChange(change.id, change.path)
    return result


def at(ws: Workspace, path: DocPath, source: DocPath) -> Found | None:
    """The difference between what was accepted at `source` and what stands at `path`; None where there is none."""
    baselines = Baselines(ws.state)
    entry = baselines.at(source)
    if entry is None and not baselines.opening().done:
        return None
    moved = source != path
    if moved and disk(ws, source)[0] is not None:
        # It came back under its old name: what stands under the new one is a document of its own.
        return None
    data, stat = disk(ws, path)
    result = Found(path, source, entry or _NOTHING, None if data is None else fingerprint(data), stat, data)
    return result if moved or result.entry.hash != result.disk else None


def disk(ws: Workspace, path: DocPath) -> tuple[bytes | None, Stat | None]:
    """The document at a path now; None: no file stands there. ReadFailed where it cannot be read."""
    try:
        node = files.look(ws.root, path)
        if node is None or not node.kind.has_bytes:
            return None, None
        data, node = files.read(ws.root, path)
    except (NotFound, NotAuthorized):
        # A link that leads out of the workspace is no document of it.
        return None, None
    return data, node.stat


def bytes_of(ws: Workspace, where: Found) -> bytes | None:
    """The bytes on disk that a difference tells of. StaleChange where others stand there by now."""
    if where.data is None and where.disk is not None:
        data, _stat = disk(ws, where.path)
        if data is None or fingerprint(data) != where.disk:
            raise StaleChange(where.id, where.path)
        where.data = data
    return where.data


def _would_be_seen(path: DocPath, snapshot: Snapshot) -> bool:
    """Whether a document would show if it were there: no folder on its way is closed, and it lies in no trash."""
    if path.startswith("\0"):
        return False
    if not snapshot.problems:
        return True
    folder = parent_of(path)
    while folder:
        if folder in snapshot.problems:
            return False
        folder = parent_of(folder)
    return ROOT not in snapshot.problems


def _read(
    ws: Workspace,
    candidates: Iterable[tuple[DocPath, Baseline, Stat]],
    known: Mapping[DocPath, PendingChange],
    stop: Callable[[], bool],
) -> list[Found]:
    result: list[Found] = []
    touched: list[tuple[DocPath, Baseline]] = []
    room, now = _HELD_BYTES, time.time()
    for path, entry, stat in candidates:
        if stop():
            break
        before = known.get(path)
        if before is not None and before.stat == stat and before.disk is not None and not before.held:
            if before.disk != entry.hash:
                result.append(Found(path, path, entry, before.disk, stat))
            continue
        try:
            data, node = files.read(ws.root, path)
        except MemguiError:
            continue
        print_ = fingerprint(data)
        if print_ == entry.hash:
            if (state := state_of(node.stat, now)) != entry.state:
                touched.append((path, entry._replace(state=state)))
            continue
        room -= len(data)
        result.append(Found(path, path, entry, print_, node.stat, data if room > 0 else None))
    _note_touched(ws, touched)
    return result


def _note_touched(ws: Workspace, touched: list[tuple[DocPath, Baseline]]) -> None:
    """They were only touched: next time they need not be read. Where that cannot be noted, they are read again."""
    if not touched:
        return
    with suppress(OSError, MemguiError), workspace_lock(ws.state, timeout=_PATIENCE_SECONDS):
        baselines = Baselines(ws.state)
        entries, _opening = baselines.all()
        same = [(path, entry) for path, entry in touched if _is_same(entries.get(path), entry)]
        baselines.put(same)


def settle_own(ws: Workspace, where: Found, version: int) -> None:
    """The person alone wrote it, and was stopped before that was noted as accepted."""
    with suppress(OSError, MemguiError), workspace_lock(ws.state, timeout=_PATIENCE_SECONDS):
        baselines = Baselines(ws.state)
        if (baselines.at(where.source) or _NOTHING) == where.entry and where.source == where.path:
            now = time.time()
            baselines.put([(where.path, Baseline(where.disk, state_of(where.stat, now), version, now))])


def _is_same(one: Baseline | None, other: Baseline) -> bool:
    return one is not None and (one.hash, one.settled) == (other.hash, other.settled)


# What moved --------------------------------------------------------------------------------------------------------


def _moves(ws: Workspace, gone: list[Found], there: list[Found]) -> dict[DocPath, DocPath]:
    """New path -> old path of what stands under another name: told by the file itself, else by its bytes."""
    arrived = [one for one in there if one.entry.hash is None]
    if not gone or not arrived:
        return {}
    by_file: dict[tuple[int, int], Found] = {}
    by_bytes: dict[Fingerprint, list[Found]] = {}
    for one in gone:
        if one.entry.state is not None:
            by_file[one.entry.state[3], one.entry.state[4]] = one
        if one.entry.hash is not None and one.entry.hash != _EMPTY:
            by_bytes.setdefault(one.entry.hash, []).append(one)
    moved: dict[DocPath, DocPath] = {}
    taken: set[DocPath] = set()
    for one in arrived:
        stat = one.stat
        source = by_file.get((stat.inode, stat.device)) if stat is not None else None
        if source is None or source.path in taken or not _came_of(ws, source, one):
            alike = [old for old in by_bytes.get(one.disk, ()) if old.path not in taken] if one.disk else []
            named = [old for old in alike if name_of(old.path) == name_of(one.path)]
            source = alike[0] if len(alike) == 1 else named[0] if len(named) == 1 else None
        if source is not None:
            moved[one.path] = source.path
            taken.add(source.path)
    if len(taken) < len(gone):
        _by_history(ws, {old.path for old in gone} - taken, [one.path for one in arrived], moved)
    return moved


def _by_history(ws: Workspace, gone: set[DocPath], arrived: list[DocPath], moved: dict[DocPath, DocPath]) -> None:
    """Add what was seen to move, whatever was written into it since."""
    chronicle = Chronicle(ws)
    with suppress(OSError, MemguiError), chronicle.held():
        for path in arrived:
            known = chronicle.known.at(path) if path not in moved else None
            if known is None:
                continue
            sources = [line.path for line in chronicle.history.lines(known.id) if line.path in gone]
            if sources:
                moved[path] = sources[-1]
                gone.discard(sources[-1])


def _came_of(ws: Workspace, old: Found, new: Found) -> bool:
    """Whether the file that bears the same number is the same document."""
    if old.entry.hash is None or old.entry.hash == new.disk:
        return old.entry.hash is not None
    try:
        before = copies(ws).get(old.entry.hash)
        after = new.data if new.data is not None else files.read(ws.root, new.path)[0]
    except MemguiError:
        return False
    return is_same_document(before, after)
