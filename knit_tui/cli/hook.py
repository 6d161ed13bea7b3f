"""The command that agents run with each prompt."""

from __future__ import annotations

from typing import Annotated

import typer


def hook(
    words: Annotated[list[str] | None, typer.Argument(metavar="AGENT", help="Which agent calls.")] = None,
) -> None:
    """Answer a hook of an agent: what knit install AGENT --hook sets up."""
    from knit_tui.hook import run

    run(words[0] if words else "")
