"""Records of the Gemini CLI in the true shape, and what reading them gives."""

from __future__ import annotations

from typing import Any

from knit_tui.sessions.events import SessionInfo
from knit_tui.sessions.formats.gemini import FORMAT
from knit_tui.sessions.formats.gemini_folders import digest
from knit_tui.sessions.paths import Place
from tests.sessions.laws import of_records, short
from tests.sessions.logs import ROOT

Row = dict[str, Any]
FOLDERS = f"- **Workspace Directories:**\n  - {ROOT}"
CONTEXT = f"<session_context>\nThis is the Gemini CLI.\n{FOLDERS}\n</session_context>"
WHEN = "2026-11-30T01:58:09.013Z"


def header(**more: Any) -> Row:
    return {"sessionId": "8fb3c9a6", "projectHash": digest(ROOT), "startTime": WHEN, "kind": "main"} | more


def user(name: str, *texts: str, **more: Any) -> Row:
    content = [{"text": text} for text in texts]
    return {"id": name, "timestamp": WHEN, "type": "user", "content": content} | more


def says(name: str, text: str, *calls: Row) -> Row:
    """An answer as it is written when it is given."""
    row = {"id": name, "timestamp": WHEN, "type": "gemini", "content": text, "model": "gemini-3-pro"}
    return row | ({"toolCalls": list(calls)} if calls else {})


def turn(name: str, *texts: str) -> Row:
    """An answer as it is put together from a history."""
    return {"id": name, "timestamp": WHEN, "type": "gemini", "content": [{"text": text} for text in texts]}


def replaced(*messages: Row) -> Row:
    return {"$set": {"messages": list(messages), "lastUpdated": WHEN}}


def called(tool: str, status: str = "success", display: Any = "", said: str = "", **args: Any) -> Row:
    response = {"output" if status == "success" else "error": said}
    result = [{"functionResponse": {"id": "c", "name": tool, "response": response}}]
    call = {
        "id": f"{tool}-{sorted(args.items())}",
        "name": tool,
        "args": args,
        "status": status,
        "result": result,
    }
    return call | {"resultDisplay": display}


def begun() -> list[Row]:
    return [header(), replaced(user("env", CONTEXT))]


def events(*rows: Row, root: str = ROOT) -> list[str]:
    told = of_records(FORMAT, [*begun(), *rows], root)
    assert isinstance(told[0], SessionInfo)
    return [short(event) for event in told[1:]]


def calls(*given: Row, place: Place | None = None) -> list[str]:
    decoder = FORMAT.decoder(place or Place((ROOT,)), "s", ROOT)
    told = [event for row in (header(), says("a", "", *given)) for event in decoder.decode(row)]
    return [short(event) for event in told if not isinstance(event, SessionInfo)]
