"""`Behind`: sees to the indexes of a workspace behind a server, where no window does; one server at a time.

A server that was never asked to search begins nothing. One that finds another at it, or a window, stays light and
looks again later. What works is a process of its own, at idle priority, and it ends when there is nothing left to do.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops.meaning.progress import AS_IT_CAME, ByModel
from memgui.ops.words.helper import Helper
from memgui.ops.words.presence import has_window
from memgui.ops.words.progress import FOLDER, Progress, Rows, rows_of

LOCK = "behind.lock"
"""In the cache: held by the server that sees to the indexes."""

DONE = "behind.done"
"""In the cache: what the indexes were last brought up to, so that not every server has it looked at again."""

DONE_SECONDS = 600.0
"""So long that is believed."""

LOOK_SECONDS = 1.0
"""So often who works looks whether a window has come, and stands back then."""

AGAIN_SECONDS = 30.0
"""So long after somebody else was found at it one looks again."""

REST_SECONDS = 60.0
"""So long after the last search `idle` is told."""

END_SECONDS = 1.0


def unmoved() -> None:
    """For who has nothing to give back."""


class Behind:
    """Told of each search by `searched`, on any thread; works on one of its own, which begins with the first."""

    def __init__(self, ws: Workspace, idle: Callable[[], None] = unmoved, meaning: ByModel = AS_IT_CAME) -> None:
        self._ws, self._idle, self._meaning = ws, idle, meaning
        self._turn = threading.Condition()
        self._thread: threading.Thread | None = None
        self._wanted: Snapshot | None = None
        """What the indexes are to hold, as of the last search."""
        self._held: Snapshot | None = None
        """What they are known to hold."""
        self._searched_at = 0.0
        self._closed = False
        self._ended = threading.Event()
        self._failed = False
        self.helper: Helper | None = None
        """What works just now."""

    def searched(self, snapshot: Snapshot) -> None:
        """A search saw this. Returns at once."""
        with self._turn:
            if self._closed:
                return
            self._wanted, self._searched_at = snapshot, time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._see_to_it, name="memgui-behind", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def close(self) -> None:
        """End what works, and wait for its end."""
        with self._turn:
            self._closed = True
            self._ended.set()
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join()

    # On its own thread -------------------------------------------------------------------------------------------

    def _see_to_it(self) -> None:
        while not self._closed:
            snapshot = self._wanted
            if snapshot is not None and snapshot is not self._held and self._alone(snapshot):
                self._held = snapshot
            with self._turn:
                if self._wanted is snapshot and not self._closed:
                    self._turn.wait(self._patience)
            self._rest()

    @property
    def _patience(self) -> float | None:
        """How long to wait for the next search; None: until it comes."""
        rest = REST_SECONDS if self._searched_at else None
        if self._wanted is self._held:
            return rest
        return AGAIN_SECONDS if rest is None else min(rest, AGAIN_SECONDS)

    def _rest(self) -> None:
        if self._searched_at and time.monotonic() - self._searched_at >= REST_SECONDS:
            self._searched_at = 0.0
            self._idle()

    def _alone(self, snapshot: Snapshot) -> bool:
        """Work, unless somebody else is at it; whether there is nothing left to do."""
        from filelock import FileLock, Timeout

        rows = rows_of(self._ws, snapshot)
        state = self._state(rows)
        if self._is_done(state):
            return True
        with suppress(OSError):
            self._ws.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with FileLock(self._ws.cache / LOCK, timeout=0, mode=0o600):
                    if has_window(self._ws.cache) or not self._work(rows):
                        return False
                    self._done_file.write_text(state)
                    return True
            except Timeout:
                return False
        return False

    def _work(self, rows: Rows) -> bool:
        self._failed = False
        self._ended.clear()
        if self._closed:
            return False
        cache = self._ws.cache
        helper = Helper(self._ws.root, cache, self._heard_words, self._heard, meaning=self._meaning, behind=True)
        self.helper = helper
        try:
            helper.refresh(rows)
            while not self._ended.wait(LOOK_SECONDS):
                self._rest()
                if has_window(cache):
                    return False
            return not self._closed and not self._failed
        finally:
            helper.close(END_SECONDS)
            self.helper = None

    def _heard_words(self, progress: Progress) -> None:
        if progress.failed:
            # The disk does not take it: it is tried again, but not all the time.
            self._failed = True
            self._ended.set()

    def _heard(self, message: dict[str, object]) -> None:
        if "rests" in message:
            self._ended.set()

    # What is done ------------------------------------------------------------------------------------------------

    @property
    def _done_file(self) -> Path:
        return self._ws.cache / DONE

    def _state(self, rows: Rows) -> str:
        made = hashlib.blake2b(repr(self._meaning).encode(), digest_size=16)
        for path in sorted(rows):
            made.update(f"{path}\0{rows[path]}\n".encode("utf-8", "surrogateescape"))
        return made.hexdigest()

    def _is_done(self, state: str) -> bool:
        with suppress(OSError, UnicodeDecodeError):
            told = self._done_file.read_text()
            age = time.time() - self._done_file.stat().st_mtime
            return told == state and 0 <= age < DONE_SECONDS and (self._ws.cache / FOLDER).is_dir()
        return False
