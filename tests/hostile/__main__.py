"""``python -m tests.hostile FOLDER…``: run hostile cases and say which hold."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .cases import find_cases
from .harness import KNIT, run_case
from .panel import Server, tmux_missing


def main(arguments: Sequence[str] | None = None) -> int:
    """0: every case holds, 1: one does not, 2: wrong use."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument(
        "folder", nargs="+", type=Path, help="a case (it has a make.sh), or a folder of cases"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="say everything that was found")
    parser.add_argument("--command", default=shlex.join(KNIT), help="what to run as knit")
    parser.add_argument("--no-screen", action="store_true", help="leave out what needs the panel")
    parser.add_argument("--keep", action="store_true", help="do not remove the built folders")
    options = parser.parse_args(arguments)
    try:
        cases = find_cases(options.folder)
    except FileNotFoundError as error:
        print(f"hostile: {error}", file=sys.stderr)
        return 2
    missing = "--no-screen" if options.no_screen else tmux_missing()
    failed = 0
    with contextlib.ExitStack() as stack:
        server = None if missing else stack.enter_context(Server())
        for case in cases:
            report = run_case(
                case,
                command=shlex.split(options.command),
                server=server,
                no_screen=missing,
                keep=options.keep,
            )
            failed += not report.ok
            print(report.line(), flush=True)
            if options.verbose:
                print("\n".join(report.details()), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
