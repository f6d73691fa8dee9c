"""Compare and replace: new bytes where the expected ones stand, whole or not at all, and nobody else's write lost.

The bytes are prepared in a file beside the document and exchanged with it in one step. What is then found in the
displaced file tells whether somebody wrote in between: their bytes are put back. Where a file must stay the same file
(several links, a foreign owner, a folder that takes no new names, a program that holds it open) it is written in
place, a copy kept first.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, WriteFailed
from memgui.domain.paths import DocPath, shown
from memgui.domain.tree import Node
from memgui.i18n import _
from memgui.storage import swap
from memgui.storage.spot import Spot, read_handle, reason_of, remove_folders, spot
from memgui.storage.temporary import Temporary, sweep, take_after, temporary, write_all

Keep = Callable[[bytes], object]
Announce = Callable[[Fingerprint | None, Fingerprint], object]

_OPEN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITERS_BEFORE_SECONDS = 0.1
_WRITERS_AFTER_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class _Write:
    """One write on its way: where to, what, and whom to tell."""

    place: Spot
    data: bytes
    keep: Keep
    announce: Announce

    @property
    def after(self) -> Fingerprint:
        return fingerprint(self.data)


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
            write = _Write(place, data, keep, announce)
            return _create(write) if expected is None else _change(write, expected)
    except (FileNotFoundError, NotADirectoryError) as error:
        remove_folders(root, made)
        if expected is not None and root.is_dir():
            raise Conflict(path, expected=expected, found=None) from None
        raise _failed(path, error) from error
    except OSError as error:
        remove_folders(root, made)
        raise _failed(path, error) from error
    except BaseException:
        remove_folders(root, made)
        raise


def _create(write: _Write) -> Node:
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
        _sync_folder(place.folder)
        return _verified(write, before_the_name)


def _taken(place: Spot, found: os.stat_result | None) -> Conflict:
    if found is None or not stat.S_ISREG(found.st_mode):
        return Conflict(place.path, expected=None, found=None)
    with _opened(place) as handle:
        return Conflict(place.path, expected=None, found=fingerprint(read_handle(handle)))


def _change(write: _Write, expected: Fingerprint) -> Node:
    place = write.place
    with _opened(place) as handle:
        found = os.fstat(handle)
        before = read_handle(handle)
        if fingerprint(before) != expected:
            raise Conflict(place.path, expected=expected, found=fingerprint(before))
        _check_may_write(place, found)
        write.announce(expected, write.after)
        if _must_stay_the_same_file(place, found) or _is_held_open(place, handle):
            return _write_in_place(write, before)
        with temporary(place.folder) as file:
            file.fill(write.data)
            if take_after(file.handle, handle, found):
                os.fsync(file.handle)
                return _exchange(write, file, before)
        return _write_in_place(write, before)


def _exchange(write: _Write, file: Temporary, before: bytes) -> Node:
    place, folder = write.place, write.place.folder
    with _opened(place) as handle:
        now = read_handle(handle)
    if now != before:
        raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(now))
    prepared = os.fstat(file.handle)
    displaced = swap.step_in(folder, file.name or b"", place.name)
    # From here on that name is the displaced file's: it goes only once its bytes are known to be nobody's loss.
    file.name = None
    _give_way_to_others(write, displaced, before, prepared)
    try:
        _sync_folder(folder)
    except OSError:
        if displaced is not None:
            swap.step_back(folder, displaced, place.name)
            _remove(folder, displaced)
        raise
    node = _verified(write, prepared)
    _give_way_to_others(write, displaced, before, prepared)
    if displaced is not None:
        _remove(folder, displaced)
    return node


def _give_way_to_others(write: _Write, displaced: bytes | None, before: bytes, ours: os.stat_result) -> None:
    """Conflict, the outside bytes back in their place, where the displaced file holds others than were expected."""
    if displaced is None:
        return
    place = write.place
    theirs = _settled_bytes(place.folder, displaced)
    if theirs == before:
        return
    kept = _kept(write, theirs) and _kept(write, write.data)
    if swap.step_back(place.folder, displaced, place.name):
        came_back, found = _bytes_and_stat(place.folder, displaced)
        if found.st_ino != ours.st_ino or came_back != write.data:
            # Somebody wrote again, over ours: theirs is the newest and stands; the older one is kept.
            kept = kept and _kept(write, came_back)
            swap.step_back(place.folder, displaced, place.name)
            theirs = came_back
        _put_away(place, displaced, kept)
    raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(theirs))


def _put_away(place: Spot, displaced: bytes, kept: bool) -> None:
    if kept:
        _remove(place.folder, displaced)
        return
    # No copy could be kept, so this is the only one: it stays beside the document, where a person finds it.
    rescue = place.name[:200] + b".kept-" + displaced.rpartition(b"-")[2].removesuffix(b".tmp")
    with contextlib.suppress(OSError):
        swap.move_to_free_name(place.folder, displaced, rescue)


def _settled_bytes(folder: int, name: bytes) -> bytes:
    """The bytes of a displaced file, once those who had it open for writing are done (after a while, as they are)."""
    handle = os.open(name, os.O_RDONLY | _OPEN, dir_fd=folder)
    try:
        swap.has_writers(handle, patience=_WRITERS_AFTER_SECONDS)
        return read_handle(handle)
    finally:
        os.close(handle)


def _bytes_and_stat(folder: int, name: bytes) -> tuple[bytes, os.stat_result]:
    handle = os.open(name, os.O_RDONLY | _OPEN, dir_fd=folder)
    try:
        return read_handle(handle), os.fstat(handle)
    finally:
        os.close(handle)


def _write_in_place(write: _Write, before: bytes) -> Node:
    place = write.place
    write.keep(before)
    with _opened(place, os.O_RDWR) as handle:
        prepared = os.fstat(handle)
        now = read_handle(handle)
        if now != before:
            raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(now))
        try:
            _overwrite(handle, write.data, before)
        except OSError as error:
            if os.fstat(handle).st_size == len(before) and read_handle(handle) == before:
                raise
            raise _damaged(place.path, error) from error
        return _verified(write, prepared)


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


def _verified(write: _Write, prepared: os.stat_result) -> Node:
    """The node of what was written, read back. Had somebody written since, the next look finds it outdated."""
    place = write.place
    with contextlib.suppress(FileNotFoundError), _opened(place) as handle:
        found = os.fstat(handle)
        same = found.st_ino == prepared.st_ino
        if read_handle(handle) == write.data:
            return place.node(found)
        if same and (found.st_size, found.st_mtime_ns) == (prepared.st_size, prepared.st_mtime_ns):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
    return place.node(prepared)


@contextmanager
def _opened(place: Spot, access: int = os.O_RDONLY) -> Iterator[int]:
    found = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    handle = os.open(place.name, access | _OPEN, dir_fd=place.folder)
    try:
        yield handle
    finally:
        os.close(handle)


def _must_stay_the_same_file(place: Spot, found: os.stat_result) -> bool:
    if found.st_nlink > 1 or found.st_uid != os.geteuid():
        return True
    return not os.access(".", os.W_OK | os.X_OK, dir_fd=place.folder, effective_ids=True)


def _is_held_open(place: Spot, handle: int) -> bool:
    """Whether a program keeps the document open for writing: what it writes next would go to a file without a name.

    Some network disks always say so, even of a file that nobody else can know: there it means nothing.
    """
    if not swap.has_writers(handle, patience=_WRITERS_BEFORE_SECONDS):
        return False
    with temporary(place.folder) as file:
        probe = os.open(file.name or b"", os.O_RDONLY | _OPEN, dir_fd=place.folder)
        os.close(file.handle)
        file.handle = probe
        return not swap.has_writers(probe, patience=0)


def _check_may_write(place: Spot, found: os.stat_result) -> None:
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


def _kept(write: _Write, data: bytes) -> bool:
    try:
        write.keep(data)
    except OSError:
        return False
    return True


def _sync_folder(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as error:
        # Some file systems keep their folders in order by themselves and say so.
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.EOPNOTSUPP):
            raise


def _remove(folder: int, name: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _damaged(path: DocPath, error: OSError) -> WriteFailed:
    message = _("'{path}' could not be written whole: {reason}. Its bytes from before are among the kept copies.")
    return WriteFailed(
        message.format(path=shown(path), reason=reason_of(error)),
        errno=error.errno,
        hint=_("Save again as soon as the disk takes it."),
    )


def _failed(path: DocPath, error: OSError) -> WriteFailed:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = _("Make room on the disk, then save again.")
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = _("Make the file and its folder writable, then save again.")
    else:
        hint = _("Look at the disk, then save again.")
    message = _("'{path}' was not saved: {reason}. The file on disk is as it was.")
    return WriteFailed(message.format(path=shown(path), reason=reason_of(error)), errno=error.errno, hint=hint)
