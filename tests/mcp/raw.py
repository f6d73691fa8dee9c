"""The server spoken to line by line, as no client of the SDK does: cancelled, cut off, killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pen", "version": "1"}},
}
READY: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call of a tool as it goes over the line."""
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


def command(root: Path) -> list[str]:
    """How the server is started on a workspace."""
    return [sys.executable, "-P", "-W", "error", "-m", "memgui", "mcp", "-w", str(root)]


def started(root: Path) -> subprocess.Popen[str]:
    """The server, its input and output in hand."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command(root), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def say(server: subprocess.Popen[str], *lines: dict[str, Any]) -> None:
    """Send these lines."""
    assert server.stdin is not None
    server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    server.stdin.flush()


def answer(server: subprocess.Popen[str], number: int) -> dict[str, Any]:
    """The answer to the call of this number."""
    assert server.stdout is not None
    while (line := json.loads(server.stdout.readline())).get("id") != number:
        pass
    found: dict[str, Any] = line
    return found


def closed(server: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code, and what was said beside the protocol, once no more is sent."""
    _out, said = server.communicate(timeout=30)
    return server.returncode, said
