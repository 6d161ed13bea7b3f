"""The real command in a process of its own."""

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests import warm

ROOT = Path(__file__).resolve().parent.parent


def knit(
    *arguments: str, cwd: Path, stdin: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    base = {
        key: value for key, value in os.environ.items() if not key.startswith(("CLAUDE", "CODEX", "XDG_"))
    }
    home = cwd.parent / "home"
    path = os.pathsep.join([str(ROOT), base.get("PYTHONPATH", "")])
    # How Python takes the locale is a part of its start.
    cold = any(name.startswith(("LC_", "LANG", "PYTHON")) for name in environment)
    program = (sys.executable, "-m", "knit_tui") if cold else warm.command()
    return subprocess.run(
        [*program, *arguments],
        cwd=cwd,
        env={**base, "HOME": str(home), "PYTHONPATH": path, **environment},
        input=stdin or b"",
        capture_output=True,
        timeout=60,
        check=False,
    )


def schema(name: str) -> Any:
    return json.loads((resources.files("knit_tui.faces") / "schema" / f"{name}.json").read_text())


def one_line(result: subprocess.CompletedProcess[bytes]) -> str:
    """The single line on stderr; also that nothing looks like a crash."""
    text = result.stderr.decode()
    assert text.startswith("knit: "), text
    assert text.count("\n") == 1, text
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "retry.md").write_text("# Retry\n\nRetry with backoff, then retry again.\n")
    (root / "client.py").write_text("def backoff():\n    retry()\n")
    (root / "图片排序.md").write_text("# 图片排序\n\n图片按名称排序。\n", encoding="utf-8")
    (root / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return root


def test_version(folder: Path) -> None:
    result = knit("--version", cwd=folder)
    assert (result.returncode, result.stdout[:5], result.stderr) == (0, b"knit ", b"")


def test_json_validates_holds_no_score_and_is_the_same_every_time(folder: Path) -> None:
    runs = [knit("--query", "retry backoff", "--format", "json", cwd=folder) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    answer = json.loads(runs[0].stdout)
    jsonschema.validate(answer, schema("pack"))
    assert [item["path"] for item in answer["items"]] == ["retry.md", "client.py"]
    assert "score" not in runs[0].stdout.decode()


def test_text_is_plain_and_aligned(folder: Path) -> None:
    result = knit("--query", "retry", cwd=folder)
    text = result.stdout.decode()
    assert "Primary" in text
    assert " 1  retry.md" in text
    assert "\x1b" not in text
    assert result.returncode == 0


def test_paths_are_one_a_line_and_quoted_when_a_line_could_not_hold_them(folder: Path) -> None:
    (folder / "bad\n\x1b[2J.md").write_text("# needle\n")
    (folder / "good.md").write_text("needle once\n")
    result = knit("--query", "needle", "--format", "paths", cwd=folder)
    assert result.stdout.split(b"\n") == [b'"bad\\012\\033[2J.md"', b"good.md", b""]


def test_a_query_from_stdin(folder: Path) -> None:
    assert b"retry.md" in knit("--query", "-", cwd=folder, stdin=b"the retry please").stdout


def test_a_chinese_query(folder: Path) -> None:
    result = knit("--query", "图片排序", "--format", "paths", cwd=folder)
    assert result.stdout.decode() == "图片排序.md\n"


def test_kinds(folder: Path) -> None:
    assert (
        knit("--query", "retry", "--kind", "code", "--format", "paths", cwd=folder).stdout == b"client.py\n"
    )
    assert knit("--query", "logo", "--kind", "media", "--format", "paths", cwd=folder).stdout == b"logo.png\n"
    assert knit("--query", "logo", cwd=folder).returncode == 1


def test_the_limit_cuts_the_tail_and_says_so(folder: Path) -> None:
    for i in range(30):
        (folder / f"n{i:02}.md").write_text("retry\n")
    whole = knit("--query", "retry", "--format", "paths", "--limit", "100", cwd=folder).stdout.split(b"\n")
    short = knit("--query", "retry", "--format", "paths", "--limit", "5", cwd=folder).stdout.split(b"\n")
    assert short[:5] == whole[:5]
    assert len(short) == 6
    assert "27 more" in knit("--query", "retry", "--limit", "5", cwd=folder).stdout.decode()


def test_pack_without_a_session_is_newest_first_with_an_honest_line(folder: Path) -> None:
    result = knit("pack", cwd=folder)
    assert result.returncode == 0
    assert "not enough conversation" in result.stdout.decode()


def test_pack_follows_the_session_it_is_given(folder: Path) -> None:
    log = folder.parent / "s.jsonl"
    record = {
        "type": "user", "uuid": "u1", "parentUuid": None, "isSidechain": False, "cwd": str(folder),
        "sessionId": "s1", "version": "2.1.0", "message": {"role": "user", "content": "explain the backoff"},
    }  # fmt: skip
    log.write_text(json.dumps(record) + "\n")
    answer = json.loads(knit("pack", "--session", str(log), "--format", "json", cwd=folder).stdout)
    jsonschema.validate(answer, schema("pack"))
    assert answer["query"]["task"] == "explain the backoff"
    assert answer["items"][0]["path"] == "client.py"
    assert answer["session"]["state"] == "following"


def test_files_lists_everything_with_its_reason(folder: Path) -> None:
    (folder / "blob.dat").write_bytes(b"\0\1\2")
    os.mkfifo(folder / "pipe.md")
    (folder / ".env").write_text("KEY=1\n")
    answer = json.loads(knit("files", "--format", "json", cwd=folder).stdout)
    jsonschema.validate(answer, schema("files"))
    kinds = {row["path"]: (row["kind"], row["access"]) for row in answer["files"]}
    assert kinds["client.py"] == ("code", "text")
    assert kinds["logo.png"] == ("image", "name")
    assert kinds[".env"][1] == "withheld"
    assert {row["path"]: row["reason"] for row in answer["skipped"]} == {
        "blob.dat": "binary",
        "pipe.md": "special",
    }
    text = knit("files", cwd=folder).stdout.decode()
    assert "pipe.md" in text and "special" in text


def test_a_name_that_is_not_utf8_keeps_its_bytes(folder: Path) -> None:
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("# needle\n")
    answer = json.loads(knit("--query", "needle", "--format", "json", cwd=folder).stdout)
    jsonschema.validate(answer, schema("pack"))
    assert answer["items"][0]["path_bytes_hex"] == b"caf\xe9.md".hex()
    assert knit("--query", "needle", "--format", "paths", cwd=folder).stdout == b'"caf\\351.md"\n'


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--query", "zeppelin"], 1, "zeppelin"),
        (["--query", "the of and"], 1, "nothing to search for"),
        (["--query", ""], 1, "nothing to search for"),
        (["--query", "retry", "--limit", "0"], 2, "--limit"),
        (["--query", "retry", "--limit", "x"], 2, "--limit"),
        (["--query", "retry", "--kind", "music"], 2, "--kind"),
        (["--query", "retry", "--format", "xml"], 2, "--format"),
        (["--query"], 2, "--query"),
        (["--nonsense"], 2, "--nonsense"),
        (["nonsense"], 2, "nonsense"),
        (["-C", "nowhere", "--query", "retry"], 2, "nowhere"),
        (["-C", "retry.md", "--query", "retry"], 2, "not a folder"),
        (["pack", "--session", "absent.jsonl"], 2, "absent.jsonl"),
        (["pack", "--session", "retry.md"], 2, "retry.md"),
        ([], 2, "terminal"),
    ],
)
def test_wrong_use_gets_one_line_and_its_status(
    folder: Path, arguments: list[str], status: int, says: str
) -> None:
    result = knit(*arguments, cwd=folder)
    assert result.returncode == status
    assert says in one_line(result)
    assert result.stdout == b""


