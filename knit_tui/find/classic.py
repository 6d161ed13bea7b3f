"""The ranking ``classic``: field-weighted BM25 over whole texts, terms counted as substrings.

    raw(d) = Σ_t qw(t) · idf(t) · Σ_f w_f · tf·(k1 + 1) / (tf + k1·(1 - b_f + b_f·len_f / avg_f))
    idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))
    qw(t)  = (weight / greatest weight) ^ 0.25

The fields are title, summary and body in lower case; len counts characters, tf occurrences that do not
overlap, at most ``MAX_COUNT``. N, df and avg are counted over the documents given. A document of the last
seven days before ``now`` gets up to a tenth more. Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond" (2009), give the formula.

No index: each ranking looks through every text once for each keyword.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from knit_tui.find.classic_keywords import Keyword, labels
from knit_tui.model import Field, Hit, Kind, QueryTerm, TermHit

K1 = 1.2
WEIGHTS = (4.0, 2.0, 1.0)
"""What a hit in title, summary and body counts."""
B = (0.3, 0.5, 0.75)
"""How far the length of each of them discounts its hits."""
MAX_COUNT = 20
"""Occurrences of a term that are counted in one field."""
QUERY_EXPONENT = 0.25
"""Weights of keywords differ by orders of magnitude; with 1 the heaviest would drown the others."""
RECENT_NS = 7 * 86_400 * 1_000_000_000
RECENCY = 0.1

_DOCS_FIELDS = (Field.TITLE, Field.SUMMARY, Field.BODY)
_FILE_FIELDS = (Field.NAME, Field.DIRECTORY, Field.BODY)


@dataclass(frozen=True, slots=True)
class ClassicDocument:
    """What is searched of one document: its three texts in lower case. ``document`` makes one."""

    rel: str
    kind: Kind
    mtime_ns: int
    title: str
    summary: str
    body: str


class Counts(NamedTuple):
    """Occurrences of one term in one document, at most ``MAX_COUNT`` each."""

    title: int
    summary: int
    body: int


@dataclass(frozen=True, slots=True)
class Match:
    """A keyword that a document holds."""

    term: str
    weight: int
    counts: Counts


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document in its place. ``raw`` >= 0 is its weight, ``score`` that weight in hundredths of the
    best one, rounded half up; both are internal, no face shows them.

    ``matches`` are ordered by weight, heaviest first, then by term.
    """

    rel: str
    kind: Kind
    raw: float
    score: int
    matches: tuple[Match, ...]


@dataclass(frozen=True)
class ClassicRanking:
    """All documents of the pool in order; those without a keyword come last, newest first."""

    ranked: tuple[Ranked, ...]
    found: tuple[Keyword, ...]
    """Keywords that some document holds, heaviest first."""
    labels: tuple[str, ...]
    """Up to three phrases of the texts that name the topic."""

    def __len__(self) -> int:
        return sum(each.raw > 0 for each in self.ranked)

    @property
    def terms(self) -> tuple[QueryTerm, ...]:
        """The query as the other parts of knit know it."""
        return tuple(QueryTerm(keyword.term, float(keyword.weight)) for keyword in self.found)

    @property
    def topic(self) -> str:
        """The labels in one line."""
        return "、".join(self.labels)

    def hits(self) -> list[Hit]:
        """The documents that hold a keyword, best first."""
        best = max((each.raw for each in self.ranked), default=0.0)
        return [_hit(each, best) for each in self.ranked if each.raw > 0]


def document(
    rel: str, kind: Kind, mtime_ns: int, body: str = "", title: str = "", summary: str = ""
) -> ClassicDocument:
    """The document at ``rel``.

    The title of code is its file name and its summary the folder; of an image or video the name alone
    is searched. Of anything else ``title`` and ``summary`` count, without a title the name without its
    ending.
    """
    folder, slash, name = rel.rpartition("/")
    if kind is Kind.CODE:
        title, summary = name, folder + slash
    elif kind in (Kind.IMAGE, Kind.VIDEO):
        title, summary, body = name, "", ""
    else:
        title = title or name.rpartition(".")[0] or name
    return ClassicDocument(rel, kind, mtime_ns, title.lower(), summary.lower(), body.lower())


