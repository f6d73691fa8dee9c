"""The server: the tools over the protocol's SDK, on the process's own input and output. Nothing else is printed."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ToolForm

from memgui import __version__
from memgui.domain.errors import ExecutionFailed
from memgui.domain.origin import Origin
from memgui.domain.workspace import Workspace
from memgui.mcp.calls import Caller, Result, failure
from memgui.mcp.finishing import answering_all
from memgui.mcp.parameters import schema_of
from memgui.mcp.tools import TOOLS, Tool

_READERS = 2
_LAST_WRITE_SECONDS = 15.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_INSTRUCTIONS = (
    "Memory that lasts between sessions, in Markdown files that a person reads and curates. Search it before you "
    "answer about earlier work, decisions, people or plans; write down what should be known later."
)

_Context = ServerRequestContext[None]


class MemoryServer:
    """The tools of one workspace for one client. Calls run beside the protocol, those that write one after another."""

    def __init__(self, ws: Workspace, tasks: TaskGroup, *, agent: str | None = None) -> None:
        self.caller = Caller(ws, agent=agent)
        self._tasks = tasks
        self._greeters = anyio.CapacityLimiter(1)
        self._writers = anyio.CapacityLimiter(1)
        self._readers = anyio.CapacityLimiter(_READERS)

    async def list_tools(self, context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        # The client need not wait until its note is published.
        self._tasks.start_soon(self._greet, _client(context))
        return ListToolsResult(tools=[_form(tool, self.caller.about(tool)) for tool in TOOLS])

    async def call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        tool = self.caller.tool(params.name)
        try:
            origin = await self._greet(_client(context))
            work = partial(self.caller.call, params.name, params.arguments or {}, origin)
            if tool is not None and tool.writes:
                # Once begun it is done, whatever the client says meanwhile; one still waiting never begins.
                result = await anyio.to_thread.run_sync(work, limiter=self._writers)
            else:
                result = await anyio.to_thread.run_sync(work, limiter=self._readers, abandon_on_cancel=True)
        except Exception as error:
            # An agent that is told so can go on; what happened is for whoever reads the log.
            logging.getLogger("memgui.mcp").error("%s failed", params.name, exc_info=error)
            result = failure(ExecutionFailed("memgui made a mistake, and this call did nothing more"))
        return _sent(result)

    async def _greet(self, client: str) -> Origin:
        return await anyio.to_thread.run_sync(self.caller.greet, client, limiter=self._greeters)

    async def writes_done(self) -> None:
        """Wait until no call writes; from then on none begins."""
        await self._writers.acquire_on_behalf_of(self)

    async def end(self) -> None:
        """The client has gone, or will be left alone: its note goes, after whoever publishes it at this moment."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.caller.end, limiter=self._greeters)


def serve(ws: Workspace, *, agent: str | None = None) -> int:
    """Serve one client on stdin and stdout until it goes, or the process is told to end; the exit code."""
    # On stderr: stdout is the protocol's.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="memgui: %(message)s")
    anyio.run(_served, ws, agent)
    return 0


async def _served(ws: Workspace, agent: str | None) -> None:
    async with anyio.create_task_group() as tasks:
        server = MemoryServer(ws, tasks, agent=agent)
        try:
            tasks.start_soon(_until_told, server)
            await _until_gone(server)
        finally:
            tasks.cancel_scope.cancel()
            await server.end()


async def _until_gone(server: MemoryServer) -> None:
    @asynccontextmanager
    async def nothing(_server: Server[None]) -> AsyncIterator[None]:
        yield None

    low: Server[None] = Server(
        "memgui",
        version=__version__,
        instructions=_INSTRUCTIONS,
        lifespan=nothing,
        on_list_tools=server.list_tools,
        on_call_tool=server.call_tool,
    )
    async with (
        stdio_server() as streams,
        answering_all(*streams, seconds=_LAST_WRITE_SECONDS) as (incoming, outgoing),
    ):
        await low.run(incoming, outgoing, low.create_initialization_options())


async def _until_told(server: MemoryServer) -> None:
    """End the process where a signal asks for it, after a write that has begun."""
    with anyio.open_signal_receiver(*_SIGNALS) as told:
        async for number in told:
            with anyio.move_on_after(_LAST_WRITE_SECONDS):
                await server.writes_done()
            await server.end()
            sys.stderr.flush()
            # A thread waits for a line that never comes, and would be waited for.
            os._exit(128 + number)


def _client(context: _Context) -> str:
    told = context.session.client_params
    return told.client_info.name if told is not None else ""


def _form(tool: Tool, about: str) -> ToolForm:
    return ToolForm(
        name=tool.name,
        title=tool.title,
        description=about,
        input_schema=schema_of(tool.parameters),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.destroys if tool.writes else None,
            open_world_hint=False,
        ),
    )


def _sent(result: Result) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=result.text)],
        structured_content=result.value,
        is_error=result.failed,
    )
