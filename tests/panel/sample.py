"""An invented workspace as snapshots: what the engine would publish, and a host that publishes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from knit_tui.engine.changes import Change
from knit_tui.model import (
    Access,
    Controls,
    Item,
    Kind,
    Mode,
    Notice,
    Passage,
    Provenance,
    Query,
    QueryTerm,
    Reason,
    Role,
    SessionStatus,
    Snapshot,
    Tab,
    Tier,
    View,
)

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
NOW = 1_790_000_000 * SECOND
ROOT = "/home/mei/courier"


def now() -> int:
    return NOW


def item(
    rel: str,
    tier: Tier = Tier.OTHER,
    number: int | None = None,
    *,
    age: int = 2 * HOUR,
    reason: Reason | None = None,
    passages: Sequence[Passage] = (),
    title: str = "",
    summary: str = "",
    kind: Kind | None = None,
    access: Access = Access.TEXT,
    size: int = 2048,
    pinned: bool = False,
    missing: bool = False,
) -> Item:
    """One item; kind and language follow from the ending."""
    ending = rel.rpartition(".")[2]
    kinds = {"md": Kind.DOCS, "rst": Kind.DOCS, "txt": Kind.DOCS, "png": Kind.IMAGE, "mp4": Kind.VIDEO}
    kind = kind or kinds.get(ending, Kind.CODE)
    languages = {"md": "markdown", "py": "python", "ts": "typescript", "tsx": "tsx", "toml": "toml"}
    return Item(
        rel=rel,
        kind=kind,
        language=languages.get(ending),
        access=Access.NAME if kind in (Kind.IMAGE, Kind.VIDEO) else access,
        title=title,
        summary=summary,
        size=size,
        mtime_ns=NOW - age,
        tier=tier,
        number=number,
        reason=reason,
        role=Role.DOC if kind is Kind.DOCS else Role.IMPL,
        provenance=Provenance.RETRIEVAL,
        passages=tuple(passages),
        pinned=pinned,
        missing=missing,
    )


PINNED = item(
    "docs/style.md",
    Tier.PINNED,
    age=9 * DAY,
    reason=Reason("pinned"),
    title="How we write code",
    pinned=True,
)
RETRY = item(
    "src/courier/net/retry.py",
    Tier.PRIMARY,
    1,
    age=50 * SECOND,
    reason=Reason("filename", ("retry",), ("backoff", "jitter")),
    passages=(
        Passage(12, 26, ("backoff", "jitter"), "def backoff(attempt: int, base: float = 0.5) -> float:"),
        Passage(41, 44, ("retry",), "class Retry:"),
    ),
)
GUIDE = item(
    "docs/guide/retries.md",
    Tier.SUPPORTING,
    2,
    age=3 * DAY,
    reason=Reason("title", ("retry", "jitter"), ("backoff",)),
    passages=(
        Passage(1, 18, ("retry", "jitter"), "## Why jitter: a thousand clients must not retry at once"),
    ),
    title="Retry policy and jitter",
)
TEST = item(
    "tests/net/test_retry.py",
    Tier.SUPPORTING,
    3,
    age=3 * HOUR,
    reason=Reason("filename", ("retry",), ("backoff",)),
    passages=(Passage(30, 37, ("backoff",), "def test_backoff_grows_and_stays_under_the_cap():"),),
)
CHINESE = item(
    "docs/指南/重试策略.md",
    Tier.SUPPORTING,
    4,
    age=20 * DAY,
    reason=Reason("body", ("retry", "backoff")),
    passages=(Passage(5, 9, ("retry",), "每次 retry 之前等待的时间按指数增长，并加上随机抖动"),),
    title="网络请求的重试与退避",
)
CLIENT = item(
    "src/courier/net/client.py",
    Tier.RELATED,
    5,
    age=12 * MINUTE,
    reason=Reason("body", ("retry", "http")),
    passages=(Passage(88, 97, ("retry",), "    return self.session.send(request, retry=Retry(total=3))"),),
)
SETTINGS = item("config/defaults.toml", Tier.RELATED, 6, age=70 * DAY, reason=Reason("symbols", ("http",)))
PAGE = item(
    "web/pages/items/[id].tsx",
    Tier.RELATED,
    7,
    age=5 * HOUR,
    reason=Reason("body", ("retry",)),
    passages=(Passage(14, 14, ("retry",), "const { data, retry } = useItem(id)"),),
)
OTHERS = (
    item("CHANGELOG.md", age=1 * DAY, reason=Reason("body", ("jitter",)), title="Changes"),
    item("src/courier/queue/worker.py", age=2 * DAY, reason=Reason("body", ("backoff", "http"))),
    item("src/courier/net/README.md", age=400 * DAY, reason=Reason("path", ("http",)), title="Network layer"),
    item("docs/设计/队列.md", age=33 * DAY, reason=Reason("body", ("retry",)), title="消息队列的设计"),
)
PICTURES = (
    item("docs/img/retry-flow.png", age=8 * DAY, size=48_211, reason=Reason("filename", ("retry",))),
    item("docs/img/演示.mp4", age=60 * DAY, size=7_340_032),
)
SECRET = item(".env.local", age=40 * DAY, access=Access.WITHHELD, kind=Kind.DOCS)
LOCK = item("web/package-lock.json", age=6 * DAY, access=Access.GENERATED)

PACK = (PINNED, RETRY, GUIDE, TEST, CHINESE, CLIENT, SETTINGS, PAGE)
QUERY = Query(
    terms=tuple(QueryTerm(term, 1.0) for term in ("retry", "backoff", "jitter", "http")),
    task="Add jitter to the HTTP retry backoff, and keep the cap at 30 seconds",
)
SESSION = SessionStatus("following", agent="claude", session_id="4f2a91c0-77aa", how="directory")


def view(
    tab: Tab, items: Sequence[Item], *, total: int = 0, excluded: int = 0, mode: Mode = Mode.RELEVANCE
) -> View:
    """A view that holds ``items``, also by time."""
    newest = tuple(sorted(items, key=lambda each: -each.mtime_ns))
    return View(tab, mode, tuple(items), newest, len(items), total or len(items), excluded)


def views(items: Sequence[Item], *, mode: Mode = Mode.RELEVANCE) -> dict[Tab, View]:
    docs = [each for each in items if each.kind is Kind.DOCS]
    code = [each for each in items if each.kind is Kind.CODE]
    return {
        Tab.CONTEXT: view(Tab.CONTEXT, items, total=1204, excluded=2, mode=mode),
        Tab.DOCS: view(Tab.DOCS, docs, total=211, mode=mode),
        Tab.CODE: view(Tab.CODE, code, total=993, mode=mode),
        Tab.MEDIA: view(Tab.MEDIA, PICTURES, total=2, mode=mode),
    }


def snapshot(generation: int = 1, items: Sequence[Item] = (*PACK, *OTHERS), **changes: object) -> Snapshot:
    """The sample as a snapshot."""
    base = Snapshot(
        generation=generation,
        root=ROOT,
        present=True,
        query=QUERY,
        views=views(items),
        session=SESSION,
        controls=Controls(pinned=("docs/style.md",), excluded=("a.md", "b.md")),
        undoable="exclude b.md",
        skipped=7,
        indexed=1204,
        documents=1204,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def numbered(count: int, *, first: int = 0, passages: bool = True) -> tuple[Item, ...]:
    """``count`` invented items with few tiers, for policies that need a long list."""
    out: list[Item] = []
    for index in range(first, first + count):
        place = index - first
        tier = Tier.PRIMARY if place == 0 else Tier.SUPPORTING if place < 4 else Tier.OTHER
        passage = Passage(index + 1, index + 3, ("alpha",), f"alpha line {index}")
        out.append(
            item(
                f"src/part{index % 7}/file{index:05}.py",
                tier,
                place + 1 if place < 4 else None,
                age=index * MINUTE,
                reason=Reason("body", ("alpha", "beta")),
                passages=(passage,) if passages and index % 3 else (),
            )
        )
    return tuple(out)


class FakeHost:
    """A host without an engine: tests publish, and read what was sent."""

    def __init__(self, first: Snapshot | None = None) -> None:
        self.first = first
        self.sent: list[Change] = []
        self.started = 0
        self.attended = 0
        self.stopped = 0
        self.publish: Callable[[Snapshot], None] = lambda snapshot: None
        self.failed: Callable[[str], None] = lambda error: None

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        self.publish, self.failed = publish, failed
        self.started += 1
        if self.first is not None:
            publish(self.first)

    def send(self, change: Change) -> None:
        self.sent.append(change)

    def attend(self) -> None:
        self.attended += 1

    def stop(self) -> None:
        self.stopped += 1


NOTICES = (
    Notice("watch-polling", (("why", "folders"),)),
    Notice("unreadable", (("count", "3"),)),
)
