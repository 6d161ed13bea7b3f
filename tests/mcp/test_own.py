"""Which session is that of the agent which calls."""

from __future__ import annotations

from knit_tui.engine.changes import Follow
from knit_tui.faces.mcp.own import Caller, Choice, caller
from knit_tui.model import SessionOffer

A = SessionOffer("/a", "claude", "a-1", "/w", "same", "directory", "", "", 10.0, None, followed=True)
B = SessionOffer("/b", "claude", "b-1", "/w", "same", "directory", "", "", 20.0, None, followed=False)
C = SessionOffer("/c", "codex", "c-1", "/w", "same", "directory", "", "", 30.0, None, followed=False)
ABOVE = SessionOffer("/d", "codex", "d-1", "/", "above", "directory", "", "", 40.0, None, followed=False)
TREE = SessionOffer("/e", "codex", "e-1", "/t", "worktree", "directory", "", "", 50.0, None, followed=False)


def test_the_agent_is_known_by_its_name_and_only_its_own_variables_count() -> None:
    environ = {"CLAUDE_CODE_SESSION_ID": "a-1", "QWEN_CODE_SESSION_ID": "q-1"}
    assert caller("claude-code", {}, environ) == Caller("claude", (), ("a-1",))
    assert caller("qwen-cli-mcp-client-knit", {}, environ) == Caller("qwen", (), ("q-1",))
    assert caller("opencode", {}, environ) == Caller("opencode", (), ())
    assert caller("somebody", {}, environ).started == ("a-1", "q-1")
    assert caller("codex-mcp-client", {"threadId": "t", "sessionId": 5}, {}) == Caller("codex", ("t",))


def test_a_session_that_is_named_is_held_fast_even_where_it_is_followed_already() -> None:
    choice = Choice()
    mine = Caller("claude", (), ("a-1",))
    assert choice.change(mine, (A, B, C), again=False) == Follow("/a")
    assert choice.how == "environment"
    # From then on it is left to the follower, which knows what takes its place.
    assert choice.change(mine, (A, B, C), again=False) is None


def test_the_call_counts_more_than_the_environment_and_may_name_another_one_each_time() -> None:
    choice = Choice()
    assert choice.change(Caller("claude", ("b-1",), ("a-1",)), (A, B), again=False) == Follow("/b")
    assert choice.how == "call"
    assert choice.change(Caller("claude", ("a-1",), ("a-1",)), (A, B), again=False) == Follow("/a")


def test_an_id_that_no_session_has_is_looked_for_once_more() -> None:
    choice = Choice()
    lost = Caller("codex", ("x-1",))
    assert choice.change(lost, (A, C), again=False) == Follow(None)
    assert choice.change(lost, (A, C), again=True) == Follow("/c")
    assert choice.how == "agent"


def test_without_an_id_the_newest_session_of_that_agent_in_the_nearest_folder() -> None:
    choice = Choice()
    assert choice.change(Caller("codex"), (A, B, C, ABOVE, TREE), again=False) == Follow("/c")
    assert choice.change(Caller("codex"), (A, TREE), again=False) is None
    assert choice.how == ""
    assert choice.change(Caller("codex", ("e-1",)), (A, TREE), again=False) == Follow("/e")


def test_an_agent_that_is_not_known_gets_what_is_followed() -> None:
    choice = Choice()
    assert choice.change(Caller(), (A, B, C), again=False) is None
    assert choice.how == ""
