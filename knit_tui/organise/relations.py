"""How the documents of a workspace speak of one another: mentions, imports and tests, seen from either end.

References are resolved when they are asked for. Those of one document are few; those that mean a document
may stand anywhere, so they are searched for as text: only a reference that holds a word which every
reference to the document must hold is resolved.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping

from knit_tui.model import Entry, Kind, Relation, RelationType
from knit_tui.organise.pairs import subjects_of, tests_of
from knit_tui.organise.references import Keys, Reference, keys, resolved, rules_of, unpacked
from knit_tui.organise.tree import Tree, folder_of

_PRIORITY = {type_: place for place, type_ in enumerate(RelationType)}
_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_WORD_OR_DOT = _WORD | {"."}


class Relations:
    """The relations of every document of one scan. Immutable; what was asked for is kept.

    Args:
        tree: the known files.
        references: packed, by the document they stand in.
        entries: the known files by path; a relation with one that is not there is left out.
    """

    __slots__ = ("_entries", "_known", "_references", "_texts", "_tree")

    def __init__(self, tree: Tree, references: Mapping[str, str], entries: Mapping[str, Entry]) -> None:
        self._tree = tree
        self._references = references
        self._entries = entries
        self._texts: dict[object, _Text] | None = None
        self._known: dict[str, tuple[Relation, ...]] = {}

    def of(self, rel: str) -> tuple[Relation, ...]:
        """All relations of ``rel``: the most telling type first, incoming before outgoing, by line and path.

        Of several with the same document, type and direction, the one at the first line.
        """
        if rel not in self._known:
            first: dict[tuple[RelationType, bool, str], int | None] = {}
            for type_, incoming, other, line in (*self._outgoing(rel), *self._incoming(rel)):
                key = (type_, incoming, other)
                if other in self._entries and (line or 0) <= (first.get(key, line) or 0):
                    first[key] = line
            relations = [Relation(*key, line) for key, line in first.items()]
            self._known[rel] = tuple(sorted(relations, key=_order))
        return self._known[rel]

    def _outgoing(self, rel: str) -> Iterator[tuple[RelationType, bool, str, int | None]]:
        entry = self._entries.get(rel)
        if entry is None:
            return
        for reference in unpacked(self._references.get(rel, "")):
            for other in resolved(reference, rel, entry.language, self._tree):
                if other in self._entries:
                    yield self._type(reference, other), False, other, reference.line
        for other in subjects_of(rel, self._tree):
            yield RelationType.TESTS, False, other, None

    def _incoming(self, rel: str) -> Iterator[tuple[RelationType, bool, str, int | None]]:
        entry = self._entries.get(rel)
        if entry is None:
            return
        if self._texts is None:
            self._texts = _texts(self._references, self._entries)
        for rules, text in self._texts.items():
            wanted = keys(rel, entry.language, rules, self._tree)
            for source, reference in text.holding(wanted, rel):
                language = self._entries[source].language
                if rel in resolved(reference, source, language, self._tree):
                    yield self._type(reference, rel), True, source, reference.line
        for other in tests_of(rel, self._tree):
            yield RelationType.TESTS, True, other, None

    def _type(self, reference: Reference, target: str) -> RelationType:
        if reference.form == "i":
            return RelationType.IMPORTS
        docs = self._entries[target].kind is Kind.DOCS
        return RelationType.REFERENCES if docs else RelationType.DOCUMENTS


def _order(relation: Relation) -> tuple[int, bool, int, str]:
    return _PRIORITY[relation.type], not relation.incoming, relation.line or 0, relation.other


class _Text:
    """The packed references of many documents as one text, case-folded, to be searched at once."""

    __slots__ = ("_folded", "_packed", "_sources", "_starts")

    def __init__(self, packed: list[tuple[str, str]]) -> None:
        packed = sorted(packed)
        self._sources = [source for source, _ in packed]
        self._packed = [text for _, text in packed]
        folded = [text.casefold() for text in self._packed]
        self._starts = []
        length = 0
        for text in folded:
            self._starts.append(length)
            length += len(text) + 1
        self._starts.append(length)
        self._folded = "\n".join([*folded, ""])

    def holding(self, wanted: Keys, rel: str) -> Iterator[tuple[str, Reference]]:
        """Each reference that may mean ``rel``, with the document it stands in."""
        ends = {
            end for word in wanted.anywhere for end in self._lines(word, wanted.dotted, 0, len(self._folded))
        }
        if wanted.below:
            low, high = self._below(folder_of(rel))
            ends.update(end for word in wanted.below for end in self._lines(word, wanted.dotted, low, high))
        for end in sorted(ends):
            at = bisect_right(self._starts, end) - 1
            row = self._folded.count("\n", self._starts[at], end)
            for reference in unpacked(self._packed[at].split("\n", row + 1)[row]):
                yield self._sources[at], reference

    def _lines(self, word: str, dotted: bool, low: int, high: int) -> Iterator[int]:
        """Where each line between two places that holds the whole word ends."""
        folded = self._folded
        continues = _WORD if dotted else _WORD_OR_DOT
        starts, ends = word[0] in _WORD, word[-1] in _WORD
        place = folded.find(word, low, high)
        while place >= 0:
            end = place + len(word)
            if not (starts and folded[place - 1] in continues) and not (ends and folded[end] in _WORD):
                end = folded.find("\n", end - 1)
                yield end
            place = folded.find(word, end, high)

    def _below(self, folder: str) -> tuple[int, int]:
        """Where the documents in and below a folder begin and end."""
        if not folder:
            return 0, len(self._folded)
        first = bisect_left(self._sources, f"{folder}/")
        last = bisect_left(self._sources, f"{folder}0")  # the character after the slash
        return self._starts[first], self._starts[last]


def _texts(references: Mapping[str, str], entries: Mapping[str, Entry]) -> dict[object, _Text]:
    groups: dict[object, list[tuple[str, str]]] = {}
    for source, packed in references.items():
        entry = entries.get(source)
        rules = rules_of(entry.kind, entry.language) if entry and packed else None
        if rules is not None:
            groups.setdefault(rules, []).append((source, packed))
    return {rules: _Text(packed) for rules, packed in groups.items()}
