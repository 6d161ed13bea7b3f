"""Everything that speaks for a document, as the command prints it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.sessions.logs import Claude, write
from tests.test_cli import knit, schema
from tests.workspace.conftest import commit, run_git
from tests.workspace.conftest import write as lay

FILES: dict[str, str | bytes] = {
    "src/net/retry.py": '"""Retry with backoff."""\n\n\ndef retry_call():\n    return backoff()\n',
    "src/net/client.py": "import retry\n\n\nclass Client:\n    pass\n",
    "docs/retrying.md": "# Retrying\n\nHow calls are retried.\n",
    "docs/guide.md": "# Guide\n\nNothing of note.\n",
    "src/pool.py": "pool = []\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository; one commit is about retry and changed a file that does not hold the word."""
    root = tmp_path / "ws"
    root.mkdir()
    run_git(root, "init", "-q")
    commit(root, "begin", {"docs/guide.md": FILES["docs/guide.md"]})
    commit(root, "retry on a broken pool", {"src/pool.py": FILES["src/pool.py"]})
    lay(root, FILES)
    return root


def answer(*arguments: str, cwd: Path) -> Any:
    """The answer as JSON; that it validates, and holds no number that is no integer."""

    def refuse(number: str) -> None:
        raise AssertionError(f"{number} could be read as a score")

    result = knit(*arguments, "--format", "json", cwd=cwd)
    found = json.loads(result.stdout, parse_float=refuse)
    jsonschema.validate(found, schema("pack"))
    return found


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


QUESTION = ("--query", "how does retry_call retry")


def test_the_json_has_the_evidence_of_every_row(folder: Path) -> None:
    found = answer(*QUESTION, "--explain", cwd=folder)
    rows = {row["path"]: row["evidence"] for row in found["items"]}
    assert next(iter(rows)) == "src/net/retry.py"
    first = rows["src/net/retry.py"]
    assert first["defines"] == ["retry_call"]
    assert (first["commit"], first["use"], first["named"], first["lead"]) == (None, None, False, "terms")
    assert {"term": "retry", "word": "retry", "fields": ["name", "summary", "headings", "body"]} in first[
        "terms"
    ]
    other = rows["docs/retrying.md"]["terms"]
    fields = ["name", "title", "summary", "headings", "body"]
    assert {"term": "retry", "word": "retrying", "fields": fields} in other
    pool = rows["src/pool.py"]
    assert (pool["terms"], pool["lead"], pool["commit"]["subject"]) == (
        [],
        "history",
        "retry on a broken pool",
    )
    assert set(found["query"]["forms"]["retry"]) >= {"retried", "retrying"}
    assert found["query"]["wish"] == "understanding"


def test_without_explain_there_is_no_evidence_and_the_same_order(folder: Path) -> None:
    plain, explained = answer(*QUESTION, cwd=folder), answer(*QUESTION, "--explain", cwd=folder)
    assert not {"evidence", "forms"} & set(keys(plain))
    for row in explained["items"]:
        del row["evidence"]
    del explained["query"]["forms"]
    assert plain == explained


