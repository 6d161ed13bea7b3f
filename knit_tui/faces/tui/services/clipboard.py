"""A text to the clipboard, by every way that may lead there, and by which it went."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from knit_tui.faces.tui.services.programs import Programs

_OVER_SSH = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
_TMUX = (("tmux", "load-buffer", "-w", "-"), ("tmux", "load-buffer", "-"))
"""With ``-w`` tmux hands it to the terminal too, whatever ``set-clipboard`` says of programs; before 3.2
there is no such option."""


def copy(text: str, programs: Programs) -> tuple[str, ...]:
    """Copy ``text``; the names of the programs that took it. Nobody: only the terminal itself is left.

    tmux and the display have a clipboard each, so both get it where there are both.
    """
    data = os.fsencode(text)
    took = []
    if "TMUX" in programs.environ and any(_took(command, data, programs) for command in _TMUX):
        took.append("tmux")
    for name, command, utf16 in _helpers(programs):
        if _took(command, text.encode("utf-16-le", "replace") if utf16 else data, programs):
            took.append(name)
            break
    return tuple(took)


def ways(programs: Programs) -> tuple[str, ...]:
    """Those of the ones here that `copy` would try first, or the ``terminal`` if there are none; empty when
    nothing is left. Nothing is run."""
    found = ["tmux"] if "TMUX" in programs.environ and programs.find("tmux") else []
    found += [name for name, command, _utf16 in _helpers(programs) if programs.find(command[0])][:1]
    return tuple(found) or (("terminal",) if terminal_takes("", programs.environ) else ())


def terminal_takes(text: str, environ: Mapping[str, str]) -> bool:
    """Whether it makes sense to send ``text`` to the terminal as OSC 52; no terminal answers that."""
    deaf = environ.get("TERM", "") in ("", "dumb", "linux") or (
        environ.get("TERM_PROGRAM") == "Apple_Terminal" and "TMUX" not in environ
    )
    return not deaf and text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") == text


def in_other_tmux(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is a tmux that cannot be asked, as behind ssh; it may drop what it is sent."""
    return environ.get("TERM", "").startswith(("tmux", "screen")) and "TMUX" not in environ


def _took(command: tuple[str, ...], data: bytes, programs: Programs) -> bool:
    program = programs.find(command[0])
    return program is not None and programs.run((program, *command[1:]), data=data).well


def _helpers(programs: Programs) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Name, command and whether it wants UTF-16, of every helper for the display that the user sits at."""
    environ = programs.environ
    remote = any(name in environ for name in _OVER_SSH)
    if environ.get("WAYLAND_DISPLAY") and not remote:
        yield "wl-copy", ("wl-copy", "--type", "text/plain"), False
    if environ.get("DISPLAY"):  # over ssh it is the one of the user's side
        yield "xclip", ("xclip", "-in", "-selection", "clipboard"), False
        yield "xsel", ("xsel", "--clipboard", "--input"), False
    if remote:
        return
    if programs.platform == "darwin":
        yield "pbcopy", ("env", "LC_CTYPE=UTF-8", "pbcopy"), False
    if "WSL_DISTRO_NAME" in environ:
        yield "clip.exe", ("clip.exe",), True
