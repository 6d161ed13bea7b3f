"""Keywords of the ranking ``classic``, and the phrase that names its topic.

Linear in the texts. Lengths and offsets count code points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from knit_tui.find.classic_words import EDGE_CHARACTERS, FUNCTION_CHARACTERS, FUNCTION_PAIRS, STOP_WORDS

MAX_KEYWORDS = 30
MAX_SPANS = 8
"""Places kept of each keyword; more do not change its weight."""
MESSAGE_WEIGHTS = (3, 2, 1)
"""Weight of the newest text, the second newest, and every older one."""
MAX_LABELS = 3
LABEL_LENGTHS = range(2, 7)
"""Characters of a label."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,29}")
_HAN_RUN = re.compile("[\u4e00-\u9fff]{2,}")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive) of ``text``, which is as the user wrote it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Keyword:
    """A term in lower case. ``weight`` = sum of the weights of its mentions, times its length squared."""

    term: str
    weight: int
    spans: tuple[Span, ...]


def keywords(texts: Sequence[str]) -> tuple[Keyword, ...]:
    """At most ``MAX_KEYWORDS`` keywords of ``texts``, which come newest first; heaviest first, then by term.

    Of two terms that contain one another only the heavier counts. A Chinese gram must stand in the
    newest text or occur twice, and must not straddle two words.
    """
    found: dict[str, _Seen] = {}
    for position, text in enumerate(texts):
        weight = MESSAGE_WEIGHTS[min(position, len(MESSAGE_WEIGHTS) - 1)]
        for term, start, end in _tokens(text):
            seen = found.setdefault(term, _Seen())
            seen.count += 1
            seen.weight += weight
            if len(seen.spans) < MAX_SPANS:
                seen.spans.append(Span(text, start, end))
    candidates = [
        Keyword(term, seen.weight * len(term) ** 2, tuple(seen.spans))
        for term, seen in found.items()
        if term[0].isascii() or _is_word(term, seen)
    ]
    candidates.sort(key=lambda keyword: (-keyword.weight, keyword.term))
    return _apart(candidates)


def labels(found: Sequence[Keyword], stands: Callable[[str], bool]) -> tuple[str, ...]:
    """Up to ``MAX_LABELS`` phrases of the texts themselves that name the topic.

    ``found`` are the keywords that some document holds; their overlapping spans are joined as long as
    the joined phrase, in lower case, ``stands`` in some document. When no phrase is short enough the
    first keywords are the labels.
    """
    by_text: dict[str, list[tuple[int, int, int]]] = {}
    for keyword in found:
        for span in keyword.spans:
            by_text.setdefault(span.text, []).append((span.start, span.end, keyword.weight))
    phrases = [phrase for text, spans in by_text.items() for phrase in _phrases(text, sorted(spans), stands)]
    phrases.sort(key=lambda phrase: (-phrase[1], phrase[0]))
    distinct = tuple(dict.fromkeys(label for label, _ in phrases))
    return (distinct or tuple(keyword.term for keyword in found))[:MAX_LABELS]


@dataclass(slots=True)
class _Seen:
    count: int = 0
    weight: int = 0
    spans: list[Span] = field(default_factory=list)


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if word not in STOP_WORDS:
            yield word, match.start(), match.end()
    for match in _HAN_RUN.finditer(text):
        run = match.group()
        for size in (2, 3):
            for place in range(len(run) - size + 1):
                gram = run[place : place + size]
                if gram not in FUNCTION_PAIRS and not FUNCTION_CHARACTERS.issuperset(gram):
                    yield gram, match.start() + place, match.start() + place + size


def _is_word(gram: str, seen: _Seen) -> bool:
    straddles = gram[0] in EDGE_CHARACTERS or gram[-1] in EDGE_CHARACTERS
    return not straddles and (seen.count >= 2 or seen.weight >= MESSAGE_WEIGHTS[0])


def _apart(candidates: Iterable[Keyword]) -> tuple[Keyword, ...]:
    chosen: list[Keyword] = []
    for candidate in candidates:
        if len(chosen) == MAX_KEYWORDS:
            break
        if not any(candidate.term in each.term or each.term in candidate.term for each in chosen):
            chosen.append(candidate)
    return tuple(chosen)


def _phrases(
    text: str, spans: Sequence[tuple[int, int, int]], stands: Callable[[str], bool]
) -> Iterator[tuple[str, int]]:
    """From each span that is in no phrase yet: the longest chain of overlapping spans that stands."""
    used_until = 0
    for first, (start, _, _) in enumerate(spans):
        if start < used_until:
            continue
        end = heaviest = 0
        best: tuple[str, int] | None = None
        for following, last, weight in spans[first:]:
            if end and following >= end:
                break
            end, heaviest = max(end, last), max(heaviest, weight)
            phrase = text[start:end]
            if len(phrase) >= LABEL_LENGTHS.stop:
                break
            longer = len(phrase) > (len(best[0]) if best else LABEL_LENGTHS.start - 1)
            if longer and stands(phrase.lower()):
                best = phrase, heaviest
        if best:
            used_until = start + len(best[0])
            yield best
