"""A pack that is watched: one line of JSON for every state of it that differs."""

from __future__ import annotations

from typing import Any

from knit_tui.faces.as_json import line_json, pack_value
from knit_tui.faces.selection import select
from knit_tui.model import Snapshot, Tab


class Lines:
    """Turns Snapshots into lines: the first rows of ``tab``, as ``pack_value`` has them.

    ``typed`` waits for the order of a text that was typed: the first Snapshots of a host may be older.
    """

    def __init__(self, tab: Tab, limit: int, *, explain: bool = False, typed: bool = False) -> None:
        self._tab = tab
        self._limit = limit
        self._explain = explain
        self._typed = typed
        self._told: dict[str, Any] | None = None

    def line(self, snapshot: Snapshot) -> str | None:
        """The line for ``snapshot``, with its ``generation``; None if it would say what the last one said.

        How far the index is filled is no reason for a line; what that changes in order and counts is.
        """
        if self._typed and snapshot.query.source != "typed":
            return None
        value = pack_value(snapshot, select(snapshot, self._tab, self._limit), explain=self._explain)
        told = {**value, "notices": _lasting(value["notices"])}
        if told == self._told:
            return None
        self._told = told
        return line_json({"schema": value["schema"], "generation": snapshot.generation, **value})


def _lasting(notices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The notices that are worth a line: while the index fills, their counts move with it."""
    filling = [{"code": "indexing"} for notice in notices if notice["code"] == "indexing"]
    return filling or notices
