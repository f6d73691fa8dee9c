"""Removing a document: only the bytes that were seen, and only once a copy of them is kept."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, WriteFailed
from memgui.domain.paths import DocPath, shown
from memgui.i18n import _
from memgui.storage import swap
from memgui.storage.replace import check_may_write
from memgui.storage.spot import Spot, read_handle, reason_of, spot
from memgui.storage.writing import Keep, opened, sync_folder

_WRITERS_SECONDS = 0.25


def remove(
    root: Path, path: DocPath, *, expected: Fingerprint, keep: Keep, announce: Callable[[Fingerprint], object]
) -> None:
    """Take the file with the bytes `expected` away. Conflict: other bytes stand there, and stay. WriteFailed: it stays.

    The caller holds the workspace's lock. `keep` is given the bytes, and `announce` told, before the name goes.
    """
    try:
        with spot(root, path) as place:
            before = _bytes_of(place)
            if fingerprint(before) != expected:
                raise Conflict(path, expected=expected, found=fingerprint(before))
            check_may_write(place, os.stat(place.name, dir_fd=place.folder, follow_symlinks=False))
            keep(before)
            announce(expected)
            _take_away(place, expected)
            sync_folder(place.folder)
    except (FileNotFoundError, NotADirectoryError):
        raise Conflict(path, expected=expected, found=None) from None
    except OSError as error:
        message = _("'{path}' was not removed: {reason}.").format(path=shown(path), reason=reason_of(error))
        raise WriteFailed(message, errno=error.errno) from error


def _take_away(place: Spot, expected: Fingerprint) -> None:
    """Aside first: what somebody put there in between is seen, and goes back."""
    aside = swap.temporary_name()
    os.rename(place.name, aside, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    handle = os.open(aside, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.folder)
    try:
        # Who has it open just now may be about to append.
        swap.has_writers(handle, patience=_WRITERS_SECONDS)
        found = fingerprint(read_handle(handle))
    finally:
        os.close(handle)
    if found != expected:
        with contextlib.suppress(FileExistsError):
            swap.move_to_free_name(place.folder, aside, place.name)
        raise Conflict(place.path, expected=expected, found=found)
    os.unlink(aside, dir_fd=place.folder)


def _bytes_of(place: Spot) -> bytes:
    with opened(place) as handle:
        return read_handle(handle)
