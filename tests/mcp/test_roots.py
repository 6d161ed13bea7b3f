"""Where the workspace comes from, and what is refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from knit_tui.faces.mcp.roots import Named, NoWorkspace, checked, current, declared, named
from tests.mcp.agent import ERAS, Agent, ask, paths, text


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder that is no project of anyone's."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "other.md").write_text("# Other\n\nthe dimmer of another project\n")
    return folder


def test_what_is_named_first_counts() -> None:
    environ = {"KNIT_ROOT": "/k", "CLAUDE_PROJECT_DIR": "/c"}
    assert named("/o", environ) == Named("/o", "--root")
    assert named(None, environ) == Named("/k", "KNIT_ROOT")
    assert named(None, {"KNIT_ROOT": "", "CLAUDE_PROJECT_DIR": "/c"}) == Named("/c", "CLAUDE_PROJECT_DIR")
    assert named(None, {}) is None


@pytest.mark.parametrize(
    ("uris", "folder"),
    [
        (["file:///home/dev/my%20project"], "/home/dev/my project"),
        (["https://example.org/x", "file://localhost/a"], "/a"),
        (["file:///caf%E9"], os.fsdecode(b"/caf\xe9")),
        (["file://server/share"], None),
        (["http://[bad", "vscode:x"], None),
        ([], None),
    ],
)
def test_the_roots_of_a_client(uris: list[str], folder: str | None) -> None:
    found = declared(uris)
    assert (found.folder if found else None) == folder


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        ("/", "root of the file system"),
        ("/..", "root of the file system"),
        ("~", "is the home folder"),
        ("${workspaceFolder}", "placeholder that was not filled in"),
        ("/srv/${CLAUDE_PROJECT_DIR}", "placeholder"),
        ("/no/such/folder", "not there"),
        ("", "names no folder"),
        ("a\0b", "names no folder"),
        (__file__, "names no folder"),
    ],
)
def test_what_cannot_be_a_workspace(
    folder: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NoWorkspace, match=why) as caught:
        checked(Named(folder, "KNIT_ROOT"), tmp_path)
    assert "KNIT_ROOT" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_link_to_the_home_folder_is_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "home")
    (tmp_path / "home").mkdir()
    with pytest.raises(NoWorkspace, match="home folder"):
        checked(Named(str(tmp_path / "link"), "--root"), tmp_path / "home")


def test_the_current_folder_climbs_to_its_repository_but_not_into_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    deep = home / "project/src/net"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    (home / ".git").mkdir()
    assert current(home).folder == str(deep)
    (home / "project/.git").write_text("gitdir: elsewhere\n")
    assert current(home).folder == str(home / "project")
    monkeypatch.chdir(home)
    assert current(home).folder == str(home)


@pytest.mark.parametrize("era", ERAS)
async def test_each_way_to_name_it(agent: Agent, elsewhere: Path, era: str) -> None:
    (agent.root / ".git").mkdir()
    ways = [
        {"arguments": ["--root", str(agent.root)], "cwd": elsewhere, "KNIT_ROOT": str(elsewhere)},
        {"KNIT_ROOT": str(agent.root), "CLAUDE_PROJECT_DIR": str(elsewhere), "cwd": elsewhere},
        {"CLAUDE_PROJECT_DIR": str(agent.root), "cwd": elsewhere, "roots": [elsewhere.as_uri()]},
        {"cwd": agent.root / "src"},
    ]
    if era == "legacy":  # the other era has no way to ask for roots
        ways.append({"cwd": elsewhere, "roots": [agent.root.as_uri()]})
    for way in ways:
        async with agent.client(era, **way) as client:  # type: ignore[arg-type]
            assert "src/dimmer.py" in paths(await ask(client, query="dimmer")), way


@pytest.mark.parametrize("era", ERAS)
async def test_no_workspace_is_an_error_and_never_another_folder(agent: Agent, era: str) -> None:
    for way in ({"KNIT_ROOT": "${workspaceFolder}"}, {"KNIT_ROOT": "/"}, {"cwd": agent.home}):
        async with agent.client(era, **way) as client:  # type: ignore[arg-type]
            assert (await client.list_tools()).tools
            result = await ask(client, query="dimmer")
            assert result.is_error
            assert "knit has no workspace" in text(result) and "--root" in text(result)


async def test_a_client_whose_only_root_cannot_be_used_gets_an_error(agent: Agent) -> None:
    async with agent.client("legacy", roots=[agent.home.as_uri()]) as client:
        assert "the client's root is the home folder" in text(await ask(client))


async def test_a_client_that_declares_no_root_after_all_works_where_it_was_started(agent: Agent) -> None:
    async with agent.client("legacy", roots=[]) as client:
        assert "src/dimmer.py" in paths(await ask(client, query="dimmer"))


async def test_a_workspace_that_vanishes_and_comes_back(agent: Agent) -> None:
    away = agent.base / "away"
    async with agent.client(arguments=["--root", str(agent.root)], cwd=agent.base) as client:
        assert not (await ask(client, query="dimmer")).is_error
        agent.root.rename(away)
        gone = await ask(client, query="dimmer")
        shutil.copytree(away, agent.root)
        back = await ask(client, query="dimmer")
    assert gone.is_error and "not there" in text(gone)
    assert paths(back, "primary") == ["src/dimmer.py"]
