"""How other programs are called: the clipboard, the editor, the opener."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.config.editors import EDITORS
from knit_tui.config.settings import Editor
from knit_tui.faces.tui.services import Services, clipboard, editor, opener
from knit_tui.faces.tui.services.files import hidden_characters, real_file
from knit_tui.faces.tui.services.programs import Done, Refused
from tests.panel.machine import NO, SHOWN, TMUX, Machine, odd_workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return odd_workspace(tmp_path)


# The clipboard


@pytest.mark.parametrize(
    ("has", "environ", "platform", "took"),
    [
        (("tmux",), TMUX, "linux", ("tmux",)),
        (("tmux",), {}, "linux", ()),
        (("tmux", "wl-copy"), {**TMUX, "WAYLAND_DISPLAY": "wayland-0"}, "linux", ("tmux", "wl-copy")),
        (("wl-copy", "xclip"), {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, "linux", ("wl-copy",)),
        (("wl-copy", "xclip"), {"DISPLAY": ":0"}, "linux", ("xclip",)),
        (("xsel",), {"DISPLAY": ":0"}, "linux", ("xsel",)),
        (("xclip", "xsel"), {}, "linux", ()),
        (("wl-copy",), {"WAYLAND_DISPLAY": "w", "SSH_CONNECTION": "a"}, "linux", ()),
        (("xclip",), {"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "a"}, "linux", ("xclip",)),
        (("env", "pbcopy"), {}, "darwin", ("pbcopy",)),
        (("env", "pbcopy"), {"SSH_TTY": "/dev/pts/1"}, "darwin", ()),
        (("clip.exe",), {"WSL_DISTRO_NAME": "Ubuntu"}, "linux", ("clip.exe",)),
        (("clip.exe",), {}, "linux", ()),
    ],
)
def test_the_way_to_the_clipboard(
    has: tuple[str, ...], environ: dict[str, str], platform: str, took: tuple[str, ...]
) -> None:
    machine = Machine(has, environ, platform)
    assert clipboard.copy("docs/指南.md", machine) == took
    wide = "clip.exe" in took
    wanted = "docs/指南.md".encode("utf-16-le" if wide else "utf-8")
    assert machine.fed == [wanted] * len(took)


def test_an_old_tmux_keeps_it_for_itself_and_a_helper_that_fails_gives_way_to_the_next() -> None:
    def tmux(command: Sequence[str]) -> Done:
        return NO if "-w" in command else Done(0)

    environ = {**TMUX, "DISPLAY": ":0"}
    machine = Machine(("tmux", "xclip", "xsel"), environ, answers={"tmux": tmux, "xclip": NO})
    assert clipboard.copy("a.py", machine) == ("tmux", "xsel")
    assert machine.ran[:2] == [("tmux", "load-buffer", "-w", "-"), ("tmux", "load-buffer", "-")]


def test_what_a_terminal_may_be_sent() -> None:
    xterm = {"TERM": "xterm-256color"}
    assert clipboard.terminal_takes("a.py", xterm)
    assert clipboard.terminal_takes("指南.md", xterm)
    assert not clipboard.terminal_takes("\udcff.md", xterm)
    assert not clipboard.terminal_takes("a.py", {"TERM": "linux"})
    assert not clipboard.terminal_takes("a.py", {})
    apple = {**xterm, "TERM_PROGRAM": "Apple_Terminal"}
    assert not clipboard.terminal_takes("a.py", apple)
    assert clipboard.terminal_takes("a.py", {**apple, **TMUX})
    assert clipboard.in_other_tmux({"TERM": "tmux-256color"})
    assert not clipboard.in_other_tmux({"TERM": "tmux-256color", **TMUX})
    assert not clipboard.in_other_tmux(xterm)


# Files


def test_only_regular_files_inside_the_workspace(root: Path) -> None:
    assert real_file(str(root), "a.py") == str(root / "a.py")
    for rel in ("", "../out.py", "away/out.py", "link.py", "/etc/passwd", "a\0.py", "./a.py", "docs/../a.py"):
        with pytest.raises(Refused, match="outside the workspace"):
            real_file(str(root), rel)
    with pytest.raises(Refused, match=r"no such file now: gone\.py"):
        real_file(str(root), "gone.py")
    for rel in ("docs", "pipe.py"):
        with pytest.raises(Refused, match="not a regular file"):
            real_file(str(root), rel)
    (root.parent / "also").symlink_to(root)
    assert real_file(str(root.parent / "also"), "a.py") == str(root / "a.py")


@given(st.text())
def test_a_refusal_is_safe_text(rel: str) -> None:
    with pytest.raises(Refused) as refused:
        real_file("/nowhere", rel)
    assert not hidden_characters(str(refused.value))


# The editor


def called(
    root: Path,
    rel: str,
    *,
    line: int | None = 7,
    setting: str | tuple[str, ...] = "auto",
    environ: dict[str, str] | None = None,
    has: tuple[str, ...] | None = None,
) -> editor.Call:
    known = tuple(preset.command[0] for preset in EDITORS.values())
    machine = Machine((*known, "odd", "gvim", "neovide") if has is None else has, environ or {})
    return editor.call(Services(machine, Editor(command=setting)), str(root), rel, line)


@pytest.mark.parametrize(
    ("variable", "command", "terminal"),
    [
        ("vim", "vim +7 FILE", True),
        ("/bin/vim", "vim +7 FILE", True),
        ("vim -u NONE", "vim -u NONE +7 FILE", True),
        ("vim -g", "vim -g +7 FILE", False),
        ("gvim", "gvim +7 FILE", False),
        ("nvim", "nvim +7 FILE", True),
        ("vi", "vi +7 FILE", True),
        ("nano", "nano +7 FILE", True),
        ("nano -g", "nano -g +7 FILE", True),
        ("emacs", "emacs -nw +7 FILE", True),
        ("emacs -nw", "emacs -nw +7 FILE", True),
        ("emacsclient", "emacsclient -n +7 FILE", False),
        ("emacsclient -t", "emacsclient -t +7 FILE", True),
        ("hx", "hx FILE:7", True),
        ("kak", "kak +7 FILE", True),
        ("micro", "micro FILE +7", True),
        ("code", "code --goto FILE:7", False),
        ("code --wait", "code --wait --goto FILE:7", False),
        ("subl -w", "subl -w FILE:7", False),
        ("zed", "zed FILE:7", False),
        ("idea", "idea --line 7 FILE", False),
        ("neovide", "neovide FILE -- +7", False),
        ("odd --x", "odd --x FILE", True),
        ("odd '{path} {line}'", "odd {path} {line} FILE", True),
    ],
)
def test_editors_of_the_environment(root: Path, variable: str, command: str, terminal: bool) -> None:
    for name, other in (("EDITOR", {}), ("VISUAL", {"EDITOR": "odd"})):
        call = called(root, "a.py", environ={name: variable, **other})
        assert " ".join(call.command).removeprefix("/bin/") == command.replace("FILE", str(root / "a.py"))
        assert call.terminal is terminal


def test_editors_of_the_settings(root: Path) -> None:
    path, environ = str(root / "a.py"), {"VISUAL": "odd"}
    for name, preset in EDITORS.items():
        call = called(root, "a.py", setting=name, environ=environ)
        wanted = [part.replace("{line}", "7").replace("{path}", path) for part in preset.command[1:]]
        assert call.command == (f"/bin/{preset.command[0]}", *wanted), name
        assert call.terminal is preset.terminal
    assert called(root, "a.py", setting=("odd", "{path}", "@{line}")).command == ("/bin/odd", path, "@7")
    assert called(root, "a.py", setting=("odd", "-x")).command == ("/bin/odd", "-x", path)
    assert called(root, "a.py", setting=("hx", "-x")).command == ("/bin/hx", "-x", f"{path}:7")
    assert called(root, "a.py", setting=("code", "{path}")).command == ("/bin/code", path)


def test_without_a_word_of_the_user_an_editor_is_found(root: Path) -> None:
    assert called(root, "a.py", has=("nano", "vi")).command[0] == "/bin/vi"
    assert called(root, "a.py", environ={"EDITOR": "  "}, has=("nano",)).command[0] == "/bin/nano"
    with pytest.raises(Refused, match="no editor found"):
        called(root, "a.py", has=())
    with pytest.raises(Refused, match="no such program: emax"):
        called(root, "a.py", environ={"EDITOR": "emax"})
    with pytest.raises(Refused, match=r"\$EDITOR is no command"):
        called(root, "a.py", environ={"EDITOR": "vim '"})


@pytest.mark.parametrize("rel", ("-n.py", "+7.py", "a b;$(id).md", "docs/x:3"))
@pytest.mark.parametrize("name", EDITORS)
def test_odd_names_stay_one_argument_and_are_no_option(root: Path, rel: str, name: str) -> None:
    call = called(root, rel, setting=name)
    holding = [part for part in call.command if rel in part]
    assert len(holding) == 1
    assert holding[0] in (str(root / rel), f"{root / rel}:7")
    if rel == "docs/x:3":
        assert holding == [str(root / rel)] and "--goto" not in call.command


def test_without_a_line_the_top(root: Path) -> None:
    assert called(root, "a.py", line=None, environ={"EDITOR": "hx"}).command[1:] == (str(root / "a.py"),)
    assert "+1" in called(root, "a.py", line=None, environ={"EDITOR": "vim"}).command


@pytest.mark.parametrize(("place", "verb"), (("pane", "split-window"), ("window", "new-window")))
def test_an_editor_in_a_place_of_its_own(root: Path, place: str, verb: str) -> None:
    machine = Machine(("tmux", "vim"), {**TMUX, "EDITOR": "vim"})
    services = Services(machine, Editor(place=place))
    assert editor.in_tmux(services)
    odd = root / "#(touch x)"
    odd.mkdir()
    (odd / "x;").write_text("")
    editor.open_in_tmux(services, editor.call(services, str(odd), "x;", 7), str(odd))
    command = machine.ran[0]
    assert command[:2] == ("tmux", verb)
    assert command[command.index("-c") + 1] == str(root / "##(touch x)")
    assert command[-3:] == ("/bin/vim", "+7", f"{odd}/x\\;")
    assert not editor.in_tmux(Services(machine))
    assert not editor.in_tmux(Services(Machine(), Editor(place=place)))


# Opening


@pytest.mark.parametrize(
    ("names", "way"),
    [
        ("a.png A.JPG x.y.mp4 README.md notes.txt t.csv d.json deep/er/a.webp", opener.Way.SYSTEM),
        ("a.html A.HTM x.svg b.xhtml", opener.Way.BROWSER),
        (
            "a.desktop a.exe a.bat a.cmd a.sh a.py a.js a.vbs a.command a.app a.jar a.ps1 a.lnk a.url a.scr "
            "a.AppImage a.terminal a.webloc a.hta a.reg a.msi README Makefile .png a.png.sh a.png. a "
            "a.html.desktop a.html.command a.md.app a.workflow a.scpt a.inetloc a.run a.chm a.docm a.xlsm",
            opener.Way.EDITOR,
        ),
    ],
)
def test_what_the_system_may_open(names: str, way: opener.Way) -> None:
    for name in names.split():
        assert opener.way_of(name) is way, name


def test_the_opener_of_the_system(root: Path) -> None:
    path = str(root / "p.png")
    for machine, command in (
        (Machine(("xdg-open",), SHOWN), ("xdg-open", path)),
        (Machine(("open",), platform="darwin"), ("open", path)),
        (Machine(("wslview", "xdg-open"), {"WSL_DISTRO_NAME": "U"}), ("wslview", path)),
    ):
        assert opener.open_file(Services(machine), str(root), "p.png") == command[0]
        assert machine.started == [(command, str(root))]
    machine = Machine(("feh",))
    settings = Editor(opener=("feh", "-x", "{path}"))
    assert opener.open_file(Services(machine, settings), str(root), "p.png") == "feh"
    assert machine.started == [(("feh", "-x", path), str(root))]


def test_why_it_is_not_opened(root: Path) -> None:
    for machine, rel, why in (
        (Machine(("xdg-open",)), "p.png", "no display"),
        (Machine((), SHOWN), "p.png", "no such program: xdg-open"),
        (Machine(("xdg-open",), SHOWN), "run.sh", "the system might run it"),
        (Machine(("xdg-open",), SHOWN), "gone.png", "no such file"),
        (Machine(("xdg-open",), SHOWN, answers={"xdg-open": Done(4)}), "p.png", "ended with 4"),
        (Machine(("xdg-open",), SHOWN, answers={"xdg-open": Done(None, fault="broken")}), "p.png", "broken"),
    ):
        with pytest.raises(Refused, match=why):
            opener.open_file(Services(machine), str(root), rel)
        assert not machine.started or machine.answers


def test_the_file_manager(root: Path) -> None:
    path = str(root / "run.sh")
    said = {"wslpath": Done(0, b"C:\\work\\run.sh\n"), "explorer.exe": Done(1)}
    for machine, command in (
        (Machine(("xdg-open",), SHOWN), ("xdg-open", str(root))),
        (Machine(("open",), platform="darwin"), ("open", "-R", path)),
        (
            Machine(("explorer.exe", "wslpath"), {"WSL_DISTRO_NAME": "U"}, answers=said),
            ("explorer.exe", "/select,C:\\work\\run.sh"),
        ),
        (Machine(("explorer.exe", "wslview"), {"WSL_DISTRO_NAME": "U"}), ("wslview", str(root))),
    ):
        assert opener.reveal(Services(machine), str(root), "run.sh") == command[0]
        assert machine.started == [(command, str(root))]


def test_the_folder_of_the_workspace(tmp_path: Path) -> None:
    plain, app = tmp_path / "work", tmp_path / "Evil.app"
    plain.mkdir()
    app.mkdir()
    (tmp_path / "also").symlink_to(plain)
    said = {"wslpath": Done(0, b"C:\\work\n"), "explorer.exe": Done(1)}
    for machine, root, command in (
        (Machine(("xdg-open",), SHOWN), plain, ("xdg-open", str(plain))),
        (Machine(("xdg-open",), SHOWN), tmp_path / "also", ("xdg-open", str(plain))),
        (Machine(("open",), platform="darwin"), plain, ("open", str(plain))),
        (Machine(("open",), platform="darwin"), app, ("open", "-R", str(app))),
        (
            Machine(("explorer.exe", "wslpath"), {"WSL_DISTRO_NAME": "U"}, answers=said),
            plain,
            ("explorer.exe", "C:\\work"),
        ),
        (Machine(("wslview",), {"WSL_DISTRO_NAME": "U"}), plain, ("wslview", str(plain))),
    ):
        assert opener.open_folder(Services(machine), str(root)) == command[0]
        assert [each for each, _folder in machine.started] == [command]
    for root, why in ((tmp_path / "gone", "no such folder now: .*gone"), (plain, "no display")):
        machine = Machine(("xdg-open",))
        with pytest.raises(Refused, match=why):
            opener.open_folder(Services(machine), str(root))
        assert not machine.started
