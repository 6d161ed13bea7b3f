"""What a document is in its project, told from whole words of its path."""

from __future__ import annotations

import re
from functools import lru_cache

from knit_tui.model import Kind, Role

_WORD = re.compile(r"[^\W_]+")
_TEST_FOLDERS = frozenset("test tests spec specs testing eval evals fixture fixtures".split())
_DESIGN_WORDS = frozenset(
    "sdd prd rfc rfcs adr adrs design designs proposal proposals 方案 设计 决策 复盘".split()
)
_CONFIG_NAMES = frozenset(
    """
    package.json tsconfig.json pyproject.toml setup.cfg setup.py cargo.toml go.mod composer.json gemfile
    makefile dockerfile cmakelists.txt build.gradle pom.xml tox.ini justfile
    """.split()
)
_CONFIG_WORDS = frozenset("config configs conf settings setting manifest".split())
_CONFIG_ENDINGS = (".toml", ".ini", ".cfg", ".yaml", ".yml", ".conf", ".json", ".properties")


@lru_cache(maxsize=1 << 16)
def role(rel: str, kind: Kind) -> Role:
    """The role of the document at ``rel``, by its path alone."""
    *folders, name = rel.lower().split("/")
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    if _is_test(folders, name, stem):
        return Role.TEST
    words = set(_WORD.findall(stem))
    if kind is Kind.DOCS:
        folder_words = {word for folder in folders for word in _WORD.findall(folder)}
        return Role.DESIGN if (words | folder_words) & _DESIGN_WORDS or _chinese_design(rel) else Role.DOC
    if kind is not Kind.CODE:
        return Role.DOC
    configured = name in _CONFIG_NAMES or name.startswith(".") or ".github" in folders
    if configured or (words & _CONFIG_WORDS and name.endswith(_CONFIG_ENDINGS)):
        return Role.CONFIG
    return Role.IMPL


def _is_test(folders: list[str], name: str, stem: str) -> bool:
    if any(folder in _TEST_FOLDERS or folder == "__tests__" for folder in folders):
        return True
    if stem.startswith("test_") or stem.endswith(
        ("_test", "-test", "_spec", "-spec", "test.", ".test", ".spec")
    ):
        return True
    return ".test." in name or ".spec." in name or stem == "conftest"


def _chinese_design(rel: str) -> bool:
    return any(word in rel for word in ("方案", "设计", "决策", "复盘"))
