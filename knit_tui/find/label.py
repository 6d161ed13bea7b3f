"""The words that a query is about, as the person wrote them.

Terms are folded, and those of Chinese are pairs and triples of characters; a label is what a reader would
call them: a whole word of the texts, or the longest run of overlapping pairs and triples that documents
hold as one phrase. Labels never influence the order of documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from knit_tui.find.terms import is_cjk, normal, query_terms, word_matches
from knit_tui.model import QueryTerm

MAX_LABELS = 3
LONGEST_WORD = 40
"""Characters; what is longer is no word to a reader."""
LONGEST_CHAIN = 8
"""Characters of a run that is joined from pairs and triples: more would be half a sentence."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    weight: float
    terms: frozenset[str]


def label(texts: Sequence[str], terms: Sequence[QueryTerm], occurs: Callable[[str], bool]) -> tuple[str, ...]:
    """Up to ``MAX_LABELS`` slices of ``texts`` that stand for the heaviest of ``terms``, heaviest first.

    Args:
        texts: what the terms were drawn from, newest first.
        terms: terms that documents hold.
        occurs: whether some document holds a phrase, given case-folded; asked about joined runs alone.
    """
    weights = {term.term: term.weight for term in terms}
    candidates = [candidate for text in texts for candidate in _candidates(normal(text), weights, occurs)]
    candidates.sort(key=lambda candidate: -candidate.weight)  # of equal ones the newest first
    chosen: list[_Candidate] = []
    for candidate in candidates:
        if len(chosen) == MAX_LABELS:
            break
        if not any(candidate.terms <= other.terms for other in chosen):
            chosen.append(candidate)
    return tuple(candidate.text for candidate in chosen)


def _candidates(
    text: str, weights: Mapping[str, float], occurs: Callable[[str], bool]
) -> Iterator[_Candidate]:
    for match in word_matches(text):
        word = match.group()
        if is_cjk(word) and not _has_spaces(word):
            yield from _chains(word, weights, occurs)
        elif len(word) <= LONGEST_WORD:
            held = frozenset(term for term in query_terms(word) if term in weights)
            if held:
                yield _Candidate(word, max(weights[term] for term in held), held)


def _has_spaces(run: str) -> bool:
    """Whether a run is of Hangul alone, which is written with spaces between words."""
    return all("\uac00" <= character <= "\ud7af" for character in run)


def _chains(run: str, weights: Mapping[str, float], occurs: Callable[[str], bool]) -> Iterator[_Candidate]:
    """The longest phrases of a run, each joined from overlapping terms, that do not overlap themselves."""
    folded = run.casefold()
    if len(folded) != len(run):
        return
    spans = [
        (start, start + size)
        for start in range(len(run) - 1)
        for size in (2, 3)
        if start + size <= len(run) and folded[start : start + size] in weights
    ]
    used = 0
    for first, (start, _) in enumerate(spans):
        if start < used:
            continue
        end = best = 0
        for following, last in spans[first:]:
            if (end and following >= end) or last - start > LONGEST_CHAIN:
                break
            end = max(end, last)
            if end > best and (folded[start:end] in weights or occurs(folded[start:end])):
                best = end
        inside = frozenset(folded[a:b] for a, b in spans if start <= a and b <= best)
        yield _Candidate(run[start:best], max(weights[term] for term in inside), inside)
        used = best
