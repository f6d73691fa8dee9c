"""The state database of a workspace: who wrote what, what was refused, which documents are known. One small file.

A damaged one is moved aside and begun anew: it never keeps anybody from writing, and what it knew of documents can be
read again from the logs of their versions.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from memgui.domain.errors import ExecutionFailed
from memgui.i18n import _
from memgui.storage import anchors, private

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY_MILLISECONDS = 5000
_VERSION = 2
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
CREATE TABLE IF NOT EXISTS refusals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    tool TEXT NOT NULL,
    target TEXT NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    count INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    device INTEGER,
    inode INTEGER,
    size INTEGER,
    mtime_ns INTEGER,
    hash TEXT
);
CREATE INDEX IF NOT EXISTS documents_by_inode ON documents (inode);
CREATE INDEX IF NOT EXISTS documents_by_hash ON documents (hash);
"""
_COLUMNS = ("state TEXT NOT NULL DEFAULT 'done'", "size INTEGER")
"""What rows of the first version do not have; those were written when nothing was asked of them."""


class StateDatabase:
    """One workspace's database, in its state folder. Several processes may use it at once."""

    def __init__(self, state: Path) -> None:
        self.path = state / "journal.sqlite"
        self.is_new = False
        """Whether there was none, or only a damaged one, when it was last opened."""
        self._held: sqlite3.Connection | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep it open for the block, for all that is done in it."""
        if self._held is not None:
            yield
            return
        with self._told():
            db = self._connect_or_begin_anew()
        with closing(db):
            self._held = db
            try:
                yield
            finally:
                self._held = None

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """The connection, for a few statements. ExecutionFailed where the database cannot be used."""
        with self.held(), self._told():
            assert self._held is not None
            yield self._held

    @contextmanager
    def changed(self) -> Iterator[sqlite3.Connection]:
        """The same for a change that holds as a whole, but is not waited for: a machine that stops may lose it."""
        with self.opened() as db:
            db.execute("PRAGMA synchronous = NORMAL")
            try:
                with db:
                    yield db
            finally:
                db.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ExecutionFailed(
                _("The write journal of this workspace cannot be used: {reason}.").format(reason=error),
                hint=_("Make sure that {folder} can be written and has room.").format(folder=self.path.parent),
            ) from error

    def _connect_or_begin_anew(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGE:
                raise
        anchors.release()
        self._move_aside()
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        private.folder(self.path.parent)
        self.is_new = False
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            self.is_new = True
        if not self.path.stat().st_size:
            # Emptied under us: nobody could begin it anew while it is kept open.
            anchors.release()
        db = sqlite3.connect(self.path, timeout=_BUSY_MILLISECONDS / 1000)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            if db.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
                _bring_up_to_date(db)
            anchors.hold(self.path)
        except BaseException:
            db.close()
            raise
        return db

    def _move_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        with contextlib.suppress(FileNotFoundError):
            self.path.rename(aside)
        for ending in ("-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    db.executescript(_SCHEMA)
    # Alone from here on: another process may be about to do the same.
    db.execute("BEGIN IMMEDIATE")
    with db:
        there = {row[1] for row in db.execute("PRAGMA table_info(intents)")}
        for column in _COLUMNS:
            if column.partition(" ")[0] not in there:
                db.execute(f"ALTER TABLE intents ADD COLUMN {column}")
        db.execute(f"PRAGMA user_version = {_VERSION}")
