"""The documents of a workspace: what each says of itself, and the index over all of them.

A Library is the engine's own memory and changes in place; everything it hands out is immutable.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from knit_tui.find.index import DocumentTerms, Index, tokenise
from knit_tui.find.terms import normal
from knit_tui.model import Access, Entry, Field, Kind, Outline, Scan, Stamp, Text
from knit_tui.workspace.outline import outline
from knit_tui.workspace.text import Unreadable

SLICE_BYTES = 2 << 20
"""Text that is indexed in one go, before the order is shown again."""
BODY_CACHE = 16 << 20
"""Characters of text kept for the documents whose passages are shown."""
_BREATH = 20
"""Documents between two chances for other threads."""

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


class Library:
    """Entries, cards and index of one workspace.

    ``read`` gives the text of a path or raises ``Unreadable``. ``breathe`` is called now and then in
    long work, so that a host can let other threads run.
    """

    def __init__(self, read: Read, breathe: Callable[[], None] = lambda: None) -> None:
        self._read = read
        self._breathe = breathe
        self._bodies: OrderedDict[tuple[str, Stamp], tuple[str, Outline]] = OrderedDict()
        self._body_size = 0
        self._pending: dict[str, Entry] = {}
        self.entries: dict[str, Entry] = {}
        """By path, in the order of the scan."""
        self.cards: dict[str, Card] = {}
        self.index = Index()
        self.cut = 0
        """Documents that are longer than what is searched of them."""
        self.unread = 0
        """Documents whose text could not be read."""
        self.secret = 0
        """Documents whose text is kept out because it holds a private key."""

    @property
    def pending(self) -> int:
        """Documents that are not in the index yet, or not in their present state."""
        return len(self._pending)

    def compare(self, scan: Scan) -> bool:
        """Take over ``scan``; what changed since the last one waits to be indexed. True if anything did."""
        old = self.entries
        new = {entry.rel: entry for entry in scan.entries}
        if old == new:
            return False
        gone = old.keys() - new.keys()
        for rel in gone:
            self._pending.pop(rel, None)
            self.cards.pop(rel, None)
        changed = [entry for rel, entry in new.items() if old.get(rel) != entry]
        # The newest documents first: they are what people work on while the rest is still read.
        changed.sort(key=lambda entry: (-entry.stamp.mtime_ns, entry.rel))
        self._pending.update((entry.rel, entry) for entry in changed)
        self.entries = new
        self.index = self.index.changed((), gone)
        self._count()
        return True

    def index_some(self, budget: int = SLICE_BYTES) -> None:
        """Index waiting documents until about ``budget`` bytes of text are read."""
        ready: list[DocumentTerms] = []
        spent = 0
        while self._pending and spent < budget:
            rel = next(iter(self._pending))
            entry = self._pending.pop(rel)
            document, card = self._indexed(entry)
            ready.append(document)
            self.cards[rel] = card
            spent += min(entry.stamp.size, budget) + 1_000  # opening a file costs too
            if len(ready) % _BREATH == 0:
                self._breathe()
        self.index = self.index.changed(ready, ())
        self._count()

    def body(self, rel: str) -> tuple[str, Outline] | None:
        """The text and outline of a searched document as it was indexed; None if it can no longer be read."""
        entry = self.entries.get(rel)
        if entry is None or entry.access is not Access.TEXT:
            return None
        key = (rel, entry.stamp)
        if key in self._bodies:
            self._bodies.move_to_end(key)
            return self._bodies[key]
        try:
            text = self._text(rel)
        except Unreadable:
            return None
        found = (text.body, outline(rel, entry.kind, entry.language, text.body))
        self._keep(key, found)
        return found

    def _text(self, rel: str) -> Text:
        text = self._read(rel)
        return text if text.body.isascii() else replace(text, body=normal(text.body))

    def _count(self) -> None:
        self.cut = sum(card.cut for card in self.cards.values())
        problems = [card.problem for card in self.cards.values() if card.problem]
        self.secret = problems.count("secret")
        # A file that is gone by now is no fault: the next scan knows.
        self.unread = len(problems) - self.secret - problems.count("gone")

    def _keep(self, key: tuple[str, Stamp], found: tuple[str, Outline]) -> None:
        self._bodies[key] = found
        self._body_size += len(found[0])
        while self._body_size > BODY_CACHE and len(self._bodies) > 1:
            _, (body, _) = self._bodies.popitem(last=False)
            self._body_size -= len(body)

    def _indexed(self, entry: Entry) -> tuple[DocumentTerms, Card]:
        folder, _, name = entry.rel.rpartition("/")
        fields = [(Field.NAME, normal(_stem(name))), (Field.DIRECTORY, normal(folder))]
        card = Card(name, "", cut=False)
        if entry.access is Access.WITHHELD:
            fields = []
        elif entry.access is Access.TEXT:
            try:
                text = self._text(entry.rel)
            except Unreadable as error:
                card = Card(name, "", cut=False, problem=error.reason)
                fields = []
            else:
                said = outline(entry.rel, entry.kind, entry.language, text.body)
                card = Card(said.title, said.summary, cut=text.read_bytes < text.total_bytes)
                fields += _text_fields(entry, said, text.body)
        return tokenise(entry.rel, fields), card


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
