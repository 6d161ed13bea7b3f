"""Which messages count, and what the task is, by the newest of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knit_tui.model import Message, Speaker

MAX_TEXTS = 6
MAX_TEXT = 2_000
"""Characters of one text."""
MAX_TOTAL = 6_000
"""Characters of all texts: none is added once this is reached."""
MAX_TASK = 80

_ACKNOWLEDGEMENTS = frozenset(
    """
    ok okay yes yep yeah y no nope n thanks thank you thx ty continue go on ahead proceed done great good
    nice perfect cool fine sure got it please next right correct lgtm
    """.split()
)
_CHINESE_ACKNOWLEDGEMENTS = frozenset(
    """
    好 好的 行 可以 是 是的 对 对的 不 不用 嗯 继续 请继续 接着 下一步
    谢谢 多谢 收到 明白 知道了 没问题 完成
    """.split()
)
_PIECE = re.compile(r"[^\W_]+")


def texts(messages: Sequence[Message]) -> tuple[str, ...]:
    """The texts the query is drawn from, newest first.

    Of each turn of the agent, its last text only: what it said on the way is about the way. A prompt that
    says nothing (``ok, go on``) is passed over: what was said before it is what it goes on with.
    """
    chosen: list[str] = []
    total = 0
    below: Speaker | None = None
    for message in reversed(messages):
        last_of_turn = message.speaker is Speaker.USER or below is not Speaker.ASSISTANT
        text = message.text.strip()
        if not text:
            continue
        below = message.speaker
        if not last_of_turn or (message.speaker is Speaker.USER and not substantive(text)):
            continue
        chosen.append(text[:MAX_TEXT])
        total += len(chosen[-1])
        if len(chosen) == MAX_TEXTS or total >= MAX_TOTAL:
            break
    return tuple(chosen)


def prompt(messages: Sequence[Message]) -> str:
    """The newest prompt that says something, with white space folded; empty when there is none.

    Acknowledgements (``ok, go on``) say nothing.
    """
    for message in reversed(messages):
        if message.speaker is Speaker.USER:
            text = " ".join(message.text.split())
            if substantive(text):
                return text
    return ""


def task(messages: Sequence[Message]) -> str:
    """That prompt as a quotation of at most ``MAX_TASK`` characters."""
    text = prompt(messages)
    return text if len(text) <= MAX_TASK else text[: MAX_TASK - 1] + "…"


def substantive(text: str) -> bool:
    """Whether a prompt names a task: it has a letter, and words beyond acknowledgements."""
    pieces = [piece.lower() for piece in _PIECE.findall(text)]
    if len(text) < 2 or not any(char.isalpha() for char in text):
        return False
    return not all(piece in _ACKNOWLEDGEMENTS or piece in _CHINESE_ACKNOWLEDGEMENTS for piece in pieces)
