"""Many agents at once, each through a server of its own, beside a shell and beside servers that are killed."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession

from memgui.domain.paths import DocPath
from memgui.ops import versions, workspace
from memgui.ops.preferences import Places
from memgui.storage.journal import IntentState, Journal
from memgui.storage.locks import workspace_lock
from tests.mcp.client import PATIENCE_SECONDS, connected, value
from tests.mcp.raw import HELLO, READY, call, say, started

SERVERS, ENTRIES, KILLED = 8, 6, 6
SHELL = 'i=0; while [ $i -lt 200 ]; do echo "shell $i" >> "$0"; i=$((i+1)); done'
LOG = "shared.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    settings = Places.find().settings_file
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[limits]\nper_minute = 0\nper_hour = 0\nworkspace_per_minute = 0\n")
    made = tmp_path / "root"
    (made / "daily").mkdir(parents=True)
    (made / "MEMORY.md").write_text("# Memory\n")
    (made / LOG).write_text("")
    return made


def entry(who: str, number: int) -> str:
    return f"begin {who} {number}\nend {who} {number}"


async def appends(root: Path, who: str, acknowledged: list[str]) -> None:
    async with connected(root, name=who) as client:
        for number in range(ENTRIES):
            answer = await value(client, "memory_write", content=entry(who, number), target=LOG)
            assert answer["status"] == "written"
            acknowledged.append(f"{who} {number}")


async def killed(root: Path, acknowledged: list[str]) -> None:
    """One server after another, killed while it writes: at another moment each."""
    for number in range(KILLED):
        await anyio.to_thread.run_sync(_write_and_kill, root, number, acknowledged)


def _write_and_kill(root: Path, number: int, acknowledged: list[str]) -> None:
    who = f"killed{number}"
    with started(root) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        say(
            server,
            HELLO,
            READY,
            *(call(n, "memory_write", {"content": entry(who, n), "target": LOG}) for n in range(2, 40)),
        )
        for _answer in range(number * 2 + 1):
            line = server.stdout.readline()
            if (found := re.search(r'"id":(\d+)', line)) is not None and '"isError":false' in line:
                acknowledged.append(f"{who} {found[1]}")
        server.kill()


def test_nothing_acknowledged_is_lost_doubled_or_torn(root: Path) -> None:
    acknowledged: list[str] = []

    async def all_at_once() -> None:
        with anyio.fail_after(PATIENCE_SECONDS * 2):
            async with anyio.create_task_group() as tasks:
                for number in range(SERVERS):
                    tasks.start_soon(appends, root, f"agent{number}", acknowledged)
                tasks.start_soon(killed, root, acknowledged)

    with subprocess.Popen(["sh", "-c", SHELL, root / LOG]) as shell:
        anyio.run(all_at_once)
    assert shell.returncode == 0

    lines = (root / LOG).read_text().splitlines()
    assert [line for line in lines if line.startswith("shell")] == [f"shell {n}" for n in range(200)]
    begins = [line.removeprefix("begin ") for line in lines if line.startswith("begin ")]
    ends = [line.removeprefix("end ") for line in lines if line.startswith("end ")]
    assert begins == ends
    assert len(lines) == 200 + 2 * len(begins)
    assert len(set(begins)) == len(begins)
    assert set(acknowledged) <= set(begins)
    assert len([one for one in acknowledged if one.startswith("agent")]) == SERVERS * ENTRIES
    assert len([one for one in acknowledged if one.startswith("killed")]) >= KILLED
    assert not [name for name in os.listdir(root) if name.startswith(".memgui")]

    ws = workspace.open(root)
    with workspace_lock(ws.state, timeout=0.1):
        pass
    versions.versions(ws, LOG)
    rows = Journal(ws.state).rows(DocPath(LOG))
    assert {row.state for row in rows} <= {IntentState.DONE, IntentState.ABORTED}
    done = [row for row in rows if row.state is IntentState.DONE]
    assert len(done) == len(begins)


async def _reads(client: ClientSession) -> None:
    assert "one" in (await value(client, "memory_read", path=LOG))["content"]


def test_servers_see_what_others_wrote_at_once(root: Path) -> None:
    async def two() -> None:
        with anyio.fail_after(PATIENCE_SECONDS):
            async with connected(root, name="a") as one, connected(root, name="b") as other:
                await value(one, "memory_write", content="one zeppelin", target=LOG)
                await _reads(other)
                found = await value(other, "memory_search", query="zeppelin")
                assert [hit["path"] for hit in found["results"]] == [LOG]
                await value(one, "memory_write", content="a balloon", target="new/place.md")
                found = await value(other, "memory_search", query="balloon")
                assert [hit["path"] for hit in found["results"]] == ["new/place.md"]
                (root / "new" / "place.md").write_text("a kite\n")
                assert (await value(other, "memory_search", query="balloon"))["results"] == []
                found = await value(other, "memory_search", query="kite")
                assert [hit["path"] for hit in found["results"]] == ["new/place.md"]

    anyio.run(two)
