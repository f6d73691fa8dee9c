"""A process that writes, sweeps and forgets is killed at any moment: nothing told is lost, nothing is torn."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from memgui.domain.errors import NotFound
from memgui.domain.workspace import Workspace
from memgui.ops import versions
from memgui.storage import anchors
from memgui.storage.locks import workspace_lock
from tests.ops.killed_versions import LOG, NOTE, workspace

ROUNDS = int(os.environ.get("MEMGUI_TEST_KILLS", "12"))
"""Of the report: `MEMGUI_TEST_KILLS=200`."""


def killed_after(place: Path, begin: int, seconds: float) -> list[str]:
    """What the process told before it was killed, so long after it began."""
    command = [sys.executable, "-m", "tests.ops.killed_versions", str(place), str(begin), str(seconds)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (-signal.SIGALRM, "")
    told = ran.stdout.splitlines()
    assert told[0] == "begun"
    return told[1:]


def check(ws: Workspace, entries: set[int], prints: list[str]) -> None:
    """What was told is there; what was not may be."""
    with workspace_lock(ws.state, timeout=0):
        pass
    if not (ws.root / LOG).exists():
        assert not entries
        return
    lines = (ws.root / LOG).read_bytes().splitlines(keepends=True)
    written = [int(line.split()[2]) for line in lines]
    assert all(line == b"- entry %d of a log that only grows\n" % n for line, n in zip(lines, written, strict=True))
    assert entries <= set(written)
    assert len(set(written)) == len(written)
    found = versions.seen(ws, LOG)
    texts = {versions.bytes_of(ws, LOG, one) for one in found}
    assert len(texts) >= len(entries)
    if not (ws.root / NOTE).exists():
        assert not prints
        return
    notes = versions.seen(ws, NOTE)
    listed = {one.hash for one in notes}
    assert prints[-1:] == [] or prints[-1] in listed
    for one in notes:
        try:
            versions.bytes_of(ws, NOTE, one)
        except NotFound:
            assert one.is_forgotten
    assert not [name for name in os.listdir(ws.root) if name.endswith(".tmp")] or notes


def test_killed_at_random_moments_nothing_that_was_told_is_lost(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    moments = random.Random(5)
    entries: set[int] = set()
    prints: list[str] = []
    for number in range(ROUNDS):
        anchors.release()
        for told in killed_after(tmp_path, number * 1000, 0.001 + moments.random() * 0.25):
            words = told.split()
            if words[0] == "log":
                entries.add(int(words[1]))
            if words[0] == "note":
                prints.append(words[2])
        check(ws, entries, prints)
    assert entries
