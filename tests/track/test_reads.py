"""What evidence proves, which document it is of, and where that document stood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Place, Tier
from knit_tui.track.epochs import Epochs, Pack, succeeded
from knit_tui.track.reads import LONGEST, Act, Evidence, act, document, place
from tests.track.replay import pack


@pytest.mark.parametrize(
    ("evidence", "proved"),
    [
        (Evidence("a", 1), Act.READ),
        (Evidence("a", 1, certainty="inferred"), Act.READ),
        (Evidence("a", 1, certainty="mention"), Act.MENTION),
        (Evidence("a", 1, certainty="attempted"), Act.NOTHING),
        (Evidence("a", 1, certainty="attempted", ok=False), Act.NOTHING),
        (Evidence("a", 1, certainty="something new"), Act.NOTHING),
        (Evidence("a", 1, ok=False), Act.NOTHING),
        (Evidence("a", 1, certainty="mention", ok=False), Act.NOTHING),
        (Evidence("a", 1, edited=True), Act.EDIT),
        (Evidence("a", 1, edited=True, ok=False), Act.NOTHING),
        (Evidence("a", 1, edited=True, certainty="attempted"), Act.EDIT),
    ],
)
def test_what_evidence_proves(evidence: Evidence, proved: Act) -> None:
    assert act(evidence) is proved


@pytest.mark.parametrize(
    ("path", "rel"),
    [
        ("src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        (".gitignore", ".gitignore"),
        ("~$draft.md", "~$draft.md"),
        (" a ", " a "),
        ("docs/图片排序.md", "docs/图片排序.md"),
        ("a..b/..c", "a..b/..c"),
        ("notes: x/y.md", "notes: x/y.md"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_path_of_a_document(path: str, rel: str) -> None:
    assert document(path) == rel


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "./",
        "/etc/hosts",
        "//host/share",
        "..",
        "../a.py",
        "a/../../b",
        "a\0b",
        "~/.bashrc",
        "~",
        "C:\\a.py",
        "c:/a.py",
        "\\\\host\\share",
        "https://example.org/a.py",
        "file:///etc/hosts",
        "x" * (LONGEST + 1),
    ],
)
def test_no_path_of_a_document(path: str) -> None:
    assert document(path) is None


@given(st.text(max_size=60) | st.text("./\\:~a", max_size=30))
def test_any_text_is_the_path_of_a_document_below_the_workspace_or_of_none(path: str) -> None:
    rel = document(path)
    assert rel is None or not {"", ".", ".."} & set(rel.split("/"))


@pytest.mark.parametrize("worst", ["/", "./", "a", "+", "../", "a:", ".", "\\"])
def test_a_megabyte_is_no_path(worst: str) -> None:
    assert document(worst * 1_000_000) is None


A, B, NONE = pack("t", primary="a"), pack("t", related="b"), pack("t")


def in_force(*packs: Pack) -> Epochs:
    """The first from 0 on, each further one from the next ten on."""
    epochs = Epochs()
    for seq, one in enumerate(packs):
        epochs = succeeded(epochs, one, seq * 10, None)
    return epochs


def test_without_a_pack_a_read_is_outside_and_of_no_epoch() -> None:
    assert place(Epochs(), "a", 5) == Place()
    assert place(succeeded(Epochs(), A, 6, None), "a", 5) == Place()


def test_a_read_belongs_to_the_pack_in_force() -> None:
    epochs = in_force(A, B)
    assert place(epochs, "a", 9) == Place(1, Tier.PRIMARY, 1)
    assert place(epochs, "b", 10) == Place(2, Tier.RELATED, 1)
    assert place(epochs, "b", 9) == Place(1)
    assert place(epochs, "c", 99) == Place(2)


def test_a_pinned_document_is_inside() -> None:
    assert place(in_force(pack("t", pinned="x p")), "p", 0) == Place(1, Tier.PINNED, 2)


def test_a_read_after_the_document_left_goes_on() -> None:
    assert place(in_force(A, B), "a", 10) == Place(2, continued=True)
    assert place(in_force(A, B, NONE), "a", 99) == Place(3, continued=True)
    assert place(in_force(B, A), "a", 0) == Place(1), "it had not been there yet"


def test_a_read_after_the_document_came_back_is_a_reentry() -> None:
    assert place(in_force(A, B, A), "a", 20) == Place(3, Tier.PRIMARY, 1, reentry=True)
    assert place(in_force(A, B, A, pack("u", primary="a")), "a", 30).reentry
    assert not place(in_force(B, A), "a", 10).reentry, "never left"
    assert not place(in_force(A, pack("u", primary="a")), "a", 10).reentry
    assert not place(in_force(B, A, pack("u", primary="a")), "a", 20).reentry


@given(st.lists(st.sampled_from([A, B, NONE, pack("t", primary="a", related="b")]), max_size=6))
def test_facts_of_all_packs_before(packs: list[Pack]) -> None:
    epochs = in_force(*packs)
    held = ["a" in epoch.places for epoch in epochs.kept]
    found = place(epochs, "a", 999)
    if not held:
        assert found == Place()
        return
    earlier = [at for at, was in enumerate(held[:-1]) if was]
    assert found.continued == (not held[-1] and bool(earlier))
    assert found.reentry == (held[-1] and bool(earlier) and not all(held[earlier[0] :]))
