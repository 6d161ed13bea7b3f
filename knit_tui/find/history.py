"""The project's own history as evidence: commits whose subjects are like a query, and what they changed.

Two signals come of it. As a field: the subjects of all commits that changed a file say what the file is
about. As votes: the commits most like the query vote for the files they changed, newer ones louder, those
that changed many files softer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from knit_tui.find.terms import document_terms, normal, words
from knit_tui.model import Commit, QueryTerm

MAX_FILES = 30
"""A commit that changed more files says nothing of any of them."""
VOTERS = 40
"""Commits that vote."""
FADING = 1_500
"""Commits back at which a vote counts half."""
_K1 = 1.2
_B = 0.5

Reals = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class CommitIndex:
    """Commits, newest first, ready to be searched.

    ``terms``: to the commits whose subject holds the term, ascending. ``lengths`` (commits): words of the
    subject. ``changed`` and ``by`` (changes): path number and commit number of every change that counts.
    """

    commits: tuple[Commit, ...] = ()
    paths: tuple[str, ...] = ()
    """By path number."""
    terms: Mapping[str, Sequence[int]] = field(default_factory=dict)
    lengths: Reals = field(default_factory=lambda: np.empty(0))
    changed: Places = field(default_factory=lambda: np.empty(0, np.int64))
    by: Places = field(default_factory=lambda: np.empty(0, np.int64))

    def holds(self, term: str) -> bool:
        """Whether the subject of any commit holds ``term``."""
        return term in self.terms


@dataclass(frozen=True, eq=False, slots=True)
class Located:
    """A history, and where its documents are in one index: positions by path number, -1 for those gone."""

    commits: CommitIndex
    places: Places


@dataclass(frozen=True, eq=False, slots=True)
class Past:
    """What the history says of the documents of one index for one query; arrays go by position there."""

    subjects: Reals
    """How much the subjects of its commits are about the query, on the scale of BM25."""
    votes: Reals
    """Of the most similar commits, at most 1."""
    commit: Places
    """The number of the most similar commit that changed the document; -1 without one."""


def index_commits(commits: Sequence[Commit]) -> CommitIndex:
    """Make ``commits``, newest first, searchable."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    numbers: dict[str, int] = {}
    changed: list[int] = []
    by: list[int] = []
    lengths = []
    terms_of: dict[str, tuple[str, ...]] = {}
    for number, commit in enumerate(commits):
        terms: list[str] = []
        for word in words(normal(commit.subject)):
            if word not in terms_of:
                terms_of[word] = document_terms(word)
            terms += terms_of[word]
        lengths.append(len(terms))
        for term in dict.fromkeys(terms):
            found[term].append(number)
        if len(commit.paths) <= MAX_FILES:
            changed += [numbers.setdefault(path, len(numbers)) for path in commit.paths]
            by += [number] * len(commit.paths)
    return CommitIndex(
        tuple(commits),
        tuple(numbers),
        dict(found),
        np.array(lengths, np.float64),
        np.array(changed, np.int64),
        np.array(by, np.int64),
    )


def locate(commits: CommitIndex, positions: Mapping[str, int]) -> Located:
    """Find the documents that ``commits`` name among ``positions`` by path."""
    places = np.array([positions.get(path, -1) for path in commits.paths], np.int64)
    return Located(commits, places)


def recall(
    history: CommitIndex, terms: Sequence[QueryTerm], places: Places, documents: int, size: int, form: float
) -> Past | None:
    """Ask ``history`` about a query; None when it has nothing to say.

    Args:
        terms: of the query, also those that no document holds.
        places: by path number, the position of the document in the index that is ranked, or -1.
        documents: how many documents are ranked.
        size: positions of that index.
        form: what another form of a term counts, relative to the term itself.
    """
    living = places[history.changed] >= 0
    targets, by = places[history.changed[living]], history.by[living]
    if not terms or not history.lengths[by].any():
        return None
    files = np.bincount(by, minlength=len(history.commits)).astype(np.float64)
    similar = np.zeros(len(history.commits))
    subjects = np.zeros(size)
    lengths = np.bincount(targets, weights=history.lengths[by], minlength=size).astype(np.float64)
    average = lengths.sum() / documents
    heaviest = max(term.weight for term in terms)
    for term in terms:
        held = _held(history, term, form)
        if held is None:
            continue
        weight = term.weight / heaviest
        similar += weight * _gain(held, history.lengths, history.lengths.mean(), len(history.commits))
        tf = np.bincount(targets, weights=held[by], minlength=size).astype(np.float64)
        subjects += weight * _gain(tf, lengths, average, documents)
    votes, commit = _votes(similar, files, targets, by, size)
    return Past(subjects, votes, commit)


def _held(history: CommitIndex, term: QueryTerm, form: float) -> Reals | None:
    """How strongly the subject of each commit holds the term; None when none does."""
    held = np.zeros(len(history.commits))
    for other in term.forms:
        if other in history.terms:
            held[history.terms[other]] = form
    if term.term in history.terms:
        held[history.terms[term.term]] = 1.0
    return held if held.any() else None


def _gain(tf: Reals, lengths: Reals, average: float, documents: int) -> Reals:
    """BM25 of one term for documents of these lengths."""
    df = np.count_nonzero(tf)
    idf = np.log1p((documents - df + 0.5) / (df + 0.5))
    return np.asarray(idf * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * lengths / average)))


def _votes(similar: Reals, files: Reals, targets: Places, by: Places, size: int) -> tuple[Reals, Places]:
    age = np.arange(len(similar))
    loudness = np.where(files > 0, similar / (1 + age / FADING), 0.0)
    voters = np.argsort(-loudness, kind="stable")[:VOTERS]
    voting = np.zeros(len(similar))
    voting[voters] = loudness[voters] / np.sqrt(np.maximum(files[voters], 1.0))
    votes = np.bincount(targets, weights=voting[by], minlength=size).astype(np.float64)
    commit = np.full(size, -1, np.int64)
    like = np.flatnonzero(similar[by] > 0)
    # The most similar comes last and stays; of equal ones the newer.
    like = like[np.lexsort((-by[like], similar[by[like]]))]
    commit[targets[like]] = by[like]
    # A vote that is split among many files is no full vote, even if there is no other.
    most = max(votes.max(initial=0.0), loudness.max(initial=0.0))
    return votes / most if most > 0 else votes, commit
