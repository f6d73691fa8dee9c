"""Two names of a folder exchanged in one step, and whether anybody still writes into a file: by what Linux offers."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import secrets
import signal
import stat
import time

_EXCHANGE = 2
_NO_REPLACE = 1
_F_SETSIG = 10
_UNABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})
_PAUSE_SECONDS = 0.002

_libc = ctypes.CDLL(None, use_errno=True)


def exchange(folder: int, one: bytes, other: bytes) -> bool:
    """Exchange two names. False where the file system cannot; OSError where it refuses."""
    return _rename(folder, one, other, _EXCHANGE)


def move_to_free_name(folder: int, old: bytes, new: bytes) -> None:
    """Give a file another name that is not taken; FileExistsError where it is, even if it came up this instant."""
    if _rename(folder, old, new, _NO_REPLACE):
        return
    os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    os.unlink(old, dir_fd=folder)


def move_between(source: int, old: bytes, target: int, new: bytes) -> None:
    """Move a name to a free one, in this folder or another. FileExistsError where it is not free, OSError(EXDEV) where
    it lies on another disk. Where the system cannot tell in one step, a folder put there in that instant counts as free
    while it is empty."""
    if _rename_between(source, old, target, new, _NO_REPLACE):
        return
    if stat.S_ISDIR(os.stat(old, dir_fd=source, follow_symlinks=False).st_mode):
        try:
            os.stat(new, dir_fd=target, follow_symlinks=False)
        except FileNotFoundError:
            os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)
            return
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fsdecode(new))
    os.link(old, new, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
    os.unlink(old, dir_fd=source)


def step_in(folder: int, new: bytes, name: bytes) -> bytes | None:
    """Put the file `new` at `name` in one step; the answer is the name at which the displaced file now stands.

    Where names cannot be exchanged it gets a second name first; None where the file system has no second names either.
    What somebody puts at `name` between those two steps is lost there: that window remains on such file systems.
    """
    if exchange(folder, new, name):
        return new
    aside: bytes | None = temporary_name()
    try:
        os.link(name, aside or b"", src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError:
        aside = None
    try:
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        if aside is not None:
            os.unlink(aside, dir_fd=folder)
        raise
    return aside


def step_back(folder: int, displaced: bytes, name: bytes) -> bool:
    """Put a displaced file back at `name`. True where what stood there meanwhile is now at `displaced`."""
    if exchange(folder, displaced, name):
        return True
    os.replace(displaced, name, src_dir_fd=folder, dst_dir_fd=folder)
    return False


def temporary_name() -> bytes:
    """A name for a file that is only there while a write lasts; it says which process made it."""
    return b".memgui-%d-%s.tmp" % (os.getpid(), secrets.token_hex(6).encode())


def has_writers(handle: int, *, patience: float) -> bool:
    """Whether some program still holds the file open for writing after `patience` seconds; False where nobody can tell.

    `handle` is open for reading alone. A read lease is granted only while nobody has the file open for writing.
    """
    end = time.monotonic() + patience
    with contextlib.suppress(OSError):
        # Should somebody open the file while the lease stands, the kernel sends a signal that is ignored by default.
        fcntl.fcntl(handle, _F_SETSIG, signal.SIGURG)
        while not _lease(handle):
            if time.monotonic() >= end:
                return True
            time.sleep(_PAUSE_SECONDS)
    return False


def _lease(handle: int) -> bool:
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return False
    fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True


def _rename(folder: int, old: bytes, new: bytes, flags: int) -> bool:
    return _rename_between(folder, old, folder, new, flags)


def _rename_between(source: int, old: bytes, target: int, new: bytes, flags: int) -> bool:
    if not hasattr(_libc, "renameat2"):
        return False
    if _libc.renameat2(source, old, target, new, flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number), os.fsdecode(new))
