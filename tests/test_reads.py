"""``knit reads``: what the agent read and edited, whether the panel counts or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knit_tui.engine.counted import Counted
from knit_tui.engine.keeper import Keeper
from knit_tui.faces import usage_words
from knit_tui.faces.reads import reads_json, reads_text
from knit_tui.faces.usage_words import Mark
from knit_tui.model import Controls, Coverage, Notice, Tier
from knit_tui.workspace.keeping import Keeping
from tests.panel import sample
from tests.panel.sample_usage import LIMITED, NOTHING, usage
from tests.panel.test_usage_lines import hostile_usage
from tests.test_cli import folder, knit, one_line, schema

__all__ = ["folder"]

SESSION = "0f7e2d1c-1111-4222-8333-944445555666"


def record(folder: Path, number: int, **fields: Any) -> str:
    base = {
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "parentUuid": None,
        "sessionId": SESSION,
        "cwd": str(folder),
        "version": "2.1.328",
        "isSidechain": False,
        "timestamp": f"2026-11-30T10:00:{number:02}.000Z",
    }
    return json.dumps({**base, **fields})


def call(folder: Path, number: int, tool: str, path: str) -> list[str]:
    """A call of a tool on a file, and its result."""
    name = f"toolu_{number}"
    use = {"type": "tool_use", "id": name, "name": tool, "input": {"file_path": str(folder / path)}}
    done = {"type": "tool_result", "tool_use_id": name, "content": "1\t# text"}
    return [
        record(folder, number, type="assistant", message={"role": "assistant", "content": [use]}),
        record(folder, number + 1, type="user", message={"role": "user", "content": [done]}),
    ]


@pytest.fixture
def log(folder: Path) -> Path:
    """A session about retries: two reads of one file, one read, one edit, one read outside."""
    prompt = record(
        folder, 1, type="user", message={"role": "user", "content": "How does the retry backoff work?"}
    )
    lines = [prompt, *call(folder, 2, "Read", "retry.md"), *call(folder, 4, "Read", "retry.md")]
    lines += [*call(folder, 6, "Read", "client.py"), *call(folder, 8, "Edit", "client.py")]
    lines += call(folder, 10, "Read", "../elsewhere.md")
    path = folder.parent / f"{SESSION}.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_text_tells_sums_tiers_and_documents(folder: Path, log: Path) -> None:
    result = knit("reads", "--session", str(log), cwd=folder)
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert text.startswith(
        "claude session 0f7e2d1c (as asked)\n“How does the retry backoff work?”\npack 1 · 3 reads\n"
    )
    found = text.splitlines()
    assert "Primary     ◉" in found
    assert "Read 2      client.py  ✎ edited" in found
    assert "            retry.md   ◉ read x2" in found
    assert "Edited 1    client.py" in found
    assert "1 read or edit of a file that is not in this workspace" in found


def test_json_validates_and_is_the_same_every_time(folder: Path, log: Path) -> None:
    runs = [
        knit("reads", "-C", str(folder), "--session", str(log), "--format", "json", cwd=folder.parent)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    answer = json.loads(runs[0].stdout)
    jsonschema.validate(answer, schema("reads"))
    assert answer["session"]["state"] == "following"
    assert (answer["epoch"], answer["delta"], answer["elsewhere"]) == (1, None, 1)
    counts = answer["counts"]
    assert (counts["reads"], counts["outside"], counts["edits"]) == (3, 0, 1)
    assert answer["read"] == [{"path": "client.py"}, {"path": "retry.md"}]
    [client] = [one for one in answer["documents"] if one["path"] == "client.py"]
    assert (client["status"], client["changed"]) == ("updated", "agent")
    assert client["last_read"]["at"] is None


def test_nothing_of_what_is_kept_changes(folder: Path, log: Path) -> None:
    state = folder.parent / "state"
    for arguments in (
        ("pin", "图片排序.md"),
        ("reads", "--session", str(log)),
        ("reads", "--session", str(log)),
    ):
        result = knit(*arguments, cwd=folder, KNIT_STATE_DIR=str(state))
        assert (result.returncode, result.stderr) == (0, b"")
    [kept] = (state / "workspaces").glob("*.json")
    said = json.loads(kept.read_text(encoding="utf-8"))
    assert (said["tracking"], said["pinned"]) == (False, ["图片排序.md"])
    assert "Pinned" in result.stdout.decode(), "pins count for the pack"


def test_it_counts_when_the_panel_does_too(folder: Path, log: Path) -> None:
    state = folder.parent / "state"
    keeper = Keeper(Keeping(folder, state))
    keeper.track(True)
    result = knit("reads", "--session", str(log), cwd=folder, KNIT_STATE_DIR=str(state))
    assert "3 reads" in result.stdout.decode()
    keeper.look()
    assert keeper.tracking


@pytest.mark.parametrize("session", ([], ["--session", "none"]), ids=("none found", "none wanted"))
def test_without_a_session_it_says_so_and_ends_with_1(folder: Path, session: list[str]) -> None:
    result = knit("reads", *session, cwd=folder)
    assert (result.returncode, result.stdout) == (1, b"")
    assert "session" in one_line(result)


@pytest.mark.parametrize(
    "arguments",
    (["--session", "/absent/log.jsonl"], ["--format", "paths"], ["-C", "/absent"]),
    ids=("no such log", "no such format", "no such folder"),
)
def test_wrong_use_ends_with_2(folder: Path, arguments: list[str]) -> None:
    result = knit("reads", *arguments, cwd=folder)
    assert (result.returncode, result.stdout) == (2, b"")
    one_line(result)


def test_ascii_signs_where_nothing_else_can_be_written(folder: Path, log: Path) -> None:
    result = knit("reads", "--session", str(log), cwd=folder, PYTHONIOENCODING="ascii")
    text = result.stdout.decode("ascii")
    assert "o read x2" in text and "~ edited" in text


# The faces over what an engine would give.


@pytest.mark.parametrize("found", (usage(), NOTHING, LIMITED, hostile_usage("a\udcff\x1b[31m\n.md")))
def test_every_usage_validates_and_is_plain(found: Any) -> None:
    snapshot = sample.snapshot(usage=found, notices=(Notice("usage-partial", (("count", "4"),)),))
    text = reads_json(snapshot, found)
    assert text.isascii()
    jsonschema.validate(json.loads(text), schema("reads"))
    assert "\x1b" not in reads_text(snapshot, found)
    assert "4 reads and edits are too long ago" in reads_text(snapshot, found)


def test_exact_bytes_stand_beside_a_name_that_is_not_utf_8() -> None:
    found = hostile_usage("a\udcff.md")
    answer = json.loads(reads_json(sample.snapshot(usage=found), found))
    assert answer["read"] == [{"path": "a?.md/a?.md", "path_bytes_hex": b"a\xff.md/a\xff.md".hex()}]


def test_a_change_of_the_pack_is_told_whole() -> None:
    found = usage(coverage=(Coverage(Tier.PRIMARY, ("a",)),))
    text = reads_text(sample.snapshot(usage=found), found)
    assert "Pack 3" in text and "another task, 4 stayed" in text
    assert "Moved 2" in text and "Related 2 to Supporting 2" in text
    assert usage_words.glyph(Mark.READ) in text


def test_a_keeper_over_what_is_kept_tracks_and_writes_nothing(tmp_path: Path) -> None:
    workspace, state = tmp_path / "ws", tmp_path / "state"
    workspace.mkdir()
    counted = Keeper(Counted(Keeping(workspace, state)))
    counted.look()
    assert counted.tracking and not state.exists()
    counted.act("pin", "a.md")
    counted.track(False)
    assert not state.exists()
    other = Keeper(Keeping(workspace, state))
    other.act("exclude", "b.md")
    counted = Keeper(Counted(Keeping(workspace, state)))
    counted.look()
    assert (counted.tracking, counted.history.now) == (True, Controls(excluded=("b.md",)))
    other.act("exclude", "c.md")
    counted.look()
    assert (counted.tracking, counted.history.now.excluded) == (True, ("b.md", "c.md"))
