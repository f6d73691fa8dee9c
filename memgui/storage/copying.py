"""Carrying whole files and folders to another disk: copied first, with modes, times and attributes, then taken away."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from memgui.i18n import _
from memgui.storage.folders import ScanStopped
from memgui.storage.temporary import write_all
from memgui.storage.writing import sync_folder

Progress = Callable[[int], object]
"""Told how many files have been copied so far."""
Stop = Callable[[], bool]

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20
_State = tuple[int, int, int]
"""A file as it was when it was copied: inode, size, time of the last write."""


@dataclass(slots=True)
class Carrying:
    """One file, link or folder on its way from a folder to another one. The caller clears up what is half-done."""

    source: int
    target: int
    progress: Progress
    stop: Stop
    _copied: dict[bytes, _State] = field(default_factory=dict)

    def copy(self, old: bytes, new: bytes) -> None:
        """Copy it to a free name. ScanStopped where it is told to stop, OSError where something cannot be copied."""
        self._copy(self.source, old, self.target, new, b"")

    def take_away(self, old: bytes, new: bytes) -> None:
        """Remove the source, each file once it is sure that the copy has its bytes: what changed is copied again."""
        self._take_away(self.source, old, self.target, new, b"")

    def _copy(self, source: int, old: bytes, target: int, new: bytes, path: bytes) -> None:
        if self.stop():
            raise ScanStopped(_("Stopped. Everything is where it was."))
        mode = os.stat(old, dir_fd=source, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(old, dir_fd=source), new, dir_fd=target)
        elif stat.S_ISDIR(mode):
            os.mkdir(new, 0o700, dir_fd=target)
            with _both(source, old, target, new) as (inner, copy):
                for name in sorted(map(os.fsencode, os.listdir(inner))):
                    self._copy(inner, name, copy, name, path + b"/" + name)
                _take_after(copy, inner)
                sync_folder(copy)
        elif stat.S_ISREG(mode):
            self._copied[path] = _copy_file(source, old, target, new)
            self.progress(len(self._copied))
        else:
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))

    def _take_away(self, source: int, old: bytes, target: int, new: bytes, path: bytes) -> None:
        found = os.stat(old, dir_fd=source, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            with contextlib.suppress(FileExistsError):
                os.mkdir(new, 0o700, dir_fd=target)
            with _both(source, old, target, new) as (inner, copy):
                for name in map(os.fsencode, os.listdir(inner)):
                    self._take_away(inner, name, copy, name, path + b"/" + name)
            os.rmdir(old, dir_fd=source)
            return
        while stat.S_ISREG(found.st_mode) and self._copied.get(path) != _state(found):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new, dir_fd=target)
            self._copied[path] = _copy_file(source, old, target, new)
            found = os.stat(old, dir_fd=source, follow_symlinks=False)
        os.unlink(old, dir_fd=source)


def remove_tree(folder: int, name: bytes) -> None:
    """Remove a copy, or what there is of it. Never asked for anything that is not kept elsewhere."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
            return
        with contextlib.suppress(OSError):
            os.chmod(name, 0o700, dir_fd=folder)
        inner = os.open(name, _FOLDER, dir_fd=folder)
        try:
            for one in map(os.fsencode, os.listdir(inner)):
                remove_tree(inner, one)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)


@contextmanager
def _both(source: int, old: bytes, target: int, new: bytes) -> Iterator[tuple[int, int]]:
    one = os.open(old, _FOLDER, dir_fd=source)
    try:
        other = os.open(new, _FOLDER, dir_fd=target)
        try:
            yield one, other
        finally:
            os.close(other)
    finally:
        os.close(one)


def _copy_file(source: int, old: bytes, target: int, new: bytes) -> _State:
    reading = os.open(old, _READ, dir_fd=source)
    try:
        state = _state(os.fstat(reading))
        writing = os.open(new, _WRITE, 0o600, dir_fd=target)
        try:
            offset = 0
            while piece := os.pread(reading, _CHUNK, offset):
                write_all(writing, piece, offset)
                offset += len(piece)
            _take_after(writing, reading)
            os.fsync(writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)
    return state


def _take_after(handle: int, model: int) -> None:
    """Attributes, group, mode and times, as far as this disk can hold them."""
    found = os.fstat(model)
    with contextlib.suppress(OSError):
        for name in os.listxattr(model):
            with contextlib.suppress(OSError):
                os.setxattr(handle, name, os.getxattr(model, name))
    with contextlib.suppress(OSError):
        os.fchown(handle, -1, found.st_gid)
    os.fchmod(handle, stat.S_IMODE(found.st_mode))
    os.utime(handle, ns=(found.st_atime_ns, found.st_mtime_ns))


def _state(found: os.stat_result) -> _State:
    return found.st_ino, found.st_size, found.st_mtime_ns
