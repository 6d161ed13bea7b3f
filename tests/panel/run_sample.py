"""Runs the panel over the sample in the terminal it is started in; for the tests of real terminals."""

from __future__ import annotations

import sys

from knit_tui.faces.tui import run_panel
from tests.panel import sample

if __name__ == "__main__":
    sys.exit(run_panel(sample.FakeHost(sample.snapshot(root=sys.argv[1]))))
