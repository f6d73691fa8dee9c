"""The disk as the window knows it: what a save tells of, beside itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.changes import ChangeSet
from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.requests import SaveRequest
from memgui.gui.disk import Disk
from memgui.ops import documents, writing
from memgui.ops.preferences import Places, Settings

MEMORY = DocPath("MEMORY.md")


@pytest.fixture
def disk(workspace_root: Path) -> Disk:
    made = Disk(workspace_root, Places.find(), Settings())
    made.open()
    return made


def save(disk: Disk, root: Path) -> ChangeSet:
    before = (root / MEMORY).read_bytes()
    return disk.save(SaveRequest(MEMORY, b"mine\n", fingerprint(before)))[1]


def test_a_save_tells_of_itself_once_as_the_persons(disk: Disk, workspace_root: Path) -> None:
    told = save(disk, workspace_root)
    assert [(change.path, change.origin.is_person) for change in told.changes] == [(MEMORY, True)]


def _append(file: Path) -> None:
    with file.open("ab") as handle:
        handle.write(b"an agent, right after\n")


@pytest.mark.parametrize("deed", [_append, Path.unlink])
def test_what_happens_to_the_file_right_after_a_save_is_told_as_well(
    disk: Disk, workspace_root: Path, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Path], None]
) -> None:
    write = documents.write

    def overtaken(*args: Any, **kwargs: Any) -> ChangeSet:
        done = write(*args, **kwargs)
        deed(workspace_root / MEMORY)
        return done

    monkeypatch.setattr(documents, "write", overtaken)
    told = save(disk, workspace_root)
    assert [(change.path, change.origin.is_person) for change in told.changes] == [(MEMORY, True), (MEMORY, False)]


def test_what_an_agent_wrote_is_told_under_its_name(disk: Disk, workspace_root: Path) -> None:
    pen, now = Origin.agent("pen"), datetime.now(UTC)
    writing.memory_write(disk.view.workspace, content="x", target="projects/notes.md", origin=pen, now=now)
    with (workspace_root / "HEARTBEAT.md").open("a") as file:
        file.write("- [ ] outside\n")
    told = {change.path: change.origin.label for change in disk.pull(None)[1].changes}
    assert told == {"projects/notes.md": 'agent "pen"', "HEARTBEAT.md": "outside"}
