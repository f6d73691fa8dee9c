"""Segments: the folded texts of some hundred files joined into one buffer, so that one call looks through them all."""

from __future__ import annotations

import ctypes
import mmap
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

from memgui.domain.paths import DocPath
from memgui.search.fold import fold

SEPARATOR = b"\xff"
"""Stands between two files; no UTF-8 holds it, so no match runs from one file into the next."""

WINDOW = 1 << 20
"""No single call looks through more: it would keep other threads waiting."""

_SAMPLE, _MANY, _CLOSE = 24, 320, 400
"""After so many places it is reckoned how many there are in all. Where they are more than that, one place of each text
is enough; where one stands in every so many bytes, Python's own search is the faster one to find it."""

_MOST_REMEMBERED = 32
_FEW = 8
"""Where one text of so many holds the beginning of what is looked for, only those are asked for all of it."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Key:
    """What tells one state of a file from another without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One file in a segment. `searched` says whether its text is there (binary files stand there by name alone)."""

    path: DocPath
    key: Key
    weight: float
    searched: bool


Buffer = bytes | mmap.mmap
"""What texts lie in: bytes, or a mapped file that only this process knows."""


def _address_of(data: Buffer) -> int:
    if not data:
        return 0
    if isinstance(data, bytes):
        return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
    return ctypes.addressof(ctypes.c_char.from_buffer(data))


def _find_in_c() -> Callable[[int, int, bytes, int], int | None] | None:
    """The C library's search, three times as fast as Python's on text; None on systems whose library has none."""
    try:
        # PyDLL: it keeps the interpreter for the fraction of a millisecond it takes. Giving it up and asking for it
        # back thirty times a query would cost more than the query wherever another thread is busy.
        search = ctypes.PyDLL(None).memmem
    except (OSError, AttributeError, TypeError):
        return None
    search.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
    search.restype = ctypes.c_void_p
    return search


_MEMMEM = _find_in_c()


class Joined:
    """Texts joined into one buffer that never changes, alone in it or behind others."""

    __slots__ = ("_address", "begin", "data", "end", "ends", "starts")

    def __init__(self, data: Buffer, lengths: Sequence[int], *, begin: int = 0) -> None:
        self.data = data
        self.ends = [begin + end - 1 for end in accumulate(length + 1 for length in lengths)]
        self.starts = [end - length for end, length in zip(self.ends, lengths, strict=True)]
        self.begin, self.end = begin, self.ends[-1] if self.ends else begin
        self._address = _address_of(data)

    @staticmethod
    def of(texts: Sequence[bytes]) -> Joined:
        """The texts, in this order."""
        return Joined(SEPARATOR.join(texts), [len(text) for text in texts])

    @property
    def size(self) -> int:
        """How many bytes they have, with what stands between them."""
        return self.end - self.begin

    @property
    def whole(self) -> bytes:
        """All of them."""
        return self.data if isinstance(self.data, bytes) and not self.begin else self.data[self.begin : self.end]

    @property
    def is_mapped(self) -> bool:
        """Whether the system may take the memory back, and read it again from the disk when it is asked for."""
        return not isinstance(self.data, bytes)

    def text(self, index: int) -> bytes:
        return self.data[self.starts[index] : self.ends[index]]

    def find(self, needle: bytes, start: int, end: int) -> int:
        """Where `needle` first stands between `start` and `end`, or -1."""
        while start < end:
            stop = min(end, start + WINDOW + len(needle))
            at = self._find_far(needle, start, stop)
            if at >= 0:
                return at
            start = stop - len(needle) + 1 if stop < end else end
        return -1

    def _find_far(self, needle: bytes, start: int, end: int) -> int:
        if _MEMMEM is None:
            return self.data.find(needle, start, end)
        at = _MEMMEM(self._address + start, end - start, needle, len(needle))
        return -1 if at is None else at - self._address

    def count(self, needle: bytes, start: int, end: int) -> int:
        """How often `needle` stands between `start` and `end`."""
        total = 0
        while end - start > WINDOW and b"\n" not in needle:
            cut = self.data.rfind(b"\n", start, start + WINDOW) + 1
            if not cut:
                break
            total += self._count(needle, start, cut)
            start = cut
        return total + self._count(needle, start, end)

    def _count(self, needle: bytes, start: int, end: int) -> int:
        if isinstance(self.data, bytes):
            return self.data.count(needle, start, end)
        return self.data[start:end].count(needle)

    def holding(self, needle: bytes) -> tuple[list[int], int | None]:
        """The texts that hold `needle`, in order, and how often all of them do; None where that was not counted."""
        found: list[int] = []
        starts, ends, last, step = self.starts, self.ends, self.end, len(needle)
        places, end, counts = 0, -1, True
        find = self._find_far if self.size <= 2 * WINDOW else self.find
        at = find(needle, self.begin, last)
        while at >= 0:
            places += 1
            if at >= end:
                index = bisect_right(starts, at) - 1
                found.append(index)
                end = ends[index]
            if places == _SAMPLE and places * self.size > _MANY * (at - self.begin):
                if at - self.begin < places * _CLOSE:
                    return found + self.those_with(needle, range(found[-1] + 1, len(starts))), None
                counts = False
            at = find(needle, at + step if counts else end, last)
        return found, places if counts else None

    def those_with(self, needle: bytes, indices: Iterable[int]) -> list[int]:
        """Those of the texts that hold `needle`."""
        find, starts, ends = self.data.find, self.starts, self.ends
        return [i for i in indices if find(needle, starts[i], ends[i]) >= 0]


def mapped(several: Sequence[Joined], folder: Path) -> list[Joined]:
    """The same, mapped from one file without a name in this folder; none where the disk does not take them.

    A file that has no name cannot be cut short by anybody, which would end this process. One for all of them: each
    that is mapped is an open file, and of these a process may have but few.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for one in several:
                file.write(one.whole)
            file.flush()
            data = mmap.mmap(file.fileno(), file.tell(), access=mmap.ACCESS_COPY)
    except (OSError, ValueError):
        return []
    begins = accumulate((one.size for one in several), initial=0)
    return [
        Joined(data, [end - start for start, end in zip(one.starts, one.ends, strict=True)], begin=begin)
        for one, begin in zip(several, begins, strict=False)
    ]


