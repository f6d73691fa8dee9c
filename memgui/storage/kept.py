"""Kept copies: bytes under their own hash, compressed, private. What was once kept can be asked for again."""

from __future__ import annotations

import zlib
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import NotFound, ReadFailed
from memgui.i18n import _
from memgui.storage import private


class KeptCopies:
    """A folder of copies. The same bytes are kept once; a damaged copy is lost alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes, *, durable: bool = True) -> Fingerprint:
        """Keep these bytes; they are on the disk when this returns. OSError where the disk will not take them.

        Not `durable`: the system may take its time, because the same bytes are on the disk elsewhere.
        """
        print_ = fingerprint(data)
        path = self._path(print_)
        if not self._is_whole(print_):
            private.folder(path.parent)
            private.put(path, zlib.compress(data, 1), durable=durable)
        return print_

    def get(self, print_: Fingerprint) -> bytes:
        """The bytes with this hash. NotFound where they were never kept, ReadFailed where the copy is damaged."""
        try:
            data = zlib.decompress(self._path(print_).read_bytes())
        except FileNotFoundError:
            raise NotFound(_("No copy with the fingerprint {print} was kept.").format(print=print_)) from None
        except (OSError, zlib.error) as error:
            raise ReadFailed(_("The copy {print} cannot be read.").format(print=print_)) from error
        if fingerprint(data) != print_:
            raise ReadFailed(_("The copy {print} is damaged.").format(print=print_))
        return data

    def __contains__(self, print_: Fingerprint) -> bool:
        return self._path(print_).exists()

    def _is_whole(self, print_: Fingerprint) -> bool:
        try:
            self.get(print_)
        except (NotFound, ReadFailed):
            return False
        return True

    def _path(self, print_: Fingerprint) -> Path:
        return self._folder / print_[:2] / print_[2:]
