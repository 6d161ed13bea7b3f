"""Why a document is in the pack or not, as the command prints it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.sessions.logs import Claude, write
from tests.test_cli import folder, knit, one_line, schema

__all__ = ["folder"]


def answer(*arguments: str, cwd: Path, **environment: str) -> Any:
    result = knit("why", *arguments, "--format", "json", cwd=cwd, **environment)
    found = json.loads(result.stdout)
    jsonschema.validate(found, schema("why"))
    assert result.returncode == (1 if found["code"] == "missing" else 0)
    return found


def test_in_the_pack_with_what_speaks_for_it_and_who_speaks_of_it(folder: Path) -> None:
    (folder / "guide.md").write_text("# Guide\n\nSee [retrying](retry.md).\n")
    result = knit("why", "retry.md", "--query", "retry backoff", cwd=folder)
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    assert lines[:2] == ["retry.md", "  in the pack: number 1, Primary"]
    assert "  title           retry" in lines
    assert lines[lines.index("Named in") + 1] == "  guide.md:3"


def test_json_has_the_same(folder: Path) -> None:
    (folder / "guide.md").write_text("# Guide\n\nSee [retrying](retry.md).\n")
    found = answer("retry.md", "--query", "retry backoff", cwd=folder)
    assert (found["code"], found["facts"]) == ("pack", {"tier": "primary", "number": "1"})
    assert found["text"] == "in the pack: number 1, Primary"
    assert found["item"]["path"] == "retry.md"
    terms = {each["term"]: each["fields"] for each in found["item"]["evidence"]["terms"]}
    assert {"name", "title", "body"} <= set(terms["retry"])
    assert found["relations"] == [{"type": "references", "incoming": True, "path": "guide.md", "line": 3}]
    assert found["relations_total"] == 1
    assert found["query"] == {"source": "typed", "task": "", "terms": ["backoff", "retry"]}
    assert found["searched_bytes"] is None


@pytest.mark.parametrize(
    ("path", "code"),
    (("logo.png", "media"), ("图片排序.md", "no-hit"), ("no/such.md", "missing"), ("../ws/retry.md", "pack")),
)
def test_every_answer_validates(folder: Path, path: str, code: str) -> None:
    assert answer(path, "--query", "retry backoff", cwd=folder)["code"] == code


def test_without_a_session_there_is_nothing_to_rank_by(folder: Path) -> None:
    found = answer("retry.md", cwd=folder)
    assert found["code"] == "no-query"
    assert "no-conversation" in [notice["code"] for notice in found["notices"]]


def test_the_session_it_is_given(folder: Path) -> None:
    log = Claude(cwd=str(folder))
    where = write(folder.parent / "log.jsonl", [log.user("retry with backoff please")])
    found = answer("client.py", "--session", str(where), cwd=folder)
    assert found["code"] == "pack"
    assert found["query"]["source"] == "conversation"


def test_what_is_excluded_says_how_to_let_it_in(folder: Path) -> None:
    state = str(folder.parent / "state")
    knit("exclude", "retry.md", cwd=folder, KNIT_STATE_DIR=state)
    result = knit("why", "retry.md", cwd=folder, KNIT_STATE_DIR=state)
    assert "  left out by you (knit restore lets it in again)" in result.stdout.decode().splitlines()
    assert answer("retry.md", cwd=folder, KNIT_STATE_DIR=state)["code"] == "excluded"


def test_a_path_is_seen_from_the_current_folder_and_then_from_the_root(folder: Path) -> None:
    below = folder / "sub"
    below.mkdir()
    (below / "retry.md").write_text("# Below\n")
    arguments = ("-C", str(folder), "--query", "retry")
    assert answer("retry.md", *arguments, cwd=below)["path"] == "sub/retry.md"
    assert answer("client.py", *arguments, cwd=below)["path"] == "client.py"
    assert answer("gone.py", *arguments, cwd=below)["path"] == "sub/gone.py"


def test_names_that_are_not_utf8_and_names_that_act_on_a_terminal(folder: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.md")
    (folder / odd).write_text("# Retry\n")
    found = answer(odd, "--query", "retry", cwd=folder)
    assert found["path_bytes_hex"] == b"caf\xe9.md".hex()
    bad = "a\x1b]0;x\x07.md"
    (folder / bad).write_text("# Retry\n")
    result = knit("why", bad, "--query", "retry", cwd=folder)
    assert result.returncode == 0
    assert b"\x1b" not in result.stdout


def test_the_last_of_a_pack_keeps_its_bytes(folder: Path) -> None:
    for number in range(12):
        (folder / os.fsdecode(b"q%02d\xe9.md" % number)).write_text(
            f"# Quantum\n\n{'quantum ' * (20 - number)}\n"
        )
    found = answer(os.fsdecode(b"q11\xe9.md"), "--query", "quantum", cwd=folder)
    assert found["code"] == "beaten"
    assert bytes.fromhex(found["facts"]["last_bytes_hex"]).endswith(b"\xe9.md")


def test_wrong_use_is_one_line(folder: Path) -> None:
    for arguments, text in (
        (("/etc/hosts",), "not in the workspace: /etc/hosts"),
        ((".",), "not in the workspace: ."),
        (("retry.md", "--session", "/no/log"), "session file is missing: /no/log"),
        (("retry.md", "-C", "/no/folder"), "no such folder: /no/folder"),
    ):
        result = knit("why", *arguments, cwd=folder)
        assert result.returncode == 2
        assert text in one_line(result)
