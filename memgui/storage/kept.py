"""Kept copies: bytes under their own hash, compressed, private. What was once kept can be asked for again.

A copy is whole, or holds only what differs from another one, its base; a base is always whole, so that no copy needs
more than two files. A base has a twin: whichever file is damaged or missing, it costs itself and no other copy. What a
person wants forgotten leaves a mark in its place, so that the same bytes are never kept again.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import NotFound, ReadFailed
from memgui.i18n import _
from memgui.storage import deltas, private

_DIFFERS = b"mgd1"
_FORGOTTEN = b"mgf1"
_HEAD = struct.Struct(">4s32sIII")
"""Sign, hash of the base, bytes alike at both ends, bytes that all copies of the base cost up to this one."""
_TWIN = ".twin"
_SMALLEST = 512
"""Fewer bytes cost no less as a difference."""
_LARGEST = 16 << 20
"""More bytes are kept whole: the two would have to be held in memory."""
_LONG = 1 << 20
_NAME = 64
_DAMAGE = (OSError, ValueError, struct.error, zlib.error)


@dataclass(frozen=True, slots=True)
class Copy:
    """One kept copy as a file: how many bytes it takes, since when (seconds since 1970), on which base it stands."""

    hash: Fingerprint
    size: int
    time: float
    base: Fingerprint | None = None
    is_forgotten: bool = False


class KeptCopies:
    """A folder of copies. The same bytes are kept once; a damaged copy is lost alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes, *, like: Fingerprint | None = None, durable: bool = True) -> Fingerprint:
        """Keep these bytes; they are on the disk when this returns. OSError where the disk will not take them.

        `like`: a copy that is probably alike, of which only the difference is then kept. Not `durable`: the system may
        take its time, because the same bytes are on the disk elsewhere. What was forgotten stays so.
        """
        print_ = fingerprint(data)
        if self.is_forgotten(print_):
            return print_
        if self._is_whole(print_):
            # It is wanted from now on, so that it is as young as this.
            with contextlib.suppress(OSError):
                os.utime(self._path(print_))
            return print_
        # One on which others stand stays whole.
        alone = like is not None and like != print_ and not self._twin(print_).exists()
        packed = self._difference(data, like, durable=durable) if alone and like is not None else None
        path = self._path(print_)
        private.folder(path.parent)
        private.put(path, _whole(data) if packed is None else packed, durable=durable)
        return print_

    def get(self, print_: Fingerprint) -> bytes:
        """The bytes with this hash. NotFound where they were never kept, ReadFailed where the copy is damaged."""
        missing = 0
        for path in (self._path(print_), self._twin(print_)):
            try:
                data = self._unpacked(path.read_bytes())
            except FileNotFoundError:
                missing += 1
                continue
            except _DAMAGE:
                continue
            if data is None:
                raise NotFound(_("The copy {print} was forgotten.").format(print=print_))
            if fingerprint(data) == print_:
                return data
        if missing == 2:
            raise NotFound(_("No copy with the fingerprint {print} was kept.").format(print=print_))
        raise ReadFailed(_("The copy {print} is damaged.").format(print=print_))

    def __contains__(self, print_: Fingerprint) -> bool:
        return self._path(print_).exists() and not self.is_forgotten(print_)

    def is_forgotten(self, print_: Fingerprint) -> bool:
        """Whether a person wanted these bytes forgotten."""
        return self._head(print_)[:4] == _FORGOTTEN

    def base_of(self, print_: Fingerprint) -> Fingerprint | None:
        """The copy on which this one stands; None where it stands alone."""
        return _base(self._head(print_))

    def time_of(self, print_: Fingerprint) -> float:
        """When these bytes were last wanted to be kept (seconds since 1970); 0 where they are not."""
        try:
            return os.stat(self._path(print_)).st_mtime
        except OSError:
            return 0.0

    # Taking away -------------------------------------------------------------------------------------------------

    def all(self) -> Iterator[Copy]:
        """Every copy there is, whatever state it is in."""
        for folder in _names(self._folder):
            sizes = {}
            for name in _names(self._folder / folder):
                with contextlib.suppress(OSError):
                    sizes[name] = os.stat(self._folder / folder / name)
            for name, found in sizes.items():
                print_ = Fingerprint(folder + name.removesuffix(_TWIN))
                twin = sizes.get(name + _TWIN)
                if len(print_) != _NAME or (name.endswith(_TWIN) and name.removesuffix(_TWIN) in sizes):
                    continue
                head = self._head(print_)
                base = _base(head)
                size = found.st_size + (twin.st_size if twin is not None else 0)
                yield Copy(print_, size, found.st_mtime, base, head[:4] == _FORGOTTEN)

    def drop(self, print_: Fingerprint) -> None:
        """Keep these bytes no longer. The caller knows that no other copy stands on this one."""
        for path in (self._path(print_), self._twin(print_)):
            path.unlink(missing_ok=True)

    def forget(self, print_: Fingerprint) -> None:
        """Take these bytes away for good. No other copy stands on them any more."""
        private.folder(self._path(print_).parent)
        private.put(self._path(print_), _FORGOTTEN)
        self._twin(print_).unlink(missing_ok=True)

    def make_whole(self, print_: Fingerprint) -> None:
        """Let this copy stand on no other. What cannot be read is left as it is."""
        with contextlib.suppress(NotFound, ReadFailed):
            private.put(self._path(print_), _whole(self.get(print_)))

    def mend(self, print_: Fingerprint) -> bool:
        """Give a copy both its files again, where one of them is damaged or missing. Whether it was."""
        whole = [path for path in (self._path(print_), self._twin(print_)) if self._holds(path, print_)]
        if len(whole) != 1:
            return False
        other = self._twin(print_) if whole[0] == self._path(print_) else self._path(print_)
        private.put(other, whole[0].read_bytes())
        return True

    # Forms -------------------------------------------------------------------------------------------------------

    def _difference(self, data: bytes, like: Fingerprint, *, durable: bool) -> bytes | None:
        """The data as what differs from a base that is there; None where it is better kept whole."""
        if not _SMALLEST <= len(data) <= _LARGEST:
            return None
        head = self._head(like)
        base, spent = (like, 0) if _base(head) is None else (Fingerprint(head[4:36].hex()), _HEAD.unpack(head)[4])
        try:
            packed = self._path(base).read_bytes()
            before = zlib.decompress(packed)
        except (OSError, zlib.error):
            return None
        if len(before) > _LARGEST or fingerprint(before) != base:
            return None
        whole = len(packed) * len(data) // max(1, len(before)) + 1
        delta = deltas.between(before, data)
        spent += _HEAD.size + len(delta.body)
        # A new base, with its twin, would be cheaper by now.
        if spent > 2 * whole or len(delta.body) * 2 > whole:
            return None
        if not self._twin(base).exists():
            private.put(self._twin(base), packed, durable=durable)
        return _HEAD.pack(_DIFFERS, bytes.fromhex(base), delta.prefix, delta.suffix, spent) + delta.body

    def _unpacked(self, packed: bytes) -> bytes | None:
        """The bytes that a file holds; None where they were forgotten."""
        if packed[:4] == _FORGOTTEN:
            return None
        if _base(packed[: _HEAD.size]) is None:
            return zlib.decompress(packed)
        _sign, base, prefix, suffix, _spent = _HEAD.unpack(packed[: _HEAD.size])
        before = self._base_bytes(Fingerprint(base.hex()))
        return deltas.applied(before, deltas.Delta(prefix, suffix, packed[_HEAD.size :]))

    def _base_bytes(self, print_: Fingerprint) -> bytes:
        """The bytes of a base, from it or its twin. ValueError where both are damaged."""
        for path in (self._path(print_), self._twin(print_)):
            with contextlib.suppress(OSError, zlib.error):
                data = zlib.decompress(path.read_bytes())
                if fingerprint(data) == print_:
                    return data
        raise ValueError("the base is damaged")

    def _holds(self, path: Path, print_: Fingerprint) -> bool:
        try:
            data = self._unpacked(path.read_bytes())
        except _DAMAGE:
            return False
        return data is not None and fingerprint(data) == print_

    def _is_whole(self, print_: Fingerprint) -> bool:
        return self._holds(self._path(print_), print_)

    def _head(self, print_: Fingerprint) -> bytes:
        with contextlib.suppress(OSError), open(self._path(print_), "rb") as file:
            return file.read(_HEAD.size)
        return b""

    def _path(self, print_: Fingerprint) -> Path:
        return self._folder / print_[:2] / print_[2:]

    def _twin(self, print_: Fingerprint) -> Path:
        return self._folder / print_[:2] / (print_[2:] + _TWIN)


def _whole(data: bytes) -> bytes:
    """The bytes as a copy that stands alone. The longest are not worth the time that the last tenth takes."""
    return zlib.compress(data, 1 if len(data) > _LONG else 6)


def _base(head: bytes) -> Fingerprint | None:
    """The base of a copy that begins so; None where it stands on no other."""
    return Fingerprint(head[4:36].hex()) if len(head) == _HEAD.size and head[:4] == _DIFFERS else None


def _names(folder: Path) -> list[str]:
    try:
        return [name for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    except OSError:
        return []
