"""Rebuilding: the bytes of a version whose copy is damaged, out of what still holds them.

A log that only grew holds every earlier version as its beginning: in the file on the disk, and in each later version.
What was rebuilt is kept again, so that also what stood on the damaged copy can be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, MemguiError
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.ops.chronicle import Chronicle
from memgui.storage import files
from memgui.storage.history import History
from memgui.storage.kept import KeptCopies

_MOST_TRIED = 40
"""So many later versions are looked into, the next ones first."""


def rebuilt(ws: Workspace, path: DocPath, one: Version) -> bytes | None:
    """The bytes of a version, made again; None where nothing holds them any more."""
    copies = KeptCopies(ws.state / "kept")
    found = _all(ws, path)
    if one.hash is None:
        return None
    data = _out_of_others(ws, path, copies, found, one)
    base = copies.base_of(one.hash) if data is None else None
    stood_on = next((version for version in found if base is not None and version.hash == base), None)
    if stood_on is not None and _out_of_others(ws, path, copies, found, stood_on) is not None:
        with suppress(ExecutionFailed):
            data = copies.get(one.hash)
    return data


def _out_of_others(
    ws: Workspace, path: DocPath, copies: KeptCopies, found: tuple[Version, ...], one: Version
) -> bytes | None:
    """Out of the file on the disk or a later version, of which it is the beginning or the whole."""
    assert one.hash is not None
    later = [version.hash for version in found if version.number > one.number and version.hash is not None]
    for data in _held(ws, path, copies, later[:_MOST_TRIED]):
        if len(data) >= one.size and fingerprint(data[: one.size]) == one.hash:
            with suppress(OSError):
                copies.put(data[: one.size])
            return data[: one.size]
    return None


def _held(ws: Workspace, path: DocPath, copies: KeptCopies, prints: list[Fingerprint]) -> Iterator[bytes]:
    with suppress(MemguiError):
        yield files.read(ws.root, files.real_path(ws.root, path))[0]
    for print_ in prints:
        with suppress(ExecutionFailed):
            yield copies.get(print_)


def _all(ws: Workspace, path: DocPath) -> tuple[Version, ...]:
    chronicle = Chronicle(ws)
    with suppress(MemguiError), chronicle.held():
        known = chronicle.known.at(files.real_path(ws.root, path))
        if known is not None:
            return History(ws.state).versions(known.id)
    return ()
