"""Relations of documents, seen from either end."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from knit_tui.model import Access, Entry, Kind, Relation, RelationType, Stamp
from knit_tui.organise.references import extract, packed, resolved, rules_of, unpacked
from knit_tui.organise.relations import Relations
from knit_tui.organise.tree import Tree, folder_of, name_of, stem_of
from knit_tui.workspace.classify import classify

REFERENCES, IMPORTS, TESTS, DOCUMENTS = RelationType


def relations(files: dict[str, str]) -> Relations:
    entries, references = {}, {}
    for rel, text in files.items():
        told = classify(rel)
        entries[rel] = Entry(rel, told.kind, told.language, Access.TEXT, Stamp(0, 0, 0))
        references[rel] = extract(rel, told.kind, told.language, text)
    facts = [(rel, each) for rel, found in references.items() for each in found if each.form == "m"]
    return Relations(Tree(files, facts), {rel: packed(each) for rel, each in references.items()}, entries)


PROJECT = {
    "README.md": "# Knit\n\nSee [the guide](docs/guide.md) and `knit/retry.py`.\n",
    "docs/guide.md": "# Guide\n\n[home](..)\n\n![logo](logo.png), again logo.png\n",
    "docs/logo.png": "",
    "knit/__init__.py": "from .retry import Retry\n",
    "knit/retry.py": "import os\n",
    "knit/wait.py": "from . import VERSION\n\nfrom knit.retry import Retry\n",
    "tests/test_retry.py": "import pytest\nfrom knit.retry import Retry\nfrom knit import retry\n",
}


def test_of_a_document() -> None:
    assert relations(PROJECT).of("docs/guide.md") == (
        Relation(REFERENCES, True, "README.md", 3),
        Relation(REFERENCES, False, "README.md", 3),
        Relation(DOCUMENTS, False, "docs/logo.png", 5),
    )
    assert relations(PROJECT).of("docs/logo.png") == (Relation(DOCUMENTS, True, "docs/guide.md", 5),)


def test_of_code_the_most_telling_first() -> None:
    assert relations(PROJECT).of("knit/retry.py") == (
        Relation(IMPORTS, True, "knit/__init__.py", 1),
        Relation(IMPORTS, True, "tests/test_retry.py", 2),
        Relation(IMPORTS, True, "knit/wait.py", 3),
        Relation(TESTS, True, "tests/test_retry.py"),
        Relation(DOCUMENTS, True, "README.md", 3),
    )


def test_of_a_test_outgoing() -> None:
    assert relations(PROJECT).of("tests/test_retry.py") == (
        Relation(IMPORTS, False, "knit/retry.py", 2),
        Relation(TESTS, False, "knit/retry.py"),
    )


def test_of_a_package() -> None:
    assert relations(PROJECT).of("knit/__init__.py") == (
        Relation(IMPORTS, True, "knit/wait.py", 1),
        Relation(IMPORTS, False, "knit/retry.py", 1),
    )


def test_of_what_is_not_there() -> None:
    assert relations(PROJECT).of("none.py") == ()


def test_nothing_is_related_to_itself() -> None:
    assert relations({"a.md": "a.md [x](a.md) `./a.md`\n"}).of("a.md") == ()


def test_what_was_asked_for_is_kept() -> None:
    project = relations(PROJECT)
    assert project.of("README.md") is project.of("README.md")


def test_the_first_line_counts_and_lines_order() -> None:
    files = {"z.md": "x.md\n", "b.md": "\n\n[x](x.md) ./x.md `x.md`\n", "a.md": "\n\nx.md\n", "x.md": ""}
    assert [(row.other, row.line) for row in relations(files).of("x.md")] == [
        ("z.md", 1),
        ("a.md", 3),
        ("b.md", 3),
    ]


def test_facts_lead_to_what_is_imported() -> None:
    files = {
        "go.mod": "module x.org/knit\n",
        "main.go": 'package main\n\nimport "x.org/knit/net"\n',
        "net/net.go": "package net\n",
    }
    assert relations(files).of("net/net.go") == (Relation(IMPORTS, True, "main.go", 3),)
    assert relations(files).of("go.mod") == ()


def test_a_document_that_is_no_entry_is_left_out() -> None:
    told = classify("a.md")
    entry = Entry("a.md", told.kind, told.language, Access.TEXT, Stamp(0, 0, 0))
    shown = Relations(Tree(["a.md", "b.md"]), {"a.md": "p1 b.md", "b.md": "p1 a.md"}, {"a.md": entry})
    assert shown.of("a.md") == ()
    told = classify("a.py")
    entry = Entry("a.py", told.kind, told.language, Access.TEXT, Stamp(0, 0, 0))
    assert Relations(Tree(["a.py", "test_a.py"]), {}, {"a.py": entry}).of("a.py") == ()


@pytest.mark.parametrize(
    ("target", "rel"),
    [
        ("[x](..)", "README.md"),
        ("[x](.)", "docs/README.md"),
        ("[x](sub)", "docs/sub/index.md"),
        ("`ls docs/sub/ x/y`", "docs/sub/index.md"),
        ("[[My Page]]", "My-Page.md"),
        ("[x](SUB/%C3%9Cber.md)", "docs/SUB/Über.md"),
        ("`see docs/sub/a.md now`", "docs/sub/a.md"),
        ("见docs/sub/a.md", "docs/sub/a.md"),
        ("Straße.md", "Straße.md"),
    ],
)
def test_who_mentions_it_is_found(target: str, rel: str) -> None:
    places = ["README.md", "docs/README.md", "docs/sub/index.md", "docs/sub/a.md", "My-Page.md", "Straße.md"]
    project = relations({**dict.fromkeys([*places, "docs/SUB/Über.md"], ""), "docs/x.md": f"\n{target}\n"})
    assert project.of(rel) == (Relation(REFERENCES, True, "docs/x.md", 2),)
    assert project.of("docs/x.md") == (Relation(REFERENCES, False, rel, 2),)


def test_only_references_that_may_mean_it_are_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a word, or an import from elsewhere, is not worth the trouble."""
    project = relations(
        {
            "knit/retry.py": "",
            "a.md": "knit/retrying.py\n\nretry_all.py\n\nknit/retry.py a.retry\n",
            "b/__init__.py": "",
            "b/x.py": "from . import y\n",
            "c/__init__.py": "",
            "a/x.py": "from . import z\n",
            "d/x.py": "from . import z\n",
        }
    )
    asked = []

    def spy(reference, source, language, tree):  # type: ignore[no-untyped-def]
        asked.append(reference.target)
        return resolved(reference, source, language, tree)

    monkeypatch.setattr("knit_tui.organise.relations.resolved", spy)
    project.of("knit/retry.py")
    assert asked == ["knit/retry.py"]
    project.of("c/__init__.py")
    assert asked == ["knit/retry.py"]
    project.of("b/__init__.py")
    assert asked == ["knit/retry.py", ".:y"]