def test_no_key_reads_as_a_score_and_the_schema_takes_none(folder: Path) -> None:
    found = answer(*QUESTION, "--explain", cwd=folder)
    assert not [key for key in keys(found) if re.search("score|strength|weight|rank|raw|bm25", key)]
    for spoiled in (found, found["items"][0], found["items"][0]["evidence"], found["items"][0]["reason"]):
        spoiled["score"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(found, schema("pack"))
        del spoiled["score"]
    jsonschema.validate(found, schema("pack"))


def test_the_text_tells_everything_and_no_number(folder: Path) -> None:
    text = knit(*QUESTION, "--explain", cwd=folder).stdout.decode()
    assert "names: retry_call\n" in text
    assert "asked for: how something works: source\n" in text
    [looked_for] = [line for line in text.split("\n") if line.startswith("looked for: ")]
    assert "retry (" in looked_for
    evidence = [line for line in text.split("\n") if re.match(r"      [a-z][a-z ]{15}\S", line)]
    names = {line[6:22].strip() for line in evidence}
    assert {"file name", "defines", "summary", "text", "defines by name", "history", "counts most"} <= names
    for line in [looked_for, *evidence]:
        without_commits = re.sub("changed in [0-9a-f]{7} ", "", line)
        assert not re.search(r"\d", without_commits), line
    assert not re.search(r"\d[.,]\d|%", text)


def test_without_explain_the_text_has_none_of_it(folder: Path) -> None:
    text = knit(*QUESTION, cwd=folder).stdout.decode()
    assert "counts most" not in text
    assert "looked for" not in text


@pytest.mark.parametrize("explain", [["--explain"], []])
def test_no_git_leaves_the_history_out(folder: Path, explain: list[str]) -> None:
    text = knit(*QUESTION, *explain, cwd=folder).stdout.decode()
    assert "src/pool.py" in text
    assert "retry on a broken pool" in text
    without = knit(*QUESTION, *explain, "--no-git", cwd=folder).stdout.decode()
    assert "src/pool.py" not in without
    assert "history" not in without
    assert "changed in" not in without
    assert "src/net/retry.py" in without


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_order_and_evidence_do_not_depend_on_the_limit(folder: Path, limit: int) -> None:
    whole = answer(*QUESTION, "--explain", "--limit", "50", cwd=folder)
    short = answer(*QUESTION, "--explain", "--limit", str(limit), cwd=folder)
    assert short["items"] == whole["items"][:limit]
    assert short["counts"] == {**whole["counts"], "shown": limit}


@pytest.fixture
def log(folder: Path) -> Path:
    """A session that read one file, edited another after it, and named a third."""
    said = Claude(str(folder))
    return write(
        folder.parent / "s.jsonl",
        [
            said.user("look at the retry of calls, and docs/retrying.md"),
            said.call("Read", "c1", file_path=f"{folder}/docs/guide.md"),
            said.done("c1", "text", {"type": "text", "file": {"filePath": f"{folder}/docs/guide.md"}}),
            said.user("now fix the retry"),
            said.call("Edit", "c2", file_path=f"{folder}/src/net/client.py", old_string="a", new_string="b"),
            said.done("c2", "done", {"filePath": f"{folder}/src/net/client.py"}),
        ],
    )


def test_a_pack_tells_what_the_agent_did(folder: Path, log: Path) -> None:
    found = answer("pack", "--session", str(log), "--explain", cwd=folder)
    rows = {row["path"]: row for row in found["items"]}
    edited, read = rows["src/net/client.py"], rows["docs/guide.md"]
    assert (edited["reason"]["code"], edited["reason"]["text"]) == (
        "edited", "edited by the agent since your prompt; also: retry",
    )  # fmt: skip
    assert (read["reason"]["code"], read["reason"]["text"]) == (
        "read", "read by the agent 1 prompt ago; also: docs",
    )  # fmt: skip
    assert edited["evidence"]["use"] == {"edited": True, "prompts_ago": 0}
    assert read["evidence"]["use"] == {"edited": False, "prompts_ago": 1}
    assert (edited["evidence"]["lead"], edited["evidence"]["named"]) == ("use", False)
    assert rows["docs/retrying.md"]["evidence"]["named"] is True
    assert found["query"]["wish"] == "change"
    text = knit("pack", "--session", str(log), "--explain", cwd=folder).stdout.decode()
    assert "      session         edited by the agent since your prompt\n" in text
    assert "      session         named in the conversation\n" in text


def test_without_the_session_s_log_nothing_is_known_of_its_use(folder: Path, log: Path) -> None:
    found = answer("--query", "retry", "--session", str(log), "--explain", cwd=folder)
    assert found["items"]
    assert all(row["evidence"]["use"] is None for row in found["items"])


def test_a_pack_without_git_too(folder: Path, log: Path) -> None:
    session = ("--session", str(log))
    assert any(
        row["evidence"]["commit"] for row in answer("pack", *session, "--explain", cwd=folder)["items"]
    )
    for arguments in (["pack", *session, "--no-git"], ["--no-git", "pack", *session]):
        found = answer(*arguments, "--explain", cwd=folder)
        assert found["items"]
        assert not any(row["evidence"]["commit"] for row in found["items"])


def test_a_pinless_newest_list_has_no_evidence(folder: Path) -> None:
    found = answer("pack", "--session", "none", "--explain", cwd=folder)
    assert found["mode"] == "newest"
    assert [row["evidence"] for row in found["items"]] == [None] * len(FILES)


def test_an_empty_repository_answers_in_one_line(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    run_git(root, "init", "-q")
    commit(root, "retry", {"a.py": "x\n"})
    (root / "a.py").unlink()
    result = knit("--query", "retry", cwd=root)
    assert (result.returncode, result.stdout) == (1, b"")
    assert "no such files" in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
