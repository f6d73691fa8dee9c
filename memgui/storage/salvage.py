"""Salvage: what can still be read of a damaged state database goes into the new one, and it is noted for the person.

Rows are looked for from both ends, so that a damage in the middle costs what lies in it. The documents are not read:
the logs of their versions know them better than a damaged page does.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memgui.storage import private

_FILE = "salvaged.json"
_TABLES = ("intents", "refusals")
_MOST_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Salvage:
    """A damage that was met: when the file was put aside, under which name, and how many rows could be read of it."""

    time: float
    aside: str
    rows: int


def salvage(damaged: Path, new: sqlite3.Connection, *, time: float) -> Salvage:
    """Read what can be read of a database that was put aside, and note it beside it."""
    rows = sum(_take(damaged, new, table) for table in _TABLES)
    found = Salvage(time, damaged.name, rows)
    with contextlib.suppress(OSError):
        values = {"time": found.time, "aside": found.aside, "rows": found.rows, "told": []}
        private.put(damaged.with_name(_FILE), json.dumps(values).encode())
    return found


def last(state: Path) -> Salvage | None:
    """The last damage that was met; None where there was none."""
    read = _noted(state)
    return None if read is None else read[0]


def untold(state: Path, face: str) -> Salvage | None:
    """The last damage, where this face of memgui did not tell of it yet. To be told once: it is noted that it was."""
    read = _noted(state)
    if read is None:
        return None
    found, values = read
    told = [str(one) for one in values["told"]]
    if face in told:
        return None
    with contextlib.suppress(OSError):
        private.put(state / _FILE, json.dumps(values | {"told": [*told, face]}).encode())
    return found


def _noted(state: Path) -> tuple[Salvage, dict[str, Any]] | None:
    try:
        with open(state / _FILE, "rb") as file:
            values = json.loads(file.read(_MOST_BYTES))
        found = Salvage(float(values["time"]), str(values["aside"]), int(values["rows"]))
        return found, {**values, "told": list(values["told"])}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _take(damaged: Path, new: sqlite3.Connection, table: str) -> int:
    """Copy the rows of one table that can be read."""
    with contextlib.suppress(sqlite3.Error), closing(_opened(damaged)) as old:
        wanted = [row[1] for row in new.execute(f"PRAGMA table_info({table})")]
        there = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
        columns = ", ".join(name for name in wanted if name in there)
        found: dict[int, tuple[Any, ...]] = {}
        for order in ("ASC", "DESC"):
            for row in _rows(old, f"SELECT id, {columns} FROM {table} ORDER BY id {order}"):
                if row[0] in found:
                    break
                found[row[0]] = row[1:]
        marks = ", ".join("?" * len(columns.split(", ")))
        taken = 0
        with new:
            for number in sorted(found):
                # A row that makes no sense any more is left out, and no other with it.
                with contextlib.suppress(sqlite3.Error):
                    new.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", found[number])
                    taken += 1
        return taken
    return 0


def _rows(db: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    with contextlib.suppress(sqlite3.Error):
        yield from db.execute(query)


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    db.text_factory = lambda data: data.decode("utf-8", "replace")
    return db
