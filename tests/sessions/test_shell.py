"""What a command line reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.calls import Pending, shell_reads
from knit_tui.sessions.paths import Place
from knit_tui.sessions.shell import LONGEST, join, outcomes, parse


def files(command: str) -> list[str | None]:
    return [join(read.folder, read.path) for read in parse(command).reads]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat a.md", ["a.md"]),
        ("cat a.md b.md", ["a.md", "b.md"]),
        ("cat -n -- -odd.md", ["-odd.md"]),
        ("cat -", []),
        ("sed -n '1,200p' 'docs/图 片.md'", ["docs/图 片.md"]),
        ("sed -ne 1,5p -e 9p a.md b.md", ["a.md", "b.md"]),
        ("sed --expression=p a.md", ["a.md"]),
        ("sed -i s/a/b/ a.md", []),
        ("sed -i.bak s/a/b/ a.md", []),
        ("sed --in-place s/a/b/ a.md", []),
        ("head -n 5 -c 3 a.md", ["a.md"]),
        ("head -5 a.md", ["a.md"]),
        ("head -qn 5 a.md", ["a.md"]),
        ("tail --lines 4 a.md", ["a.md"]),
        ("tail -n +20 a.md", ["a.md"]),
        ("nl -b a a.md", ["a.md"]),
        ("bat -r 1:5 a.md --style plain", ["a.md"]),
        ("less +40 a.md", ["a.md"]),
        ("awk 'NR>=1 && NR<=5' a.md", ["a.md"]),
        ("awk -F, -v n=3 'FNR<n' a.md", ["a.md"]),
        ("awk '{print $1}' a.md", []),
        ("wc -l a.md", []),
        ("grep -n x a.md", []),
        ("ls docs", []),
        # Lists and pipelines.
        ("ls docs && cat a.md b.md | head -8", ["a.md", "b.md"]),
        ("cat a.md; cat b.md", ["a.md", "b.md"]),
        ("cat a.md\ncat b.md", ["a.md", "b.md"]),
        ("cat a.md || cat b.md", ["a.md"]),
        ("cat a.md | grep x", []),
        ("cat a.md | wc -l", []),
        ("nl -ba a.md | sed -n '1,60p'", ["a.md"]),
        # Where it runs.
        ("cd src && cat b.py", ["src/b.py"]),
        ("cd src && cd sub; cat b.py", ["src/sub/b.py"]),
        ("cd /tmp && cat b.py", ["/tmp/b.py"]),
        ('cd "$DIR" && cat b.py /etc/hosts', [None, "/etc/hosts"]),
        ("cd - && cat b.py", [None]),
        ("(cd src; cat b.py); cat a.md", ["src/b.py", "a.md"]),
        # Redirections and here-documents.
        ("cat a.md > b.md", []),
        ("cat a.md &> b.md", []),
        ("cat a.md 2>/dev/null", ["a.md"]),
        ("cat a.md 2>&1", ["a.md"]),
        ("cat < a.md", []),
        ("cat a.md; cat > b.md <<'EOF'\ncat c.md\nEOF", ["a.md"]),
        # Known only when it runs.
        ('cat $F "$G" `x` $(ls y z) *.md {a,b}.md "a$H" ok.md', ["ok.md"]),
        ("cat app/[id]/page.tsx", ["app/[id]/page.tsx"]),
        ("$CMD a.md", []),
        # Words.
        ("cat a\\ b.md 'c d'.md \"e f\".md", ["a b.md", "c d.md", "e f.md"]),
        ("cat a#b.md # c.md", ["a#b.md"]),
        ("cat a.md \\\n b.md", ["a.md", "b.md"]),
        ("LC_ALL=C sudo cat a.md", ["a.md"]),
        ("/bin/cat a.md", ["a.md"]),
        ("for f in a b; do cat z.md; done", ["z.md"]),
        ("cat 'open", []),
        ("cat $(open", []),
        ("cat a.md )", []),
        ("", []),
    ],
)
def test_reads(command: str, expected: list[str | None]) -> None:
    assert files(command) == expected


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("cat a", ""),
        ("cd src", "src"),
        ("cd src && make", "src"),
        ("cd src; cd ..", "src/.."),
        ("cd /tmp", "/tmp"),
        ("cd", "~"),
        ("cd $X", None),
        ("(cd src)", ""),
        ("cd src | cat", ""),
        ("cat 'open", None),
    ],
)
def test_where_a_shell_stands_after_it(command: str, folder: str | None) -> None:
    assert parse(command).folder == folder


@pytest.mark.parametrize(
    ("command", "status", "output", "expected"),
    [
        ("cat a.md", 0, "text", [(True, "confirmed")]),
        ("cat a.md", 1, "cat: a.md: No such file or directory", [(False, "confirmed")]),
        ("cat a.md", 1, "", [(False, "confirmed")]),
        ("cat a.md", None, "text", [(True, "inferred")]),
        ("cat a.md", None, "cat: a.md: No such file or directory", [(False, "confirmed")]),
        ("cat a.md", 0, "cat: a.md: No such file or directory", [(True, "confirmed")]),
        ("cat a.md b.md", 1, "text\ncat: b.md: No such file", [(True, "inferred"), (False, "confirmed")]),
        ("cat a b.md", 1, "cat: b.md: No such file", [(True, "inferred"), (False, "confirmed")]),
        ("sed -n 1p d", 4, "sed: read error on d: Is a directory", [(False, "confirmed")]),
        ("sed -n 1p x y", 2, "sed: can't read x: No such file", [(False, "confirmed"), (True, "inferred")]),
        ("head x y", 1, "head: cannot open 'x' for reading: No", [(False, "confirmed"), (True, "inferred")]),
        ("cat a.md && false", 1, "text", [(True, "inferred")]),
        ("test -f a.md && cat a.md", 1, "", [(False, "attempted")]),
        ("cd src && cat a.md", 0, "text", [(True, "confirmed")]),
        ("cat a.md | head -3", 0, "text", [(True, "inferred")]),
        ("cat a.md; true", 0, "text", [(True, "inferred")]),
        ("cat a.md; cat b.md", 0, "text", [(True, "inferred"), (True, "confirmed")]),
        ("cat a.md &", 0, "", [(True, "inferred")]),
        ("ls", 0, "", []),
    ],
)
def test_outcomes(command: str, status: int | None, output: str, expected: list[tuple[bool, str]]) -> None:
    told = outcomes(parse(command), status, output)
    assert [(ok, certainty) for _, ok, certainty in told] == expected


def test_a_command_too_long_is_not_looked_into() -> None:
    assert parse("cat a.md " + " " * LONGEST).reads == ()


@settings(deadline=None)
@given(st.text(alphabet="cat sed-n a.md'\"\\$`(){}<>|&;\n*#2", max_size=80))
def test_no_command_raises(command: str) -> None:
    parse(command)


@pytest.mark.parametrize(
    "piece", ["cat a;", "cat a && ", "$(", "(", "`", "\\", "<", "cat 'a' ", "{", '"$(', "a=1 "]
)
def test_long_commands_are_read_in_one_pass(piece: str) -> None:
    parse(piece * (LONGEST // len(piece)))


def test_the_folder_that_holds_the_file_is_taken() -> None:
    place = Place(("/w",), is_file={"src/b.py", "a.md"}.__contains__)
    line = parse("cat b.py")
    assert [e.path for e in shell_reads(place, ["/w", "/w/src"], line, 0, "")] == ["src/b.py"]
    assert [e.path for e in shell_reads(place, ["/w", None], line, 0, "")] == ["b.py"]


def test_a_read_whose_outcome_is_not_told_needs_its_file() -> None:
    place = Place(("/w",), is_file={"a.md"}.__contains__)
    assert [e.path for e in shell_reads(place, ["/w"], parse("cat a.md gone.md"), None, "")] == ["a.md"]
    assert [e.path for e in shell_reads(Place(("/w",)), ["/w"], parse("cat gone.md"), None, "")] == [
        "gone.md"
    ]


def test_pending_calls_are_bounded_and_taken_once() -> None:
    pending: Pending[int] = Pending(3)
    for number in range(5):
        pending.add(str(number), number)
    assert pending.waiting() == [2, 3, 4]
    assert pending.take("3") == 3
    assert pending.take("3") is None
    assert pending.take(["3"]) is None
