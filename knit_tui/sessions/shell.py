"""Which files a shell command line shows to the agent, and what its outcome says about each.

A small part of the shell's grammar, by one pass over the text: quotes, escapes, comments, lists,
pipelines, redirections, ``cd``. What is only known when it runs (variables, substitutions, globs)
names no file here. A read is a program that prints a file (``cat``, ``sed -n``, ``head`` …) whose
output reaches the agent: not redirected, and piped only through programs that pass text on.
Searching, counting and listing are no reads.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knit_tui.sessions.events import Certainty
from knit_tui.sessions.shell_grammar import Pipeline, Simple, Unreadable, split_line

LONGEST = 64 * 1024
"""Characters; a longer command is a script with its data, and is not looked into."""

_VALUED = {
    "cat": "",
    "tac": "",
    "more": "n",
    "less": "pPtTxyzbDhjkoO",
    "nl": "bdfhilnsvw",
    "head": "nc",
    "tail": "ncs",
    "bat": "rlHm",
    "batcat": "rlHm",
    "fold": "w",
    "expand": "t",
}
"""Programs that print their operands, and their one-letter options that take a value."""
_LONG_VALUED = {"--lines", "--bytes", "--line-range", "--language", "--style", "--theme", "--highlight-line"}
_AWKS = {"awk", "gawk", "mawk"}
_PASSING = {*_VALUED, *_AWKS, "sed", "column"}
_PREFIXES = {"command", "sudo", "time", "env", "nice", "builtin", "exec"}
_CONTROL = frozenset("for while until if elif case select function done fi esac [[ !".split())
_OPENING = {"do", "then", "else", "{", "}"}

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_ROWS = re.compile(r"\bF?NR\b")


@dataclass(frozen=True, slots=True)
class ShellRead:
    """One file a command line prints."""

    path: str
    """As typed, quotes removed."""
    folder: str | None
    """Where it is relative to: ``""`` where the line starts, else the folder it went to before;
    None when that is not known."""
    program: str
    decisive: bool
    """Exit status 0 of the whole line says that this read succeeded."""
    runs: bool
    """Nothing before it on the line can have kept it from running."""


@dataclass(frozen=True, slots=True)
class ShellLine:
    reads: tuple[ShellRead, ...] = ()
    folder: str | None = ""
    """Where a shell that lives on stands after the line, as in `ShellRead`."""
    sole: bool = False
    """The line is one command with one operand: its exit status is that read's."""


def parse(command: str) -> ShellLine:
    """The reads of ``command``; none when it cannot be understood. Linear, never raises."""
    if len(command) > LONGEST:
        return ShellLine(folder=None)
    try:
        pipelines, complete = split_line(command)
    except Unreadable:
        return ShellLine(folder=None)
    return _reads(pipelines, complete)


def join(folder: str | None, path: str) -> str | None:
    """``path`` seen from ``folder``; None when the folder is not known and the path is relative."""
    if path.startswith(("/", "~")) or folder == "":
        return path
    return None if folder is None else posixpath.join(folder, path)


def _reads(pipelines: list[Pipeline], complete: bool) -> ShellLine:
    reads: list[ShellRead] = []
    folders: list[str | None] = [""]
    plain = complete and all(p.depth == 0 for p in pipelines)
    runs, skipped = True, False
    chained = _chained(pipelines)
    asked = 0
    for number, pipeline in enumerate(pipelines):
        del folders[pipeline.depth + 1 :]
        while len(folders) <= pipeline.depth:
            folders.append(folders[-1])
        if pipeline.before == "||":
            skipped = True
        elif pipeline.before != "&&":
            skipped, runs = False, True
        words, controlled = _command(pipeline.stages[0])
        if controlled:
            plain = False
        program = posixpath.basename(words[0][0]) if words else ""
        if program in ("cd", "pushd") and len(pipeline.stages) == 1:
            folders[-1] = folders[-1] if skipped else _moved(folders[-1], words[1:])
            continue
        operands = [] if skipped else list(_operands(program, words[1:]))
        if operands and _shown(pipeline):
            asked += len(operands)
            decisive = plain and chained[number] and len(pipeline.stages) == 1
            reads += [
                ShellRead(path, folders[-1], program, decisive, runs and plain)
                for path, dynamic in operands
                if path and path != "-" and not dynamic
            ]
        runs = False
    sole = asked == len(reads) == 1 and len(pipelines) == 1 and reads[0].decisive
    return ShellLine(tuple(reads), folders[0] if complete else None, sole)


def _chained(pipelines: list[Pipeline]) -> list[bool]:
    """For each pipeline, whether the line can only end well when it did."""
    result: list[bool] = []
    proven = True
    for pipeline in reversed(pipelines):
        proven = proven and pipeline.after != "&"
        result.append(proven)
        proven = pipeline.before == "&&" and proven
    return result[::-1]


