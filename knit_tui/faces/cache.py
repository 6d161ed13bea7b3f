"""What is stored of the workspaces, as text and as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import cells, pad, safe_text
from knit_tui.faces.wording import age_text, size_text
from knit_tui.workspace.caches import Facts

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class CacheReport:
    """The cache of one workspace and all others; ``folder`` is empty where none can be.

    ``state``: ``ready``, ``none``, ``damaged``, ``version``, ``foreign`` (the last three are built anew by
    the next start), or why there can be none.
    """

    root: str
    folder: str
    state: str
    documents: int
    mine: Facts | None
    all: Sequence[Facts]


def cache_text(report: CacheReport, now_ns: int) -> str:
    """A few aligned lines."""
    rows = [
        (_("workspace"), safe_text(report.root)),
        (_("state"), cache_state_text(report.state)),
    ]
    if report.folder:
        rows.append((_("folder"), safe_text(report.folder)))
    if report.mine is not None:
        rows += [
            (_("documents"), str(report.documents)),
            (_("size"), size_text(report.mine.size)),
            (_("saved"), age_text(report.mine.saved_ns, now_ns)),
        ]
    total = size_text(sum(facts.size for facts in report.all))
    count = len(report.all)
    rows.append((_("in all"), ngettext("{count} workspace, {size}", "{count} workspaces, {size}", count)))
    width = max(cells(name) for name, value in rows)
    lines = [f"{pad(name, width)}  {value}" for name, value in rows]
    lines[-1] = lines[-1].format(count=count, size=total)
    return "\n".join(lines) + "\n"


def cache_json(report: CacheReport) -> str:
    """One object; sizes in bytes, times in nanoseconds since the epoch."""
    mine = report.mine
    return json.dumps(
        {
            "schema": SCHEMA,
            "workspace": _printable(report.root),
            "folder": _printable(report.folder),
            "state": report.state,
            "documents": report.documents,
            "bytes": mine.size if mine else 0,
            "saved_ns": mine.saved_ns if mine else None,
            "all": [
                {
                    "workspace": _printable(each.root),
                    "folder": _printable(str(each.folder)),
                    "bytes": each.size,
                }
                for each in report.all
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def cache_state_text(state: str) -> str:
    """A state, or why a cache is not used, in words; what the system says stays as it is."""
    texts = {
        "ready": _("ready"),
        "none": _("nothing stored yet"),
        "damaged": _("damaged"),
        "version": _("of another version"),
        "foreign": _("of another folder"),
        "off": _("turned off"),
        "home": _("there is no home folder"),
        "inside": _("it would lie inside the workspace"),
        "no-folder": _("there is a file in its place"),
        "symlink": _("there is a link in its place"),
        "owner": _("the folder belongs to someone else"),
        "shared": _("others can write to the folder"),
    }
    return texts.get(state, safe_text(state))


def _printable(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
