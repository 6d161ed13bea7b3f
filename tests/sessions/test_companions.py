"""The logs that sub-agents keep beside the one of their session."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions import log as logs
from knit_tui.sessions.events import EditDone, Event, ReadDone, Reset, UserMessage
from knit_tui.sessions.formats import claude
from knit_tui.sessions.formats.claude_folders import companions
from knit_tui.sessions.listing import Address
from knit_tui.sessions.log import Log
from knit_tui.sessions.paths import Place
from tests.sessions.laws import PROJECT, as_json, of_file, short
from tests.sessions.logs import ROOT, SESSION, Claude, Record, append, write

NOW = 1_790_000_000.0


class Agent(Claude):
    """The rows of a sub-agent's log."""

    def row(self, kind: str, **more: Any) -> Record:
        return super().row(kind, isSidechain=True, agentId="a1", **more)

    def read(self, name: str) -> list[Record]:
        call_id = f"toolu-{self.session}-{name}-{self.count}"
        return [self.call("Read", call_id, file_path=f"{ROOT}/{name}"), self.done(call_id, "text")]


class Desk:
    """A session's log, its sub-agents' logs, and knit following it."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "projects" / "-home-dev-lamp"
        self.main = Claude()
        self.path = write(self.folder / f"{SESSION}.jsonl", [self.main.user("dim the lamp")])
        self.clock = NOW

    def agent(self, name: str, *rows: Record, folder: str = f"{SESSION}/subagents") -> Path:
        path = write(self.folder / folder / f"agent-{name}.jsonl", rows)
        self.clock += 1
        os.utime(path, (self.clock, self.clock))
        return path

    def follow(self) -> Log:
        return Log(Address(str(self.path)), claude.FORMAT, lambda cwd: Place((ROOT,)), "", lambda cwd: True)

    def later(self, log: Log, seconds: float = 2.5) -> list[str]:
        self.clock += seconds
        return told(log.poll(self.clock))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def told(events: Iterable[Event]) -> list[str]:
    return [short(event) for event in events]


HEAD = [f"session claude {SESSION} {ROOT}", "user dim the lamp"]


def test_reads_and_edits_of_subagents_come_after_what_the_session_tells(desk: Desk) -> None:
    agent = Agent()
    edit = [agent.call("Edit", "e1", file_path=f"{ROOT}/b.md"), agent.done("e1", "ok", {})]
    desk.agent("1", agent.user("look at the docs"), agent.says("reading"), *agent.read("a.md"), *edit)
    events = desk.follow().start(NOW)
    assert told(events) == [*HEAD, "confirmed a.md ok by subagent", "edit b.md ok"]
    assert [event.by for event in events if isinstance(event, EditDone)] == ["subagent"]


def test_what_a_subagent_reads_while_it_is_followed(desk: Desk) -> None:
    log = desk.follow()
    assert told(log.start(NOW)) == HEAD
    agent = Agent()
    path = desk.agent("1", agent.user("look"), *agent.read("a.md"))
    assert desk.later(log) == ["confirmed a.md ok by subagent"]
    assert desk.later(log) == []
    append(path, *agent.read("b.md"))
    assert desk.later(log, 0.1) == ["confirmed b.md ok by subagent"]


def test_the_sessions_own_events_stay_first_and_whole(desk: Desk) -> None:
    log = desk.follow()
    log.start(NOW)
    agent = Agent()
    desk.agent("1", *agent.read("a.md"))
    append(desk.path, desk.main.user("again"), desk.main.says("done"))
    assert desk.later(log) == ["user again", "agent done", "confirmed a.md ok by subagent"]


def test_a_restarted_panel_tells_the_same_reads_again(desk: Desk) -> None:
    log = desk.follow()
    log.start(NOW)
    agent = Agent()
    desk.agent("1", *agent.read("a.md"))
    assert desk.later(log) == ["confirmed a.md ok by subagent"]
    again = desk.follow()
    assert told(again.start(NOW)) == [*HEAD, "confirmed a.md ok by subagent"]


def test_a_session_that_is_told_again_tells_its_subagents_again(desk: Desk) -> None:
    desk.agent("1", *Agent().read("a.md"))
    log = desk.follow()
    log.start(NOW)
    write(desk.path, [Claude().user("from the start")])
    events = log.poll(NOW + 9)
    assert isinstance(events[0], Reset)
    assert told(events)[2:] == ["user from the start", "confirmed a.md ok by subagent"]


def test_each_log_is_read_in_its_order_the_newest_log_last(desk: Desk) -> None:
    old, new = Agent(), Agent(session=SESSION, day=2)
    desk.agent("2", *old.read("1.md"), *old.read("2.md"))
    desk.agent("1", *new.read("3.md"), *new.read("4.md"))
    events = desk.follow().start(NOW)
    reads = [event for event in events if isinstance(event, ReadDone)]
    assert [event.path for event in reads] == ["1.md", "2.md", "3.md", "4.md"]


def test_only_the_newest_are_followed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_COMPANIONS", 2)
    agents = [Agent(day=day) for day in (1, 2, 3)]
    for number, agent in enumerate(agents):
        desk.agent(str(number), *agent.read(f"{number}.md"))
    log = desk.follow()
    assert told(log.start(NOW))[2:] == ["confirmed 1.md ok by subagent", "confirmed 2.md ok by subagent"]
    desk.agent("3", *Agent(day=4).read("3.md"))
    assert desk.later(log) == ["confirmed 3.md ok by subagent"]


def test_a_long_log_is_read_from_near_its_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_COMPANION_WINDOW", 2000)
    agent = Agent()
    desk.agent("1", *agent.read("a.md"), *(agent.says("x" * 100) for _ in range(40)), *agent.read("b.md"))
    assert told(desk.follow().start(NOW))[2:] == ["confirmed b.md ok by subagent"]


def test_a_log_of_a_subagent_that_goes_or_is_cut_disturbs_nothing(desk: Desk) -> None:
    agent = Agent()
    path = desk.agent("1", *agent.read("a.md"))
    log = desk.follow()
    log.start(NOW)
    path.write_bytes(b"")
    assert desk.later(log) == []
    append(path, *agent.read("b.md"))
    assert desk.later(log) == ["confirmed b.md ok by subagent"]
    path.unlink()
    append(desk.path, desk.main.user("again"))
    assert desk.later(log) == ["user again"]
    path.mkdir()
    assert desk.later(log) == []
    assert (log.state, log.unknown, log.damaged) == ("following", 0, 0)


def test_a_damaged_log_of_a_subagent_is_not_counted_as_damage_of_the_session(desk: Desk) -> None:
    path = desk.agent("1", *Agent().read("a.md"))
    with path.open("ab") as file:
        file.write(b'{"type": "nothing known"}\n{"torn\n')
    log = desk.follow()
    assert told(log.start(NOW))[2:] == ["confirmed a.md ok by subagent"]
    assert (log.unknown, log.damaged) == (0, 0)


def test_nothing_is_told_before_the_session_is(desk: Desk) -> None:
    desk.agent("1", *Agent().read("a.md"))
    desk.path.write_bytes(b"")
    log = desk.follow()
    assert log.start(NOW) == []
    assert desk.later(log) == []
    append(desk.path, desk.main.user("now"))
    assert desk.later(log)[1:] == ["user now", "confirmed a.md ok by subagent"]


def test_the_talk_of_a_subagent_is_never_told(desk: Desk) -> None:
    """Not even when its records look like those of a session that a person leads."""
    talk = Claude()
    desk.agent("1", talk.user("hello"), talk.says("hello"), talk.attached("file", filename=f"{ROOT}/a.md"))
    events = desk.follow().start(NOW)
    assert [event.text for event in events if isinstance(event, UserMessage)] == ["dim the lamp"]
    assert told(events)[2:] == ["mention a.md ok by subagent"]


def test_folders_are_listed_once_in_a_while(desk: Desk) -> None:
    listed: list[Address] = []

    def counted(address: Address) -> list[Address]:
        listed.append(address)
        return companions(address)

    form = replace(claude.FORMAT, companions=counted)
    log = Log(Address(str(desk.path)), form, lambda cwd: Place((ROOT,)), "", lambda cwd: True)
    log.start(NOW)
    for tenth in range(1, 20):
        log.poll(NOW + tenth / 10)
    assert len(listed) == 1
    log.poll(NOW + 2.0)
    assert len(listed) == 2
    log.poll(NOW - 100)  # the clock was set back
    assert len(listed) == 3


# Where Claude Code keeps them.


def names(desk: Desk) -> list[str]:
    found = companions(Address(str(desk.path)))
    return [os.path.relpath(address.path, desk.folder) for address in found]


def test_the_folder_of_the_session_and_its_workflows(desk: Desk) -> None:
    own = f"{SESSION}/subagents"
    desk.agent("1", Agent().user("x"))
    desk.agent("2", Agent().user("x"), folder=f"{own}/workflows/wf_1")
    write(desk.folder / own / "workflows/wf_1/journal.jsonl", [{}])
    (desk.folder / own / "agent-1.meta.json").write_text("{}")
    desk.agent("3", Agent().user("x"), folder="another-session/subagents")
    assert names(desk) == [f"{own}/workflows/wf_1/agent-2.jsonl", f"{own}/agent-1.jsonl"]


def test_older_logs_beside_the_session_belong_to_the_one_they_name(desk: Desk) -> None:
    desk.agent("1", Agent().user("x"), folder=".")
    desk.agent("2", Agent(session="another").user("x"), folder=".")
    quoted = Agent(session="another").user(f'{{"sessionId":"{SESSION}"}}')
    desk.agent("3", {"message": quoted["message"]} | quoted, folder=".")
    desk.agent("4", folder=".")
    assert names(desk) == ["agent-1.jsonl"]


def test_a_log_that_begins_to_name_its_session(desk: Desk) -> None:
    path = desk.agent("1", folder=".")
    assert names(desk) == []
    append(path, Agent().user("x"))
    assert names(desk) == ["agent-1.jsonl"]


def test_a_pipe_in_place_of_a_log_is_not_waited_for(desk: Desk) -> None:
    os.mkfifo(desk.folder / "agent-1.jsonl")
    (desk.folder / "agent-2.jsonl").mkdir()
    assert names(desk) == []


def test_subagents_that_only_warmed_up_stay_silent(shared: Path) -> None:
    """A process that resumed the session warmed up under an id of its own, and left an empty log of it."""
    folder = shared / "sessions/genuine/claude-2.1.0/projects/-home-dev-project"
    warm = {path.stem: len(companions(Address(str(path)))) for path in folder.glob("[!a]*.jsonl")}
    assert sorted(warm.values()) == [3, 3, 3]
    path = next(folder.glob("9d59*.jsonl"))
    log = Log(Address(str(path)), claude.FORMAT, lambda cwd: Place((PROJECT,)), "", lambda cwd: True)
    assert as_json(log.start(NOW)) == as_json(of_file(claude.FORMAT, path))
