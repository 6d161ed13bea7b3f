"""What other programs rely on: the shape of every output, its bytes, the order, the exit status.

The files in ``golden`` are outputs over an invented workspace. A change of one is a change of the
contract: ``pytest -n 0 tests/test_headless_contract.py --snapshot-update`` writes them anew, to be read.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from knit_tui.cli import show
from tests.headless import Knit, knit  # noqa: F401 - a fixture
from tests.sessions.logs import Claude, write

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = Path(__file__).parent / "golden"
FILES = {
    "docs/retry.md": "# Retry policy\n\nA request that fails is sent again with a growing backoff.\n\n"
    "## Backoff\n\nThe backoff doubles after every retry: see `src/net/retry.py`.\n",
    "src/net/retry.py": '"""Sends a request again."""\n\n\ndef backoff(retry: int) -> float:\n'
    "    return 2.0**retry\n",
    "src/net/client.py": "from net.retry import backoff\n\n\ndef send() -> None:\n    wait(backoff(1))\n",
    "tests/test_retry.py": "from net.retry import backoff\n\n\ndef test_backoff() -> None:\n"
    "    assert backoff(2) == 4\n",
    "docs/重试.md": "# 重试\n\n请求失败后重试 (retry)。\n",
    'odd "name"\x1b.md': "# Odd\n\nretry\n",
    "notes.txt": "Nothing of it here.\n",
}
CASES = {
    "query.txt": ["--query", "retry backoff"],
    "query.json": ["--query", "retry backoff", "--format", "json", "--limit", "2"],
    "query.paths": ["--query", "retry backoff", "--format", "paths"],
    "explain.txt": ["--query", "retry backoff", "--explain", "--limit", "2"],
    "explain.json": ["--query", "retry backoff", "--explain", "--format", "json", "--limit", "1"],
    "pack.txt": ["pack", "--session", "../s.jsonl"],
    "pack.json": ["pack", "--session", "../s.jsonl", "--format", "json", "--limit", "1"],
    "pack.paths": ["pack", "--session", "../s.jsonl", "--format", "paths"],
    "newest.txt": ["pack", "--kind", "docs"],
    "nothing.json": ["--query", "zeppelin", "--format", "json"],
}


@pytest.fixture
def told(knit: Knit) -> Knit:  # noqa: F811
    """Files with times of their own, and a session about them."""
    for number, (rel, text) in enumerate(FILES.items()):
        path = knit.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(10**18 + number, 10**18 + number))
    log = Claude(str(knit.root), "5b0c7a10")
    rows = [
        log.user("where is the retry backoff computed"),
        log.call("Read", "c1", file_path=str(knit.root / "src/net/client.py")),
        log.done("c1", "x", {}),
    ]
    write(knit.base / "s.jsonl", rows)
    return knit


@pytest.mark.parametrize("name", CASES)
def test_the_output_is_what_it_was(name: str, told: Knit, request: pytest.FixtureRequest) -> None:
    done = told(*CASES[name])
    assert (done.status, done.err != "") == ((1, True) if name.startswith("nothing") else (0, False))
    out = done.out.replace(str(told.base).encode(), b"/base")
    if name.endswith(".json"):
        done.json("pack")
    if request.config.option.update_snapshots:
        (GOLDEN / name).write_bytes(out)
    assert out == (GOLDEN / name).read_bytes()


def test_the_same_again_is_the_same_bytes_whether_it_was_kept_or_not(told: Knit) -> None:
    for case in ("query.json", "pack.json", "explain.txt"):
        first = told(*CASES[case]).out
        assert list((told.base / "cache").glob("*/manifest")), "it was kept"
        assert told(*CASES[case]).out == first
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("KNIT_CACHE_DIR", "off")
            assert told(*CASES[case]).out == first


@pytest.mark.parametrize("kind", ["context", "docs", "code"])
def test_the_order_does_not_depend_on_the_limit(kind: str, told: Knit) -> None:
    def paths(*more: str) -> list[bytes]:
        return told("--query", "retry backoff", "--kind", kind, "--format", "paths", *more).out.splitlines()

    whole = paths()
    assert len(whole) >= 3
    for limit in range(1, len(whole)):
        assert paths("--limit", str(limit)) == whole[:limit]
    answer = told("--query", "retry backoff", "--kind", kind, "--format", "json").json("pack")
    assert [os.fsencode(item["path"]) for item in answer["items"] if '"' not in item["path"]] == [
        path for path in whole if not path.startswith(b'"')
    ]


def test_a_path_is_always_one_line(told: Knit) -> None:
    lines = told("--query", "retry", "--format", "paths").out.splitlines()
    assert b'"odd \\"name\\"\\033.md"' in lines
    assert "docs/重试.md".encode() in lines


def test_explain_is_as_its_schema_says_for_all(told: Knit) -> None:
    for case in (["--query", "retry backoff"], ["pack", "--session", "../s.jsonl"]):
        answer = told(*case, "--explain", "--format", "json").json("pack")
        assert all(item["evidence"] for item in answer["items"])
        assert not re.search(r'"(score|weight|rank)"', json.dumps(answer))


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--query", "retry"], 0, ""),
        (["--query", "-"], 0, ""),
        (["--query", "zeppelin"], 1, "zeppelin"),
        (["--query", "retry", "--limit", "0"], 2, "--limit"),
        (["--query", "retry", "--format", "xml"], 2, "--format"),
        (["--query", "retry", "--nonsense"], 2, "--nonsense"),
        (["pack", "--nonsense"], 2, "--nonsense"),
        (["pack", "--session", "absent.jsonl"], 2, "absent.jsonl"),
        (["pack", "extra"], 2, "extra"),
        (["--format", "json", "pack"], 2, "--format stands before pack"),
        (["--watch", "pack"], 2, "--watch stands before pack"),
        (["--query", "retry", "files"], 2, "--query stands before files"),
        (["-C", "nowhere", "pack"], 2, "nowhere"),
    ],
)
def test_the_exit_status_and_one_line_for_what_is_wrong(
    arguments: list[str], status: int, says: str, told: Knit
) -> None:
    done = told(*arguments, stdin=b"the retry please")
    assert done.status == status
    assert (done.out == b"") == (status > 0)
    assert done.err.count("\n") == (status > 0)
    assert says in done.err and done.err.startswith("knit: " if says else "")


def test_ctrl_c_and_a_reader_that_leaves_are_quiet(told: Knit) -> None:
    def failing(error: BaseException) -> Any:
        def fail(*_more: object, **_rest: object) -> None:
            raise error

        return fail

    for error, status in ((KeyboardInterrupt(), 130), (BrokenPipeError(), 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("knit_tui.engine.host.open_engine", failing(error))
            patch.setattr("os.dup2", lambda *_files: None)
            done = told("--query", "retry")
        assert (done.status, done.out, done.err) == (status, b"", "")


def test_ctrl_c_while_the_command_is_loaded_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from knit_tui import cli

    def stop(_language: str | None = None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("knit_tui.faces.i18n.use_language", stop)
    monkeypatch.setattr("sys.argv", ["knit", "--version"])
    with pytest.raises(SystemExit) as raised:
        cli.main()
    assert raised.value.code == 130


def test_somebody_without_a_home_is_answered(told: Knit) -> None:
    def nowhere(_cls: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    told.patch.delenv("HOME")
    told.patch.delenv("KNIT_CACHE_DIR")
    told.patch.setattr(Path, "home", classmethod(nowhere))
    done = told("--query", "retry", "--format", "paths")
    assert (done.status, done.out != b"") == (0, True)
    assert told("sessions").status == 1


def test_every_command_and_option_is_documented() -> None:
    from knit_tui.cli.app import app

    said = (ROOT / "docs/headless.md").read_text(encoding="utf-8")
    whole: Any = typer.main.get_command(app)
    for name in whole.commands:
        assert f"`knit {name}" in said, name
    for name in ("pack", "doctor"):
        for parameter in whole.commands[name].params:
            for option in parameter.opts:
                assert f"`{option}" in said or f" {option}" in said, (name, option)


def test_every_schema_is_named() -> None:
    said = (ROOT / "docs/headless.md").read_text(encoding="utf-8")
    for path in (ROOT / "knit_tui/faces/schema").glob("*.json"):
        assert f"{path.name}" in said, path.name


def test_the_format_is_text_unless_it_is_watched() -> None:
    assert show._format(None, False) == "text" and show._format(None, True) == "json"
