"""What the commands share: exit codes, options, the workspace, and the one kind of error they raise."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text

FOUND, NOTHING, WRONG = 0, 1, 2


class Problem(Exception):
    """Wrong use, or a workspace that cannot be read: one line for the user, exit status 2."""


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    PATHS = "paths"


class RankingOption(StrEnum):
    KNIT = "knit"
    CLASSIC = "classic"


@dataclass(frozen=True, slots=True)
class Orders:
    """How documents are ordered."""

    git: bool
    classic: bool


class LanguageOption(StrEnum):
    AUTO = "auto"
    ENGLISH = "en"
    CHINESE = "zh_CN"


class ListFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class KindOption(StrEnum):
    CONTEXT = "context"
    DOCS = "docs"
    CODE = "code"
    MEDIA = "media"


Folder = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
    typer.Option("-C", metavar="DIR", help="The workspace; the current folder when not given."),
]
Session = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--session", metavar="FILE|ID|none", help="Follow this session log or session, or none."),
]
Kinds = Annotated[KindOption, typer.Option("--kind", help="Which documents.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="At most this many documents.")]
Output = Annotated[
    Optional[Format],  # noqa: UP045
    typer.Option("--format", help="How to print them: text when not given."),
]
Watch = Annotated[
    bool, typer.Option("--watch", help="Go on: a line of JSON now and for every change, until stopped.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Print everything that speaks for each document.")]
Ranking = Annotated[
    Optional[RankingOption],  # noqa: UP045
    typer.Option("--ranking", help="How to order: classic has no history and no session."),
]
Git = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option("--git/--no-git", help="Let the project's git history take part in the order, or not."),
]
Language = Annotated[
    Optional[LanguageOption],  # noqa: UP045
    typer.Option("--lang", help="The language of what is printed and shown."),
]


def workspace_root(folder: str | None) -> Path:
    """The workspace, absolute, symbolic links resolved."""
    try:
        root = Path(folder or os.getcwd()).expanduser().resolve(strict=True)
    except FileNotFoundError:
        where = safe_text(folder) if folder else _("the current folder")
        raise Problem(_("no such folder: {folder}").format(folder=where)) from None
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Problem(
            _("cannot open {folder}: {why}").format(folder=safe_text(folder or "."), why=why)
        ) from None
    if not root.is_dir():
        raise Problem(_("not a folder: {folder}").format(folder=safe_text(str(root))))
    if not os.access(root, os.R_OK | os.X_OK):
        raise Problem(_("cannot read folder: {folder}").format(folder=safe_text(str(root))))
    return root
