"""A client made by the SDK, talking to a server in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, Implementation

T = TypeVar("T")

PATIENCE_SECONDS = 60


@asynccontextmanager
async def connected(root: Path, *options: str, name: str = "scribe") -> AsyncIterator[ClientSession]:
    """A session with a server on a workspace."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-W", "error", "-m", "memgui", "mcp", "-w", str(root), *options],
        env=dict(os.environ),
    )
    async with (
        stdio_client(server) as (incoming, outgoing),
        ClientSession(incoming, outgoing, client_info=Implementation(name=name, version="1")) as session,
    ):
        await session.initialize()
        yield session


def talk(root: Path, work: Callable[[ClientSession], Awaitable[T]], *options: str, name: str = "scribe") -> T:
    """Do some work in one session, and close it."""

    async def session() -> T:
        with anyio.fail_after(PATIENCE_SECONDS):
            async with connected(root, *options, name=name) as client:
                return await work(client)

    return anyio.run(session)


async def value(client: ClientSession, tool: str, **arguments: Any) -> Any:
    """What a call answers; it must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


async def error(client: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    """How a call is refused."""
    result = await client.call_tool(tool, arguments)
    return refused(result)


def refused(result: CallToolResult) -> dict[str, Any]:
    """The error in a result, with all that the contract says of its form."""
    assert result.is_error
    assert isinstance(result.structured_content, dict)
    assert list(result.structured_content) == ["error"]
    told: dict[str, Any] = result.structured_content["error"]
    assert {"code", "message", "hint"} <= set(told)
    assert text(result) == told["message"]
    return told


def text(result: CallToolResult) -> str:
    """The one text of a result."""
    (block,) = result.content
    assert block.type == "text"
    return block.text
