"""Appending: one write at the end of the file as it is at that moment. What others append beside it stays.

The file is opened so that the system itself puts every write at the end. Where somebody replaced the file meanwhile,
what went to the old one is written again, unless the new one holds it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, NotFound, WriteFailed
from memgui.domain.paths import DocPath, shown
from memgui.domain.tree import Node
from memgui.i18n import _
from memgui.storage.replace import check_may_write, replace, write_failed
from memgui.storage.spot import Spot, read_handle, reason_of, spot
from memgui.storage.writing import Keep, opened

_TRIES = 8
_MOST_BYTES = 256 << 20

Announce = Callable[[Fingerprint | None, bytes], object]
"""Told before a byte can be seen: the hash of what stands there, and all bytes that will."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What an append came to. `before` are the bytes it was put behind, None where there was no file."""

    node: Node
    before: bytes | None
    piece: bytes
    now: bytes
    """All that stands there now: more than the two, where others appended as well."""

    @property
    def after(self) -> bytes:
        """The bytes up to the end of the piece."""
        return (self.before or b"") + self.piece


def append(
    root: Path, path: DocPath, piece_behind: Callable[[bytes], bytes], *, keep: Keep, announce: Announce
) -> Appended:
    """Put a piece at the end of a document; `piece_behind` says which, told the bytes that stand there (it may refuse).

    A missing document is made, with the folders it takes. The caller holds the workspace's lock. WriteFailed: the
    document is as it was, or, where others wrote too, as they left it.
    """
    for _try in range(_TRIES):
        try:
            with spot(root, path) as place:
                appended = _appended(place, piece_behind, keep, announce)
        except (FileNotFoundError, NotADirectoryError):
            appended = _created(root, path, piece_behind, keep, announce)
        except OSError as error:
            raise write_failed(path, error) from error
        if appended is not None:
            return appended
    raise Conflict(path, expected=None, found=None)


def _created(
    root: Path, path: DocPath, piece_behind: Callable[[bytes], bytes], keep: Keep, announce: Announce
) -> Appended | None:
    if not root.is_dir():
        raise NotFound(_("The folder {folder} is not there.").format(folder=shown(str(root))))
    piece = piece_behind(b"")
    try:
        node = replace(root, path, piece, expected=None, keep=keep, announce=lambda _old, _new: announce(None, piece))
    except Conflict:
        # Somebody made it this instant: theirs comes first. A link to nothing never does.
        if os.path.lexists(os.fsencode(root / path)) and not os.path.exists(os.fsencode(root / path)):
            raise
        return None
    return Appended(node, None, piece, piece)


def _appended(place: Spot, piece_behind: Callable[[bytes], bytes], keep: Keep, announce: Announce) -> Appended | None:
    """None where the file was replaced meanwhile and what stands there now does not hold the piece."""
    with opened(place, os.O_RDWR | os.O_APPEND) as handle:
        found = os.fstat(handle)
        check_may_write(place, found)
        if found.st_size > _MOST_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        before = read_handle(handle)
        piece = piece_behind(before)
        announce(fingerprint(before), before + piece)
        start = _write_at_end(place, handle, piece)
        os.fsync(handle)
        now = read_handle(handle)
        node = place.node(os.fstat(handle))
        if now[start : start + len(piece)] != piece and piece not in now:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
    stands = place.stat()
    if stands is not None and (stands.st_dev, stands.st_ino) == (found.st_dev, found.st_ino):
        return Appended(node, now[:start], piece, now)
    keep(now)
    if stands is None:
        return None
    with opened(place) as handle:
        after = read_handle(handle)
        if after.count(piece) <= before.count(piece):
            return None
        at = after.rindex(piece)
        return Appended(place.node(os.fstat(handle)), after[:at], piece, after)


def _write_at_end(place: Spot, handle: int, piece: bytes) -> int:
    """The one write. Where it went; OSError where it did not go in whole, and is taken back."""
    try:
        written = os.write(handle, piece)
    except OSError as error:
        raise write_failed(place.path, error) from error
    end = os.lseek(handle, 0, os.SEEK_CUR)
    if written == len(piece):
        return end - written
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if os.fstat(handle).st_size == end:
        os.ftruncate(handle, end - written)
        raise full
    message = _("'{path}' could not be written whole: {reason}. A part of the new text stands there.")
    raise WriteFailed(
        message.format(path=shown(place.path), reason=reason_of(full)),
        errno=full.errno,
        hint=_("Make room on the disk and look at the end of the document."),
    )
