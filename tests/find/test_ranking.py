"""The order of documents: what each signal does, and what the order never depends on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace

import numpy as np
import pytest

from knit_tui.find.history import Past, index_commits, recall
from knit_tui.find.index import Index
from knit_tui.find.ranking import (
    FIRST,
    MANY_DEFINITIONS,
    RECENT_NS,
    STRENGTHS,
    WEAK,
    Evidence,
    Ranking,
    Strengths,
    definitions,
    rank,
    recency,
)
from knit_tui.find.segment import tokenise
from knit_tui.find.session import Live, live
from knit_tui.find.signals import PathClass, factors
from knit_tui.model import Commit, Field, Hit, Lead, Query, QueryTerm, TermHit, Use, Wish

Fields = dict[Field, str]
OFF = Strengths(**{field.name: 0.0 for field in fields_of(Strengths)})
READ = Use(False, 1)


class Corpus:
    """Documents and what is known beside their words; the default is nothing."""

    def __init__(
        self,
        documents: Mapping[str, Fields],
        *,
        defined: Mapping[str, Sequence[str]] | None = None,
        mtimes: Mapping[str, int] | None = None,
        classes: Mapping[str, PathClass] | None = None,
        pool: set[str] | None = None,
        commits: Sequence[Commit] = (),
        uses: Mapping[str, Use] | None = None,
        mentions: Mapping[str, float] | None = None,
    ) -> None:
        self.index = Index().changed(
            [
                tokenise(rel, list(each.items()), (defined or {}).get(rel, ()))
                for rel, each in documents.items()
            ],
            (),
        )
        self.grown_by(mtimes or {}, classes or {}, pool, commits, uses, mentions)

    def grown_by(
        self,
        mtimes: Mapping[str, int],
        classes: Mapping[str, PathClass],
        pool: set[str] | None,
        commits: Sequence[Commit],
        uses: Mapping[str, Use] | None,
        mentions: Mapping[str, float] | None,
    ) -> None:
        rels = self.index.rels
        self.pool = self.index.alive & np.array([pool is None or rel in pool for rel in rels], np.bool_)
        self.mtimes = np.array([mtimes.get(rel, 0) for rel in rels], np.int64)
        self.classes = np.array([classes.get(rel, PathClass.SOURCE) for rel in rels], np.uint8)
        self.commits = tuple(commits)
        self.live: Live | None = None
        if uses is not None or mentions is not None:
            self.live = live(uses or {}, mentions or {}, self.index.positions, self.index.size)

    def past(self, query: Query) -> Past | None:
        history = index_commits(self.commits)
        places = np.array([self.index.positions.get(path, -1) for path in history.paths], np.int64)
        places = np.array([place if place >= 0 and self.pool[place] else -1 for place in places], np.int64)
        return recall(history, query.terms, places, int(self.pool.sum()), self.index.size, 0.4)

    def ranked(
        self,
        *terms: str | QueryTerm,
        names: tuple[str, ...] = (),
        wish: Wish = Wish.CHANGE,
        strengths: Strengths = STRENGTHS,
    ) -> Ranking:
        wanted = tuple(each if isinstance(each, QueryTerm) else QueryTerm(each, 1.0) for each in terms)
        query = Query(wanted, wish=wish, names=names)
        past = self.past(query) if self.commits else None
        evidence = Evidence(self.mtimes, self.classes, factors(wish), past, self.commits, self.live)
        return rank(self.index, query, self.pool, evidence, strengths)


def body(**texts: str) -> dict[str, Fields]:
    return {rel: {Field.BODY: text} for rel, text in texts.items()}


def commit(subject: str, *paths: str, number: int = 1) -> Commit:
    return Commit(f"{number:040x}", number, subject, paths)


def test_a_term_counts_by_its_weight() -> None:
    corpus = Corpus(body(x="strong", y="weak"))
    ranking = corpus.ranked(QueryTerm("strong", 6.0), QueryTerm("weak", 3.0), strengths=OFF)
    assert ranking.rels == ("x", "y")
    assert ranking.strength.tolist() == [1.0, pytest.approx(0.5)]


def test_the_first_has_strength_one_and_it_falls() -> None:
    ranking = Corpus(body(a="x1 y1 z1", b="x1 y1 pad", c="x1 pad pad")).ranked("x1", "y1", "z1")
    assert ranking.rels == ("a", "b", "c")
    assert ranking.strength[0] == 1.0
    assert all(
        first > second > 0 for first, second in zip(ranking.strength, ranking.strength[1:], strict=False)
    )
    assert [hit.strength for hit in ranking.hits()] == ranking.strength.tolist()


@pytest.mark.parametrize(("factor", "hits"), [(1.02, FIRST + 1), (0.98, FIRST)])
def test_beyond_the_first_a_much_weaker_document_is_no_hit(factor: float, hits: int) -> None:
    strong = {f"a{number:02}": "strong" for number in range(FIRST)}
    corpus = Corpus(body(**strong, b="weak"))
    one = corpus.ranked("strong", strengths=OFF).matched.scores[0]
    other = corpus.ranked("weak", strengths=OFF).matched.scores[FIRST]
    terms = QueryTerm("strong", 1.0), QueryTerm("weak", WEAK * factor * one / other)
    ranking = corpus.ranked(*terms, strengths=OFF)
    assert len(ranking) == hits
    assert set(ranking.found) == {"strong", "weak"}, "the pool holds it all the same"


def test_the_first_are_hits_however_weak() -> None:
    weak = {f"b{number:02}": "weak" for number in range(FIRST + 9)}
    corpus = Corpus(body(a="strong", **weak))
    ranking = corpus.ranked(QueryTerm("strong", 1.0), QueryTerm("weak", 1e-3), strengths=OFF)
    assert ranking.rels[0] == "a"
    assert len(ranking) >= FIRST
    assert min(ranking.strength) < WEAK


def test_a_hit_tells_which_term_stands_in_which_field_and_in_which_form() -> None:
    corpus = Corpus({"a": {Field.NAME: "retrying", Field.BODY: "retry backoff"}})
    terms = (QueryTerm("backoff", 1.0), QueryTerm("retry", 1.0, ("retrying",)), QueryTerm("absent", 1.0))
    expected = (
        TermHit("backoff", (Field.BODY,), "backoff"),
        TermHit("retry", (Field.NAME, Field.BODY), "retrying"),
    )
    ranking = corpus.ranked(*terms)
    assert ranking.hits() == [Hit("a", 1.0, expected)]
    assert ranking.found == ("backoff", "retry")
    assert len(ranking) == 1


def test_a_form_finds_and_zero_switches_it_off() -> None:
    corpus = Corpus(body(a="saved", b="x1"))
    save = QueryTerm("save", 1.0, ("saved",))
    assert corpus.ranked(save).rels == ("a",)
    assert corpus.ranked(save, strengths=replace(STRENGTHS, form=0.0)).rels == ()


def test_coverage_puts_the_one_that_holds_all_first() -> None:
    corpus = Corpus(body(many="left left left left left left pad", both="left right pad pad pad pad pad"))
    loud = QueryTerm("left", 1.0), QueryTerm("right", 0.2)
    without = corpus.ranked(*loud, strengths=OFF)
    assert without.rels == ("many", "both")
    assert corpus.ranked(*loud, strengths=replace(OFF, coverage=2.0)).rels == ("both", "many")


def test_what_defines_a_name_comes_first_and_says_so() -> None:
    corpus = Corpus(
        body(uses="load_all load_all load_all pad", defines="load_all pad pad pad"),
        defined={"defines": ["load_all"]},
    )
    assert corpus.ranked(
        "load_all", names=("load_all",), strengths=replace(STRENGTHS, definition=0.0)
    ).rels == (
        "uses",
        "defines",
    )
    ranking = corpus.ranked("load_all", names=("load_all",), strengths=replace(STRENGTHS, definition=1.0))
    assert ranking.rels == ("defines", "uses")
    assert [hit.defines for hit in ranking.hits()] == [("load_all",), ()]


def test_a_definition_counts_relative_to_the_best_document() -> None:
    for times in (1, 40):
        corpus = Corpus(body(uses="load_all " * times, defines="pad"), defined={"defines": ["load_all"]})
        ranking = corpus.ranked("load_all", names=("load_all",), strengths=replace(OFF, definition=0.5))
        assert ranking.strength.tolist() == [1.0, pytest.approx(0.5)]


def test_a_name_must_be_spelled_exactly_so() -> None:
    corpus = Corpus(body(a="loader", b="Loader"), defined={"b": ["Loader"]})
    assert not corpus.ranked("loader", names=("loader",)).defines
    assert [hit.defines for hit in corpus.ranked("loader", names=("Loader",)).hits()] == [("Loader",), ()]


def test_those_who_define_a_name_share_it_and_source_takes_it_from_others() -> None:
    names = {f"d{i}": ["run"] for i in range(4)}
    corpus = Corpus(body(**dict.fromkeys(names, "x1")), defined=names, classes={"d0": PathClass.TEST})
    shares, which = definitions(corpus.index, ("run",), corpus.pool, corpus.classes)
    assert shares.tolist() == pytest.approx([0.0, *[3**-0.5] * 3])
    assert which == dict.fromkeys(range(4), ("run",))
    shares, _ = definitions(corpus.index, ("run",), corpus.pool, np.full(4, PathClass.TEST, np.uint8))
    assert shares.tolist() == pytest.approx([0.5] * 4)


@pytest.mark.parametrize(("files", "counts"), [(MANY_DEFINITIONS, True), (MANY_DEFINITIONS + 1, False)])
def test_a_name_that_many_define_counts_for_none(files: int, counts: bool) -> None:
    names = {f"d{i}": ["main"] for i in range(files)}
    corpus = Corpus(body(**dict.fromkeys(names, "x1")), defined=names)
    shares, _ = definitions(corpus.index, ("main",), corpus.pool, corpus.classes)
    assert shares.any() == counts


def test_several_names_of_one_file_add_up_to_a_bound() -> None:
    corpus = Corpus(body(a="x1", b="x1"), defined={"a": ["one", "two", "three"], "b": ["four"]})
    shares, which = definitions(corpus.index, ("three", "one", "two", "four"), corpus.pool, corpus.classes)
    assert shares.tolist() == [1.5, 1.0]
    assert which == {0: ("three", "one", "two"), 1: ("four",)}


def test_recency_is_a_nudge_among_equals_measured_from_the_newest() -> None:
    corpus = Corpus(body(a="retry", b="retry"), mtimes={"a": RECENT_NS, "b": 8 * RECENT_NS})
    assert corpus.ranked("retry").rels == ("b", "a")
    ranking = corpus.ranked("retry", strengths=replace(OFF, recency=0.1))
    assert ranking.strength.tolist() == [1.0, pytest.approx(1 / 1.1)]
    assert corpus.ranked("retry", strengths=OFF).strength.tolist() == [1.0, 1.0]
    better = Corpus({"a": {Field.TITLE: "retry"}, "b": {Field.BODY: "retry"}}, mtimes={"b": 8 * RECENT_NS})
    assert better.ranked("retry").rels == ("a", "b")


def test_recency_falls_in_a_straight_line_for_a_week() -> None:
    mtimes = np.array([0, RECENT_NS, RECENT_NS * 3 // 2, 2 * RECENT_NS, 9 * RECENT_NS], np.int64)
    pool = np.array([True, True, True, True, False])
    assert recency(pool, mtimes, 0.2)[:4].tolist() == pytest.approx([1.0, 1.0, 1.1, 1.2])


def test_the_class_of_a_path_goes_by_what_is_asked_for() -> None:
    corpus = Corpus(body(doc="retry", source="retry"), classes={"doc": PathClass.DOCUMENT})
    assert corpus.ranked("retry", wish=Wish.CHANGE).rels == ("source", "doc")
    assert corpus.ranked("retry", wish=Wish.DOCUMENTS).rels == ("doc", "source")


def test_subjects_tell_what_a_file_is_about() -> None:
    commits = [commit("speed up the parser", "old.py"), commit("rename a flag", "z.py")]
    corpus = Corpus(body(**{"a.py": "parser pad", "old.py": "pad pad", "z.py": "pad pad"}), commits=commits)
    on = replace(OFF, subjects=5.0)
    assert corpus.ranked("parser", strengths=on).rels == ("old.py", "a.py")
    assert corpus.ranked("parser", strengths=OFF).rels == ("a.py",)
    first = corpus.ranked("parser", strengths=on).hits()[0]
    assert (first.lead, first.terms, first.commit) == (Lead.HISTORY, (), commits[0])


def test_votes_bring_the_files_of_a_similar_commit() -> None:
    commits = [commit("parser", "old.py"), commit("other", "a.py")]
    corpus = Corpus(body(**{"a.py": "parser pad", "old.py": "pad pad"}), commits=commits)
    assert corpus.ranked("parser", strengths=replace(OFF, votes=2.0)).rels == ("old.py", "a.py")
    ranking = corpus.ranked("parser", strengths=replace(OFF, votes=0.4))
    assert ranking.rels == ("a.py", "old.py")
    assert ranking.strength.tolist() == [1.0, pytest.approx(0.4)]


def test_use_brings_what_the_agent_used_in_its_order() -> None:
    uses = {"c": Use(True, 0), "b": READ}
    corpus = Corpus(body(a="retry", b="pad", c="pad"), uses=uses)
    ranking = corpus.ranked("retry", strengths=replace(OFF, use=0.5))
    assert ranking.rels == ("a", "c", "b")
    assert ranking.strength.tolist() == [1.0, 0.5, pytest.approx(0.45)]
    assert corpus.ranked("retry", strengths=replace(OFF, use=2.0)).rels == ("c", "b", "a")
    assert corpus.ranked("retry", strengths=OFF).rels == ("a",)
    assert [(hit.lead, hit.use) for hit in ranking.hits()] == [
        (Lead.TERMS, None), (Lead.USE, Use(True, 0)), (Lead.USE, READ),
    ]  # fmt: skip


def test_a_mention_brings_what_is_named() -> None:
    corpus = Corpus(body(a="retry", b="pad", c="pad"), mentions={"c": 1.0, "b": 0.5})
    ranking = corpus.ranked("retry", strengths=replace(OFF, mention=0.3))
    assert ranking.rels == ("a", "c", "b")
    assert ranking.strength.tolist() == [1.0, pytest.approx(0.3), pytest.approx(0.15)]
    assert corpus.ranked("retry", strengths=OFF).rels == ("a",)
    assert [(hit.lead, hit.named) for hit in ranking.hits()] == [
        (Lead.TERMS, False), (Lead.MENTION, True), (Lead.MENTION, True),
    ]  # fmt: skip


def test_the_lead_is_what_counts_most() -> None:
    corpus = Corpus(
        body(a="retry"), uses={"a": READ}, mentions={"a": 1.0}, commits=[commit("retry", "a")]
    )  # fmt: skip
    one = replace(OFF, subjects=0.1, votes=0.1, use=0.1, mention=0.1)
    for changed, lead in (
        (one, Lead.TERMS),
        (replace(one, votes=9.0), Lead.HISTORY),
        (replace(one, use=9.0), Lead.USE),
        (replace(one, mention=9.0), Lead.MENTION),
    ):
        [hit] = corpus.ranked("retry", strengths=changed).hits()
        assert hit.lead is lead
        assert (hit.commit, hit.use, hit.named) == (corpus.commits[0], READ, True)


def test_ties_go_to_the_newer_then_to_the_smaller_path() -> None:
    documents = {rel: {Field.BODY: "same"} for rel in "dcab"}
    assert Corpus(documents).ranked("same", strengths=OFF).rels == ("a", "b", "c", "d")
    newer = Corpus(documents, mtimes={"c": 2, "b": 1})
    assert newer.ranked("same", strengths=OFF).rels == ("c", "b", "a", "d")


def test_a_document_outside_the_pool_never_appears_and_moves_nothing() -> None:
    documents = body(a="retry load_all pad", b="retry pad pad", out="retry retry load_all")
    left = {rel: documents[rel] for rel in "ab"}
    facts = {
        "defined": {"out": ["load_all"], "a": ["load_all"]},
        "commits": [commit("retry load_all", "out", "b")],
        "mtimes": {"out": 99 * RECENT_NS},
        "uses": {"b": READ, "out": READ},
        "mentions": {"out": 1.0},
    }
    within = Corpus(documents, pool={"a", "b"}, **facts).ranked("retry", "load_all", names=("load_all",))  # type: ignore[arg-type]
    alone = Corpus(left, **facts).ranked("retry", "load_all", names=("load_all",))  # type: ignore[arg-type]
    assert set(within.rels) == {"a", "b"}
    assert within.hits() == alone.hits()


def varied(number: int, seed: int) -> Corpus:
    """A workspace with everything there is to rank by; documents come in an order that ``seed`` decides."""
    rng = random.Random(3)
    words = ["alpha", "beta", "gamma", "delta", "eps"]
    documents = {
        f"d{i:03}": {Field.BODY: " ".join(rng.choices(words, k=9)), Field.TITLE: rng.choice(words)}
        for i in range(number)
    }
    rels = list(documents)
    facts = {
        "defined": {rel: [rng.choice(words)] for rel in rels[::7]},
        "mtimes": {rel: rng.choice([0, 1, 2]) * RECENT_NS for rel in rels},
        "classes": {rel: rng.choice(list(PathClass)) for rel in rels},
        "commits": [
            commit(" ".join(rng.choices(words, k=3)), *sorted(rng.sample(rels, 5)), number=i)
            for i in range(30)
        ],
        "uses": {rel: Use(rng.random() < 0.5, i) for i, rel in enumerate(rng.sample(rels, 9))},
        "mentions": dict.fromkeys(rng.sample(rels, 9), 0.5),
    }  # fmt: skip
    random.Random(seed).shuffle(rels)
    return Corpus({rel: documents[rel] for rel in rels}, **facts)  # type: ignore[arg-type]


QUESTION = (QueryTerm("alpha", 4.0, ("gamma",)), QueryTerm("beta", 2.0), QueryTerm("eps", 1.0))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_does_not_depend_on_the_order_of_the_documents(seed: int) -> None:
    first = varied(120, 0).ranked(*QUESTION, names=("alpha", "beta"))
    again = varied(120, seed).ranked(*QUESTION, names=("alpha", "beta"))
    assert again.rels == first.rels
    assert np.array_equal(again.strength, first.strength)
    assert len(first) > 100


def test_the_same_input_gives_the_same_hits() -> None:
    corpus = varied(60, 0)
    first, again = (corpus.ranked(*QUESTION, names=("alpha",)).hits() for _ in range(2))
    assert first == again == varied(60, 0).ranked(*QUESTION, names=("alpha",)).hits()


def test_order_is_the_same_however_the_index_grew() -> None:
    rng = random.Random(3)
    words = ["alpha", "beta", "gamma", "delta", "eps"]
    documents = {f"d{i:03}": {Field.BODY: " ".join(rng.choices(words, k=9))} for i in range(120)}
    shuffled = list(documents.items())
    rng.shuffle(shuffled)
    whole, grown = Corpus(documents), Corpus({})
    for rel, fields in shuffled:
        stale = tokenise(rel, [(Field.BODY, "alpha alpha alpha")])
        grown.index = grown.index.changed([stale, tokenise("gone", [(Field.BODY, "beta")])], ())
        grown.index = grown.index.changed([tokenise(rel, list(fields.items()))], ["gone"])
    grown.grown_by({}, {}, None, (), None, None)
    rankings = [corpus.ranked(*QUESTION) for corpus in (whole, grown)]
    assert rankings[0].hits() == rankings[1].hits()


def test_nothing_to_rank() -> None:
    assert len(Corpus({}).ranked("x1")) == 0
    assert len(Corpus(body(a="x1")).ranked()) == 0
    assert len(Corpus(body(a="x1"), pool=set()).ranked("x1")) == 0
    assert Corpus(body(a="")).ranked("x1").hits() == []


def test_without_words_the_session_still_speaks() -> None:
    corpus = Corpus(body(a="pad", b="pad", c="pad"), uses={"b": READ}, mentions={"c": 1.0})
    ranking = corpus.ranked("absent")
    assert ranking.rels == ("b", "c")
    assert ranking.strength[0] == 1.0
