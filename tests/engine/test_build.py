"""Indexing in processes of their own gives what indexing here gives, whatever becomes of the processes."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from knit_tui.engine import build
from knit_tui.engine.build import Builders, default_command
from knit_tui.engine.worker import Part, Request
from knit_tui.workspace.scan import Scanner
from tests.engine.desk import Desk, content, fresh

LIMIT = 60.0


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(build, "ENOUGH", 1)
    monkeypatch.setattr(build, "REQUEST_BYTES", 400)
    monkeypatch.setattr(build, "cores", lambda: 2)
    made = Desk(tmp_path)
    made.tree(40)
    return made


def wait_for(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def started(desk: Desk, command: Callable[[], list[str]] = default_command) -> Builders:
    builders = Builders(desk.root, command)
    builders.begin(1)
    taken: list[Part] = []
    while not all(builder.ready for builder in builders._builders):
        taken += builders.take(1.0)
    assert taken == []
    return builders


def pids(builders: Builders) -> list[int]:
    return [builder._popen.pid for builder in builders._builders]


def test_processes_find_what_one_finds_alone(desk: Desk) -> None:
    builders = started(desk)
    with desk.opened(builders=builders) as library:
        assert desk.read == []
        assert content(library) == fresh(desk.root)
        assert library.notices == ()
        assert not builders.ready  # they ended with the work
    with desk.opened() as warm:
        assert desk.read == []
        assert content(warm) == fresh(desk.root)


def test_one_works_alone_until_the_processes_are_ready(desk: Desk) -> None:
    builders = Builders(desk.root)
    library = desk.library(builders=builders)
    library.compare(Scanner(desk.root).scan())
    assert library.pending == 42
    library.index_some(1)
    assert library.pending == 41
    while library.pending:
        library.index_some(1)
    assert content(library) == fresh(desk.root)
    library.close()


def test_little_work_starts_no_process(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ENOUGH", 1 << 20)
    builders = Builders(desk.root, lambda: pytest.fail("a process was started"))
    with desk.opened(builders=builders) as library:
        assert content(library) == fresh(desk.root)


def test_known_text_is_not_sent_back(desk: Desk) -> None:
    with desk.opened():
        pass
    for path in desk.root.rglob("*.md"):
        os.utime(path, ns=(1_500_000_000_000_000_000,) * 2)
    with desk.opened(builders=started(desk)) as library:
        assert desk.read == []
        assert len(library.index.segments) == 1
        assert content(library) == fresh(desk.root)


def test_what_changes_or_goes_while_it_is_read_is_read_again(desk: Desk) -> None:
    builders = started(desk)
    library = desk.library(builders=builders)
    library.compare(Scanner(desk.root).scan())
    library._give(builders)
    part = builders.take(LIMIT)[0]
    gone, changed = (entry.rel for entry in part.entries[:2])
    (desk.root / gone).unlink()
    desk.write(changed, "changed meanwhile")
    library.compare(Scanner(desk.root).scan())
    library._take(part)
    while library.pending:
        library.index_some()
    assert content(library) == fresh(desk.root)
    library.close()


@pytest.mark.parametrize(
    "script",
    ["", "import sys; sys.stdout.write('no greeting at all'); sys.stdout.flush(); sys.stdin.read()"],
    ids=["ends", "talks"],
)
def test_processes_that_are_none_cost_a_notice(desk: Desk, script: str) -> None:
    builders = Builders(desk.root, lambda: [sys.executable, "-c", script])
    builders.begin(1)
    while builders._builders:
        builders.take(1.0)
    with desk.opened(builders=builders) as library:
        assert content(library) == fresh(desk.root)
        assert desk.codes(library) == ["builder-died"]


def test_a_process_that_is_killed_at_work_costs_a_notice(desk: Desk) -> None:
    builders = started(desk)
    library = desk.library(builders=builders)
    library.compare(Scanner(desk.root).scan())
    library._give(builders)
    for pid in pids(builders):
        os.kill(pid, signal.SIGKILL)
    while library.pending:
        library.index_some()
    assert content(library) == fresh(desk.root)
    assert desk.codes(library) == ["builder-died"]
    library.close()


def test_a_process_that_hangs_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    builders = started(desk)
    library = desk.library(builders=builders)
    library.compare(Scanner(desk.root).scan())
    for pid in pids(builders):
        os.kill(pid, signal.SIGSTOP)
    library._give(builders)
    monkeypatch.setattr(build, "LIMIT_SECONDS", 0.0)
    while library.pending:
        library.index_some()
    assert content(library) == fresh(desk.root)
    assert desk.codes(library) == ["builder-died"]
    library.close()


@pytest.mark.parametrize("command", [["/no/such/program"], ["/etc/passwd"]])
def test_where_none_can_be_started_one_works_alone(desk: Desk, command: list[str]) -> None:
    with desk.opened(builders=Builders(desk.root, lambda: command)) as library:
        assert content(library) == fresh(desk.root)
        assert library.notices == ()


def test_an_interrupt_of_the_terminal_does_not_reach_them(desk: Desk) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # who ignores it hands that on
    try:
        builders = started(desk)
    finally:
        signal.signal(signal.SIGINT, before)
    for pid in pids(builders):
        assert os.getsid(pid) == pid
        os.kill(pid, signal.SIGINT)
    with desk.opened(builders=builders) as library:
        assert content(library) == fresh(desk.root)
        assert library.notices == ()


ORPHANS = """
import os, sys, time
from pathlib import Path
from knit_tui.engine import build
build.cores = lambda: 2
builders = build.Builders(Path(sys.argv[1]))
builders.begin(build.ENOUGH)
print(*[builder._popen.pid for builder in builders._builders], flush=True)
time.sleep(600)
"""


def test_they_end_when_their_parent_is_killed(desk: Desk) -> None:
    command = [sys.executable, "-c", ORPHANS, str(desk.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        orphans = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(orphans) == 2
        parent.kill()
    wait_for(lambda: not any(_runs(pid) for pid in orphans), "the processes to end")


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie that nobody waits for."""
    said = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(said.stdout.strip()) and not said.stdout.startswith("Z")


def test_they_load_nothing_heavy() -> None:
    script = (
        "import sys, knit_tui.engine.worker; "
        "print({'textual', 'rich', 'pygments', 'typer', 'watchfiles', 'asyncio'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout == "set()\n"


def test_a_request_keeps_within_what_a_pipe_holds(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "REQUEST_BYTES", 1 << 30)
    entry = Scanner(desk.root).scan().entries[0]
    for rel in ("a/b", "图片" * 300, "x" * 4000, "\udc80" * 1000):
        first = build._first(replace(entry, rel=f"{number}{rel}") for number in range(9_999))
        assert first
        assert len(pickle.dumps(Request("/" + "r" * 4000, first, [1 << 63] * len(first)))) < 1 << 16
