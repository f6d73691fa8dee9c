"""Reads many files in a row: each folder on the way is opened once, no link is followed, nothing waits."""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from memgui.domain.paths import DocPath, parent_of
from memgui.domain.tree import Stat
from memgui.storage.files import as_stat

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_OPEN_FOLDERS = 128
_CHUNK = 1 << 20


class Reader:
    """Bytes of the workspace's own files. It holds folders open: use it in a `with`, for one pass."""

    def __init__(self, root: Path) -> None:
        self._root = os.open(os.fsencode(root), _FOLDER & ~os.O_NOFOLLOW)
        self._folders: OrderedDict[str, int] = OrderedDict()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folders."""
        for handle in (*self._folders.values(), self._root):
            os.close(handle)
        self._folders.clear()

    def read(self, path: DocPath, *, refuse: Callable[[bytes], bool] | None = None) -> tuple[bytes, Stat] | None:
        """The bytes and the state they were in; None for what cannot be read, is a link, or is no regular file.

        `refuse` is shown the first bytes; where it says yes, the rest is not read.
        """
        try:
            handle = os.open(os.fsencode(path.rpartition("/")[2]), _FILE, dir_fd=self._folder(parent_of(path)))
        except OSError:
            return None
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            return _read_all(handle, found.st_size, refuse), as_stat(found)
        except OSError:
            return None
        finally:
            os.close(handle)

    def holds(self, path: DocPath) -> bool:
        """Whether anything stands there, readable or not."""
        try:
            os.stat(os.fsencode(path.rpartition("/")[2]), dir_fd=self._folder(parent_of(path)), follow_symlinks=False)
        except OSError:
            return False
        return True

    def _folder(self, path: DocPath) -> int:
        if not path:
            return self._root
        handle = self._folders.get(path)
        if handle is not None:
            self._folders.move_to_end(path)
            return handle
        # The folder above first: opening it may push another out, but never one that is then in use.
        above = self._folder(parent_of(path))
        handle = os.open(os.fsencode(path.rpartition("/")[2]), _FOLDER, dir_fd=above)
        self._folders[path] = handle
        if len(self._folders) > _OPEN_FOLDERS:
            _path, oldest = self._folders.popitem(last=False)
            os.close(oldest)
        return handle


def _read_all(handle: int, size: int, refuse: Callable[[bytes], bool] | None) -> bytes:
    data = os.read(handle, min(size, _CHUNK) + 1)
    if len(data) <= size and size < _CHUNK:
        return data
    if refuse is not None and refuse(data):
        return data
    pieces = [data]
    while piece := os.read(handle, _CHUNK):
        pieces.append(piece)
    return b"".join(pieces)
