"""The demo: its workspace, its recorded session, and the player that writes the log."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import threading
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest

from knit_tui.demo import AGES, PROJECT, Demo, steps
from tests import demo_session

NOW = 1_790_000_000.0
BUNDLED = Path(__file__).resolve().parents[1] / "knit_tui" / "demo" / "workspace"


def files_of(root: Path) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def run_all(demo: Demo) -> list[dict[str, Any]]:
    records = []
    while (line := demo.step()) is not None:
        records.append(json.loads(line))
    return records


def prompts(records: list[dict[str, Any]]) -> list[str]:
    return [
        record["message"]["content"]
        for record in records
        if record["type"] == "user" and isinstance(record["message"]["content"], str)
    ]


def calls(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [block for record in records if record["type"] == "assistant" for block in content(record)]
    return [block for block in blocks if block["type"] == "tool_use"]


def content(record: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = record["message"]["content"]
    return blocks if isinstance(blocks, list) else []


# ------------------------------------------------------------------ workspace


def test_the_copy_is_complete_and_every_file_has_its_age() -> None:
    with Demo(now=lambda: NOW) as demo:
        assert demo.root.name == PROJECT
        assert files_of(demo.root) == files_of(BUNDLED) == sorted(AGES)
        for rel, age in AGES.items():
            assert (demo.root / rel).stat().st_mtime == NOW - age
            assert (demo.root / rel).read_bytes() == (BUNDLED / rel).read_bytes()


def test_the_bundled_files_stay_as_they_are() -> None:
    before = {rel: (BUNDLED / rel).read_bytes() for rel in AGES}
    with Demo() as demo:
        run_all(demo)
    assert before == {rel: (BUNDLED / rel).read_bytes() for rel in AGES}


@pytest.mark.parametrize("rel", [rel for rel in AGES if not rel.endswith(".png")])
def test_documents_are_long_enough_to_show_something_but_short_enough_to_read(rel: str) -> None:
    lines = (BUNDLED / rel).read_text(encoding="utf-8").splitlines()
    assert (20 if rel.endswith(".toml") else 30) <= len(lines) <= 120


def test_chinese_documents_and_the_obvious_answer() -> None:
    chinese = [rel for rel in AGES if rel.startswith("docs/") and re.search("[\u4e00-\u9fff]", rel)]
    assert len(chinese) >= 3
    counts = {
        rel: (BUNDLED / rel).read_text(encoding="utf-8").count("图片排序")
        for rel in AGES
        if not rel.endswith(".png")
    }
    answer = (BUNDLED / "docs/图片排序.md").read_text(encoding="utf-8")
    assert answer.startswith("# 图片排序\n")
    assert counts["docs/图片排序.md"] == max(counts.values())


def test_links_between_documents_lead_somewhere() -> None:
    for rel in (rel for rel in AGES if rel.endswith(".md")):
        text = (BUNDLED / rel).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            assert ((BUNDLED / rel).parent / target).is_file(), (rel, target)


def test_code_and_settings_are_valid() -> None:
    for rel in (rel for rel in AGES if rel.endswith(".py")):
        compile((BUNDLED / rel).read_text(encoding="utf-8"), rel, "exec")
    tomllib.loads((BUNDLED / "shoebox.toml").read_text(encoding="utf-8"))


def test_the_tests_of_the_workspace_pass_before_and_after_the_edit() -> None:
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", "."]
    command += ["-p", "no:cacheprovider", "tests"]
    with Demo() as demo:
        for _ in range(2):
            done = subprocess.run(command, cwd=demo.root, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stdout + done.stderr
            run_all(demo)


def pixels(picture: bytes) -> tuple[tuple[int, ...], bytes]:
    """Header numbers and unpacked rows; checks the frame of each chunk."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(picture):
        (size,) = struct.unpack_from(">I", picture, at)
        kind, data = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", picture, at + 8 + size) == (zlib.crc32(kind + data),)
        chunks[kind] = data
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    return struct.unpack(">IIBBBBB", chunks[b"IHDR"]), zlib.decompress(chunks[b"IDAT"])


def test_the_pictures_are_real_small_and_made_by_the_script(tmp_path: Path) -> None:
    script = BUNDLED / "tools" / "make_samples.py"
    subprocess.run([sys.executable, "-B", str(script), str(tmp_path)], check=True, timeout=60)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(Path(rel).name for rel in AGES if rel.endswith(".png"))
    for name in made:
        bundled = (BUNDLED / "samples" / name).read_bytes()
        assert len(bundled) < 4096
        assert pixels(bundled) == pixels((tmp_path / name).read_bytes())


# ------------------------------------------------------------------ session


def test_the_bundled_session_is_what_its_script_renders() -> None:
    bundled = (BUNDLED.parent / "session.jsonl").read_text(encoding="utf-8")
    assert bundled == demo_session.rendered(), "run: python tests/demo_session.py"


def test_length_and_course_of_the_session() -> None:
    records = [dict(step.record) for step in steps()]
    assert 25 <= sum(step.after for step in steps()) <= 35
    asked = prompts(records)
    assert [bool(re.search("[\u4e00-\u9fff]", text)) for text in asked] == [False, False, True]
    assert [call["name"] for call in calls(records)].count("Edit") == 1
    assert {call["name"] for call in calls(records)} == {"Read", "Edit"}


