"""The end of the input: what was asked before it is answered first. A script that pipes its calls gets its answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

_CANCELLED = "notifications/cancelled"

Incoming = SessionMessage | Exception


class _Unanswered:
    """The requests that wait for their answer."""

    def __init__(self) -> None:
        self._ids: set[object] = set()
        self._none = anyio.Event()

    def ask(self, item: Incoming) -> None:
        message = item.message if isinstance(item, SessionMessage) else None
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            # Nobody waits for it any more, and there may be no answer.
            self._settle((message.params or {}).get("requestId"))

    def answer(self, item: SessionMessage) -> None:
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._settle(item.message.id)

    def _settle(self, id_: object) -> None:
        self._ids.discard(id_)
        if not self._ids:
            self._none.set()

    async def none(self) -> None:
        while self._ids:
            self._none = anyio.Event()
            await self._none.wait()


@asynccontextmanager
async def answering_all(
    incoming: ReadStream[Incoming], outgoing: WriteStream[SessionMessage], *, seconds: float
) -> AsyncIterator[tuple[ReadStream[Incoming], WriteStream[SessionMessage]]]:
    """The same streams, but the input ends only when all that was asked is answered, or after so many seconds."""
    unanswered = _Unanswered()
    inward, read = anyio.create_memory_object_stream[Incoming](0)
    write, outward = anyio.create_memory_object_stream[SessionMessage](0)

    async def pass_in() -> None:
        async with incoming, inward:
            async for item in incoming:
                unanswered.ask(item)
                await inward.send(item)
            with anyio.move_on_after(seconds):
                await unanswered.none()

    async def pass_out() -> None:
        async with outgoing, outward:
            async for item in outward:
                await outgoing.send(item)
                unanswered.answer(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_in)
        tasks.start_soon(pass_out)
        yield read, write
