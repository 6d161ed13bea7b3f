"""The process that runs Pygments, so that a lexer that hangs or dies takes nothing else with it.

Run as a file, by itself: it imports the standard library and Pygments, nothing of knit. It reads
requests from standard input and writes replies to standard output until its input ends. A frame is
four bytes of length, big end first, and that much JSON:

* at start it writes ``{"ready": true}``
* request ``{"language": alias, "lines": [...], "skip": n}``: lines without their line ends; the
  first ``n`` only give the lexer its bearings
* reply ``{"runs": [[start, length, group, start, length, group, ...], ...]}``: one list for each line
  after the skipped ones, characters within the line, ``group`` an index into ``GROUPS``
* or ``{"error": "..."}``
"""

from __future__ import annotations

import json
import signal
import struct
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, BinaryIO

GROUPS = (
    "comment",
    "keyword",
    "string",
    "escape",
    "number",
    "function",
    "type",
    "attribute",
    "meta",
    "operator",
    "heading",
    "strong",
    "emphasis",
    "fence",
    "added",
    "removed",
)
"""What a token can be to the eye; a face gives each a style."""

LONGEST_REQUEST = 15
"""Seconds after which the process ends itself: nobody may be left to kill it."""

_LENGTH = struct.Struct(">I")

# From a Pygments token type, as the words after ``Token``, to a group; the longest prefix counts.
_BY_TYPE = {
    "Comment": "comment",
    "Comment.Preproc": "meta",
    "Comment.PreprocFile": "string",
    "Keyword": "keyword",
    "Keyword.Constant": "number",
    "Keyword.Type": "type",
    "Literal": "string",
    "Literal.Number": "number",
    "Literal.Date": "number",
    "Literal.String.Affix": "keyword",
    "Literal.String.Escape": "escape",
    "Literal.String.Interpol": "escape",
    "Literal.String.Regex": "escape",
    "Literal.String.Symbol": "number",
    "Name.Attribute": "attribute",
    "Name.Builtin": "type",
    "Name.Builtin.Pseudo": "number",
    "Name.Class": "type",
    "Name.Constant": "number",
    "Name.Decorator": "meta",
    "Name.Entity": "escape",
    "Name.Exception": "type",
    "Name.Function": "function",
    "Name.Label": "meta",
    "Name.Property": "attribute",
    "Name.Tag": "function",
    "Name.Variable": "attribute",
    "Operator": "operator",
    "Operator.Word": "keyword",
    "Punctuation": "operator",
    "Generic.Heading": "heading",
    "Generic.Subheading": "heading",
    "Generic.Strong": "strong",
    "Generic.EmphStrong": "strong",
    "Generic.Emph": "emphasis",
    "Generic.Inserted": "added",
    "Generic.Deleted": "removed",
    "Generic.Prompt": "meta",
    "Generic.Traceback": "removed",
}


def group_of(token_type: Sequence[str]) -> int | None:
    """The index in ``GROUPS`` for a token type, a tuple of words; None for plain text."""
    for length in range(len(token_type), 0, -1):
        name = _BY_TYPE.get(".".join(token_type[:length]))
        if name is not None:
            return GROUPS.index(name)
    return None


def runs_of_tokens(
    tokens: Iterable[tuple[int, Any, str]], lines: Sequence[str], skip: int
) -> list[list[int]]:
    """Tokens at offsets of the joined ``lines`` as runs by line.

    Offsets are what a lexer says: what lies outside the text or on an earlier token is left out.
    """
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    runs: list[list[int]] = [[] for _ in lines]
    groups: dict[Any, int | None] = {}
    fence = GROUPS.index("fence")
    for offset, token_type, value in tokens:
        if token_type not in groups:
            groups[token_type] = group_of(token_type)
        group = groups[token_type]
        if group is None or offset < 0:
            continue
        if token_type[-1:] == ("Backtick",) and _is_fence(value):
            group = fence
        for line, start, length in _by_line(offset, offset + len(value), starts, lines):
            found = runs[line]
            end = found[-3] + found[-2] if found else 0
            if found and found[-1] == group and end == start:
                found[-2] += length
            elif start >= end:
                found += (start, length, group)
    return runs[skip:]


def _is_fence(value: str) -> bool:
    """Whether a Markdown token is a fence or the language behind one, rather than code in a line."""
    return value.lstrip().startswith("```") or "`" not in value


def _by_line(
    first: int, last: int, starts: Sequence[int], lines: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    line = bisect_right(starts, first) - 1
    while line < len(lines) and starts[line] < last:
        begin = max(first - starts[line], 0)
        end = min(last - starts[line], len(lines[line]))
        if end > begin:
            yield line, begin, end - begin
        line += 1


def answer(request: dict[str, Any], lexer_for: Callable[[str], Any]) -> dict[str, Any]:
    """The reply to one request. A lexer may raise anything; that is an ``error`` reply."""
    lines: list[str] = request["lines"]
    try:
        lexer = lexer_for(request["language"])
        # Not get_tokens: that strips and rewrites line ends, and the offsets would be of another text.
        tokens = lexer.get_tokens_unprocessed("\n".join(lines) + "\n")
        return {"runs": runs_of_tokens(tokens, lines, request["skip"])}
    except Exception as error:
        return {"error": type(error).__name__}


def read_frame(stream: BinaryIO) -> Any | None:
    """The next message, or None at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return json.loads(body) if len(body) == length else None


def frame(message: object) -> bytes:
    """``message`` as the bytes of one frame; ASCII, so that any string passes, lone surrogates too."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(body)) + body


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until there are no more."""
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped, unused-ignore]

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    replies.write(frame({"ready": True}))
    replies.flush()
    while (request := read_frame(requests)) is not None:
        signal.alarm(LONGEST_REQUEST)
        reply = frame(answer(request, get_lexer_by_name))
        signal.alarm(0)
        replies.write(reply)
        replies.flush()


if __name__ == "__main__":
    # Installed beside the panel's own libraries, which need not be where an isolated Python looks.
    sys.path += sys.argv[1:]
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        sys.exit(0)
