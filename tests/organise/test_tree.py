"""What is asked of the known paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import Reference
from knit_tui.organise.tree import Tree, folder_of, joined, name_of, nearest, only, stem_of

TREE = Tree(["README.md", "docs/a.md", "src/net/a.md", "src/net/retry.py", "src/a.md.txt"])


def fact(target: str) -> Reference:
    return Reference("m", target, 1)


def test_paths_are_sorted_and_known() -> None:
    assert list(Tree(["b", "a/c", "a"])) == ["a", "a/c", "b"]
    assert "docs/a.md" in TREE and "docs" not in TREE and None not in TREE
    assert len(TREE) == 5


def test_named_finds_whole_names_in_exact_case() -> None:
    assert TREE.named("a.md") == ("docs/a.md", "src/net/a.md")
    assert TREE.named("A.md") == TREE.named(".md") == ()


def test_ending_finds_whole_parts() -> None:
    assert TREE.ending("net/a.md") == ("src/net/a.md",)
    assert TREE.ending("src/net/a.md") == ("src/net/a.md",)
    assert TREE.ending("a.md") == ("docs/a.md", "src/net/a.md")
    assert TREE.ending("t/a.md") == ()


def test_within_is_one_folder_alone() -> None:
    assert TREE.within("src") == ("src/a.md.txt",)
    assert TREE.within("") == ("README.md",)
    assert TREE.within("none") == ()


def test_folders_are_those_with_files_below() -> None:
    assert all(TREE.is_folder(folder) for folder in ("", "src", "src/net", "docs"))
    assert not TREE.is_folder("README.md") and not TREE.is_folder("sr")


def test_facts_are_split_at_the_first_blank() -> None:
    facts = [("b/go.mod", fact("module x.org/b")), ("a/go.mod", fact("module x.org/a b"))]
    tree = Tree(["a/x.go"], [*facts, *facts])
    assert tree.facts("module") == (("a/go.mod", "x.org/a b"), ("b/go.mod", "x.org/b"))
    assert tree.stating("module", "x.org/b") == ("b/go.mod",)
    assert tree.facts("other") == tree.stating("module", "x.org") == ()


def test_above_is_the_nearest_folder_that_says_something() -> None:
    tree = Tree([], [("go.mod", fact("module r")), ("a/go.mod", fact("module a")), ("z/x", fact("name z"))])
    assert tree.above("module", "a/b/c.go") == (("a/go.mod", "a"),)
    assert tree.above("module", "ab/c.go") == (("go.mod", "r"),)
    assert tree.above("name", "a/c.go") == tree.above("none", "a/c.go") == ()


def _count(tree: Tree) -> list[int]:
    return [len(tree)]


def test_what_is_derived_is_made_once() -> None:
    assert TREE.derived(_count) == [5]
    assert TREE.derived(_count) is TREE.derived(_count)


@pytest.mark.parametrize(
    ("folder", "path", "place"),
    [
        ("docs/api", "../guide//a.md", "docs/guide/a.md"),
        ("docs", "./a.md", "docs/a.md"),
        ("docs", "..", ""),
        ("docs", "../..", None),
        ("", "a/./b/../c", "a/c"),
        ("", "../a", None),
        ("/lib", "a", "lib/a"),
        ("docs", "", "docs"),
    ],
)
def test_joined(folder: str, path: str, place: str | None) -> None:
    assert joined(folder, path) == place


@given(st.text("ab/."), st.text("ab/."))
def test_what_is_joined_is_plain(folder: str, path: str) -> None:
    place = joined("/".join(part for part in folder.split("/") if part.strip(".")), path)
    assert place is None or not {"", ".", ".."} & set(place.split("/")) or place == ""


def test_names_of_paths() -> None:
    assert (name_of("a/b.c"), folder_of("a/b.c"), stem_of("a/b.c.d")) == ("b.c", "a", "b.c")
    assert (name_of("b"), folder_of("b"), stem_of("a/.env"), stem_of("a.b/c")) == ("b", "", ".env", "c")


def test_only_one() -> None:
    assert only(["a", "a"]) == ("a",)
    assert only([]) == only(["a", "b"]) == only(["a"], "a") == ()


def test_nearest_shares_most_leading_folders() -> None:
    assert nearest("a/b/c/x", ["a/y", "a/b/y", "z/b/c/y"]) == ("a/b/y",)
    assert nearest("a/b/x", ["a/c/y", "a/d/y"]) == nearest("a", []) == ()
    assert nearest("a/x", ["a/x"]) == ()
    assert nearest("a/x", ["b/y"]) == ("b/y",)
