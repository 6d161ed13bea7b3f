"""What reaches beyond the panel: copy, edit, open, tell the agent, look at the files again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported

from knit_tui.engine.changes import WorkspaceChanged
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.evidence_rows import Destination
from knit_tui.faces.tui.screens.explaining import ExplainingScreen
from knit_tui.faces.tui.services import Services, clipboard, editor, opener, panes
from knit_tui.faces.tui.services.files import hidden_characters
from knit_tui.faces.tui.services.programs import Refused
from knit_tui.model import Access, Item
from knit_tui.panel_state import change, load, workspace_name

if TYPE_CHECKING:
    from knit_tui.faces.tui.services.panes import Pane


class ReachingScreen(ExplainingScreen, inherit_bindings=False):
    """A screen whose keys hand documents to other programs."""

    services = Services()
    _now: Callable[[], int]

    def __init__(self) -> None:
        super().__init__()
        self._handled: dict[str, int] = {}
        """When the user last did something with a document, by its path; the newest last."""
        self._one_at_a_time = asyncio.Lock()

    def _reach(self, how: Callable[[str, Item], Coroutine[Any, Any, None]]) -> None:
        """Do ``how`` with the workspace and the document, beside everything else and one after another."""
        item = self.item
        if item is None:
            return

        async def reach(root: str) -> None:
            await how(root, item)
            self.remember(item.rel)

        self._reach_out(reach)

    def _reach_out(self, how: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Do ``how`` with the workspace, in the same way."""
        latest = self.state.latest
        if latest is None:
            return

        async def reach() -> None:
            async with self._one_at_a_time:
                try:
                    await how(latest.root)
                except (Refused, OSError) as error:
                    self.say(plain(str(error)))

        self.run_worker(reach(), group="reach", exit_on_error=False)

    def _line_of(self, item: Item) -> int | None:
        """The line that the panel is about, in a document."""
        shown = self.preview.shown
        if shown is not None and shown.rel == item.rel and self.preview.line is not None:
            return self.preview.line
        return item.passages[0].start if item.passages else None

    # Copy

    def action_copy_path(self) -> None:
        self._reach(lambda _root, item: self._copy(item.rel, "copy.path"))

    def action_copy_line(self) -> None:
        def with_line(item: Item) -> str:
            line = self._line_of(item)
            return item.rel if line is None else f"{item.rel}:{line}"

        self._reach(lambda _root, item: self._copy(with_line(item), "copy.line"))

    def action_copy_absolute(self) -> None:
        self._reach(lambda root, item: self._copy(str(Path(root) / item.rel), "copy.absolute"))

    def action_copy_link(self) -> None:
        self._reach(lambda _root, item: self._copy(markdown_link(item.rel), "copy.link"))

    async def _copy(self, text: str, action: str) -> None:
        if hidden_characters(text):
            question = _("the name has hidden characters, {key} again copies it").format(key=key_of(action))
            if not self.sure(f"{action} {text}", question):
                return
        await self.hand_over(text, plain(text))

    async def hand_over(self, text: str, name: str) -> None:
        """Copy ``text``, and tell by which way; ``name`` is safe text for what it is."""
        programs = self.services.programs
        took = await asyncio.to_thread(clipboard.copy, text, programs)
        if took:
            message = _("copied by {way}: {text}").format(way=_all_of(took), text=name)
        elif clipboard.terminal_takes(text, programs.environ):
            self.app.copy_to_clipboard(text)
            sent = _("sent to the terminal: {text}")
            if clipboard.in_other_tmux(programs.environ):
                sent = _("sent to tmux, which takes it if set-clipboard is on: {text}")
            message = sent.format(text=name)
        else:
            message = _("nothing here can copy, select it: {text}").format(text=name)
        self.say(message)

    # Edit

    def action_item_edit(self) -> None:
        self._reach(lambda root, item: self._edit(root, item, ""))

    async def _edit(self, root: str, item: Item, why: str) -> None:
        """Open the editor; ``why`` is safe text about a document that was to be opened otherwise."""
        services = self.services
        call = await asyncio.to_thread(editor.call, services, root, item.rel, self._line_of(item))
        if not call.terminal:
            done = await asyncio.to_thread(services.programs.start, call.command, root)
            said = why or _("opened in {name}").format(name=call.name)
        elif editor.in_tmux(services):
            done = await asyncio.to_thread(editor.open_in_tmux, services, call, root)
            said = why or _("opened in {name}, beside the panel").format(name=call.name)
        else:
            try:
                with self.app.suspend():
                    done = services.programs.attend(call.command, root)
            except SuspendNotSupported:
                raise Refused(_("no room here for {name}").format(name=call.name)) from None
            said = why
            self._look_again()
        if done.fault:
            raise Refused(_("{name} did not start: {why}").format(name=call.name, why=done.fault))
        if done.code:
            raise Refused(_("{name} ended with {code}").format(name=call.name, code=done.code))
        if said:
            self.say(said)

    def _look_again(self) -> None:
        self.preview.reload()
        self._send(WorkspaceChanged())

    # Open

    def action_item_open(self) -> None:
        self._reach(self._open_it)

    async def _open_it(self, root: str, item: Item) -> None:
        way = opener.way_of(item.rel)
        if way is opener.Way.EDITOR:
            why = _("in the editor: the system might run {name}")
            await self._edit(root, item, why.format(name=_name(item)))
            return
        if way is opener.Way.BROWSER:
            question = _("a page may run scripts, {key} again opens it").format(key=key_of("item.open"))
            if not self.sure(f"open {item.rel}", question):
                return
        by = await asyncio.to_thread(opener.open_file, self.services, root, item.rel)
        self.say(_("opened by {program}: {name}").format(program=by, name=_name(item)))

    def action_item_reveal(self) -> None:
        self._reach(self._reveal)

    async def _reveal(self, root: str, item: Item) -> None:
        by = await asyncio.to_thread(opener.reveal, self.services, root, item.rel)
        self.say(_("folder shown by {program}: {name}").format(program=by, name=_name(item)))

    def action_workspace_open(self) -> None:
        self._reach_out(self._open_workspace)

    async def _open_workspace(self, root: str) -> None:
        by = await asyncio.to_thread(opener.open_folder, self.services, root)
        self.say(_("folder shown by {program}: {name}").format(program=by, name=plain(root)))

    def action_workspace_copy(self) -> None:
        self._reach_out(lambda root: self._copy(root, "workspace.copy"))

    # Where the user was

    def remember(self, rel: str) -> None:
        """The user did something with a document."""
        self._handled.pop(rel, None)
        self._handled[rel] = self._now()

    def focus_preview(self) -> bool:
        if self.previewed is not None:
            self.remember(self.previewed.rel)
        return super().focus_preview()

    def action_recent_show(self) -> None:
        from knit_tui.faces.tui.screens.recent import RecentScreen

        latest = self.state.latest
        if latest is None or not self._handled:
            self.say(_("no document was read, copied or opened so far"))
            return
        self.app.push_screen(RecentScreen(self._handled, latest, self._now()), self._gone_back)

    def _gone_back(self, rel: str | None) -> None:
        if rel is None:
            return
        if self.results.select_document(rel):
            self.go_to_list()
        else:
            self._go_to(Destination(rel))

    # Tell the agent

    def action_item_send(self) -> None:
        self._reach(self._mention)

    async def _mention(self, root: str, item: Item) -> None:
        programs = self.services.programs
        found = await asyncio.to_thread(panes.panes, programs)
        if hidden_characters(item.rel):
            raise Refused(_("not sent, the name has hidden characters"))
        if item.access is Access.WITHHELD:
            question = _("it looks like a secret, {key} again sends its name").format(key=key_of("item.send"))
            if not self.sure(f"send {item.rel}", question):
                return
        kept = (await asyncio.to_thread(load)).panes.get(workspace_name(Path(root)), "")
        pane = panes.recall(found, kept, programs)
        if pane is None:
            self._choose_pane(found, root, item)
            return
        try:
            await self._type(pane, root, item)
        except panes.Gone:
            self._choose_pane(await asyncio.to_thread(panes.panes, programs), root, item)

    def action_pane_choose(self) -> None:
        async def choose(root: str, item: Item) -> None:
            self._choose_pane(await asyncio.to_thread(panes.panes, self.services.programs), root, item)

        self._reach(choose)

    def _choose_pane(self, found: tuple[Pane, ...], root: str, item: Item) -> None:
        from knit_tui.faces.tui.screens.panes import PaneScreen

        if not found:
            raise Refused(_("there is no other pane in this session of tmux"))

        def chosen(pane: Pane | None) -> None:
            if pane is not None:
                self._reach(lambda _root, _item: self._keep_and_type(pane, root, item))

        self.app.push_screen(PaneScreen(found, panes.guess(found, self._agent)), chosen)

    async def _keep_and_type(self, pane: Pane, root: str, item: Item) -> None:
        word = panes.remember(pane, self.services.programs)
        name = workspace_name(Path(root))
        await asyncio.to_thread(
            change, lambda before: replace(before, panes=MappingProxyType({**before.panes, name: word}))
        )
        await self._type(pane, root, item)

    @property
    def _agent(self) -> str:
        return self.state.latest.session.agent if self.state.latest is not None else ""

    async def _type(self, pane: Pane, root: str, item: Item) -> None:
        from knit_tui.faces.tui.screens.panes import place_text

        text = await asyncio.to_thread(panes.send, self.services.programs, pane, self._agent, root, item.rel)
        where = f"{plain(pane.program)}, {place_text(pane)}"
        self.say(_("typed into {pane}: {text}").format(pane=where, text=plain(text.strip())))

    # Look again

    def action_view_rescan(self) -> None:
        self._send(WorkspaceChanged())
        self.say(_("looking at the files again"))


_IN_A_NAME = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>&"})
_IN_A_GOAL = str.maketrans({sign: f"%{ord(sign):02X}" for sign in ' \t\r\n"#%&()<>?[\\]^`{|}:'})


def markdown_link(rel: str) -> str:
    """A Markdown link to a document of the workspace, by its name."""
    return f"[{rel.rpartition('/')[2].translate(_IN_A_NAME)}]({rel.translate(_IN_A_GOAL)})"


def _all_of(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return names[0]
    return _("{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])


def _name(item: Item) -> str:
    return plain(item.rel.rpartition("/")[2])
