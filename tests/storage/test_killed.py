"""Writers that are killed, and writers side by side: real processes."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memgui.domain.errors import Conflict
from memgui.domain.origin import Origin
from memgui.ops import documents
from memgui.storage.journal import Journal
from tests.storage.killed import PATH, workspace

CHECKOUT = Path(__file__).parents[2]


def program(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.killed", *map(str, words)]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("what", ["change", "create", "linked"])
def test_a_writer_killed_at_any_step_leaves_old_or_new_bytes_and_the_next_one_cleans_up(
    what: str, tmp_path: Path
) -> None:
    with program(what, tmp_path) as process:
        output, _nothing = process.communicate()
    assert process.returncode == 0, output
    assert int(output.split()[-1]) > 10


def test_unsaved_text_survives_a_kill_at_any_step(tmp_path: Path) -> None:
    with program("journal", tmp_path) as process:
        output, _nothing = process.communicate()
    assert process.returncode == 0, output
    assert int(output.split()[-1]) > 5


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    documents.write(ws, PATH, b"", expected=None, origin=Origin.you())
    writers = [program("count", tmp_path, 12) for _number in range(4)]
    for writer in writers:
        with writer:
            output, _nothing = writer.communicate()
        assert writer.returncode == 0, output
    lines = (ws.root / PATH).read_bytes().splitlines()
    assert len(lines) == len(set(lines)) == 4 * 12
    assert len(Journal(ws.state).rows(PATH)) >= 4 * 12 + 1
    assert [path.name for path in (ws.root / PATH).parent.iterdir()] == ["MEMORY.md"]


def test_a_writer_killed_at_a_random_moment_leaves_whole_lines(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    documents.write(ws, PATH, b"", expected=None, origin=Origin.you())
    for moment in range(4):
        with program("count", tmp_path, 10**9) as writer:
            size = (ws.root / PATH).stat().st_size
            end = time.monotonic() + 20
            while (ws.root / PATH).stat().st_size < size + 40 * (moment + 1):
                assert time.monotonic() < end
            writer.send_signal(signal.SIGKILL)
        data = (ws.root / PATH).read_bytes()
        assert data.endswith(b"\n")
        assert all(len(line.split()) == 2 for line in data.splitlines())
    document = documents.read(ws, PATH)
    documents.write(ws, PATH, b"end", expected=document.fingerprint, origin=Origin.you())
    assert [path.name for path in (ws.root / PATH).parent.iterdir()] == ["MEMORY.md"]


APPENDING = """
import os, sys, time
for number in range(int(sys.argv[2])):
    handle = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
    time.sleep(0.001)
    os.write(handle, b"agent %d %d\\n" % (os.getpid(), number))
    os.close(handle)
"""


def test_no_line_that_agents_append_beside_saves_is_lost(tmp_path: Path) -> None:
    ws = workspace(tmp_path)
    ws.root.mkdir()
    documents.write(ws, PATH, b"", expected=None, origin=Origin.you())
    agents = [subprocess.Popen([sys.executable, "-c", APPENDING, ws.root / PATH, "200"]) for _number in range(2)]
    saved = tried = 0
    while any(agent.poll() is None for agent in agents) or not saved:
        document = documents.read(ws, PATH)
        tried += 1
        with contextlib.suppress(Conflict):
            data = document.data + b"mine %d\n" % saved
            documents.write(ws, PATH, data, expected=document.fingerprint, origin=Origin.you())
            saved += 1
    lines = (ws.root / PATH).read_bytes().splitlines()
    assert tried > 5
    for agent in agents:
        # Where an agent writes on both sides of an exchange, its two lines may change places; none may go.
        assert sorted(line for line in lines if b"agent %d " % agent.pid in line) == sorted(
            b"agent %d %d" % (agent.pid, number) for number in range(200)
        )
    assert [line for line in lines if line.startswith(b"mine")] == [b"mine %d" % number for number in range(saved)]
