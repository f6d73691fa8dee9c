"""`Catalogue`: which passages each document has, and in which row of which file the vector of each lies.

It knows passages by their text alone, so that one that moved, or stands in two documents, is embedded once.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.search.meaning.texts import RULE, PassageText
from memgui.search.segments import Key

CATALOGUE = "catalogue.sqlite"
"""Its name in the folder."""

_SCHEMA = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, weight REAL NOT NULL,
    size INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, inode INTEGER NOT NULL
);
CREATE TABLE passages (
    document INTEGER NOT NULL, first INTEGER NOT NULL, "end" INTEGER NOT NULL, model TEXT NOT NULL, print BLOB NOT NULL
);
CREATE INDEX passages_by_document ON passages (document);
CREATE INDEX passages_by_print ON passages (print, model);
CREATE TABLE vectors (
    model TEXT NOT NULL, print BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (model, print)
) WITHOUT ROWID;
CREATE INDEX vectors_by_row ON vectors (model, row);
"""
_RAW = "NOT EXISTS (SELECT 1 FROM vectors t WHERE t.model = p.model AND t.print = p.print)"
"""The passage's own model has not read it."""

_UNKNOWN = "NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model IN (p.model, :rough) AND v.print = p.print)"
_BUSY_SECONDS = 5.0
_TROUBLE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
)
_SIGN = 1 << 63


class BrokenCatalogueError(Exception):
    """The catalogue is damaged, or of another rule. It is to be made anew; the documents are all there."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a row's passage stands: lines `first` up to `end` (from 0) of a document in the state `key`.

    `model`: the passage's own, whichever the row is of.
    """

    row: int
    path: DocPath
    first: int
    end: int
    key: Key
    print_: bytes
    model: str


