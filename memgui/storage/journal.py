"""The write journal: who is about to write what. Whoever then sees the bytes can name their writer."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.errors import ExecutionFailed
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.i18n import _
from memgui.storage import private

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY_MILLISECONDS = 5000
_SELECT = "SELECT id, time, path, kind, name, before, after FROM intents"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS intents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    path BLOB NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    before TEXT,
    after TEXT
);
CREATE INDEX IF NOT EXISTS intents_by_path ON intents (path, id);
"""


@dataclass(frozen=True, slots=True)
class Intent:
    """One row: at `time`, `origin` was about to turn the bytes `before` at `path` into `after` (None: no file)."""

    id: int
    time: float
    path: DocPath
    origin: Origin
    before: Fingerprint | None
    after: Fingerprint | None


class Journal:
    """The journal of one workspace, in its state folder. Several processes may write to it at once."""

    def __init__(self, state: Path) -> None:
        self._path = state / "journal.sqlite"

    def intend(
        self, path: DocPath, origin: Origin, *, before: Fingerprint | None, after: Fingerprint | None, time: float
    ) -> int:
        """Note what is about to be written; the row is on the disk when this returns. The row's id."""
        row = (time, os.fsencode(path), origin.kind.value, origin.name, before, after)
        with self._open() as db, db:
            cursor = db.execute("INSERT INTO intents (time, path, kind, name, before, after) VALUES (?,?,?,?,?,?)", row)
            return cursor.lastrowid or 0

    def rows(self, path: DocPath | None = None, *, after_id: int = 0) -> tuple[Intent, ...]:
        """The rows, oldest first: of one path or of all, and only those younger than `after_id`."""
        query = f"{_SELECT} WHERE id > ?"
        values: list[object] = [after_id]
        if path is not None:
            query += " AND path = ?"
            values.append(os.fsencode(path))
        with self._open() as db:
            return tuple(map(_intent, db.execute(query + " ORDER BY id", values)))

    def last(self) -> Intent | None:
        """The youngest row: where its writer was killed, what it left lies beside this document."""
        with self._open() as db:
            row = db.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else _intent(row)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect_or_begin_anew()) as db:
                yield db
        except (sqlite3.Error, OSError) as error:
            raise ExecutionFailed(
                _("The write journal of this workspace cannot be used: {reason}.").format(reason=error),
                hint=_("Make sure that {folder} can be written and has room.").format(folder=self._path.parent),
            ) from error

    def _connect_or_begin_anew(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGE:
                raise
        self._move_aside()
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        private.folder(self._path.parent)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        db = sqlite3.connect(self._path, timeout=_BUSY_MILLISECONDS / 1000)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(_SCHEMA)
        except BaseException:
            db.close()
            raise
        return db

    def _move_aside(self) -> None:
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
            number += 1
        with contextlib.suppress(FileNotFoundError):
            self._path.rename(aside)
        for ending in ("-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)


def _intent(row: tuple[int, float, bytes, str, str, str | None, str | None]) -> Intent:
    number, time, path, kind, name, before, after = row
    return Intent(
        number,
        time,
        DocPath(os.fsdecode(path)),
        Origin(OriginKind(kind), name),
        Fingerprint(before) if before else None,
        Fingerprint(after) if after else None,
    )
