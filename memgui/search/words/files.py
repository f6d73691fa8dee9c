"""The files of an index of words: for this user alone, whatever the process gives to others, read bit by bit."""

from __future__ import annotations

import os
import pickle
from array import array
from io import BytesIO
from typing import Any

from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.system import IS_LITTLE

_AHEAD = 1 << 12
"""So many bytes are read in one go: what is asked for next mostly stands close behind."""

_SEGMENT = ".seg"
"""So the names of the files end that hold what was indexed, each in many parts."""

_SMALL = 256
"""Most of what is pickled is smaller."""


class PrivateFiles(FileStorage):  # type: ignore[misc]
    """A folder in which every file of Whoosh's is made 0600, and none is held in memory whole."""

    def __init__(self, path: str) -> None:
        # Of a mapped segment Whoosh copies every part as it opens it: all of it would be there twice.
        super().__init__(path, supports_mmap=False)

    def open_file(self, name: str, **options: Any) -> Any:
        if not name.endswith(_SEGMENT):
            return super().open_file(name, **options)
        opened = _Opened(self._fpath(name))
        return Slice(opened, 0, opened.size, name)

    def create_file(self, name: str, **options: Any) -> Any:
        if not options.get("excl"):
            self._make(name)
        return super().create_file(name, **options)

    def lock(self, name: str) -> Any:
        self._make(name, os.O_CREAT)
        return super().lock(name)

    def temp_storage(self, name: str | None = None) -> Any:
        folder = super().temp_storage(name).folder
        os.chmod(folder, 0o700)
        return PrivateFiles(folder)

    def _make(self, name: str, how: int = os.O_CREAT | os.O_TRUNC) -> None:
        os.close(os.open(self._fpath(name), os.O_WRONLY | how, 0o600))


class _Opened:
    """A file that is open as long as somebody reads from any part of it."""

    def __init__(self, path: str) -> None:
        self.handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.size = os.fstat(self.handle).st_size

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            os.close(self.handle)


class Slice(StructFile):  # type: ignore[misc]
    """A part of a file, read where it is asked for. One thread at a time uses it."""

    def __init__(self, opened: _Opened, start: int, length: int, name: str | None) -> None:
        self._opened: _Opened | None = opened
        self._start, self._length, self._position = start, length, 0
        self._ahead, self._ahead_at = b"", 0
        self._name, self.onclose = name, None
        self.is_closed = self.is_real = False

    def subset(self, offset: int, length: int, name: str | None = None) -> Slice:
        """A part of this part."""
        return Slice(self._open, self._start + offset, length, name or self._name)

    def get(self, position: int, length: int) -> bytes:
        """Bytes from a position on; fewer at the end."""
        at = position - self._ahead_at
        if at < 0 or at + length > len(self._ahead):
            if length >= _AHEAD:
                return self._read(position, length)
            self._ahead, self._ahead_at, at = self._read(position, _AHEAD), position, 0
        return self._ahead[at : at + length]

    def get_array(self, position: int, typecode: str, length: int) -> Any:
        """Numbers from a position on."""
        found: Any = array(typecode)
        found.frombytes(self.get(position, length * found.itemsize))
        if IS_LITTLE:
            found.byteswap()
        return found

    def read(self, size: int = -1) -> bytes:
        """Bytes from where it stands; all of the rest where no size is given."""
        found = self.get(self._position, self._length - self._position if size < 0 else size)
        self._position += len(found)
        return found

    def read_pickle(self) -> Any:
        """The object that is pickled where it stands: read in one go, where Whoosh would ask for it byte by byte."""
        try:
            return self._unpickled(_SMALL)
        except (EOFError, pickle.UnpicklingError):
            return self._unpickled(self._length)

    def _unpickled(self, most: int) -> Any:
        pickled = BytesIO(self.get(self._position, most))
        found = pickle.load(pickled)
        self._position += pickled.tell()
        return found

    def seek(self, position: int, whence: int = os.SEEK_SET) -> int:
        """Stand elsewhere."""
        begin = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._length}[whence]
        self._position = begin + position
        return self._position

    def tell(self) -> int:
        """Where it stands."""
        return self._position

    def close(self) -> None:
        """Let go of the file."""
        self.is_closed, self._opened, self._ahead = True, None, b""

    @property
    def _open(self) -> _Opened:
        if self._opened is None:
            raise ValueError("the file is closed")
        return self._opened

    def _read(self, position: int, length: int) -> bytes:
        length = min(length, self._length - position)
        return os.pread(self._open.handle, length, self._start + position) if length > 0 and position >= 0 else b""
