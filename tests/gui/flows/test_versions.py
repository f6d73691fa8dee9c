"""Every version that a window sees is kept, with who wrote it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.versions import Version
from memgui.domain.workspace import Workspace
from memgui.ops import workspace, writing
from memgui.ops.chronicle import Chronicle
from tests.gui.flows.conftest import Desk


def kept(ws: Workspace, path: str) -> list[Version]:
    """What is kept already; nothing is looked at for it."""
    chronicle = Chronicle(ws)
    known = chronicle.known.at(DocPath(path))
    return list(chronicle.history.versions(known.id)) if known is not None else []


def test_what_is_read_saved_and_written_by_others_becomes_versions_with_their_writers(desk: Desk) -> None:
    ws = workspace.open(desk.root, remember=False)
    first = desk.read("MEMORY.md")
    desk.open("MEMORY.md")
    desk.until(lambda: len(kept(ws, "MEMORY.md")) == 1)
    desk.append("MEMORY.md", "- by a shell\n")
    desk.until(lambda: len(kept(ws, "MEMORY.md")) == 2)
    now = datetime.now(UTC)
    writing.memory_write(ws, content="- by a tool", target="memory", origin=Origin.agent("scribe"), now=now)
    desk.until(lambda: desk.text("MEMORY.md").endswith("- by a tool\n"))
    desk.type("MEMORY.md", "mine ")
    desk.save()
    desk.until(lambda: desk.state("MEMORY.md") == "saved" and desk.read("MEMORY.md").startswith("mine "))
    desk.until(lambda: len(kept(ws, "MEMORY.md")) == 4)
    versions = kept(ws, "MEMORY.md")
    assert [version.origin.label for version in versions] == ["outside", "outside", 'agent "scribe"', "you"]
    assert versions[0].hash is not None
    assert Chronicle(ws).history.bytes_of(versions[0].hash).decode() == first


def test_what_changed_while_no_window_was_open_is_caught_up_with(
    workspace_root: Path, open_desk: Callable[[Path], Desk]
) -> None:
    ws = workspace.open(workspace_root, remember=False)
    now = datetime.now(UTC)
    writing.memory_write(ws, content="one", target="memory", origin=Origin.agent("scribe"), now=now)
    (workspace_root / "MEMORY.md").rename(workspace_root / "moved.md")
    desk = open_desk(workspace_root)
    desk.until(lambda: len(kept(ws, "moved.md")) == 2)
    assert not kept(ws, "MEMORY.md")
