"""What a path says beyond its words: a factor on the score of a document, by what is asked for.

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

from knit_tui.model import Kind, Role, Wish


class PathClass(IntEnum):
    """What kind of place a document stands in; the first that fits, in this order."""

    CHANGELOG = 0
    COPY = 1
    """A translation, vendored code, a fixture: much like another document that matters more."""
    EXAMPLE = 2
    """A program that shows how something is used."""
    TEST = 3
    DOCUMENT = 4
    SOURCE = 5


_WORD = re.compile(r"[^\W_]+")
_CHANGELOGS = frozenset("changelog changes history news releases releasenotes".split())
_COPY_FOLDERS = frozenset(
    """
    vendor vendored third_party thirdparty node_modules locale locales i18n translations fixture fixtures
    testdata __snapshots__ snapshots
    """.split()
)
_EXAMPLE_FOLDERS = frozenset(
    "example examples docs_src sample samples demo demos benchmark benchmarks playground stories".split()
)
# Two-letter folders below docs are translations; the language of the project itself is not.
_LANGUAGE = re.compile(r"(?:[a-z]{2}|[a-z]{2}[-_][a-z]{2,4})")
_OWN_LANGUAGES = frozenset({"en", "en-us", "js", "ts", "py", "go", "rs", "ui", "db", "io", "ci"})


def path_class(rel: str, kind: Kind, role: Role) -> PathClass:
    """The class of the document at ``rel``, whose role in its project is ``role``."""
    folder, _, name = rel.lower().rpartition("/")
    if kind is Kind.DOCS:
        words = "".join(_WORD.findall(name.partition(".")[0]))
        if words in _CHANGELOGS or "release-notes" in name or "release-notes" in folder:
            return PathClass.CHANGELOG
    found = _folder_class(folder)
    if found is not None:
        return found
    if role is Role.TEST:
        return PathClass.TEST
    return PathClass.DOCUMENT if kind is Kind.DOCS else PathClass.SOURCE


@lru_cache(maxsize=1 << 14)
def _folder_class(folder: str) -> PathClass | None:
    """The class of everything in a folder, if the folder decides."""
    folders = folder.split("/")
    if not _COPY_FOLDERS.isdisjoint(folders) or _translated(folders):
        return PathClass.COPY
    return None if _EXAMPLE_FOLDERS.isdisjoint(folders) else PathClass.EXAMPLE


def _translated(folders: list[str]) -> bool:
    return "docs" in folders and any(
        _LANGUAGE.fullmatch(folder) and folder not in _OWN_LANGUAGES for folder in folders
    )


FACTORS: dict[Wish, dict[PathClass, float]] = {
    Wish.CHANGE: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.4, PathClass.EXAMPLE: 0.5, PathClass.TEST: 0.8,
        PathClass.DOCUMENT: 0.7, PathClass.SOURCE: 1.0,
    },
    Wish.TESTS: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.5, PathClass.EXAMPLE: 0.5, PathClass.TEST: 1.0,
        PathClass.DOCUMENT: 0.6, PathClass.SOURCE: 1.0,
    },
    Wish.DOCUMENTS: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.4, PathClass.EXAMPLE: 1.0, PathClass.TEST: 0.5,
        PathClass.DOCUMENT: 1.3, PathClass.SOURCE: 1.0,
    },
    Wish.UNDERSTANDING: {
        PathClass.CHANGELOG: 0.3, PathClass.COPY: 0.3, PathClass.EXAMPLE: 0.3, PathClass.TEST: 0.3,
        PathClass.DOCUMENT: 0.3, PathClass.SOURCE: 1.0,
    },
    Wish.CHANGELOG: {
        PathClass.CHANGELOG: 1.3, PathClass.COPY: 0.4, PathClass.EXAMPLE: 0.5, PathClass.TEST: 0.5,
        PathClass.DOCUMENT: 1.0, PathClass.SOURCE: 1.0,
    },
}  # fmt: skip
"""What a document of each class counts, by what is asked for."""


@lru_cache(maxsize=8)
def factors(wanted: Wish) -> npt.NDArray[np.float64]:
    """The factors for ``wanted``, by ``PathClass``."""
    return np.array([FACTORS[wanted][each] for each in PathClass])
