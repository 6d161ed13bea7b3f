"""Followers that are told which session to follow, and sessions for them to choose from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.model import SessionOffer
from knit_tui.sessions.follow import Follower
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import claude
from knit_tui.sessions.lines import Record, records
from knit_tui.sessions.listing import Address, Found, look
from knit_tui.sessions.locate import FRESH
from knit_tui.sessions.sources import ByteTail
from tests.sessions.desk import Desk
from tests.sessions.logs import append, codex_meta, codex_prompt, write

CLEAR = "<command-name>/clear</command-name>"


def follow(
    desk: Desk,
    choice: str | None = None,
    environ: Mapping[str, str] | None = None,
    formats: tuple[Format, ...] = (),
) -> Follower:
    with pytest.MonkeyPatch.context() as patch:
        if formats:
            patch.setattr("knit_tui.sessions.follow.FORMATS", formats)
        return Follower(desk.root, choice, home=desk.home, environ=environ or {}, now=lambda: desk.clock)


def codex_log(desk: Desk, name: str, text: str, cwd: Path | None = None) -> Path:
    """A person writes into a session of Codex, now."""
    path = desk.home / f".codex/sessions/2026/09/21/rollout-{name}.jsonl"
    rows = [row | {"timestamp": desk.stamp()} for row in codex_prompt(text)]
    if path.exists():
        append(path, *rows)
    else:
        write(path, [codex_meta(str(cwd or desk.root), id=name), *rows])
    os.utime(path, (desk.clock, desk.clock))
    return path


def old(desk: Desk, count: int, text: str = "long ago") -> list[Path]:
    """Sessions of yesterday and before, the last one the oldest."""
    now = desk.clock
    paths = []
    for number in range(count):
        desk.clock = now - FRESH - 60 - number
        paths.append(desk.say(f"old{number}", text))
    desk.clock = now
    return paths


def offered(follower: Follower, session_id: str) -> SessionOffer:
    return next(offer for offer in follower.offers if offer.session_id == session_id)


def chosen(desk: Desk, session_id: str, **more: Any) -> Follower:
    """A follower of a session that was chosen by hand."""
    follower = follow(desk, **more)
    follower.poll()
    follower.choose(offered(follower, session_id).key)
    follower.poll()
    assert follower.status.session_id == session_id
    return follower


def of_many(opened: list[str] | None = None) -> Format:
    """Rows of many sessions in one file, in the shape of Claude Code."""

    def within(path: str) -> list[Found]:
        file = look(path)
        if file is None:
            return []
        if opened is not None:
            opened.append(path)
        names = [
            row.get("sessionId", "") for line in Path(path).read_bytes().splitlines() for row in rows(line)
        ]
        return [replace(file, session=name) for name in reversed(dict.fromkeys(names))]

    def source(address: Address, window: int) -> ByteTail:
        def own(line: bytes) -> tuple[list[Record], bool]:
            return [row for row in rows(line) if row.get("sessionId") == address.session], False

        return ByteTail(address.path, window, own)

    return replace(claude.FORMAT, agent="many", within=within, source=source)


def rows(line: bytes) -> list[Record]:
    return records(line)[0]
