"""The evaluation of the ranking, run over a tiny corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.metrics import MEASURES
from tests.eval.running import refused, run
from tests.workspace.conftest import commit, run_git, write

QUERIES: dict[str, Any] = {
    "benchmark_root": "pottery",
    "queries": [
        {"text": "fire the kiln", "relevant": ["pottery/kiln.py"]},
        {"text": "glaze recipe", "relevant": ["pottery/glaze.py", "notes/kiln.md"]},
        {"text": "where the meetings are", "relevant": ["notes/kiln.md"]},
    ],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """One set of two folders; only the history tells that glaze.py is about recipes."""
    root = tmp_path / "corpus" / "clay"
    root.mkdir(parents=True)
    run_git(root, "init", "-q")
    commit(root, "begin", {"pottery/kiln.py": "def fire_kiln():\n    return 1\n"})
    commit(root, "glaze recipe", {"pottery/table.py": "x1 = 1\n"})
    write(root, {"pottery/glaze.py": "def glaze():\n    return 2\n", "notes/kiln.md": "# Meetings\n"})
    return root.parent


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    return saved(tmp_path / "clay.json", QUERIES)


def saved(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def told(*arguments: str | Path) -> Any:
    result = run("retrieval", *arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_json_has_every_set_and_all_queries_together(corpus: Path, queries: Path) -> None:
    found = told(queries, "--corpus", corpus)
    assert set(found) == {"sets", "pooled"}
    assert set(found["sets"]) == {"clay"}
    assert {"knit", "shown"} <= set(found["pooled"]) == set(found["sets"]["clay"])
    assert all(set(values) == set(MEASURES) for values in found["pooled"].values())
    assert found["sets"]["clay"] == found["pooled"]
    # Kiln first, glaze first of two answers, meetings first.
    assert found["pooled"]["knit"]["hit@1"] == 1.0
    assert found["pooled"]["knit"]["recall@9"] == pytest.approx((1 + 0.5 + 1) / 3)


def test_a_folder_of_query_files_is_several_sets(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    folder.mkdir()
    one = {"queries": [{"text": "kiln", "relevant": ["a.py"]}]}
    saved(folder / "clay.json", QUERIES)
    saved(folder / "other.json", one)
    write(corpus, {"other/a.py": "nothing\n", "other/b.py": "kiln\n"})
    found = told(folder, "--corpus", corpus)
    assert list(found["sets"]) == ["clay", "other"]
    assert found["sets"]["other"]["knit"]["ndcg@10"] == 0.0
    first, pooled = found["sets"]["clay"]["knit"], found["pooled"]["knit"]
    assert pooled["mrr"] == pytest.approx(first["mrr"] * 3 / 4), "the mean over queries, not over sets"


def test_the_benchmark_root_is_searched_alone(corpus: Path, queries: Path) -> None:
    result = run("retrieval", queries, "--corpus", corpus, "--benchmark-root", "--format", "json")
    found = json.loads(result.stdout)
    assert result.stderr == "clay: 2 queries\n", "one has no answer below that root"
    assert found["pooled"]["knit"]["recall@9"] == 1.0
    assert "clay: 3 queries" in run("retrieval", queries, "--corpus", corpus).stderr


def test_without_git_the_history_takes_no_part(corpus: Path, tmp_path: Path) -> None:
    by_history = {"queries": [{"text": "recipe", "relevant": ["pottery/table.py"]}]}
    file = saved(tmp_path / "clay.json", by_history)
    assert told(file, "--corpus", corpus)["pooled"]["knit"]["hit@1"] == 1.0
    assert told(file, "--corpus", corpus, "--no-git")["pooled"]["knit"]["hit@1"] == 0.0


def test_a_query_of_grammar_alone_finds_nothing(corpus: Path, tmp_path: Path) -> None:
    file = saved(
        tmp_path / "clay.json", {"queries": [{"text": "what is it", "relevant": ["pottery/kiln.py"]}]}
    )
    assert told(file, "--corpus", corpus)["pooled"]["knit"] == dict.fromkeys(MEASURES, 0.0)


def test_each_signal_can_be_left_out(corpus: Path, queries: Path) -> None:
    found = told(queries, "--corpus", corpus, "--ablation")["pooled"]
    assert {
        "knit",
        "- coverage",
        "- form",
        "- votes",
        "- subjects",
        "- recency",
        "- definition",
        "- wish",
    } <= set(found)
    assert not {"- use", "- mention"} & set(found)


def test_classic_and_a_peer_beside_it(corpus: Path, queries: Path) -> None:
    assert set(told(queries, "--corpus", corpus, "--ranking", "classic")["pooled"]) == {"classic"}
    found = told(queries, "--corpus", corpus, "--baselines", "fts5")["pooled"]
    assert {"knit", "shown", "fts5"} == set(found)
    assert found["fts5"]["hit@1"] > 0


def test_the_table_has_a_line_for_each_method(corpus: Path, queries: Path) -> None:
    result = run("retrieval", queries, "--corpus", corpus, "--baselines", "fts5")
    assert result.returncode == 0
    methods, by_set, intervals = result.stdout.split("\n\n")
    assert [line.split()[0] for line in methods.split("\n")[1:]] == ["knit", "shown", "fts5"]
    assert by_set.split("\n")[1].split() == ["knit", "shown", "fts5"]
    assert by_set.split("\n")[2].split()[0] == "clay"
    assert intervals.split("\n")[1].startswith("fts5 ")
    assert " to " in result.stdout.rstrip("\n").rsplit("\n", 1)[-1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[]",
        "3",
        "{}",
        '{"queries": 3}',
        '{"queries": [3]}',
        '{"queries": [{"text": "kiln"}]}',
        '{"queries": [{"relevant": ["a"]}]}',
        '{"queries": [{"text": 3, "relevant": ["a"]}]}',
        '{"queries": [{"text": "kiln", "relevant": null}]}',
        '{"queries": [{"text": "kiln", "relevant": [3]}]}',
        "\udcff",
    ],
)
def test_a_bad_query_file_is_one_clear_line(corpus: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "clay.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "clay.json" in refused(run("retrieval", file, "--corpus", corpus))


@pytest.mark.parametrize("root", [None, 3, "absent"])
def test_a_bad_benchmark_root_is_one_clear_line(corpus: Path, tmp_path: Path, root: Any) -> None:
    file = saved(tmp_path / "clay.json", {**QUERIES, "benchmark_root": root})
    assert "clay.json" in refused(run("retrieval", file, "--corpus", corpus, "--benchmark-root"))
    assert run("retrieval", file, "--corpus", corpus).returncode == 0


def test_what_is_missing_is_one_clear_line(corpus: Path, queries: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "absent.json" in refused(run("retrieval", tmp_path / "absent.json", "--corpus", corpus))
    assert "no query file" in refused(run("retrieval", tmp_path / "empty", "--corpus", corpus))
    assert "clay" in refused(run("retrieval", queries, "--corpus", tmp_path / "empty"))
    assert "nonsense" in refused(run("retrieval", queries, "--corpus", corpus, "--baselines", "nonsense"))