def rank(
    keywords: Sequence[Keyword], documents: Sequence[ClassicDocument], now_ns: int = 0
) -> ClassicRanking:
    """Rank ``documents`` by ``keywords``; ties go to the newer document, then to the smaller path.

    Without keywords the documents keep their order. Without ``now_ns`` none counts as older than others.
    """
    if not keywords:
        return ClassicRanking(tuple(Ranked(each.rel, each.kind, 0.0, 0, ()) for each in documents), (), ())
    table = [[_counts(each, keyword.term) for keyword in keywords] for each in documents]
    gains = _term_gains(keywords, table)
    raws = _raws(documents, table, gains, now_ns)
    best = max(raws, default=0.0)
    order = sorted(
        range(len(documents)),
        key=lambda place: (-raws[place], -documents[place].mtime_ns, documents[place].rel),
    )
    ranked = tuple(
        Ranked(
            documents[place].rel,
            documents[place].kind,
            raws[place],
            math.floor(raws[place] / best * 100 + 0.5) if best else 0,
            _matches(keywords, table[place]),
        )
        for place in order
    )
    found = tuple(keyword for keyword, gain in zip(keywords, gains, strict=True) if gain > 0)
    return ClassicRanking(ranked, found, labels(found, lambda phrase: _stands(phrase, documents)))


def _counts(held: ClassicDocument, term: str) -> Counts:
    return Counts(
        min(held.title.count(term), MAX_COUNT),
        min(held.summary.count(term), MAX_COUNT),
        min(held.body.count(term), MAX_COUNT),
    )


def _term_gains(keywords: Sequence[Keyword], table: Sequence[Sequence[Counts]]) -> list[float]:
    """qw · idf of each keyword; 0 for one that no document holds."""
    heaviest = max(keyword.weight for keyword in keywords)
    gains = []
    for column, keyword in enumerate(keywords):
        df = sum(any(row[column]) for row in table)
        idf = math.log(1 + (len(table) - df + 0.5) / (df + 0.5)) if df else 0.0
        gains.append((keyword.weight / heaviest) ** QUERY_EXPONENT * idf)
    return gains


def _raws(
    documents: Sequence[ClassicDocument],
    table: Sequence[Sequence[Counts]],
    gains: Sequence[float],
    now_ns: int,
) -> list[float]:
    lengths = [(len(each.title), len(each.summary), len(each.body)) for each in documents]
    averages = [sum(column) / len(documents) for column in zip(*lengths, strict=True)]
    raws = []
    for held, row, length in zip(documents, table, lengths, strict=True):
        norms = [
            K1 * (1 - b + b * (size / average if average else 0.0))
            for b, size, average in zip(B, length, averages, strict=True)
        ]
        raw = sum(gain * _saturated(counts, norms) for gain, counts in zip(gains, row, strict=True))
        age = max(0, now_ns - held.mtime_ns)
        raws.append(raw * (1 + RECENCY * (1 - min(1.0, age / RECENT_NS))))
    return raws


def _saturated(counts: Counts, norms: Sequence[float]) -> float:
    return sum(
        weight * count * (K1 + 1) / (count + norm)
        for weight, count, norm in zip(WEIGHTS, counts, norms, strict=True)
        if count
    )


def _matches(keywords: Sequence[Keyword], row: Sequence[Counts]) -> tuple[Match, ...]:
    held = [
        Match(keyword.term, keyword.weight, counts)
        for keyword, counts in zip(keywords, row, strict=True)
        if any(counts)
    ]
    return tuple(sorted(held, key=lambda match: (-match.weight, match.term)))


def _stands(phrase: str, documents: Sequence[ClassicDocument]) -> bool:
    return any(phrase in each.title or phrase in each.summary or phrase in each.body for each in documents)


def _hit(ranked: Ranked, best: float) -> Hit:
    fields = _DOCS_FIELDS if ranked.kind is Kind.DOCS else _FILE_FIELDS
    terms = tuple(
        TermHit(
            match.term,
            tuple(field for field, count in zip(fields, match.counts, strict=True) if count),
            match.term,
        )
        for match in ranked.matches
    )
    return Hit(ranked.rel, ranked.raw / best, terms)
