"""Why a document is in the Context Pack, or why not: answered from what decided it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.engine.library import Library
from knit_tui.find.index import Index
from knit_tui.model import (
    RELATIONS_INSPECTED,
    Access,
    Controls,
    Inspection,
    Item,
    Kind,
    Mode,
    Query,
    Scan,
    Tab,
    Tier,
    View,
)
from knit_tui.organise.relations import Relations
from knit_tui.workspace.beneath import Beneath, parts_of
from knit_tui.workspace.text import TEXT_LIMIT

Facts = tuple[tuple[str, str], ...]


class Inspector:
    """Answers about the documents of the workspace at ``root``."""

    def __init__(self, library: Library, root: Path) -> None:
        self._library = library
        self._root = root

    def __call__(
        self,
        rel: str | None,
        views: Mapping[Tab, View],
        query: Query,
        controls: Controls,
        relations: Relations,
        scan: Scan,
        index: Index,
    ) -> Inspection | None:
        """What is so about ``rel`` now; None when nothing is asked about. ``index`` is what ``views`` are
        made from."""
        if rel is None or Tab.CONTEXT not in views:
            return None
        view = views[Tab.CONTEXT]
        item = next((each for each in view.items if each.rel == rel), None)
        code, facts = self._standing(rel, view, item, query, controls, scan, index)
        related = relations.of(rel)
        card = self._library.cards.get(rel)
        return Inspection(
            rel,
            code,
            facts,
            TEXT_LIMIT if card is not None and card.cut else 0,
            item,
            related[:RELATIONS_INSPECTED],
            len(related),
        )

    def _standing(
        self,
        rel: str,
        view: View,
        item: Item | None,
        query: Query,
        controls: Controls,
        scan: Scan,
        index: Index,
    ) -> tuple[str, Facts]:
        gone: Facts = () if rel in self._library.entries else (("gone", "yes"),)
        if rel in controls.excluded:
            return "excluded", gone
        if item is not None and item.tier is Tier.PINNED:
            return "pinned", gone
        if item is not None and item.number is not None:
            return "pack", (("tier", item.tier.value), ("number", str(item.number)))
        kept_out = self._kept_out(rel, scan, index)
        if kept_out is not None:
            code, facts = kept_out
            return code, (*facts, *((("pinned", "yes"),) if rel in controls.pinned else ()))
        return _unmatched(rel, view, item, query, index)

    def _kept_out(self, rel: str, scan: Scan, index: Index) -> tuple[str, Facts] | None:
        """What keeps a file from being searched at all."""
        entry = self._library.entries.get(rel)
        if entry is None:
            return self._no_document(rel, scan)
        card = self._library.cards.get(rel)
        if entry.access is Access.WITHHELD or (card is not None and card.problem == "secret"):
            return "secret", ()
        if entry.access is Access.GENERATED:
            return "generated", ()
        if entry.kind in (Kind.IMAGE, Kind.VIDEO) or entry.access is Access.NAME:
            return "media", ()
        if card is not None and card.problem:
            return "unreadable", (("why", card.problem),)
        return ("waiting", ()) if card is None or rel not in index.positions else None

    def _no_document(self, rel: str, scan: Scan) -> tuple[str, Facts]:
        skips = {skip.rel: skip.reason for skip in scan.skips}
        where = next((each for each in _upwards(rel) if each in skips), None)
        if where is not None:
            return "skipped", (("why", skips[where]), ("where", where))
        mode = _mode_of(self._root, rel)
        if mode is None:
            return "missing", ()
        return ("folder" if stat.S_ISDIR(mode) else "ignored"), ()


def _unmatched(rel: str, view: View, item: Item | None, query: Query, index: Index) -> tuple[str, Facts]:
    """Why a document that is searched stands in no tier."""
    if view.mode is Mode.NEWEST:
        return "no-query", ()
    if item is not None:
        matches = [each for each in view.items if each.tier is not Tier.PINNED]
        taken = [each for each in matches if each.number is not None]
        return "beaten", (
            ("rank", str(matches.index(item) + 1)),
            ("matched", str(len(matches))),
            ("places", str(len(taken))),
            ("last", taken[-1].rel if taken else ""),
        )
    held = _held(rel, query, index)
    if held:
        return "weak", (("terms", ", ".join(held)),)
    return "no-hit", (("terms", ", ".join(term.term for term in query.terms)),)


def _held(rel: str, query: Query, index: Index) -> list[str]:
    """The terms that a document holds, anywhere in it, each in the first of its forms."""
    place = index.positions.get(rel)
    held = []
    for term in query.terms:
        found = (word for word in (term.term, *term.forms) if place in index.lookup(word).documents)
        word = next(found, None)
        if word is not None:
            held.append(word)
    return held


def _upwards(rel: str) -> Iterator[str]:
    """``rel`` and the folders above it, the nearest first, the root last."""
    while rel:
        yield rel
        rel = rel.rpartition("/")[0]
    yield ""


def _mode_of(root: Path, rel: str) -> int | None:
    """What stands at a path below ``root``; None when nothing does, or a link is on the way."""
    parts = parts_of(rel)
    if parts is None:
        return None
    try:
        with Beneath(root) as beneath:
            folder = beneath.folder("/".join(parts[:-1]))
            return os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
    except (OSError, ValueError):
        return None
