"""Cursor CLI: where transcripts are, and where their sessions ran."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from knit_tui.sessions.formats.cursor import FORMAT
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import peek
from tests.sessions.logs import Record, write
from tests.sessions.test_cursor import NOW, agent, call, query, user


def md5(path: Path) -> str:
    return hashlib.md5(str(path).encode()).hexdigest()


def slug(path: Path) -> str:
    return "-".join(
        part
        for part in "".join(c if c.isascii() and c.isalnum() else "-" for c in str(path)).split("-")
        if part
    )


class Home:
    """A home folder with transcripts, and a workspace."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = base / "my_lamp.v2"
        self.root.mkdir()
        self.data = self.home / ".cursor"

    def project(self, cwd: Path) -> Path:
        return self.data / "projects" / slug(cwd)

    def session(self, cwd: Path, name: str = "s1", *records: Record) -> str:
        path = self.project(cwd) / "agent-transcripts" / name / f"{name}.jsonl"
        return str(write(path, records or [user(query("dim it"))]))

    def chat(self, where: Path, name: str = "s1", **notes: Any) -> None:
        chat = self.data / "chats" / md5(where) / name
        chat.mkdir(parents=True)
        (chat / "store.db").touch()
        if notes:
            (chat / "meta.json").write_text(json.dumps(notes))

    def logs(self, **environ: str) -> list[str]:
        locator = FORMAT.locator(self.home, environ)
        found = [log.path for log in locator.logs((str(self.root),), NOW)]
        assert [log.path for log in locator.logs((str(self.root),), NOW)] == found
        return found


@pytest.fixture
def home() -> Iterator[Home]:
    # Near the root: of a long path the agent puts a checksum into the slug.
    with TemporaryDirectory(prefix="k", dir="/tmp") as base:
        yield Home(Path(base).resolve())


def test_logs_of_the_workspace_and_of_folders_below_and_above(home: Home) -> None:
    expected = [home.session(cwd) for cwd in (home.root.parent, home.root, home.root / "src")]
    home.session(home.root.parent / "another")
    home.session(home.root.parent / "my_lamp.v22")
    assert sorted(home.logs()) == sorted(expected)


def test_older_places_and_names(home: Home) -> None:
    flat = write(home.project(home.root) / "agent-transcripts/s0.jsonl", [user(query("x"))])
    dashed = str(home.root / ".hidden").replace("/", "-").replace(".", "-").replace("_", "-").strip("-")
    assert "--" in dashed
    older = write(home.data / "projects" / dashed / "agent-transcripts/s2/s2.jsonl", [user(query("x"))])
    assert sorted(home.logs()) == sorted([str(flat), str(older)])


def test_a_name_of_an_older_version_with_two_dashes(home: Home) -> None:
    root = home.root.parent / ".lamp"
    name = str(root).strip("/").replace("/", "-").replace(".", "-").replace("_", "-")
    path = write(home.data / "projects" / name / "agent-transcripts/s1/s1.jsonl", [user(query("x"))])
    found = FORMAT.locator(home.home, {}).logs((str(root),), NOW)
    assert [log.path for log in found] == [str(path)]


def test_a_long_path_is_cut_in_its_name(home: Home) -> None:
    deep = home.root / ("deep" * 30)
    name = slug(deep)[:84] + "-0a1b2c3"
    path = write(home.data / "projects" / name / "agent-transcripts/s1/s1.jsonl", [user(query("x"))])
    assert home.logs() == [str(path)]
    of_itself = FORMAT.locator(home.home, {}).logs((str(deep),), NOW)
    assert [log.path for log in of_itself] == [str(path)]
    (path.parents[2] / ".workspace-trusted").write_text(json.dumps({"workspacePath": str(deep)}))
    assert FORMAT.folder(Address(str(path))) == str(deep)


def test_subagents_and_other_files_are_not_listed(home: Home) -> None:
    session = Path(home.session(home.root))
    write(session.parent / "subagents/s9.jsonl", [user(query("x"))])
    write(session.parent / "s8.jsonl", [user(query("x"))])
    (session.parents[1] / "s7.txt").write_text("user:\n")
    (session.parents[1] / "s6").mkdir()
    assert home.logs() == [str(session)]


def test_a_place_that_was_moved_or_is_not_there(home: Home, tmp_path: Path) -> None:
    assert home.logs() == []
    home.session(home.root)
    home.data = tmp_path / "moved"
    moved = home.session(home.root)
    assert home.logs(CURSOR_DATA_DIR=str(tmp_path / "moved")) == [moved]