def test_an_empty_folder_and_one_of_binaries(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    result = knit("--query", "retry", cwd=empty)
    assert result.returncode == 1
    assert "no such files" in one_line(result)
    (empty / "a.bin").write_bytes(b"\0" * 100)
    assert knit("--query", "retry", cwd=empty).returncode == 1
    assert knit("files", cwd=empty).returncode == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_an_unreadable_root(folder: Path) -> None:
    folder.chmod(0)
    try:
        result = knit("-C", str(folder), "--query", "retry", cwd=folder.parent)
    finally:
        folder.chmod(0o755)
    assert result.returncode == 2
    assert "cannot" in one_line(result)


def test_a_current_folder_that_is_gone(folder: Path) -> None:
    program = (
        "import os, sys; from knit_tui.cli import main; os.rmdir(os.getcwd()); "
        "sys.argv[1:] = ['--query', 'x1']; main()"
    )
    doomed = folder / "doomed"
    doomed.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=doomed,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 2
    assert "folder" in one_line(result)


def test_the_c_locale_prints_every_name(folder: Path) -> None:
    strict = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for encoding in ({"LC_ALL": "C"}, strict):
        result = knit("--query", "按名称排序", cwd=folder, **encoding)
        assert result.returncode == 0, result.stderr
        assert b".md" in result.stdout


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    for i in range(400):
        (folder / f"note-with-a-long-name-{i:04}.md").write_text("retry\n")
    command = f"{sys.executable} -m knit_tui --query retry --limit 1000 --format text | head -1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder.parent)}
    result = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, timeout=60, check=False
    )
    assert result.stderr == b""
    assert result.stdout.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_and_closed_streams_are_one_line_or_nothing(folder: Path) -> None:
    for redirect, status in (("> /dev/full", 2), (">&-", 0), ("2>&-", 0), (">&- 2>&- <&-", 0)):
        command = f"{sys.executable} -m knit_tui --query retry {redirect}"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder.parent)}
        result = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, timeout=60, check=False
        )
        assert result.returncode == status, (redirect, result)
        assert b"Traceback" not in result.stderr
        assert result.stderr.count(b"\n") <= 1


def test_a_dumb_terminal_is_told_what_to_do(folder: Path) -> None:
    import pty

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    master, slave = pty.openpty()
    try:
        command = [sys.executable, "-m", "knit_tui"]
        process = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            timeout=60,
            check=False,
        )
        said = os.read(master, 10_000).decode()
    finally:
        os.close(master)
        os.close(slave)
    assert process.returncode == 2
    assert said.startswith("knit: ")
    assert "TERM is dumb" in said
    assert said.count("\n") == 1


def test_knit_finds_its_own_ranking() -> None:
    answer = json.loads(knit("--query", "how is BM25 weighted", "--format", "json", cwd=ROOT).stdout)
    jsonschema.validate(answer, schema("pack"))
    assert answer["items"][0]["path"] == "knit_tui/find/bm25.py"
