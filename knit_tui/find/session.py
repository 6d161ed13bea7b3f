"""What a live session says beside its words: what the agent used, and which files were named.

Neither takes part in a typed query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from knit_tui.find.keywords import POSITION_WEIGHTS
from knit_tui.find.terms import is_cjk, normal
from knit_tui.model import Use

FADING = 0.9
"""How much less each use counts than the one after it."""

_TOKEN = re.compile(r"[\w.@+/\\-]{3,}")
_FROM_ABOVE = re.compile(r"(?:\.{0,2}/)+")
_LONGEST = 1_024
ASKED_FOR = 3.0
"""What it counts to be named in the newest prompt, relative to any other newest text."""
MAX_MENTIONS = 400
"""Path-like words of the texts that are looked up, the newest ones."""

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Live:
    """Arrays go by position in an index: ``use`` fades from 1, ``mention`` is 1 for a plain one."""

    use: Reals
    mention: Reals
    uses: Mapping[int, Use] = field(default_factory=dict)
    """By position, of the documents that were used."""


def live(
    uses: Mapping[str, Use], mentions: Mapping[str, float], positions: Mapping[str, int], size: int
) -> Live:
    """``uses`` (newest first) and ``mentions`` by path as signals on an index with these positions."""
    use, mention = np.zeros(size), np.zeros(size)
    used: dict[int, Use] = {}
    for age, (rel, what) in enumerate(uses.items()):
        place = positions.get(rel)
        if place is not None:
            use[place] = FADING**age
            used[place] = what
    for rel, share in mentions.items():
        place = positions.get(rel)
        if place is not None:
            mention[place] = share
    return Live(use, mention, used)


class Names:
    """Finds the documents that path-like words name."""

    def __init__(self, rels: Iterable[str]) -> None:
        self._rels: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        for rel in sorted(rels):
            composed = normal(rel)
            self._rels.setdefault(composed, []).append(rel)
            self._by_name.setdefault(composed.rpartition("/")[2], []).append(rel)

    def mentioned(self, prompt: str, texts: Sequence[str]) -> dict[str, float]:
        """The documents that ``texts`` (newest first) name by path or base name, and how clearly.

        A path in the newest text counts 1, in older ones less, in the newest ``prompt`` of the person
        ``ASKED_FOR``. The documents that share a name, or the end of a path, share the mention.
        """
        words: dict[str, float] = {}
        newest, *older = POSITION_WEIGHTS
        clearness = [ASKED_FOR, 1.0, *(weight / newest for weight in older)]
        for position, text in enumerate((prompt, *texts)):
            clear = clearness[min(position, len(clearness) - 1)]
            for token in _TOKEN.findall(normal(text)):
                word = _path(token)
                if ("/" in word or "." in word) and len(word) <= _LONGEST and len(words) < MAX_MENTIONS:
                    words.setdefault(word, clear)
        found: dict[str, float] = {}
        for word, clear in words.items():
            rels = self._named(word) or self._named(_apart(word))
            for rel in rels:
                found[rel] = max(found.get(rel, 0.0), clear / len(rels))
        return found

    def _named(self, word: str) -> list[str]:
        if word in self._rels:
            return self._rels[word]
        same = self._by_name.get(word.rpartition("/")[2], [])
        if "/" not in word:
            return same
        inside = [rel for rel in same if normal(rel).endswith("/" + word)]
        # An absolute path, or one from above the workspace, ends with the document's own.
        return inside or [rel for rel in same if word.endswith("/" + normal(rel))]


def _path(word: str) -> str:
    """``word`` without what stands around a path: ``@``, a full stop, ``./`` and the like."""
    word = word.replace("\\", "/").rstrip("/@.-+").lstrip("@-+")
    above = _FROM_ABOVE.match(word)
    return word[above.end() :] if above else word


def _apart(word: str) -> str:
    """``word`` without the Chinese around it: no space need stand between a path and that."""
    return _path(word.strip("".join({char for char in word if is_cjk(char)})))
