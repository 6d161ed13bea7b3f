"""A folder as knit ranks it: the product's own steps, one by one, without panel, cache and watcher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from knit_tui.engine.asking import Asked, located, query_of, wanted_terms
from knit_tui.engine.classic import ClassicOrder, classic_query
from knit_tui.engine.library import Library
from knit_tui.engine.past import Past
from knit_tui.engine.pools import Pool, Pools
from knit_tui.engine.relating import Relating
from knit_tui.engine.views import Examiner, Speaking, ranked, ranked_view
from knit_tui.find.history import CommitIndex
from knit_tui.find.ranking import STRENGTHS, Strengths
from knit_tui.find.session import Names
from knit_tui.model import Access, Controls, Item, Message, Tab, Use, Wish
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import Unreadable, read_text


class Workspace:
    """One folder, indexed. ``git``: with the history of the project, where there is one."""

    def __init__(self, root: Path, *, git: bool) -> None:
        self.root = root
        self._library = Library(lambda rel: read_text(root, rel))
        self._library.compare(Scanner(root).scan())
        while self._library.pending:
            self._library.index_some()
        past = Past(root) if git else None
        if past:
            past.look(patient=True)
        self._commits = past.commits if past else CommitIndex()
        self._classic = ClassicOrder(self._library)
        self._names = Names(self._library.entries)
        self._relations = Relating()(self._library.entries, self._library.cards)
        sources = Pools()(self._library.entries, self._library.cards, self._library.index, ())
        self._pool: Pool = sources[Tab.CONTEXT]

    @property
    def documents(self) -> int:
        """How many documents are ranked."""
        return len(self._pool.rows)

    def texts(self) -> dict[str, str]:
        """The text of every document that is ranked, as it is indexed."""
        found = {}
        for rel, item in self._pool.rows.items():
            if item.access is Access.TEXT:
                try:
                    found[rel] = read_text(self.root, rel).body
                except Unreadable:
                    continue
        return found

    def typed(self, text: str, *, wish: Wish | None = None) -> Asked:
        """What ``knit --query`` ranks by."""
        asked = self._asked((), text)
        return asked if wish is None else replace(asked, query=replace(asked.query, wish=wish))

    def live(
        self, messages: Sequence[Message], uses: Mapping[str, Use] | None = None, mentioned: str = ""
    ) -> Asked:
        """What the panel ranks by; without ``uses`` (newest first) by what was said alone.

        ``mentioned`` stands for the texts when these cannot name a path.
        """
        asked = self._asked(tuple(messages), None)
        if uses is None:
            return asked
        return replace(asked, uses=uses, mentions=self._names.mentioned("", [mentioned]))

    def order(self, asked: Asked, strengths: Strengths = STRENGTHS) -> list[str]:
        """Paths, best first."""
        return list(ranked(self._pool, asked, strengths).rels)

    def classic(self, text: str) -> list[str]:
        """Paths in the order of the ranking ``classic``, best first."""
        _, keywords = classic_query((), text)
        return [hit.rel for hit in self._classic.ranked(self._pool, keywords).hits()]

    def shown(self, asked: Asked) -> tuple[Item, ...]:
        """The rows of the Context tab."""
        examiner, speaking = Examiner(self._library, asked.query), Speaking(self._relations, Controls())
        return ranked_view(self._pool, ranked(self._pool, asked), Controls(), (), examiner, speaking).items

    def _asked(self, messages: tuple[Message, ...], typed: str | None) -> Asked:
        wanted = wanted_terms(messages, typed)
        query = query_of(wanted, messages, typed, self._library.index, self._commits)
        return Asked(query, located(self._commits, self._library.index))
