"""What is pasted to connect an agent: valid in the form that each program reads, whatever the folder is called."""

from __future__ import annotations

import json
import shlex
import tomllib

import pytest

from memgui.domain.connecting import setups


@pytest.mark.parametrize("folder", ["/home/mara/memory", '/home/a b/"quoted"\\', "/home/it's", "/港口/\x7f"])
def test_each_program_gets_the_same_command(folder: str) -> None:
    command = ["/opt tools/memgui"]
    wanted = ["/opt tools/memgui", "mcp", "-w", folder]
    texts = {setup.program: setup.text for setup in setups(command, folder)}
    assert list(texts) == ["Claude Code", "Codex", "Cursor", "VS Code", "OpenClaw"]

    assert shlex.split(texts["Claude Code"]) == ["claude", "mcp", "add", "memgui", "--", *wanted]
    codex = tomllib.loads(texts["Codex"])["mcp_servers"]["memgui"]
    cursor = json.loads(texts["Cursor"])["mcpServers"]["memgui"]
    code = json.loads(texts["VS Code"])["servers"]["memgui"]
    words = shlex.split(texts["OpenClaw"])
    assert words[:4] == ["openclaw", "mcp", "set", "memgui"]
    for server in (codex, cursor, code, json.loads(words[4])):
        assert [server["command"], *server["args"]] == wanted
    assert code["type"] == "stdio"


def test_without_a_workspace_a_stand_in_is_named() -> None:
    assert all("/path/to/workspace" in setup.text for setup in setups(["memgui"]))
