"""Texts to weighted query terms.

A term weighs as its newest mention: three in the newest text, two in the one before it, one in all older
ones, so that a new subject leads at once. Repetition and length add a little: of equally new words the
repeated and the longer, more specific ones lead.

A word of a script with spaces is a term when it occurs once. A Chinese pair or triple of characters is one
only if it stands in the newest text or occurs twice, and if it neither starts nor ends with a character
that glues words together: such fragments straddle two words and would outweigh real ones.

Two words side by side in the newest text may be one identifier in code: ``error handler`` looks for
``errorhandler`` and ``error_handler`` too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from knit_tui.find.stopwords import EDGE_CHARACTERS, FUNCTION_CHARACTERS, FUNCTION_PAIRS, STOP_WORDS
from knit_tui.find.terms import MAX_TERM, is_cjk, normal, query_terms, word_matches, words
from knit_tui.find.variants import forms
from knit_tui.model import QueryTerm

MAX_TERMS = 40
"""Most terms of a query; the heaviest are kept."""
POSITION_WEIGHTS = (3, 2, 1)
"""Weight of the newest text, the second newest, and every older one."""
LETTERS_PER_CHARACTER = 3
"""Letters that one Chinese, Japanese or Korean character is worth: two of them are often a word."""
PART_WEIGHT = 0.8
"""Weight of a part of an identifier, relative to the whole."""
COMPOUND_WEIGHT = 0.5
"""Weight of two words written as one, relative to the mean of both."""
FORMED_TERMS = 12
"""Terms whose other forms are looked for: the heaviest. Long texts say things in several forms anyway."""
MENTIONS = 4
"""Mentions that add to a term's weight: what was said often before must not outweigh what is new."""
_CONSIDERED = 2 * MAX_TERMS
"""Terms whose forms are made at all: enough to find ``FORMED_TERMS`` that documents hold."""
FLATTENING = 0.25
"""Exponent on count and squared length: the strongest word must not drown the others."""


def keywords(texts: Sequence[str]) -> tuple[QueryTerm, ...]:
    """All terms of ``texts``, which come newest first; heaviest term first."""
    seen: dict[str, _Seen] = {}
    for position, text in enumerate(texts):
        weight = POSITION_WEIGHTS[min(position, len(POSITION_WEIGHTS) - 1)]
        for word in words(normal(text)):
            if is_cjk(word):
                for gram in query_terms(word):
                    seen.setdefault(gram, _Seen(weight, gram=True)).count += 1
            else:
                _see_word(seen, word, weight)
    found = [
        QueryTerm(term, note.weight * (min(note.count, MENTIONS) * _letters(term) ** 2) ** FLATTENING)
        for term, note in seen.items()
        if not note.gram or _is_word(term, note)
    ]
    found += _compounds(texts[0] if texts else "", {term.term: term.weight for term in found})
    found.sort(key=lambda term: (-term.weight, term.term))
    return tuple(found)


def _compounds(text: str, weights: Mapping[str, float]) -> Iterator[QueryTerm]:
    text = normal(text)
    seen = set(weights)
    for left, right in pairwise(word_matches(text)):
        pair = left.group().lower(), right.group().lower()
        beside = text[left.end() : right.start()] in (" ", "-")
        if beside and all(word.isascii() and word.isalpha() and word in weights for word in pair):
            weight = COMPOUND_WEIGHT * (weights[pair[0]] + weights[pair[1]]) / 2
            for compound in ("".join(pair), "_".join(pair)):
                if compound not in seen and len(compound) <= MAX_TERM:
                    seen.add(compound)
                    yield QueryTerm(compound, weight)


@dataclass(slots=True)
class _Seen:
    """A term of the texts: the weight of its newest mention, and how often it occurs."""

    weight: float
    gram: bool = False
    count: int = 0


def choose(
    terms: Sequence[QueryTerm], known: Callable[[Sequence[str]], Sequence[bool]]
) -> tuple[QueryTerm, ...]:
    """The ``MAX_TERMS`` heaviest terms that a document holds; a term no document holds takes no place.

    The heaviest ``FORMED_TERMS`` of them get those other forms of theirs that a document holds, and which
    the texts do not have themselves. When no document holds any term, the heaviest ones: what was looked
    for can then be named. ``known`` tells for each word whether a document holds it.
    """
    own = STOP_WORDS.union(term.term for term in terms)  # "not" is no form of "notes"
    formed = [tuple(form for form in forms(term.term) if form not in own) for term in terms[:_CONSIDERED]]
    asked = [term.term for term in terms] + [form for some in formed for form in some]
    held = {word for word, holds in zip(asked, known(asked), strict=True) if holds}
    chosen: list[QueryTerm] = []
    for place, term in enumerate(terms):
        if len(chosen) == MAX_TERMS:
            break
        others: tuple[str, ...] = ()
        if len(chosen) < FORMED_TERMS and place < len(formed):
            others = tuple(form for form in formed[place] if form in held)
        if term.term in held or others:
            chosen.append(replace(term, forms=others))
    return tuple(chosen) or tuple(terms[:MAX_TERMS])


def _see_word(seen: dict[str, _Seen], word: str, weight: float) -> None:
    whole, *parts = query_terms(word) or ("",)
    if _counts(whole):
        seen.setdefault(whole, _Seen(weight)).count += 1
    for part in parts:
        if _counts(part):
            note = seen.setdefault(part, _Seen(weight * PART_WEIGHT))
            note.count += 1


def _letters(term: str) -> int:
    return len(term) * (LETTERS_PER_CHARACTER if is_cjk(term) else 1)


def _counts(term: str) -> bool:
    return len(term) >= 2 and term not in STOP_WORDS and term.strip("_") != ""


def _is_word(gram: str, note: _Seen) -> bool:
    return (note.count >= 2 or note.weight == POSITION_WEIGHTS[0]) and not _glued(gram)


def _glued(gram: str) -> bool:
    return (
        gram in FUNCTION_PAIRS
        or gram[0] in EDGE_CHARACTERS
        or gram[-1] in EDGE_CHARACTERS
        or all(char in FUNCTION_CHARACTERS for char in gram)
    )
