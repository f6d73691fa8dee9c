"""The timeline of a document: its versions, what each changed, and any two compared. Lane: reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, MemguiError, NotFound
from memgui.domain.hunks import Place, counted, pieces, places, shown
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.i18n import _
from memgui.ops import versions
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.folders import never
from memgui.storage.journal import IntentState

_BINARY_WITHIN = 8192
_LONGEST = 4 << 20
"""More bytes are not compared line by line."""


@dataclass(frozen=True, slots=True)
class Aborted:
    """A write that was about to be done, and never came to the disk."""

    time: float
    origin: Origin


@dataclass(frozen=True, slots=True)
class Timeline:
    """All that is known of a document, oldest first."""

    path: DocPath
    versions: tuple[Version, ...]
    aborted: tuple[Aborted, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two states of a document as lines to look at, and where they differ. `now`: the bytes on the disk, if it is one.

    Without lines there is a `note` that says why.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    places: tuple[Place, ...]
    now: Fingerprint | None = None
    note: str = ""
    is_same: bool = False
    """Both are the same, byte for byte."""


def timeline(ws: Workspace, path: DocPath) -> Timeline:
    """The versions of a document, the newest as it is on the disk now. NotFound where none was ever seen."""
    found = versions.seen(ws, path)
    aborted: list[Aborted] = []
    with suppress(ExecutionFailed, OSError):
        rows = Chronicle(ws).journal.rows(files.real_path(ws.root, path))
        aborted = [Aborted(row.time, row.origin) for row in rows if row.state is IntentState.ABORTED]
    return Timeline(path, found, tuple(aborted))


def counts(
    ws: Workspace, path: DocPath, pairs: Iterable[tuple[Version | None, Version]], *, stop: Callable[[], bool] = never
) -> dict[int, tuple[int, int]]:
    """How many lines each version added and removed against the one before it (None: there is none), by its number."""
    found = {}
    for before, after in pairs:
        if stop():
            break
        with suppress(MemguiError):
            old, new = _bytes(ws, path, before), _bytes(ws, path, after)
            if not (_is_unreadable(old) or _is_unreadable(new)):
                found[after.number] = counted(places(pieces(old), pieces(new)))
    return found


def compared(ws: Workspace, path: DocPath, before: Version | None, after: Version | None, *, now: bool) -> Compared:
    """Two versions (None: nothing) side by side; `now`: the second one is what stands on the disk instead."""
    print_: Fingerprint | None = None
    old = _bytes(ws, path, before)
    if now:
        new = b""
        with suppress(NotFound):
            new = files.read(ws.root, path)[0]
            print_ = fingerprint(new)
    else:
        new = _bytes(ws, path, after)
    for data in (old, new):
        if _is_unreadable(data):
            kind = _("These bytes are no text") if len(data) <= _LONGEST else _("This text is too long to compare")
            note = _("{kind}: {old} bytes before, {new} bytes after.")
            return Compared(
                (), (), (), print_, note.format(kind=kind, old=f"{len(old):,}", new=f"{len(new):,}"), old == new
            )
    lines, others = pieces(old), pieces(new)
    return Compared(shown(lines), shown(others), places(lines, others), print_, is_same=old == new)


def text(ws: Workspace, path: DocPath, version: Version) -> str:
    """The text of a version, to be copied."""
    return versions.text_of(ws, path, version).content


def _bytes(ws: Workspace, path: DocPath, version: Version | None) -> bytes:
    if version is None or version.hash is None:
        return b""
    return versions.bytes_of(ws, path, version)


def _is_unreadable(data: bytes) -> bool:
    return b"\0" in data[:_BINARY_WITHIN] or len(data) > _LONGEST
