"""The server as a client meets it: over stdio, in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession

from memgui.ops import preferences, refusals, versions, workspace
from tests.mcp.client import error, refused, talk, text, value
from tests.mcp.raw import HELLO, READY, answer, call, closed, command, say, started


def test_a_session_with_the_four_memory_tools(workspace_root: Path) -> None:
    async def work(client: ClientSession) -> None:
        tree = await client.call_tool("memory_tree", {})
        assert tree.structured_content == {"result": json.loads(text(tree))}
        assert tree.structured_content["result"][:2] == ["AGENTS.md", "HEARTBEAT.md"]
        assert {"projects/": [{"crane/": ["plan.md"]}, "notes.md"]} in await _tree(client, depth=99)
        assert await _tree(client, path="projects", depth=-4) == ["crane/", "notes.md"]

        found = await client.call_tool("memory_search", {"query": "crane", "limit": 1000})
        assert found.structured_content == json.loads(text(found))
        answer: Any = found.structured_content
        assert answer["result_count"] == len(answer["results"]) <= 20
        assert {"query", "results", "result_count", "terms", "confident"} == set(answer)
        assert set(answer["results"][0]) == {
            *("content", "score", "document_id", "is_hybrid_match", "path", "line", "match"),
        }
        assert (await value(client, "memory_search", query="crane", limit=-1))["result_count"] == 1

        read = await client.call_tool("memory_read", {"path": "SOUL.md"})
        assert read.structured_content == json.loads(text(read))
        assert set(read.structured_content) == {"path", "content", "word_count", "updated_at"}

        assert await value(client, "memory_write", content="é", target="memory") == {
            "status": "written",
            "path": "MEMORY.md",
            "append": True,
            "content_length": 2,
        }
        assert await value(
            client, "memory_write", target="MEMORY.md", old_string="é", new_string="e", replace_all=True
        ) == {
            "status": "patched",
            "path": "MEMORY.md",
            "replacements": 1,
            "content_length": (workspace_root / "MEMORY.md").stat().st_size,
        }
        listed = await value(client, "memory_read", path="MEMORY.md", list_versions=True)
        assert set(listed) == {"path", "versions", "version_count"}
        assert listed["versions"][-1]["changed_by"] == 'agent "scribe"'
        first = await value(client, "memory_read", path="MEMORY.md", version=1)
        assert set(first) == {"path", "version", "content", "content_hash", "created_at", "changed_by"}

    talk(workspace_root, work)


def test_a_session_with_facts_and_the_note(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    (root / ".agentsmith" / "memory").mkdir(parents=True)

    async def work(client: ClientSession) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            *("memory_search", "memory_write", "memory_read", "memory_tree", "memory", "recall", "remember"),
        ]
        fact = {"type": "Feedback", "name": "ask-first", "description": "Ask: always", "body": "Before a release."}
        kept = await client.call_tool("remember", fact)
        answer: Any = kept.structured_content
        assert set(answer) == {"name", "type", "status", "path", "message"}
        assert (answer["type"], answer["status"]) == ("feedback", "proposed")
        assert text(kept) == answer["message"]

        recalled = await client.call_tool("recall", {"query": "release"})
        assert [one["name"] for one in recalled.structured_content["facts"]] == ["ask-first"]
        assert text(recalled) == "## ask-first (feedback, proposed)\nAsk: always\n\nBefore a release."
        assert await value(client, "recall", query="nothing") == {"facts": []}
        assert (await error(client, "memory_write", content="x", target="memory"))["code"] == "NotAuthorized"

        first = await client.call_tool("memory", {"action": "append", "content": "look at berth 7"})
        assert first.structured_content == {"action": "append", "ok": True, "length": 15, "text": "look at berth 7"}
        assert text(first) == "look at berth 7"
        assert (await value(client, "memory", action="append"))["length"] == 15
        assert (await value(client, "memory", action="read", content="ignored"))["text"] == "look at berth 7"
        assert (await error(client, "memory", action="replace"))["code"] == "InvalidParameters"
        assert (await value(client, "memory", action="replace", content=""))["length"] == 0
        assert (await error(client, "memory", action="erase"))["code"] == "InvalidParameters"

    talk(root, work)


async def _tree(client: ClientSession, **arguments: Any) -> Any:
    return (await value(client, "memory_tree", **arguments))["result"]


def test_a_later_search_finds_what_was_written_since(workspace_root: Path) -> None:
    async def work(client: ClientSession) -> None:
        assert (await value(client, "memory_search", query="zeppelin"))["results"] == []
        await value(client, "memory_write", content="The zeppelin comes on Friday.", target="memory")
        found = await value(client, "memory_search", query="zeppelin")
        assert [one["path"] for one in found["results"]] == ["MEMORY.md"]
        (workspace_root / "projects" / "notes.md").write_text("A zeppelin from outside.\n")
        (workspace_root / "MEMORY.md").unlink()
        found = await value(client, "memory_search", query="zeppelin")
        assert [one["path"] for one in found["results"]] == ["projects/notes.md"]

    talk(workspace_root, work)


def test_wrong_calls_are_answered_by_us_and_do_nothing(workspace_root: Path) -> None:
    before = {path: path.read_bytes() for path in workspace_root.rglob("*") if path.is_file()}

    async def work(client: ClientSession) -> None:
        assert (await error(client, "memory_search", query="crane", limit="7"))["message"] == (
            "limit must be a whole number"
        )
        assert (await error(client, "memory_write", content="x", targte="memory"))["hint"] == "Did you mean 'target'?"
        assert (await error(client, "memory_rite", content="x"))["code"] == "InvalidParameters"
        told = await error(client, "memory_write", content="x", target=" SOUL.md")
        assert told["code"] == "NotAuthorized"
        assert told["message"] == ("writing to 'SOUL.md' is not allowed (identity file protected from tool access)")
        assert (await error(client, "memory_read", path="nothing.md"))["message"].startswith("Read failed: ")

    talk(workspace_root, work)
    assert {path: path.read_bytes() for path in workspace_root.rglob("*") if path.is_file()} == before
    noted = refusals.refusals(workspace.open(workspace_root))
    assert [(one.tool, one.origin.label) for one in noted][:1] == [("memory_search", 'agent "scribe"')]
    assert "SOUL.md" in {one.target.strip() for one in noted}


def test_a_write_that_waits_says_so_and_so_does_the_tool(workspace_root: Path) -> None:
    settings = preferences.load()
    preferences.save(settings.holding(workspace_root.resolve(), ["MEMORY.md"]), known=settings)
    before = (workspace_root / "MEMORY.md").read_bytes()

    async def work(client: ClientSession) -> None:
        about = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}
        assert "MEMORY.md: the answer is then" in about["memory_write"]
        assert "MEMORY.md: the answer is then" not in about["memory_read"]
        result = await client.call_tool("memory_write", {"content": "x", "target": "memory"})
        answer: Any = result.structured_content
        assert json.loads(text(result)) == answer
        assert (set(answer), answer["status"], answer["path"]) == ({"status", "path", "change"}, "held", "MEMORY.md")

    talk(workspace_root, work)
    assert (workspace_root / "MEMORY.md").read_bytes() == before


def test_too_many_writes_are_told_when_to_come_again(workspace_root: Path) -> None:
    async def work(client: ClientSession) -> None:
        for _number in range(20):
            await value(client, "memory_write", content="again", target="log.md")
        told = await error(client, "memory_write", content="again", target="log.md")
        assert told["code"] == "RateLimited"
        assert 0 < told["retry_after"] <= 60

    talk(workspace_root, work)
    assert (workspace_root / "log.md").read_text() == "again\n" * 20


def test_the_agent_is_called_as_the_server_was_told(workspace_root: Path) -> None:
    async def work(client: ClientSession) -> None:
        await value(client, "memory_write", content="x", target="a.md")

    talk(workspace_root, work, "--agent", "night shift", name="you")
    ws = workspace.open(workspace_root)
    assert versions.versions(ws, "a.md")["versions"][-1]["changed_by"] == 'agent "night shift"'


def test_nothing_but_protocol_is_printed_and_the_end_of_input_ends_it(workspace_root: Path) -> None:
    said = "".join(json.dumps(line) + "\n" for line in (HELLO, READY, call(2, "memory_tree", {})))
    result = subprocess.run(command(workspace_root), input=said, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0
    assert result.stderr == ""
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["id"] for line in lines] == [1, 2]
    assert lines[1]["result"]["structuredContent"]["result"]
    assert not list(_notes().glob("*.json"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_its_note(workspace_root: Path, number: signal.Signals) -> None:
    with started(workspace_root) as server:
        say(server, HELLO, READY, call(2, "memory", {"action": "append", "content": "x"}))
        answer(server, 2)
        (note,) = _notes().glob("*.json")
        assert note.stat().st_mode & 0o777 == 0o600
        server.send_signal(number)
        assert server.wait(30) == 128 + number
        assert closed(server) == (128 + number, "")
        assert not list(_notes().glob("*.json"))


def test_calls_that_were_piped_are_all_answered_before_the_end(workspace_root: Path) -> None:
    writes = [call(number, "memory_write", {"content": f"{number}", "target": "a.md"}) for number in range(2, 12)]
    reads = [call(number, "memory_search", {"query": "crane"}) for number in range(12, 16)]
    said = "".join(json.dumps(line) + "\n" for line in (HELLO, READY, *writes, *reads))
    result = subprocess.run(command(workspace_root), input=said, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    answers = {line["id"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert set(answers) == set(range(1, 16))
    assert all("result" in line for line in answers.values())
    assert (workspace_root / "a.md").read_text().split() == [f"{number}" for number in range(2, 12)]


def test_garbage_between_calls_is_passed_over(workspace_root: Path) -> None:
    odd = b'not json\n\xff\xfe\n[]\n{}\nnull\n{"jsonrpc": "2.0", "id": 5, "method": "nothing"}\n'
    said = b"".join(json.dumps(line).encode() + b"\n" for line in (HELLO, READY))
    said += odd + json.dumps(call(9, "memory_tree", {})).encode() + b"\n" + b'{"jsonrpc":"2.0","id":3,"met'
    result = subprocess.run(command(workspace_root), input=said, capture_output=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, b"")
    answers = {line["id"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert answers[9]["result"]["structuredContent"]["result"]
    assert answers[5]["error"]["code"] == -32601


def test_a_cancelled_call_leaves_a_server_that_answers(workspace_root: Path) -> None:
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    with started(workspace_root) as server:
        say(server, HELLO, READY, call(2, "memory_search", {"query": "crane"}), cancelled)
        say(server, call(3, "memory_tree", {}))
        assert answer(server, 3)["result"]["structuredContent"]["result"]
        assert closed(server) == (0, "")


def test_a_value_out_of_the_schema_is_refused_not_by_the_client(workspace_root: Path) -> None:
    async def work(client: ClientSession) -> None:
        result = await client.call_tool("memory_tree", {"depth": 2.5})
        assert refused(result)["message"] == "depth must be a whole number"

    talk(workspace_root, work)


def _notes() -> Path:
    return Path(os.environ["XDG_RUNTIME_DIR"], "memgui", "notes")
