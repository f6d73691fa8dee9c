"""Small records in a folder of their own, one file each: private, whole or not at all, a damaged one lost alone."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memgui.storage import private

_ID = re.compile(r"[0-9a-z-]{1,80}")
_MOST_BYTES = 64 << 20

Values = Mapping[str, Any]


class Records:
    """A folder of records by id. Who changes them holds the workspace's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, id_: str, values: Values) -> None:
        """Keep a record; it is on the disk when this returns. OSError where the disk will not take it."""
        private.folder(self._folder)
        data = json.dumps(values).encode()
        private.put(self._file(id_), data)

    def get(self, id_: str) -> Values | None:
        """The record with this id; None where there is none, or only a damaged one."""
        if not _ID.fullmatch(id_):
            return None
        try:
            with open(self._file(id_), "rb") as file:
                values = json.loads(file.read(_MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return None
        return values if isinstance(values, dict) else None

    def drop(self, id_: str) -> None:
        """Forget a record."""
        with contextlib.suppress(FileNotFoundError):
            self._file(id_).unlink()

    def all(self) -> Iterator[tuple[str, Values]]:
        """Every record that can be read, by id."""
        for id_ in self.ids():
            values = self.get(id_)
            if values is not None:
                yield id_, values

    def ids(self) -> list[str]:
        """The ids of all records, in order."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(name[:-5] for name in names if name.endswith(".json") and _ID.fullmatch(name[:-5]))

    @property
    def bytes(self) -> int:
        """How much room all of them take."""
        found = 0
        for id_ in self.ids():
            with contextlib.suppress(OSError):
                found += self._file(id_).stat().st_size
        return found

    def _file(self, id_: str) -> Path:
        return self._folder / f"{id_}.json"


def path_out(path: str) -> str:
    """A path as a record can hold it, whatever its bytes are."""
    return os.fsencode(path).decode("latin-1")


def path_in(text: Any) -> str:
    """The path that `path_out` wrote."""
    return os.fsdecode(str(text).encode("latin-1"))
