"""Agents that write at once, beside a shell, and killed in the middle: real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from memgui.domain.paths import DocPath
from memgui.ops import versions
from memgui.storage.journal import IntentState, Journal
from tests.ops import writers
from tests.ops.writers import LOG, workspace
from tests.storage.killed import child, die_at

CHECKOUT = Path(__file__).parents[2]
SHELL = 'i=0; while [ $i -lt 300 ]; do echo "shell $i" >> "$0"; i=$((i+1)); done'


def program(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.ops.writers", *map(str, words)]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def entries(place: Path) -> list[bytes]:
    """The agents' entries, in order. Each is whole."""
    lines = [line for line in (workspace(place).root / LOG).read_bytes().splitlines() if not line.startswith(b"shell")]
    begins, ends = lines[::2], lines[1::2]
    assert [line.replace(b"[14:03:05] begin", b"end") for line in begins] == ends
    return ends


def test_eight_processes_and_a_shell_beside_them_lose_nothing_and_tear_nothing(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    (ws.root / "daily").mkdir(parents=True)
    (ws.root / LOG).write_text("")
    agents = [program("append", tmp_path, 12) for _number in range(8)]
    with subprocess.Popen(["sh", "-c", SHELL, ws.root / LOG]) as shell:
        for agent in agents:
            with agent:
                output, _nothing = agent.communicate()
            assert agent.returncode == 0, output
    assert shell.returncode == 0
    data = (ws.root / LOG).read_bytes()
    assert [line for line in data.splitlines() if line.startswith(b"shell")] == [b"shell %d" % i for i in range(300)]
    found = entries(tmp_path)
    for agent in agents:
        own = [line for line in found if line.startswith(b"end %d " % agent.pid)]
        assert own == [b"end %d %d" % (agent.pid, number) for number in range(12)]
    assert data.endswith(b"\n")
    assert b"\n\n" not in data
    rows = Journal(ws.state).rows(DocPath(LOG))
    assert [row.state for row in rows if row.state is not IntentState.ABORTED] == [IntentState.DONE] * 96
    seen = versions.versions(ws, LOG)["versions"]
    assert sum(one["changed_by"] == 'agent "scribe"' for one in seen) == 96


def test_all_processes_count_together(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    passed = 0
    for agent in [program("limited", tmp_path, 9) for _number in range(4)]:
        with agent:
            output, _nothing = agent.communicate()
        assert agent.returncode == 0, output
        passed += int(output)
    assert passed == 20
    assert len((ws.root / LOG).read_text().splitlines()) == 20


def test_an_agent_killed_at_any_step_stops_nobody_and_is_named_for_what_it_wrote_alone(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    writers.write(ws, "begin 0 0\nend 0 0")
    written = 1
    for step in range(400):
        before = len(entries(tmp_path))

        def write(step: int = step) -> None:
            die_at(step)
            writers.write(ws, f"begin {os.getpid()} 0\nend {os.getpid()} 0")

        ended = child(write)
        after = len(entries(tmp_path))
        assert after - before in (0, 1), step
        written += after - before
        if step % 7 == 0 or not ended:
            writers.write(ws, f"begin 0 {step}\nend 0 {step}")
            written += 1
            rows = Journal(ws.state).rows()
            assert not [row for row in rows if row.state is IntentState.INTENDED], step
            assert len([row for row in rows if row.state is IntentState.DONE]) == written, step
        if not ended:
            break
    assert ended == 0
    assert step > 20
    assert [name for name in os.listdir(ws.root / "daily") if name != "2026-11-30.md"] == []
    seen = versions.versions(ws, LOG)["versions"]
    assert {one["changed_by"] for one in seen} == {'agent "scribe"'}
    assert len(seen) == written


def test_agents_killed_at_random_moments_leave_whole_entries_and_no_lock(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    writers.write(ws, "begin 0 0\nend 0 0")
    for moment in range(4):
        with program("append", tmp_path, 10**6) as agent:
            size = (ws.root / LOG).stat().st_size
            until = time.monotonic() + 30
            while (ws.root / LOG).stat().st_size < size + 60 * (moment + 1):
                assert time.monotonic() < until
            agent.send_signal(signal.SIGKILL)
        assert len(entries(tmp_path)) == len(set(entries(tmp_path)))
    writers.write(ws, "begin 0 1\nend 0 1")
    found = entries(tmp_path)
    done = [row for row in Journal(ws.state).rows() if row.state is IntentState.DONE]
    assert len(done) == len(found) == len(versions.versions(ws, LOG)["versions"])
