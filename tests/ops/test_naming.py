"""A look at the disk names the agent who wrote through memgui's tools, and nobody else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.changes import ChangeSet
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.tree import Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import documents, naming, sync, workspace, writing

PEN = Origin.agent("pen")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "root"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Memory\n")
    (root / "link.md").symlink_to("MEMORY.md")
    return workspace.open(root)


def write(ws: Workspace, **arguments: Any) -> None:
    writing.memory_write(ws, origin=PEN, now=datetime.now(UTC), **arguments)


def told(ws: Workspace, known: Snapshot) -> dict[str, str]:
    _now, changes = sync.pull(ws, known)
    return {change.path: change.origin.label for change in naming.named(ws, changes).changes}


def test_an_agent_is_named_for_what_stands_there_as_it_wrote_it(ws: Workspace) -> None:
    known = sync.look(ws)
    write(ws, content="x", target="memory")
    write(ws, content="x", target="new.md")
    (ws.root / "other.md").write_text("x\n")
    found = told(ws, known)
    assert found.pop("link.md") == "outside"
    assert found == {"MEMORY.md": 'agent "pen"', "new.md": 'agent "pen"', "other.md": "outside"}


def test_what_others_wrote_since_is_nobodys(ws: Workspace) -> None:
    known = sync.look(ws)
    write(ws, content="x", target="memory")
    with open(ws.root / "MEMORY.md", "a") as file:
        file.write("outside\n")
    write(ws, content="one", target="new.md")
    (ws.root / "new.md").write_text("two\n")
    assert {told(ws, known)[path] for path in ("MEMORY.md", "new.md")} == {"outside"}


def test_what_an_agent_wrote_and_a_person_wrote_over_is_not_the_agents(ws: Workspace) -> None:
    known = sync.look(ws)
    write(ws, content="x", target="memory")
    document = documents.read(ws, DocPath("MEMORY.md"))
    documents.write(ws, DocPath("MEMORY.md"), b"# M\n", expected=document.fingerprint, origin=Origin.you())
    assert told(ws, known)["MEMORY.md"] == "outside"


def test_a_state_folder_that_tells_nothing_names_nobody(ws: Workspace) -> None:
    known = sync.look(ws)
    write(ws, content="x", target="memory")
    for file in ws.state.glob("journal.sqlite*"):
        file.unlink()
    (ws.state / "journal.sqlite").mkdir()
    assert told(ws, known)["MEMORY.md"] == "outside"


def test_nothing_new_asks_nobody(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "Journal", None)
    assert naming.named(ws, ChangeSet()) == ChangeSet()
