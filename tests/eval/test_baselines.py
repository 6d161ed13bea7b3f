"""The peers of the ranking evaluation: the same small tree, the same answers from each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from eval.baselines import NAMES, Baseline, Missing, baseline

DOCUMENTS = {
    "docs/kiln.md": "# Kiln\n\nHow the kiln schedule fires clay. The kiln cools for a night.\n",
    "docs/clay.md": "# Clay\n\nWhere clay comes from. One kiln is named once.\n",
    "src/glaze_table.py": "def glaze(recipe):\n    return recipe\n",
    "src/same_a.py": "marble = 1\n",
    "src/same_b.py": "marble = 1\n",
}


@pytest.fixture(params=NAMES)
def peer(request: pytest.FixtureRequest, tmp_path: Path) -> Baseline:
    try:
        made = baseline(request.param)
    except Missing as missing:
        pytest.skip(str(missing))
    for rel, text in DOCUMENTS.items():
        (tmp_path / rel).parent.mkdir(exist_ok=True)
        (tmp_path / rel).write_text(text, encoding="utf-8")
    (tmp_path / "outside.md").write_text("kiln kiln kiln kiln kiln kiln", encoding="utf-8")
    made.build(tmp_path, DOCUMENTS)
    return made


def test_ranks_what_matches_best_first(peer: Baseline) -> None:
    found = peer.search("why does the kiln schedule wait", 5)
    assert found[0] == "docs/kiln.md"
    assert "src/glaze_table.py" not in found
    assert set(found) <= set(DOCUMENTS), "only the documents it was given"
    assert peer.search("kiln schedule", 1) == ["docs/kiln.md"]


def test_orders_equals_by_path(peer: Baseline) -> None:
    assert peer.search("marble", 5) == ["src/same_a.py", "src/same_b.py"]


@pytest.mark.parametrize("query", ["", "   ", '"', "***", "-- --"])
def test_finds_nothing_for_a_query_without_words(peer: Baseline, query: str) -> None:
    assert peer.search(query, 5) == []


@pytest.mark.parametrize(
    "query", ['kiln" OR body:*', "NOT kiln", "path:kiln^9 AND (", "kiln' -- \\", "kiln --files"]
)
def test_takes_the_query_as_words_only(peer: Baseline, query: str) -> None:
    assert "docs/kiln.md" in peer.search(query, 5)


def test_finds_files_of_any_name(peer: Baseline, tmp_path: Path) -> None:
    rel = os.fsdecode(b"docs/two\nlines \xff.md")
    (tmp_path / rel).write_text("granite", encoding="utf-8")
    peer.build(tmp_path, {**DOCUMENTS, rel: "granite \udcff"})
    assert peer.search("granite", 5) == [rel]


def test_takes_a_long_query(peer: Baseline) -> None:
    query = " ".join(f"word{number}" for number in range(3_000))
    assert peer.search(f"{query} kiln schedule", 5)[0] == "docs/kiln.md"


def test_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    for name in ("tantivy", "bm25s", "ripgrep", "semble"):
        with pytest.raises(Missing, match=r"install"):
            baseline(name)
    assert baseline("fts5").name == "fts5"
    with pytest.raises(ValueError, match="grep2"):
        baseline("grep2")
