"""The MCP server: one tool, both eras of the protocol, on the official SDK."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListRootsRequest,
    ListRootsResult,
    ListToolsResult,
    NotificationParams,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from knit_tui import __version__
from knit_tui.faces.mcp.arguments import DESCRIPTION, INPUT_SCHEMA, BadArguments, Call, parsed
from knit_tui.faces.mcp.descriptors import Wire
from knit_tui.faces.mcp.desk import Answer, Desk, Job, Opener, Refused
from knit_tui.faces.mcp.roots import Named, NoWorkspace, checked, current, declared, named
from knit_tui.faces.mcp.wire import streams

if TYPE_CHECKING:
    from knit_tui.faces.mcp.audit import Delivered

TOOL = "knit_docs"
INSTRUCTIONS = "knit_docs ranks this workspace's documents and code for the task at hand, with reasons."
PATIENCE = 2.5
"""Seconds until the answer that there is by then is given."""
FIRST_PATIENCE = 20.0
"""Seconds until there must be any."""
ROOTS_SECONDS = 2.0
CLOSE_SECONDS = 0.5
_PARENT_SECONDS = 0.5

LISTING = "The files of the workspace are still being listed; ask again in a moment."

Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command and the environment say."""

    root: str | None
    environ: Mapping[str, str]
    home: Path


def serve(wire: Wire, settings: Settings, open_it: Opener) -> None:
    """Answer until the input ends, the parent is gone or a signal comes."""
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False
    desk = Desk(open_it)
    anyio.run(partial(_serve, wire, settings, desk))
    if not desk.close(CLOSE_SECONDS):
        os._exit(0)  # in the middle of something long; nothing of it is half written


async def _serve(wire: Wire, settings: Settings, desk: Desk) -> None:
    tool = _KnitDocs(settings, desk)
    server: Server[Any] = Server(
        "knit",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=tool.list,
        on_call_tool=tool.call,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", NotificationParams, tool.roots_changed
    )
    async with anyio.create_task_group() as group:
        group.start_soon(_until_signal, group.cancel_scope)
        group.start_soon(_until_orphaned, group.cancel_scope)
        async with streams(wire, tool.hurry) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _until_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            scope.cancel()


async def _until_orphaned(scope: anyio.CancelScope) -> None:
    """The input does not end with the parent when another child of it holds the other end, too."""
    parent = os.getppid()
    while os.getppid() == parent:
        await anyio.sleep(_PARENT_SECONDS)
    scope.cancel()


class _KnitDocs:
    """The tool, for one client."""

    def __init__(self, settings: Settings, desk: Desk) -> None:
        self._settings = settings
        self._desk = desk
        self._named = named(settings.root, settings.environ)
        self._roots: Named | None = None
        self._asked_roots = False
        self._before: Delivered | None = None
        self._waiters: set[_Waiter] = set()
        self._hurried = False

    def hurry(self) -> None:
        """There is no time left: what is asked for is answered with what there is."""
        self._hurried = True
        self._desk.hurry()
        for waiter in self._waiters:
            waiter.hurry()

    async def list(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[definition()])

    async def roots_changed(self, context: Context, params: NotificationParams) -> None:
        self._asked_roots = False

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name != TOOL:
            raise MCPError(INVALID_PARAMS, f"Unknown tool; there is only {TOOL}")
        try:
            call = parsed(params.arguments or {})
            root = await self._root(context.session)
            answer = await self._answer(call, root, context)
        except (BadArguments, NoWorkspace, Refused) as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        self._before = answer.delivered
        text = TextContent(type="text", text=answer.text)
        return CallToolResult(content=[text], structured_content=answer.content)

    async def _root(self, session: ServerSession) -> Path:
        """The workspace, looked at anew each time: a folder may come, go, or be another one."""
        home = self._settings.home
        root = self._named or await self._declared(session) or current(home)
        return checked(root, home)

    async def _declared(self, session: ServerSession) -> Named | None:
        """The root that the client declares, where it can be asked for it."""
        if self._asked_roots:
            return self._roots
        capabilities = session.client_capabilities
        if capabilities is None or capabilities.roots is None or not session.can_send_request:
            return None
        self._asked_roots = True
        try:
            with anyio.fail_after(ROOTS_SECONDS):
                told = await session.send_request(ListRootsRequest(), ListRootsResult)
        except (MCPError, ValidationError, TimeoutError):
            return self._roots
        self._roots = declared(str(root.uri) for root in told.roots)
        return self._roots

    async def _answer(self, call: Call, root: Path, context: Context) -> Answer:
        from knit_tui.faces.mcp.own import caller

        client = context.session.client_params
        name = client.client_info.name if client is not None else ""
        waiter = _Waiter(asyncio.get_running_loop())
        asked = caller(name, context.meta or {}, self._settings.environ)
        job = Job(call, root, asked, waiter.post, lambda: self._before)
        self._waiters.add(waiter)
        if self._hurried:
            waiter.hurry()
        self._desk.put(job)
        try:
            answer = await waiter.answer()
        finally:
            job.cancelled = True
            self._waiters.discard(waiter)
        if isinstance(answer, Answer):
            return answer
        raise answer or Refused(LISTING)


class _Waiter:
    """Waits for the answers of one job: for the last one a while, then for any."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._some: Answer | Refused | None = None
        self._any = asyncio.Event()
        self._enough = asyncio.Event()
        self._hurried = False

    def post(self, answer: Answer | Refused, last: bool) -> None:
        """From the thread of the desk; the loop may be gone by then."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, answer, last)

    def hurry(self) -> None:
        """Any answer will do."""
        self._hurried = True
        if self._some is not None:
            self._enough.set()

    def _take(self, answer: Answer | Refused, last: bool) -> None:
        self._some = answer
        self._any.set()
        if last or self._hurried:
            self._enough.set()

    async def answer(self) -> Answer | Refused | None:
        """The last answer if it comes soon, else the one there is, else the first that comes; None when there
        is none for long."""
        for event, seconds in ((self._enough, PATIENCE), (self._any, FIRST_PATIENCE)):
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), seconds)
            if self._some is not None:
                break
        return self._some


def definition() -> Tool:
    """The tool as clients list it."""
    schema = (resources.files("knit_tui.faces") / "schema" / f"{TOOL}.json").read_text("utf-8")
    return Tool(
        name=TOOL,
        title="Documents for the task",
        description=DESCRIPTION,
        input_schema=INPUT_SCHEMA,
        output_schema=json.loads(schema),
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )
