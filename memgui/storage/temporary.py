"""The file that a write prepares beside the document, and what killed writers left of theirs."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memgui.storage.swap import temporary_name

_NAME = re.compile(rb"\.memgui-(\d+)-[0-9a-f]+\.tmp")
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(slots=True)
class Temporary:
    """An open file under a name of its own. It is gone at the end, unless its `name` was set to None."""

    folder: int
    name: bytes | None
    handle: int

    def fill(self, data: bytes) -> None:
        """Write the bytes, all of them."""
        write_all(self.handle, data, 0)


@contextmanager
def temporary(folder: int, *, mode: int = 0o600) -> Iterator[Temporary]:
    """A new file in the folder, for as long as the block lasts; by default only the user can open it."""
    name = temporary_name()
    handle = os.open(name, _CREATE, mode, dir_fd=folder)
    file = Temporary(folder, name, handle)
    try:
        # Held while the file is in use, so that another memgui's cleaning can tell it from a leftover.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield file
    finally:
        os.close(file.handle)
        if file.name is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(file.name, dir_fd=folder)


def write_all(handle: int, data: bytes, offset: int) -> None:
    """Write the bytes at an offset, all of them, or raise OSError."""
    rest = memoryview(data)
    while rest:
        written = os.pwrite(handle, rest, offset)
        rest, offset = rest[written:], offset + written


def take_after(handle: int, model: int, found: os.stat_result) -> bool:
    """Give the open file the group, extended attributes and mode of `model`. False where it may not have them all."""
    try:
        if os.fstat(handle).st_gid != found.st_gid:
            os.fchown(handle, -1, found.st_gid)
        _copy_attributes(model, handle)
    except PermissionError:
        return False
    os.fchmod(handle, stat.S_IMODE(found.st_mode))
    return True


def _copy_attributes(model: int, handle: int) -> None:
    try:
        wanted, present = set(os.listxattr(model)), set(os.listxattr(handle))
    except OSError:
        return  # the file system has none
    for name in wanted:
        value = os.getxattr(model, name)
        if name in present and os.getxattr(handle, name) == value:
            continue
        try:
            os.setxattr(handle, name, value)
        except OSError:
            # Labels of the system's security modules are the system's to give; the person's own may not be lost.
            if name.startswith(("user.", "system.posix_acl")):
                raise PermissionError from None
    for name in present - wanted:
        if name.startswith("system.posix_acl"):
            os.removexattr(handle, name)


def sweep(folder: int, keep: Callable[[bytes], object], *, look: Callable[[int], bytes]) -> None:
    """Remove what killed writers left in the folder. A copy is kept first: nobody else may have the bytes."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            match = _NAME.fullmatch(os.fsencode(name))
            if match and not _runs(int(match[1])):
                with contextlib.suppress(OSError):
                    _remove_leftover(folder, os.fsencode(name), keep, look)


def _remove_leftover(folder: int, name: bytes, keep: Callable[[bytes], object], look: Callable[[int], bytes]) -> None:
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        # Its process may live where this one cannot see it (a container): then it holds this lock.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if data := look(handle):
            keep(data)
        os.unlink(name, dir_fd=folder)
    finally:
        os.close(handle)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
