"""What a document is in its project, told from whole words of its path."""

from __future__ import annotations

import re
from functools import lru_cache

from knit_tui.model import Kind, Role

_WORD = re.compile(r"[^\W_]+")
_TEST_FOLDERS = frozenset("test tests spec specs testing eval evals fixture fixtures __tests__".split())
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


def role(rel: str, kind: Kind) -> Role:
    """The role of the document at ``rel``, by its path alone."""
    folder, _, name = rel.lower().rpartition("/")
    tests, design, configured = _folder(folder)
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    if tests or _names_a_test(name, stem):
        return Role.TEST
    if kind is Kind.DOCS:
        designs = design or _has(stem, _DESIGN_WORDS) or _chinese_design(name)
        return Role.DESIGN if designs else Role.DOC
    if kind is not Kind.CODE:
        return Role.DOC
    if configured or name in _CONFIG_NAMES or name.startswith("."):
        return Role.CONFIG
    return Role.CONFIG if name.endswith(_CONFIG_ENDINGS) and _has(stem, _CONFIG_WORDS) else Role.IMPL


def _has(stem: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(_WORD.findall(stem))


@lru_cache(maxsize=1 << 14)
def _folder(folder: str) -> tuple[bool, bool, bool]:
    """What a folder says of all that is in it: tests, design documents, configuration."""
    folders = folder.split("/")
    tests = not _TEST_FOLDERS.isdisjoint(folders)
    design = not _DESIGN_WORDS.isdisjoint(_WORD.findall(folder)) or _chinese_design(folder)
    return tests, design, ".github" in folders


def _names_a_test(name: str, stem: str) -> bool:
    return (
        stem.startswith("test_")
        or stem.endswith(("_test", "-test", "_spec", "-spec", "test.", ".test", ".spec"))
        or ".test." in name
        or ".spec." in name
        or stem == "conftest"
    )


def _chinese_design(text: str) -> bool:
    return any(word in text for word in ("方案", "设计", "决策", "复盘"))
