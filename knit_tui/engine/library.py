"""The documents of a workspace: what each says of itself, and the index over all of them.

A Library is the engine's own memory and changes in place; everything it hands out is immutable.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from knit_tui.engine.reading import Card, Read, digest, in_doubt, read_document, text_bytes, text_of
from knit_tui.engine.store import Memory, Store
from knit_tui.find.index import Index
from knit_tui.find.segment import DocumentTerms
from knit_tui.model import Access, Entry, Kind, Notice, Outline, QueryTerm, Scan, Stamp
from knit_tui.workspace.outline import outline
from knit_tui.workspace.text import Unreadable

if TYPE_CHECKING:
    from knit_tui.engine.build import Builders
    from knit_tui.engine.worker import Part

SLICE_BYTES = 2 << 20
"""Text that is indexed in one go, before the order is shown again."""
PREFERRED = 12
"""Terms, the heaviest, by which documents are indexed first."""
FIRST_BYTES = 1 << 19
"""The same before there is any order to show."""
BODY_CACHE = 16 << 20
"""Characters of text kept for the documents whose passages are shown."""
VERIFIED = 8
"""Unchanged documents that are read again after each scan, to see that they are."""
SETTLED = 64
"""Documents of doubtful stamp that are read again in one go, once their stamp can be trusted."""
KEEP_SHARE = 0.05
"""Share of the documents that must have changed for all to be kept at once."""
KEEP_LEAST = 32
"""Documents that must have."""
KEEP_SECONDS = 30.0
"""After which any change is kept."""
_BREATH = 20
"""Documents between two chances for other threads."""
_OPENING = 1_000
"""Bytes of text that opening one file costs as much as."""
_AHEAD = 4_000
"""Documents looked at for one slice: more than one has."""
_WAIT_SECONDS = 0.05


class Library:
    """Entries, cards and index of one workspace.

    ``read`` gives the text of a path or raises ``Unreadable``. ``breathe`` is called now and then in
    long work, so that a host can let other threads run. ``store`` outlives the process; ``builders``
    help with large amounts.
    """

    def __init__(
        self,
        read: Read,
        breathe: Callable[[], None] = lambda: None,
        store: Store | None = None,
        builders: Builders | None = None,
    ) -> None:
        self._read = read
        self._breathe = breathe
        self._store = store
        self._builders = builders
        self._recalled = store is None
        self._compared = False
        self._bodies: OrderedDict[tuple[str, Stamp], tuple[str, Outline]] = OrderedDict()
        self._body_size = 0
        self._pending: dict[str, Entry] = {}
        self._doubtful: set[str] = set()
        self._unverified = True
        self._missed = False
        """A document was gone when it was to be read."""
        self._cursor = b""
        self._unkept = 0
        self._kept_at = time.monotonic()
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

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What went wrong with the cache or the helping processes."""
        found = self._store.notices if self._store else ()
        return found + (self._builders.notices if self._builders else ())

    def recall(self) -> Mapping[str, Entry]:
        """The documents that an earlier process kept, as they were; to be called before the first scan."""
        if not self._recalled:
            self._recall()
        return self.entries

    def compare(self, scan: Scan) -> bool:
        """Take over ``scan``; what changed since the last one waits to be indexed. True if anything did."""
        self.recall()
        self._unverified = True
        old = self.entries
        new = {entry.rel: entry for entry in scan.entries}
        # What was gone when it was to be read may be back with the same time and size.
        back = {rel for rel, card in self.cards.items() if card.problem == "gone"} if self._missed else set()
        self._missed = False
        if old == new and self._compared and not back:  # what was recalled has another order
            return False
        self._compared = True
        gone = old.keys() - new.keys()
        for rel in gone:
            self._pending.pop(rel, None)
            self._forget(rel)
        changed = [entry for rel, entry in new.items() if old.get(rel) != entry or rel in back]
        for entry in changed:
            before = old.get(entry.rel)
            if before is None or _shape(before) != _shape(entry):
                self._forget(entry.rel)  # even the same text is now indexed in another way
        # The newest documents first: they are what people work on while the rest is still read.
        changed.sort(key=lambda entry: (-entry.stamp.mtime_ns, entry.rel))
        self._pending.update((entry.rel, entry) for entry in changed)
        self.entries = new
        self.index = self.index.changed((), gone)
        self._unkept += len(gone)
        if self._builders is not None and changed:
            self._builders.begin(sum(map(text_bytes, self._pending.values())))
        return True

    def prefer(self, terms: Sequence[QueryTerm]) -> None:
        """Index first the waiting documents whose path seems to hold one of ``terms``."""
        wanted = [term.term for term in terms[:PREFERRED]]
        named = [rel for rel in self._pending if any(term in rel.lower() for term in wanted)]
        if named:
            first = {rel: self._pending.pop(rel) for rel in named}
            self._pending = first | self._pending

    def index_some(self, budget: int = 0) -> None:
        """Index waiting documents until about ``budget`` bytes of text are read, 0 for as many as are good
        for a panel, or have others do it."""
        self._breathe()
        if self._builders is None or not self._shared_out(self._builders):
            self._index_here(budget or (SLICE_BYTES if self.index.positions else FIRST_BYTES))

    def tend(self) -> bool:
        """When nothing waits: read a few unchanged documents again, mend what was not as it seemed, and
        keep everything if that is due. True if the index is another one now."""
        if self._pending:
            return False
        before = self.index
        self._verify()
        while self._pending:
            self._index_here(SLICE_BYTES)
        due = self._unkept >= max(KEEP_LEAST, KEEP_SHARE * len(self.entries))
        if due or (self._unkept and time.monotonic() - self._kept_at > KEEP_SECONDS):
            self._keep()
        return self.index is not before

    def close(self) -> None:
        """Keep what is not kept yet and end the helping processes."""
        if self._builders is not None:
            self._builders.close()
        if self._unkept:
            self._keep()
        if self._store is not None:
            self._store.move_cursor(self._cursor)
            self._store.close()

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
            text = text_of(self._read, rel)
        except Unreadable:
            return None
        found = (text.body, outline(rel, entry.kind, entry.language, text.body))
        self._bodies[key] = found
        self._body_size += len(found[0])
        while self._body_size > BODY_CACHE and len(self._bodies) > 1:
            _, (body, _) = self._bodies.popitem(last=False)
            self._body_size -= len(body)
        return found

    def _shared_out(self, builders: Builders) -> bool:
        """Give work to the helping processes and take what they finished; False if there are none yet."""
        self._give(builders)
        for part in builders.take(_WAIT_SECONDS if builders.ready else 0.0):
            self._take(part)
        if not self._pending:
            builders.close()
        self._give(builders)
        return builders.ready

    def _give(self, builders: Builders) -> None:
        if builders.idle:
            out = builders.out
            builders.give((entry for rel, entry in self._pending.items() if rel not in out), self._known)

    def _take(self, part: Part) -> None:
        for entry, card, doubtful in zip(part.entries, part.cards, part.doubtful, strict=True):
            # It may have changed or gone while it was read.
            if self._pending.get(entry.rel) == entry:
                del self._pending[entry.rel]
                self._learn(entry.rel, card, doubtful)
        gone = [rel for rel in part.segment.rels if rel not in self.entries]
        self.index = self.index.extended([part.segment], ()).changed((), gone)

    def _index_here(self, budget: int) -> None:
        ready: list[DocumentTerms] = []
        out = self._builders.out if self._builders is not None else ()
        waiting = [entry for rel, entry in islice(self._pending.items(), _AHEAD) if rel not in out]
        spent = 0
        for number, entry in enumerate(waiting):
            found = read_document(self._read, entry, self._known(entry.rel))
            del self._pending[entry.rel]
            if found.document is not None:
                ready.append(found.document)
            self._learn(entry.rel, found.card, found.doubtful)
            spent += text_bytes(entry) + _OPENING
            if spent >= budget:
                break
            if number % _BREATH == 0:
                self._breathe()
        self.index = self.index.changed(ready, ())

    def _known(self, rel: str) -> int:
        card = self.cards.get(rel)
        return card.digest if card else 0

    def _learn(self, rel: str, card: Card | None, doubtful: bool) -> None:
        if card is not None:
            self._forget(rel)
            self.cards[rel] = card
            self._count(card, 1)
            self._missed = self._missed or card.problem == "gone"
        if doubtful:
            self._doubtful.add(rel)
        else:
            self._doubtful.discard(rel)
        self._unkept += 1

    def _forget(self, rel: str) -> None:
        card = self.cards.pop(rel, None)
        self._doubtful.discard(rel)
        if card is not None:
            self._count(card, -1)

    def _count(self, card: Card, change: int) -> None:
        self.cut += change * card.cut
        if card.problem == "secret":
            self.secret += change
        elif card.problem and card.problem != "gone":  # a file that is gone is no fault: the next scan knows
            self.unread += change

    def _recall(self) -> None:
        """Begin with what an earlier process kept."""
        self._recalled = True
        assert self._store is not None
        memory = self._store.recall()
        self._cursor = self._store.cursor()
        if memory is None:
            return
        self.index, self.entries = memory.index, dict(memory.entries)
        for rel, card in memory.cards.items():
            self.cards[rel] = card
            self._count(card, 1)
            self._missed = self._missed or card.problem == "gone"
        # They may have changed unseen after they were read.
        self._pending.update((rel, self.entries[rel]) for rel in memory.doubtful)

    def _keep(self) -> None:
        if self._store is None:
            return
        entries = {rel: entry for rel, entry in self.entries.items() if rel not in self._pending}
        self._store.keep(Memory(self.index, entries, self.cards, frozenset(self._doubtful)))
        self._unkept = 0
        self._kept_at = time.monotonic()

    def _verify(self) -> None:
        """Read a few documents again and put those aside to be indexed whose text is not what was indexed."""
        doubtful = (rel for rel in self._doubtful if not in_doubt(self.entries[rel]))
        suspects = list(islice(doubtful, SETTLED))
        if self._unverified:
            self._unverified = False
            suspects += self._next_suspects()
        for rel in suspects:
            try:
                same = digest(text_of(self._read, rel).body) == self.cards[rel].digest
            except Unreadable as error:
                same = error.reason == "gone"
            if not same:
                entry = self.entries[rel]
                self._forget(rel)
                self._pending[rel] = entry
                if (body := self._bodies.pop((rel, entry.stamp), None)) is not None:
                    self._body_size -= len(body[0])
            elif rel in self._doubtful and not in_doubt(self.entries[rel]):
                self._doubtful.discard(rel)
                self._unkept += 1

    def _next_suspects(self) -> list[str]:
        rels = [rel for rel in self.entries if self._known(rel)]
        start = bisect_right(rels, os.fsdecode(self._cursor))
        found = [*rels[start : start + VERIFIED], *rels[: max(0, min(start, start + VERIFIED - len(rels)))]]
        if found:
            self._cursor = os.fsencode(found[-1])
        return found


def _shape(entry: Entry) -> tuple[Kind, str | None, Access]:
    return entry.kind, entry.language, entry.access