class Segment:
    """Entries with their joined texts and folded paths. Never changes; what was replaced is told apart outside."""

    __slots__ = ("_all_names", "_counts", "_holding", "entries", "heaviest", "names", "texts", "weights")

    def __init__(self, entries: Sequence[Entry], texts: Joined) -> None:
        self.entries = tuple(entries)
        self.texts = texts
        self.names = [fold(entry.path).encode() for entry in entries]
        self._all_names = SEPARATOR.join(self.names)
        self.weights = [entry.weight for entry in entries]
        self.heaviest = max(self.weights, default=0.0)
        self._counts: dict[bytes, int] = {}
        self._holding: dict[bytes, Sequence[int]] = {}

    @property
    def size(self) -> int:
        return self.texts.size

    def with_texts(self, texts: Joined) -> Segment:
        """The same, with the same texts in another place."""
        made = copy(self)
        made.texts = texts
        return made

    def named(self, needle: bytes) -> list[int]:
        """The entries whose path holds `needle`."""
        if needle not in self._all_names:
            return []
        return [i for i, name in enumerate(self.names) if needle in name]

    def holding(self, needle: bytes) -> Sequence[int]:
        """The entries whose text holds `needle`, in order; the last answers are remembered."""
        found = self._holding.get(needle)
        if found is None:
            # As one types, each query begins with the one before.
            before = self._holding.get(needle[:-1])
            if before is not None and len(before) * _FEW <= len(self.entries):
                found = self.texts.those_with(needle, before)
            else:
                found, count = self.texts.holding(needle)
                if count is not None:
                    _remember(self._counts, needle, count)
            _remember(self._holding, needle, found)
        return found

    def count(self, needle: bytes) -> int:
        """How often `needle` stands in all texts together; the last answers are remembered."""
        count = self.counted(needle)
        if count is None:
            count = self.texts.count(needle, self.texts.begin, self.texts.end)
            _remember(self._counts, needle, count)
        return count

    def counted(self, needle: bytes) -> int | None:
        """The same where it is remembered."""
        return self._counts.get(needle)


def _remember(memory: dict[bytes, Answer], needle: bytes, answer: Answer) -> None:
    if len(memory) >= _MOST_REMEMBERED:
        memory.clear()
    memory[needle] = answer
