"""The state database of a workspace: who wrote what, what was refused, which documents are known. One small file.

A damaged one is moved aside and begun anew, with what could be read of it: it never keeps anybody from writing, and
what it knew of documents can be read again from the logs of their versions.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from memgui.domain.errors import ExecutionFailed
from memgui.i18n import _
from memgui.storage import anchors, private
from memgui.storage.locks import workspace_lock
from memgui.storage.salvage import salvage
from memgui.storage.spot import reason_of

P = ParamSpec("P")
T = TypeVar("T")

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_CUT_SHORT = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ})
"""A part of it is not there any more that another process, which has it open, still counts on."""
_BUSY_MILLISECONDS = 5000
_LOOK_SECONDS = 0.004
_VERSION = 3
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
_COLUMNS = ("state TEXT NOT NULL DEFAULT 'done'", "size INTEGER", "settles INTEGER NOT NULL DEFAULT 1")
"""What rows of earlier versions do not have; those were written when nothing was asked of them."""


class Damaged(ExecutionFailed):
    """A page of the database was met that is none. What was asked can be asked again once it was begun anew."""


class StateDatabase:
    """One workspace's database, in its state folder. Several processes may use it at once."""

    def __init__(self, state: Path) -> None:
        self.path = state / "journal.sqlite"
        self.begun: Callable[[], object] | None = None
        """Called where there was none, or only a damaged one: what can be known again is put in."""
        self._held: sqlite3.Connection | None = None
        self._inode = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep it open for the block, for all that is done in it."""
        if self._held is not None:
            yield
            return
        with self._told():
            self._open()
        try:
            yield
        finally:
            self._close()

    def begin_anew(self) -> None:
        """Put a damaged one aside, and go on with another. Where somebody else did so already, with theirs."""
        with self._told():
            was_held, inode = self._held is not None, self._inode
            self._close()
            self._replace(inode)
            if was_held:
                self._open()

    def _open(self) -> None:
        inode = self._inode_now()
        try:
            self._held, is_new = self._connect()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._replace(inode)
            self._held, _is_new = self._connect()
            is_new = True
        self._inode = self._inode_now()
        if is_new and self.begun is not None:
            self.begun()

    def _close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close()

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
            kind = Damaged if isinstance(error, sqlite3.DatabaseError) and _is_damage(error) else ExecutionFailed
            raise kind(
                _("The write journal of this workspace cannot be used: {reason}.").format(
                    reason=reason_of(error) if isinstance(error, OSError) else error
                ),
                hint=_("Make sure that {folder} can be written and has room.").format(folder=self.path.parent),
            ) from error

    def _connect(self) -> tuple[sqlite3.Connection, bool]:
        """The connection, and whether there was nothing in the database."""
        private.folder(self.path.parent)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        if not self.path.stat().st_size:
            # Emptied under us: nobody could begin it anew while it is kept open.
            anchors.release()
        db = sqlite3.connect(self.path, timeout=_BUSY_MILLISECONDS / 1000)
        try:
            _keep_a_log(db)
            db.execute("PRAGMA synchronous = FULL")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version < _VERSION:
                _bring_up_to_date(db)
            anchors.hold(self.path)
        except BaseException:
            db.close()
            raise
        return db, version == 0

    def _inode_now(self) -> int:
        try:
            return self.path.stat().st_ino
        except FileNotFoundError:
            return 0

    def _replace(self, damaged: int) -> None:
        """Begin anew in the place of that file, unless another process did so meanwhile."""
        with workspace_lock(self.path.parent):
            if self._inode_now() == damaged:
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Put the damaged file aside, and into the new one what can be read of it."""
        anchors.release()
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        with contextlib.suppress(FileNotFoundError):
            self.path.rename(aside)
        for ending in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                self.path.with_name(self.path.name + ending).rename(aside.with_name(aside.name + ending))
        db, _is_new = self._connect()
        with closing(db):
            salvage(aside, db, time=time.time())


class _HasDatabase(Protocol):
    _db: StateDatabase


_Self = TypeVar("_Self", bound=_HasDatabase)


def mended(deed: Callable[Concatenate[_Self, P], T]) -> Callable[Concatenate[_Self, P], T]:
    """A deed that is done again, once, where a damage was met: by then the database has been begun anew."""

    @wraps(deed)
    def done(self: _Self, /, *arguments: P.args, **named: P.kwargs) -> T:
        try:
            return deed(self, *arguments, **named)
        except Damaged:
            self._db.begin_anew()
            return deed(self, *arguments, **named)

    return done


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Write to a log beside the file from now on. For this alone SQLite does not wait for who else begins a new one."""
    until = time.monotonic() + _BUSY_MILLISECONDS / 1000
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
        time.sleep(_LOOK_SECONDS)


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _DAMAGE or code in _CUT_SHORT


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
