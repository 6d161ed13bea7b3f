"""Growth of a workspace must not move the right document from the first place."""

from __future__ import annotations

import pytest

from eval import scale
from eval.pages import classic_order


@pytest.mark.parametrize("size", scale.SIZES)
def test_classic_stays_at_the_top(size: int) -> None:
    documents = scale.pages(size)
    assert len({page.rel for page in documents}) == size
    assert scale.measure(classic_order, documents) == scale.Figures(1.0, 1.0, 1.0)


def test_what_it_is_measured_against_does_not() -> None:
    counting = [scale.measure(scale.counted_order, scale.pages(size)) for size in scale.SIZES]
    assert all(figures.dated == 0 for figures in counting)
    assert [figures.mrr for figures in counting] == sorted((f.mrr for f in counting), reverse=True)
    assert counting[-1].mrr < 0.1
    names = scale.measure(scale.named_order, scale.pages(540))
    assert (names.named, names.dated) == (1.0, 0.0)


def test_archives_name_each_topic_more_often_than_its_own_document() -> None:
    documents = scale.pages(20)
    archive = next(page for page in documents if page.rel.startswith("archive/"))
    for topic, page in zip(scale.TOPICS, documents, strict=False):
        assert archive.text.count(topic) > (page.title + page.text).count(topic)


def test_half_of_each_language_is_named_after_its_topic() -> None:
    topics = list(scale.TOPICS)
    assert len(topics) == 12
    assert sum(topic.isascii() for topic in topics[::2]) == 3
    assert sum(topic.isascii() for topic in topics[1::2]) == 3
