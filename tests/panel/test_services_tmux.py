"""The real panel in a real tmux: copy, the agent's pane, and an editor that comes and goes."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.panel.in_tmux import NAME, Tmux

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path)
    yield server
    assert not list(tmp_path.rglob("ran"))
    server("kill-server")


# Copy


def test_tmux_has_what_was_copied(tmux: Tmux) -> None:
    tmux.start()
    for way in ("external", "on", "off"):
        tmux("set", "-s", "set-clipboard", way)
        tmux.press("y")
        tmux.wait(lambda: tmux("show-buffer") == NAME, f"the path, by {way}")
        tmux.press("Y")
        tmux.wait(lambda: tmux("show-buffer") == f"{NAME}:1", f"the line, by {way}")
    tmux.shows(f"copied by tmux: {NAME}:1")


def test_a_tmux_that_cannot_be_asked_is_sent_it(tmux: Tmux) -> None:
    tmux.start("set", "-s", "set-clipboard", "on", ";", without="TMUX", TERM="tmux-256color")
    tmux.press("y")
    tmux.shows("sent to tmux, which takes it if set-clipboard is on")
    tmux.wait(lambda: tmux("show-buffer") == NAME, "the text")


# The agent's pane


def test_a_mention_is_typed_into_the_pane_that_was_chosen(tmux: Tmux) -> None:
    claude = tmux.folder / "claude"
    claude.write_text("import sys\nfor line in sys.stdin:\n    print('told', line)\n")
    tmux.start()
    inside = str(tmux.root / "docs").replace("#", "##")
    tmux("split-window", "-d", "-h", "-c", "/", "cat")
    tmux("split-window", "-d", "-h", "-t", ":0.1", "-c", inside, shlex.join([sys.executable, str(claude)]))
    tmux.press("@")
    tmux.shows("Which pane")
    tmux.shows("▌ pane 2  claude")
    tmux.press("Enter")
    tmux.shows('@"指 南.md"', "2")
    tmux.shows("typed into claude, pane 2")
    assert not tmux.screen("1").strip() and "told" not in tmux.screen("2")


def test_the_pane_is_remembered_and_may_be_scrolled_back(tmux: Tmux) -> None:
    tmux.start()
    tmux("split-window", "-d", "-c", str(tmux.root).replace("#", "##"), "cat")
    tmux.press("@")
    tmux.shows("Which pane does the agent run in?")
    tmux.press("Enter")
    text = f'@"{NAME}"'
    tmux.shows(text, "1")
    tmux("copy-mode", "-t", ":0.1")
    tmux.press("@")
    tmux.wait(lambda: tmux.screen("1").count(text) == 2, "the second mention")
    # cat says a line again when it ends: nothing has ended it.
    assert tmux.screen("1").strip() == f"{text} {text}"
    tmux("kill-pane", "-t", ":0.1")
    tmux.press("@")
    tmux.shows("there is no other pane in this session of tmux")


# The editor


def edited(tmux: Tmux) -> list[str]:
    tmux.wait(lambda: (tmux.folder / "edited").exists(), "the editor")
    return (tmux.folder / "edited").read_text().splitlines()


def test_an_editor_comes_and_goes(tmux: Tmux) -> None:
    tmux.start()
    tmux.press("e")
    assert edited(tmux) == [str(tmux.root), "+1", str(tmux.root / NAME)]
    tmux.shows("EDITING")
    assert "First line" not in tmux.screen()
    tmux.press("C-c")  # is the editor's own, which ends by it
    tmux.shows("nano ended with")
    (tmux.folder / "edited").unlink()
    tmux.press("e")
    edited(tmux)
    tmux.press("more words", "Enter")
    tmux.shows("more words")
    tmux.shows("First line")
    assert "EDITING" not in tmux.screen()
    tmux.press("y")
    tmux.shows("copied by tmux")
    tmux.press("q")
    tmux.ends(0)


def test_a_signal_ends_the_editor_and_then_the_panel(tmux: Tmux) -> None:
    tmux.start()
    tmux.press("e")
    edited(tmux)
    os.kill(int(tmux("display-message", "-p", "#{pane_pid}")), signal.SIGTERM)
    tmux.ends(128 + signal.SIGTERM)


def test_an_editor_in_a_pane_of_its_own(tmux: Tmux) -> None:
    tmux.start(KNIT_EDITOR_PLACE="pane")
    tmux.press("e")
    assert edited(tmux) == [str(tmux.root), "+1", str(tmux.root / NAME)]
    tmux.shows("EDITING", "1")
    tmux.shows("opened in nano, beside the panel")
    tmux.press("more words", "Enter", pane="1")
    tmux.shows("more words")
