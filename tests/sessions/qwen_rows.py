"""Records of Qwen Code in the true shape, and what reading them gives."""

from __future__ import annotations

from typing import Any

from knit_tui.sessions.events import SessionInfo
from knit_tui.sessions.formats.qwen import FORMAT
from knit_tui.sessions.paths import Place
from tests.sessions.laws import short
from tests.sessions.logs import ROOT, SESSION

Row = dict[str, Any]


class Qwen:
    """Rows of one session, each the child of the one before unless told otherwise."""

    def __init__(self, cwd: str = ROOT, session: str = SESSION) -> None:
        self.cwd, self.session, self.count = cwd, session, 0
        self.last: str | None = None

    def row(self, kind: str, **more: Any) -> Row:
        self.count += 1
        row = {
            "uuid": f"q{self.count}",
            "parentUuid": more.pop("parent", self.last),
            "sessionId": self.session,
            "timestamp": f"2026-03-01T10:00:{self.count % 60:02}.000Z",
            "type": kind,
            "cwd": self.cwd,
            "version": "0.24.4",
        } | more
        self.last = row["uuid"]
        return row

    def user(self, *texts: str, **more: Any) -> Row:
        message = {"role": "user", "parts": [{"text": text} for text in texts]}
        return self.row("user", **({"message": message, "provenance": "real_user"} | more))

    def says(self, *texts: str, calls: tuple[Row, ...] = (), **more: Any) -> Row:
        parts = [*({"text": text} for text in texts), *({"functionCall": call} for call in calls)]
        return self.row("assistant", message={"role": "model", "parts": parts}, **more)

    def call(self, name: str, call_id: str, /, **args: Any) -> Row:
        return self.says(calls=({"id": call_id, "name": name, "args": args},))

    def done(
        self, call_id: str, said: str = "", status: str | None = "success", display: Any = "", **more: Any
    ) -> Row:
        """The result of a call; without ``status`` as older versions wrote it."""
        response = {"error" if status in ("error", "cancelled") else "output": said}
        parts = [{"functionResponse": {"id": call_id, "name": "x", "response": response}}]
        result = {"callId": call_id, "status": status, "resultDisplay": display}
        detail = {} if status is None else {"toolCallResult": result}
        return self.row("tool_result", message={"role": "user", "parts": parts}, **(detail | more))

    def system(self, subtype: str, payload: Any = None, **more: Any) -> Row:
        return self.row("system", subtype=subtype, systemPayload=payload or {}, **more)

    def named(self, *files: str, typed: str = "", status: str = "success") -> Row:
        """The record of the files a prompt names."""
        return self.system("at_command", {"filesRead": list(files), "status": status, "userText": typed})


def events(*rows: Row, place: Place | None = None, name: str = SESSION) -> list[str]:
    """What the rows give after the first line, which says whose the session is."""
    decoder = FORMAT.decoder(place or Place((ROOT,)), name)
    told = [event for row in rows for event in decoder.decode(row)] + decoder.settle()
    if told:
        assert isinstance(told[0], SessionInfo)
    return [short(event) for event in told[1:]]
