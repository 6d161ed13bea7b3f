"""A stand-in for ``knit`` with faults to order, to see that each check of the harness can fail.

``fake_knit.py [--fault NAME]… -C DIR …``: answers as the real command does, over a plain walk of the
folder, and shows a plain list as its panel. Each fault is one thing that knit must never do.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import select
import shutil
import sys
import termios
import time
import tty
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SECRET = re.compile(r"CANARY\w*")


class Fake:
    def __init__(self, root: Path, faults: Sequence[str]) -> None:
        self.root = root
        self.faults = set(faults)

    # The workspace

    def documents(self) -> dict[str, str]:
        """Text by path."""
        found: dict[str, str] = {}
        for folder, folders, names in os.walk(self.root, followlinks="follow" in self.faults):
            if "dot-git" not in self.faults:
                folders[:] = [name for name in folders if name != ".git"]
            for name in names:
                path = Path(folder, name)
                if (path.is_symlink() and "follow" not in self.faults) or not path.is_file():
                    continue
                text = path.read_text(encoding="utf-8", errors="replace")
                if "leak" not in self.faults:
                    text = SECRET.sub("***", text)
                found[os.path.relpath(path, self.root)] = text
        if "lose" in self.faults and found:
            del found[max(found)]
        return found

    def skipped(self) -> dict[str, str]:
        walked = (Path(folder, name) for folder, _, names in os.walk(self.root) for name in names)
        return {os.path.relpath(path, self.root): "symlink" for path in walked if path.is_symlink()}

    def hits(self, text: str) -> list[dict[str, Any]]:
        texts = self.documents()
        if "stale" in self.faults:
            texts["gone.md"] = text
        found = [path for path, body in texts.items() if text.casefold() in body.casefold()]
        if "deaf" in self.faults:
            found = []
        if "twice" in self.faults:
            found = [again for path in found for again in (path, path + ".copy")]
        return [self.item(path, texts.get(path, text), text) for path in sorted(found)]

    def item(self, path: str, body: str, term: str) -> dict[str, Any]:
        line = next((line for line in body.splitlines() if term.casefold() in line.casefold()), "")
        return {
            **self.named(path),
            "title": "",
            "summary": "",
            "reason": {"code": "body", "terms": [term], "text": ""},
            "passages": [{"start": 1, "end": 1, "terms": [term], "snippet": line[:80]}],
        }

    def named(self, path: str) -> dict[str, str]:
        try:
            path.encode()
        except UnicodeEncodeError:
            if "no-bytes" not in self.faults:
                return {"path": path, "path_bytes_hex": os.fsencode(path).hex()}
        return {"path": path}

    def session_top(self) -> list[dict[str, Any]]:
        """The document that holds the last word of the newest log line."""
        logs = sorted(Path(os.environ["HOME"]).glob(".claude/projects/*/*.jsonl"))
        if not logs:
            return []
        words = re.findall(r"\w+", logs[-1].read_text(encoding="utf-8", errors="replace"))
        return self.hits(words[-1]) if words else []

    # The command

    def answer(self, options: argparse.Namespace) -> int:
        self.misbehave()
        if options.word == "files":
            files = [self.named(path) for path in sorted(self.documents())]
            skipped = [{"path": path, "reason": why} for path, why in self.skipped().items()]
            facts: dict[str, Any] = {"files": files, "skipped": skipped}
            lines, found = [one["path"] for one in files], bool(files)
        else:
            items = self.session_top() if options.word == "pack" else self.hits(options.query)
            facts, found = {"items": items}, bool(items)
            lines = [f"{one['path']}: {one['passages'][0]['snippet']}" for one in items]
        if options.format == "json":
            print("{" if "bad-json" in self.faults else json.dumps({"schema": 1, **facts}))
        else:
            for line in lines:
                print(line if "raw" in self.faults else line.encode("unicode_escape").decode("ascii"))
        return 0 if found else 1

    def misbehave(self) -> None:
        if "slow" in self.faults:
            time.sleep(0.4)
        if "hang" in self.faults:
            select.select([], [], [])
        if "greedy" in self.faults:
            bytearray(120_000_000)
        if "crash" in self.faults:
            raise RuntimeError("made to crash")
        if "status" in self.faults:
            sys.exit(3)
        if "write" in self.faults:
            (self.root / "made").touch()

    # The panel

    def panel(self) -> int:
        before = termios.tcgetattr(0)
        tty.setraw(0)
        try:
            return self.loop()
        finally:
            termios.tcsetattr(0, termios.TCSADRAIN, before)

    def loop(self) -> int:
        cursor, typed, typing, drawn, tab = 0, "", False, "", b"1"
        while True:
            rows = self.rows(typed) if tab in (b"1", b"2") else []
            cursor = max(0, min(cursor, len(rows) - 1))
            frame = self.frame(rows, cursor, typed, typing)
            if frame != drawn and not ("frozen" in self.faults and drawn):
                sys.stdout.write("\x1b[2J\x1b[H" + frame)
                sys.stdout.flush()
                drawn = frame
            if not select.select([0], [], [], 0.1)[0]:
                continue
            for key in re.findall(rb"\x1b\[.|\x1bO.|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]+", os.read(0, 4096)):
                if key in (b"\x1b[B", b"\x1bOB"):
                    cursor += "short" not in self.faults
                elif key == b"\x1b":
                    typed, typing = ("", False) if not typing else (typed, False)
                elif typing:
                    typed += key.decode()
                elif key in (b"1", b"2", b"3", b"4"):
                    tab, cursor = key, 0
                elif key == b"/":
                    typed, typing = "", True
                elif key == b"q" and "stubborn" not in self.faults:
                    return 0
            if "panel-crash" in self.faults and cursor == 1:
                raise RuntimeError("made to crash")

    def rows(self, typed: str) -> list[str]:
        with contextlib.suppress(OSError):
            top = [one["path"] for one in self.session_top()]
            rows = top + sorted(set(self.documents()) - set(top))
            return [row for row in rows if typed.casefold() in row.casefold()]
        return []

    def frame(self, rows: list[str], cursor: int, typed: str, typing: bool) -> str:
        lines = ["fake", f"/{typed}" if typing or typed else "tabs"]
        start = max(0, cursor - 20)
        for number, row in enumerate(rows[start : start + 25], start):
            text = row if "raw" in self.faults else row.encode("unicode_escape").decode("ascii")
            lines.append(("▌" if number == cursor else " ") + text[:60])
        text = self.documents().get(rows[cursor], "")[:200] if rows else ""
        lines.append(text if "raw" in self.faults else text.encode("unicode_escape").decode("ascii"))
        return "\r\n".join([*lines, "one", "two", "three", "four"])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("-C", dest="root", type=Path, default=Path())
    parser.add_argument("--session")
    parser.add_argument("--query")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--format", default="text")
    parser.add_argument("word", nargs="?", choices=["files", "pack"])
    options = parser.parse_args()
    fake = Fake(options.root, options.fault)
    if options.word or options.query is not None:
        return fake.answer(options)
    if not shutil.get_terminal_size().columns:
        return 2
    return fake.panel()


if __name__ == "__main__":
    sys.exit(main())
