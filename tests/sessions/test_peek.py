"""What a log says of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from knit_tui.sessions.formats import FORMATS, codex
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import identify, moment, peek
from knit_tui.sessions.sources import ByteTail
from tests.sessions.home import NOW, Home
from tests.sessions.logs import Claude, append, codex_event, write


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_prompt_far_from_the_end_is_found(home: Home) -> None:
    log = Claude(str(home.root))
    path = home.home / "x.jsonl"
    filler = [log.says("x" * 1000) for _ in range(400)]
    write(path, [*filler[:5], log.user("dim it"), *filler[5:]])
    said = peek(Address(str(path)), FORMATS[0], (str(home.root),))
    assert said is not None and said.prompt is not None
    assert said.prompt[2] == "dim it"


def test_where_no_window_holds_a_prompt_the_first_one_counts(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knit_tui.sessions.peek._WINDOWS", (500, 1000))
    log = Claude(str(home.root))
    path = write(home.home / "x.jsonl", [log.user("dim it"), *(log.says("x" * 100) for _ in range(60))])
    said = peek(Address(str(path)), FORMATS[0], (str(home.root),))
    assert said is not None and said.prompt is not None
    assert (said.cwd, said.prompt[2]) == (str(home.root), "dim it")


def test_a_subagents_log_is_looked_into_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.peek._WINDOWS", (500, 1000, 2000))
    path = home.codex(home.root, thread_source="subagent")
    append(path, *(codex_event("agent_message", message="x" * 100) for _ in range(60)))
    opened: list[int] = []

    def source(address: Address, window: int) -> ByteTail:
        opened.append(window)
        return ByteTail(address.path, window)

    assert peek(Address(str(path)), replace(codex.FORMAT, source=source), (str(home.root),)) is None
    assert opened == [500]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-02T03:04:05Z", 1767323045.0),
        ("2026-01-02T03:04:05.123456789Z", 1767323045.123456),
        ("2026-01-02T03:04:05", 1767323045.0),
        ("2026-01-02T03:04:05+14:00", 1767272645.0),
        (1767323045000, 1767323045.0),
        (1767323045, 1767323045.0),
        (None, NOW),
        ("", NOW),
        ("yesterday", NOW),
        (0, NOW),
        (-1, NOW),
        (True, NOW),
        ({}, NOW),
        (10**400, NOW),
        (1e18, NOW),
        ("9999-12-31T23:59:59Z", NOW),
        ("0000-00-00T00:00:00Z", NOW),
        ("0001-01-01T00:00:00Z", NOW),
        ("2026-02-30T25:61:61Z", NOW),
    ],
)
def test_moments(value: object, expected: float) -> None:
    assert moment(value, NOW) == expected


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (b"", "none"),
        (b"\n \0\n", "none"),
        (b'{"type":"user","uuid', "none"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not-a-log"),
        (b"hello", "not-a-log"),
        (b'{"name":"lamp"}\n', "not-a-log"),
        (b"[" * 300_000, "not-a-log"),
        (b"{" * 300_000, "not-a-log"),
        (b'{"type":"user","uuid":"u","parentUuid":null}\n', "following"),
        (b'undefined\n{"type":"session_meta","payload":{}}\n', "following"),
    ],
)
def test_identify(tmp_path: Path, content: bytes, state: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    told, _, form = identify(str(path), FORMATS)
    assert told == state
    assert (form is not None) is (state == "following")


def test_identify_what_is_no_file(tmp_path: Path) -> None:
    assert identify(str(tmp_path), FORMATS) == ("not-a-log", None, None)
    assert identify(str(tmp_path / "none"), FORMATS) == ("missing", None, None)
