"""The write journal: who is about to write what. Whoever then sees the bytes can name their writer.

And who was refused what: an agent that tried leaves a trace as well.
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import Origin, OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.refusals import Refusal
from memgui.storage.database import StateDatabase, mended

MOST_REFUSALS = 10_000
"""So many are kept, the newest."""

_SELECT = "SELECT id, time, path, kind, name, before, after, size, state, settles FROM intents"
_FOLD_SECONDS = 60.0
_MOST_A_MINUTE = 60
"""Beyond so many within a minute, refusals of one kind are counted together: nobody washes away what came before."""


class IntentState(Enum):
    """What became of an intent: not known yet, on the disk, or never there."""

    INTENDED = "intended"
    DONE = "done"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Intent:
    """One row: at `time`, `origin` was about to turn the bytes `before` at `path` into `after` (None: no file)."""

    id: int
    time: float
    path: DocPath
    origin: Origin
    before: Fingerprint | None
    after: Fingerprint | None
    size: int | None = None
    """How many bytes `after` is of; None: not noted."""
    state: IntentState = IntentState.DONE
    settles: bool = True
    """See `Version.settles`."""


class Journal:
    """The journal of one workspace, in its state folder. Several processes may write to it at once."""

    def __init__(self, state: Path | StateDatabase) -> None:
        self._db = state if isinstance(state, StateDatabase) else StateDatabase(state)

    @mended
    def intend(
        self,
        path: DocPath,
        origin: Origin,
        *,
        before: Fingerprint | None,
        after: Fingerprint | None,
        time: float,
        size: int | None = None,
        settles: bool = True,
    ) -> int:
        """Note what is about to be written; the row is on the disk when this returns. The row's id."""
        values = (time, os.fsencode(path), origin.kind.value, origin.name, before, after, size, settles)
        with self._db.opened() as db, db:
            cursor = db.execute(
                "INSERT INTO intents (time, path, kind, name, before, after, size, settles, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'intended')",
                values,
            )
            return cursor.lastrowid or 0

    @mended
    def settle(
        self, row: int, state: IntentState, *, after: Fingerprint | None = None, size: int | None = None
    ) -> None:
        """Note what became of an intent; `after` and `size` where other bytes came to stand there than was thought."""
        # Not waited for: where it is lost, the next open finds out again.
        with self._db.changed() as db:
            db.execute(
                "UPDATE intents SET state = ?, after = coalesce(?, after), size = coalesce(?, size) WHERE id = ?",
                (state.value, after, size, row),
            )

    @mended
    def pending(self) -> tuple[Intent, ...]:
        """The rows of which nobody knows what became of them, oldest first."""
        with self._db.opened() as db:
            return tuple(map(_intent, db.execute(f"{_SELECT} WHERE state = 'intended' ORDER BY id")))

    @mended
    def rows(self, path: DocPath | None = None, *, after_id: int = 0) -> tuple[Intent, ...]:
        """The rows, oldest first: of one path or of all, and only those younger than `after_id`."""
        query = f"{_SELECT} WHERE id > ?"
        values: list[object] = [after_id]
        if path is not None:
            query += " AND path = ?"
            values.append(os.fsencode(path))
        with self._db.opened() as db:
            return tuple(map(_intent, db.execute(query + " ORDER BY id", values)))

    @mended
    def newest(self, *, upto: float, limit: int, below: int | None = None) -> tuple[Intent, ...]:
        """The rows of which it is known what became of them, the newest first, none younger than `upto`.

        `below`: of those of that very moment only such with a lower number, to go on from there.
        """
        query = f"{_SELECT} WHERE state != 'intended' AND (time < ? OR (time = ? AND id < ?))"
        number = below if below is not None else 1 << 62
        with self._db.opened() as db:
            rows = db.execute(f"{query} ORDER BY time DESC, id DESC LIMIT ?", (upto, upto, number, limit))
            return tuple(map(_intent, rows))

    @mended
    def origins(self) -> tuple[Origin, ...]:
        """Everybody who wrote or was refused something."""
        query = "SELECT DISTINCT kind, name FROM {} "
        with self._db.opened() as db:
            rows = db.execute(f"{query.format('intents')} UNION {query.format('refusals')} ORDER BY kind, name")
            return tuple(Origin(OriginKind(kind), name) for kind, name in rows)

    @mended
    def writer_of(self, path: DocPath, print_: Fingerprint, *, after_id: int) -> Intent | None:
        """The youngest row, of those younger than `after_id`, that meant to put these bytes there."""
        query = f"{_SELECT} WHERE path = ? AND id > ? AND after = ? AND state != 'aborted' ORDER BY id DESC LIMIT 1"
        with self._db.opened() as db:
            row = db.execute(query, (os.fsencode(path), after_id, print_)).fetchone()
        return None if row is None else _intent(row)

    @mended
    def last(self) -> Intent | None:
        """The youngest row: where its writer was killed, what it left lies beside this document."""
        with self._db.opened() as db:
            row = db.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else _intent(row)

    @mended
    def number_from(self, number: int) -> None:
        """The next row gets at least this number."""
        with self._db.changed() as db:
            db.execute(
                "INSERT INTO sqlite_sequence (name, seq) SELECT 'intents', 0 WHERE NOT EXISTS"
                " (SELECT 1 FROM sqlite_sequence WHERE name = 'intents')"
            )
            db.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'intents'", (number - 1,))

    # Refusals --------------------------------------------------------------------------------------------------------

    @mended
    def refuse(self, refusal: Refusal) -> None:
        """Note who was refused what. The same again within a minute counts one up."""
        who = (refusal.origin.kind.value, refusal.origin.name, refusal.tool, refusal.target, refusal.code)
        with self._db.changed() as db:
            last = db.execute(
                "SELECT id, time, kind, name, tool, target, code FROM refusals ORDER BY id DESC LIMIT 1"
            ).fetchone()
            if last is not None and tuple(last[2:]) == who and abs(refusal.time - last[1]) < _FOLD_SECONDS:
                db.execute("UPDATE refusals SET count = count + 1 WHERE id = ?", (last[0],))
                return
            if (alike := _of_a_flood(db, refusal)) is not None:
                db.execute("UPDATE refusals SET count = count + 1 WHERE id = ?", (alike,))
                return
            db.execute(
                "INSERT INTO refusals (time, kind, name, tool, target, code, message) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (refusal.time, *who, refusal.message),
            )
            db.execute("DELETE FROM refusals WHERE id <= (SELECT max(id) FROM refusals) - ?", (MOST_REFUSALS,))

    @mended
    def forget_refusals(self, text: bytes) -> int:
        """Keep of a refusal that says this text only that it was one; the pages that said it are emptied. How many."""
        with self._db.changed() as db:
            db.execute("PRAGMA secure_delete = ON")
            found = db.execute(
                "UPDATE refusals SET target = '', message = '' WHERE instr(CAST(target AS BLOB), ?)"
                " OR instr(CAST(message AS BLOB), ?)",
                (text, text),
            ).rowcount
        if found:
            # What was written before goes from the log as well, as far as nobody reads there.
            with self._db.opened() as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return found

    @mended
    def refusals(self) -> tuple[Refusal, ...]:
        """What was refused, oldest first."""
        with self._db.opened() as db:
            rows = db.execute(
                "SELECT time, kind, name, tool, target, code, message, count FROM refusals ORDER BY id"
            ).fetchall()
        return tuple(map(_refusal, rows))

    @mended
    def newest_refusals(self, *, upto: float, limit: int, below: int | None = None) -> tuple[tuple[int, Refusal], ...]:
        """What was refused, the newest first, each with its number; `upto` and `below` as for the rows."""
        query = "SELECT id, time, kind, name, tool, target, code, message, count FROM refusals"
        number = below if below is not None else 1 << 62
        with self._db.opened() as db:
            rows = db.execute(
                f"{query} WHERE time < ? OR (time = ? AND id < ?) ORDER BY time DESC, id DESC LIMIT ?",
                (upto, upto, number, limit),
            )
            return tuple((row[0], _refusal(row[1:])) for row in rows)