class Catalogue:
    """One SQLite file. One process writes; others may ask meanwhile. Everything may raise BrokenCatalogueError."""

    def __init__(self, path: Path, *, writes: bool = False) -> None:
        self._path = path
        with _told():
            if writes:
                _make(path)
            elif not path.exists():
                raise BrokenCatalogueError(path.name)
            self._identity = _identity(os.stat(path))
            self._db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0 and writes:
                # What it holds can be made again: it need not wait for the disk.
                self._db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; {_SCHEMA}")
                self._db.execute(f"PRAGMA user_version = {RULE}")
            elif version != RULE or (writes and self._db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",)):
                self.close()
                raise BrokenCatalogueError(path.name)

    def is_at(self, path: Path) -> bool:
        """Whether this file still stands there, and not another one or none."""
        try:
            return _identity(os.stat(path)) == self._identity
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Documents ---------------------------------------------------------------------------------------------------

    def known(self) -> dict[DocPath, Key]:
        """Every document that is held, and in which state."""
        with _told():
            rows = self._db.execute("SELECT path, size, mtime, ctime, inode FROM documents").fetchall()
        return {_path(path): _key(rest) for path, *rest in rows}

    def hold(self, path: DocPath, key: Key, weight: float, passages: Sequence[tuple[PassageText, str]]) -> None:
        """Hold a document in the place of an older state: its passages, and which model each is for."""
        raw = os.fsencode(path)
        with self._changing():
            self._forget(raw)
            values = (raw, weight, key.size, key.mtime_ns, key.ctime_ns, _signed(key.inode))
            number = self._db.execute(
                "INSERT INTO documents (path, weight, size, mtime, ctime, inode) VALUES (?, ?, ?, ?, ?, ?)", values
            ).lastrowid
            self._db.executemany(
                "INSERT INTO passages VALUES (?, ?, ?, ?, ?)",
                [(number, one.first, one.end, model, one.print_) for one, model in passages],
            )

    def forget(self, paths: Iterable[DocPath]) -> None:
        """Hold these documents no longer. Their vectors stay for whoever says the same again."""
        with self._changing():
            for path in paths:
                self._forget(os.fsencode(path))

    def _forget(self, raw: bytes) -> None:
        found = self._db.execute("SELECT id FROM documents WHERE path = ?", (raw,)).fetchone()
        if found is not None:
            self._db.execute("DELETE FROM passages WHERE document = ?", found)
            self._db.execute("DELETE FROM documents WHERE id = ?", found)

    # Vectors -----------------------------------------------------------------------------------------------------

    def next_without(self, limit: int, left: Collection[DocPath] = (), *, rough: str = "") -> list[DocPath]:
        """The weightiest documents that have a passage without a vector, but for those `left` as they are.

        `rough`: a model whose vectors are good enough.
        """
        query = (
            "SELECT d.path FROM documents d"
            f" WHERE EXISTS (SELECT 1 FROM passages p WHERE p.document = d.id AND {_UNKNOWN})"
            " ORDER BY d.weight DESC, d.path LIMIT :most"
        )
        with _told():
            rows = self._db.execute(query, {"most": len(left) + limit, "rough": rough}).fetchall()
        return [path for (raw,) in rows if (path := _path(raw)) not in left][:limit]

    def without(self, path: DocPath, *, rough: str = "") -> set[tuple[str, bytes]]:
        """Of a document, the models and passages for which there is no vector. `rough`: as above."""
        query = (
            "SELECT DISTINCT p.model, p.print FROM passages p JOIN documents d ON d.id = p.document"
            f" WHERE d.path = :path AND {_UNKNOWN}"
        )
        with _told():
            found = self._db.execute(query, {"path": os.fsencode(path), "rough": rough}).fetchall()
        return {(model, print_) for model, print_ in found}

    def put(self, model: str, rows: Iterable[tuple[bytes, int]], *, rough: str = "") -> None:
        """The vectors of these passages lie in these rows; those of the model that stood in for it go."""
        with self._changing():
            values = [(model, print_, row) for print_, row in rows]
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", values)
            if rough:
                gone = [(rough, print_) for _model, print_, _row in values]
                self._db.executemany("DELETE FROM vectors WHERE model = ? AND print = ?", gone)

    def drop_vectors(self, model: str) -> None:
        """There is no vector of this model any more."""
        with self._changing():
            self._db.execute("DELETE FROM vectors WHERE model = ?", (model,))

    def drop_rows(self, model: str, rows: Iterable[int]) -> None:
        """There are no vectors in these rows any more."""
        with self._changing():
            self._db.executemany("DELETE FROM vectors WHERE model = ? AND row = ?", [(model, row) for row in rows])

    def rows_at(self, path: DocPath, first: int, end: int, *, rough: str = "") -> list[tuple[str, str, int, Key]]:
        """Of the passages that begin in these lines of a document: their model, that of their vector, and its row.

        With them the state in which the document was.
        """
        query = (
            "SELECT p.model, v.model, v.row, d.size, d.mtime, d.ctime, d.inode"
            " FROM documents d JOIN passages p ON p.document = d.id"
            " JOIN vectors v ON v.model IN (p.model, :rough) AND v.print = p.print"
            f" AND (v.model = p.model OR {_RAW})"
            " WHERE d.path = :path AND p.first >= :first AND p.first < :end"
        )
        values = {"path": os.fsencode(path), "first": first, "end": end, "rough": rough}
        with _told():
            found = self._db.execute(query, values).fetchall()
        return [(own, model, row, _key(rest)) for own, model, row, *rest in found]

    def coverage(self) -> tuple[int, int]:
        """How many passages have a vector of their own model, of how many there are."""
        with _told():
            total = self._db.execute("SELECT count(*) FROM passages").fetchone()[0]
            missing = self._db.execute(f"SELECT count(*) FROM passages p WHERE {_RAW}").fetchone()[0]
        return total - missing, total

    def roughly(self, rough: str) -> int:
        """How many passages have no vector of their own model, but one of the model that stands in."""
        query = f"SELECT count(*) FROM passages p JOIN vectors v ON v.model = ? AND v.print = p.print WHERE {_RAW}"
        with _told():
            return int(self._db.execute(query, (rough,)).fetchone()[0])

    @property
    def mark(self) -> int:
        """What it was marked with by whoever wrote it; 0 at first."""
        with _told():
            return int(self._db.execute("PRAGMA application_id").fetchone()[0])

    @mark.setter
    def mark(self, number: int) -> None:
        with _told():
            self._db.execute(f"PRAGMA application_id = {number}")

    def has_of(self, model: str) -> bool:
        """Whether there is any vector of this model."""
        with _told():
            return self._db.execute("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (model,)).fetchone() is not None

    def rows(self, model: str) -> list[int]:
        """The rows in which vectors of this model lie."""
        with _told():
            return [row for (row,) in self._db.execute("SELECT row FROM vectors WHERE model = ?", (model,))]

    def spots(self, model: str, rows: Sequence[int], *, rough: bool = False) -> Iterator[Spot]:
        """Where the passages of these rows stand now; none for those that stand nowhere any more.

        `rough`: the model stands in for others; none then for passages that their own model has read.
        """
        marks = ",".join("?" * len(rows))
        fits = _RAW if rough else "p.model = v.model"
        query = (
            'SELECT v.row, d.path, p.first, p."end", p.print, p.model, d.size, d.mtime, d.ctime, d.inode FROM vectors v'
            f" JOIN passages p ON p.print = v.print AND {fits} JOIN documents d ON d.id = p.document"
            f" WHERE v.model = ? AND v.row IN ({marks})"
        )
        with _told():
            found = self._db.execute(query, (model, *rows)).fetchall()
        for row, path, first, end, print_, own, *rest in found:
            yield Spot(row, _path(path), first, end, _key(rest), print_, own)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with _told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                # Where the disk is full, SQLite has taken it back already.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


@contextmanager
def _told() -> Iterator[None]:
    """What SQLite raises, as ours. A full disk or another's lock stays an OSError: the catalogue is whole then."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # The low byte is the kind, the rest says more of it.
        if error.sqlite_errorcode & 0xFF in _TROUBLE:
            raise OSError(str(error)) from error
        raise BrokenCatalogueError(str(error)) from error
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, OSError):
            raise
        raise BrokenCatalogueError(str(error)) from error


def _make(path: Path) -> None:
    """Make the file where there is none. BrokenCatalogueError where what stands there can never be one."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        if error.errno not in (errno.EISDIR, errno.ELOOP, errno.EACCES):
            raise
        raise BrokenCatalogueError(path.name) from error


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _path(raw: bytes) -> DocPath:
    return DocPath(os.fsdecode(raw))


def _key(values: Sequence[int]) -> Key:
    size, mtime, ctime, inode = values
    return Key(size, mtime, ctime, inode + 2 * _SIGN if inode < 0 else inode)


def _signed(number: int) -> int:
    """As SQLite can hold it: some file systems use all 64 bits."""
    return number - 2 * _SIGN if number >= _SIGN else number
