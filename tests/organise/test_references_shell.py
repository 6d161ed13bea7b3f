"""Files that shell scripts source."""

import pytest

from knit_tui.model import Kind
from knit_tui.organise.references import extract, resolved
from knit_tui.organise.tree import Tree

TREE = Tree(
    [
        "env.sh",
        "bin/run",
        "bin/common.sh",
        "bin/lib/log.sh",
        "lib/log.sh",
        "test/run.bats",
        "test/helper.bash",
        "etc/profile",
    ]
)


def found(text: str, source: str = "bin/run") -> list[tuple[str, int]]:
    return [
        (rel, reference.line)
        for reference in extract(source, Kind.CODE, "bash", text)
        for rel in resolved(reference, source, "bash", TREE)
    ]


@pytest.mark.parametrize(
    ("text", "rel"),
    [
        ("source common.sh", "bin/common.sh"),
        (". ./common.sh", "bin/common.sh"),
        ("  source 'lib/log.sh' # why", "bin/lib/log.sh"),
        (". env.sh", "env.sh"),
        (". ../lib/log.sh", "lib/log.sh"),
        ('. "$(dirname "$0")/common.sh"', "bin/common.sh"),
        ('source "$(dirname "${BASH_SOURCE[0]}")/lib/log.sh"', "bin/lib/log.sh"),
        ('source "$(cd "$(dirname "$0")" && pwd)"/common.sh', "bin/common.sh"),
        ('source "${BASH_SOURCE%/*}/../lib/log.sh"', "lib/log.sh"),
        ('. "$ROOT/env.sh"', "env.sh"),
        (". `dirname $0`/common.sh", "bin/common.sh"),
        ("[ -f common.sh ] && . ./common.sh", "bin/common.sh"),
        ("if x; then source common.sh; fi", "bin/common.sh"),
        ("( . ./common.sh )", "bin/common.sh"),
    ],
)
def test_a_file_that_is_sourced(text: str, rel: str) -> None:
    assert found(f"#!/bin/sh\n\n{text}\n") == [(rel, 3)]


def test_a_helper_of_bats() -> None:
    assert found("load helper\n", "test/run.bats") == [("test/helper.bash", 1)]
    assert found("load '../bin/common'\n", "test/run.bats") == [("bin/common.sh", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "source log.sh",
        "source $FILE",
        'source "$DIR/$NAME"',
        'source "$DIR"',
        'source "${NAME}.sh"',
        "source /etc/profile",
        "# source common.sh",
        "# and then source common.sh",
        'source "${PREFIX}common.sh"',
        "x # then source common.sh",
        "resource common.sh",
        "echo source common.sh",
        "see this. common.sh",
        ". ../../env.sh",
        "source run",
        "source ..",
        "source",
    ],
)
def test_no_file_that_is_sourced(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("unit", [". a", ". $(", "source '", "&& . ", "$(a", "\n. ${", ". (("])
def test_a_long_text_is_read_once(unit: str) -> None:
    assert len(extract("a.sh", Kind.CODE, "bash", unit * (500_000 // len(unit)))) <= 2
