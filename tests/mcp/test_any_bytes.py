"""Whatever bytes and names stand in a workspace, every tool answers, and none of them is changed by being looked at."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import ClientSession

from memgui.domain.origin import Origin
from memgui.mcp.calls import Caller
from memgui.ops import workspace
from tests.mcp.client import error, talk, text, value

PEN = Origin.agent("pen")
_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("memory_tree", {"depth": 10}),
    ("memory_search", {"query": "needle"}),
    ("memory_search", {"query": "\ufffd"}),
    ("memory_read", {"path": "MEMORY.md"}),
    ("memory_read", {"path": "daily/2026-11-30.md"}),
    ("memory_read", {"path": ".agentsmith/memory/x.md"}),
    ("memory_read", {"path": "MEMORY.md", "list_versions": True}),
    ("memory_read", {"path": "MEMORY.md", "version": 1}),
    ("recall", {"query": "type:feedback"}),
    ("recall", {"query": "needle"}),
    ("memory", {"action": "read"}),
]
_WRITES: list[tuple[str, dict[str, Any]]] = [
    ("memory_write", {"content": "x", "target": "daily/2026-11-30.md"}),
    ("memory_write", {"old_string": "needle", "new_string": "pin", "target": "MEMORY.md"}),
    ("remember", {"type": "project", "name": "x", "description": "d", "body": "b"}),
    ("remember", {"type": "feedback", "name": "y", "description": "d", "body": "b"}),
]
_PIECES = st.sampled_from(
    [
        *(b"---\n", b"name: x\n", b"type: feedback\n", b"metadata:\n  type: project\n", b"status: ratified\n", b"\r\n"),
        *(b"\xef\xbb\xbf", b"\x00", b"\xff\xfe", b"- [x](x.md) (project) \xe2\x80\x94 d\n", b"# Memory index\n", b"\r"),
        *(b"[[x]] [a](x.md)\n", b"needle\n", b"[14:03:05] needle\n", b"\xed\xa0\x80", b"```\n", b"<!--", b"\xc2\x85"),
    ]
)
_BYTES = st.lists(_PIECES | st.binary(max_size=12), max_size=12).map(b"".join)


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    """One server for all that is tried: it sees what became of the files since."""
    (tmp_path / ".agentsmith" / "memory").mkdir(parents=True)
    begun = Caller(workspace.open(tmp_path, remember=False))
    yield begun
    begun.end()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(memory=_BYTES, log=_BYTES, fact=_BYTES, index=_BYTES)
def test_arbitrary_bytes_are_answered_and_stay(
    tmp_path: Path, caller: Caller, memory: bytes, log: bytes, fact: bytes, index: bytes
) -> None:
    root = tmp_path
    files = {"MEMORY.md": memory, "daily/2026-11-30.md": log}
    files |= {".agentsmith/memory/x.md": fact, ".agentsmith/memory/MEMORY.md": index}
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    for gone in (root / ".agentsmith" / "memory").glob("y.md"):
        gone.unlink()
    for tool, sent in _CALLS:
        json.dumps(caller.call(tool, sent, PEN).value, ensure_ascii=False).encode()
    assert {name: (root / name).read_bytes() for name in files} == files
    for tool, sent in _WRITES:
        caller.call(tool, sent, PEN).text.encode()
    # What was not written by name stays, byte for byte: an append adds, a patch changes its own text alone.
    assert (root / "daily/2026-11-30.md").read_bytes().startswith(log)
    assert (root / "MEMORY.md").read_bytes() in (memory, memory.replace(b"needle", b"pin"))


def test_names_that_no_text_can_hold_keep_nobody_from_the_rest(workspace_root: Path) -> None:
    top = os.fsencode(workspace_root)
    os.mkdir(top + b"/dir\xfe")
    for name in (b"bad\xff.md", b"dir\xfe/x.md", b"new\nline.md", "bidi\u202e.md".encode(), b"-rf.md", b"%s%n.md"):
        with open(top + b"/" + name, "wb") as file:
            file.write(b"zeppelin\n")

    async def work(client: ClientSession) -> None:
        tree = await client.call_tool("memory_tree", {"depth": 2})
        assert not tree.is_error
        listed: Any = tree.structured_content
        assert json.loads(text(tree)) == listed["result"]
        assert {"dir\\xfe/": ["x.md"]} in listed["result"]
        found = await value(client, "memory_search", query="zeppelin", limit=20)
        paths = {one["path"] for one in found["results"]}
        assert paths == {"bad\\xff.md", "dir\\xfe/x.md", "new\nline.md", "bidi\u202e.md", "-rf.md", "%s%n.md"}
        for path in paths:
            assert (await value(client, "memory_read", path=path))["content"] == "zeppelin\n"
            assert (await value(client, "memory_read", path=path, list_versions=True))["version_count"] == 1
        for path in paths - {"-rf.md", "%s%n.md"}:
            told = await error(client, "memory_write", content="x", target=path)
            assert told["code"] in ("InvalidParameters", "ExecutionFailed")

    before = sorted(os.listdir(top))
    talk(workspace_root, work)
    assert sorted(os.listdir(top)) == before
