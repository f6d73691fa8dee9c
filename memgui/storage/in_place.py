"""The way in place: the file stays the same file. A copy of what it held is kept first.

Others may append to it all the while, through handles that they opened long ago: what they append ends up behind ours,
as if they had come after. One instant remains: what is appended between the last look behind the end and the cut there,
where the document becomes shorter. No system offers the two in one step.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict, WriteFailed
from memgui.domain.paths import DocPath, shown
from memgui.domain.tree import Node
from memgui.i18n import _
from memgui.storage.spot import read_handle, reason_of
from memgui.storage.temporary import write_all
from memgui.storage.writing import Write, opened, verified


def write_in_place(write: Write, before: bytes) -> Node:
    """Write over the document, whose bytes are `before`. The new node. OSError: it is as it was."""
    place, data, size = write.place, write.data, len(before)
    write.keep(before)
    with opened(place, os.O_RDWR) as handle:
        prepared = os.fstat(handle)
        now = read_handle(handle)
        if now != before:
            raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(now))
        # What is longer goes first: on a full disk nothing else was touched yet.
        theirs, cut = _lengthen(place.path, handle, data[size:], size), False
        try:
            if theirs:
                write.keep(before + theirs)
            if theirs or not data.startswith(before):
                write_all(handle, data + theirs, 0)
            if len(data) < size:
                _cut(handle, len(data), size)
                cut = True
            os.fsync(handle)
        except OSError as error:
            try:
                _put_back(handle, before, theirs, data, cut=cut)
            except OSError:
                raise _damaged(place.path, error) from error
            raise
        return verified(write, prepared)


def _lengthen(path: DocPath, handle: int, more: bytes, size: int) -> bytes:
    """Put `more` at the end, wherever that is by now. What others put there before it: all behind the first `size`."""
    if not more:
        return b""
    written, end = _append(handle, more)
    start = end - written
    if written < len(more):
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            _cut(handle, start, end)
        except OSError:
            raise _damaged(path, full) from full
        raise full
    return os.pread(handle, start - size, size) if start > size else b""


def _append(handle: int, more: bytes) -> tuple[int, int]:
    """One write at the end, which the system itself finds: nobody's bytes are written over. How many, up to where."""
    flags = fcntl.fcntl(handle, fcntl.F_GETFL)
    fcntl.fcntl(handle, fcntl.F_SETFL, flags | os.O_APPEND)
    try:
        return os.write(handle, more), os.lseek(handle, 0, os.SEEK_CUR)
    finally:
        fcntl.fcntl(handle, fcntl.F_SETFL, flags)


def _cut(handle: int, start: int, end: int) -> None:
    """Take out the bytes from `start` to `end`: what stands behind them moves up, and what comes there meanwhile."""
    if start == end:
        return
    gone, behind = os.pread(handle, end - start, start), b""
    try:
        while new := read_handle(handle, end + len(behind)):
            write_all(handle, new, start + len(behind))
            behind += new
        os.ftruncate(handle, start + len(behind))
    except OSError:
        write_all(handle, gone + behind, start)
        raise


def _put_back(handle: int, before: bytes, theirs: bytes, data: bytes, *, cut: bool) -> None:
    """Make the file hold again what it held, and behind that what others appended."""
    if cut:
        write_all(handle, before + read_handle(handle, len(data)), 0)
    else:
        write_all(handle, before + theirs, 0)
        _cut(handle, len(before + theirs), max(len(before), len(data)) + len(theirs))
    with contextlib.suppress(OSError):
        os.fsync(handle)


def _damaged(path: DocPath, error: OSError) -> WriteFailed:
    message = _("'{path}' could not be written whole: {reason}. Its bytes from before are among the kept copies.")
    return WriteFailed(
        message.format(path=shown(path), reason=reason_of(error)),
        errno=error.errno,
        hint=_("Save again as soon as the disk takes it."),
    )
