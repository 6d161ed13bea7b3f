"""What a path and a query say beyond their words: a mild factor on the score of a document.

What is asked for decides more than any factor that always holds: tests and documents step back only
while nobody asks for them. The values are round on purpose; they were set by looking at commit
subjects and at questions about code of a dozen public projects.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from knit_tui.find.terms import WORD
from knit_tui.model import Kind, Role


class PathClass(IntEnum):
    """What kind of place a document stands in; the first that fits, in this order."""

    CHANGELOG = 0
    COPY = 1
    """A translation, vendored code, a fixture: much like another document that matters more."""
    TEST = 2
    DOCUMENT = 3
    SOURCE = 4


_WORD = re.compile(r"[^\W_]+")
_CHANGELOGS = frozenset("changelog changes history news releases releasenotes".split())
_COPY_FOLDERS = frozenset(
    """
    vendor vendored third_party thirdparty node_modules locale locales i18n translations fixture fixtures
    testdata __snapshots__ snapshots
    """.split()
)
_TEST_FOLDERS = frozenset("test tests spec specs testing __tests__ e2e".split())
# Two-letter folders below docs are translations; the language of the project itself is not.
_LANGUAGE = re.compile(r"(?:[a-z]{2}|[a-z]{2}[-_][a-z]{2,4})")
_OWN_LANGUAGES = frozenset({"en", "en-us", "js", "ts", "py", "go", "rs", "ui", "db", "io", "ci"})


@lru_cache(maxsize=1 << 16)
def path_class(rel: str, kind: Kind, role: Role) -> PathClass:
    """The class of the document at ``rel``, whose role in its project is ``role``."""
    *folders, name = rel.lower().split("/")
    words = "".join(_WORD.findall(name.partition(".")[0]))
    if kind is Kind.DOCS and (words in _CHANGELOGS or "release-notes" in rel.lower()):
        return PathClass.CHANGELOG
    if _COPY_FOLDERS.intersection(folders) or _translated(folders):
        return PathClass.COPY
    if role is Role.TEST:
        return PathClass.TEST
    return PathClass.DOCUMENT if kind is Kind.DOCS else PathClass.SOURCE


def _translated(folders: list[str]) -> bool:
    return "docs" in folders and any(
        _LANGUAGE.fullmatch(folder) and folder not in _OWN_LANGUAGES for folder in folders
    )


class Wish(IntEnum):
    """What kind of document a query asks for."""

    ANY = 0
    TESTS = 1
    DOCUMENTS = 2


_TEST_WORDS = frozenset(
    "test tests testing pytest unittest spec specs fixture fixtures coverage 测试 单测 用例".split()
)
_DOCUMENT_WORDS = frozenset(
    """
    doc docs document documents documentation documented readme guide guides tutorial tutorials docstring
    docstrings example examples typo typos section sections wording changelog faq manual spelling 文档 说明
    指南 教程 示例 手册 章节
    """.split()
)
_CHINESE_WISHES = re.compile("测试|单测|用例|文档|说明|指南|教程|示例|手册|章节")


def wish(text: str) -> Wish:
    """What ``text``, the newest prompt or a typed query, asks for, by its words."""
    words = {word.lower() for word in WORD.findall(text)} | set(_CHINESE_WISHES.findall(text))
    if words & _TEST_WORDS:
        return Wish.TESTS
    return Wish.DOCUMENTS if words & _DOCUMENT_WORDS else Wish.ANY


FACTORS: dict[Wish, dict[PathClass, float]] = {
    Wish.ANY: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.4, PathClass.TEST: 0.7, PathClass.DOCUMENT: 0.6,
        PathClass.SOURCE: 1.0,
    },
    Wish.TESTS: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.5, PathClass.TEST: 1.0, PathClass.DOCUMENT: 0.6,
        PathClass.SOURCE: 1.0,
    },
    Wish.DOCUMENTS: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.4, PathClass.TEST: 0.7, PathClass.DOCUMENT: 1.3,
        PathClass.SOURCE: 1.0,
    },
}  # fmt: skip
"""What a document of each class counts, by what is asked for."""


def factors(wanted: Wish, classes: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The factor of each document, from its ``PathClass`` in ``classes``."""
    table = np.array([FACTORS[wanted][each] for each in PathClass])
    return np.asarray(table[classes], dtype=np.float64)
