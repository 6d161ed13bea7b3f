"""The facts of ``knit doctor`` about the terminal, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knit_tui.faces.doctor import Fact, Section
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.abilities import Tmux
from knit_tui.faces.tui.actions import key_text
from knit_tui.faces.tui.registry import Action

LATE_MS = 100
"""A wait for Esc that is felt."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is known of the terminal. ``problem``: why the panel cannot run in it, if ``here`` is one."""

    here: bool
    problem: str
    program: str
    kind: str
    size: tuple[int, int] | None
    encoding: str
    colours: str
    dark: bool | None
    mouse: bool
    ascii: bool
    copying: tuple[str, ...]
    """The programs that would take a text; ``terminal`` is the terminal itself."""
    ssh: bool
    tmux: Tmux | None
    taken: Sequence[tuple[Action, tuple[str, ...]]]
    """Actions with keys that tmux keeps for itself, and those keys."""


def terminal(found: Terminal) -> Section:
    """Everything about it."""
    facts = [
        _panel(found),
        _plain("program", _("program"), found.program),
        _plain("term", "TERM", found.kind),
    ]
    if found.size is not None:
        columns, lines = found.size
        text = _("{columns} columns, {lines} lines").format(columns=columns, lines=lines)
        facts.append(Fact("size", _("size"), (str(columns), str(lines)), text))
    marks = _("{encoding}: marks in ASCII") if found.ascii else "{encoding}"
    unknown = _("not told")
    facts.append(
        Fact("encoding", _("encoding"), found.encoding, marks.format(encoding=found.encoding or unknown))
    )
    facts += [
        Fact("colours", _("colours"), found.colours, _colours(found.colours)),
        Fact("background", _("background"), *_background(found.dark)),
        Fact(
            "mouse", _("mouse"), found.mouse, _("listened to") if found.mouse else _("left to the terminal")
        ),
        _pictures(found),
        Fact("copying", _("copying"), found.copying, _copying(found.copying)),
        Fact("ssh", "ssh", found.ssh, _("yes") if found.ssh else _("no")),
    ]
    return Section("terminal", _("Terminal"), (*facts, *_tmux(found)))


def _plain(name: str, label: str, value: str) -> Fact:
    return Fact(name, label, value or None, value or _("not told"))


def _panel(found: Terminal) -> Fact:
    if not found.problem:
        return Fact("panel", _("panel"), True, _("runs here"))
    # Without a terminal nobody asked for a panel.
    problem = found.problem if found.here else ""
    return Fact("panel", _("panel"), False, "" if problem else found.problem, problem)


def _colours(count: str) -> str:
    return {
        "truecolor": _("all"),
        "256": _("256; a terminal that has more says so with COLORTERM=truecolor"),
        "16": _("16; a terminal that has more says so with TERM=xterm-256color or COLORTERM=truecolor"),
        "none": _("none: NO_COLOR or TERM says so"),
    }[count]


def _background(dark: bool | None) -> tuple[str | None, str]:
    if dark is None:
        return None, _("not told: taken for dark")
    return ("dark", _("dark")) if dark else ("light", _("light"))


def _pictures(found: Terminal) -> Fact:
    drawn = found.colours in ("truecolor", "256") and not found.ascii
    text = _("drawn in half blocks") if drawn else _("told by their facts: too few colours or signs")
    return Fact("pictures", _("pictures"), drawn, text)


def _copying(ways: Sequence[str]) -> str:
    if not ways:
        return _("nothing here can copy: install wl-clipboard, xclip or xsel")
    named = [
        _("the terminal (OSC 52), which does not say whether it did") if w == "terminal" else w for w in ways
    ]
    return _(", ").join(named)


def _tmux(found: Terminal) -> list[Fact]:
    tmux = found.tmux
    if tmux is None:
        return [Fact("tmux", "tmux", None, _("not in one"))]
    silent = _("{version}, gives no answer") if tmux.version else _("not found, though TMUX is set")
    text = tmux.version if tmux.answers else silent.format(version=tmux.version)
    facts = [Fact("tmux", "tmux", tmux.version or None, text)]
    if tmux.escape_ms is not None:
        text = _("after {count} ms").format(count=tmux.escape_ms)
        if tmux.escape_ms > LATE_MS:
            text += _(": tmux set -s escape-time 10 makes it quick")
        facts.append(Fact("escape", _("Esc comes"), tmux.escape_ms, text))
    dead = [action for action, keys in found.taken if len(keys) == len(action.keys)]
    taken = [key_text(key) for _action, keys in found.taken for key in keys]
    problem = ""
    if dead:
        text = _("tmux keeps the only keys of {actions}: give them others under [keys] (knit config --init)")
        problem = text.format(actions=", ".join(action.id for action in dead))
    facts.append(
        Fact("taken", _("keys of tmux"), tuple(taken), " ".join(taken) or _("none of the panel's"), problem)
    )
    return facts
