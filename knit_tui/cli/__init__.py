"""The ``knit`` command: parse, call, print.

Exit status: 0 something was found or done, 1 nothing matched, 2 wrong use or a workspace that cannot
be read. Errors are one line on stderr. Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command and leave the process with its exit status."""
    # What is loaded stays: to look through it again and again is a tenth of the way to the first frame.
    gc.set_threshold(200_000, 20, 100)
    _open_streams()
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] not in (["-h"], ["--help"]):
        # To an agent the status of wrong use is an order to stop, so nothing may find fault with this
        # command; and it is the one that must not wait for the parser of the others.
        from knit_tui.hook import run as answer

        answer(sys.argv[2] if len(sys.argv) > 2 else "")
    try:
        from knit_tui.cli.app import run
        from knit_tui.faces.i18n import use_language

        use_language(_language(sys.argv[1:]))
        status = run()
    except KeyboardInterrupt:  # while all this was loaded
        status = 130
    sys.exit(status)


def _language(words: list[str]) -> str | None:
    """The language that ``--lang`` or the environment asks for, before either is checked; for ``--help``,
    which is told before anything else is done, also that of the settings."""
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    told = os.environ.get("KNIT_PANEL_LANGUAGE")
    if told or not {"-h", "--help"} & set(words):
        return told
    from pathlib import Path

    from knit_tui.config import load

    return load(Path(".")).settings.panel.language


def _open_streams() -> None:
    """Make the standard streams take any text; a closed one becomes the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
