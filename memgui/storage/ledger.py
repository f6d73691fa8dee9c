"""Ledgers: files of lines in JSON that are only ever added to. A damaged line is one entry lost, a torn last one none.

What this process has read of a ledger it keeps, and reads on from there: the files are asked often, and grow slowly.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from memgui.storage import private

Row = dict[str, Any]

MOST_READ = 4
"""So many ledgers of one kind are kept in memory."""
_END_BYTES = 64
"""So much of what was read first and last has to be there still, or the file is another one."""
_MADE = "made"


class Ledger:
    """One such file. Who adds to it holds the workspace's lock."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def add(self, rows: Iterable[Row], *, durable: bool = False) -> None:
        """Add rows, all in one write. `durable`: they are on the disk when this returns. OSError."""
        data = b"".join(map(_line, rows))
        if not data:
            return
        private.folder(self._file.parent)
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(handle).st_size
            # What a killed writer left of its line does not spoil the next.
            begin = b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""
            rest = memoryview(begin + data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)

    def replace(self, rows: Iterable[Row]) -> None:
        """Begin it anew with these rows alone: whole, or not at all."""
        private.folder(self._file.parent)
        # By its first line whoever follows it sees that it is another file, even should that get the old one's number.
        private.put(self._file, b"".join(map(_line, [{_MADE: time.time_ns()}, *rows])))

    def rows(self) -> Iterator[Row]:
        """All rows that can be read, the oldest first."""
        with contextlib.suppress(OSError):
            yield from _rows(self._file.read_bytes())

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        try:
            return self._file.stat().st_size
        except OSError:
            return 0


class Follower:
    """What a ledger says by now, as one who reads on from where they were. Used by several threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lock = threading.RLock()
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._head = b""
        self._end = b""

    def news(self) -> tuple[bool, list[Row]]:
        """Whether all that was read before is void, and the rows that came since. The lock is held."""
        try:
            return self._read_on()
        except OSError:
            was_there = self._identity is not None
            self._begin(None)
            return was_there, []

    def _read_on(self) -> tuple[bool, list[Row]]:
        handle = os.open(self.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            found = os.fstat(handle)
            identity = (found.st_dev, found.st_ino)
            is_other = identity != self._identity or found.st_size < self._offset or not self._is_as_read(handle)
            if is_other:
                self._begin(identity)
            if found.st_size == self._offset:
                return is_other, []
            data = b""
            while piece := os.pread(handle, max(1 << 16, found.st_size - self._offset), self._offset + len(data)):
                data += piece
        finally:
            os.close(handle)
        # A line that is only half there is read once it is whole.
        data = data[: data.rfind(b"\n") + 1]
        if not self._offset:
            self._head = data[:_END_BYTES]
        self._offset += len(data)
        self._end = (self._end + data)[-_END_BYTES:]
        return is_other, list(_rows(data))

    def _begin(self, identity: tuple[int, int] | None) -> None:
        self._identity, self._offset, self._head, self._end = identity, 0, b"", b""

    def _is_as_read(self, handle: int) -> bool:
        end = os.pread(handle, len(self._end), self._offset - len(self._end))
        return end == self._end and os.pread(handle, len(self._head), 0) == self._head


def _line(row: Row) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _rows(data: bytes) -> Iterator[Row]:
    lines = [line for line in data.split(b"\n") if line.startswith(b"{")]
    with contextlib.suppress(ValueError, RecursionError):
        # All at once is several times as fast.
        yield from [row for row in json.loads(b"[" + b",".join(lines) + b"]") if _is_row(row)]
        return
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if _is_row(row):
                yield row


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and _MADE not in row
