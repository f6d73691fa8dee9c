"""A workspace made of values, for the parts that never look at a disk."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable
from pathlib import Path

from memgui.domain.groups import Group, arrange
from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import ROOT, DocPath
from memgui.domain.protection import Protection
from memgui.domain.tree import Node, NodeKind, Snapshot, Stat
from memgui.domain.workspace import Workspace

TODAY = datetime.date(2026, 11, 30)
IDENTITY = ("AGENTS.md", "IDENTITY.md", "SOUL.md", "USER.md")
FILES = (
    "MEMORY.md",
    "HEARTBEAT.md",
    *IDENTITY,
    *(f"memory/2026-11-{day:02}.md" for day in range(20, 31)),
    "memory/2026-10-05-crane.md",
    "projects/crane/plan.md",
    "projects/notes.md",
    "projects/bad\udcff.md",
    "data/tides.json",
)
STATES = {DocPath(path): ("protected",) for path in IDENTITY}


def snapshot(files: Iterable[str] = FILES) -> Snapshot:
    """A snapshot with these files and the folders they stand in."""
    names = set(files)
    folders = {path.rsplit("/", n)[0] for path in names for n in range(1, path.count("/") + 1)}
    stat = Stat(10, 1, 1, 1, 1, 0o644, 1)
    nodes = {}
    for path in sorted(names | folders, key=os.fsencode):
        kind = NodeKind.FOLDER if path in folders else NodeKind.FILE
        nodes[DocPath(path)] = Node(DocPath(path), kind, None if path in folders else stat)
    return Snapshot(nodes)


def workspace() -> Workspace:
    """An OpenClaw workspace."""
    stores = (Store(ROOT, Layout.OPENCLAW),)
    somewhere = Path("/nowhere")
    return Workspace(somewhere, "id", "harbour", somewhere, somewhere, stores, Protection.of(stores))


def arranged(files: Iterable[str] = FILES) -> tuple[tuple[Group, ...], Snapshot]:
    """The groups of these files, and their snapshot."""
    found = snapshot(files)
    return arrange(workspace(), found, TODAY), found
