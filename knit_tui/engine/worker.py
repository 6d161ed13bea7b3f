"""A process that reads, outlines and tokenises files for another one.

It takes requests from standard input and answers on what was standard output until its input ends,
which it does when the other process is gone, however it went.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from knit_tui.engine.reading import Card, read_document
from knit_tui.find.segment import Segment, build_segment
from knit_tui.model import Entry
from knit_tui.workspace.text import read_text

NICE = 5
"""How far these processes step back behind the one that draws."""


@dataclass(frozen=True, slots=True)
class Request:
    """Files below ``root`` and the digest of the text that is known of each; 0 for none."""

    root: str
    entries: Sequence[Entry]
    digests: Sequence[int]


@dataclass(frozen=True, slots=True)
class Part:
    """What came of a request: for each entry its card, None when the text was known, and whether its
    stamp is doubtful; and the segment of those whose text was not known."""

    entries: Sequence[Entry]
    cards: Sequence[Card | None]
    doubtful: Sequence[bool]
    segment: Segment


def build(request: Request) -> Part:
    """Do what is asked for."""
    root = Path(request.root)
    readings = [
        read_document(lambda rel: read_text(root, rel), entry, known)
        for entry, known in zip(request.entries, request.digests, strict=True)
    ]
    documents = [reading.document for reading in readings if reading.document is not None]
    return Part(
        request.entries,
        [reading.card for reading in readings],
        [reading.doubtful for reading in readings],
        build_segment(documents),
    )


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.nice(NICE)
    # Nothing that prints may get between the answers.
    answers = Connection(os.dup(1), readable=False)
    os.dup2(2, 1)
    requests = Connection(os.dup(0), writable=False)
    answers.send(None)
    while True:
        try:
            request = requests.recv()
        except (EOFError, OSError):
            return
        answers.send(build(request))
