"""The way by exchange: whole or not at all. Lines appended meanwhile are added; any other outside write is put back."""

from __future__ import annotations

import contextlib
import os

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.tree import Node
from memgui.storage import swap
from memgui.storage.spot import Spot, read_handle
from memgui.storage.temporary import Temporary
from memgui.storage.writing import OPEN, Write, opened, sync_folder, verified

_WRITERS_AFTER_SECONDS = 0.25


def exchange_for(write: Write, file: Temporary, before: bytes) -> Node:
    """Put the prepared file in the place of the document, whose bytes are `before`. The new node.

    Conflict where somebody else wrote meanwhile: then theirs stands. OSError: the document is as it was.
    """
    place = write.place
    with opened(place) as handle:
        now = read_handle(handle)
    if now != before:
        raise Conflict(place.path, expected=fingerprint(before), found=fingerprint(now))
    prepared = os.fstat(file.handle)
    displaced = swap.step_in(place.folder, file.name or b"", place.name)
    # From here on that name is the displaced file's: it goes only once its bytes are known to be nobody's loss.
    file.name = None
    try:
        settled = _give_way_to_others(write, displaced, before, prepared)
        sync_folder(place.folder)
        node = verified(write, prepared)
        # Once more: a program that had the document open may have been slow.
        _give_way_to_others(write, displaced, settled, prepared)
    except OSError:
        if displaced is not None:
            _take_back(place, displaced, prepared)
        raise
    if displaced is not None:
        _remove(place.folder, displaced)
    return node


def _take_back(place: Spot, displaced: bytes, ours: os.stat_result) -> None:
    if not swap.step_back(place.folder, displaced, place.name):
        return
    if os.stat(displaced, dir_fd=place.folder, follow_symlinks=False).st_ino == ours.st_ino:
        _remove(place.folder, displaced)


def _give_way_to_others(write: Write, displaced: bytes | None, before: bytes, ours: os.stat_result) -> bytes:
    """What the displaced file holds, once nobody is the loser by it: `before`, or more lines than that, added to ours.

    Conflict, the outside bytes back in their place, where it holds others than were expected.
    """
    if displaced is None:
        return before
    place = write.place
    theirs = _settled_bytes(place.folder, displaced)
    if theirs == before or _added_to_ours(write, theirs, before):
        return theirs
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


def _added_to_ours(write: Write, theirs: bytes, before: bytes) -> bool:
    """Whole lines that somebody appended to the displaced file are appended to what stands now: neither gives way."""
    if not theirs.startswith(before) or not all(text.endswith(b"\n") or not text for text in (before, write.data)):
        return False
    if not _kept(write, theirs):
        return False
    tail = theirs[len(before) :]
    try:
        with opened(write.place, os.O_WRONLY | os.O_APPEND) as handle:
            return os.write(handle, tail) == len(tail)
    except OSError:
        return False


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
    handle = os.open(name, os.O_RDONLY | OPEN, dir_fd=folder)
    try:
        swap.has_writers(handle, patience=_WRITERS_AFTER_SECONDS)
        return read_handle(handle)
    finally:
        os.close(handle)


def _bytes_and_stat(folder: int, name: bytes) -> tuple[bytes, os.stat_result]:
    handle = os.open(name, os.O_RDONLY | OPEN, dir_fd=folder)
    try:
        return read_handle(handle), os.fstat(handle)
    finally:
        os.close(handle)


def _kept(write: Write, data: bytes) -> bool:
    try:
        write.keep(data)
    except OSError:
        return False
    return True


def _remove(folder: int, name: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
