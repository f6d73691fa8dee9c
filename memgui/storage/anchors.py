"""Anchors: a database that is opened again and again is kept open by one connection that does nothing else.

Whoever closes a database last writes its log over and removes it, and the next begins a new one: several waits for the
disk for each deed. A few are kept for the life of the process, none across a fork, which databases do not survive.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
import threading
from pathlib import Path

MOST = 2


class _Anchors:
    def __init__(self) -> None:
        self._held: dict[Path, tuple[int, sqlite3.Connection]] = {}
        self._lock = threading.Lock()

    def hold(self, path: Path) -> None:
        with self._lock:
            inode = os.stat(path).st_ino
            held = self._held.get(path)
            if held is not None and held[0] == inode:
                return
            if held is not None:
                self._held.pop(path)[1].close()
            while len(self._held) >= MOST:
                self._held.pop(next(iter(self._held)))[1].close()
            anchor = sqlite3.connect(path, check_same_thread=False)
            # Only one that has read holds the database open.
            anchor.execute("SELECT count(*) FROM sqlite_master").fetchone()
            self._held[path] = inode, anchor

    def release(self) -> None:
        with self._lock:
            while self._held:
                self._held.popitem()[1][1].close()


_anchors = _Anchors()
atexit.register(_anchors.release)
os.register_at_fork(before=_anchors.release)


def hold(path: Path) -> None:
    """Keep this database open from now on, instead of the one that was first kept."""
    _anchors.hold(path)


def release() -> None:
    """Let go of all."""
    _anchors.release()
