"""The way by exchange: whole or not at all. Lines appended meanwhile are added; any other outside write is put back.

Where a program has the displaced file open and does not come to an end, what it writes next would go to a file without
a name: then that file stands again, and is written in place.
"""

from __future__ import annotations

import contextlib
import os

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict
from memgui.domain.tree import Node
from memgui.storage import swap
from memgui.storage.spot import Spot, read_handle
from memgui.storage.temporary import Temporary, temporary
from memgui.storage.writing import OPEN, Write, opened, sync_folder, verified

_WRITERS_AFTER_SECONDS = 0.25


def exchange_for(write: Write, file: Temporary, before: bytes) -> Node | None:
    """Put the prepared file in the place of the document, whose bytes are `before`. The new node.

    None where a program holds the document open for writing: it stands again, with whatever others appended.
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
    tails: list[bytes] = []
    try:
        settled = _give_way_to_others(write, displaced, before, prepared)
        tails.append(settled[len(before) :])
        sync_folder(place.folder)
        node = verified(write, prepared)
        # Once more: a program that had the document open may have been slow.
        again = _give_way_to_others(write, displaced, settled, prepared)
        tails.append(again[len(settled) :])
        held = displaced is not None and _is_still_held(place, displaced)
        # Where nobody can write into it any more, what it holds now is its last.
        if displaced is not None and not held and _bytes_and_stat(place.folder, displaced)[0] != again:
            _give_way_to_others(write, displaced, again, prepared)
    except OSError:
        if displaced is not None:
            _take_back(write, displaced, prepared, tails)
        raise
    if displaced is not None and held:
        _take_back(write, displaced, prepared, tails)
        return None
    if displaced is not None:
        _remove(place.folder, displaced)
    return node


def is_held_open(place: Spot, handle: int, *, patience: float) -> bool:
    """Whether a program keeps the file open for writing, `patience` seconds long.

    Some network disks always say so, even of a file that nobody else can know: there it means nothing.
    """
    if not swap.has_writers(handle, patience=patience):
        return False
    with temporary(place.folder) as file:
        probe = os.open(file.name or b"", os.O_RDONLY | OPEN, dir_fd=place.folder)
        os.close(file.handle)
        file.handle = probe
        return not swap.has_writers(probe, patience=0)


def _is_still_held(place: Spot, displaced: bytes) -> bool:
    handle = os.open(displaced, os.O_RDONLY | OPEN, dir_fd=place.folder)
    try:
        return is_held_open(place, handle, patience=0)
    finally:
        os.close(handle)


def _take_back(write: Write, displaced: bytes, ours: os.stat_result, tails: list[bytes]) -> None:
    """Let the displaced file stand again; what others appended to ours comes behind it, all but these `tails` of its.

    Where somebody put another file over ours, that one is the newest and stands.
    """
    place = write.place
    stood, found = _bytes_and_stat(place.folder, place.name)
    swapped = found.st_ino == ours.st_ino and swap.step_back(place.folder, displaced, place.name)
    if swapped:
        stood, found = _settled_bytes(place.folder, displaced), _stat(place.folder, displaced)
    if found.st_ino != ours.st_ino:
        if swapped:
            swap.step_back(place.folder, displaced, place.name)
        _put_away(place, displaced, _kept(write, _settled_bytes(place.folder, displaced)))
        return
    kept = stood == write.data or _kept(write, stood)
    if stood.startswith(write.data):
        added = stood.removeprefix(write.data)
        for tail in tails:
            added = added.replace(tail, b"", 1)
        kept = _appended(place, added) or kept
    if swapped:
        _put_away(place, displaced, kept)


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
    return _appended(write.place, theirs[len(before) :])


def _appended(place: Spot, tail: bytes) -> bool:
    if not tail:
        return True
    try:
        with opened(place, os.O_WRONLY | os.O_APPEND) as handle:
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


def _stat(folder: int, name: bytes) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _kept(write: Write, data: bytes) -> bool:
    try:
        write.keep(data)
    except OSError:
        return False
    return True


def _remove(folder: int, name: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
