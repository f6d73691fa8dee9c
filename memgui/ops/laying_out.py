"""Laying out: the whole workspace as it was at a moment, written into a folder of its own. Lane: reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, WriteFailed
from memgui.domain.paths import DocPath, is_document, segments_of, shown
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import following, sync, versions
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.folders import never
from memgui.storage.history import Line
from memgui.storage.spot import reason_of

Progress = Callable[[int, int], object]
"""Told how many documents are done, of how many."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """What became of it: how many documents stand in the folder, and which could not be laid out, with the reason."""

    to: Path
    documents: int
    missing: tuple[tuple[DocPath, str], ...] = ()
    is_stopped: bool = False


@dataclass(slots=True)
class _Plan:
    """Which version stood where, and which documents stand as they stood then, since nobody changed them."""

    versions: dict[DocPath, Version] = field(default_factory=dict)
    unchanged: list[DocPath] = field(default_factory=list)


def _nobody(_done: int, _all: int) -> None:
    """Wants no progress."""


def lay_out(
    ws: Workspace, at: float, to: Path, *, progress: Progress = _nobody, stop: Callable[[], bool] = never
) -> LaidOut:
    """Write every document as it stood at `at` (seconds since 1970) into the folder `to`, a new or an empty one.

    Never over a file that is there. InvalidParameters for a folder that will not do, WriteFailed where the disk will
    not take it. Stopped, what stands there by then stays.
    """
    folder = _checked(ws, to)
    plan = _plan(ws, at, stop)
    total = len(plan.versions) + len(plan.unchanged)
    done = 0
    missing: list[tuple[DocPath, str]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, read in _texts(ws, plan):
            if stop():
                return LaidOut(folder, done, tuple(missing), is_stopped=True)
            try:
                data = read()
                _put(folder, path, data)
                done += 1
            except MemguiError as error:
                missing.append((path, error.message))
            except FileExistsError:
                missing.append((path, _("another document stood at the same place")))
            progress(done + len(missing), total)
    except OSError as error:
        raise WriteFailed(
            _("The folder {folder} did not take all: {reason}; {count} documents stand there.").format(
                folder=shown(str(folder)), reason=reason_of(error), count=done
            ),
            errno=error.errno,
            hint=_("Choose a folder with more room."),
        ) from error
    return LaidOut(folder, done, tuple(missing))


def as_of(lines: Iterable[Line], at: float) -> tuple[DocPath, Version] | None:
    """Where a document stood at a moment, and as which version; None where it was not there, as far as is known."""
    path: DocPath | None = None
    version: Version | None = None
    moved: DocPath | None = None
    for line in lines:
        when = line.version.time if line.version is not None else line.time
        if when is None:
            # Nobody noted when: it counts from the next thing on that is known.
            moved = moved if line.forgotten else line.path
            continue
        if when > at:
            moved = None
            continue
        path, moved = line.path, None
        version = line.version or version
    path = moved or path
    return None if path is None or version is None or version.hash is None else (path, version)


def _plan(ws: Workspace, at: float, stop: Callable[[], bool]) -> _Plan:
    snapshot = sync.look(ws)
    following.catch_up(ws, snapshot, stop=stop)
    chronicle, plan = Chronicle(ws), _Plan()
    with chronicle.held():
        met = {known.path for known in chronicle.known.all() if chronicle.history.newest(known.id) is not None}
        for document in chronicle.history.documents():
            found = as_of(chronicle.history.lines(document), at)
            if found is not None:
                path, version = found
                before = plan.versions.get(path)
                if before is None or before.time < version.time:
                    plan.versions[path] = version
    for path, node in snapshot.nodes.items():
        is_old = node.stat is not None and node.stat.mtime_ns <= at * 1e9
        if is_old and node.kind.has_bytes and is_document(path) and path not in met and path not in plan.versions:
            plan.unchanged.append(path)
    return plan


def _texts(ws: Workspace, plan: _Plan) -> Iterable[tuple[DocPath, Callable[[], bytes]]]:
    for path, version in sorted(plan.versions.items()):
        yield path, partial(versions.bytes_of, ws, path, version)
    for path in plan.unchanged:
        yield path, partial(_read, ws, path)


def _read(ws: Workspace, path: DocPath) -> bytes:
    return files.read(ws.root, path)[0]


def _put(folder: Path, path: DocPath, data: bytes) -> None:
    if any(segment in ("", ".", "..") for segment in segments_of(path)):
        raise ExecutionFailed(_("its name leads out of the folder"))
    target = folder / path
    with suppress(FileExistsError):
        target.parent.mkdir(parents=True)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    with open(handle, "wb") as file:
        file.write(data)


def _checked(ws: Workspace, to: Path) -> Path:
    """The folder as it really is. It is a new or an empty one, outside the workspace and memgui's own folders."""
    folder = Path(os.path.realpath(to))
    name = shown(str(folder))
    if any(map(folder.is_relative_to, (ws.root, ws.state.parent, ws.cache.parent))):
        raise InvalidParameters(
            _("{folder} lies in the workspace or in memgui's own folders.").format(folder=name),
            hint=_("Name a folder outside."),
        )
    try:
        is_used = os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise WriteFailed(
            _("The folder {folder} cannot be used: {reason}.").format(folder=name, reason=reason_of(error)),
            errno=error.errno,
        ) from error
    if is_used:
        raise InvalidParameters(
            _("{folder} is not empty, and nothing is laid out over what is there.").format(folder=name),
            hint=_("Name a new or an empty folder."),
        )
    return folder
