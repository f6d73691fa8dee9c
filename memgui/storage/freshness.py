"""Whether a workspace is still as a snapshot says, told by the state of each name and no more: no folder is listed.

A folder whose names changed has another time, and so has a file whose bytes did: all of them are asked. Only what was
seen so soon after a change that the next one might not show is looked at anew.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from memgui.domain.paths import ROOT, DocPath, parent_of
from memgui.domain.tree import NodeKind, Snapshot

_SETTLED_NS = 50_000_000
"""Clocks of file systems go in steps: a name changed this soon before it was seen may change again within its time."""

_State = tuple[int, int, int, int]


class Freshness:
    """The state of everything in a snapshot that can change, taken down once to be compared often."""

    def __init__(self, root: Path, snapshot: Snapshot, *, seen_ns: int) -> None:
        top = os.path.realpath(os.fsencode(root))
        prefix = top.rstrip(b"/") + b"/"
        self._asked: list[tuple[bytes, _State, DocPath]] = []
        self._doubtful: set[DocPath] = set()
        """Folders to be read again whatever their names say."""
        late = seen_ns - _SETTLED_NS
        for path, node in snapshot.nodes.items():
            folder = path if node.kind is NodeKind.FOLDER else parent_of(path)
            if node.problem is not None:
                self._doubtful.add(folder)
            if node.stat is not None:
                told = node.stat
                state = (told.size if node.kind is not NodeKind.FOLDER else 0, told.mtime_ns, told.ctime_ns, told.inode)
                self._asked.append((prefix + os.fsencode(path), state, folder))
                if told.mtime_ns > late or told.ctime_ns > late:
                    self._doubtful.add(folder)
        self._top = top
        self._top_state = _state(top)
        if self._top_state is None or max(self._top_state[1:3]) > late:
            self._doubtful.add(ROOT)

    def stale(self) -> set[DocPath]:
        """The folders that have to be read again; none: all is as it was."""
        found = set(self._doubtful)
        ask = os.stat
        for path, (size, mtime, ctime, inode), folder in self._asked:
            try:
                now = ask(path)
            except OSError:
                found.add(folder)
                continue
            if (
                now.st_mtime_ns != mtime
                or now.st_ctime_ns != ctime
                or now.st_ino != inode
                or (size and now.st_size != size)
            ):
                found.add(folder)
                if stat.S_ISDIR(now.st_mode):
                    found.add(parent_of(folder))
        if _state(self._top) != self._top_state:
            found.add(ROOT)
        return found


def now_ns() -> int:
    """The clock by which files are dated. To be read before a look begins."""
    return time.time_ns()


def _state(path: bytes) -> _State | None:
    try:
        now = os.stat(path)
    except OSError:
        return None
    return 0, now.st_mtime_ns, now.st_ctime_ns, now.st_ino
