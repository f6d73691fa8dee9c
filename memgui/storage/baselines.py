"""Baselines: of each document the bytes that a person last accepted, by their hash. The bytes are kept copies.

Each entry also says in which state the file was when it had those bytes, so that only files in another state are read.
That the workspace was opened for review is noted beside them once more: where the entries are lost, nothing counts as
accepted, instead of all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.tree import Stat
from memgui.storage import remembered
from memgui.storage.ledger import MOST_READ, Follower, Ledger, Row
from memgui.storage.records import path_in, path_out

FILE = "baselines.jsonl"
_OPENING, _LOSS = "opening", "baselines-lost"
_SPARE_ROWS = 1000
_HASH_LENGTH = 64
_RACY_NS = 50_000_000
"""A file that changed so shortly before may change once more without its times telling."""

State = tuple[int, int, int, int, int]


class Baseline(NamedTuple):
    """What a person last accepted at a path: bytes with this hash; None: that nothing stands there."""

    hash: Fingerprint | None
    state: State | None = None
    """The file's size, times, inode and device when it held these bytes; None: not known."""
    settled: int = 0
    """The number of the version up to which all writers of the document are accounted for."""
    time: float = 0.0

    def is_as(self, stat: Stat) -> bool:
        """Whether a file in this state holds these bytes still, without reading it."""
        return self.state == (stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode, stat.device)


@dataclass(slots=True)
class Opening:
    """How far the first opening of a workspace is: when it began (seconds since 1970), and whether it is through."""

    began: float | None = None
    seen: bool = True
    done: bool = False


class Baselines:
    """The baselines of one workspace, in its state folder. Who changes them holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._file = state / FILE
        self._ledger = Ledger(self._file)

    def all(self) -> tuple[Mapping[DocPath, Baseline], Opening]:
        """Every entry, and how far the first opening is."""
        book = _books.of(self._file)
        with book.follower.lock:
            book.read_on()
            return dict(book.entries), self._opening(book)

    def at(self, path: DocPath) -> Baseline | None:
        """The entry of a path. None: there is none, so that nothing was ever accepted there."""
        book = _books.of(self._file)
        with book.follower.lock:
            book.read_on()
            return book.entries.get(path)

    def opening(self) -> Opening:
        """How far the first opening is."""
        book = _books.of(self._file)
        with book.follower.lock:
            book.read_on()
            return self._opening(book)

    def put(self, entries: Iterable[tuple[DocPath, Baseline]], *, durable: bool = False) -> None:
        """Note entries in the place of those that there were, all in one write. OSError."""
        self._ledger.add((_out(path, entry) for path, entry in entries), durable=durable)
        self._compact()

    def note(self, opening: Opening) -> None:
        """Note how far the first opening is."""
        self._ledger.add([_opening_out(opening)], durable=True)
        remembered.put(self._state, _OPENING, _opening_out(opening))

    def untold_loss(self, face: str) -> bool:
        """Whether entries were lost with the note of the opening, and this face did not tell of it yet. OSError.

        It is noted anew then. The lock is held.
        """
        book = _books.of(self._file)
        with book.follower.lock:
            book.read_on()
            known, noted = self._opening(book), self._noted()
            if known.done and noted is None:
                remembered.put(self._state, _OPENING, _opening_out(known))
            if known.done and not book.opening.done:
                self._ledger.add([_opening_out(known)], durable=True)
                remembered.put(self._state, _LOSS, {"told": []})
        told = remembered.read(self._state, _LOSS).get("told")
        if not isinstance(told, list) or face in told:
            return False
        remembered.put(self._state, _LOSS, {"told": [*told, face]})
        return True

    def prints(self) -> frozenset[Fingerprint]:
        """The hashes of all bytes that are somebody's baseline: copies of them are needed."""
        return frozenset(entry.hash for entry in self.all()[0].values() if entry.hash is not None)

    def _compact(self) -> None:
        book = _books.of(self._file)
        with book.follower.lock:
            book.read_on()
            if book.lines <= 2 * len(book.entries) + _SPARE_ROWS:
                return
            opening = self._opening(book)
            rows: list[Row] = []
            if opening.began is not None:
                rows.append(_opening_out(opening))
            rows += [_out(path, entry) for path, entry in book.entries.items()]
            self._ledger.replace(rows)

    def _opening(self, book: _Book) -> Opening:
        """How far the opening is: by the entries, or by the note beside them where that says more."""
        known = book.opening
        noted = None if known.done else self._noted()
        if noted is not None and (noted.done or known.began is None):
            known = noted
        return Opening(known.began, known.seen, known.done)

    def _noted(self) -> Opening | None:
        return _opening_in(remembered.read(self._state, _OPENING))


def state_of(stat: Stat | None, now: float) -> State | None:
    """The state to note of a file. Where its times cannot tell it from one written a moment later, it is not sure."""
    if stat is None:
        return None
    state = stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode, stat.device
    return unsure(state) if max(stat.mtime_ns, stat.ctime_ns) > now * 1e9 - _RACY_NS else state


def unsure(state: State | None) -> State | None:
    """A state that tells which file it was, and not what it held."""
    return None if state is None else (state[0], state[1], 0, state[3], state[4])


class _Book:
    """What this process has read of one workspace's baselines."""

    def __init__(self, file: Path) -> None:
        self.follower = Follower(file)
        self.entries: dict[DocPath, Baseline] = {}
        self.opening = Opening()
        self.lines = 0

    def read_on(self) -> None:
        is_other, rows = self.follower.news()
        if is_other:
            self.entries, self.opening, self.lines = {}, Opening(), 0
        self.lines += len(rows)
        for row in rows:
            try:
                if "p" in row:
                    path, entry = _in(row)
                    self.entries[path] = entry
                elif (opening := _opening_in(row)) is not None:
                    self.opening = opening
            except (KeyError, TypeError, ValueError):
                continue


class _Books:
    """The workspaces whose baselines this process has read, the last few."""

    def __init__(self) -> None:
        self._books: dict[Path, _Book] = {}
        self._lock = threading.Lock()

    def of(self, file: Path) -> _Book:
        with self._lock:
            book = self._books.pop(file, None) or _Book(file)
            self._books[file] = book
            while len(self._books) > MOST_READ:
                del self._books[next(iter(self._books))]
            return book


_books = _Books()


def _out(path: DocPath, entry: Baseline) -> Row:
    return {"p": path_out(path), "h": entry.hash, "s": entry.state, "v": entry.settled, "t": entry.time}


def _opening_out(opening: Opening) -> Row:
    return {"began": opening.began, "seen": opening.seen, "done": opening.done}


def _opening_in(row: Row) -> Opening | None:
    try:
        return Opening(float(row["began"]), bool(row["seen"]), bool(row["done"]))
    except (KeyError, TypeError, ValueError):
        return None


def _in(row: Row) -> tuple[DocPath, Baseline]:
    print_, state = row["h"], row["s"]
    if print_ is not None and len(print_) != _HASH_LENGTH:
        raise ValueError(print_)
    if state is not None:
        size, mtime, ctime, inode, device = state
        state = (size, mtime, ctime, inode, device)
    return DocPath(path_in(row["p"])), Baseline(print_, state, int(row["v"]), float(row["t"]))
