"""`VectorFile`: the vectors of one model in one file, only ever added to, a byte for each number of a vector.

A row is eight bits a number, their scale, and a check sum of both. What a killed writer left of its last row is
written over.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memgui.search.meaning.common import kept_common

if TYPE_CHECKING:
    from memgui.search.meaning.embedders import Vectors

_MAGIC = "memgui vectors 2"
_HEAD = 128
_SETTLING = 30.0
"""Where there are so many rows, what they have in common counts by half, and what texts have in common by the rest."""

_AT_ONCE = 1_024
"""So many rows are compared in one go: as floats they still fit into the processor's own memory. Eight times as many
take four times as long a row."""


_GROWN = 16
"""Before the rows have grown by this part, what they have in common is what it was."""

_LARGEST_SCALE = 1.01 / 127.0
"""No number of a vector of length 1 is larger than 1."""


class BrokenVectorsError(Exception):
    """The file is damaged, or of another model. It is to be made anew."""


class VectorFile:
    """Vectors by row, from 0. One process adds; others may look meanwhile and see what was there when they opened."""

    def __init__(self, path: Path, model: str) -> None:
        self._path = path
        self._model = model
        self._opened: FileIO | None = None
        self._looked: tuple[int, int] | None = None
        """Which file it was at the last look, and how many rows it had."""
        self._row: Any = None
        self._common: Any = None
        self._lengths: Any = None
        self._weighed = 0
        """So many rows were weighed for what all have in common."""

    @property
    def common_path(self) -> Path:
        """Where it is kept what this model's vectors have in common, whatever a text says."""
        return self._path.with_suffix(".common")

    @property
    def rows(self) -> int:
        """How many whole rows the file holds. BrokenVectorsError where it is not ours."""
        return self._found()[1]

    def add(self, vectors: Vectors) -> int:
        """Write these behind the others; the row of the first. OSError where the disk does not take them."""
        import numpy as np

        dimension, first = self._found()
        if not dimension:
            dimension = vectors.shape[1]
        if dimension != vectors.shape[1]:
            raise BrokenVectorsError(self._path.name)
        row = _row(dimension)
        scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127.0
        packed = np.zeros(len(vectors), dtype=row)
        packed["scale"] = scales
        packed["numbers"] = np.rint(vectors / scales[:, None]).astype(np.int8)
        packed["sum"] = [_sum(one) for one in packed]
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if first == 0:
                os.pwrite(handle, f"{_MAGIC} {dimension} {self._model}\n".encode().ljust(_HEAD, b"\0")[:_HEAD], 0)
            at = _HEAD + first * row.itemsize
            os.ftruncate(handle, at)
            data = memoryview(packed.tobytes())
            while data:
                written = os.pwrite(handle, data, at)
                at, data = at + written, data[written:]
        finally:
            os.close(handle)
        return first

    def refresh(self) -> None:
        """See what was added since. BrokenVectorsError where the file is not ours."""
        dimension, rows = self._found()
        if not rows:
            self.close()
            return
        before, looked = self._looked, (os.stat(self._path).st_ino, rows)
        if looked == before:
            return
        if before is not None and looked[0] == before[0] and 0 < rows - before[1] <= self._weighed // _GROWN:
            self._looked = looked
            self._measure(before[1])
        else:
            self.close()
            # Read piece by piece at each question: mapped, all of it would count as memory of this process, and
            # would end it where another one cuts the file short.
            self._opened = FileIO(self._path)
            self._looked, self._row = looked, _row(dimension)
            self._weigh()

    def similarities(self, query: Vectors) -> Vectors:
        """How alike each row is to a query (its only row), from -1 to 1, beyond what all rows have in common.

        What they have in common (the mean of them) tells nothing of any of them; without it, right notes were among
        the first five for .82 of paraphrased questions instead of .76.
        """
        import numpy as np

        if self._opened is None:
            return np.zeros(0, dtype=np.float32)
        own = query[0] - self._common
        own /= max(float(np.linalg.norm(own)), 1e-6)
        found: Vectors = (self._against(own) - float(self._common @ own)) / self._lengths
        return found

    def _weigh(self) -> None:
        """Find what all rows have in common, and how long each is without that."""
        import numpy as np

        self._weighed = 0
        total = _SETTLING * kept_common(self.common_path, self._row["numbers"].shape[0]).astype(np.float64)
        for some in self._rows():
            total += _scales(some) @ some["numbers"].astype(np.float32)
            self._weighed += len(some)
        self._common = (total / (self._weighed + _SETTLING)).astype(np.float32)
        self._lengths = np.zeros(0, dtype=np.float32)
        self._measure(0)

    def _measure(self, first: int) -> None:
        """Find how long the rows from the first one on are, without what all have in common."""
        import numpy as np

        squared = 1.0 - 2.0 * self._against(self._common, first) + float(self._common @ self._common)
        lengths = np.sqrt(np.maximum(squared, 1e-6)).astype(np.float32)
        self._lengths = np.concatenate([self._lengths[:first], lengths])

    def _against(self, vector: Any, first: int = 0) -> Vectors:
        import numpy as np

        parts = [(some["numbers"].astype(np.float32) @ vector) * _scales(some) for some in self._rows(first)]
        found: Vectors = np.concatenate(parts)
        return found

    def _rows(self, first: int = 0) -> Iterator[Any]:
        """The rows from the first one on as of the last look, so many at a time; the next take the place of those."""
        import numpy as np

        count = 0 if self._looked is None else self._looked[1]
        place = np.empty(min(count, _AT_ONCE), dtype=self._row)
        for at in range(first, count, _AT_ONCE):
            some = place[: min(_AT_ONCE, count - at)]
            self._read(at, some)
            yield some

    def _read(self, row: int, place: Any) -> None:
        """Fill a place with rows. BrokenVectorsError where the file is shorter than it was."""
        import numpy as np

        into = place.view(np.uint8)
        at = _HEAD + row * self._row.itemsize
        if self._opened is None or os.preadv(self._opened.fileno(), [into], at) != len(into):
            raise BrokenVectorsError(self._path.name)

    def is_whole(self, row: int) -> bool:
        """Whether a row is as it was written."""
        import numpy as np

        place = np.empty(1, dtype=self._row)
        self._read(row, place)
        return bool(_sum(place[0]) == place[0]["sum"])

    def damaged(self) -> list[int]:
        """The rows, as of the last look, that are not as they were written."""
        found: list[int] = []
        at = 0
        for some in self._rows() if self._looked is not None else ():
            found += [number for number, one in enumerate(some, at) if _sum(one) != one["sum"]]
            at += len(some)
        return found

    def close(self) -> None:
        """Let go of the file."""
        if self._opened is not None:
            self._opened.close()
        self._opened = self._looked = self._common = self._lengths = None

    def _found(self) -> tuple[int, int]:
        """Of how many numbers a vector is, and how many whole rows there are; none where there is no file."""
        try:
            with open(self._path, "rb") as file:
                head = file.read(_HEAD)
                size = file.seek(0, os.SEEK_END)
        except FileNotFoundError:
            return 0, 0
        except OSError as error:
            raise BrokenVectorsError(self._path.name) from error
        told = head.rstrip(b"\0").removesuffix(b"\n").decode("ascii", "replace").removeprefix(_MAGIC).split()
        if not head.startswith(_MAGIC.encode()) or len(told) != 2 or told[1] != self._model or not told[0].isdigit():
            raise BrokenVectorsError(self._path.name)
        dimension = int(told[0])
        if not 0 < dimension <= 1 << 14:
            raise BrokenVectorsError(self._path.name)
        return dimension, (size - _HEAD) // int(_row(dimension).itemsize)


def vectors_path(folder: Path, model: str) -> Path:
    """Where the vectors of a model lie."""
    return folder / f"{model}.vectors"


def vectors_of(folder: Path, model: str) -> VectorFile:
    """The vectors of a model, in the folder of a workspace."""
    return VectorFile(vectors_path(folder, model), model)


def _sum(row: Any) -> int:
    return zlib.crc32(row["numbers"].tobytes(), zlib.crc32(row["scale"].tobytes()))


def _scales(rows: Any) -> Any:
    """The scales of rows; nothing for one that is damaged, which would spoil what all have in common."""
    import numpy as np

    scales = rows["scale"]
    return np.where((scales > 0.0) & (scales <= _LARGEST_SCALE), scales, np.float32(0.0))


def _row(dimension: int) -> Any:
    import numpy as np

    return np.dtype([("scale", "<f4"), ("sum", "<u4"), ("numbers", "i1", (dimension,))])
