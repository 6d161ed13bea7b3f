"""The ``knit`` command: parse, call, print.

Exit status: 0 something was found or done, 1 nothing matched, 2 wrong use or a workspace that cannot
be read. Errors are one line on stderr. Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import os
import sys

import typer

from knit_tui.cli.cache import cache_app
from knit_tui.cli.controls import exclude, pin, restore, unpin
from knit_tui.cli.options import FOUND, WRONG, Problem
from knit_tui.cli.sessions import sessions
from knit_tui.cli.show import demo, files, knit, pack
from knit_tui.faces.i18n import use_language

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.callback(invoke_without_command=True)(knit)
for command in (pack, pin, unpin, exclude, restore, sessions, files, demo):
    app.command()(command)
app.add_typer(cache_app, name="cache")


def main() -> None:
    """Run the command and leave the process with its exit status."""
    _open_streams()
    use_language()
    sys.exit(_run())


def _open_streams() -> None:
    """Make the standard streams take any text; a closed one becomes the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _run() -> int:
    command = typer.main.get_command(app)
    try:
        status = command.main(standalone_mode=False)
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
        print(f"knit: {error.format_message()} (knit --help tells more)", file=sys.stderr)
        return WRONG
    return int(status or 0)
