"""Where the terms of the query stand in a line, found as the index finds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knit_tui.faces.tui.preview.child import GROUPS
from knit_tui.faces.tui.preview.highlight import Runs
from knit_tui.find.terms import document_terms, grams, is_cjk, word_matches

Span = tuple[int, int]


def marks(line: str, terms: frozenset[str], words: Sequence[str] = ()) -> list[Span]:
    """Spans (start, end) of ``line`` that hold one of ``terms`` or ``words``, in order, not overlapping.

    A word that is a term is marked whole, an identifier in the parts that are; ``words``, lower-case, are
    marked wherever they stand.
    """
    found = _anywhere(line.lower(), words) if words else []
    if len(line.lower()) != len(line):
        found = [(0, len(line))] if found else []
    if not terms:
        return merged(found)
    for match in word_matches(line):
        word, offset = match.group(), match.start()
        if is_cjk(word):
            spans = _in_run(word, terms)
        else:
            hits = [term for term in document_terms(word) if term in terms]
            spans = [_in_word(word, term) for term in hits]
        found += ((offset + start, offset + end) for start, end in spans)
    return merged(found)


def _anywhere(lowered: str, words: Sequence[str]) -> list[Span]:
    found: list[Span] = []
    for word in words:
        start = lowered.find(word)
        while start >= 0:
            found.append((start, start + len(word)))
            start = lowered.find(word, start + len(word))
    return found


def merged(spans: Iterable[Span]) -> list[Span]:
    """The union of ``spans``, in order."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _in_run(run: str, terms: frozenset[str]) -> list[Span]:
    folded = run.casefold()
    if len(folded) != len(run) or folded in terms:
        return [(0, len(run))] if any(gram in terms for gram in (folded, *grams(folded))) else []
    return [
        (start, start + size)
        for size in (2, 3)
        for start in range(len(run) - size + 1)
        if folded[start : start + size] in terms
    ]


def _in_word(word: str, term: str) -> Span:
    """Where ``term``, one of the terms of ``word``, stands in it; the whole word when that is not plain."""
    folded = word.casefold()
    if len(folded) != len(word):
        return 0, len(word)
    start = folded.find(term)
    while start >= 0:
        end = start + len(term)
        if _begins_part(word, start) and _ends_part(word, end):
            return start, end
        start = folded.find(term, start + 1)
    return 0, len(word)


def _begins_part(word: str, at: int) -> bool:
    if at == 0 or not word[at - 1].isalnum():
        return True
    before, here = word[at - 1], word[at]
    if here.isupper():
        return before.islower() or not before.isalpha() or word[at + 1 : at + 2].islower()
    return before.isdigit() != here.isdigit()


def _ends_part(word: str, at: int) -> bool:
    return at == len(word) or not word[at].isalnum() or _begins_part(word, at)


def layered(length: int, runs: Runs, spans: Sequence[tuple[int, int]]) -> list[tuple[int, tuple[str, ...]]]:
    """Token runs under marked spans, as (end, names of styles), for all ``length`` characters."""
    edges = {length}
    for start, size, _ in runs:
        edges.update((start, start + size))
    for span in spans:
        edges.update(span)
    out: list[tuple[int, tuple[str, ...]]] = []
    run = span_place = begin = 0
    for end in sorted(edges - {0}):
        while run < len(runs) and runs[run][0] + runs[run][1] <= begin:
            run += 1
        while span_place < len(spans) and spans[span_place][1] <= begin:
            span_place += 1
        coloured = run < len(runs) and runs[run][0] <= begin
        marked = span_place < len(spans) and spans[span_place][0] <= begin
        names = (GROUPS[runs[run][2]],) if coloured else ()
        out.append((end, (*names, "term") if marked else names))
        begin = end
    return out
