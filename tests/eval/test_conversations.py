"""The evaluation of live sessions, run over a tiny corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.conversations import GROUPS, Ranked, Turn, group_rows, tiers
from eval.metrics import MEASURES
from knit_tui.model import Access, Item, Kind, Tier, Use
from tests.eval.running import refused, run
from tests.workspace.conftest import commit, run_git, write

COMMIT = "0123456789abcdef"


def turn(**more: Any) -> dict[str, Any]:
    return {
        "commit": COMMIT,
        "messages_turnwise": [{"role": "user", "words": {"kiln": 2, "fire": 1}}],
        "mentioned": [],
        "used_before": [],
        "relevant": ["src/kiln.py"],
        "edits": [],
        "first_turn": True,
        "ack": False,
    } | more


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    root = tmp_path / "trees" / "clay" / COMMIT[:12]
    root.mkdir(parents=True)
    run_git(root, "init", "-q")
    commit(root, "glaze", {"src/table.py": "x1 = 1\n"})
    write(
        root,
        {
            "src/kiln.py": "def fire_kiln():\n    return 1\n",
            "src/glaze.py": "def mix():\n    return 2\n",
            "docs/plan.md": "# Plan\n",
        },
    )
    return root.parents[1]


def saved(path: Path, *turns: Any) -> Path:
    path.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    return path


def told(*arguments: str | Path) -> Any:
    result = run("conversations", *arguments, "--least-files", "1", "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_json_has_sets_groups_and_tiers(trees: Path, tmp_path: Path) -> None:
    file = saved(
        tmp_path / "clay.json",
        turn(edits=["src/kiln.py"]),
        turn(
            first_turn=False,
            relevant=["docs/plan.md"],
            used_before=[["edit", "src/kiln.py"], ["read", "docs/plan.md"]],
        ),
        turn(ack=True, relevant=["docs/plan.md"]),
    )
    found = told(file, "--corpus", trees)
    assert set(found) == {"sets", "pooled", "groups", "tiers"}
    assert set(found["groups"]) == set(GROUPS)
    assert found["pooled"] == found["groups"]["all"] == found["sets"]["clay"]
    assert set(found["pooled"]) == {"knit", "shown", "words"}
    assert all(set(values) == set(MEASURES) for values in found["pooled"].values())
    # Kiln first; the plan, used before, is second with the session and not there by the words alone.
    assert found["pooled"]["knit"]["mrr"] == pytest.approx((1 + 1 / 2) / 2)
    assert found["pooled"]["words"]["mrr"] == pytest.approx(1 / 2)
    assert found["groups"]["edits"]["knit"]["hit@1"] == 1.0
    assert found["groups"]["first"]["knit"]["hit@1"] == 1.0
    assert found["groups"]["ack"]["knit"]["hit@1"] == 0.0
    assert found["tiers"]["primary right"] == 0.5
    assert found["tiers"]["primary wrong"] == 0.5


def test_what_is_mentioned_counts(trees: Path, tmp_path: Path) -> None:
    file = saved(tmp_path / "clay.json", turn(mentioned=["docs/plan.md"], relevant=["docs/plan.md"]))
    found = told(file, "--corpus", trees)["pooled"]
    assert found["knit"]["mrr"] == 0.5
    assert found["words"]["mrr"] == 0.0


def test_without_the_session_the_words_are_all_there_is(trees: Path, tmp_path: Path) -> None:
    file = saved(
        tmp_path / "clay.json", turn(relevant=["docs/plan.md"], used_before=[["edit", "docs/plan.md"]])
    )
    assert told(file, "--corpus", trees)["pooled"]["knit"]["mrr"] == 0.5
    without = told(file, "--corpus", trees, "--no-session")["pooled"]
    assert set(without) == {"knit", "shown"}
    assert without["knit"]["mrr"] == 0.0


def test_without_git_the_history_takes_no_part(trees: Path, tmp_path: Path) -> None:
    said = [{"role": "user", "words": {"glaze": 1}}]
    file = saved(tmp_path / "clay.json", turn(messages_turnwise=said, relevant=["src/table.py"]))
    assert told(file, "--corpus", trees)["pooled"]["knit"]["recall@9"] == 1.0
    assert told(file, "--corpus", trees, "--no-git")["pooled"]["knit"]["recall@9"] == 0.0


def test_small_workspaces_are_left_out_and_a_folder_is_several_sets(trees: Path, tmp_path: Path) -> None:
    folder = tmp_path / "turns"
    folder.mkdir()
    saved(folder / "clay.json", turn(), turn())
    (trees / "other").symlink_to(trees / "clay", target_is_directory=True)
    saved(folder / "other.json", turn())
    result = run("conversations", folder, "--corpus", trees, "--least-files", "5")
    assert (result.returncode, result.stderr) == (0, "clay: 0 turns\nother: 0 turns\n")
    result = run("conversations", folder, "--corpus", trees, "--least-files", "4")
    assert result.stderr == "clay: 2 turns\nother: 1 turns\n"
    assert "primary right" in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"turns": 3}',
        '{"turns": [3]}',
        '{"turns": [{}]}',
        json.dumps({"turns": [turn(messages_turnwise=[{"role": "nobody", "words": {}}])]}),
        json.dumps({"turns": [turn(messages_turnwise=[{"role": "user", "words": ["kiln"]}])]}),
        json.dumps({"turns": [turn(messages_turnwise=[{"role": "user", "words": {"kiln": "x"}}])]}),
        json.dumps({"turns": [turn(mentioned=[3])]}),
        json.dumps({"turns": [turn(commit=3)]}),
        "\udcff",
    ],
)
def test_a_bad_file_of_turns_is_one_clear_line(trees: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "clay.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "clay.json" in refused(run("conversations", file, "--corpus", trees))


def test_what_is_missing_is_one_clear_line(trees: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "absent.json" in refused(run("conversations", tmp_path / "absent.json", "--corpus", trees))
    assert "no file of turns" in refused(run("conversations", tmp_path / "empty", "--corpus", trees))
    other = saved(tmp_path / "clay.json", turn(commit="f" * 40))
    assert "f" * 12 in refused(run("conversations", other, "--corpus", trees))


def made(
    order: str, relevant: str, *, used: str = "", edited: str = "", first: bool = False, ack: bool = False
) -> Ranked:
    uses = {rel: Use(True, 1) for rel in used}
    what = Turn("c", (), "", uses, frozenset(relevant), frozenset(edited), first, ack)
    tier = [Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED]
    shown = [
        Item(rel, Kind.CODE, None, Access.TEXT, rel, "", 0, 0, tier[place] if place < 3 else Tier.OTHER)
        for place, rel in enumerate(order)
    ]
    return Ranked(what, {"knit": list(order)}, shown)


def mrr(ranked: list[Ranked], group: str) -> list[float]:
    return [row["mrr"] for row in group_rows(ranked, group).get("knit", [])]


def test_groups() -> None:
    turns = [
        made("abc", "b", first=True),
        made("abc", "ac", used="a", edited="c"),
        made("abc", "a", ack=True),
    ]
    assert mrr(turns, "all") == [1 / 2, 1.0]
    assert mrr(turns, "edits") == [1 / 3]
    assert mrr(turns, "first") == [1 / 2]
    assert mrr(turns, "new") == [1 / 2, 1 / 2], "what was used is neither an answer nor in the list"
    assert mrr(turns, "ack") == [1.0]


def test_a_turn_whose_answers_were_all_used_is_no_turn_of_new_files() -> None:
    assert mrr([made("ab", "a", used="a")], "new") == []


def test_what_the_tiers_held() -> None:
    turns = [
        made("abcd", "a"),
        made("abcd", "bd", used="b"),
        made("", "a"),
        made("abcd", "d"),
        made("a", "a", ack=True),
    ]
    assert tiers(turns) == pytest.approx(
        {
            "primary right": 1 / 4,
            "primary wrong": 2 / 4,
            "primary empty": 1 / 4,
            "any relevant in the pack": 2 / 4,
            "documents in the pack": 9 / 4,
            "relevant in the pack": (1 + 1 / 2) / 4,
            "new relevant in the pack": 1 / 4,
        }
    )
    assert tiers([])["primary right"] == 0.0
