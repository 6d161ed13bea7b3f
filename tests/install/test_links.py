"""Registering through links, by an agent's own command, and what is kept of it."""

from __future__ import annotations

import shlex
import stat

import pytest

from knit_tui.install.agents import AGENTS, Scope, Where
from knit_tui.install.plan import carried_out, planned
from knit_tui.install.settings import read
from tests.install.desk import KNIT, Desk, both, refused, state

# Links.


@pytest.mark.parametrize("desk", [(name, Scope.USER) for name in AGENTS], indirect=True)
def test_a_link_stays_and_its_target_is_changed(desk: Desk) -> None:
    target = desk.folder / "dotfiles" / "config"
    target.parent.mkdir()
    target.write_text(desk.others())
    target.chmod(0o600)
    desk.file.parent.mkdir(parents=True, exist_ok=True)
    desk.file.symlink_to("../" * len(desk.file.relative_to(desk.folder).parts[:-1]) + "dotfiles/config")
    before = state(desk.folder / "dotfiles") | both(desk)
    desk.install()
    assert desk.file.is_symlink()
    assert "/opt/knit" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert desk.uninstall() == ["restored"]
    assert state(desk.folder / "dotfiles") | both(desk) == before


@pytest.mark.parametrize("desk", [(name, Scope.PROJECT) for name in AGENTS], indirect=True)
@pytest.mark.parametrize("whole_folder", [False, True])
def test_a_workspace_does_not_reach_out_of_itself(desk: Desk, whole_folder: bool) -> None:
    outside = desk.home / desk.file.name
    outside.write_text("{}" if not desk.toml else "")
    if whole_folder and desk.file.parent != desk.root:
        desk.file.parent.symlink_to(desk.home)
    else:
        desk.file.parent.mkdir(exist_ok=True)
        desk.file.symlink_to(outside)
    refused(desk, "outside")


def test_a_link_to_nothing_makes_its_target(desk: Desk) -> None:
    desk.file.parent.mkdir(parents=True)
    desk.file.symlink_to(desk.home / "later.json")
    desk.install()
    assert desk.file.is_symlink()
    assert "/opt/knit" in (desk.home / "later.json").read_text()


# The agent's own command.

OWN = [(name, Scope.USER) for name, agent in AGENTS.items() if agent.own]
ENTRY = '{"mcpServers": {"knit": {"command": "/opt/knit", "args": ["mcp"]}}}'


@pytest.mark.parametrize("desk", OWN, indirect=True)
def test_the_own_command_is_used_and_undone_exactly(desk: Desk) -> None:
    desk.write('{ "theirs": 1 }')
    entry = ENTRY if desk.agent.name == "claude" else '{"mcp": {"knit": {"command": ["/opt/knit", "mcp"]}}}'
    (desk.folder / "new").write_text(entry)
    desk.fake(f'echo "$@" > {desk.folder}/called; cat {desk.folder}/new > {shlex.quote(str(desk.file))}')
    before = both(desk)
    desk.install()
    called = (desk.folder / "called").read_text().split()
    assert called == [*desk.agent.own[1:], "/opt/knit", "mcp"]
    assert desk.words() == ["/opt/knit", "mcp"]
    assert desk.uninstall() == ["restored"]
    assert both(desk) == before


@pytest.mark.parametrize("desk", OWN, indirect=True)
@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", "not-registered"), ("echo no >&2; exit 3", "command-failed")]
)
def test_an_own_command_that_does_not_do_it(desk: Desk, script: str, code: str) -> None:
    desk.write("{}")
    desk.fake(script)
    refused(desk, code)


@pytest.mark.parametrize("desk", OWN, indirect=True)
def test_an_own_command_is_not_asked_to_mend_what_is_broken(desk: Desk) -> None:
    desk.write("{ broken")
    desk.fake(f"cp /dev/null {shlex.quote(str(desk.file))}")
    refused(desk, "not-understood")


@pytest.mark.parametrize("desk", [("claude", Scope.USER)], indirect=True)
def test_claude_takes_it_out_itself_when_its_file_has_moved_on(desk: Desk) -> None:
    desk.write(ENTRY)
    desk.fake(f'echo "$@" > {desk.folder}/called; cp {desk.folder}/new {shlex.quote(str(desk.file))}')
    (desk.folder / "new").write_text('{"starts": 7}')
    assert desk.uninstall() == ["ran"]
    assert (desk.folder / "called").read_text().split() == ["mcp", "remove", "-s", "user", "knit"]


# What is kept of it.


def test_copies_are_the_users_alone(desk: Desk) -> None:
    desk.write('{"key": "secret"}')
    desk.install()
    copies = list((desk.folder / "state/install").iterdir())
    assert [stat.S_IMODE(copy.stat().st_mode) for copy in copies] == [0o600]
    assert stat.S_IMODE((desk.folder / "state/install").stat().st_mode) == 0o700
    desk.uninstall()
    assert list((desk.folder / "state/install").iterdir()) == []


@pytest.mark.parametrize("harm", ["garbage", "gone", "off"])
def test_without_a_copy_only_ours_is_taken_out(desk: Desk, harm: str) -> None:
    if harm == "off":
        desk.where = Where(desk.home, {**desk.where.environ, "KNIT_STATE_DIR": "off"}, desk.root, "linux")
    text = desk.write(desk.others()).read_text()
    desk.install(hook=True)
    for copy in (desk.folder / "state").rglob("*.json"):
        copy.write_text('{"before": 3') if harm == "garbage" else copy.unlink()
    assert desk.uninstall() == ["removed"]
    said = desk.said()
    assert said.pop("hooks") == {"SessionStart": [], "BeforeAgent": []}
    assert said == read(text)


@pytest.mark.parametrize("desk", [("opencode", Scope.USER)], indirect=True)
def test_the_second_shape_of_opencode(desk: Desk) -> None:
    desk.write('{"mcp": {"servers": {"other": {"type": "local", "command": ["x"]}}}}')
    desk.install()
    assert desk.said()["mcp"]["servers"]["knit"] == {"type": "local", "command": ["/opt/knit", "mcp"]}
    assert desk.uninstall() == ["restored"]


@pytest.mark.parametrize("desk", [("opencode", Scope.PROJECT)], indirect=True)
def test_the_name_with_comments_of_opencode(desk: Desk) -> None:
    path = desk.write("{ /* c */ }", file=desk.root / "opencode.jsonc")
    desk.install()
    assert "/opt/knit" in path.read_text()


@pytest.mark.parametrize("desk", [("opencode", Scope.USER)], indirect=True)
def test_the_file_that_the_own_command_chose_is_the_one_that_is_told(desk: Desk) -> None:
    chosen = desk.file.with_suffix(".jsonc")
    chosen.parent.mkdir(parents=True)
    entry = '{"mcp": {"knit": {"type": "local", "command": ["/opt/knit", "mcp"]}}}'
    desk.fake(f"cat > {shlex.quote(str(chosen))} <<X\n{entry}\nX")
    plan = planned(desk.agent, desk.scope, desk.where, KNIT, hook=False)
    assert plan.tool == desk.file
    carried_out(plan, desk.where)
    assert plan.tool == chosen
