"""Compare and replace: new bytes where the expected ones stand, whole or not at all, and nobody else's write lost.

The bytes are prepared in a file beside the document and exchanged with it in one step. What is then found in the
displaced file tells whether somebody wrote in between: whole lines that they appended are appended to ours, any other
bytes of theirs are put back. Where a file must stay the same file (several links, a foreign owner, a folder that takes
no new names, a program that holds it open) it is written in place, a copy kept first.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, WriteFailed
from memgui.domain.paths import DocPath, shown
from memgui.domain.tree import Node
from memgui.i18n import _
from memgui.storage import swap
from memgui.storage.exchange import exchange_for, is_held_open
from memgui.storage.in_place import write_in_place
from memgui.storage.spot import Spot, read_handle, reason_of, remove_folders, spot
from memgui.storage.temporary import sweep, take_after, temporary
from memgui.storage.writing import Announce, Keep, Write, opened, sync_folder, verified

_WRITERS_BEFORE_SECONDS = 0.1


def replace(
    root: Path,
    path: DocPath,
    data: bytes,
    *,
    expected: Fingerprint | None,
    keep: Keep,
    announce: Announce,
) -> Node:
    """Put `data` where the bytes `expected` stand; None: where nothing stands, with the folders it takes. The new node.

    The caller holds the workspace's lock. `announce(before, after)` is called before a byte can be seen, `keep` with
    bytes that could be lost. Conflict: other bytes stand there, and stay. WriteFailed: the document is as it was.
    """
    made: list[DocPath] = []
    try:
        with spot(root, path, make=made if expected is None else None) as place:
            sweep(place.folder, keep, look=read_handle)
            write = Write(place, data, keep, announce)
            return _create(write) if expected is None else _change(write, expected)
    except (FileNotFoundError, NotADirectoryError) as error:
        remove_folders(root, made)
        if expected is not None and root.is_dir():
            raise Conflict(path, expected=expected, found=None) from None
        raise write_failed(path, error) from error
    except OSError as error:
        remove_folders(root, made)
        raise write_failed(path, error) from error
    except BaseException:
        remove_folders(root, made)
        raise


def _create(write: Write) -> Node:
    place = write.place
    if (found := place.stat()) is not None:
        raise _taken(place, found)
    # Not secret before it has its mode: it has it from the start, as the folder and the user's mask give it.
    write.announce(None, write.after)
    with temporary(place.folder, mode=0o666) as file:
        file.fill(write.data)
        os.fsync(file.handle)
        before_the_name = os.fstat(file.handle)
        try:
            swap.move_to_free_name(place.folder, file.name or b"", place.name)
        except FileExistsError:
            raise _taken(place, place.stat()) from None
        file.name = None
        sync_folder(place.folder)
        return verified(write, before_the_name)


def _taken(place: Spot, found: os.stat_result | None) -> Conflict:
    if found is None or not stat.S_ISREG(found.st_mode):
        return Conflict(place.path, expected=None, found=None)
    with opened(place) as handle:
        return Conflict(place.path, expected=None, found=fingerprint(read_handle(handle)))


def _change(write: Write, expected: Fingerprint) -> Node:
    place = write.place
    with opened(place) as handle:
        found = os.fstat(handle)
        before = read_handle(handle)
        if fingerprint(before) != expected:
            raise Conflict(place.path, expected=expected, found=fingerprint(before))
        check_may_write(place, found)
        write.announce(expected, write.after)
        if _must_stay_the_same_file(place, found) or is_held_open(place, handle, patience=_WRITERS_BEFORE_SECONDS):
            return write_in_place(write, before)
        with temporary(place.folder) as file:
            file.fill(write.data)
            if take_after(file.handle, handle, found):
                os.fsync(file.handle)
                node = exchange_for(write, file, before)
                if node is not None:
                    return node
        return write_in_place(write, before)


def _must_stay_the_same_file(place: Spot, found: os.stat_result) -> bool:
    if found.st_nlink > 1 or found.st_uid != os.geteuid():
        return True
    return not os.access(".", os.W_OK | os.X_OK, dir_fd=place.folder, effective_ids=True)


def check_may_write(place: Spot, found: os.stat_result) -> None:
    """The mode bits hold even for one whom the system lets pass them: whoever took them away meant it."""
    needed = stat.S_IWUSR if found.st_uid == os.geteuid() else stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    if found.st_mode & needed and _system_lets_write(place):
        return
    raise WriteFailed(
        _("'{path}' is read-only; it was not saved and is as it was.").format(path=shown(place.path)),
        errno=errno.EACCES,
        hint=_("Unlock the file (give it write permission), then save again."),
    )


def _system_lets_write(place: Spot) -> bool:
    return os.access(place.name, os.W_OK, dir_fd=place.folder, effective_ids=True, follow_symlinks=False)


def write_failed(path: DocPath, error: OSError) -> WriteFailed:
    """The sentence for a write that the system refused."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = _("Make room on the disk, then save again.")
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = _("Make the file and its folder writable, then save again.")
    else:
        hint = _("Look at the disk, then save again.")
    message = _("'{path}' was not saved: {reason}. The file on disk is as it was.")
    return WriteFailed(message.format(path=shown(path), reason=reason_of(error)), errno=error.errno, hint=hint)
