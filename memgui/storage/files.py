"""Documents as they are on disk: looked at, read to the byte, and written by compare and replace."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from memgui.domain.errors import NotAuthorized, NotFound, ReadFailed
from memgui.domain.paths import DocPath, shown
from memgui.domain.tree import Node, Stat
from memgui.i18n import _
from memgui.storage.replace import replace
from memgui.storage.spot import Spot, as_stat, check_file, read_handle, real_path, reason_of, spot
from memgui.storage.temporary import sweep

__all__ = ["as_stat", "clean", "look", "names_in", "read", "real_path", "replace", "states_in"]

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_LOOKS = 5
_MOST_BYTES = 256 << 20
"""More is not taken into memory: no text that a person wrote or reads is that long."""


def look(root: Path, path: DocPath) -> Node | None:
    """What stands there, links followed as far as the root; None where nothing does. NotAuthorized for a link out."""
    try:
        with spot(root, path) as place:
            found = place.stat()
            return None if found is None else place.node(found)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _read_failed(path, reason_of(error), error) from error


def clean(root: Path, path: DocPath, keep: Callable[[bytes], object]) -> None:
    """Remove what a killed writer of this document left beside it; the caller holds the workspace's lock."""
    with suppress(OSError, NotAuthorized), spot(root, path) as place:
        sweep(place.folder, keep, look=read_handle)


def names_in(root: Path, folder: DocPath) -> tuple[str, ...]:
    """The names directly in a folder, bytewise; none where it cannot be read."""
    try:
        return tuple(os.fsdecode(name) for name in sorted(os.listdir(os.fsencode(root / folder))))
    except OSError:
        return ()


def states_in(root: Path, folder: DocPath) -> list[tuple[str, Stat | None]]:
    """The names directly in a folder, bytewise, each with its state, None for what is no file of its own (a link)."""
    found: list[tuple[bytes, Stat | None]] = []
    try:
        with os.scandir(os.fsencode(root / folder)) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    is_file = entry.is_file(follow_symlinks=False)
                    found.append((entry.name, as_stat(entry.stat(follow_symlinks=False)) if is_file else None))
    except OSError:
        return []
    return [(os.fsdecode(name), state) for name, state in sorted(found, key=lambda one: one[0])]


def read(root: Path, path: DocPath) -> tuple[bytes, Node]:
    """The bytes of a file and the state it was in when they were read. It never waits: what is no file is refused."""
    try:
        with spot(root, path) as place:
            data, found = _read_whole(place)
            return data, Node(path, place.node(found).kind, as_stat(found))
    except (FileNotFoundError, NotADirectoryError):
        message = _("Read failed: there is no '{path}'.").format(path=shown(path))
        raise NotFound(message) from None
    except OSError as error:
        raise _read_failed(path, reason_of(error), error) from error


def _read_whole(place: Spot) -> tuple[bytes, os.stat_result]:
    found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    # Looked at before it is opened: opening a device can already do something, and a pipe has no end.
    check_file(found.st_mode)
    if found.st_size > _MOST_BYTES:
        raise _read_failed(place.path, _("it holds more than {size} MB").format(size=_MOST_BYTES >> 20))
    handle = os.open(place.name, _READ, dir_fd=place.folder)
    try:
        for _look in range(_LOOKS):
            found = os.fstat(handle)
            check_file(found.st_mode)
            data = read_handle(handle)
            if _same_state(as_stat(os.fstat(handle)), as_stat(found)):
                break
        # The state before the reading: where a writer never rests, the next look finds it changed, and reads again.
        return data, found
    finally:
        os.close(handle)


def _same_state(one: Stat, other: Stat) -> bool:
    return (one.size, one.mtime_ns, one.ctime_ns) == (other.size, other.mtime_ns, other.ctime_ns)


def _read_failed(path: DocPath, reason: str, error: OSError | None = None) -> ReadFailed:
    message = _("Read failed: '{path}': {reason}.").format(path=shown(path), reason=reason)
    return ReadFailed(message, errno=error.errno if error else None)
