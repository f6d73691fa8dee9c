"""What other programs do to a workspace is seen by looking."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memgui.domain.changes import ChangeSet
from memgui.domain.errors import NotFound
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import sync, workspace
from memgui.storage.folders import ScanStopped


@pytest.fixture
def ws(workspace_root: Path) -> Workspace:
    return workspace.open(workspace_root)


def told(changes: ChangeSet) -> list[tuple[str, str, str | None]]:
    return [(change.path, change.kind.value, change.renamed_from) for change in changes.changes]


def test_nothing_new_gives_back_what_was_known(ws: Workspace) -> None:
    known = sync.look(ws)
    for folders in (None, frozenset({DocPath("")}), frozenset[DocPath]()):
        found, changes = sync.pull(ws, known, folders)
        assert found is known
        assert not changes


@pytest.mark.parametrize("folders", [None, frozenset({DocPath(""), DocPath("memory")})])
def test_every_deed_of_an_agent_is_told(ws: Workspace, folders: frozenset[DocPath] | None) -> None:
    known = sync.look(ws)
    with open(ws.root / "MEMORY.md", "a") as file:
        file.write("- appended\n")
    (ws.root / "new").write_text("- [ ] replaced\n")
    os.replace(ws.root / "new", ws.root / "HEARTBEAT.md")
    (ws.root / "memory" / "2026-12-01.md").write_text("a new day\n")
    (ws.root / "memory" / "2026-11-28.md").unlink()
    (ws.root / "memory" / "2026-11-29.md").rename(ws.root / "memory" / "2026-11-29-crane.md")
    os.utime(ws.root / "TOOLS.md", (1, 1))
    found, changes = sync.pull(ws, known, folders)
    assert told(changes) == [
        ("HEARTBEAT.md", "modified", None),
        ("MEMORY.md", "modified", None),
        ("TOOLS.md", "modified", None),
        ("memory/2026-11-28.md", "deleted", None),
        ("memory/2026-11-29-crane.md", "renamed", "memory/2026-11-29.md"),
        ("memory/2026-12-01.md", "created", None),
    ]
    assert found == sync.look(ws)
    assert sync.pull(ws, found) == (found, ChangeSet())


def test_the_same_length_at_the_same_time_is_still_seen(ws: Workspace) -> None:
    known = sync.look(ws)
    file = ws.root / "MEMORY.md"
    before = file.stat()
    file.write_bytes(b"x" * before.st_size)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert told(sync.pull(ws, known)[1]) == [("MEMORY.md", "modified", None)]


def test_a_moved_folder_is_told_with_all_in_it(ws: Workspace) -> None:
    known = sync.look(ws)
    (ws.root / "projects").rename(ws.root / "work")
    changes = sync.pull(ws, known, frozenset({DocPath("")}))[1]
    assert ("work/crane/plan.md", "renamed", "projects/crane/plan.md") in told(changes)
    assert {kind for _path, kind, _source in told(changes)} == {"renamed"}


def test_a_storm_is_told_whole(ws: Workspace) -> None:
    known = sync.look(ws)
    storm = ws.root / "storm"
    storm.mkdir()
    for number in range(500):
        (storm / f"{number}.md").write_text("x")
    assert len(sync.pull(ws, known, frozenset({DocPath("storm")}))[1].changes) == 501


@pytest.mark.parametrize("folders", [None, frozenset({DocPath("memory")}), frozenset({DocPath("")})])
def test_a_vanished_workspace_is_not_found(ws: Workspace, folders: frozenset[DocPath] | None) -> None:
    known = sync.look(ws)
    shutil.rmtree(ws.root)
    with pytest.raises(NotFound, match="is not there"):
        sync.pull(ws, known, folders)
    with pytest.raises(NotFound):
        sync.look(ws)


def test_a_look_can_be_stopped(ws: Workspace) -> None:
    with pytest.raises(ScanStopped):
        sync.look(ws, stop=lambda: True)
    with pytest.raises(ScanStopped):
        sync.pull(ws, sync.look(ws), frozenset({DocPath("")}), stop=lambda: True)
