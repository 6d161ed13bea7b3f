"""Every code that a Snapshot can carry has words, and no fact reaches the screen raw."""

import re
from pathlib import Path

import pytest

import knit_tui
from knit_tui.faces.session_words import session_text
from knit_tui.faces.wording import age_text, notice_text, reason_text, tier_text, wordlike
from knit_tui.model import Notice, Reason, SessionStatus, Tier

PACKAGE = Path(knit_tui.__file__).parent
SECOND = 1_000_000_000
FACTS = tuple(
    (key, "7")
    for key in ("root", "why", "count", "done", "total", "bytes", "hours", "path", "folder", "folders")
)


def notice_codes() -> set[str]:
    """The codes of every Notice the package makes."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        found |= set(re.findall(r"Notice\(\s*\"([a-z-]+)\"", path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("code", sorted(notice_codes()))
def test_every_notice_has_words(code: str) -> None:
    text = notice_text(Notice(code, FACTS))
    assert text != code
    assert "{" not in text


def test_an_unknown_notice_shows_its_code() -> None:
    assert notice_text(Notice("from-the-future")) == "from-the-future"


def test_facts_cannot_act_on_the_terminal() -> None:
    assert "\x1b" not in notice_text(Notice("gone", (("root", "/tmp/\x1b[2J"),)))
    assert "\x1b" not in reason_text(Reason("body", ("\x1b[2J",)))
    assert "\x1b" not in session_text(SessionStatus("missing", path="\x1b]0;x\x07"))


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (Reason("title", ("retry",)), "title: retry"),
        (Reason("filename", ("a", "b"), ("c",)), "file name: a, b; also: c"),
        (Reason("body", tuple("abcdefg")), "text: a, b, c, d +3"),
        (Reason("pinned"), "pinned by you"),
    ],
)
def test_reasons_are_facts(reason: Reason, text: str) -> None:
    assert reason_text(reason) == text


@pytest.mark.parametrize(
    ("terms", "shown"),
    [
        (("图片排", "片排序", "图片", "排序", "片排"), ("图片", "排序")),
        (("自然顺", "然顺序", "retry", "自然", "然顺", "顺序"), ("retry", "自然", "顺序")),
        (("文件名", "文件", "件名"), ("文件名",)),
        (("重试",), ("重试",)),
        (("甲乙", "乙甲"), ("甲乙", "乙甲")),
        (("图片排", "片排序"), ("图片排", "片排序")),
        (("ab", "abc", "bc"), ("ab", "abc", "bc")),
        ((), ()),
    ],
)
def test_overlapping_chinese_grams_read_as_words(terms: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert wordlike(terms) == shown


@pytest.mark.parametrize("state", ["following", "none", "off", "missing", "unreadable", "not-a-log"])
def test_every_session_state_has_words(state: str) -> None:
    assert session_text(SessionStatus(state, "claude", "0123456789")) != state


def test_every_tier_has_a_heading() -> None:
    assert len({tier_text(tier) for tier in Tier}) == len(Tier)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "now"), (0, "now"), (59, "now"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_400, "1d"),
     (86_400 * 29, "29d"), (86_400 * 30, "1mo"), (86_400 * 364, "12mo"), (86_400 * 365, "1y")],
)  # fmt: skip
def test_age(seconds: int, text: str) -> None:
    assert age_text(0, seconds * SECOND) == text
