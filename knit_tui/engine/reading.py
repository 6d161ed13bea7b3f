"""One file to what is indexed of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from knit_tui.find.segment import DocumentTerms, tokenise
from knit_tui.find.terms import normal, words
from knit_tui.model import Access, Entry, Field, Kind, Outline, Text
from knit_tui.organise.references import extract, packed
from knit_tui.workspace.outline import outline
from knit_tui.workspace.text import TEXT_LIMIT, Unreadable

DOUBT_NS = 2_000_000_000
"""A file that was read this soon after its last change may have changed again with the same stamp: the
coarsest clock of a file system that is in use ticks every two seconds."""

Read = Callable[[str], Text]


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of an indexed document without its text."""

    title: str
    summary: str
    cut: bool
    """The file is longer than what is searched of it."""
    problem: str = ""
    """Why its text could not be read; empty when it was."""
    digest: int = 0
    """Stands for the text that was indexed; 0 when there was none."""
    references: str = ""
    """What the text refers to, as ``organise.references.packed`` has it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one file."""

    doubtful: bool
    """Its stamp need not tell this content from the next."""
    card: Card | None = None
    document: DocumentTerms | None = None
    """Both None when the text is the one that was known."""


def text_of(read: Read, rel: str) -> Text:
    """The text of ``rel`` as it is indexed.

    Raises:
        Unreadable: there is none.
    """
    text = read(rel)
    return text if text.body.isascii() else replace(text, body=normal(text.body))


def digest(body: str) -> int:
    """64 bits that stand for a text, never 0."""
    found = blake2b(body.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(found, "little") or 1


def read_document(read: Read, entry: Entry, known: int = 0) -> Reading:
    """Read, outline and tokenise the file of ``entry``.

    ``known`` is the digest of its last reading, when nothing but the stamp has changed since.
    """
    folder, _, name = entry.rel.rpartition("/")
    fields = [(Field.NAME, normal(_stem(name))), (Field.DIRECTORY, normal(folder))]
    card = Card(name, "", cut=False)
    defined: dict[str, None] = {}
    doubtful = False
    if entry.access is Access.WITHHELD:
        fields = []
    elif entry.access is Access.TEXT:
        doubtful = in_doubt(entry)
        try:
            text = text_of(read, entry.rel)
        except Unreadable as error:
            card = Card(name, "", cut=False, problem=error.reason)
            fields = []
        else:
            found = digest(text.body)
            if known == found:
                return Reading(doubtful)
            said = outline(entry.rel, entry.kind, entry.language, text.body)
            card = Card(
                said.title,
                said.summary,
                cut=text.read_bytes < text.total_bytes,
                digest=found,
                references=packed(extract(entry.rel, entry.kind, entry.language, text.body)),
            )
            fields += _text_fields(entry, said, text.body)
            if entry.kind is Kind.CODE:
                defined = dict.fromkeys(name for _, heading in said.headings for name in words(heading))
    return Reading(doubtful, card, tokenise(entry.rel, fields, defined))


def in_doubt(entry: Entry) -> bool:
    """Whether the file changed so close to now that what is read may still change unseen."""
    return abs(time.time_ns() - entry.stamp.mtime_ns) < DOUBT_NS


def text_bytes(entry: Entry) -> int:
    """About how much text there is to read."""
    return min(entry.stamp.size, TEXT_LIMIT) if entry.access is Access.TEXT else 0


def _stem(name: str) -> str:
    """The name without its ending: that a file is Python says nothing of what it is about."""
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _text_fields(entry: Entry, said: Outline, body: str) -> Iterable[tuple[Field, str]]:
    if entry.kind is Kind.DOCS:  # the title of code is its file name, which is a field already
        yield Field.TITLE, said.title
    yield Field.SUMMARY, said.summary
    yield Field.HEADINGS, "\n".join(text for _, text in said.headings)
    yield Field.BODY, body
