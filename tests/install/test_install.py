"""Registering with each agent: whatever its configuration is, it is changed exactly or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from knit_tui.install.agents import AGENTS
from knit_tui.install.files import Refused
from knit_tui.install.plan import carried_out, planned
from knit_tui.install.settings import read
from tests.install.desk import CASES, KNIT, Desk, both, refused

HOOKED = [(name, scope) for name, scope in CASES if AGENTS[name].hooks is not None]


# Every agent, every scope.


@pytest.mark.parametrize("desk", CASES, indirect=True)
@pytest.mark.parametrize("text", [None, "", "\n", "{}", "others"])
def test_it_is_registered_once_and_leaves_no_trace(desk: Desk, text: str | None) -> None:
    if text is not None:
        desk.write("" if desk.toml and text == "{}" else desk.others() if text == "others" else text)
    before = both(desk)
    desk.install()
    assert desk.words()[:2] == ["/opt/knit", "mcp"]
    assert ("${workspaceFolder}" in desk.words()) is desk.agent.rooted
    once = both(desk)
    plan = planned(desk.agent, desk.scope, desk.where, KNIT, hook=False)
    assert plan.empty
    assert plan.already == [("tool", desk.file)]
    desk.install()
    assert both(desk) == once
    assert desk.uninstall() == ["restored"]
    assert both(desk) == before
    assert desk.uninstall() == []


@pytest.mark.parametrize("desk", CASES, indirect=True)
def test_others_and_their_comments_stay_in_their_place(desk: Desk) -> None:
    old = desk.write(desk.others()).read_text()
    desk.install()
    new = iter(desk.file.read_text())
    assert all(character in new for character in old)
    assert stat.S_IMODE(desk.file.stat().st_mode) == 0o640


@pytest.mark.parametrize("desk", CASES, indirect=True)
def test_what_others_changed_since_stays_when_it_is_taken_out(desk: Desk) -> None:
    desk.write(desk.others())
    before = desk.said()
    desk.install()
    extra = "\n[late]\nx = 1 # their own\n" if desk.toml else " // their own\n"
    desk.write(desk.file.read_text() + extra)
    assert desk.uninstall() == ["removed"]
    assert desk.file.read_text().endswith(extra)
    assert desk.said() == (before | {"late": {"x": 1}} if desk.toml else before)


@pytest.mark.parametrize("desk", HOOKED, indirect=True)
@pytest.mark.parametrize("there", [False, True])
def test_hooks_come_and_go_with_the_tool(desk: Desk, there: bool) -> None:
    if there:
        desk.write(desk.others())
        desk.write('{\n  "hooks": {"Stop": [{"hooks": []}]} // mine\n}\n', file=desk.hooks)
    before = both(desk)
    desk.install(hook=True)
    hooks = read(desk.hooks.read_text())["hooks"]
    assert desk.agent.hooks is not None
    for event in desk.agent.hooks.events:
        assert f"/opt/knit hook {desk.agent.name}" in str(hooks[event])
    assert ("Stop" in hooks) is there
    once = both(desk)
    assert planned(desk.agent, desk.scope, desk.where, KNIT, hook=True).empty
    desk.install(hook=True)
    assert both(desk) == once
    assert set(desk.uninstall()) == {"restored"}
    assert both(desk) == before


@pytest.mark.parametrize("desk", HOOKED, indirect=True)
def test_hooks_may_follow_later_and_still_leave_no_trace(desk: Desk) -> None:
    desk.write(desk.others())
    before = both(desk)
    desk.install()
    desk.install(hook=True)
    assert set(desk.uninstall()) == {"restored"}
    assert both(desk) == before


def test_a_change_between_two_installs_is_never_undone(desk: Desk) -> None:
    desk.write(desk.others())
    desk.install()
    desk.write(desk.file.read_text() + "// theirs\n")
    desk.install(hook=True)
    assert desk.uninstall() == ["removed"]
    assert desk.file.read_text().endswith("// theirs\n")
    said = desk.said()
    assert "knit" not in str(said)
    assert said["mcpServers"] == {"other": {"command": "x"}}


def test_of_several_hooks_only_ours_go(desk: Desk) -> None:
    desk.install(hook=True)
    text = desk.file.read_text()
    theirs = '{"hooks": [{"type": "command", "command": "/usr/bin/knit-wool hook gemini"}]}'
    desk.write(text.replace('"BeforeAgent": [', f'"BeforeAgent": [{theirs}, '))
    assert desk.uninstall() == ["removed"]
    assert "knit-wool" in str(desk.said()["hooks"]["BeforeAgent"])
    assert "/opt/knit" not in desk.file.read_text()


# What is refused.


@pytest.mark.parametrize("desk", CASES, indirect=True)
def test_a_broken_configuration_is_refused(desk: Desk) -> None:
    desk.write("{ this is [ broken")
    assert str(desk.file) in refused(desk, "not-understood").path


@pytest.mark.parametrize("desk", HOOKED, indirect=True)
@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"SessionStart": {}, "sessionStart": {}}}'])
def test_hooks_of_another_shape_are_refused(desk: Desk, text: str) -> None:
    desk.write(text, file=desk.hooks)
    refused(desk, "not-understood", hook=True)


@pytest.mark.parametrize("desk", CASES, indirect=True)
def test_another_tool_of_that_name_is_left_alone(desk: Desk) -> None:
    desk.install()
    desk.write(desk.file.read_text().replace("/opt/knit", "/opt/wool"))
    assert refused(desk, "other-server").facts["command"].startswith("/opt/wool mcp")
    assert desk.uninstall() == []


@pytest.mark.parametrize("desk", CASES, indirect=True)
def test_another_knit_is_named_and_can_be_taken_out(desk: Desk) -> None:
    desk.install(command=["/old/knit"])
    assert refused(desk, "other-command").facts["command"].startswith("/old/knit mcp")
    assert desk.uninstall() == ["restored"]


def test_a_read_only_file_is_refused(desk: Desk) -> None:
    desk.write("{}", 0o444)
    refused(desk, "read-only")


def test_a_second_name_would_be_cut_off(desk: Desk) -> None:
    os.link(desk.write("{}"), desk.home / "second")
    refused(desk, "several-names")


def test_a_file_that_is_none_or_too_long_or_no_text(desk: Desk) -> None:
    desk.file.parent.mkdir(parents=True)
    os.mkfifo(desk.file)
    refused(desk, "no-file")
    desk.file.unlink()
    desk.file.mkdir()
    refused(desk, "no-file")
    desk.file.rmdir()
    desk.file.write_bytes(b'{"a": "\xff"}')
    refused(desk, "no-utf8")
    desk.file.write_bytes(b" " * (5 << 20))
    refused(desk, "long")
    desk.file.unlink()
    desk.file.symlink_to(desk.file)
    refused(desk, "unreadable")


def test_a_folder_where_no_file_can_be(desk: Desk) -> None:
    desk.file.parent.parent.mkdir(parents=True, exist_ok=True)
    desk.file.parent.write_text("a file")
    with pytest.raises(Refused) as error:
        desk.install()
    assert error.value.code in ("unreadable", "unwritable")


def test_a_file_that_changes_meanwhile_is_left(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("{}")
    plan = planned(desk.agent, desk.scope, desk.where, KNIT, hook=False)
    desk.write('{"theirs": 1}')
    with pytest.raises(Refused) as error:
        carried_out(plan, desk.where)
    assert error.value.code == "moved"
    assert desk.file.read_text() == '{"theirs": 1}'
    assert os.listdir(desk.file.parent) == [desk.file.name], "no temporary file stays"
