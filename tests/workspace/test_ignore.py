from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from knit_tui.workspace.ignore import (
    SIZE_LIMIT,
    WILDCARD_LIMIT,
    BadIgnoreFile,
    IgnoreFile,
    IgnoreRules,
    byte_text,
    parse,
)
from tests.workspace.conftest import ENVIRONMENT, run_git

ATOMS = [
    "a", "b", "ab", "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-b]", "[]a]", "[[:alpha:]]",
    "[[:nope:]]", "[a", "\\a", "\\*", "\\", ".", "é", " ", "\\ ", "!", "#", "-", "[!/]", "[a/]", "**/", "/**",
    "[b-a]", "[[:a]", "[a\\]b]", "[--a]",
]  # fmt: skip
NAMES = ["a", "b", "ab", "ba", "aab", ".a", "*", "é", "[a", "a b", "a ", "!a", "#a", "-"]


def ignored(rules: IgnoreFile, path: str) -> bool:
    """What the rules of the top say of a path whose folders exist, as a walk asks them."""
    parts = path.split("/")
    return any(
        rules.verdict(byte_text("/".join(parts[:end])), byte_text(parts[end - 1]), end < len(parts))
        for end in range(1, len(parts) + 1)
    )


@pytest.mark.parametrize("seed", range(6))
def test_random_patterns_mean_what_they_mean_to_git(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    run_git(tmp_path, "init", "-q")
    for _ in range(40):
        lines = []
        for _ in range(chance.randint(1, 6)):
            line = "".join(chance.choice(ATOMS) for _ in range(chance.randint(1, 6)))
            if "*\\/" in line:  # stars before an escaped slash: a corner of git's own
                continue
            line = "!" * (chance.random() < 0.25) + line + "/" * (chance.random() < 0.25)
            lines.append(line + "  " * (chance.random() < 0.1) + "\r" * (chance.random() < 0.1))
        data = "\n".join(lines).encode()
        (tmp_path / ".gitignore").write_bytes(data)
        paths = sorted({"/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(60)})
        answer = subprocess.run(
            ["git", "check-ignore", "--no-index", "-z", "-v", "-n", "--stdin"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            input=b"\0".join(map(os.fsencode, paths)) + b"\0",
            capture_output=True,
        ).stdout.split(b"\0")[:-1]
        assert len(answer) == 4 * len(paths)
        rules = parse(data)
        for number, path in enumerate(paths):
            pattern = answer[4 * number + 2]
            assert ignored(rules, path) == (bool(pattern) and not pattern.startswith(b"!")), (data, path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("build/\n", "build/x", True),
        ("build/\n", "build", False),
        ("build/\n!some/build/\n", "some/build/x", False),
        ("/foo.txt\n", "pkg/foo.txt", False),
        ("*\n!*.c\n", "a.c", False),
        ("*\n!*.c\n", "dir/a.c", True),
        ("!\n/\n\n   \n#x\n", "anything", False),
        ("a\\ \n", "a ", True),
        ("\\#x\n", "#x", True),
        ("\\!x\n", "!x", True),
        ("q?.txt\n", "qé.txt", False),
        ("q??.txt\n", "qé.txt", True),
        ("out/**\n", "out/a/b", True),
        ("x/**/z/\n", "x/z/e", True),
        ("\ufeffvendor\n", "vendor", True),
        ("*.log\n!keep.log\n", "keep.log", False),
    ],
)
def test_patterns(text: str, path: str, expected: bool) -> None:
    assert ignored(parse(text.encode()), path) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 30 + "b",
        "**/" * 40 + "zz",
        "**/*a**/*a**/*a**/*b",
        "[a-z" * 50,
        "[[:alpha:]" * 20,
        "(a+)+$",
        "*" * 5000,
        "?" * 5000,
        "{" * 100,
        "\\",
        "[",
        "**/a/" * 30 + "b",
        "a/*" * 200,
    ],
)
def test_no_pattern_backtracks(pattern: str) -> None:
    # Were any of them super-linear, this would not end.
    rules = parse(pattern.encode())
    name = "a" * 250
    path = "/".join([name] * 15)
    ignored(rules, path)


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0*.md\0\n",
        b"x" * (SIZE_LIMIT + 1),
        b"\n".join(b"a%d*b" % number for number in range(WILDCARD_LIMIT + 1)),
    ],
)
def test_a_bad_ignore_file_says_why(data: bytes) -> None:
    with pytest.raises(BadIgnoreFile, match=r"NUL|longer|wildcards"):
        parse(data)


def test_many_plain_lines_are_no_matter() -> None:
    rules = parse(b"\n".join(b"file%d\n/deep/file%d\n*.e%d" % (n, n, n) for n in range(20_000)))
    assert ignored(rules, "file19999")
    assert ignored(rules, "x/y.e7")
    assert not ignored(rules, "x/deep/file1x")


def test_the_innermost_file_that_says_something_decides() -> None:
    outer = IgnoreRules(parse(b"*.o\n/top.txt\n"), "")
    inner = IgnoreRules(parse(b"!keep.o\n/here.txt\n"), "pkg/", outer)
    assert inner.ignored("pkg/a.o", "a.o", False)
    assert not inner.ignored("pkg/keep.o", "keep.o", False)
    assert inner.ignored("pkg/here.txt", "here.txt", False)
    assert not inner.ignored("pkg/sub/here.txt", "here.txt", False)
    assert not inner.ignored("pkg/top.txt", "top.txt", False)
