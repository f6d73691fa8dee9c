"""`Builder`: brings the index of words up to what the documents are. What is damaged it makes anew.

Whatever happens to it, no document is touched: the index lies in the cache and can be made again at any time.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from filelock import FileLock, Timeout

from memgui.domain.paths import DocPath, shown
from memgui.i18n import _
from memgui.ops.words.progress import FOLDER, Progress, Rows, Tell, nobody
from memgui.search.fold import is_binary
from memgui.search.literal import Stop, never
from memgui.search.segments import Key
from memgui.search.words.engine import WordsIndex
from memgui.search.words.index import BrokenIndexError, Indexed
from memgui.search.words.pieces import pieces_of
from memgui.storage.reader import Reader

LARGEST = 5 << 20
"""Larger documents are left to the exact scan."""

_FIRST, _CHUNK = 200, 2_000
"""So many documents are written at once: the newest soon, the rest in large portions. What is written stays."""

_PATIENCE_SECONDS = 0.2
_TOLD_SECONDS = 0.1
_SETTLED_NS = 50_000_000
_MOST_PROBLEMS = 20
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ESTALE)


@dataclass(slots=True)
class Builder:
    """Writes the index of one workspace. One thread uses it; other processes are kept out by a lock."""

    root: Path
    cache: Path
    tell: Tell = nobody
    stop: Stop = never
    between: Callable[[], None] = field(default=lambda: None)
    """Called between portions, when something small may be written."""
    progress: Progress = field(default_factory=Progress)
    _index: WordsIndex | None = None
    _known: dict[DocPath, Key] = field(default_factory=dict)
    _told: float = 0.0
    _rows: Rows = field(default_factory=dict)

    def refresh(self, rows: Rows, *, anew: bool = False) -> bool:
        """Hold these documents and no others. False where it was stopped or the disk did not take it."""
        self._rows = rows
        self.progress = Progress(total=len(rows))
        with self._alone() as may_write:
            if not may_write:
                return False
            if anew:
                self._discard()
            try:
                return self._guarded(lambda: self._bring_up(rows), lambda: self._bring_up(rows))
            finally:
                self._say(always=True)

    def update(self, paths: Sequence[DocPath]) -> bool:
        """Hold these documents as they are now, or forget those that are gone."""
        with self._alone() as may_write:
            if not may_write:
                return False
            try:
                return self._guarded(lambda: self._write_now(paths), lambda: self._bring_up(self._rows))
            finally:
                self._say(always=True)

    def update_held(self, paths: Sequence[DocPath]) -> None:
        """The same inside a refresh, which holds the lock."""
        self._write_now(paths)

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()
            self._index = None

    # The index on disk -------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """Where the index lies."""
        return self.cache / FOLDER

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Keep other writers out. False where somebody asked to stop, or the disk takes no lock."""
        ready = self.progress.ready
        try:
            os.makedirs(self.cache, mode=0o700, exist_ok=True)
            lock = FileLock(self.cache / f"{FOLDER}.lock", mode=0o600)
            while True:
                try:
                    lock.acquire(timeout=_PATIENCE_SECONDS)
                    break
                except Timeout:
                    if self.stop():
                        yield False
                        return
                    self.progress = replace(self.progress, waiting=True, ready=False)
                    self._say()
        except OSError as error:
            self._failed(error)
            self._say(always=True)
            yield False
            return
        self.progress = replace(self.progress, waiting=False, ready=ready)
        try:
            yield True
        finally:
            lock.release()

    def _guarded(self, work: Callable[[], bool], anew: Callable[[], bool]) -> bool:
        """Do the work; where the index turns out to be damaged, `anew` on a new one."""
        try:
            try:
                return work()
            except BrokenIndexError:
                pass
            except OSError as error:
                if error.errno not in _GONE:
                    raise
            self._discard()
            return anew()
        except (OSError, BrokenIndexError) as error:
            self._failed(error)
            self.close()
            return False

    def _opened(self) -> WordsIndex:
        if self._index is not None and self._index.refresh():
            # Another process has written meanwhile.
            self._known = self._index.known()
        if self._index is None or not self.folder.is_dir():
            self.close()
            self._index = self._open_or_create()
            self._known = self._index.known()
        return self._index

    def _open_or_create(self) -> WordsIndex:
        if self.folder.is_dir():
            os.chmod(self.folder, 0o700)
            with suppress(BrokenIndexError):
                return WordsIndex(self.folder)
            self._discard()
        os.makedirs(self.folder, mode=0o700)
        return WordsIndex.create(self.folder)

    def _discard(self) -> None:
        """Put the index out of the way in one step, so that no reader sees half of it, and delete it."""
        self.close()
        aside = self.cache / f".{FOLDER}-{os.getpid()}-{secrets.token_hex(4)}"
        with suppress(FileNotFoundError):
            os.rename(self.folder, aside)
        for left in self.cache.glob(f".{FOLDER}-*"):
            shutil.rmtree(left, ignore_errors=True)

    # Writing -----------------------------------------------------------------------------------------------------

    def _bring_up(self, rows: Rows) -> bool:
        index = self._opened()
        gone = [path for path in self._known if path not in rows]
        todo = sorted((path for path, key in rows.items() if self._known.get(path) != key), key=_newest(rows))
        self.progress = replace(self.progress, done=len(rows) - len(todo), passages=index.passages, problems=())
        at, size = 0, _FIRST
        while (gone or at < len(todo)) and not self.stop():
            self._write(index, todo[at : at + size], gone)
            at, size, gone = at + size, _CHUNK, []
            self.progress = replace(self.progress, passages=index.passages)
            self.between()
        whole = at >= len(todo)
        self.progress = replace(self.progress, ready=whole, passages=index.passages)
        return whole

    def _write_now(self, paths: Sequence[DocPath]) -> bool:
        index = self._opened()
        before = len(self._known)
        self._write(index, list(dict.fromkeys(paths)), [])
        grown = len(self._known) - before
        self.progress = replace(
            self.progress, total=max(0, self.progress.total + grown), done=len(self._known), passages=index.passages
        )
        return True

    def _write(self, index: WordsIndex, paths: Sequence[DocPath], gone: Sequence[DocPath]) -> None:
        with Reader(self.root) as reader:
            held: dict[DocPath, Key] = {}
            lost = list(gone)

            def documents() -> Iterator[Indexed]:
                for path in paths:
                    if self.stop():
                        return
                    document = self._read(reader, path)
                    if document is None:
                        lost.append(path)
                        continue
                    if self._known.get(path) != document.key:
                        held[path] = document.key
                        yield document
                    self._count()

            index.update(documents(), gone)
            again = [path for path in lost[len(gone) :] if path in self._known]
            if again:
                index.update((), again)
        self._known.update(held)
        for path in lost:
            self._known.pop(path, None)

    def _count(self) -> None:
        if not self.progress.ready:
            self.progress = replace(self.progress, done=min(self.progress.total, self.progress.done + 1))
            self._say()

    def _read(self, reader: Reader, path: DocPath) -> Indexed | None:
        found = reader.read(path, refuse=is_binary)
        if found is None:
            if reader.holds(path):
                self._problem(_("{path} cannot be read.").format(path=shown(path)))
            return None
        data, stat = found
        key = Key(stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode)
        if stat.mtime_ns > time.time_ns() - _SETTLED_NS:
            # It may change again without its times showing it.
            key = replace(key, ctime_ns=-1)
        if stat.size > LARGEST:
            self._problem(_("{path} is too large; only the exact search covers it.").format(path=shown(path)))
            data = b""
        elif is_binary(data):
            data = b""
        return Indexed(path, key, pieces_of(path, data))

    def _problem(self, sentence: str) -> None:
        if len(self.progress.problems) < _MOST_PROBLEMS and sentence not in self.progress.problems:
            self.progress = replace(self.progress, problems=(*self.progress.problems, sentence))

    def _failed(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self.progress = replace(self.progress, ready=False, failed=True)
        self._problem(_("The index of words cannot be written: {reason}.").format(reason=reason))

    def _say(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if always or now - self._told >= _TOLD_SECONDS:
            self._told = now
            self.tell(self.progress)


def _newest(rows: Rows) -> Callable[[DocPath], tuple[bool, int]]:
    return lambda path: (rows[path].size > LARGEST, -rows[path].mtime_ns)
