"""Does the right document stay first while the workspace grows?

    python -m eval.scale

Twelve documents, each about one topic, among 20 to 540: archives that name every topic more often than the
documents do, and notes about nothing. Half of the twelve carry their topic in the file name, the other half a
date. Asked for each topic by name: ``classic``, counting of occurrences, matching of file names, and knit's
default ranking.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eval.ours import Ours
from eval.pages import Order, Page, classic_order
from knit_tui.find.classic_keywords import keywords
from knit_tui.model import Kind

SIZES = (20, 60, 180, 540)
PROJECT = "Saltmarsh"
TOPICS: Mapping[str, str] = {
    "compaction": "Old blocks are rewritten at night and the freed space is returned.",
    "quota": "Every tenant has a soft limit, and a hard one a tenth above it.",
    "断线重连": "三次失败以后换一个地址,再从头开始计时。",
    "权限继承": "子目录默认沿用上级的设置,单独改过的除外。",
    "replication": "A follower that lags by a minute is taken out of the rotation.",
    "throttling": "Bursts are allowed for a second, then requests wait in a queue.",
    "慢查询": "超过两百毫秒的语句写进单独的日志。",
    "灰度发布": "先给百分之五的用户,观察一天再放开。",
    "tombstone": "A deleted row keeps its marker for ten days.",
    "sharding": "The hash of the owner decides the node.",
    "签名校验": "公钥随安装包分发,过期前一个月轮换。",
    "冷热分层": "三十天没有读过的对象移到便宜的磁盘。",
}
"""Each topic and a detail of it. Both languages have both kinds of name."""
_NOISE = (
    "The office moves to the second floor next week.",
    "今天的午饭换了一家店,大家都说不错。",
    "Someone left an umbrella in the meeting room.",
    "周五下午整理仓库,请提前收好东西。",
    "The coffee machine is repaired and works again.",
    "新同事下个月报到,座位已经安排好了。",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """One engine at one size: share of topics whose document comes first, by kind of name, and MRR."""

    named: float
    dated: float
    mrr: float


def pages(size: int, seed: int = 11) -> list[Page]:
    """``size`` documents, at least the twelve: the same ones for the same numbers."""
    rng = random.Random(seed)
    found = [_topic_page(number, topic) for number, topic in enumerate(TOPICS)]
    others = range(size - len(found))
    return found + [_note(number, rng) if number % 3 else _archive(number, rng) for number in others]


def query(topic: str) -> str:
    """The question about a topic."""
    return f"how is the {topic} of {PROJECT} done" if topic.isascii() else f"{PROJECT} 的{topic},怎么做"


def counted_order(texts: Sequence[str], documents: Sequence[Page]) -> list[str]:
    """By occurrences of the keywords, without the project's name, in title and text."""
    return _by_count(texts, documents, lambda page: f"{page.title}\n{page.text}")


def named_order(texts: Sequence[str], documents: Sequence[Page]) -> list[str]:
    """By keywords in the file name."""
    return _by_count(texts, documents, lambda page: page.rel.rpartition("/")[2])


def measure(order: Order, documents: Sequence[Page]) -> Figures:
    """Ask ``order`` for each of the twelve topics."""
    places: list[int] = []
    for topic, page in zip(TOPICS, documents, strict=False):
        found = order((query(topic),), documents)
        places.append(found.index(page.rel) + 1 if page.rel in found else 0)
    named, dated = places[::2], places[1::2]
    return Figures(
        named.count(1) / len(named),
        dated.count(1) / len(dated),
        sum(1 / place for place in places if place) / len(places),
    )


def _by_count(texts: Sequence[str], documents: Sequence[Page], searched: Callable[[Page], str]) -> list[str]:
    """Equals keep their place, and the topics come first: ties are in favour of the right answer."""
    terms = [keyword.term for keyword in keywords(texts) if keyword.term != PROJECT.lower()]
    counts = {page.rel: sum(searched(page).lower().count(term) for term in terms) for page in documents}
    return sorted((rel for rel, count in counts.items() if count), key=lambda rel: -counts[rel])


def _topic_page(number: int, topic: str) -> Page:
    named = number % 2 == 0
    rel = f"docs/{topic}.md" if named else f"notes/202609{number:02}.md"
    if topic.isascii():
        text = f"{PROJECT} has its {topic}. {TOPICS[topic]} The {topic} runs alone; how {topic} is tested."
    else:
        text = f"{PROJECT} 的{topic}。{TOPICS[topic]}{topic}不需要人工处理,{topic}的测试在下面。"
    return Page(rel, Kind.DOCS, text, topic)


def _archive(number: int, rng: random.Random) -> Page:
    named = [topic for topic in TOPICS for _ in range(5)]
    rng.shuffle(named)
    filler = " ".join(rng.choice(_NOISE) for _ in range(6))
    return Page(f"archive/{number:04}.md", Kind.DOCS, f"{PROJECT} {', '.join(named)}. {filler}", "history")


def _note(number: int, rng: random.Random) -> Page:
    text = " ".join(rng.choice(_NOISE) for _ in range(11))
    return Page(f"misc/{number:04}.md", Kind.DOCS, text, f"Note {number}")


def main() -> None:
    print(f"{len(TOPICS)} questions; first place for a name that tells the topic / a date, and MRR")
    for size in SIZES:
        documents = pages(size)
        with Ours(documents) as knit:

            def ours(texts: Sequence[str], _: Sequence[Page], knit: Ours = knit) -> list[str]:
                return [item.rel for item in knit.rows(texts)]

            orders: Mapping[str, Order] = {
                "classic": classic_order,
                "counting": counted_order,
                "file names": named_order,
                "knit": ours,
            }
            cells = []
            for name, order in orders.items():
                got = measure(order, documents)
                cells.append(f"{name} {got.named:4.0%} / {got.dated:4.0%}  {got.mrr:.3f}")
        print(f"{size:4}  " + "   ".join(cells))


if __name__ == "__main__":
    main()