def test_records_are_chained_and_paired() -> None:
    with Demo() as demo:
        records = [json.loads(line) for line in demo.all_lines()]
    chain = [record for record in records if "uuid" in record]
    assert [record["parentUuid"] for record in chain] == [None, *(record["uuid"] for record in chain[:-1])]
    assert len({record["uuid"] for record in chain}) == len(chain)
    assert {record["cwd"] for record in chain} == {str(demo.root)}
    assert {record["sessionId"] for record in records if "sessionId" in record} == {demo.session.stem}
    called = [call["id"] for call in calls(records)]
    results = [block for record in records if record["type"] == "user" for block in content(record)]
    answered = [block["tool_use_id"] for block in results]
    assert called == answered


def test_what_was_read_is_what_the_file_holds_at_that_moment() -> None:
    with Demo() as demo:
        reads = 0
        while (line := demo.step()) is not None:
            result = json.loads(line).get("toolUseResult")
            if not (result and "file" in result):
                continue
            file = result["file"]
            lines = Path(file["filePath"]).read_text(encoding="utf-8").split("\n")
            first = file["startLine"] - 1
            assert file["content"].split("\n") == lines[first : first + file["numLines"]]
            assert file["totalLines"] == len(lines)
            reads += 1
        assert reads == 7


def test_no_placeholder_is_left_and_times_rise() -> None:
    with Demo(now=lambda: NOW) as demo:
        lines = demo.all_lines()
        assert not any("{{" in line for line in lines)
        times = [record["timestamp"] for record in map(json.loads, lines) if "timestamp" in record]
        assert times == sorted(times) and times[0] < times[-1]
        assert times[-1] == "2026-09-21T14:13:20.000Z"


def test_keys_are_those_of_a_genuine_log(shared: Path) -> None:
    genuine: dict[str, set[str]] = {}
    for log in sorted((shared / "sessions" / "genuine").glob("claude-2.1.328*/projects/*/*.jsonl")):
        for record in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
            genuine.setdefault(record["type"], set()).update(record)
    for step in steps():
        kind = step.record["type"]
        assert kind in genuine
        assert set(step.record) <= genuine[kind], kind


# ------------------------------------------------------------------ player


def test_step_appends_one_complete_line_at_a_time() -> None:
    with Demo(now=lambda: NOW) as demo:
        assert demo.session.read_bytes() == b""
        for count in range(1, len(steps()) + 1):
            line = demo.step()
            assert line is not None
            written = demo.session.read_text(encoding="utf-8")
            assert written.endswith(line + "\n") and written.count("\n") == count
        assert demo.step() is None


def test_the_log_lies_where_the_agent_would_put_it() -> None:
    with Demo() as demo:
        folder = re.sub("[^A-Za-z0-9-]", "-", str(demo.root))
        assert demo.session.parent == demo.home / ".claude" / "projects" / folder


def test_a_folder_with_odd_characters_is_filled_in_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / 'a "quoted" \\ 😀 folder'
    odd.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    with Demo() as demo:
        records = run_all(demo)
        assert {record["cwd"] for record in records if "cwd" in record} == {str(demo.root)}
        assert "a--quoted-----" in demo.session.parent.name  # an emoji is two UTF-16 units
        assert demo_session.NEW in (demo.root / demo_session.EDITED).read_text(encoding="utf-8")


def test_the_edit_is_made_before_its_line_appears() -> None:
    with Demo() as demo:
        path = demo.root / demo_session.EDITED
        before = path.stat()
        while (line := demo.step()) is not None and '"oldString"' not in line:
            assert demo_session.OLD in path.read_text(encoding="utf-8")
        text = path.read_text(encoding="utf-8")
        assert demo_session.NEW in text and demo_session.OLD not in text
        after = path.stat()
        assert after.st_mtime_ns > before.st_mtime_ns and after.st_ino != before.st_ino


def test_a_file_the_user_changed_meanwhile_keeps_the_change() -> None:
    with Demo() as demo:
        path = demo.root / demo_session.EDITED
        path.write_text("mine\n", encoding="utf-8")
        assert len(run_all(demo)) == len(steps())
        assert path.read_text(encoding="utf-8") == "mine\n"


def test_play_writes_everything() -> None:
    with Demo(now=lambda: NOW) as demo:
        first = demo.step()
        demo.play(speed=1000)
        assert demo.wait(timeout=30)
        lines = demo.session.read_text(encoding="utf-8").splitlines()
        assert lines[0] == first and len(lines) == len(steps()) == len(demo.all_lines())
        assert demo.fault == ""


def test_play_says_why_it_ended_early() -> None:
    with Demo() as demo:
        demo.session.parent.rename(demo.session.parent.with_name("moved"))
        demo.play(speed=1000)
        assert demo.wait(timeout=30)
        assert "No such file" in demo.fault


def test_it_plays_beside_the_program_and_does_not_keep_it_alive() -> None:
    with Demo() as demo:
        assert demo.wait(timeout=0)
        demo.play(speed=0.01)
        (thread,) = [thread for thread in threading.enumerate() if thread.name == "knit-demo"]
        assert thread.daemon
        assert not demo.wait(timeout=0)


def test_wrong_speed_and_a_second_play_are_refused() -> None:
    with Demo() as demo:
        for speed in (0, -1, float("nan")):
            with pytest.raises(ValueError, match="above 0"):
                demo.play(speed)
        demo.play()
        with pytest.raises(RuntimeError, match="already"):
            demo.play()


def test_leaving_stops_the_player_and_removes_everything() -> None:
    with Demo() as demo:
        base = demo.root.parent
        demo.play()
    assert not base.exists()
    assert not [thread for thread in threading.enumerate() if thread.name == "knit-demo"]


def test_it_needs_no_textual() -> None:
    code = (
        "import sys, knit_tui.demo; print([m for m in ('textual', 'rich', 'pygments') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
