"""The pane of tmux that the agent runs in, and what is typed into it: a mention, and never Enter."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.services.files import hidden_characters
from knit_tui.faces.tui.services.programs import Programs, Refused

_FIELDS = (
    *("pane_id", "window_index", "pane_index", "window_active", "pane_dead", "pane_input_off"),
    *("pane_synchronized", "pane_tty", "host", "pane_current_command", "pane_title"),
)
_SEPARATOR = "|"
"""tmux replaces control characters where the locale is not UTF-8, so it is none."""
_AGENTS: Mapping[str, str] = {
    **{name: name for name in "claude codex copilot gemini qwen pi dsh opencode crush goose aider".split()},
    **{name: name for name in "amp droid kimi auggie cline".split()},
    "cursor-agent": "cursor",
}
"""By the name of the program."""
_PACKAGES = {"claude-code": "claude", "gemini-cli": "gemini", "qwen-code": "qwen"}
"""By a folder that the program lies in."""
_INTERPRETER = re.compile(r"(?:node|bun|deno|python|npx|bunx|uvx?|env|MainThread)[\d.]*\Z")
_WORDS = 4
"""Words of a command line in which the program of an interpreter is looked for."""
_PLAIN = re.compile(r"[\w./@+=:-]+", re.ASCII)
_ESCAPED = re.compile(r"""([\s()\[\]{};|*?$`'"#&<>!~])""")
_BACKSLASH = ("gemini", "qwen")
"""Agents that want special characters escaped; the others read quotation marks."""
_BARE = ("aider",)
"""Agents that look for names of files in what is written."""
_LONGEST = 40


class Gone(Refused):
    """The pane is no longer there."""


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane of the session the panel runs in. Every text of it is as tmux has it, not safe."""

    id: str
    window: str
    index: str
    here: bool
    """In the window of the panel."""
    command: str
    title: str = ""
    agent: str = ""
    """Which agent seems to run in it."""

    @property
    def program(self) -> str:
        """What runs in it."""
        return self.agent or self.command


def server(programs: Programs) -> str:
    """What tells this tmux from others, where ids of panes begin anew; empty outside of tmux."""
    return programs.environ.get("TMUX", "").rpartition(",")[0].rpartition(",")[2]


def panes(programs: Programs) -> tuple[Pane, ...]:
    """The panes that something can be typed into, those of this window first, without the panel's own.

    Raises:
        Refused: there is no tmux, or it does not answer.
    """
    own = programs.environ.get("TMUX_PANE", "")
    if "TMUX" not in programs.environ or not own:
        raise Refused(_("this needs tmux: run knit and the agent in panes of the same session"))
    form = _SEPARATOR.join(f"#{{{name}}}" for name in _FIELDS)
    found: list[tuple[Pane, str]] = []
    for line in _ask(programs, "list-panes", "-s", "-t", own, "-F", form).splitlines():
        parts = line.split(_SEPARATOR, len(_FIELDS) - 1)
        if len(parts) < len(_FIELDS):
            continue
        pane, window, index, active, dead, off, together, tty, host, command, title = parts
        if pane == own or "1" in (dead, off) or together == "1":
            continue
        title = "" if title == host else title  # nothing has given it one
        found.append((Pane(pane, window, index, active == "1", command, title), tty))
    running = _running(programs, [tty for _pane, tty in found])
    return tuple(sorted((_with_agent(pane, running.get(tty, ())) for pane, tty in found), key=_order))


def _order(pane: Pane) -> tuple[bool, int, int]:
    window, index = (int(each) if each.isdecimal() else 0 for each in (pane.window, pane.index))
    return not pane.here, window, index


def _with_agent(pane: Pane, commands: Sequence[str]) -> Pane:
    agent = next(filter(None, map(agent_of, (pane.command, *commands))), "")
    return Pane(pane.id, pane.window, pane.index, pane.here, pane.command, pane.title, agent)


def agent_of(command: str) -> str:
    """The agent that a command line runs, also through an interpreter; empty when it is none."""
    first, *rest = command.split()[:_WORDS] or [""]
    words = [first, *rest] if _INTERPRETER.match(os.path.basename(first)) else [first]
    for word in words:
        *folders, name = word.lower().split("/")
        found = _AGENTS.get(name.removesuffix(".js").removesuffix(".exe"), "")
        found = found or next((_PACKAGES[each] for each in folders if each in _PACKAGES), "")
        if found:
            return found
    return ""


def _running(programs: Programs, ttys: Sequence[str]) -> dict[str, list[str]]:
    """The command lines on each terminal, as far as the system tells."""
    ps = programs.find("ps")
    names = [tty.removeprefix("/dev/") for tty in ttys if tty.startswith("/dev/")]
    if ps is None or not names:
        return {}
    said = programs.run((ps, "-o", "tty=,args=", "-t", ",".join(names)), answer=True)
    out: dict[str, list[str]] = {}
    for line in said.output.decode("utf-8", "replace").splitlines():
        tty, _space, command = line.strip().partition(" ")
        out.setdefault("/dev/" + tty, []).append(command.strip())
    return out


def guess(found: Sequence[Pane], agent: str) -> Pane | None:
    """The pane of the agent that is followed, else of any agent."""
    first = [pane for pane in found if pane.agent == agent and agent]
    return next(iter([*first, *(pane for pane in found if pane.agent)]), None)


def remember(pane: Pane, programs: Programs) -> str:
    """What tells ``pane`` again as long as the same program runs in it, in one printable word."""
    kept = "".join(char for char in pane.program if char.isprintable())[:_LONGEST]
    return f"{server(programs)}:{pane.id}:{kept}"


def recall(found: Sequence[Pane], remembered: str, programs: Programs) -> Pane | None:
    """The pane that was remembered, if it is there and runs what it ran."""
    return next((pane for pane in found if remember(pane, programs) == remembered), None)


def mention(agent: str, path: str) -> str:
    """``path`` as the agent reads it in a prompt, with a space behind it."""
    if agent in _BACKSLASH:
        return "@" + _ESCAPED.sub(r"\\\1", path) + " "
    sign = "" if agent in _BARE else "@"
    if _PLAIN.fullmatch(path) or '"' in path or (agent != "claude" and " " not in path):
        return f"{sign}{path} "
    return f'{sign}"{path}" '


def send(programs: Programs, pane: Pane, agent: str, root: str, rel: str) -> str:
    """Type a mention of a document into ``pane``; what was typed.

    Args:
        programs: where tmux is.
        pane: as `panes` had it.
        agent: the one that is followed, in case that nothing tells what runs in the pane.
        root: the workspace.
        rel: the document.

    Raises:
        Gone: the pane is no longer there.
        Refused: the name has characters that are no text.
    """
    folder = _ask(programs, "display-message", "-p", "-t", pane.id, "#{pane_current_path}")
    text = mention(pane.agent or agent, _seen_from(folder, root, rel))
    if hidden_characters(text):
        raise Refused(_("not sent, the name has hidden characters"))
    if _ask(programs, "display-message", "-p", "-t", pane.id, "#{pane_in_mode}").strip() not in ("", "0"):
        _ask(programs, "send-keys", "-t", pane.id, "-X", "cancel")  # it would take the text for its keys
    _ask(programs, "send-keys", "-t", pane.id, "-l", "--", text)
    return text


def _seen_from(folder: str, root: str, rel: str) -> str:
    """The path of a document for an agent that runs in ``folder``."""
    top = os.path.realpath(root)
    here = os.path.realpath(folder.rstrip("\n") or top)
    if here == top:
        return rel
    path = os.path.join(top, rel)
    related = os.path.commonpath((here, top)) in (here, top)
    return os.path.relpath(path, here) if related else path


def _ask(programs: Programs, *arguments: str) -> str:
    tmux = programs.find("tmux")
    if tmux is None:
        raise Refused(_("no such program: {name}").format(name="tmux"))
    done = programs.run((tmux, "-u", *arguments), answer=True)
    if not done.well:
        raise Gone(_("tmux has no such pane now"))
    return done.output.decode("utf-8", "replace")
