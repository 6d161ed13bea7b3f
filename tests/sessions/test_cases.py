"""The hostile logs of ``shared/cases``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from knit_tui.sessions.events import Event, Reset
from knit_tui.sessions.follow import Follower
from tests.sessions.logs import prompts, reads

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the cases are made by shell scripts")


class Case:
    def __init__(self, folder: Path, workspace: str = "ws") -> None:
        self.folder = folder
        self.workspace = folder / workspace
        self.clock = 0.0
        self.follower = Follower(
            self.workspace, home=folder / "home", environ={}, now=lambda: 1_790_000_000 + self.clock
        )

    def poll(self) -> tuple[Event, ...]:
        self.clock += 2.5
        return self.follower.poll()


@pytest.fixture
def case(shared: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Case:
    name = request.param
    script = next((shared / "cases").glob(f"{name}-*/make.sh"))
    subprocess.run(["bash", str(script), str(tmp_path)], check=True, capture_output=True, timeout=120)
    facts = json.loads((tmp_path / "oracle.json").read_text(encoding="utf-8"))
    return Case(tmp_path, facts.get("open", "ws"))


@pytest.mark.parametrize("case", ["06"], indirect=True)
def test_markup_is_text(case: Case) -> None:
    events = case.poll()
    assert len(prompts(events)) == 25
    assert prompts(events)[0] == "please look at [/]"
    assert reads(events) == [], "no result has the id of a call"


@pytest.mark.parametrize("case", ["24"], indirect=True)
def test_torn_lines_cost_themselves(case: Case) -> None:
    told = prompts(case.poll())
    assert [text.split()[0] for text in told] == [f"TORNWORD{number}" for number in range(1, 8)]
    assert case.follower.status.damaged == 8
    rest = (case.folder / "tail-rest.txt").read_text()
    path = Path((case.folder / "log-path.txt").read_text())
    told = []
    for at in range(0, len(rest), 37):
        with path.open("a") as file:
            file.write(rest[at : at + 37])
        told += prompts(case.poll())
    assert told == ["TORNTAIL finally TORNFIRST"]
    assert case.follower.status.damaged == 8


@pytest.mark.parametrize("case", ["25"], indirect=True)
def test_a_huge_log_is_bounded_in_memory(case: Case) -> None:
    script = """
import sys, time
from pathlib import Path
from knit_tui.sessions.follow import Follower
from knit_tui.sessions.events import UserMessage
def peak():
    return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmHWM"))
folder = Path(sys.argv[1])
follower = Follower(folder / "ws", home=folder / "home", environ={})
before = peak()
events = follower.poll()
texts = [e.text for e in events if isinstance(e, UserMessage)]
print(len(texts), texts[-1], peak() - before, sum(len(getattr(e, "text", "")) for e in events))
"""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    told = subprocess.run(
        [sys.executable, "-c", script, str(case.folder)],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout.split()
    assert told[0] == "5"
    assert "HUGETOPIC" in told
    assert int(told[-2]) < 100_000, "kilobytes of memory more"
    assert int(told[-1]) < 1_000_000, "no image, snapshot or tool output is among the texts"
    case.poll()
    assert "session-long-lines" in {notice.code for notice in case.follower.notices}


@pytest.mark.parametrize("case", ["26"], indirect=True)
def test_killers_cost_their_line(case: Case) -> None:
    told = prompts(case.poll())
    assert told[-4:] == ["KILLERTOPIC narwhal please"] * 4
    assert case.follower.status.damaged == 4


@pytest.mark.parametrize("case", ["27"], indirect=True)
def test_the_order_of_lines_wins_and_copies_count_once(case: Case) -> None:
    told = prompts(case.poll())
    assert told[:60] == [f"STALETOPIC gopher talk {number}" for number in range(60)]
    assert told[60:-6] == ["odd time"] * 14
    assert told[-6:] == [f"FRESHTOPIC ocelot now {number}" for number in range(6)]


@pytest.mark.parametrize("case", ["28"], indirect=True)
def test_every_step_of_a_rotation_is_noticed(case: Case) -> None:
    path = Path((case.folder / "log-path.txt").read_text())
    folder = path.parent
    step = {number: (case.folder / f"step{number}.jsonl").read_bytes() for number in range(1, 8)}

    def newest(events: tuple[Event, ...]) -> str:
        return prompts(events)[-1].split()[0]

    assert newest(case.poll()) == "STEPTOPIC0"
    with path.open("ab") as file:
        file.write(step[1])
    events = case.poll()
    assert (newest(events), len(prompts(events))) == ("STEPTOPIC1", 3)
    path.write_bytes(step[2])
    events = case.poll()
    assert (events[0], newest(events), len(prompts(events))) == (Reset("truncated"), "STEPTOPIC2", 3)
    other = path.with_suffix(".tmp")
    other.write_bytes(step[3])
    other.rename(path)
    events = case.poll()
    assert (events[0], newest(events), len(prompts(events))) == (Reset("replaced"), "STEPTOPIC3", 900)
    path.unlink()
    assert case.poll() == ()
    path.write_bytes(step[4])
    assert newest(case.poll()) == "STEPTOPIC4"
    path.rename(f"{path}.1")
    path.write_bytes(step[5])
    assert newest(case.poll()) == "STEPTOPIC5"
    folder.rename(f"{folder}.gone")
    assert case.poll() == ()
    folder.mkdir()
    (folder / "22222222-2222-4333-8444-555555555555.jsonl").write_bytes(step[6])
    assert newest(case.poll()) == "STEPTOPIC6"
    for file_ in folder.iterdir():
        file_.unlink()
    folder.rmdir()
    assert case.poll() == ()
    folder.mkdir()
    path.write_bytes(step[7])
    assert newest(case.poll()) == "STEPTOPIC7"


@pytest.mark.parametrize("case", ["29"], indirect=True)
def test_a_shared_folder_name_shows_nothing_foreign(case: Case) -> None:
    for _ in range(3):
        events = case.poll()
        assert "CANARY29" not in repr(events)
    assert Path(case.follower.status.path).name.startswith("aaaaaaaa")
