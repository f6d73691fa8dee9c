"""What a window and its process apart tell each other: values, one after the other, over a pipe that only they have."""

from __future__ import annotations

import os
import pickle
import select
import struct
from dataclasses import dataclass
from typing import Any

from memgui.domain.workspace import Workspace

_SIZE = struct.Struct("<I")
_MOST = 1 << 16

READY, PART, DONE, FAILED = "ready", "part", "done", "failed"
"""What the process says: it can be told what to do; something on the way; the answer; the error that came instead."""

BEGIN, LOOK_OVER, MEET, FOLD = "begin", "look over", "meet", "fold"
"""What it can be told to do."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, and since when it is wanted. What it is to be done with follows, and then None."""

    deed: str
    workspace: Workspace
    now: float


def send(handle: int, value: object) -> None:
    """Tell the other side. OSError where there is none any more."""
    data = pickle.dumps(value)
    rest = memoryview(_SIZE.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(handle, rest) :]


class Incoming:
    """What the other side tells."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def ready(self, seconds: float) -> bool:
        """Wait so long at most until something comes, or the end."""
        return bool(select.select([self._handle], [], [], seconds)[0])

    def next(self) -> Any:
        """The next value. EOFError where the other side has ended."""
        (size,) = _SIZE.unpack(self._read(_SIZE.size))
        return pickle.loads(self._read(size))

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = os.read(self._handle, min(size - len(data), _MOST))
            if not part:
                raise EOFError
            data += part
        return bytes(data)
