"""Other programs, really run: helpers that stay or hang, windows, an editor that has the terminal."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from knit_tui.faces.tui.services.programs import Done, System

SECONDS = 20.0


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_helper_that_stays_alive_keeps_nobody_waiting(tmp_path: Path) -> None:
    text = (
        "import os, sys, time, pathlib\n"
        "data = sys.stdin.buffer.read()\n"
        "if os.fork(): os._exit(0)\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "(here / 'new').write_bytes(data + b' ' + str(os.getpid()).encode())\n"
        "(here / 'new').rename(here / 'got')\n"
        "while not (here / 'end').exists(): time.sleep(0.02)\n"
    )
    machine = System(patience=SECONDS)
    assert machine.run((script(tmp_path, "serve", text),), data=b"a.py") == Done(0)
    wait_for(lambda: (tmp_path / "got").exists())
    text, _space, pid = (tmp_path / "got").read_text().partition(" ")
    assert text == "a.py" and os.getsid(int(pid)) != os.getsid(0)
    (tmp_path / "end").touch()


def test_a_helper_that_hangs_is_ended(tmp_path: Path) -> None:
    text = "import os, pathlib, time\n" + (
        f"here = pathlib.Path({str(tmp_path)!r}); (here / 'pid').write_text(str(os.getpid()))\ntime.sleep(30)"
    )
    hangs = script(tmp_path, "hangs", text)
    assert System(patience=1.5).run((hangs,), data=b"a", answer=True) == Done(None, fault="timeout")
    if (tmp_path / "pid").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)


def test_what_cannot_be_run_says_why(tmp_path: Path) -> None:
    (tmp_path / "no").write_text("")
    for done in (
        System().run((str(tmp_path / "no"),)),
        System().start((str(tmp_path / "no"),), str(tmp_path)),
        System().attend((str(tmp_path / "no"),), str(tmp_path)),
    ):
        assert done.code is None and done.fault == "Permission denied"
    assert System().run(("/bin/sh\0",)).fault


def test_a_program_is_started_away_from_the_terminal(tmp_path: Path) -> None:
    text = (
        "import os, sys, pathlib, time\n"
        "here = pathlib.Path(sys.argv[1])\n"
        "facts = [os.readlink(f'/proc/self/fd/{n}') if os.path.exists('/proc/self') else os.devnull"
        " for n in (0, 1, 2)]\n"
        "(here / 'new').write_text('\\n'.join([os.getcwd(), str(os.getsid(0) == os.getpid()), *facts]))\n"
        "(here / 'new').rename(here / 'got')\n"
        "while not (here / 'end').exists(): time.sleep(0.02)\n"
    )
    window = script(tmp_path, "window", text)
    assert System(glance=0.05).start((window, str(tmp_path)), str(tmp_path)) == Done(None)
    wait_for(lambda: (tmp_path / "got").exists())
    folder, leads, *streams = (tmp_path / "got").read_text().splitlines()
    assert os.path.realpath(folder) == os.path.realpath(tmp_path)
    assert leads == "True" and streams == [os.devnull] * 3
    (tmp_path / "end").touch()
    failing = script(tmp_path, "fails", "raise SystemExit(3)")
    assert System(glance=SECONDS).start((failing,), str(tmp_path)) == Done(3)


def test_only_absolute_places_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, "helper", "")
    monkeypatch.chdir(tmp_path)
    for path in (".", "", f"::{tmp_path.name}"):
        assert System({"PATH": path}).find("helper") is None
    assert System({"PATH": f".:{tmp_path}"}).find("helper") == str(tmp_path / "helper")
    assert System({"PATH": str(tmp_path)}).find("./helper") is None
    assert System({}).find(str(tmp_path / "helper")) == str(tmp_path / "helper")
    assert System({}).find(str(tmp_path / "none")) is None


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGHUP))
def test_who_ends_the_panel_ends_the_editor_first(tmp_path: Path, number: signal.Signals) -> None:
    text = (
        "import pathlib, signal, sys, time\n"
        "here = pathlib.Path(sys.argv[1])\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit(7))\n"
        "(here / 'up').touch()\n"
        "time.sleep(30)"
    )
    seen: list[int] = []
    before = signal.signal(number, lambda got, _frame: seen.append(got))
    try:
        watcher = threading.Thread(
            target=lambda: (wait_for(lambda: (tmp_path / "up").exists()), os.kill(os.getpid(), number))
        )
        watcher.start()
        done = System().attend((script(tmp_path, "editor", text), str(tmp_path)), str(tmp_path))
        watcher.join()
        assert done == Done(7) and seen == [number]
    finally:
        signal.signal(number, before)


def test_an_interrupt_is_the_editors_own(tmp_path: Path) -> None:
    text = "import os, signal\nos.kill(os.getppid(), signal.SIGINT)\nprint(end='')"
    text += "\nraise SystemExit(4 if signal.getsignal(signal.SIGINT) is signal.default_int_handler else 5)"
    assert System().attend((script(tmp_path, "editor", text),), str(tmp_path)) == Done(4)


def wait_for(predicate: object) -> None:
    end = time.monotonic() + SECONDS
    while not predicate():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.01)
