"""Baselines: what counts as accepted by the person, from the first opening on, and through what is written since.

A person's own writing never waits for their review: the baseline moves by what they changed, and by nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, MemguiError, WriteFailed
from memgui.domain.paths import DocPath, is_document, is_inside
from memgui.domain.settling import settled as settled_bytes
from memgui.domain.shapes import has_lines, is_same_document
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops.chronicle import Chronicle
from memgui.ops.recovery import copies
from memgui.storage import files
from memgui.storage.baselines import Baseline, Baselines, Opening, state_of, unsure
from memgui.storage.folders import never
from memgui.storage.known import Known
from memgui.storage.locks import workspace_lock
from memgui.storage.spot import reason_of

_TRASH = "\0"
_AT_ONCE = 50
"""So many documents, then the lock is let go for those who write."""


def is_begun(ws: Workspace) -> bool:
    """Whether the workspace was opened for review before, so that all that is new in it pends."""
    return Baselines(ws.state).opening().done


def begin(
    ws: Workspace,
    snapshot: Snapshot,
    *,
    seen: bool = True,
    now: float | None = None,
    progress: Callable[[int, int], object] | None = None,
    stop: Callable[[], bool] = never,
) -> bool:
    """The first opening: all that stands there counts as accepted; not `seen`: nothing does. Whether it is through.

    What is written while it goes on is not taken for what was there: it pends. Stopped or killed, the next call goes
    on where it was. Lane: reads, for it takes its time; it locks for a few documents at once.
    """
    try:
        return _begin(ws, snapshot, seen, time.time() if now is None else now, progress, stop)
    except OSError as error:
        raise WriteFailed(
            _("What stands there could not be kept as accepted: {reason}.").format(reason=reason_of(error)),
            errno=error.errno,
            hint=_("Make room on the disk of memgui's state folder."),
        ) from error


def _begin(
    ws: Workspace,
    snapshot: Snapshot,
    seen: bool,
    moment: float,
    progress: Callable[[int, int], object] | None,
    stop: Callable[[], bool],
) -> bool:
    baselines = Baselines(ws.state)
    with workspace_lock(ws.state):
        opening = baselines.opening()
        if opening.done:
            return True
        resumed = opening.began is not None
        if not resumed:
            opening = Opening(moment, seen)
            baselines.note(opening)
    todo = [node for path, node in snapshot.nodes.items() if node.kind is NodeKind.FILE and is_document(path)]
    if opening.seen and not _take_in(ws, todo, opening.began if resumed else None, progress, stop):
        return False
    with workspace_lock(ws.state):
        baselines.note(Opening(opening.began, opening.seen, done=True))
    return True


def _take_in(
    ws: Workspace,
    nodes: list[Node],
    began: float | None,
    progress: Callable[[int, int], object] | None,
    stop: Callable[[], bool],
) -> bool:
    """Note the bytes of these as accepted, a few at a time. False where it was told to stop."""
    known = _known(ws)
    rest, done = iter(nodes), 0
    while some := list(islice(rest, _AT_ONCE)):
        if stop():
            return False
        with workspace_lock(ws.state):
            baselines = Baselines(ws.state)
            entries, _opening = baselines.all()
            baselines.put(list(_first_entries(ws, [one for one in some if one.path not in entries], known, began)))
        done += len(some)
        if progress is not None:
            progress(done, len(nodes))
    return True


def _known(ws: Workspace) -> dict[DocPath, tuple[Known, int]]:
    """The documents that have versions, each with the number of its newest."""
    chronicle = Chronicle(ws)
    found: dict[DocPath, tuple[Known, int]] = {}
    with suppress(OSError, ExecutionFailed), chronicle.held():
        for one in chronicle.known.all():
            newest = chronicle.history.newest(one.id)
            if newest is not None:
                found[one.path] = one, newest.number
    return found


def _first_entries(
    ws: Workspace, nodes: list[Node], known: dict[DocPath, tuple[Known, int]], began: float | None
) -> Iterator[tuple[DocPath, Baseline]]:
    now = time.time()
    for node in nodes:
        with suppress(MemguiError):
            data, found = files.read(ws.root, node.path)
            document, number = known.get(node.path, (None, 0))
            if _is_same(found.stat, node.stat, began):
                print_ = copies(ws).put(data, durable=False)
                yield node.path, Baseline(print_, state_of(found.stat, now), number, now)
            elif document is not None and _is_kept(ws, document) and document.is_as(node.stat):
                yield node.path, Baseline(document.hash, None, number, now)


def _is_kept(ws: Workspace, document: Known) -> bool:
    return document.hash is not None and document.hash in copies(ws)


def _is_same(found: Stat | None, seen: Stat | None, began: float | None) -> bool:
    """Whether a file is as it was when the workspace was first looked at (or, later, when that began)."""
    if found is None or seen is None:
        return False
    if began is not None and found.ctime_ns > began * 1e9:
        return False
    return found[:5] == seen[:5]


# What is written since ---------------------------------------------------------------------------------------------


def others_write(ws: Workspace, path: DocPath, before: bytes | None, *, settled: int) -> None:
    """Somebody other than the person is about to write over these bytes, through memgui. The lock is held.

    Where nobody ever opened the workspace for review, they are what counts as accepted once somebody does.
    """
    baselines = Baselines(ws.state)
    if baselines.opening().done or baselines.at(path) is not None:
        return
    with suppress(OSError):
        print_ = None if before is None else copies(ws).put(before)
        baselines.put([(path, Baseline(print_, None, settled, time.time()))])


def person_wrote(
    ws: Workspace,
    path: DocPath,
    before: bytes | None,
    after: bytes | None,
    *,
    was: Stat | None = None,
    stat: Stat | None = None,
    settled: int = 0,
) -> None:
    """A person turned these bytes into those (None: nothing stood, or stands, there). The lock is held.

    `was`, `stat`: the file's state then and now; `settled`: the number of the version that `after` is. What others
    wrote there and was not accepted pends on.
    """
    baselines = Baselines(ws.state)
    entries, opening = baselines.all()
    entry, source = entries.get(path), path
    old = None if before is None else fingerprint(before)
    if opening.done and old is not None and (entry is None or entry.hash is None):
        source = _moved_from(ws, path, before or b"", was, entries)
        entry = entries.get(source)
    # What the first opening has not come to yet counts as accepted.
    accepted = entry.hash if entry is not None else None if opening.done else old
    now = time.time()
    with suppress(OSError, MemguiError):
        if (accepted == old and source == path) or after is None:
            print_ = None if after is None else _kept(ws, after)
            baselines.put([(path, Baseline(print_, state_of(stat, now), settled, now))])
            return
        moved = _moved(ws, accepted, before, after)
        if moved != accepted or source != path:
            # By the file that it is now it is known again under its new name.
            state = unsure(state_of(stat, now) if source != path else entry.state if entry is not None else None)
            baselines.put([(source, Baseline(moved, state, entry.settled if entry is not None else 0, now))])


def _kept(ws: Workspace, data: bytes) -> Fingerprint:
    """The hash of bytes that are kept; as a rule they are already, as a version."""
    print_ = fingerprint(data)
    return print_ if print_ in copies(ws) else copies(ws).put(data, durable=False)


def _moved_from(
    ws: Workspace, path: DocPath, before: bytes, was: Stat | None, entries: Mapping[DocPath, Baseline]
) -> DocPath:
    """Where a document stood when it was accepted that others gave another name since; the path itself where none is.

    Known by its history, by the file, or by its bytes.
    """
    chronicle = Chronicle(ws)
    earlier: list[DocPath] = []
    with suppress(OSError, MemguiError), chronicle.held():
        known = chronicle.known.at(path)
        if known is not None:
            earlier = list(dict.fromkeys(line.path for line in chronicle.history.lines(known.id)))
    print_, file = fingerprint(before), None if was is None else (was.inode, was.device)
    same_file = [other for other, entry in entries.items() if entry.state is not None and entry.state[3:] == file]
    same_bytes = [other for other, entry in entries.items() if entry.hash == print_ and before]
    for source in dict.fromkeys([*reversed(earlier), *same_file, *same_bytes]):
        entry = entries.get(source)
        if source == path or entry is None or entry.hash is None or not _is_gone(ws, source):
            continue
        with suppress(MemguiError):
            if source in earlier or is_same_document(copies(ws).get(entry.hash), before):
                return source
    return path


def _is_gone(ws: Workspace, path: DocPath) -> bool:
    if path.startswith(_TRASH):
        return False
    try:
        return files.look(ws.root, path) is None
    except MemguiError:
        return False


def person_moved(ws: Workspace, old: DocPath, new: DocPath) -> None:
    """A person gave a document, or a folder with all in it, another name. What pends there pends on. Lock held."""
    baselines = Baselines(ws.state)
    now = time.time()
    moved: list[tuple[DocPath, Baseline]] = []
    for path, entry in baselines.all()[0].items():
        if is_inside(path, old):
            moved.append((path, Baseline(None, None, entry.settled, now)))
            moved.append((DocPath(new + path[len(old) :]), entry._replace(state=unsure(entry.state))))
    with suppress(OSError):
        baselines.put(moved)


def trash_place(id_: str) -> DocPath:
    """Where the baseline of what lies in the undelete store waits: under a name that no document can have."""
    return DocPath(f"{_TRASH}{id_}")


def _moved(ws: Workspace, accepted: Fingerprint | None, before: bytes | None, after: bytes) -> Fingerprint | None:
    """The accepted bytes with what the person changed in them, and nothing else."""
    known = None if accepted is None else copies(ws).get(accepted)
    if not has_lines(known or b"", before or b"", after):
        return accepted
    data = settled_bytes(known, before, after)
    return None if data is None else copies(ws).put(data, like=accepted, durable=False)
