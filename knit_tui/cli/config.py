"""The command about the settings: what is in force and who says so, and a file to begin with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from knit_tui.cli.options import FOUND, NOTHING, Folder, ListFormat, Problem, workspace_root
from knit_tui.cli.settings import actions_of, load_settings, warn
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text


def config(
    context: typer.Context,
    folder: Folder = None,
    path: Annotated[bool, typer.Option("--path", help="Print where your file is or would be.")] = False,
    init: Annotated[
        bool, typer.Option("--init", help="Write a file to begin with, unless you have one.")
    ] = False,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print them.")] = ListFormat.TEXT,
) -> None:
    """Print the settings in force, and where each was set."""
    if path and init:
        raise Problem(_("--path or --init, not both"))
    if path:
        print(safe_text(str(_own_file())))
        raise typer.Exit(FOUND)
    if init:
        raise typer.Exit(_begin(_own_file()))
    root = workspace_root(folder or context.obj.folder)
    loaded = load_settings(root, context.obj)
    actions, faults = actions_of(loaded)
    from knit_tui.faces.config import config_json, config_text

    keys = {action.id: action.keys for action in actions if action.group}
    if output is ListFormat.JSON:
        print(config_json(loaded, keys, faults))
    else:
        print(config_text(loaded, keys), end="")
    warn(faults)
    raise typer.Exit(FOUND)


def _own_file() -> Path:
    from knit_tui.config.files import USER_NAME
    from knit_tui.paths import NoFolder, config_folder

    try:
        return config_folder() / USER_NAME
    except NoFolder as error:
        off = error.reason == "off"
        why = _("KNIT_CONFIG_DIR is off") if off else _("there is no home folder; KNIT_CONFIG_DIR names one")
        raise Problem(_("you have no settings: {why}").format(why=why)) from None


def _begin(file: Path) -> int:
    from knit_tui.faces.config import config_file
    from knit_tui.faces.tui.actions import key_text
    from knit_tui.faces.tui.registry import ACTIONS

    keys = {action.id: tuple(map(key_text, action.keys)) for action in ACTIONS if action.group}
    text = config_file(keys)
    shown = safe_text(str(file))
    if os.path.lexists(file):
        print("knit: " + _("you have settings already: {path}").format(path=shown), file=sys.stderr)
        return NOTHING
    try:
        os.makedirs(file.parent, mode=0o700, exist_ok=True)
        # Whatever has got this name meanwhile stays as it is.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        with open(descriptor, "wb") as opened:
            opened.write(text.encode())
    except OSError as error:
        raise Problem(_("cannot write {path}: {why}").format(path=shown, why=error.strerror)) from None
    print(_("wrote {path}").format(path=shown))
    return FOUND
