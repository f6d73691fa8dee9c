"""The process that writes the indexes, driven here: an index nobody writes to is closed, and opened again in time."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memgui.domain.workspace import Workspace
from memgui.ops import indexing, sync, workspace
from memgui.ops.meaning.progress import ByModel
from memgui.ops.words import child as room
from memgui.ops.words.child import Child
from memgui.ops.words.progress import rows_of


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Harbour\n\nThe ship needs repair.\n")
    return workspace.open(root)


def until(fact: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_an_index_that_rests_takes_no_memory_and_the_next_change_is_written(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "REST_SECONDS", 0.2)
    child = Child(ws.root, ws.cache, io.BytesIO(), ByModel(wanted=False))
    thread = threading.Thread(target=child.run)
    thread.start()
    try:
        rows = rows_of(ws, sync.look(ws))
        told = [[path, key.size, key.mtime_ns, key.ctime_ns, key.inode] for path, key in rows.items()]
        child._messages.put({"refresh": told})
        until(lambda: child._builder.progress.ready)
        until(lambda: child._builder._index is None)
        (ws.root / "tea.md").write_text("# Tea\n")
        child._messages.put({"update": ["tea.md"]})
        until(lambda: indexing.state(ws).files == 2)
        until(lambda: child._builder._index is None)
    finally:
        child.listen(io.BytesIO())
        thread.join()
