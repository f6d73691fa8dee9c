"""Where a note for agents goes, by the layout, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.errors import InvalidParameters
from memgui.ops import guidance
from memgui.ops import workspace as workspaces


def test_it_goes_to_long_term_memory_with_the_line_ends_of_that(workspace_root: Path) -> None:
    (workspace_root / "MEMORY.md").write_bytes(b"# Memory\r\n\r\n- one")
    ws = workspaces.open(workspace_root)
    left = guidance.leave(ws, "  Leave prices\nout. ")
    assert left.path == "MEMORY.md"
    assert (workspace_root / "MEMORY.md").read_bytes() == b"# Memory\r\n\r\n- one\r\n- Leave prices out.\r\n"
    guidance.take_back(ws, left)
    assert (workspace_root / "MEMORY.md").read_bytes() == b"# Memory\r\n\r\n- one"


def test_the_older_name_of_memory_is_honoured(tmp_path: Path) -> None:
    for name in ("SOUL.md", "AGENTS.md", "memory.md"):
        (tmp_path / name).write_text("# x\n")
    (tmp_path / "memory").mkdir()
    assert guidance.place(workspaces.open(tmp_path)) == "memory.md"


def test_a_workspace_of_facts_has_no_such_place(tmp_path: Path) -> None:
    (tmp_path / ".agentsmith/memory").mkdir(parents=True)
    ws = workspaces.open(tmp_path)
    assert guidance.place(ws) is None
    with pytest.raises(InvalidParameters):
        guidance.leave(ws, "x")


def test_nothing_is_no_note(workspace_root: Path) -> None:
    with pytest.raises(InvalidParameters):
        guidance.leave(workspaces.open(workspace_root), " \n")
