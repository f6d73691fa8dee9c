"""The agents' side: searches of a warm server, starts beside what they cannot do without, facts by thousands."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import anyio

from memgui.ops import check, workspace
from memgui.ops.preferences import Places
from tests.bench.measure import Row, percentile, spread, tell
from tests.bench.workspace import RARE, words
from tests.mcp.client import connected, value
from tests.mcp.raw import HELLO, answer, say

_SEARCHES = 60
_STARTS = 9
_FACTS = 2000

_LIBRARIES = "import click, dataclasses, datetime, enum, json, pathlib, platformdirs, re, sqlite3, typing, unicodedata"
"""What a verb that reads is made of."""

_BARE_SERVER = """
import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import ListToolsResult, Tool

async def tools(context, params):
    return ListToolsResult(tools=[Tool(name="nothing", description="Nothing.", input_schema={"type": "object"})])

async def main():
    server = Server("bare", on_list_tools=tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""

_LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def _queries() -> list[str]:
    known = words()
    return [
        *(
            RARE,
            "POL-358",
            "港口",
            known[1500],
            f"{known[300]} {known[900]}",
            f"{known[2000]} {known[3000]} {known[10]}",
        ),
        f"what did we decide about the {known[500]}",
    ]


def searches(root: Path) -> list[Row]:
    """As a client meets them, after the first; turn by turn with a tool that only answers."""
    found: list[float] = []
    bare: list[float] = []
    first = 0.0

    async def timed(deed: Callable[[], Awaitable[object]]) -> float:
        begun = perf_counter()
        await deed()
        return (perf_counter() - begun) * 1000

    async def session() -> None:
        nonlocal first
        async with connected(root, name="bench") as client:

            def ask(query: str) -> Callable[[], Awaitable[object]]:
                return lambda: value(client, "memory_search", query=query)

            asked = _queries()
            first = await timed(ask(asked[0]))
            for query in asked:
                await timed(ask(query))
            for number in range(_SEARCHES):
                bare.append(await timed(lambda: value(client, "memory", action="read")))
                found.append(await timed(ask(asked[number % len(asked)])))

    anyio.run(session)
    round_trip = percentile(bare, 0.5)
    note = f"{spread(found)} ms; the first of all {first:.0f} ms"
    return [
        Row(
            "memory_search, warm server, p50",
            percentile(found, 0.5),
            "ms",
            60.0,
            f"a bare call {round_trip:.1f} ms",
            note,
        ),
        Row(
            "memory_search, warm server, p95", percentile(found, 0.95), "ms", 250.0, f"a bare call {round_trip:.1f} ms"
        ),
    ]


def _started(command: list[str]) -> float:
    """Until it has listed its tools."""
    begun = perf_counter()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        say(server, HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, _LIST)
        answer(server, 2)
        taken = (perf_counter() - begun) * 1000
        assert server.stdin is not None
        server.stdin.close()
    return taken


def _ended(command: list[str]) -> float:
    begun = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (perf_counter() - begun) * 1000


def starts(place: Path) -> list[Row]:
    """In turns, each once before it counts."""
    place.mkdir()
    (place / "MEMORY.md").write_text("# Memory\n")
    python, memgui = [sys.executable], [sys.executable, "-P", "-m", "memgui"]
    ways: dict[str, Callable[[], float]] = {
        "interpreter": lambda: _ended([*python, "-c", "pass"]),
        "libraries": lambda: _ended([*python, "-c", _LIBRARIES]),
        "verb": lambda: _ended([*memgui, "tree", "-w", str(place), "--json"]),
        "sdk": lambda: _started([*python, "-c", _BARE_SERVER]),
        "server": lambda: _started([*memgui, "mcp", "-w", str(place)]),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(_STARTS + 1):
        for name, way in ways.items():
            once = way()
            if turn:
                taken[name].append(once)
    usual = {name: percentile(times, 0.5) for name, times in taken.items()}
    return [
        Row(
            "start of the server, tools listed",
            usual["server"] / usual["sdk"],
            "×",
            1.15,
            f"the SDK alone {usual['sdk']:.0f} ms",
            f"{spread(taken['server'])} ms",
        ),
        Row(
            "a verb from start to end",
            usual["verb"] / usual["libraries"],
            "×",
            None,
            f"its libraries {usual['libraries']:.0f} ms",
            f"{spread(taken['verb'])} ms; the interpreter alone {usual['interpreter']:.0f} ms",
        ),
    ]


def _store(root: Path) -> None:
    store = root / ".agentsmith" / "memory"
    store.mkdir(parents=True)
    index = ["# Memory index", ""]
    for number in range(_FACTS):
        about = f"The fact number {number}"
        (store / f"fact-{number}.md").write_text(
            f"---\nname: fact-{number}\ndescription: {about}\nmetadata:\n  type: project\n---\n\n"
            f"Text with [a link](fact-{(number + 1) % _FACTS}.md).\n\n- one\n- two {number}\n"
        )
        index.append(f"- [fact-{number}](fact-{number}.md) (project) — {about}")
    (store / "MEMORY.md").write_text("\n".join(index) + "\n")


def facts(root: Path) -> list[Row]:
    """Two thousand facts in a warm server, and the check of them."""
    _store(root)
    taken: dict[str, list[float]] = {"recall": [], "remember": []}

    async def session() -> None:
        async with connected(root, name="bench") as client:
            await value(client, "recall", query="number")
            for turn in range(20):
                begun = perf_counter()
                await value(client, "recall", query=f"number {turn}")
                taken["recall"].append((perf_counter() - begun) * 1000)
                begun = perf_counter()
                name = f"fact-{turn}" if turn % 2 else f"new-{turn}"
                await value(client, "remember", type="project", name=name, description="d", body=f"{turn}")
                taken["remember"].append((perf_counter() - begun) * 1000)

    anyio.run(session)
    ws = workspace.open(root)
    checks = []
    for _turn in range(3):
        begun = perf_counter()
        assert not check.check(ws)
        checks.append((perf_counter() - begun) * 1000)
    goals = {"recall": 100.0, "remember": 100.0}
    rows = [
        Row(f"{name} among 2,000 facts, p50", percentile(times, 0.5), "ms", goals[name], "", f"{spread(times)} ms")
        for name, times in taken.items()
    ]
    return [*rows, Row("check of 2,000 facts", percentile(checks, 0.5), "ms", 1500.0, "", f"{spread(checks)} ms")]


def _without_limits() -> None:
    file = Places.find().settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[limits]\nper_minute = 0\nper_hour = 0\nworkspace_per_minute = 0\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=Path(sys.argv[1]).parent) as folder:
        os.environ["MEMGUI_HOME"] = str(Path(folder, "memgui"))
        _without_limits()
        tell(searches(Path(sys.argv[1])))
        tell(starts(Path(folder, "small")))
        tell(facts(Path(folder, "facts")))
