"""The process that runs Pygments."""

from __future__ import annotations

import io
import json
import signal
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped, unused-ignore]

from knit_tui.faces.tui.preview import child
from knit_tui.faces.tui.preview.process import default_command

LENGTH = struct.Struct(">I")


def words(lines: list[str], runs: list[list[int]]) -> list[tuple[str, str]]:
    """Runs as (text, group)."""
    found = []
    for line, flat in zip(lines, runs, strict=True):
        for start, length, group in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
            found.append((line[start : start + length], child.GROUPS[group]))
    return found


def highlighted(language: str, lines: list[str], skip: int = 0) -> list[tuple[str, str]]:
    reply = child.answer({"language": language, "lines": lines, "skip": skip}, get_lexer_by_name)
    return words(lines[skip:], reply["runs"])


def test_code_falls_into_groups() -> None:
    found = highlighted(
        "python", ["@cached", "def f(x: int) -> str:  # why", '    return "a\\nb" + str(1.5)']
    )
    assert ("@cached", "meta") in found
    assert ("def", "keyword") in found
    assert ("f", "function") in found
    assert ("int", "type") in found
    assert ("# why", "comment") in found
    assert ("\\n", "escape") in found
    assert ("1.5", "number") in found


def test_markdown_has_headings_and_dim_fences() -> None:
    found = highlighted("markdown", ["# One", "", "Two `three`", "", "```python", "x = 1", "```"])
    assert ("# One", "heading") in found
    assert ("`three`", "string") in found
    assert ("```python", "fence") in found and ("```", "fence") in found
    assert ("1", "number") in found


def test_a_token_over_several_lines_is_a_run_on_each() -> None:
    assert highlighted("python", ['"""one', "", 'two"""']) == [('"""one', "string"), ('two"""', "string")]


def test_lines_before_the_wanted_ones_give_the_bearings() -> None:
    assert highlighted("python", ['"""', "def f(): pass", '"""'], skip=1)[0] == ("def f(): pass", "string")


def test_characters_count_as_in_the_request_whatever_they_are() -> None:
    lines = ["\ufeff\r\r", "", "x = '\x0b\x0c\x85\u2028\t\U0001f600\ud800'", "y = 1", ""]
    found = highlighted("python", lines)
    assert ("'\x0b\x0c\x85\u2028\t\U0001f600\ud800'", "string") in found
    assert ("1", "number") in found


def test_offsets_a_lexer_should_not_give_are_left_out() -> None:
    keyword = ("Keyword",)
    tokens = [
        (-1, keyword, "x" * 20),
        (1, keyword, "bc"),
        (0, keyword, "abc"),
        (2, keyword, "c\ndef"),
        (99, keyword, "z"),
    ]
    assert child.runs_of_tokens(tokens, ["abc", "de"], 0) == [[1, 2, 1], [0, 2, 1]]


@pytest.mark.parametrize("language", ["no-such-language", "", "../../etc/passwd", None, 3])
def test_an_unknown_language_is_an_error_reply(language: Any) -> None:
    assert child.answer({"language": language, "lines": ["x"], "skip": 0}, get_lexer_by_name).keys() == {
        "error"
    }


def test_a_lexer_that_raises_is_an_error_reply() -> None:
    class Broken:
        def get_tokens_unprocessed(self, text: str) -> None:
            raise RecursionError

    reply = child.answer({"language": "x", "lines": ["x"], "skip": 0}, lambda alias: Broken())
    assert reply == {"error": "RecursionError"}


def test_a_frame_cut_short_ends_the_conversation() -> None:
    whole = child.frame({"language": "python", "lines": ["x"], "skip": 0})
    for length in range(len(whole)):
        assert child.read_frame(io.BytesIO(whole[:length])) is None
    assert child.read_frame(io.BytesIO(whole)) == {"language": "python", "lines": ["x"], "skip": 0}


def test_the_process_greets_answers_and_ends_with_its_input() -> None:
    request = child.frame({"language": "python", "lines": ["x = 1"], "skip": 0})
    result = subprocess.run(
        default_command(), input=request, capture_output=True, timeout=60, cwd="/", env={}
    )
    assert result.returncode == 0 and result.stderr == b""
    replies = io.BytesIO(result.stdout)
    assert child.read_frame(replies) == {"ready": True}
    reply = child.read_frame(replies)
    assert reply is not None
    assert words(["x = 1"], reply["runs"]) == [("=", "operator"), ("1", "number")]


def test_it_finds_pygments_where_an_isolated_python_does_not_look(tmp_path: Path) -> None:
    """A library folder on the command line is enough, and comes last."""
    package = tmp_path / "pygments"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "lexers.py").write_text("def get_lexer_by_name(alias): raise LookupError\n")
    command = [sys.executable, "-I", "-S", child.__file__, str(tmp_path)]
    result = subprocess.run(command, input=b"", capture_output=True, timeout=60, cwd="/", env={})
    assert json.loads(result.stdout[LENGTH.size :]) == {"ready": True}


def test_a_workspace_cannot_put_its_own_modules_in_the_way(tmp_path: Path) -> None:
    for name in ("json", "pygments", "struct"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken over')\n")
    result = subprocess.run(
        default_command(),
        input=b"",
        capture_output=True,
        timeout=60,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "json.py")},
    )
    assert result.returncode == 0
    assert json.loads(result.stdout[LENGTH.size :]) == {"ready": True}


def test_a_lexer_that_hangs_ends_the_process_even_when_nobody_waits() -> None:
    """The panel may have been killed in the middle of a request."""
    program = (
        "import runpy, sys\n"
        f"child = runpy.run_path({child.__file__!r})\n"
        "names = child['serve'].__globals__\n"
        "names['LONGEST_REQUEST'] = 1\n"
        "def hang(*ignored):\n"
        "    while True: pass\n"
        "names['answer'] = hang\n"
        "child['serve'](sys.stdin.buffer, sys.stdout.buffer)\n"
    )
    request = child.frame({"language": "python", "lines": ["x"], "skip": 0})
    result = subprocess.run([sys.executable, "-c", program], input=request, capture_output=True, timeout=60)
    assert result.returncode == -signal.SIGALRM, result.stderr
