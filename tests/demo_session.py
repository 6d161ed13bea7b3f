"""The talk of the demo, and the records it becomes: ``python tests/demo_session.py`` writes them.

The texts stand here, readable; ``knit_tui/demo/session.jsonl`` is made from them and from the
files of the demo workspace, so what the agent "read" is what the files hold.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DEMO = Path(__file__).resolve().parents[1] / "knit_tui" / "demo"
WORKSPACE = DEMO / "workspace"
MODEL = "claude-opus-5-5"
VERSION = "2.1.328"

EDITED = "shoebox/order.py"
OLD = "    return sorted(photos, key=lambda photo: (photo.taken, photo.name))"
NEW = "    return sorted(photos, key=lambda photo: (photo.taken, natural_key(photo.name), photo.name))"

# (seconds before it, what it is, …): a turn begins with a prompt; "call" begins an answer of the model.
TALK: tuple[tuple[Any, ...], ...] = (
    (
        0.8,
        "prompt",
        "A photo that came back through a messenger is not grouped with its original. How does the"
        " near-duplicate check use the hash distance threshold and the time window?",
    ),
    (1.6, "call", "I'll read the notes on near-duplicates first, then the code that groups them."),
    (0.3, "read", "docs/duplicates.md"),
    (0.3, "read", "shoebox/duplicates.py"),
    (
        1.8,
        "call",
        "The notes name an exception for saved-again copies. Let me see if the tests cover it.",
    ),
    (0.3, "read", "tests/test_duplicates.py"),
    (
        2.4,
        "answer",
        "`docs/duplicates.md` promises that a distance of 3 or less counts at any distance in time. The"
        " code joins only exactly equal hashes outside the time window, and `SAME` is never used. A"
        " messenger copy differs by a bit or two and has lost its capture time, so it falls through.",
    ),
    (
        3.6,
        "prompt",
        "Thanks, I will fix that myself. Next: scrolling the contact sheet stutters with 40,000 photos."
        " Where is it decided when a thumbnail is loaded, and what does the server cache?",
    ),
    (
        1.6,
        "call",
        "The web API notes describe thumbnails; the tiles are in `web/sheet.ts`.",
    ),
    (0.3, "read", "docs/web-api.md", 25, 23),
    (0.3, "read", "web/sheet.ts"),
    (
        2.6,
        "answer",
        "The browser decides: `web/sheet.ts` loads a thumbnail two screens ahead, and the server caches it"
        " on disk. The stutter comes from `show`, which appends the tiles of every page at once.",
    ),
    (
        3.6,
        "prompt",
        "图片排序不对：同一秒连拍的图片，img10.png 排到了 img2.png 前面。"
        "请按照图片排序文档里的自然顺序规则，修正文件名的比较。",
    ),
    (1.6, "call", "先看图片排序规则的文档，再看代码。"),
    (0.3, "read", "docs/图片排序.md"),
    (0.3, "read", "shoebox/order.py"),
    (2.2, "call", "`natural_key` 已经有了，但是 `in_order` 没有用它。改一行即可。"),
    (0.4, "edit", EDITED, OLD, NEW),
    (
        2.2,
        "answer",
        "改好了：拍摄时间相同的照片现在先按 `natural_key` 比较文件名，再按原始文件名决定次序，与"
        "《图片排序》的三条规则一致。`tests/test_order.py` 里还缺一个同一秒连拍的测试。",
    ),
)


class Recorder:
    """Turns the talk into records; ids come from a fixed seed, so the same talk gives the same bytes."""

    def __init__(self) -> None:
        self._random = random.Random(20240713)
        self._session = self._uuid()
        self._parent: str | None = None
        self._prompt = ("", "")
        self._message = ""
        self._turn = 0
        self._blocks = 0

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def _id(self, prefix: str) -> str:
        return f"{prefix}_01{self._random.getrandbits(88):022x}"

    def _note(self, kind: str, **facts: Any) -> dict[str, Any]:
        return {"type": kind, **facts, "sessionId": self._session}

    def _record(self, head: dict[str, Any], kind: str, tail: dict[str, Any]) -> dict[str, Any]:
        record = {"parentUuid": self._parent, "isSidechain": False, **head, "type": kind}
        self._parent = self._uuid()
        record |= {"uuid": self._parent, "timestamp": "{{time}}", **tail}
        return record | {
            "userType": "external",
            "entrypoint": "cli",
            "cwd": "{{root}}",
            "sessionId": self._session,
            "version": VERSION,
            "gitBranch": "",
        }

    def opening(self) -> Iterator[tuple[float, dict[str, Any]]]:
        yield 0.0, self._note("mode", mode="normal")
        yield 0.0, self._note("permission-mode", permissionMode="default")

    def prompt(self, after: float, text: str) -> Iterator[tuple[float, dict[str, Any]]]:
        self._turn += 1
        self._prompt = (self._uuid(), text)
        tail = {
            "permissionMode": "default",
            "origin": {"kind": "human"},
            "promptSource": "typed",
            "turnOrigin": "human",
            "turnPosition": {"promptIndex": self._turn, "turnIndex": self._turn},
        }
        head = {"promptId": self._prompt[0], "message": {"role": "user", "content": text}}
        record = self._record(head, "user", tail)
        snapshot = {"messageId": record["uuid"], "trackedFileBackups": {}, "timestamp": "{{time}}"}
        first = {"type": "file-history-snapshot", "messageId": record["uuid"], "snapshot": snapshot}
        yield after, {**first, "isSnapshotUpdate": False}
        yield 0.05, record

    def block(self, content: dict[str, Any], stop: str) -> dict[str, Any]:
        message = {
            "id": self._message,
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [content],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 4,
                "cache_creation_input_tokens": 812,
                "cache_read_input_tokens": 16384,
                "output_tokens": 96,
                "service_tier": "standard",
            },
        }
        head = {"message": message, "apiBlockIndex": self._blocks}
        self._blocks += 1
        return self._record(head, "assistant", {"effort": "medium"})

    def text(self, after: float, text: str, stop: str) -> Iterator[tuple[float, dict[str, Any]]]:
        self._message, self._blocks = self._id("msg"), 0
        yield after, self.block({"type": "text", "text": text}, stop)

    def tool(
        self, after: float, name: str, given: dict[str, Any], told: str, result: dict[str, Any]
    ) -> Iterator[tuple[float, dict[str, Any]]]:
        call = self._id("toolu")
        yield after, self.block({"type": "tool_use", "id": call, "name": name, "input": given}, "tool_use")
        content = [{"tool_use_id": call, "type": "tool_result", "content": told}]
        head = {"promptId": self._prompt[0], "message": {"role": "user", "content": content}}
        tail = {"toolUseResult": result, "sourceToolAssistantUUID": self._parent}
        yield 0.2, self._record(head, "user", tail)

    def read(
        self, after: float, rel: str, offset: int = 1, limit: int | None = None
    ) -> Iterator[tuple[float, dict[str, Any]]]:
        lines = (WORKSPACE / rel).read_text(encoding="utf-8").split("\n")
        shown = lines[offset - 1 :][:limit]
        path = "{{root}}/" + rel
        given = {"file_path": path} | ({"offset": offset, "limit": limit} if limit else {})
        file = {
            "filePath": path,
            "content": "\n".join(shown),
            "numLines": len(shown),
            "startLine": offset,
            "totalLines": len(lines),
        }
        told = "\n".join(f"{number}\t{line}" for number, line in enumerate(shown, offset))
        yield from self.tool(after, "Read", given, told, {"type": "text", "file": file})

    def edit(self, after: float, rel: str, old: str, new: str) -> Iterator[tuple[float, dict[str, Any]]]:
        text = (WORKSPACE / rel).read_text(encoding="utf-8")
        lines = text.split("\n")
        at = lines.index(old)
        path = "{{root}}/" + rel
        context = 3
        start = max(0, at - context)
        before, behind = lines[start:at], lines[at + 1 : at + 1 + context]
        count = len(before) + 1 + len(behind)
        hunk = {
            "oldStart": start + 1,
            "oldLines": count,
            "newStart": start + 1,
            "newLines": count,
            "lines": [" " + line for line in before]
            + ["-" + old, "+" + new]
            + [" " + line for line in behind],
        }
        result = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": text,
            "structuredPatch": [hunk],
            "userModified": False,
            "replaceAll": False,
        }
        given = {"replace_all": False, "file_path": path, "old_string": old, "new_string": new}
        told = f"The file {path} has been updated successfully."
        yield from self.tool(after, "Edit", given, told, result)

    def closing(self) -> Iterator[tuple[float, dict[str, Any]]]:
        head = {"subtype": "turn_duration", "durationMs": 8000}
        yield 0.15, self._record(head, "system", {"isMeta": False})
        yield 0.0, self._note("last-prompt", lastPrompt=self._prompt[1], leafUuid=self._parent)


def recorded() -> Iterator[tuple[float, dict[str, Any]]]:
    """The records of the whole talk, each with the pause before it."""
    recorder = Recorder()
    yield from recorder.opening()
    for after, kind, *facts in TALK:
        if kind == "prompt":
            yield from recorder.prompt(after, *facts)
        elif kind == "read":
            yield from recorder.read(after, *facts)
        elif kind == "edit":
            yield from recorder.edit(after, *facts)
        elif kind == "call":
            yield from recorder.text(after, facts[0], "tool_use")
        else:
            yield from recorder.text(after, facts[0], "end_turn")
            yield from recorder.closing()


def rendered() -> str:
    """The content of ``session.jsonl``."""
    return "".join(
        json.dumps({"after": after, "line": record}, ensure_ascii=False) + "\n"
        for after, record in recorded()
    )


if __name__ == "__main__":
    (DEMO / "session.jsonl").write_text(rendered(), encoding="utf-8")
