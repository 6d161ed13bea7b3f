"""The system's own program for a document, and its folder in the file manager.

What the system opens it may also run. So only documents, data and media go there, told by their endings;
pages too, which may run scripts: whoever asks for one is asked back. Everything else is for the editor. A
folder is shown, never run: some systems run those of a certain name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import Enum

from knit_tui.config.editors import filled
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.services.files import real_file
from knit_tui.faces.tui.services.programs import Refused

_PAGES = frozenset("htm html xhtml xht shtml mht mhtml svg svgz".split())
_HARMLESS = frozenset(
    """
    png jpg jpeg jfif gif webp avif bmp ico tif tiff heic heif jxl
    mp4 m4v webm mov ogv avi mkv mpg mpeg mp3 m4a ogg oga opus flac wav aac
    md markdown mdown mkd mkdn txt text rst rest adoc asciidoc org log pdf epub
    csv tsv json jsonl yaml yml toml
    """.split()
)


class Way(Enum):
    """What becomes of a document that is to be opened."""

    SYSTEM = "system"
    BROWSER = "browser"
    """The system opens it in a browser, where it may run scripts."""
    EDITOR = "editor"
    """The system might run it."""


def way_of(rel: str) -> Way:
    """How a document may be opened, by its name."""
    stem, _dot, ending = rel.rpartition("/")[2].lower().rpartition(".")
    if stem and ending in _PAGES:
        return Way.BROWSER
    return Way.SYSTEM if stem and ending in _HARMLESS else Way.EDITOR


def open_file(services: Services, root: str, rel: str) -> str:
    """Open a document that is not for the editor; the name of what opens it.

    Raises:
        Refused: there is no such file, nothing to open it with, or that failed.
    """
    path = real_file(root, rel)
    editor = services.editor
    if way_of(rel) is Way.EDITOR:
        raise Refused(_("not opened, the system might run it: {name}").format(name=plain(rel)))
    chosen = editor.opener if isinstance(editor.opener, tuple) else (_opener(services),)
    command = filled(chosen, path)
    return _started(services, command, os.path.dirname(path))


def open_folder(services: Services, root: str) -> str:
    """Show the workspace in the file manager; the name of what shows it.

    Raises:
        Refused: there is no such folder, nothing to show it with, or that failed.
    """
    path = os.path.realpath(root)
    if not os.path.isdir(path):
        raise Refused(_("no such folder now: {name}").format(name=plain(path)))
    if services.programs.platform == "darwin" and "." in os.path.basename(path):
        # Beside its neighbours: what is called an app would be run.
        return _started(services, ["open", "-R", path], path)
    named = _named_by_windows(services, path)
    return _started(services, ["explorer.exe", named] if named else [_opener(services), path], path)


def reveal(services: Services, root: str, rel: str) -> str:
    """Show a document in the file manager; the name of what shows it.

    Raises:
        Refused: there is no such file, nothing to show it with, or that failed.
    """
    path = real_file(root, rel)
    folder = os.path.dirname(path)
    if services.programs.platform == "darwin":
        return _started(services, ["open", "-R", path], folder)
    named = _named_by_windows(services, path)
    if named:
        return _started(services, ["explorer.exe", f"/select,{named}"], folder)
    return _started(services, [_opener(services), folder], folder)


def _windows(services: Services) -> bool:
    return "WSL_DISTRO_NAME" in services.programs.environ


def _named_by_windows(services: Services, path: str) -> str:
    """What Windows, in which we run, calls a path; empty where there is no Explorer to show it."""
    programs = services.programs
    named = programs.find("wslpath")
    if not (_windows(services) and programs.find("explorer.exe") and named):
        return ""
    said = programs.run((named, "-w", path), answer=True)
    return os.fsdecode(said.output.strip()) if said.well else ""


def _opener(services: Services) -> str:
    """The program that opens anything."""
    programs = services.programs
    if programs.platform == "darwin":
        return "open"
    if _windows(services) and programs.find("wslview"):
        return "wslview"
    if not any(programs.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        raise Refused(_("there is no display here to open it on"))
    return "xdg-open"


def _started(services: Services, command: Sequence[str], folder: str) -> str:
    name = plain(os.path.basename(command[0]))
    program = services.programs.find(command[0])
    if program is None:
        raise Refused(_("no such program: {name}").format(name=name))
    done = services.programs.start((program, *command[1:]), folder)
    if done.fault:
        raise Refused(_("{name} did not start: {why}").format(name=name, why=done.fault))
    if done.code and name != "explorer.exe":  # whose code is 1, whatever it did
        raise Refused(_("{name} ended with {code}").format(name=name, code=done.code))
    return name
