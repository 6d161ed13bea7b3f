"""The highlighter: answers in turn, replaces a process that is slow or dies, leaves none behind."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from knit_tui.faces.tui.preview import servant
from knit_tui.faces.tui.preview.highlight import Answer, Fault, Highlighter, Job, checked_runs
from knit_tui.faces.tui.preview.process import Gone, Process
from tests.preview.bench import PATIENCE, alive
from tests.preview.conftest import FakeChild

HANG = "while True: pass"


@contextmanager
def highlighter(**settings: Any) -> Iterator[tuple[Highlighter, queue.Queue[Answer]]]:
    answers: queue.Queue[Answer] = queue.Queue()
    settings.setdefault("limit", PATIENCE)
    made = Highlighter(answers.put, **settings)
    try:
        yield made, answers
    finally:
        made.stop()


def job(document: object, *lines: str, **fields: Any) -> Job:
    return Job(document, "python", lines or ("x = 1",), 0, **fields)


def waits_at(gate: Path) -> str:
    """For a fake child: the line ``first`` is answered when someone writes to ``gate``."""
    return f"if request['lines'][0] == 'first':\n        open({str(gate)!r}).read()\n    send(plain(request))"


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0)


def test_jobs_are_answered_in_order_by_one_process() -> None:
    with highlighter() as (made, answers):
        first, second = job(1), job(2, "def f():", "    pass", skip=1)
        made.want([first, second])
        assert answers.get(timeout=PATIENCE).job is first
        pid = made.pid
        answer = answers.get(timeout=PATIENCE)
        assert answer.job is second and answer.fault is None
        assert len(answer.runs) == 1 and answer.runs[0][0][:2] == (4, 4)
        assert made.pid == pid


def test_nothing_runs_before_there_is_a_job() -> None:
    with highlighter() as (made, _):
        made.want([])
        assert made.pid is None


def test_a_slow_job_costs_its_process_and_its_document_but_not_the_next(fake_child: FakeChild) -> None:
    body = f"if request['lines'][0] == 'hang':\n        {HANG}\n    send(plain(request))"
    command, log = fake_child(body)
    with highlighter(command=command, limit=0.3) as (made, answers):
        bad, good = object(), object()
        made.want([job(bad, "hang"), job(bad, "never asked"), job(good, "fine")])
        answer = answers.get(timeout=PATIENCE)
        assert answer.job.document is bad and answer.fault is Fault.SLOW
        answer = answers.get(timeout=PATIENCE)
        assert answer.job.document is good and answer.fault is None
        assert answers.empty()
    assert log.read_text().split() == ["started", "asked", "started", "asked"]


def test_a_killed_process_is_not_left_as_a_zombie(fake_child: FakeChild) -> None:
    command, _ = fake_child(HANG)
    with highlighter(command=command, limit=0.3) as (made, answers):
        made.want([job(1)])
        wait_until(lambda: made.pid is not None)
        pid = made.pid
        assert pid is not None
        assert answers.get(timeout=PATIENCE).fault is Fault.SLOW
        assert not alive(pid)


def test_a_slow_whole_text_drops_no_windows(fake_child: FakeChild) -> None:
    command, _ = fake_child(f"if len(request['lines']) > 1:\n        {HANG}\n    send(plain(request))")
    with highlighter(command=command, limit=0.3) as (made, answers):
        document = object()
        made.want([job(document, "a", "b", whole=True), job(document, "a")])
        assert answers.get(timeout=PATIENCE).fault is Fault.SLOW
        assert answers.get(timeout=PATIENCE).fault is None


def test_a_process_that_died_while_idle_is_replaced_unseen() -> None:
    with highlighter() as (made, answers):
        made.want([job(1)])
        assert answers.get(timeout=PATIENCE).fault is None
        pid = made.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        made.want([job(2)])
        assert answers.get(timeout=PATIENCE).fault is None
        assert made.pid != pid and not alive(pid)


def test_a_job_that_kills_every_process_is_given_up(fake_child: FakeChild) -> None:
    command, log = fake_child("os._exit(3)")
    with highlighter(command=command) as (made, answers):
        made.want([job(1)])
        assert answers.get(timeout=PATIENCE).fault is Fault.DIED
    assert log.read_text().split().count("asked") == 1


@pytest.mark.parametrize(
    "body",
    [
        'send({"runs": 7})',
        'send({"runs": []})',
        'send({"runs": [[0, 99, 0]]})',
        'send({"runs": [[0, 1, 999]]})',
        'send({"runs": [[-1, 1, 0]]})',
        'send({"runs": [[0, 1]]})',
        'send({"runs": [["0", 1, 1]]})',
        'send({"runs": [[2, 1, 0, 0, 1, 0]]})',
        "send({})",
        "send([1])",
        'replies.write(struct.pack(">I", 2) + b"{]"); replies.flush()',
        'replies.write(struct.pack(">I", 1 << 31)); replies.flush()',
        'replies.write(struct.pack(">I", 60000) + b"[" * 60000); replies.flush()',
    ],
)
def test_a_reply_that_is_none_is_a_fault_and_no_crash(fake_child: FakeChild, body: str) -> None:
    command, _ = fake_child(body)
    with highlighter(command=command) as (made, answers):
        made.want([job(1)])
        assert answers.get(timeout=PATIENCE).fault is Fault.DIED


def test_a_reply_in_small_pieces_is_one_reply(fake_child: FakeChild) -> None:
    body = (
        "whole = json.dumps(plain(request)).encode()\n"
        '    for byte in struct.pack(">I", len(whole)) + whole:\n'
        "        os.write(1, bytes([byte]))"
    )
    command, _ = fake_child(body)
    with highlighter(command=command) as (made, answers):
        made.want([job(1)])
        assert answers.get(timeout=PATIENCE).fault is None


def test_a_request_larger_than_a_pipe_does_not_block() -> None:
    with highlighter() as (made, answers):
        lines = ["x = 'é'" * 250] * 100
        made.want([Job(1, "python", lines, 0)])
        answer = answers.get(timeout=PATIENCE)
        assert answer.fault is None and len(answer.runs) == 100


def test_a_process_that_reads_nothing_is_slow() -> None:
    program = "import time; print(end='\\0\\0\\0\\x0f{\"ready\": true}', flush=True); time.sleep(600)"
    with highlighter(command=[sys.executable, "-I", "-c", program], limit=0.3) as (made, answers):
        made.want([Job(1, "python", ["x" * 2000] * 1000, 0)])
        assert answers.get(timeout=PATIENCE).fault is Fault.SLOW


def test_an_unknown_language_keeps_the_process() -> None:
    with highlighter() as (made, answers):
        made.want([Job(1, "no-such-language", ["x"], 0), job(2)])
        assert answers.get(timeout=PATIENCE).fault is Fault.LEXER
        pid = made.pid
        assert answers.get(timeout=PATIENCE).fault is None
        assert made.pid == pid


@pytest.mark.parametrize("command", [["/nonexistent/python"], ["/bin/false"], ["/bin/echo", "hello, world"]])
def test_a_process_that_cannot_start_leaves_plain_text(command: list[str]) -> None:
    with highlighter(command=command) as (made, answers):
        made.want([job(1)])
        assert answers.get(timeout=PATIENCE).fault is Fault.UNAVAILABLE
        assert made.pid is None


def test_starting_in_vain_is_tried_twice_only(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = f"open({str(log)!r}, 'a').write('started ')"
    with highlighter(command=[sys.executable, "-I", "-c", program]) as (made, answers):
        for document in range(4):
            made.want([job(document)])
            assert answers.get(timeout=PATIENCE).fault is Fault.UNAVAILABLE
    assert log.read_text().split() == ["started", "started"]


def test_stop_while_a_process_is_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made_processes: list[Process] = []

    def slow_start(command: list[str]) -> Process:
        stopping = threading.Thread(target=made.stop)
        stopping.start()
        wait_until(lambda: made._stopping)
        made_processes.append(Process(command))
        return made_processes[0]

    monkeypatch.setattr(servant, "Process", slow_start)
    with highlighter(command=["/bin/sleep", "600"]) as (made, _):
        made.want([job(1)])
        thread = made._thread
        assert thread is not None
        thread.join(PATIENCE)
        assert not thread.is_alive() and not alive(made_processes[0].pid)


def test_new_wishes_replace_the_ones_that_wait(fake_child: FakeChild, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command, log = fake_child(waits_at(gate))
    with highlighter(command=command) as (made, answers):
        made.want([job(1, "first"), job(2, "second")])
        wait_until(lambda: "asked" in log.read_text())
        made.want([job(3, "third")])
        gate.write_text("go")
        assert [answers.get(timeout=PATIENCE).job.document for _ in range(2)] == [1, 3]
        assert answers.empty()


def test_the_job_in_hand_is_not_done_twice(fake_child: FakeChild, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command, log = fake_child(waits_at(gate))
    with highlighter(command=command) as (made, answers):
        document = object()
        made.want([job(document, "first")])
        wait_until(lambda: "asked" in log.read_text())
        made.want([job(document, "first"), job(document, "last", whole=True)])
        gate.write_text("go")
        assert [answers.get(timeout=PATIENCE).job.whole for _ in range(2)] == [False, True]
        assert answers.empty()


@pytest.mark.parametrize("body", ["send(plain(request))", HANG])
def test_stop_leaves_no_process_whatever_it_does(fake_child: FakeChild, body: str) -> None:
    command, log = fake_child(body)
    with highlighter(command=command) as (made, _):
        made.want([job(1)])
        wait_until(lambda: "asked" in log.read_text())
        pid = made.pid
        assert pid is not None
        made.stop()
        assert not alive(pid)
        made.want([job(2)])
        assert made.pid is None


def test_stop_ends_a_process_that_has_not_greeted_yet() -> None:
    with highlighter(command=["/bin/sleep", "600"]) as (made, answers):
        made.want([job(1)])
        wait_until(lambda: made.pid is not None)
        pid = made.pid
        assert pid is not None
        made.stop()
        assert not alive(pid)
        assert answers.empty()


def test_the_process_is_out_of_the_terminals_reach(fake_child: FakeChild) -> None:
    facts = "os.getsid(0) == os.getpid(), os.environ.get('HOME'), os.getcwd()"
    command, log = fake_child(f"log(json.dumps([{facts}], separators=(',', ':')))\n    send(plain(request))")
    with highlighter(command=command) as (made, answers):
        made.want([job(1)])
        answers.get(timeout=PATIENCE)
    assert log.read_text().split()[-1] == '[true,null,"/"]'


def test_checked_runs_gives_what_is_right() -> None:
    assert checked_runs([[0, 1, 2, 1, 2, 0], []], ["abc", ""]) == (((0, 1, 2), (1, 2, 0)), ())
    with pytest.raises(Gone):
        checked_runs([[True, 1, 2]], ["abc"])
