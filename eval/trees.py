"""Generated workspaces of a given size: the same tree for the same number, on every machine."""

from __future__ import annotations

import os
import random
from pathlib import Path

_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
_CHINESE = "图片排序缓存重试索引文档搜索目录监视终端会话代理"
_WRITTEN_NS = 1_700_000_000 * 10**9
PROMPT = "fix the retry backoff of the cache index and document 图片排序"


def generate(root: Path, documents: int, seed: int = 7) -> int:
    """Write ``documents`` files of code and Markdown, about 7 KiB each, twenty a folder; returns their bytes.

    They are long unchanged: a file that changed within the last seconds is looked at twice.
    """
    rng = random.Random(seed)
    words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(6_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    total = 0
    for number in range(documents):
        vocabulary = rng.choices(words, weights, k=700)
        folder = root / f"part{number // 20 % 97:02}" / words[number // 20 % len(words)]
        folder.mkdir(parents=True, exist_ok=True)
        code = number % 5 < 3
        text = _code(vocabulary, rng) if code else _markdown(vocabulary, rng)
        path = folder / f"{vocabulary[1]}_{number}{'.py' if code else '.md'}"
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(_WRITTEN_NS + number * 10**9,) * 2)
        total += path.stat().st_size
    return total


def _code(words: list[str], rng: random.Random) -> str:
    lines = [f'"""{" ".join(words[:8]).capitalize()}."""', "", f"import {words[8]}", ""]
    for start in range(10, len(words) - 20, 22):
        name = f"{words[start]}_{words[start + 1]}"
        lines += [f"def {name}({words[start + 2]}, {words[start + 3]}=None):"]
        lines += [f'    """{" ".join(words[start + 4 : start + 12]).capitalize()}."""']
        lines += [f"    {w} = self.{v}.{words[start]}({rng.randint(0, 99)})" for w, v in zip(
            words[start + 12 : start + 17], words[start + 17 : start + 22], strict=True)]  # fmt: skip
        lines += [f"    return {words[start + 12]}", ""]
    return "\n".join(lines) + "\n"


def _markdown(words: list[str], rng: random.Random) -> str:
    lines = [f"# {' '.join(words[:3]).capitalize()}", ""]
    for start in range(3, len(words) - 80, 80):
        lines += [f"## {' '.join(words[start : start + 3]).capitalize()}", ""]
        lines += [
            " ".join(words[start + 3 : start + 40]) + ".",
            "",
            " ".join(words[start + 40 : start + 80]) + ".",
            "",
        ]
        if rng.random() < 0.3:
            lines += ["".join(rng.choices(_CHINESE, k=30)) + "。", ""]
    return "\n".join(lines) + "\n"
