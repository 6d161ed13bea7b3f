"""What the agent used and which files are named, as signals."""

from __future__ import annotations

import pytest

from knit_tui.find.session import ASKED_FOR, FADING, MAX_MENTIONS, Names, live
from knit_tui.model import Use

RELS = (
    "README.md",
    "src/net/retry.py",
    "src/net/client.py",
    "src/__init__.py",
    "src/net/__init__.py",
    "docs/图片排序.md",
    ".github/workflows/ci.yml",
    ".eslintrc.json",
    "src/routes/+page.ts",
    "Makefile",
)
NAMES = Names(RELS)


@pytest.mark.parametrize(
    "text",
    [
        "src/net/retry.py",
        "look at src/net/retry.py.",
        "src/net/retry.py: it fails",
        "src/net/retry.py:120 fails",
        "src/net/retry.py:120:4",
        "(src/net/retry.py), please",
        "`src/net/retry.py`",
        "@src/net/retry.py",
        "./src/net/retry.py",
        "../ws/src/net/retry.py",
        "/home/me/ws/src/net/retry.py",
        r"C:\Users\me\ws\src\net\retry.py",
        r"src\net\retry.py",
        "net/retry.py",
        "./retry.py",
        "../net/retry.py",
        "/net/retry.py",
        "retry.py",
        "a/src/net/retry.py b/src/net/retry.py",
        "--- a/src/net/retry.py",
        "看看src/net/retry.py的代码",
        "请修改 src/net/retry.py，谢谢",
    ],
)
def test_a_path_may_be_written_in_many_ways(text: str) -> None:
    assert NAMES.mentioned("", [text]) == {"src/net/retry.py": 1.0}


@pytest.mark.parametrize(
    ("text", "rel"),
    [
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("./.github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("/ws/.github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("the ci.yml", ".github/workflows/ci.yml"),
        ("in .eslintrc.json.", ".eslintrc.json"),
        ("src/routes/+page.ts", "src/routes/+page.ts"),
        ("docs/图片排序.md", "docs/图片排序.md"),
        ("图片排序.md", "docs/图片排序.md"),
        ("看docs/图片排序.md的内容", "docs/图片排序.md"),
    ],
)
def test_unusual_names_are_found_too(text: str, rel: str) -> None:
    assert NAMES.mentioned("", [text]) == {rel: 1.0}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "retry",
        "src/net",
        "e.g. this",
        "src/net/absent.py",
        "other/retry.py",
        "et/retry.py",
        "xretry.py",
        "retry.pyx",
        "Makefile",  # a plain word is not told from a name
        "src/net/retry.py/more",
        "...",
        "///",
        "@@ -1,3 +1,4 @@",
        "\\" * 50,
    ],
)
def test_what_names_no_document(text: str) -> None:
    assert NAMES.mentioned("", [text]) == {}


def test_documents_of_one_name_share_the_mention_and_a_path_tells_them_apart() -> None:
    assert NAMES.mentioned("", ["__init__.py"]) == {"src/__init__.py": 0.5, "src/net/__init__.py": 0.5}
    assert NAMES.mentioned("", ["net/__init__.py"]) == {"src/net/__init__.py": 1.0}
    assert NAMES.mentioned("", ["src/__init__.py"]) == {"src/__init__.py": 1.0}
    for text in ("__init__.py and net/__init__.py", "net/__init__.py and __init__.py"):
        assert NAMES.mentioned("", [text]) == {"src/__init__.py": 0.5, "src/net/__init__.py": 1.0}


def test_the_path_itself_comes_before_others_that_end_so() -> None:
    names = Names(["README.md", "docs/README.md"])
    assert names.mentioned("", ["README.md"]) == {"README.md": 1.0}


def test_a_word_too_long_for_a_path_is_passed_over() -> None:
    rel = "d/" * 500 + "retry.py"
    names = Names([rel])
    assert names.mentioned("", [rel]) == {rel: 1.0}
    assert names.mentioned("", ["x/" * 12 + rel]) == {}


def test_only_so_many_words_are_looked_up_the_newest_texts_first() -> None:
    noise = " ".join(f"n{number}.py" for number in range(MAX_MENTIONS))
    fewer = " ".join(f"n{number}.py" for number in range(MAX_MENTIONS - 1))
    assert NAMES.mentioned("", ["retry.py", noise]) == {"src/net/retry.py": 1.0}
    assert NAMES.mentioned("", [noise, "retry.py"]) == {}
    assert NAMES.mentioned("", [fewer + " n0.py", "retry.py"]) == {"src/net/retry.py": pytest.approx(2 / 3)}


def test_what_the_newest_prompt_names_counts_most() -> None:
    texts = ["and retry.py", "src/net/retry.py"]
    assert NAMES.mentioned("look at src/__init__.py", texts) == {
        "src/__init__.py": ASKED_FOR,
        "src/net/retry.py": 1.0,
    }


def test_an_older_mention_counts_less() -> None:
    texts = ["retry.py", "src/__init__.py and retry.py", "nothing", "net/__init__.py"]
    assert NAMES.mentioned("", texts) == {
        "src/net/retry.py": 1.0,
        "src/__init__.py": pytest.approx(2 / 3),
        "src/net/__init__.py": pytest.approx(1 / 3),
    }


@pytest.mark.parametrize("character", [*"a./\\-+@_的\u0301", "./", "a/", "的/", ".\\", "a."])
def test_a_long_run_of_anything_returns(character: str) -> None:
    assert NAMES.mentioned("", [character * 100_000]) == {}


def test_use_fades_from_the_newest() -> None:
    uses = {"c": Use(True, 0), "gone": Use(True, 0), "a": Use(False, 3)}
    found = live(uses, {}, {"a": 0, "b": 1, "c": 2}, 3)
    assert found.use.tolist() == pytest.approx([FADING**2, 0.0, 1.0])
    assert found.uses == {2: Use(True, 0), 0: Use(False, 3)}
    assert found.mention.tolist() == [0.0, 0.0, 0.0]


def test_mentions_go_to_the_places_of_their_documents() -> None:
    found = live({}, {"b": 0.5, "gone": 1.0}, {"a": 0, "b": 1}, 2)
    assert found.mention.tolist() == [0.0, 0.5]
    assert found.use.tolist() == [0.0, 0.0]
    assert found.uses == {}


def test_a_name_is_found_in_whichever_form_its_accents_are_stored() -> None:
    composed, decomposed = "docs/caf\u00e9.md", "docs/cafe\u0301.md"
    for stored in (composed, decomposed):
        for said in (composed, decomposed, "caf\u00e9.md", "/home/me/ws/" + decomposed):
            assert Names([stored]).mentioned("", [said]) == {stored: 1.0}
    assert Names([composed, decomposed]).mentioned("", [composed]) == {composed: 0.5, decomposed: 0.5}
