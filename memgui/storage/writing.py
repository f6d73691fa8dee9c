"""One write on its way, and the steps that every way of writing shares."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.tree import Node
from memgui.storage.spot import Spot, check_file, read_handle

Keep = Callable[[bytes], object]
Announce = Callable[[Fingerprint | None, Fingerprint], object]

OPEN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""How a document is opened, whatever for: no link followed, never waiting, not inherited."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write on its way: where to, what, and whom to tell."""

    place: Spot
    data: bytes
    keep: Keep
    announce: Announce

    @property
    def after(self) -> Fingerprint:
        return fingerprint(self.data)


def verified(write: Write, prepared: os.stat_result) -> Node:
    """The node of what was written, read back. Had somebody written since, the next look finds it outdated."""
    place = write.place
    with contextlib.suppress(FileNotFoundError), opened(place) as handle:
        before = os.fstat(handle)
        now, found = read_handle(handle), os.fstat(handle)
        # A state from before the reading: what came after it makes the node outdated.
        if now == write.data:
            return place.node(before)
        # One from after it: bytes that somebody else put there meanwhile are no fault of the disk.
        same = found.st_ino == prepared.st_ino
        if same and (found.st_size, found.st_mtime_ns) == (prepared.st_size, prepared.st_mtime_ns):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
    return place.node(prepared)


@contextmanager
def opened(place: Spot, access: int = os.O_RDONLY) -> Iterator[int]:
    found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    check_file(found.st_mode)
    handle = os.open(place.name, access | OPEN, dir_fd=place.folder)
    try:
        yield handle
    finally:
        os.close(handle)


def sync_folder(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as error:
        # Some file systems keep their folders in order by themselves and say so.
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.EOPNOTSUPP):
            raise
