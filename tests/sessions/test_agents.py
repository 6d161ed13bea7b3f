"""Sessions of some agents alone, and whoever starts knit handing that on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from knit_tui.engine.host import Host
from knit_tui.sessions.follow import Follower
from tests.headless import Knit, knit  # noqa: F401 - a fixture
from tests.sessions.choosing import codex_log
from tests.sessions.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def follower(desk: Desk, *agents: str, choice: str | None = None) -> Follower:
    found = Follower(desk.root, choice, home=desk.home, environ={}, now=lambda: desk.clock, agents=agents)
    found.poll()
    return found


def test_only_the_agents_that_are_named_are_looked_for(desk: Desk) -> None:
    older = desk.say("s1", "dim it")
    desk.clock += 10
    newer = codex_log(desk, "c1", "red it")
    assert follower(desk).status.path == str(newer)
    found = follower(desk, "claude")
    assert found.status.path == str(older)
    assert [offer.agent for offer in found.all_offers()] == ["claude"]
    assert len(follower(desk, "claude", "codex").all_offers()) == 2
    assert follower(desk, "gemini").status.state == "none"


def test_a_log_that_is_named_may_be_of_any(desk: Desk) -> None:
    log = codex_log(desk, "c1", "red it")
    assert follower(desk, "claude", choice=str(log)).status.state == "following"
    assert follower(desk, "claude", choice="c1").status.state == "no-such-session"


def test_every_command_that_finds_a_session_heeds_the_setting(
    knit: Knit,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Any] = []
    real = Follower.__init__

    def noted(self: Follower, *more: Any, **rest: Any) -> None:
        given.append(rest.get("agents"))
        real(self, *more, **rest)

    monkeypatch.setattr(Follower, "__init__", noted)
    (knit.root / "note.md").write_text("# Note\n")
    (knit.root / ".knit.toml").write_text('[session]\nagents = ["codex"]\n')
    for command in (["pack"], ["reads"], ["why", "note.md"], ["sessions"], ["doctor"]):
        done = knit(*command)
        assert given == [("codex",)], command
        given.clear()
        if command[0] in ("reads", "sessions"):
            assert "only sessions of codex are looked for" in done.err


def test_the_host_and_the_tool_hand_it_on(knit: Knit, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    given: list[Any] = []

    def opened(*_more: Any, **rest: Any) -> Any:
        given.append((rest.get("agents"), rest.get("tabs")))
        raise RuntimeError("enough")

    monkeypatch.setattr("knit_tui.engine.host.open_engine", opened)
    monkeypatch.setattr("threading.excepthook", lambda _arguments: None)
    host = Host(knit.root, agents=("codex",), tabs=())
    host.start(lambda _snapshot: None, lambda _why: None)
    host.stop()
    assert given == [(("codex",), ())]

    def served(_wire: object, _settings: object, open_it: Any) -> None:
        with pytest.raises(RuntimeError, match="enough"):
            open_it(knit.root, lambda: None)

    monkeypatch.setattr("knit_tui.faces.mcp.server.serve", served)
    monkeypatch.setattr("knit_tui.faces.mcp.descriptors.claim", lambda: type("Wire", (), {"input": 0}))
    monkeypatch.setattr("os.isatty", lambda _descriptor: False)
    (knit.root / ".knit.toml").write_text('[session]\nagents = ["codex", "pi"]\n')
    assert knit("mcp").status == 0
    assert given[1][0] == ("codex", "pi")
