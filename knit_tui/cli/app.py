"""All commands of ``knit``, and how one is run."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from knit_tui.cli.cache import cache_app
from knit_tui.cli.config import config
from knit_tui.cli.controls import exclude, pin, restore, unpin
from knit_tui.cli.doctor import doctor
from knit_tui.cli.help import Command, Group, fault_text
from knit_tui.cli.hook import hook
from knit_tui.cli.install import install
from knit_tui.cli.mcp import mcp
from knit_tui.cli.options import FOUND, WRONG, Problem
from knit_tui.cli.reads import reads
from knit_tui.cli.sessions import sessions
from knit_tui.cli.show import demo, files, knit, pack
from knit_tui.cli.why import why
from knit_tui.faces.i18n import _

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback(invoke_without_command=True)(knit)
for command in (
    pack,
    why,
    reads,
    pin,
    unpin,
    exclude,
    restore,
    sessions,
    files,
    config,
    doctor,
    demo,
    mcp,
    install,
    hook,
):
    app.command(cls=Command)(command)
app.add_typer(cache_app, name="cache")


def whole_command() -> Any:
    """``knit`` with all commands below it, as the parser has it."""
    return typer.main.get_command(app)


def run() -> int:
    """Run the command that the process was started with; its exit status."""
    try:
        status = whole_command().main(standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has all it wants; what is left in the buffer must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except OSError as error:
        # The output cannot be written, to a full disk perhaps; nothing more may go there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"knit: {error.strerror or error}", file=sys.stderr)
        return WRONG
    except Problem as problem:
        print(f"knit: {problem}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        text = _("{problem} (knit --help tells more)").format(problem=fault_text(error.format_message()))
        print("knit: " + text, file=sys.stderr)
        return WRONG
    return int(status or 0)
