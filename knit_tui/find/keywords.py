"""Texts to weighted query terms.

The newest text counts three times, the one before it twice, all older ones once. A word of a script
with spaces is a term when it occurs once. A Chinese pair or triple of characters is one only if it
stands in the newest text or occurs twice, and if it neither starts nor ends with a character that
glues words together: such fragments straddle two words and would outweigh real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knit_tui.find.stopwords import EDGE_CHARACTERS, FUNCTION_CHARACTERS, FUNCTION_PAIRS, STOP_WORDS
from knit_tui.find.terms import WORD, is_cjk, query_terms
from knit_tui.model import QueryTerm

MAX_TERMS = 40
"""Most terms of a query; the heaviest are kept."""
POSITION_WEIGHTS = (3, 2, 1)
"""Weight of the newest text, the second newest, and every older one."""
LETTERS_PER_CHARACTER = 3
"""Letters that one Chinese, Japanese or Korean character is worth: two of them are often a word."""
PART_WEIGHT = 0.5
"""Weight of a part of an identifier, relative to the whole."""


def keywords(texts: Sequence[str]) -> tuple[QueryTerm, ...]:
    """All terms of ``texts``, which come newest first; heaviest term first.

    The weight of a term is its summed text weights times its squared length in letters, so that among
    equally frequent words the more specific ones lead.
    """
    words: dict[str, float] = {}
    grams: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        weight = POSITION_WEIGHTS[min(position, len(POSITION_WEIGHTS) - 1)]
        for word in WORD.findall(text):
            if not word.isascii() and is_cjk(word):
                for gram in query_terms(word):
                    seen = grams.setdefault(gram, [0, 0])
                    seen[0] += 1
                    seen[1] += weight
            else:
                _add_word(words, word, weight)
    for gram, (count, gram_weight) in grams.items():
        if (count >= 2 or gram_weight >= POSITION_WEIGHTS[0]) and not _glued(gram):
            words[gram] = float(gram_weight)
    scored = [QueryTerm(term, weight * _letters(term) ** 2) for term, weight in words.items()]
    scored.sort(key=lambda term: (-term.weight, term.term))
    return tuple(scored)


def choose(terms: Sequence[QueryTerm], known: Callable[[str], bool]) -> tuple[QueryTerm, ...]:
    """The ``MAX_TERMS`` heaviest terms that a document holds; a term no document holds takes no place.

    When no document holds any of them, the heaviest ones: what was looked for can then be named.
    """
    chosen: list[QueryTerm] = []
    for term in terms:
        if len(chosen) == MAX_TERMS:
            break
        if known(term.term):
            chosen.append(term)
    return tuple(chosen) or tuple(terms[:MAX_TERMS])


def _add_word(words: dict[str, float], word: str, weight: int) -> None:
    whole, *parts = query_terms(word) or ("",)
    if _counts(whole):
        words[whole] = words.get(whole, 0.0) + weight
    for part in parts:
        if _counts(part):
            words[part] = words.get(part, 0.0) + weight * PART_WEIGHT


def _letters(term: str) -> int:
    return len(term) * (LETTERS_PER_CHARACTER if is_cjk(term) else 1)


def _counts(term: str) -> bool:
    return len(term) >= 2 and term not in STOP_WORDS and term.strip("_") != ""


def _glued(gram: str) -> bool:
    return (
        gram in FUNCTION_PAIRS
        or gram[0] in EDGE_CHARACTERS
        or gram[-1] in EDGE_CHARACTERS
        or all(char in FUNCTION_CHARACTERS for char in gram)
    )