ROOT = Path(__file__).parents[2]


@cache
def repository() -> tuple[dict[str, str], Relations]:
    """The sources and documents of this very project."""
    texts = {}
    for folder in ("knit_tui", "tests", "eval", "."):
        for path in sorted((ROOT / folder).glob("**/*" if folder != "." else "*")):
            rel = path.relative_to(ROOT).as_posix()
            told = classify(rel)
            if (
                path.is_file()
                and told.kind in (Kind.DOCS, Kind.CODE)
                and path.suffix in (".py", ".md", ".toml")
            ):
                texts[rel] = path.read_text(encoding="utf-8", errors="replace")
    return texts, relations(texts)


def test_every_line_holds_the_evidence() -> None:
    texts, known = repository()
    seen = 0
    for rel in texts:
        for row in known.of(rel):
            if row.line is None:
                continue
            source, target = (row.other, rel) if row.incoming else (rel, row.other)
            line = texts[source].split("\n")[row.line - 1]
            names = [stem_of(target), name_of(folder_of(target))]
            if folder_of(target) == folder_of(source):
                names.append("from . import")
            assert any(name and name in line for name in names), (source, row.line, target)
            seen += 1
    assert seen > 1_000


def test_both_ends_know_the_same() -> None:
    texts, known = repository()
    edges: dict[bool, set[tuple[object, ...]]] = {True: set(), False: set()}
    for rel in texts:
        for row in known.of(rel):
            ends = (row.other, rel) if row.incoming else (rel, row.other)
            edges[row.incoming].add((row.type, *ends, row.line))
    assert edges[True] == edges[False]


def test_every_reference_kept_can_be_read_back() -> None:
    texts, _ = repository()
    for rel, text in texts.items():
        told = classify(rel)
        found = extract(rel, told.kind, told.language, text)
        assert tuple(unpacked(packed(found))) == found
        assert not found or rules_of(told.kind, told.language) or found[0].form == "m"
