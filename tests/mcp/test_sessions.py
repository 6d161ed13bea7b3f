"""Whose session decides, what was read of it, and what an audit says."""

from __future__ import annotations

import os

import pytest

from tests.mcp.agent import ERAS, OTHER, SESSION, Agent, ask, item, paths, text

DIMMER, WIRING = "make the dimmer dim slower", "which cable for the wiring"


async def test_the_session_that_the_environment_names_and_no_newer_one(agent: Agent) -> None:
    agent.prompts(WIRING, OTHER, seconds_ago=60)
    agent.prompts(DIMMER, SESSION, seconds_ago=30)
    async with agent.client(CLAUDE_CODE_SESSION_ID=OTHER) as client:
        first = await ask(client)
        agent.prompts("the lamp again", SESSION)
        second = await ask(client)
    for result in (first, second):
        assert paths(result, "primary") == ["docs/wiring.md"]
        assert result.structured_content["session"] == {"agent": "claude", "how": "environment"}


async def test_without_a_name_the_session_of_the_folder_with_the_newest_prompt(agent: Agent) -> None:
    agent.prompts(WIRING, OTHER, seconds_ago=60)
    agent.prompts(DIMMER, SESSION, seconds_ago=30)
    async with agent.client(name="some-agent") as client:
        result = await ask(client)
    assert paths(result, "primary") == ["src/dimmer.py"]
    assert result.structured_content["session"]["how"] == "directory"
    assert "1 more session is live in this folder: this may not be yours" in text(result)


async def test_a_session_that_has_just_begun_is_found_by_its_id(agent: Agent) -> None:
    first, second = "01a22a37-aef8-7443-8745-d8c503bee970", "01a22a37-bbbb-7443-8745-d8c503bee970"
    agent.codex_log(first, DIMMER)
    async with agent.client(name="codex-mcp-client") as client:
        await ask(client, {"threadId": first})
        agent.codex_log(second, WIRING)
        result = await ask(client, {"threadId": second})
    assert paths(result, "primary") == ["docs/wiring.md"]
    assert result.structured_content["session"]["how"] == "call"


@pytest.mark.parametrize("era", ERAS)
async def test_codex_tells_its_session_with_the_call(agent: Agent, era: str) -> None:
    first, second = "01a22a37-aef8-7443-8745-d8c503bee970", "01a22a37-bbbb-7443-8745-d8c503bee970"
    agent.codex_log(first, DIMMER)
    agent.codex_log(second, WIRING)
    primaries = {first: "src/dimmer.py", second: "docs/wiring.md"}
    async with agent.client(era, name="codex-mcp-client") as client:
        for session in (first, second, first):
            result = await ask(client, {"threadId": session, "sessionId": session})
            assert paths(result, "primary") == [primaries[session]]
            assert result.structured_content["session"]["how"] == "call"


async def test_an_agent_without_ids_gets_its_own_kind_of_session(agent: Agent) -> None:
    agent.codex_log("01a22a37-aef8-7443-8745-d8c503bee970", DIMMER)
    os.utime(next((agent.home / ".codex").rglob("*.jsonl")), (1_900_000_000, 1_900_000_000))
    agent.prompts(WIRING)
    # Started from a shell of Claude Code, whose variables it has.
    async with agent.client(name="codex-mcp-client", CLAUDE_CODE_SESSION_ID=SESSION) as client:
        result = await ask(client)
    assert result.structured_content["session"] == {"agent": "codex", "how": "agent"}
    assert paths(result, "primary") == ["src/dimmer.py"]


async def test_another_session_is_never_taken_for_ones_own_in_silence(agent: Agent) -> None:
    agent.prompts(DIMMER)
    async with agent.client(name="codex-mcp-client") as client:
        result = await ask(client, {"threadId": "01a22a37-aef8-7443-8745-d8c503bee970"})
    assert "your session was not found; this is the claude session of this folder" in text(result)
    assert [notice["code"] for notice in result.structured_content["notices"]] == ["other-session"]


async def test_what_was_read_and_has_not_changed_stands_by_its_path_alone(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=120)
    agent.reads("src/dimmer.py", seconds_ago=100)
    agent.reads("docs/dimmer.md", seconds_ago=90)
    agent.write("docs/dimmer.md", "# Dimmer\n\nHow the dimmer dims the lamp slowly, now.\n", seconds_ago=50)
    async with agent.client() as client:
        result, whole = await ask(client), await ask(client, include_read=True)
    (tier,) = (name for name in ("primary", "supporting") if "src/dimmer.py" in paths(result, name))
    assert item(result, "src/dimmer.py") == {
        "path": "src/dimmer.py",
        "number": item(whole, "src/dimmer.py")["number"],
        "read": "unchanged",
    }
    assert "src/dimmer.py — already read, unchanged\n" in text(result)
    assert "read" not in item(result, "docs/dimmer.md")
    assert "src/dimmer.py" in paths(whole, tier) and "already read" not in text(whole)
    assert item(whole, "src/dimmer.py")["lines"] == "1-2"
    assert paths(result) == paths(whole)


