"""The user's editor, at a line: which one it is, how it is called, and where it opens."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knit_tui.config.editors import EDITORS, Preset, filled
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.services.files import real_file
from knit_tui.faces.tui.services.programs import Done, Programs, Refused

_VARIABLES = ("VISUAL", "EDITOR")
_USUAL = ("nvim", "vim", "vi", "nano")
"""What is looked for where nothing is set."""


def _windowed(*arguments: str) -> Preset:
    return Preset(("", *arguments), terminal=False)


def _in_terminal(*arguments: str) -> Preset:
    return Preset(("", *arguments), terminal=True)


_PLUS = ("+{line}", "{path}")
_LINE = ("--line", "{line}", "{path}")
_PROGRAMS: Mapping[str, Preset] = {
    **{preset.command[0]: preset for preset in EDITORS.values()},
    **{name: _in_terminal(*_PLUS) for name in ("vimx", "view", "nvim.appimage", "vis", "joe", "mg")},
    **{name: _in_terminal(*_PLUS) for name in ("ne", "pico", "mcedit")},
    **{name: _windowed(*_PLUS) for name in ("gvim", "mvim", "gedit", "xed", "pluma")},
    **{name: _windowed("--goto", "{path}:{line}") for name in ("code-insiders", "windsurf", "kiro", "trae")},
    **{name: _windowed("{path}:{line}") for name in ("zeditor", "zed-editor", "sublime_text")},
    **{name: _windowed(*_LINE) for name in ("pycharm", "webstorm", "goland", "clion", "phpstorm", "rider")},
    **{name: _windowed(*_LINE) for name in ("rubymine", "rustrover", "kate", "kwrite", "mate", "studio")},
    "helix": _in_terminal("{path}:{line}"),
    "ed": _in_terminal("{path}"),
    "neovide": _windowed("{path}", "--", "+{line}"),
    "nvim-qt": _windowed("{path}", "--", "+{line}"),
}
"""Every editor that is known, by its program."""
_TO_TERMINAL = ("-t", "-nw", "--tty", "--no-window-system")
"""With these an editor that has windows opens in the terminal."""
_TO_WINDOW = ("-g",)
"""With these vim opens a window."""
_LOOKS_LIKE_A_LINE = re.compile(r":\d*\Z")


@dataclass(frozen=True, slots=True)
class Call:
    """An editor, ready to be run."""

    command: tuple[str, ...]
    """The program by its absolute path, and its arguments."""
    terminal: bool
    """It runs in a terminal."""

    @property
    def name(self) -> str:
        return plain(os.path.basename(self.command[0]))


def call(services: Services, root: str, rel: str, line: int | None) -> Call:
    """How the editor is run for a document; without a ``line`` it opens at the top.

    Raises:
        Refused: there is no such file, or no editor.
    """
    path = real_file(root, rel)
    editor, programs = services.editor, services.programs
    if isinstance(editor.command, tuple):
        return _of_words(editor.command, path, line, programs, to_fill=True)
    if editor.command != "auto":
        return _of_words((EDITORS[editor.command].command[0],), path, line, programs)
    for variable in _VARIABLES:
        text = programs.environ.get(variable, "").strip()
        if text:
            try:
                words = shlex.split(text)
            except ValueError:
                raise Refused(_("{variable} is no command").format(variable="$" + variable)) from None
            if words:
                return _of_words(words, path, line, programs)
    for name in _USUAL:
        if programs.find(name) is not None:
            return _of_words((name,), path, line, programs)
    raise Refused(_("no editor found: set $EDITOR, or editor.command in the settings"))


def _of_words(
    words: Sequence[str], path: str, line: int | None, programs: Programs, *, to_fill: bool = False
) -> Call:
    """A program and its arguments as the user wrote them; what they leave open is as for its preset.

    Args:
        words: the program and its arguments.
        path: the file, absolute.
        line: counts from 1.
        programs: where it is found.
        to_fill: ``{path}`` and ``{line}`` among the arguments have a meaning.
    """
    program, arguments = words[0], tuple(words[1:])
    name = os.path.basename(program)
    preset = _PROGRAMS.get(name)
    terminal = preset is None or preset.terminal
    rest = preset.command[1:] if preset is not None else ("{path}",)
    if "emacs" in name and any(each in _TO_TERMINAL for each in arguments):
        terminal, rest = True, tuple(each for each in rest if each not in ("-n", "-nw"))
    elif "vi" in name and any(each in _TO_WINDOW for each in arguments):
        terminal = False
    if to_fill and any("{path}" in each for each in arguments):
        return _ready(program, (), arguments, terminal, path, line, programs)
    return _ready(program, arguments, rest, terminal, path, line, programs)


def _ready(
    program: str,
    before: Sequence[str],
    arguments: Sequence[str],
    terminal: bool,
    path: str,
    line: int | None,
    programs: Programs,
) -> Call:
    """The call of ``program`` with ``before`` as it is and ``arguments`` filled."""
    found = programs.find(program)
    if found is None:
        raise Refused(_("no such program: {name}").format(name=plain(program)))
    joined = "{path}:{line}"
    if joined in arguments and (line is None or _LOOKS_LIKE_A_LINE.search(path)):
        # The end of such a name would be taken for a line.
        arguments = [each.replace(joined, "{path}") for each in arguments if each != "--goto"]
    return Call((found, *before, *filled(arguments, path, line or 1)), terminal)


def in_tmux(services: Services) -> bool:
    """Whether a terminal editor gets a place of its own in tmux."""
    return services.editor.place != "panel" and "TMUX" in services.programs.environ


def open_in_tmux(services: Services, editor: Call, root: str) -> Done:
    """Run ``editor`` in a new pane or window of the tmux we are in."""
    programs = services.programs
    tmux = programs.find("tmux")
    if tmux is None:
        return Done(None, fault=_("no such program: {name}").format(name="tmux"))
    verb = "split-window" if services.editor.place == "pane" else "new-window"
    pane = programs.environ.get("TMUX_PANE", "")
    where = ("-t", pane) if pane and verb == "split-window" else ()
    folder = os.path.realpath(root).replace("#", "##")  # tmux runs what it finds in #(…)
    command = [_whole(part) for part in editor.command]
    return programs.run((tmux, verb, *where, "-c", folder, *command))


def _whole(argument: str) -> str:
    """``argument`` so that tmux does not take a semicolon at its end for that of the command."""
    return argument[:-1] + "\\;" if argument.endswith(";") else argument