def _of_a_flood(db: sqlite3.Connection, refusal: Refusal) -> int | None:
    """The row with which a refusal is counted, where too many come: the youngest of the same agent and reason."""
    ids = db.execute(
        "SELECT id, kind, name, tool, code FROM refusals WHERE time > ? ORDER BY id DESC LIMIT ?",
        (refusal.time - _FOLD_SECONDS, _MOST_A_MINUTE),
    ).fetchall()
    if len(ids) < _MOST_A_MINUTE:
        return None
    who = (refusal.origin.kind.value, refusal.origin.name, refusal.tool, refusal.code)
    return next((row[0] for row in ids if tuple(row[1:]) == who), None)


def _refusal(row: tuple[Any, ...]) -> Refusal:
    time, kind, name, tool, target, code, message, count = row
    return Refusal(time, Origin(OriginKind(kind), name), tool, target, code, message, count)


def _intent(row: tuple[int, float, bytes, str, str, str | None, str | None, int | None, str, int]) -> Intent:
    number, time, path, kind, name, before, after, size, state, settles = row
    return Intent(
        number,
        time,
        DocPath(os.fsdecode(path)),
        Origin(OriginKind(kind), name),
        Fingerprint(before) if before else None,
        Fingerprint(after) if after else None,
        size,
        IntentState(state),
        bool(settles),
    )
