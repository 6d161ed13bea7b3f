"""The file that a document is, for programs that get its path."""

from __future__ import annotations

import os
import stat

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.services.programs import Refused
from knit_tui.workspace.beneath import parts_of


def hidden_characters(text: str) -> bool:
    """Whether ``text`` holds characters that a terminal acts on or does not show."""
    return safe_text(text) != text


def real_file(root: str, rel: str) -> str:
    """The absolute path of a regular file of the workspace; no link leads to it.

    Being absolute it begins with a slash: no program takes it for an option.

    Raises:
        Refused: there is no such file.
    """
    name = plain(rel.rpartition("/")[2])
    top = os.path.realpath(root)
    path = os.path.join(top, rel)
    if parts_of(rel) is None or os.path.realpath(path) != path:
        raise Refused(_("outside the workspace: {name}").format(name=name))
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        raise Refused(_("no such file now: {name}").format(name=name)) from None
    if not stat.S_ISREG(mode):
        raise Refused(_("not a regular file: {name}").format(name=name))
    return path