def _shown(pipeline: Pipeline) -> bool:
    """Whether what the first stage prints reaches the agent as it is."""
    if any(stage.redirected for stage in pipeline.stages):
        return False
    for stage in pipeline.stages[1:]:
        words, _ = _command(stage)
        if not words or posixpath.basename(words[0][0]) not in _PASSING:
            return False
    return True


def _command(simple: Simple) -> tuple[list[tuple[str, bool]], bool]:
    """The words of a command without what may stand before it; whether control words are among them."""
    words, controlled = simple.words, False
    at = 0
    while at < len(words):
        word, dynamic = words[at]
        if word in _CONTROL:
            return [], True
        if word in _OPENING:
            controlled = True
        elif not (word in _PREFIXES or _ASSIGNMENT.match(word)):
            return ([] if dynamic else words[at:]), controlled
        at += 1
    return [], controlled


def _moved(folder: str | None, words: list[tuple[str, bool]]) -> str | None:
    words = [w for w in words if w[0] not in ("--", "-P", "-L")]
    if not words:
        return "~"
    target, dynamic = words[0]
    return None if dynamic or target == "-" or len(words) > 1 else join(folder, target)


def _operands(program: str, words: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The files among ``words`` that ``program`` prints; none when it prints no file."""
    if program in _VALUED:
        for kind, word in _split(words, _VALUED[program]):
            if kind == "operand" and not (word[0][:1] == "+" and program in ("less", "more", "tail")):
                yield word
    elif program == "sed":
        scripted = False
        rest = []
        for kind, word in _split(words, "efl"):
            if kind == "operand":
                rest.append(word)
            elif word[0].startswith("--in-place") or _in_place(word[0]):
                return
            else:
                scripted |= word[0].startswith(("--expression", "--file")) or _has(word[0], "ef")
        yield from rest if scripted else rest[1:]
    elif program in _AWKS:
        rest = [word for kind, word in _split(words, "Fvf") if kind == "operand"]
        if rest and _ROWS.search(rest[0][0]):
            yield from (word for word in rest[1:] if "=" not in word[0])


def _split(words: list[tuple[str, bool]], valued: str) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Options and operands; the value of an option that stands in a word of its own is left out."""
    at = 0
    options = True
    while at < len(words):
        word = words[at]
        at += 1
        text = word[0]
        if options and text == "--":
            options = False
        elif options and text.startswith("--"):
            yield "option", word
            at += text in _LONG_VALUED
        elif options and len(text) > 1 and text[0] == "-":
            yield "option", word
            for position, letter in enumerate(text[1:], 1):
                if letter in valued:
                    at += position == len(text) - 1
                    break
        else:
            yield "operand", word


def _has(option: str, letters: str) -> bool:
    return not option.startswith("--") and any(letter in letters for letter in option[1:])


def _in_place(option: str) -> bool:
    if option.startswith("--"):
        return False
    for letter in option[1:]:
        if letter in "efl":
            return False
        if letter == "i":
            return True
    return False


def outcomes(line: ShellLine, status: int | None, output: str) -> list[tuple[ShellRead, bool, Certainty]]:
    """What became of each read of ``line``: (read, succeeded, how sure that is).

    ``status`` is the exit status of the whole line, None when it is not told. ``output`` is what it
    printed, errors included: a program that cannot read a file says so there, by its own name.
    """
    if not line.reads:
        return []
    complaints = _complaints({read.program for read in line.reads}, output)
    failed = status is not None and status != 0
    result: list[tuple[ShellRead, bool, Certainty]] = []
    for read in line.reads:
        if status == 0 and read.decisive:
            result.append((read, True, "confirmed"))
        elif (failed and line.sole) or any(_names(said, read.path) for said in complaints[read.program]):
            result.append((read, False, "confirmed"))
        elif failed and not read.runs:
            result.append((read, False, "attempted"))
        else:
            result.append((read, True, "inferred"))
    return result


_COMPLAINTS = 64


def _names(complaint: str, path: str) -> bool:
    """Whether an error line is about ``path`` and not only about a name it is part of."""
    at = complaint.find(path)
    end = at + len(path)
    return (
        at >= 0
        and (at == 0 or complaint[at - 1] in " '\"`‘")
        and complaint[end : end + 1]
        in (
            *":'\"’ ",
            "",
        )
    )


def _complaints(programs: Iterable[str], output: str) -> dict[str, list[str]]:
    """The first error lines of each program in ``output``, as many as could matter."""
    found: dict[str, list[str]] = {}
    for program in programs:
        lines = []
        for match in re.finditer(
            rf"^(?:(?:/\S*/)?{re.escape(program)}|\[{re.escape(program)} error\]): (.*)$",
            output,
            re.MULTILINE,
        ):
            lines.append(match.group(1))
            if len(lines) == _COMPLAINTS:
                break
        found[program] = lines
    return found
