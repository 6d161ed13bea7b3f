"""The tool as a client of the SDK gets it, in both eras of the protocol."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from tests.mcp.agent import ERAS, SESSION, Agent, ask, item, paths, schema, text

PROMPT = "make the dimmer dim slower"


@pytest.fixture
def talking(agent: Agent) -> Agent:
    """The agent is asked about the dimmer."""
    agent.prompts(PROMPT)
    return agent


@pytest.mark.parametrize("era", ERAS)
async def test_one_read_only_tool_with_schemas_and_a_short_description(agent: Agent, era: str) -> None:
    async with agent.client(era) as client:
        (tool,) = (await client.list_tools()).tools
    assert tool.name == "knit_docs"
    assert tool.annotations is not None and tool.annotations.read_only_hint is True
    assert tool.annotations.open_world_hint is False
    assert tool.output_schema == schema()
    assert sorted(tool.input_schema["properties"]) == ["audit", "include_read", "kind", "limit", "query"]
    assert len((tool.description or "").split()) <= 60


@pytest.mark.parametrize("era", ERAS)
async def test_it_is_the_pack_of_the_panel_item_for_item(talking: Agent, era: str) -> None:
    told = json.loads(talking.knit("--session", SESSION, "pack", "--format", "json").stdout)
    async with talking.client(era) as client:
        result = await ask(client)
    tiers = ("pinned", "primary", "supporting", "related")
    pack = [row for row in told["items"] if row["tier"] in tiers]
    assert pack and paths(result) == [row["path"] for row in pack]
    for row in pack:
        mine = item(result, row["path"])
        assert row["path"] in paths(result, row["tier"])
        assert (mine["reason"], mine["why"]) == (row["reason"]["code"], row["reason"]["text"])
        assert (mine.get("number"), mine["role"]) == (row["number"], row["role"])
        told_of = mine.get("relations", [])
        assert len(told_of) == min(2, row["relations_total"])
        for said, relation in zip(told_of, row["relations"], strict=False):
            assert relation["path"] in said
        assert mine["lines"] == f"{row['passages'][0]['start']}-{row['passages'][0]['end']}"
        assert row["passages"][0]["snippet"].startswith(mine["snippet"].rstrip("…"))
    assert result.structured_content["topic"] == ", ".join(told["query"]["topic"])


@pytest.mark.parametrize("era", ERAS)
async def test_a_query_counts_instead_of_the_conversation(talking: Agent, era: str) -> None:
    async with talking.client(era) as client:
        typed = await ask(client, query="which cable for the wiring")
        talked = await ask(client)
    assert paths(typed, "primary") == ["docs/wiring.md"]
    assert paths(talked, "primary") == ["src/dimmer.py"]
    assert "Context for 「cable" in text(typed) or "Context for 「wiring" in text(typed)


async def test_a_snippet_is_short(agent: Agent) -> None:
    agent.write("docs/long.md", "zeppelin " + "flies over the town and comes back " * 30 + "\n")
    async with agent.client() as client:
        result = await ask(client, query="zeppelin flies")
    assert 150 < len(item(result, "docs/long.md")["snippet"]) <= 200
    assert "— zeppelin flies over the town" in text(result)


async def test_the_text_says_what_where_and_why(talking: Agent) -> None:
    async with talking.client() as client:
        told = text(await ask(client))
    lines = told.splitlines()
    assert lines[0].startswith("Context for 「dim") and "of 5 documents and code files match" in lines[0]
    first = lines.index("Read first")
    assert lines[first + 1] == "1. src/dimmer.py"
    assert lines[first + 2].startswith("   Why: ")
    assert any(line.startswith("   relations: ") for line in lines)
    assert any(line.startswith("   match: lines 1–2 — ") for line in lines)
    assert sum("not instructions" in line for line in lines) == 1
    assert str(talking.root) not in told and str(talking.home) not in told


async def test_no_score_no_body_and_no_absolute_path_in_any_mode(talking: Agent) -> None:
    talking.write("docs/long.md", "# Dimmer\n\n" + "the dimmer dims. " * 60 + "FARAWAY\n")
    calls: list[dict[str, Any]] = [
        {},
        {"query": "dimmer"},
        {"kind": "docs"},
        {"kind": "code", "audit": True},
        {"kind": "media", "query": "dimmer"},
        {"include_read": True, "limit": 20},
        {"query": "zeppelin"},
        {"query": "of the"},
    ]
    async with talking.client() as client:
        answers = [await ask(client, **call) for call in calls]
    for result in answers:
        whole = json.dumps(result.structured_content) + text(result)
        assert str(talking.base) not in whole
        assert "strength" not in whole and '"score"' not in whole and "FARAWAY" not in whole
    assert paths(answers[4]) == ["img/dimmer.png"]
    assert "0 of 6 documents and code files contain the terms: zeppelin" in text(answers[6])
    assert text(answers[7]).startswith("Nothing to search for")


async def test_without_a_session_newest_first_and_it_says_so(agent: Agent) -> None:
    agent.write("new.md", "# New\n", seconds_ago=5)
    async with agent.client() as client:
        result = await ask(client)
    assert result.structured_content["mode"] == "newest"
    assert paths(result, "newest")[0] == "new.md"
    assert len(paths(result)) == 5
    assert "no session of an agent was found" in text(result)
    assert result.structured_content["topic"] == ""
    assert paths(result, "primary", "supporting", "related") == []


LIMITS = {1: 1, 2: 2, 0: 1, -5: 1, 2.9: 2, 20: 5, 999: 5, "3": 5, None: 5}


async def test_a_limit_is_the_number_of_documents_listed_and_never_an_error(talking: Agent) -> None:
    async with talking.client() as client:
        for limit, count in [*LIMITS.items(), (True, 5)]:
            result = await ask(client, limit=limit)
            assert len(paths(result)) == count, limit
            assert result.structured_content.get("left_out", 0) == 5 - count
            said = f"the limit leaves out {5 - count} more of the pack" in text(result)
            assert said == (count < 5)


async def test_the_order_never_depends_on_the_limit(talking: Agent) -> None:
    async with talking.client() as client:
        whole, short = await ask(client), await ask(client, limit=3)
    assert paths(short) == paths(whole)[:3]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"words": "x"}, "unknown argument 'words'"),
    ({"query": 5}, "query must be text"),
    ({"query": ["a"]}, "query must be text"),
    ({"kind": "music"}, "kind must be one of context, docs, code, media"),
    ({"kind": ["docs"]}, "kind must be one of"),
    ({"audit": "yes"}, "audit must be true or false"),
    ({"include_read": 1}, "include_read must be true or false"),
    ({"\x1b[2J\u202e": 1}, "unknown argument"),
]


@pytest.mark.parametrize("era", ERAS)
async def test_arguments_that_are_wrong_are_told_to_the_model(agent: Agent, era: str) -> None:
    async with agent.client(era) as client:
        for arguments, says in WRONG:
            result = await ask(client, **arguments)
            assert result.is_error
            assert says in text(result)
            assert "\u202e" not in text(result)


@pytest.mark.parametrize("era", ERAS)
async def test_another_tool_is_an_error_of_the_protocol(agent: Agent, era: str) -> None:
    async with agent.client(era) as client:
        with pytest.raises(MCPError, match="Unknown tool") as caught:
            await client.call_tool("no_such_tool", {})
        assert caught.value.code == -32602
        assert not (await ask(client)).is_error


async def test_a_query_of_a_megabyte_is_cut_and_says_so(agent: Agent) -> None:
    async with agent.client() as client:
        result = await ask(client, query="dimmer " * 150_000)
    assert paths(result, "primary") == ["src/dimmer.py"]
    assert "of the query the first 8000 characters count" in text(result)


async def test_control_and_invisible_characters_stay_out(agent: Agent) -> None:
    tag = "".join(chr(0xE0000 + ord(char)) for char in "Ignore all")
    hostile = f"# Dimmer\x1b[2J\u202e{tag}\x07\n\nThe gizmo \x1b]0;x\x07{tag}\u200b dims.\n"
    agent.write("docs/gizmo\u202e\x1b[31m.md", hostile)
    agent.write(os.fsdecode(b"docs/caf\xe9-gizmo.md"), "# Gizmo\n\ngizmo gizmo\n")
    async with agent.client() as client:
        result = await ask(client, query="gizmo\x1b[2J\u202e")
    whole = json.dumps(result.structured_content, ensure_ascii=False) + text(result)
    for char in (tag[0], "\u202e", "\x1b", "\x07", "\u200b", "\udce9"):
        assert char not in whole
    names = {item(result, path)["path_bytes_hex"] for path in paths(result)}
    assert names == {b"docs/caf\xe9-gizmo.md".hex(), os.fsencode("docs/gizmo\u202e\x1b[31m.md").hex()}


async def test_pins_lead_and_exclusions_are_gone_and_the_next_call_sees_both(talking: Agent) -> None:
    async with talking.client() as client:
        before = await ask(client)
        assert talking.knit("pin", "docs/wiring.md").returncode == 0
        assert talking.knit("exclude", "src/dimmer.py").returncode == 0
        after = await ask(client)
    assert "src/dimmer.py" in paths(before) and "pinned" not in before.structured_content
    assert paths(after, "pinned") == ["docs/wiring.md"]
    assert "src/dimmer.py" not in paths(after)
    assert "Pinned by the user" in text(after)


async def test_what_changed_on_disk_is_there_in_the_next_call(talking: Agent) -> None:
    async with talking.client() as client:
        await ask(client)
        talking.write("docs/slow.md", "# The dimmer dims slower\n\nslower\n")
        assert "docs/slow.md" in paths(await ask(client))
        (talking.root / "docs/slow.md").unlink()
        assert "docs/slow.md" not in paths(await ask(client))


@pytest.mark.parametrize("era", ERAS)
async def test_two_at_once_get_their_own_answers(talking: Agent, era: str) -> None:
    import anyio

    answers: dict[str, Any] = {}

    async def one(query: str) -> None:
        answers[query] = await ask(client, query=query)

    async with talking.client(era) as client, anyio.create_task_group() as group:
        group.start_soon(one, "wiring cable")
        group.start_soon(one, "dimmer lamp")
        group.start_soon(one, "wiring")
    assert paths(answers["wiring cable"], "primary") == ["docs/wiring.md"]
    assert paths(answers["wiring"], "primary") == ["docs/wiring.md"]
    assert paths(answers["dimmer lamp"], "primary") != ["docs/wiring.md"]


async def test_a_secret_is_in_no_answer(agent: Agent) -> None:
    agent.write(".env", "DIMMER_KEY=sesame\n")
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n"
    agent.write("key.md", "# dimmer sesame\n\n" + key)
    async with agent.client() as client:
        answers = [await ask(client, query="dimmer sesame key", kind=kind) for kind in ("context", "docs")]
    for result in answers:
        assert "b3BlbnNz" not in json.dumps(result.structured_content) + text(result)
        assert ".env" not in paths(result)


async def test_nothing_is_written_but_the_cache(talking: Agent, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in talking.root.rglob("*")}
    async with talking.client() as client:
        await ask(client, audit=True)
    assert {path: path.stat().st_mtime_ns for path in talking.root.rglob("*")} == before
    assert not list((talking.base / "state").rglob("*.json"))
    assert talking.stderr == ""


@pytest.mark.parametrize("words", ["the dimmer dims the lamp slowly ", "调光器让灯慢慢变暗，然后熄灭。"])
async def test_a_full_pack_is_short_and_keeps_every_path_and_reason(agent: Agent, words: str) -> None:
    for number in range(12):
        other = f"See [the other](dimmer-note-{(number + 1) % 12:02}.md) and src/dimmer.py.\n"
        note = f"# Dimmer 调光器 {number}\n\n{words * 40}\n\n{other}"
        agent.write(f"docs/notes/dimmer-note-{number:02}.md", note)
    async with agent.client() as client:
        result = await ask(client, query="dimmer lamp 调光器")
        whole = await ask(client, query="dimmer lamp 调光器", include_read=True)
    told = text(result)
    assert len(paths(result)) == 9
    assert len(told.encode()) <= 1500
    assert len(told) < len(text(whole))
    for path in paths(result):
        assert f" {path}" in told
    assert told.count("   Why: ") == 9
    assert len(json.dumps(result.structured_content, ensure_ascii=False).encode()) <= 2500
