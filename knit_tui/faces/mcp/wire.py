"""JSON-RPC lines on two descriptors, as the streams that the SDK's server runs on.

Both ends have a thread of their own, for a pipe or file may block for ever. What is no message is answered
with the error that JSON-RPC has for it. When the input ends, what is still asked for is answered before the
server hears of the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from knit_tui.faces.mcp.descriptors import Wire

LONGEST_LINE = 16 << 20
"""Bytes of one message."""
LONGEST_NAME = 256
"""Characters of a method or an id; they come back in answers."""
LONGEST_BATCH = 100
MOST_ASKED = 256
"""Requests that wait for their answers at a time; further ones are not read."""
LAST_SECONDS = 1.2
"""For the answers to what was asked before the input ended."""
_FLUSH_SECONDS = 0.2
_CHUNK = 1 << 16

Reading = MemoryObjectReceiveStream[SessionMessage | Exception]
Writing = MemoryObjectSendStream[SessionMessage]


class NoMessage(Exception):
    """What is no message; ``error`` answers it."""

    def __init__(self, code: int, why: str, request_id: RequestId | None = None) -> None:
        super().__init__(why)
        self.error = JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=why))


@asynccontextmanager
async def streams(wire: Wire, ending: Callable[[], None]) -> AsyncIterator[tuple[Reading, Writing]]:
    """The messages that come, and a stream for those that go.

    ``ending`` is called when the input has ended, or nobody reads the output: there is no time left.
    """
    inward, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, outward = anyio.create_memory_object_stream[SessionMessage](0)
    mail = _Mail(wire, inward, writing.clone(), ending)
    loop = asyncio.get_running_loop()
    threading.Thread(target=mail.read, args=(loop,), name="knit-mcp-in", daemon=True).start()
    threading.Thread(target=mail.write, args=(loop,), name="knit-mcp-out", daemon=True).start()
    async with anyio.create_task_group() as group:
        group.start_soon(mail.forward, outward)
        try:
            yield reading, writing
        finally:
            mail.close()
            with anyio.move_on_after(_FLUSH_SECONDS, shield=True):
                await mail.written.wait()
            group.cancel_scope.cancel()


class _Mail:
    """Between the descriptors and the streams. What is asked and not answered yet is known by its id."""

    def __init__(
        self,
        wire: Wire,
        inward: MemoryObjectSendStream[SessionMessage | Exception],
        own: Writing,
        ending: Callable[[], None],
    ) -> None:
        self._wire = wire
        self._inward = inward
        self._own = own
        self._ending = ending
        self._asked: set[RequestId] = set()
        self._refusals: list[SessionMessage] = []
        """Answers of our own that are not written yet."""
        self._outbox: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._going: asyncio.Future[None] | None = None
        self._broken = False
        self.written = anyio.Event()
        """All that was to go is gone."""

    # The threads.

    def read(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop may be gone before the input has ended.
        with suppress(RuntimeError, CancelledError):
            for line in lines(self._wire.input):
                _await(self._take(line), loop)
            _await(self._end(), loop)

    def write(self, loop: asyncio.AbstractEventLoop) -> None:
        while (parcel := self._outbox.get()) is not None:
            data, done = parcel
            if not self._broken:
                try:
                    _write_all(self._wire.output, data)
                except OSError:
                    self._broken = True
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, done)

    # The loop.

    async def forward(self, outward: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Hand over what goes, one message after the other."""
        loop = asyncio.get_running_loop()
        try:
            async with outward:
                async for parcel in outward:
                    message = parcel.message
                    if not self._broken:
                        self._going = loop.create_future()
                        self._outbox.put((encoded(message), self._going))
                        await self._going
                    if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
                        self._asked.discard(message.id)
                    self._refusals = [each for each in self._refusals if each is not parcel]
                    if self._broken:
                        self._ending()
                        self._inward.close()
        finally:
            self.written.set()

    def close(self) -> None:
        self._own.close()

    async def _take(self, line: bytes) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            for message in decoded(line):
                if isinstance(message, NoMessage):
                    refusal = SessionMessage(message.error)
                    self._refusals.append(refusal)
                    await self._own.send(refusal)
                    continue
                self._note(message)
                await self._inward.send(SessionMessage(message))
                while len(self._asked) > MOST_ASKED and not self._broken:
                    await anyio.sleep(0.01)

    def _note(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._asked.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            cancelled = (message.params or {}).get("requestId")
            if isinstance(cancelled, (str, int)):  # it will not be answered
                self._asked.discard(cancelled)

    async def _end(self) -> None:
        self._ending()
        with anyio.move_on_after(LAST_SECONDS):
            while (self._asked or self._refusals) and not self._broken:
                await anyio.sleep(0.01)
        if self._going is not None and not self._going.done():  # nobody reads, and nobody will
            self._broken = True
            self._going.set_result(None)
        self._inward.close()


def lines(descriptor: int) -> Iterator[bytes]:
    """The lines of a descriptor until it ends, without their line feeds; of one that is too long as much as
    shows that it is."""
    waiting = bytearray()
    while True:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            break
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            _add(waiting, part)
            yield bytes(waiting)
            waiting.clear()
        _add(waiting, rest)
    if waiting:
        yield bytes(waiting)


def _add(waiting: bytearray, part: bytes) -> None:
    waiting += part[: max(0, LONGEST_LINE + 1 - len(waiting))]


def decoded(line: bytes) -> list[JSONRPCMessage | NoMessage]:
    """The message of a line, or those of a batch, each to be answered by itself; none in an empty line."""
    if len(line) > LONGEST_LINE:
        return [NoMessage(INVALID_REQUEST, f"Message longer than {LONGEST_LINE >> 20} MiB")]
    line = line.removeprefix(b"\xef\xbb\xbf").strip()
    if not line:
        return []
    if not line.startswith(b"["):
        with suppress(ValidationError):
            return [_checked(jsonrpc_message_adapter.validate_json(line, by_name=False))]
    try:
        said = _loaded(line)
    except (ValueError, RecursionError):
        return [NoMessage(PARSE_ERROR, "Parse error")]
    batch = isinstance(said, list) and 0 < len(said) <= LONGEST_BATCH
    return [_message(each) for each in said] if batch else [_message(said)]


def _loaded(line: bytes) -> Any:
    """What a line says, halves of a surrogate pair replaced.

    Raises:
        ValueError, RecursionError: it is no JSON, or its id could not be given back.
    """
    said = json.loads(line.decode("utf-8", "replace"))
    if isinstance(said, dict) and isinstance(said.get("id"), str):
        said["id"].encode()
    whole = json.dumps(said, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(whole.decode("utf-16", "replace"))


def _message(said: Any) -> JSONRPCMessage | NoMessage:
    try:
        return _checked(jsonrpc_message_adapter.validate_python(said, by_name=False))
    except ValidationError:
        asked = said.get("id") if isinstance(said, dict) and "method" in said else None
        known = isinstance(asked, (str, int)) and not isinstance(asked, bool) and _short(asked)
        return NoMessage(INVALID_REQUEST, "Invalid request", asked if known else None)


def _checked(message: JSONRPCMessage) -> JSONRPCMessage | NoMessage:
    """``message``, unless what comes back in the answer is too long."""
    if isinstance(message, JSONRPCRequest) and not _short(message.id):
        return NoMessage(INVALID_REQUEST, "Invalid request: the id is too long")
    if isinstance(message, JSONRPCRequest) and len(message.method) > LONGEST_NAME:
        return NoMessage(INVALID_REQUEST, "Invalid request: the method is too long", message.id)
    return message


def _short(asked: str | int) -> bool:
    return len(asked) <= LONGEST_NAME if isinstance(asked, str) else abs(asked) < 1 << 63


def encoded(message: JSONRPCMessage) -> bytes:
    """A message as a line of ASCII: no character of a document can act on a terminal that shows it."""
    said = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _await(what: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> None:
    """Run ``what`` in the loop and wait for its end.

    Raises:
        RuntimeError, CancelledError: the loop has ended.
    """
    try:
        future = asyncio.run_coroutine_threadsafe(what, loop)
    except RuntimeError:
        what.close()
        raise
    future.result()


def _settle(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
