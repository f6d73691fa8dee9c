"""Restoring: a version of a document put back, or some of its lines. A write like any, by the gate. Lane: writes."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from memgui.domain.changes import ChangeSet
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, ExecutionFailed, InvalidParameters, MemguiError, NotFound, ReadFailed
from memgui.domain.hunks import pieces, places
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, document_path
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import documents, reading, versions
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.locks import workspace_lock


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: these bytes stand at `path` now, and `before` stood there (None: nothing)."""

    path: DocPath
    number: int
    changes: ChangeSet
    before: bytes | None
    after: Fingerprint


@dataclass(frozen=True, slots=True)
class Gone:
    """A document that is no more: where it stood, since when, by whom, and the last version that has bytes."""

    path: DocPath
    time: float
    origin: Origin
    version: Version


def restore(
    ws: Workspace,
    path: DocPath,
    number: int,
    *,
    expected: Fingerprint | None,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
    now: float | None = None,
) -> Restored:
    """Put the bytes of a version where `expected` stands (None: nothing does). A deleted document comes back.

    Refused: what the gate refuses, Conflict where other bytes stand there, and a version that has no bytes.
    """
    data = _bytes_of(ws, path, number, now)
    detail = _("version {number}").format(number=number)
    return _write(ws, path, number, data, expected, detail, origin=origin, unlocked=unlocked, now=now)


def _bytes_of(ws: Workspace, path: DocPath, number: int, now: float | None) -> bytes:
    """The bytes of a version, or why it cannot be put back, and which there are."""
    try:
        found = versions.seen(ws, path, now=now)
        return versions.bytes_of(ws, path, versions.numbered(path, found, number))
    except (NotFound, ReadFailed) as error:
        why = error.message.removeprefix(_("Read failed: "))
        raise type(error)(_("Not restored: {why}").format(why=why), hint=error.hint) from error


def restore_hunk(
    ws: Workspace,
    path: DocPath,
    number: int,
    hunk: int,
    *,
    expected: Fingerprint,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
    now: float | None = None,
) -> Restored:
    """Of what a version and the document differ in, put back one place: `hunk` counts from 1, as they are shown."""
    old = pieces(_bytes_of(ws, path, number, now))
    data = files.read(ws.root, path)[0]
    if fingerprint(data) != expected:
        raise Conflict(path, expected=expected, found=fingerprint(data))
    lines = pieces(data)
    differing = places(old, lines)
    if not 1 <= hunk <= len(differing):
        raise InvalidParameters(_("There is no difference with the number {number}.").format(number=hunk))
    place = differing[hunk - 1]
    back = b"".join((*lines[: place.new_start], *old[place.start : place.end], *lines[place.new_end :]))
    detail = _("one place of version {number}").format(number=number)
    return _write(ws, path, number, back, expected, detail, origin=origin, unlocked=unlocked, now=now)


def take_back(
    ws: Workspace,
    restored: Restored,
    *,
    origin: Origin,
    unlocked: frozenset[DocPath] = frozenset(),
    now: float | None = None,
) -> ChangeSet:
    """Undo a restore: what stood there before stands there again. Conflict where somebody wrote since."""
    now = time.time() if now is None else now
    expected = restored.after
    if restored.before is None:
        changes = documents.remove(ws, restored.path, expected=expected, origin=origin, unlocked=unlocked, now=now)
    else:
        changes = documents.write(
            ws, restored.path, restored.before, expected=expected, origin=origin, unlocked=unlocked, now=now
        )
    _note(ws, Deed(now, "undo", restored.path, origin, _("restore of version {number}").format(number=restored.number)))
    return changes


def restore_answer(
    ws: Workspace, raw: str, number: int, *, origin: Origin, unlock: bool = False, now: float | None = None
) -> dict[str, object]:
    """Restore what a path of the command line means, over whatever stands there now."""
    path = reading.on_disk(ws, raw, document_path(raw, named_folders=ws.named_folders))
    reading.check_reachable(ws, path)
    expected = standing(ws, path)
    unlocked = frozenset({path, files.real_path(ws.root, path)}) if unlock else frozenset()
    restored = restore(ws, path, number, expected=expected, origin=origin, unlocked=unlocked, now=now)
    return {"path": path, "version": number, "content_hash": restored.after}


def standing(ws: Workspace, path: DocPath) -> Fingerprint | None:
    """The hash of the bytes that stand there now; None where nothing does."""
    with suppress(NotFound):
        return fingerprint(files.read(ws.root, path)[0])
    return None


def deleted(ws: Workspace) -> tuple[Gone, ...]:
    """The documents that are gone and whose bytes are kept, the latest first."""
    chronicle = Chronicle(ws)
    found = []
    with chronicle.held():
        missing = [known for known in chronicle.known.all() if known.inode is None]
        for known in missing:
            numbered = chronicle.history.versions(known.id)
            with_bytes = [one for one in numbered if one.hash is not None and not one.is_forgotten]
            if with_bytes and numbered[-1].hash is None and not _stands(ws, known.path):
                found.append(Gone(known.path, numbered[-1].time, numbered[-1].origin, with_bytes[-1]))
    return tuple(sorted(found, key=lambda one: (-one.time, one.path)))


def _write(
    ws: Workspace,
    path: DocPath,
    number: int,
    data: bytes,
    expected: Fingerprint | None,
    detail: str,
    *,
    origin: Origin,
    unlocked: frozenset[DocPath],
    now: float | None,
) -> Restored:
    now = time.time() if now is None else now
    with workspace_lock(ws.state):
        before: bytes | None = None
        with suppress(NotFound):
            before = files.read(ws.root, path)[0]
        changes = documents.write(ws, path, data, expected=expected, origin=origin, unlocked=unlocked, now=now)
        if changes:
            _note(ws, Deed(now, "restore", path, origin, detail))
    return Restored(path, number, changes, before, fingerprint(data))


def _note(ws: Workspace, deed: Deed) -> None:
    # The deed is done by now: that it cannot be listed keeps nobody from anything.
    with suppress(OSError, ExecutionFailed), workspace_lock(ws.state):
        Deeds(ws.state).note(deed)


def _stands(ws: Workspace, path: DocPath) -> bool:
    try:
        return files.look(ws.root, path) is not None
    except MemguiError:
        return True
