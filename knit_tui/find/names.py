"""Names in a request that are spelled as code spells them: ``StaticModel``, ``url_for``, ``utf8``."""

from __future__ import annotations

import re

from knit_tui.find.terms import is_cjk, normal, word_matches

_SENTENCE_START = re.compile(r"(?:^|[.!?:\n。！？：])[\s\W]*$")
MAX_NAMES = 20
"""Names that are looked up; the first ones of the text."""
LOOK_BACK = 8
"""Characters before a word that tell whether a sentence begins with it."""


def names(text: str) -> tuple[str, ...]:
    """The distinct names in ``text``, in their order, at most ``MAX_NAMES``.

    A word is a name when it has a capital, an underscore or a digit inside, when it begins with a capital in
    the middle of a sentence, or when it is all there is. Chinese ends a name that stands beside it.
    """
    text = normal(text)
    found: dict[str, None] = {}
    only = text.strip()
    for match in word_matches(text):
        word = match.group()
        before = text[max(0, match.start() - LOOK_BACK) : match.start()]
        if len(word) < 2 or word[0].isdecimal() or is_cjk(word):
            continue
        if word == only or _looks_named(word, before):
            found[word] = None
            if len(found) == MAX_NAMES:
                break
    return tuple(found)


def _looks_named(word: str, before: str) -> bool:
    if "_" in word.strip("_") or any(char.isupper() or char.isdigit() for char in word[1:]):
        return True
    return word[0].isupper() and _SENTENCE_START.search(before) is None
