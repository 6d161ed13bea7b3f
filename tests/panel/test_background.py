"""The terminal is asked for its background: only what is an answer is believed, and no key is lost."""

from __future__ import annotations

import os
import pty
import select
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.faces.tui import background
from knit_tui.faces.tui.background import ASK, Answer, Question, dark_by, is_dark, said_by
from tests.panel.test_terminal import Terminal

LIGHT = b"\x1b]11;rgb:fafa/fafa/f5f5\x1b\\"
DARK = b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07"
END = b"\x1b[?62;22c"


def told(*parts: bytes) -> tuple[bool | None, bool, bytes]:
    answer = Answer()
    typed = b"".join(map(answer.feed, parts))
    return answer.dark, answer.complete, typed + answer.rest()


def test_answers_are_taken_out_of_what_was_typed() -> None:
    assert told(LIGHT + END) == (False, True, b"")
    assert told(b"j" + DARK + b"\x1b[A" + END + "é".encode()) == (True, True, b"j\x1b[A" + "é".encode())
    assert told(END) == (None, True, b"")
    # The first answer counts, and what is none of ours is left alone.
    assert told(DARK + LIGHT + b"\x1b[?2026;2$y") == (True, False, b"\x1b[?2026;2$y")


@given(st.integers(0, 40), st.integers(0, 40))
def test_an_answer_may_come_in_pieces(one: int, two: int) -> None:
    whole = b"q" + LIGHT + b"\x1b" + END + b"\x1bOA"
    assert told(whole[:one], whole[one : one + two], whole[one + two :]) == (False, True, b"q\x1b\x1bOA")


@given(
    st.lists(st.sampled_from([b"\x1b", b"]11;", b"[?", b"rgb:", b"f/f/f", b"\x07", b"\\", b"c", b"e" * 90]))
)
def test_no_noise_breaks_it(parts: list[bytes]) -> None:
    rest = iter(b"".join(parts))
    assert all(byte in rest for byte in told(*parts)[2]), "it adds nothing and swaps nothing"


@pytest.mark.parametrize(
    "reply",
    (
        b"\x1b]11;rgb:zz/00/00\x07",
        b"\x1b]11;rgb:fffff/0/0\x07",
        b"\x1b]11;rgb:ff/ff\x07",
        b"\x1b]11;#ffffff\x07",
        b"\x1b]11;?\x1b\\",
        b"\x1b]11;" + b"f" * 4000 + b"\x07",
        b"\x1b]11;" + b"rgb:f/f/f" * 50,
    ),
)
def test_what_is_no_colour_says_nothing_and_is_no_key(reply: bytes) -> None:
    assert told(reply) == (None, False, b"")
    assert told(*(reply[at : at + 1] for at in range(len(reply)))) == (None, False, b"")


def test_a_pressed_escape_is_not_kept_back_for_long() -> None:
    answer = Answer()
    assert (answer.feed(b"\x1b"), answer.pressed(), answer.pressed()) == (b"", b"\x1b", b"")
    assert (answer.feed(b"\x1b]11;rg"), answer.pressed()) == (b"", b"")


def test_dark_and_light() -> None:
    colours = (b"rgb:0/0/0", b"rgb:fff/fff/fff", b"rgba:28/2a/36/ff", b"rgb:FFFF/FFFF/0000", b"rgb:00/00/ff")
    assert [is_dark(colour) for colour in colours] == [True, False, True, False, True]
    said = {"15;0": True, "0;15": False, "0;default;7": False, "8": True, "": None, "0;16": None, "0;٧": None}
    assert {text: said_by({"COLORFGBG": text}) for text in said} == said
    assert said_by({}) is None


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


def test_the_question_leaves_the_terminal_as_it_was(terminal: tuple[int, int]) -> None:
    leader, follower = terminal
    before = termios.tcgetattr(follower)
    question = Question(follower, follower)
    assert not termios.tcgetattr(follower)[3] & (termios.ECHO | termios.ICANON)
    assert os.read(leader, 99) == ASK
    os.write(leader, b"k" + LIGHT + END + b"j")
    assert dark_by(question, {}) is False
    assert question.typed == b"kj" and question.over
    assert termios.tcgetattr(follower) == before
    assert not select.select([leader], [], [], 0)[0], "something was echoed"


def test_a_terminal_that_says_nothing_is_not_waited_for(terminal: tuple[int, int]) -> None:
    now = iter(range(10**6))
    question = Question(terminal[1], terminal[1], clock=lambda: float(next(now)))
    assert dark_by(question, {"COLORFGBG": "0;15"}) is False
    assert dark_by(None, {}) is True
    assert not question.over


def test_nobody_is_asked_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: tuple[int, int]
) -> None:
    # Under pytest neither is a terminal; and one that is not ours would stop us.
    assert background.ask() is None
    stream = cast(Any, SimpleNamespace(isatty=lambda: True, fileno=lambda: terminal[1]))
    system = SimpleNamespace(platform="linux", __stdin__=stream, __stderr__=stream)
    monkeypatch.setattr(background, "sys", system)
    assert background.ask() is None
    monkeypatch.setattr(os, "tcgetpgrp", lambda _fd: os.getpgrp())
    asked = background.ask()
    assert asked is not None
    asked.close()
    system.platform = "win32"
    assert background.ask() is None


def test_a_late_answer_changes_the_theme_and_presses_no_key(tmp_path: Path) -> None:
    # As keys, the answer would open an editor; and the 4 that is typed before the panel is there counts.
    started = Terminal(tmp_path)
    try:
        started.until(ASK)
        os.write(started.fd, b"4")
        started.until(b"retry-flow.png")
        assert b"48;2;22;24;28m" in started.output or b"48;5;234m" in started.output
        for part in (b"\x1b", b"]11;rgb:eeee/eeee/eeee\x1b", b"\\" + END):
            os.write(started.fd, part)
        end = time.monotonic() + 20
        while not (b"48;2;251;251;249m" in started.output or b"48;5;231m" in started.output):
            assert started.drain() and time.monotonic() < end, "no light theme"
        os.write(started.fd, b"\x1b[B" + b"q")
        assert started.ended() == 0 and started.restored()
    finally:
        started.close()
