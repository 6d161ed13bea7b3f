"""The documents beside README: what they list is all there is."""

from __future__ import annotations

import re
from pathlib import Path

from knit_tui.faces.tui.actions import key_text
from knit_tui.faces.tui.registry import ACTIONS

ROOT = Path(__file__).resolve().parents[1]


def test_every_key_has_a_row_in_the_document_of_the_panel() -> None:
    rows = (ROOT / "docs/panel.md").read_text(encoding="utf-8").splitlines()
    listed = [re.findall(r"`(\S+)`", row.split(" | ")[0]) for row in rows if row.startswith("| `")]
    for action in ACTIONS:
        if action.group and action.keys:
            assert [key_text(key) for key in action.keys] in listed, action.id


def test_what_a_document_links_to_is_there() -> None:
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "eval/README.md"):
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"(?:\]\(|src=\"|srcset=\")(?!https?:)([^)\"#]+)", text):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
