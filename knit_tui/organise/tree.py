"""The known paths of a workspace, and what its files say of the project, as references ask for them.

Paths are relative to the workspace, with ``/`` between their parts; ``""`` is the workspace itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from knit_tui.organise.references import Reference

T = TypeVar("T")

Fact = tuple[str, str]
"""The file that says it, and what it says."""


class Tree:
    """The paths of one scan. Immutable; what is asked for often is worked out once, when first asked for.

    Args:
        paths: every known file.
        facts: (file, reference) of form ``m``. The first word of a target is the name of the fact, the
            rest is what it says: ``module example.org/x`` in a ``go.mod``, ``package org.example``.
    """

    __slots__ = ("_derived", "_facts", "_paths", "_sorted")

    def __init__(self, paths: Iterable[str], facts: Iterable[tuple[str, Reference]] = ()) -> None:
        self._sorted = tuple(sorted(paths))
        self._paths = frozenset(self._sorted)
        self._facts = tuple(facts)
        self._derived: dict[Callable[[Tree], Any], Any] = {}

    def __contains__(self, rel: object) -> bool:
        return rel in self._paths

    def __iter__(self) -> Iterator[str]:
        """Every path, sorted."""
        return iter(self._sorted)

    def __len__(self) -> int:
        return len(self._sorted)

    def named(self, name: str) -> tuple[str, ...]:
        """All paths with this base name, in exact case, sorted."""
        return self.derived(_by_name).get(name, ())

    def ending(self, tail: str) -> tuple[str, ...]:
        """All paths that are ``tail`` or end in ``/tail``: whole parts, sorted."""
        found = self.named(name_of(tail))
        if "/" not in tail:
            return found
        return tuple(rel for rel in found if rel == tail or rel.endswith(f"/{tail}"))

    def within(self, folder: str) -> tuple[str, ...]:
        """The files directly in a folder, sorted."""
        return self.derived(_by_folder).get(folder, ())

    def is_folder(self, folder: str) -> bool:
        """Whether any file is in this folder or below it."""
        return folder in self.derived(_folders)

    def facts(self, name: str) -> tuple[Fact, ...]:
        """All facts of this name, sorted: (file, what it says)."""
        return self.derived(_facts_by_name).get(name, ())

    def stating(self, name: str, said: str) -> tuple[str, ...]:
        """The files that say exactly this, sorted."""
        return self.derived(_files_by_fact).get((name, said), ())

    def above(self, name: str, source: str) -> tuple[Fact, ...]:
        """The facts of this name from the nearest folder at or above the one ``source`` is in, sorted."""
        by_folder = self.derived(_facts_by_folder).get(name)
        if by_folder is None:
            return ()
        folder = folder_of(source)
        while folder and folder not in by_folder:
            folder = folder_of(folder)
        return by_folder.get(folder, ())

    def derived(self, make: Callable[[Tree], T]) -> T:
        """What ``make`` makes of this tree, made once. ``make`` is a function of a module, not a lambda."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: T = self._derived[make]
        return found

    def _all_facts(self) -> Iterator[tuple[str, str, str]]:
        for rel, reference in self._facts:
            name, _, said = reference.target.partition(" ")
            yield name, rel, said


def name_of(rel: str) -> str:
    """The last part of a path."""
    return rel.rpartition("/")[2]


def folder_of(rel: str) -> str:
    """The folder a path is in."""
    return rel.rpartition("/")[0]


def stem_of(rel: str) -> str:
    """The last part of a path without its last ending; a name that begins with a dot stays whole."""
    name = name_of(rel)
    return name[: name.rindex(".")] if "." in name[1:] else name


def joined(folder: str, path: str) -> str | None:
    """``path`` as seen from ``folder``, without ``.`` and ``..`` parts; None when it leaves the workspace.

    >>> joined("docs/api", "../guide//a.md")
    'docs/guide/a.md'
    """
    parts = [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def only(found: Iterable[str], but: str = "") -> tuple[str, ...]:
    """The one path of ``found`` when there is exactly one and it is not ``but``; else none."""
    distinct = sorted(set(found))
    return (distinct[0],) if len(distinct) == 1 and distinct[0] != but else ()


def nearest(source: str, found: Iterable[str]) -> tuple[str, ...]:
    """The path that shares most leading folders with ``source``; none when several share as many."""
    best: list[str] = []
    most = -1
    folders = source.split("/")[:-1]
    for rel in found:
        shared = 0
        for ours, theirs in zip(folders, rel.split("/")[:-1], strict=False):
            if ours != theirs:
                break
            shared += 1
        if shared > most:
            best, most = [rel], shared
        elif shared == most:
            best.append(rel)
    return only(best, source)


def _by_name(tree: Tree) -> Mapping[str, tuple[str, ...]]:
    return _grouped((name_of(rel), rel) for rel in tree)


def _by_folder(tree: Tree) -> Mapping[str, tuple[str, ...]]:
    return _grouped((folder_of(rel), rel) for rel in tree)


def _folders(tree: Tree) -> frozenset[str]:
    folders: set[str] = set()
    for folder in tree.derived(_by_folder):
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder_of(folder)
    return frozenset(folders | {""})


def _facts_by_name(tree: Tree) -> Mapping[str, tuple[Fact, ...]]:
    return _grouped(sorted({(name, (rel, said)) for name, rel, said in tree._all_facts()}))


def _files_by_fact(tree: Tree) -> Mapping[tuple[str, str], tuple[str, ...]]:
    return _grouped(sorted({((name, said), rel) for name, rel, said in tree._all_facts()}))


def _facts_by_folder(tree: Tree) -> Mapping[str, Mapping[str, tuple[Fact, ...]]]:
    return {
        name: _grouped((folder_of(rel), (rel, said)) for rel, said in facts)
        for name, facts in tree.derived(_facts_by_name).items()
    }


K = TypeVar("K")
V = TypeVar("V")


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}
