"""The way in place: the file stays the same file. A copy of what it held is kept first."""

from __future__ import annotations

import contextlib
import errno
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
    place = write.place
    write.keep(before)
    longer = write.data.startswith(before)
    # Where the bytes only become more, the system puts them at the end: what somebody appends this instant stays.
    with opened(place, os.O_RDWR | os.O_APPEND if longer else os.O_RDWR) as handle:
        prepared = os.fstat(handle)
        now = read_handle(handle)
        if now != before:
            raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(now))
        try:
            if longer:
                _lengthen(handle, write.data[len(before) :])
            else:
                _overwrite(handle, write.data, before)
        except OSError as error:
            if os.fstat(handle).st_size == len(before) and read_handle(handle) == before:
                raise
            raise _damaged(place.path, error) from error
        return verified(write, prepared)


def _lengthen(handle: int, data: bytes) -> None:
    written = os.write(handle, data)
    end = os.lseek(handle, 0, os.SEEK_CUR)
    if written < len(data):
        if os.fstat(handle).st_size == end:
            os.ftruncate(handle, end - written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(handle)


def _overwrite(handle: int, data: bytes, before: bytes) -> None:
    """Other bytes into the same file. What is longer goes first: on a full disk nothing else was touched yet."""
    size = len(before)
    try:
        write_all(handle, data[size:], size)
        write_all(handle, data[:size], 0)
        os.ftruncate(handle, len(data))
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            write_all(handle, before, 0)
            os.ftruncate(handle, size)
            os.fsync(handle)
        raise


def _damaged(path: DocPath, error: OSError) -> WriteFailed:
    message = _("'{path}' could not be written whole: {reason}. Its bytes from before are among the kept copies.")
    return WriteFailed(
        message.format(path=shown(path), reason=reason_of(error)),
        errno=error.errno,
        hint=_("Save again as soon as the disk takes it."),
    )
