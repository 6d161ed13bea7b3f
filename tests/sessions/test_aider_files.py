"""Aider: which files are its histories, where they are, and how they are read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.aider import FORMAT
from knit_tui.sessions.listing import Address
from knit_tui.sessions.log import Log
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import identify, peek
from tests.sessions.laws import PROJECT, short
from tests.sessions.test_aider import HEAD, NOW, QUESTION, answer, own, prompt

TALK = prompt("dim it") + answer("Dimmed.")


@pytest.fixture
def genuine(shared: Path, tmp_path: Path) -> Path:
    path = tmp_path / "project/.aider.chat.history.md"
    path.parent.mkdir()
    path.write_bytes((shared / "sessions/genuine/aider-0.86.2/.aider.chat.history.md").read_bytes())
    return path


@pytest.fixture
def sample(shared: Path) -> Path:
    return shared / "sessions/samples/aider/01-chat-history.md"


# Reading that begins somewhere in the file.


def started(path: Path, window: int) -> list[str]:
    source = FORMAT.source(Address(str(path)), window)
    decoder = FORMAT.decoder(Place((PROJECT,)), "name", PROJECT)
    assert source.check() == "grown"
    found = [event for record in [*source.head(), *source.records()] for event in decoder.decode(record)]
    return [short(event) for event in found + decoder.settle()]


def test_what_is_left_of_an_answer_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.md"
    text = (
        HEAD + prompt("old") + answer("Old.") + prompt("dim it") + "\n" + "long  \n> quoted  \n" * 40 + "\n"
    )
    text += own("Applied edit to a.md") + prompt("next") + answer("Done.")
    path.write_text(text)
    assert started(path, 300) == [f"session aider name {PROJECT}", "edit a.md ok", "user next", "agent Done."]


# Which logs are aider's, and where they are.


def test_a_named_file_is_known_by_the_start_of_a_run(sample: Path, tmp_path: Path) -> None:
    assert identify(str(sample), (*FORMATS, FORMAT)) == ("following", Address(str(sample)), FORMAT)
    other = tmp_path / "README.md"
    other.write_text("# A lamp\n\n# aider chat started at noon\n\n#### Usage  \n")
    assert identify(str(other), (FORMAT,))[0] == "not-a-log"


def test_no_other_format_recognises_a_line(sample: Path) -> None:
    source = FORMAT.source(Address(str(sample)), 1 << 20)
    source.check()
    for record in source.records():
        assert [form.agent for form in FORMATS if form.agent != "aider" and form.recognises(record)] == []
    assert not any(
        FORMAT.recognises(row) for row in ({}, {"line": 5}, {"type": "user"}, {"line": "#### x  "})
    )


LINES = st.sampled_from(
    [
        *["", "text", "\r", "<think>", ">", ">  ", "#### x  ", "####   ", "#### /ask \ud83c  ", "> a.md  "],
        *["> Applied edit to \0  ", "> Added a to the chat  ", f"> {QUESTION} y  "],
        *["> All chat history cleared.  ", "> Restored previous conversation history.  "],
        "# aider chat started at 2026-06-09 14:01:00",
    ]
)


@settings(max_examples=300, deadline=None)
@given(rows=st.lists(LINES | st.text(max_size=30) | st.none() | st.integers(), max_size=30))
def test_no_line_raises_and_every_text_can_be_encoded(rows: list[Any]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,), home="/home/dev", is_file=lambda path: True), "s", PROJECT)
    for row in rows:
        record = {"line": row}
        FORMAT.recognises(record)
        for event in decoder.decode(record):
            for field in getattr(event, "__slots__", ()):
                value = getattr(event, field)
                assert not isinstance(value, str) or value.encode() is not None
    decoder.settle()
    assert decoder.unknown == sum(not isinstance(row, str) for row in rows)


def test_a_hostile_line_costs_no_more_than_its_length() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s", PROJECT)
    for line in ("> " + "(Y)es/(N)o " * 100_000 + "  ", "#### " + "] " * 500_000 + "  ", "<think>" * 200_000):
        decoder.decode({"line": ""})
        decoder.decode({"line": line})
    decoder.settle()


def logs(home: Path, root: Path, **environ: str) -> list[str]:
    locator = FORMAT.locator(home, environ)
    return [os.path.relpath(log.path, home) for log in locator.logs((str(root), str(root)), NOW)]


def test_where_the_log_is(tmp_path: Path) -> None:
    repository = tmp_path / "work/lamp"
    root = repository / "src/driver"
    root.mkdir(parents=True)
    for folder in (
        tmp_path / "work",
        repository,
        repository / "src",
        root,
        root / "below",
        tmp_path / "twin",
    ):
        folder.mkdir(exist_ok=True)
        (folder / ".aider.chat.history.md").write_text(HEAD)
    assert logs(tmp_path, root) == ["work/lamp/src/driver/.aider.chat.history.md"]
    (repository / ".git").mkdir()
    assert logs(tmp_path, root) == [
        "work/lamp/src/driver/.aider.chat.history.md",
        "work/lamp/.aider.chat.history.md",
    ]
    assert logs(tmp_path, repository) == ["work/lamp/.aider.chat.history.md"]
    (root / ".git").write_text("gitdir: elsewhere")
    assert logs(tmp_path, root) == ["work/lamp/src/driver/.aider.chat.history.md"]


def test_a_log_that_was_moved(tmp_path: Path) -> None:
    root = tmp_path / "lamp"
    root.mkdir()
    (root / ".aider.chat.history.md").write_text(HEAD)
    for name in ("lamp/chat.md", "all.md"):
        (tmp_path / name).write_text(HEAD)
    assert logs(tmp_path, root, AIDER_CHAT_HISTORY_FILE="chat.md") == ["lamp/chat.md"]
    assert logs(tmp_path, root, AIDER_CHAT_HISTORY_FILE=str(tmp_path / "all.md")) == ["all.md"]
    assert logs(tmp_path, root, AIDER_CHAT_HISTORY_FILE="none.md") == []
    assert logs(tmp_path, tmp_path / "gone") == []


def test_the_session_runs_where_the_log_lies(genuine: Path) -> None:
    assert FORMAT.folder(Address(str(genuine))) == str(genuine.parent)
    said = peek(Address(str(genuine)), FORMAT, (str(genuine.parent),))
    assert said is not None and said.prompt is not None and said.first is not None
    assert (said.cwd, said.session_id) == (str(genuine.parent), "2026-11-30_02-26-35")
    assert said.first[2].startswith("How does the loader")
    assert said.prompt[1:] == ("", "What have we changed so far? 再看一眼 src/loader.py 的开头。")
    assert said.prompt[0] == pytest.approx(genuine.stat().st_mtime)


def test_a_log_that_is_followed(tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(HEAD + TALK)
    log = Log(Address(str(path)), FORMAT, lambda cwd: Place((str(tmp_path),)), "", lambda cwd: True)
    assert [short(event) for event in log.start(NOW)][1:] == ["user dim it", "agent Dimmed."]
    with path.open("a") as file:
        file.write(prompt("next"))
    assert log.poll(NOW) == []
    assert [short(event) for event in log.poll(NOW + 1.5)] == ["user next"]
    with path.open("a") as file:
        file.write(answer("Done.") + own("Applied edit to a.md"))
    assert [short(event) for event in log.poll(NOW + 2)] == ["agent Done.", "edit a.md ok"]