def test_a_new_project_is_seen(home: Home) -> None:
    locator = FORMAT.locator(home.home, {})
    assert list(locator.logs((str(home.root),), NOW)) == []
    path = home.session(home.root)
    assert [log.path for log in locator.logs((str(home.root),), NOW)] == [path]


# Where a session ran.


def ran(path: str) -> str:
    return FORMAT.folder(Address(path))


def test_nothing_is_taken_for_granted(home: Home) -> None:
    """The folder exists and has the slug; so may others have had."""
    path = home.session(home.root)
    assert ran(path) == ""
    said = peek(Address(path), FORMAT, (str(home.root),))
    assert said is not None and said.cwd == ""


def test_the_notes_of_the_session_count_most(home: Home) -> None:
    path = home.session(home.root, "s1", agent(call("Shell", command="ls", working_directory=str(home.root))))
    twin = home.root.parent / "my-lamp-v2"
    home.chat(twin, cwd=str(twin), isSubagent=False)
    assert ran(path) == str(twin)


def test_a_session_that_a_subagent_ran_is_of_no_folder(home: Home) -> None:
    path = home.session(home.root)
    home.chat(home.root, cwd=str(home.root), isSubagent=True)
    assert ran(path) == ""


def test_a_chat_kept_under_the_digest_of_the_folder(home: Home) -> None:
    path = home.session(home.root)
    (home.root.parent / "my-lamp-v2").mkdir()
    home.chat(home.root)
    assert ran(path) == str(home.root)
    home.chat(home.root, "s2")
    other = home.session(home.root, "s3")
    assert ran(other) == ""


def test_a_folder_whose_name_leaves_nothing_in_the_slug(home: Home) -> None:
    inner = home.root / "项目" / "灯"
    inner.mkdir(parents=True)
    path = home.session(inner)
    assert Path(path).parents[2] == home.project(home.root)
    home.chat(inner)
    assert ran(path) == str(inner)


def test_a_folder_that_leaves_nothing_in_the_middle_of_the_slug(home: Home) -> None:
    inner = home.root / "灯" / "src"
    inner.mkdir(parents=True)
    path = home.session(inner)
    home.chat(inner)
    assert ran(path) == str(inner)


def test_paths_inside_the_log(home: Home) -> None:
    root = home.root
    shell = home.session(
        root, "s1", user(query("x")), agent(call("Shell", command="ls", working_directory=str(root)))
    )
    read = home.session(root, "s2", agent(call("Read", path=f"{root}/src/a.py")))
    other = home.session(root, "s3", agent(call("Read", path="/etc/hosts"), call("Read", path="src/a.py")))
    assert (ran(shell), ran(read), ran(other)) == (str(root), str(root), "")


def test_a_half_written_line_is_no_evidence(home: Home) -> None:
    path = home.session(home.root, "s1", agent(call("Read", path=f"{home.root}/a.py")))
    Path(path).write_bytes(Path(path).read_bytes()[:-1])
    assert ran(path) == ""


def test_files_beside_the_transcripts(home: Home) -> None:
    path = home.session(home.root)
    project = home.project(home.root)
    (project / "worker.log").write_text(f"[info] start\n[info] workspacePath={home.root}\n")
    assert ran(path) == str(home.root)
    (project / "worker.log").write_text("workspacePath=/somewhere/else\n")
    assert ran(path) == ""
    (project / ".workspace-trusted").write_text(json.dumps({"workspacePath": str(home.root)}))
    assert ran(path) == str(home.root)


def test_windows_paths(home: Home) -> None:
    path = write(
        home.data / "projects/c-dev-lamp/agent-transcripts/s1/s1.jsonl",
        [agent(call("Read", path="C:\\dev\\lamp\\a.py"))],
    )
    assert ran(str(path)) == "C:\\dev\\lamp"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"cwd": 5}', '{"cwd": "relative"}', "[" * 9000], ids=range(6)
)
def test_notes_that_say_nothing_usable(home: Home, content: str) -> None:
    path = home.session(home.root)
    home.chat(home.root, cwd="x")
    (home.data / "chats" / md5(home.root) / "s1/meta.json").write_text(content)
    (home.project(home.root) / ".workspace-trusted").write_text(content)
    (home.project(home.root) / "worker.log").mkdir()
    assert ran(path) == str(home.root)


def test_a_log_in_another_folder_of_the_project(home: Home) -> None:
    path = write(home.project(home.root) / "logs/s1.jsonl", [agent(call("Read", path=f"{home.root}/a.py"))])
    assert ran(str(path)) == ""


@pytest.mark.parametrize("path", ["/s.jsonl", "s.jsonl", "", "a\0b", "/x/agent-transcripts/s/s.jsonl"])
def test_a_transcript_elsewhere(path: str) -> None:
    assert ran(path) == ""
