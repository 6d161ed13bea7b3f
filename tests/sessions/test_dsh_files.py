"""DSH: whole logs, plain and compressed, and where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import zstandard

from knit_tui.sessions.events import SessionInfo
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.dsh import FORMAT
from knit_tui.sessions.formats.dsh_folders import DshLocator
from knit_tui.sessions.frames import FrameTail
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import identify, peek
from knit_tui.sessions.sources import ByteTail
from tests.sessions.home import NOW
from tests.sessions.laws import PROJECT, cut_anywhere, grown_in_chunks, of_file, short
from tests.sessions.logs import line, write
from tests.sessions.test_dsh import HEADER, Dsh

SAMPLES = ("01-v0-session.jsonl", "02-v4-session.jsonl", "03-session.v4.jsonl.zstd")
EXPECTED = {
    # The shared list leaves out edits and compactions.
    SAMPLES[0]: ["confirmed greeting.txt ok", "edit settings.txt failed"],
    SAMPLES[1]: ["confirmed greeting.txt ok", "Compacted", "agent It says hello."],
    SAMPLES[2]: ["confirmed greeting.txt ok", "Compacted", "agent It says hello."],
}


def sample(shared: Path, name: str) -> Path:
    return shared / "sessions/samples/dsh" / name


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples(shared: Path, name: str) -> None:
    events = of_file(FORMAT, sample(shared, name))
    assert events[0] == SessionInfo("dsh", "55512bf7-2ce6-4bd6-af9c-8ba1821c00c6", PROJECT)
    prompt = "user read greeting.txt and tell me what it says"
    assert [short(event) for event in events[1:]] == [prompt, *EXPECTED[name]]


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_anywhere(shared: Path, tmp_path: Path, name: str) -> None:
    cut_anywhere(FORMAT, sample(shared, name).read_bytes(), tmp_path / name)


@pytest.mark.parametrize("size", [1, 7, 4096])
@pytest.mark.parametrize("name", SAMPLES)
def test_chunks(shared: Path, tmp_path: Path, name: str, size: int) -> None:
    grown_in_chunks(FORMAT, sample(shared, name).read_bytes(), tmp_path / name, size)


@pytest.mark.parametrize("name", SAMPLES[:2])
def test_read_twice(shared: Path, tmp_path: Path, name: str) -> None:
    data = sample(shared, name).read_bytes()
    (tmp_path / name).write_bytes(data + data)
    assert of_file(FORMAT, tmp_path / name) == of_file(FORMAT, sample(shared, name))


def test_only_dsh_recognises_it(shared: Path) -> None:
    for name in SAMPLES[:2]:
        for row in sample(shared, name).read_text(encoding="utf-8").splitlines():
            record = json.loads(row)
            assert FORMAT.recognises(record) or record["type"] in ("reasoning-chunks", "tool-call-chunks")
            assert [one.agent for one in FORMATS if one.recognises(record)] in ([], ["dsh"])
    for other in ("claude", "codex", "qwen", "copilot", "pi", "cursor"):
        for path in (shared / "sessions/samples" / other).glob("*.jsonl"):
            for raw in path.read_bytes().splitlines():
                try:
                    record = json.loads(raw)
                except ValueError:
                    continue
                assert not (isinstance(record, dict) and FORMAT.recognises(record))


def test_the_source_is_chosen_by_name_and_by_beginning(tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(line(HEADER))
    plain, hidden = tmp_path / "session.jsonl", tmp_path / "renamed.jsonl"
    plain.write_bytes(line(HEADER))
    hidden.write_bytes(packed)
    assert isinstance(FORMAT.source(Address(str(plain)), 1), ByteTail)
    assert not isinstance(FORMAT.source(Address(str(plain)), 1), FrameTail)
    assert isinstance(FORMAT.source(Address(str(hidden)), 1), FrameTail)
    assert isinstance(FORMAT.source(Address(str(tmp_path / "not-yet.jsonl.zstd")), 1), FrameTail)
    assert isinstance(FORMAT.source(Address("a\0b"), 1), ByteTail)


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.zstd"])
def test_a_log_is_identified_and_tells_its_prompt(tmp_path: Path, ending: str) -> None:
    data = line(HEADER) + line(Dsh().user("hello"))
    path = tmp_path / f"session{ending}"
    path.write_bytes(zstandard.ZstdCompressor().compress(data) if ending.endswith("zstd") else data)
    assert identify(str(path), [FORMAT]) == ("following", Address(str(path)), FORMAT)
    said = peek(Address(str(path)), FORMAT, (PROJECT,))
    assert said is not None
    assert (said.session_id, said.cwd, said.prompt) == ("5551", PROJECT, (1786707340.0, "u0", "hello"))


# Where logs are.


def put(folder: Path, name: str = "session.v4.jsonl.zstd") -> str:
    return str(write(folder / name, [HEADER]))


def found(home: Path, root: str, environ: dict[str, str] | None = None) -> list[str]:
    return [log.path for log in DshLocator(home, environ or {}).logs((root,), NOW)]


def test_the_folders_of_the_workspace(tmp_path: Path) -> None:
    top = tmp_path / ".dsh/sessions"
    mine = [put(top / name / "s1") for name in ("--w--", "--w-lamp--", "--w-lamp-lib--")]
    for name in ("--w-lamps--", "--w-other--", "_no-cwd"):
        put(top / name / "s1")
    put(top / "--w-lamp--/s2", "notes.jsonl")
    (top / "--w-lamp--/stray").write_text("x")
    assert found(tmp_path, "/w/lamp") == mine


@pytest.mark.parametrize(
    ("root", "folder"),
    [
        ("/w/my lamp~", "--w-my~0020lamp~007E--"),
        ("C:\\dev\\lamp", "--C-dev-lamp--"),
        ("/w/灯/😀", "--w-~706F-~D83D~DE00--"),
        ("/w//lamp", "--w-lamp--"),
        ("/", "--root--"),
        ("/" + "d" * 300, f"--{'d' * 251}--"),
    ],
)
def test_names_of_folders(tmp_path: Path, root: str, folder: str) -> None:
    path = put(tmp_path / ".dsh/sessions" / folder / "s1")
    assert found(tmp_path, root) == [path]


def test_the_highest_generation_counts(tmp_path: Path) -> None:
    session = tmp_path / ".dsh/sessions/--w-lamp--/s1"
    for name in ("session.jsonl.zstd", "session.v9.jsonl.zstd", "session.v10.jsonl.zstd"):
        path = put(session, name)
    for name in ("session.v11.jsonl.tmp", "session.vx.jsonl", "session.lock", "x.session.v12.jsonl"):
        put(session, name)
    assert found(tmp_path, "/w/lamp") == [path]


def test_a_new_generation_is_seen(tmp_path: Path) -> None:
    session = tmp_path / ".dsh/sessions/--w-lamp--/s1"
    old = put(session, "session.v3.jsonl")
    locator = DshLocator(tmp_path, {})
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [old]
    new = put(session, "session.v4.jsonl")
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [new]


def test_folders_that_were_just_changed_are_listed_again(tmp_path: Path) -> None:
    """A file may be added within one tick of the file system's clock."""
    project = tmp_path / ".dsh/sessions/--w-lamp--"
    session = project / "s1"
    session.mkdir(parents=True)
    locator = DshLocator(tmp_path, {})

    def look_at(now: float, changed: float) -> list[str]:
        for folder in (session, project, project.parent):
            os.utime(folder, (changed, changed))
        return [log.path for log in locator.logs(("/w/lamp", "/w/lamp-lib"), now)]

    assert look_at(NOW, NOW) == []
    path = put(session)
    other = put(project.parent / "--w-lamp-lib--/s2")
    assert look_at(NOW + 2, NOW) == [path, other]
    put(session, "session.v5.jsonl")
    assert look_at(NOW + 9, NOW) == [path, other], "by then the clock has moved on"


def test_the_home_can_be_moved(tmp_path: Path) -> None:
    path = put(tmp_path / "elsewhere/sessions/--w-lamp--/s1")
    usual = put(tmp_path / ".dsh/sessions/--w-lamp--/s1")
    assert found(tmp_path, "/w/lamp", {"DSH_HOME": str(tmp_path / "elsewhere")}) == [path]
    assert found(tmp_path, "/w/lamp", {"DSH_HOME": " "}) == [usual]


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    assert found(tmp_path, "/w/lamp") == []
    assert found(tmp_path, "/w/lamp", {"DSH_HOME": "a\0b"}) == []
