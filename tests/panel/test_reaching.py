"""Keys that reach beyond the panel: what they hand over, and what they say came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.app import SuspendNotSupported

from knit_tui.config.settings import Editor
from knit_tui.engine.changes import WorkspaceChanged
from knit_tui.faces.tui.screens.panes import PaneScreen
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.services.programs import Done
from knit_tui.model import Access, Passage
from knit_tui.panel_state import load, workspace_name
from tests.panel.machine import SHOWN, TMUX, Machine
from tests.panel.sample import item, snapshot

Open = Callable[..., Any]
NAMES = ("src/a.py", "docs/guide.md", "page.html", "run.sh", "p.png", "bad\x1b]2;X\x07.md", ".env")


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    for name in NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


def shot(root: Path, *rels: str, generation: int = 1) -> Any:
    passages = (Passage(12, 14, ("a",), "a"),)
    items = [item(rel, passages=passages if rel.endswith(".py") else ()) for rel in rels]
    items = [replace(each, access=Access.WITHHELD) if each.rel == ".env" else each for each in items]
    return snapshot(generation, items, root=str(root))


async def says(panel: Any, text: str) -> None:
    await panel.wait(lambda: text in panel.line("#title"), f"{text!r} in the title, which is")


# Copy


async def test_copying_says_what_and_by_which_way(open_panel: Open, root: Path) -> None:
    machine = Machine(("tmux", "wl-copy"), {**TMUX, "WAYLAND_DISPLAY": "w"})
    async with open_panel(shot(root, "src/a.py", "docs/guide.md"), services=Services(machine)) as panel:
        await panel.press("y")
        await says(panel, "copied by tmux and wl-copy: src/a.py")
        assert machine.fed == [b"src/a.py"] * 2
        await panel.press("Y")
        await says(panel, "src/a.py:12")
        await panel.press("down", "Y")
        await says(panel, "docs/guide.md ")
        assert machine.fed[2:] == [b"src/a.py:12"] * 2 + [b"docs/guide.md"] * 2


async def test_without_a_helper_the_terminal_is_sent_it(open_panel: Open, root: Path) -> None:
    for environ, words in (
        ({"TERM": "xterm"}, "sent to the terminal: src/a.py"),
        ({"TERM": "tmux-256color"}, "sent to tmux, which takes it if set-clipboard is on: src/a.py"),
        ({"TERM": "linux"}, "nothing here can copy, select it: src/a.py"),
    ):
        async with open_panel(shot(root, "src/a.py"), services=Services(Machine((), environ))) as panel:
            await panel.press("y")
            await says(panel, words)
            assert panel.app.clipboard == ("" if environ["TERM"] == "linux" else "src/a.py")


async def test_hidden_characters_are_copied_when_asked_twice(open_panel: Open, root: Path) -> None:
    machine = Machine(("tmux",), TMUX)
    shown = shot(root, "bad\x1b]2;X\x07.md", "src/a.py")
    async with open_panel(shown, services=Services(machine)) as panel:
        question = "the name has hidden characters, y again copies it"
        await panel.press("y")
        await says(panel, question)
        await panel.press("Y")  # another wish: asked for itself
        await says(panel, "Y again copies it")
        await panel.press("y")
        await says(panel, question)
        panel.main._hush()  # the question has gone, and so has what it would allow
        await panel.press("y")
        await says(panel, question)
        assert machine.ran == []
        await panel.press("y")
        await says(panel, "copied by tmux: bad␛]2;X␇.md")
        assert machine.fed == [b"bad\x1b]2;X\x07.md"]


# Edit


@contextmanager
def room() -> Iterator[None]:
    yield


async def test_an_editor_of_the_terminal_takes_the_place_of_the_panel(open_panel: Open, root: Path) -> None:
    machine = Machine(("vim",), {"EDITOR": "vim"})
    async with open_panel(shot(root, "src/a.py"), services=Services(machine)) as panel:
        reloaded: list[str] = []
        panel.preview.reload = lambda: reloaded.append("again")
        await panel.press("e")
        await says(panel, "no room here for vim")  # there is no terminal in a test
        panel.app.suspend = room
        await panel.press("e")
        await panel.wait(lambda: bool(reloaded), "the preview to look again")
        assert machine.attended == [(("vim", "+12", str(root / "src/a.py")), str(root))]
        assert panel.host.sent == [WorkspaceChanged()]
        machine.answers["vim"] = Done(1)
        await panel.press("e")
        await says(panel, "vim ended with 1")
        machine.answers["vim"] = Done(None, fault="Permission denied")
        await panel.press("e")
        await says(panel, "vim did not start: Permission denied")


async def test_only_the_last_snapshot_of_an_absence_arrives(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root, "src/a.py")) as panel:
        seen: list[int] = []
        receive = panel.main.receive
        panel.main.receive = lambda each: (seen.append(each.generation), receive(each))
        with pytest.raises(SuspendNotSupported), panel.app.suspend():
            pass
        panel.app._away = True
        for generation in (2, 3, 4):
            panel.host.publish(shot(root, "src/a.py", generation=generation))
        await panel.pilot.pause()
        assert seen == [1]
        with pytest.raises(SuspendNotSupported), panel.app.suspend():
            pass
        await panel.wait(lambda: panel.main.state.latest.generation == 4, "the last one")
        assert seen == [1, 4]


async def test_an_editor_with_a_window_leaves_the_panel_alone(open_panel: Open, root: Path) -> None:
    machine = Machine(("code",), {"EDITOR": "code"})
    async with open_panel(shot(root, "src/a.py"), services=Services(machine)) as panel:
        await panel.press("e")
        await says(panel, "opened in code")
        assert machine.started == [(("code", "--goto", f"{root / 'src/a.py'}:12"), str(root))]


async def test_an_editor_beside_the_panel(open_panel: Open, root: Path) -> None:
    machine = Machine(("vim", "tmux"), {**TMUX, "EDITOR": "vim"})
    services = Services(machine, Editor(place="pane"))
    async with open_panel(shot(root, "src/a.py"), services=services) as panel:
        await panel.press("e")
        await says(panel, "opened in vim, beside the panel")
        assert machine.ran[0][-3:] == ("/bin/vim", "+12", str(root / "src/a.py"))


async def test_what_is_not_there_is_not_edited(open_panel: Open, root: Path) -> None:
    machine = Machine(("vim",), {"EDITOR": "vim"})
    async with open_panel(shot(root, "gone.py"), services=Services(machine)) as panel:
        await panel.press("e")
        await says(panel, "no such file now: gone.py")
        assert not machine.attended


# Open


async def test_opening(open_panel: Open, root: Path) -> None:
    machine = Machine(("xdg-open", "code"), {**SHOWN, "EDITOR": "code"})
    async with open_panel(shot(root, "docs/guide.md"), services=Services(machine)) as panel:
        await panel.press("o")
        await says(panel, "opened by xdg-open: guide.md")
        await panel.press("O")
        await says(panel, "folder shown by xdg-open: guide.md")
        opened = [command for command, _folder in machine.started]
        assert opened == [("xdg-open", str(root / "docs/guide.md")), ("xdg-open", str(root / "docs"))]


async def test_what_the_system_might_run_goes_to_the_editor(open_panel: Open, root: Path) -> None:
    machine = Machine(("xdg-open", "code"), {**SHOWN, "EDITOR": "code"})
    async with open_panel(shot(root, "run.sh"), services=Services(machine)) as panel:
        await panel.press("o")
        await says(panel, "in the editor: the system might run run.sh")
        assert [command[0] for command, _folder in machine.started] == ["code"]


async def test_a_page_is_opened_when_asked_twice(open_panel: Open, root: Path) -> None:
    machine = Machine(("xdg-open",), SHOWN)
    async with open_panel(shot(root, "page.html", "src/a.py"), services=Services(machine)) as panel:
        await panel.press("o")
        await says(panel, "a page may run scripts, o again opens it")
        assert not machine.started
        await panel.press("o")
        await says(panel, "opened by xdg-open: page.html")
        await panel.press("o")
        await says(panel, "a page may run scripts")
        assert len(machine.started) == 1


# Tell the agent


class Tmux:
    """A tmux with some panes."""

    def __init__(self, *panes: str) -> None:
        self.panes = panes
        self.sent: list[tuple[str, str]] = []
        self.machine = Machine(("tmux",), TMUX, answers={"tmux": self.answer})

    def answer(self, command: Sequence[str]) -> Done:
        if "list-panes" in command:
            each = map(str.split, self.panes)
            lines = [f"{id}|0|{id[1:]}|1|0|0|0|/dev/pts/1|vm|{name}|t" for id, name in each]
            return Done(0, "\n".join(lines).encode())
        target = command[command.index("-t") + 1]
        if target not in [pane.split()[0] for pane in self.panes]:
            return Done(1)
        if "send-keys" in command:
            self.sent.append((target, command[-1]))
        return Done(0, b"0" if "#{pane_in_mode}" in command else b"")


async def choosing(panel: Any) -> Any:
    await panel.wait(lambda: isinstance(panel.app.screen, PaneScreen), "the choice")
    await panel.pilot.pause()
    return panel.app.screen


def lines(screen: Any) -> str:
    return "\n".join(screen.rows.render_line(y).text.rstrip() for y in range(screen.rows.page))


async def test_the_pane_is_asked_for_once_and_remembered(open_panel: Open, root: Path) -> None:
    tmux = Tmux("%0 knit", "%1 zsh", "%2 claude")
    shown = shot(root, "src/a.py", "docs/guide.md")
    async with open_panel(shown, services=Services(tmux.machine)) as panel:
        await panel.press("at")
        screen = await choosing(panel)
        assert "pane 1  zsh" in lines(screen) and "▌ pane 2  claude" in lines(screen)
        assert tmux.sent == []
        await panel.press("enter")
        await says(panel, "typed into claude, pane 2: @src/a.py")
        await panel.press("down", "at")
        await says(panel, "@docs/guide.md")
        assert tmux.sent == [("%2", "@src/a.py "), ("%2", "@docs/guide.md ")]
        assert load().panes == {workspace_name(root): "4711:%2:claude"}
    async with open_panel(shown, services=Services(tmux.machine)) as panel:
        await panel.press("at")
        await panel.wait(lambda: len(tmux.sent) == 3, "the third")
        tmux.panes = ("%0 knit", "%1 zsh", "%3 codex")
        await panel.press("at")
        screen = await choosing(panel)
        assert "▌ pane 3  codex" in lines(screen)
        await panel.press("up", "enter")
        await says(panel, "typed into zsh, pane 1")
        assert tmux.sent[3:] == [("%1", "@src/a.py ")]
        tmux.panes = ("%0 knit", "%1 vim")  # where keys would do harm
        await panel.press("at")
        await choosing(panel)
        await panel.press("escape")
        await panel.wait(lambda: panel.app.screen is panel.main, "the panel")
        await panel.press("M")
        await choosing(panel)
        assert len(tmux.sent) == 4


async def test_a_pane_that_goes_at_that_moment(open_panel: Open, root: Path) -> None:
    tmux = Tmux("%0 knit", "%1 zsh", "%2 claude")
    async with open_panel(shot(root, "src/a.py"), services=Services(tmux.machine)) as panel:
        await panel.press("at")
        await choosing(panel)
        tmux.panes = ("%0 knit", "%1 zsh")
        await panel.press("enter")
        await says(panel, "tmux has no such pane now")
        await panel.press("at")
        await choosing(panel)


async def test_what_is_not_sent(open_panel: Open, root: Path) -> None:
    tmux = Tmux("%0 knit", "%2 claude")
    for rel, words in (
        ("bad\x1b]2;X\x07.md", "not sent, the name has hidden characters"),
        (".env", "it looks like a secret, @ again sends its name"),
    ):
        async with open_panel(shot(root, rel), services=Services(tmux.machine)) as panel:
            await panel.press("at")
            await says(panel, words)
            assert panel.app.screen is panel.main and tmux.sent == []
            if rel == ".env":
                await panel.press("at")
                await choosing(panel)
    for machine, words in (
        (Machine(), "this needs tmux: run knit and the agent in panes of the same session"),
        (Tmux("%0 knit").machine, "there is no other pane in this session of tmux"),
    ):
        async with open_panel(shot(root, "src/a.py"), services=Services(machine)) as panel:
            await panel.press("at")
            await says(panel, words)


@pytest.mark.parametrize("size", ((1, 1), (3, 3), (20, 6), (300, 80)))
async def test_the_choice_at_odd_sizes(open_panel: Open, root: Path, size: tuple[int, int]) -> None:
    tmux = Tmux("%0 knit", "%1 日本語日本語", "%2 claude")
    async with open_panel(shot(root, "src/a.py"), size=size, services=Services(tmux.machine)) as panel:
        await panel.press("at")
        screen = await choosing(panel)
        await panel.press("up", "down", "pagedown", "pageup")
        width = screen.rows.scrollable_content_region.width
        for y in range(screen.rows.size.height):
            assert screen.rows.render_line(y).cell_length == width


# And the rest


async def test_keys_without_a_document_do_nothing(open_panel: Open) -> None:
    machine = Machine(("tmux", "vim", "xdg-open"), {**TMUX, **SHOWN, "EDITOR": "vim"})
    async with open_panel(snapshot(items=()), services=Services(machine)) as panel:
        await panel.press("y", "Y", "e", "o", "O", "at", "M")
        assert not (machine.ran or machine.started or machine.attended)
        for hint in ("edit", "copy", "to agent"):
            assert hint not in panel.line("#hints")


async def test_looking_again(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root, "src/a.py")) as panel:
        await panel.press("R")
        await says(panel, "looking at the files again")
        assert panel.host.sent == [WorkspaceChanged()]


@pytest.mark.parametrize("width", (30, 40, 60, 80, 120, 200))
async def test_what_came_of_it_is_told_at_every_width(open_panel: Open, root: Path, width: int) -> None:
    machine = Machine(("tmux",), TMUX)
    shown = shot(root, "src/a.py")
    async with open_panel(shown, size=(width, 30), services=Services(machine)) as panel:
        await panel.press("y")
        await says(panel, "copied by tmux: src/a.py"[: width - 15])
