"""How documents speak of one another, brought up to date with as little as changed."""

from __future__ import annotations

from collections.abc import Mapping

from knit_tui.engine.reading import Card
from knit_tui.model import Entry, Kind
from knit_tui.organise.references import Reference, unpacked
from knit_tui.organise.relations import Relations
from knit_tui.organise.tree import Tree

Shape = tuple[tuple[str, Kind, str | None], ...]


class Relating:
    """The relations of a workspace; the same object as long as no document refers to anything else.

    What is worked out from the paths alone is kept while they and what files say of the project are the same.
    """

    def __init__(self) -> None:
        self._shape: Shape = ()
        self._references: dict[str, str] = {}
        self._facts: list[tuple[str, Reference]] = []
        self._tree = Tree(())
        self._relations = Relations(self._tree, {}, {})

    def __call__(self, entries: Mapping[str, Entry], cards: Mapping[str, Card]) -> Relations:
        """The relations among ``entries``, by what is known of their texts; nothing is resolved yet."""
        shape = tuple((entry.rel, entry.kind, entry.language) for entry in entries.values())
        references = {rel: cards[rel].references for rel in entries if rel in cards and cards[rel].references}
        if shape == self._shape and references == self._references:
            return self._relations
        facts = [fact for rel, text in references.items() for fact in _facts(rel, text)]
        if shape != self._shape or facts != self._facts:
            self._tree = Tree(entries, facts)
        self._shape, self._references, self._facts = shape, references, facts
        self._relations = Relations(self._tree, references, entries)
        return self._relations


def _facts(rel: str, text: str) -> list[tuple[str, Reference]]:
    """What a file says of the project."""
    if not (text.startswith("m") or "\nm" in text):
        return []
    return [(rel, reference) for reference in unpacked(text) if reference.form == "m"]
