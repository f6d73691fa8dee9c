"""The tree of a real folder: groups above, every file below, a word where a file's state matters."""

from __future__ import annotations

import datetime
from pathlib import Path

from memgui.ops import arrange, sync, workspace


def test_a_real_workspace_is_arranged(workspace_root: Path) -> None:
    ws = workspace.open(workspace_root)
    found = arrange.arrange(ws, sync.look(ws), datetime.date(2026, 11, 30))
    assert [(group.title, group.count) for group in found] == [
        ("Memory", 2),
        ("Days", 3),
        ("Identity", 5),
        ("Other files", 12),
    ]
    assert [(group.title, list(group.paths)) for group in found[1].groups] == [
        ("This week", ["memory/2026-11-30.md"]),
        ("November 2026", ["memory/2026-11-29.md", "memory/2026-11-28.md"]),
    ]


def test_states_say_what_cannot_be_written_and_what_is_missing(workspace_root: Path) -> None:
    (workspace_root / "projects" / "notes.md").chmod(0o444)
    (workspace_root / "SOUL.md").chmod(0o400)
    for name, target in {
        "twin.md": "USER.md",
        "out.md": "/etc/hostname",
        "gone.md": "nowhere",
        "dir": "memory",
    }.items():
        (workspace_root / name).symlink_to(target)
    ws = workspace.open(workspace_root)
    assert arrange.states(ws, sync.look(ws)) == {
        "AGENTS.md": ("protected",),
        "IDENTITY.md": ("protected",),
        "SOUL.md": ("protected", "readonly"),
        "TOOLS.md": ("protected",),
        "USER.md": ("protected",),
        "gone.md": ("missing",),
        "out.md": ("readonly",),
        "projects/notes.md": ("readonly",),
        "twin.md": ("protected",),
    }
