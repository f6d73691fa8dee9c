"""A workspace looked at again and again by one process: only what changed since is read. Lane: reads."""

from __future__ import annotations

import threading

from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import sync
from memgui.storage.freshness import Freshness, now_ns


class Looking:
    """What stood in a workspace at the last look. The same snapshot is given back while nothing changed."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._lock = threading.Lock()
        self._known: Snapshot | None = None
        self._seen_ns = 0
        self._fresh: Freshness | None = None

    def look(self) -> Snapshot:
        """All that stands there now. NotFound, ReadFailed where the workspace is gone or cannot be read."""
        with self._lock:
            known, began = self._known, now_ns()
            if known is None:
                found = sync.look(self._ws)
            else:
                # Made for the second look: many look once.
                if self._fresh is None:
                    self._fresh = Freshness(self._ws.root, known, seen_ns=self._seen_ns)
                stale = self._fresh.stale()
                if not stale:
                    return known
                found, _changes = sync.pull(self._ws, known, frozenset(stale))
            self._known, self._seen_ns, self._fresh = found, began, None
            return found
