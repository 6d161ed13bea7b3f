"""The panes of tmux: which there are, which one is the agent's, and what is typed into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.faces.tui.services import panes
from knit_tui.faces.tui.services.files import hidden_characters
from knit_tui.faces.tui.services.programs import Done, Refused
from tests.panel.machine import NO, TMUX, Machine, odd_workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return odd_workspace(tmp_path)


LISTING = """\
%0|0|0|1|0|0|0|/dev/pts/1|vm|knit|vm
%3|1|0|0|0|0|0|/dev/pts/4|vm|node|✳ a|b
%1|0|1|1|0|0|0|/dev/pts/2|vm|zsh|vm
%4|0|2|1|1|0|0|/dev/pts/5|vm|dead|vm
%5|0|3|1|0|1|0|/dev/pts/6|vm|off|vm
%6|0|4|1|0|0|1|/dev/pts/7|vm|together|vm
%2|0|10|1|0|0|0|/dev/pts/3|vm|2.1.3|vm
broken
"""
PROCESSES = b"pts/4    node --x /usr/local/bin/gemini\npts/3    -zsh\npts/3 claude --resume\npts/2 -zsh\n"


def tmux_machine(**answers: Done) -> Machine:
    def tmux(command: Sequence[str]) -> Done:
        for word, done in answers.items():
            if word.replace("_", "-") in command:
                return done
        if "list-panes" in command:
            return Done(0, LISTING.encode())
        return Done(0, b"0\n" if "#{pane_in_mode}" in command else b"")

    return Machine(("tmux", "ps"), TMUX, answers={"tmux": tmux, "ps": Done(0, PROCESSES)})


def test_panes_and_what_runs_in_them() -> None:
    found = panes.panes(tmux_machine())
    assert [(pane.id, pane.here, pane.program, pane.title) for pane in found] == [
        ("%1", True, "zsh", ""),
        ("%2", True, "claude", ""),
        ("%3", False, "gemini", "✳ a|b"),
    ]
    for agent, pane in (("gemini", "%3"), ("claude", "%2"), ("codex", "%2"), ("", "%2")):
        guessed = panes.guess(found, agent)
        assert guessed is not None and guessed.id == pane
    assert panes.guess(found[:1], "claude") is None


@pytest.mark.parametrize(
    ("command", "agent"),
    [
        ("claude", "claude"),
        ("/opt/x/claude --resume", "claude"),
        ("node /usr/bin/codex.js", "codex"),
        ("node --no-warnings /usr/lib/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
        ("python3.11 /usr/bin/aider --model x", "aider"),
        ("cursor-agent", "cursor"),
        ("vim claude", ""),
        ("vim /home/me/claude/notes.md", ""),
        ("-zsh", ""),
        ("", ""),
    ],
)
def test_the_agent_of_a_command(command: str, agent: str) -> None:
    assert panes.agent_of(command) == agent


def test_without_tmux_one_line_says_so() -> None:
    for machine in (Machine(("tmux",)), Machine(("tmux",), {"TMUX": "x,1,0"})):
        with pytest.raises(Refused, match="this needs tmux"):
            panes.panes(machine)
    with pytest.raises(Refused, match="no such program: tmux"):
        panes.panes(Machine((), TMUX))


def test_a_pane_is_known_again_while_the_same_runs_in_it() -> None:
    machine = tmux_machine()
    found = panes.panes(machine)
    word = panes.remember(found[1], machine)
    assert word == "4711:%2:claude"
    assert panes.recall(found, word, machine) is found[1]
    assert panes.recall(found[:1], word, machine) is None
    assert panes.recall(found, "4711:%1:claude", machine) is None
    other = Machine(environ={**TMUX, "TMUX": "/tmp/tmux-1000/default,4712,0"})
    assert panes.recall(found, word, other) is None
    odd = panes.Pane("%9", "0", "0", True, "x\x1b\n" * 90)
    assert panes.remember(odd, machine).isprintable() and len(panes.remember(odd, machine)) < 100


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude", "src/a.py", "@src/a.py "),
        ("claude", "a b.md", '@"a b.md" '),
        ("claude", "web/[id].tsx", '@"web/[id].tsx" '),
        ("claude", 'a"b c', '@a"b c '),
        ("gemini", "a b.md", "@a\\ b.md "),
        ("qwen", "web/[id].tsx", "@web/\\[id\\].tsx "),
        ("codex", "web/[id].tsx", "@web/[id].tsx "),
        ("codex", "a b.md", '@"a b.md" '),
        ("aider", "a.py", "a.py "),
        ("", "文件.md", "@文件.md "),
    ],
)
def test_a_mention_as_the_agent_reads_it(agent: str, path: str, text: str) -> None:
    assert panes.mention(agent, path) == text


@given(st.text(), st.sampled_from(("claude", "gemini", "codex", "aider", "")))
def test_a_mention_adds_nothing_that_ends_a_line(path: str, agent: str) -> None:
    if not hidden_characters(path):
        assert not hidden_characters(panes.mention(agent, path))


def test_what_is_typed_and_never_enter(root: Path) -> None:
    machine = tmux_machine()
    pane = panes.panes(machine)[1]
    assert panes.send(machine, pane, "", str(root), "-n.py") == "@-n.py "
    assert machine.ran[-1] == ("tmux", "-u", "send-keys", "-t", "%2", "-l", "--", "@-n.py ")
    assert not any("Enter" in word or "\n" in word for command in machine.ran for word in command)
    count = len(machine.ran)
    for rel in ("a\n.py", "a\r", "\x1b[A", "a\u202eb", "\udcff"):
        with pytest.raises(Refused, match="hidden characters"):
            panes.send(machine, pane, "", str(root), rel)
    assert not any("send-keys" in command for command in machine.ran[count:])


def test_a_pane_that_is_scrolled_back_is_brought_to_its_end(root: Path) -> None:
    machine = Machine(("tmux",), TMUX)
    machine.answers["tmux"] = lambda command: Done(0, b"1" if "#{pane_in_mode}" in command else b"")
    panes.send(machine, panes.Pane("%2", "0", "1", True, "claude"), "", str(root), "a.py")
    sent = [command[4:] for command in machine.ran if "send-keys" in command]
    assert sent == [("%2", "-X", "cancel"), ("%2", "-l", "--", "@a.py ")]


@pytest.mark.parametrize(
    ("folder", "text"), [("", "@a.py "), ("docs", "@../a.py "), ("..", "@work/a.py "), ("/tmp", None)]
)
def test_the_path_is_that_of_the_agents_folder(root: Path, folder: str, text: str | None) -> None:
    (root.parent / "other").mkdir()
    place = root / folder if folder != "/tmp" else root.parent / "other"
    machine = Machine(("tmux",), TMUX)
    said = f"{place}\n".encode()
    machine.answers["tmux"] = lambda command: Done(0, said if "#{pane_current_path}" in command else b"0")
    typed = panes.send(machine, panes.Pane("%2", "0", "1", True, "claude"), "claude", str(root), "a.py")
    assert typed == (text or f"@{root / 'a.py'} ")


def test_a_pane_that_is_gone(root: Path) -> None:
    machine = tmux_machine(send_keys=NO)
    with pytest.raises(panes.Gone):
        panes.send(machine, panes.panes(machine)[0], "", str(root), "a.py")