async def test_a_change_after_the_read_brings_the_document_back_in_full(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=120)
    agent.reads("src/dimmer.py", seconds_ago=100)
    async with agent.client() as client:
        before = await ask(client)
        agent.write("src/dimmer.py", "def dimmer(lamp):\n    return lamp.dim(2)\n", seconds_ago=0)
        after = await ask(client)
        agent.reads("src/dimmer.py")
        again = await ask(client)
    assert item(before, "src/dimmer.py")["read"] == "unchanged"
    assert "read" not in item(after, "src/dimmer.py")
    # It was changed too shortly before the read for anyone to be certain of their order.
    assert "read" not in item(again, "src/dimmer.py")


async def test_a_read_between_two_calls_counts(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=30)
    async with agent.client() as client:
        before = await ask(client)
        agent.reads("src/dimmer.py")
        after = await ask(client)
    assert "read" not in item(before, "src/dimmer.py")
    assert item(after, "src/dimmer.py")["read"] == "unchanged"


async def test_what_was_read_before_a_compaction_is_told_in_full_and_says_so(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=120)
    agent.reads("src/dimmer.py", seconds_ago=100)
    async with agent.client() as client:
        before = await ask(client)
        agent.compacts()
        after = await ask(client)
        said = agent.knit("--session", SESSION, "reads").stdout
        agent.reads("src/dimmer.py")
        again = await ask(client)
    assert item(before, "src/dimmer.py")["read"] == "unchanged"
    told = item(after, "src/dimmer.py")
    assert told["read"] == "compacted" and told["why"] and told["snippet"]
    assert "src/dimmer.py — read before compaction\n" in text(after)
    assert "src/dimmer.py  ◍ read before compaction\n" in said
    assert item(again, "src/dimmer.py")["read"] == "unchanged"


async def test_what_another_session_read_is_not_told_to_be_read(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=120)
    agent.reads("src/dimmer.py", seconds_ago=100)
    lost = {"threadId": "01a22a37-aef8-7443-8745-d8c503bee970"}
    async with agent.client(name="codex-mcp-client") as client:
        foreign = await ask(client, lost)
    async with agent.client(name="some-agent") as client:
        only = await ask(client)
    agent.prompts(DIMMER, OTHER)
    agent.prompts(DIMMER, SESSION)
    async with agent.client(name="some-agent") as client:
        one_of_two = await ask(client)
    assert "your session was not found" in text(foreign)
    assert item(only, "src/dimmer.py")["read"] == "unchanged"
    assert "this may not be yours" in text(one_of_two)
    for result in (foreign, one_of_two):
        assert "read" not in item(result, "src/dimmer.py")
        assert item(result, "src/dimmer.py")["why"]


async def test_what_was_read_is_known_although_the_first_call_has_a_query(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=30)
    agent.reads("src/dimmer.py", seconds_ago=20)
    async with agent.client() as client:
        first = await ask(client, query="dimmer")
        agent.reads("docs/dimmer.md")
        second = await ask(client, query="dimmer", audit=True)
    assert item(first, "src/dimmer.py")["read"] == "unchanged"
    assert item(second, "docs/dimmer.md")["read"] == "unchanged"
    line = second.structured_content["usage"]
    assert "primary src/dimmer.py read before it" in line and "1/1 read" in line


async def test_what_was_read_is_known_although_the_first_call_is_for_documents_alone(agent: Agent) -> None:
    agent.pile(600)  # so much that the index fills in slices
    agent.prompts(DIMMER, seconds_ago=30)
    agent.reads("docs/dimmer.md", seconds_ago=20)
    async with agent.client() as client:
        result = await ask(client, query="dimmer", kind="docs")
    assert item(result, "docs/dimmer.md")["read"] == "unchanged"


async def test_an_audit_says_what_became_of_the_pack_before(agent: Agent) -> None:
    agent.prompts(DIMMER, seconds_ago=30)
    async with agent.client() as client:
        first = await ask(client, audit=True)
        agent.reads("src/dimmer.py")
        agent.reads("docs/dimmer.md")
        agent.reads("img/dimmer.png")
        second = await ask(client, audit=True)
        third = await ask(client)
    assert first.structured_content["usage"] == "Audit: this session got no pack before this one."
    line = second.structured_content["usage"]
    assert line.startswith("Since the last pack: primary src/dimmer.py read · ")
    assert "1/" in line and "1 read outside it" in line
    assert f"\n\n{line}\n" in text(second)
    assert "usage" not in third.structured_content


async def test_an_audit_without_a_session_says_that(agent: Agent) -> None:
    async with agent.client() as client:
        assert "no session log tells" in text(await ask(client, audit=True))


async def test_the_users_choice_to_track_is_left_alone(agent: Agent) -> None:
    agent.prompts(DIMMER)
    assert agent.knit("pin", "docs/wiring.md").returncode == 0
    (kept,) = (agent.base / "state").rglob("*.json")
    before = kept.read_bytes()
    async with agent.client() as client:
        await ask(client, audit=True)
    assert kept.read_bytes() == before and b'"tracking": false' in before
