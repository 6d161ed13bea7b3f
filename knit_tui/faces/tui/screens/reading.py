"""What the user does with the text in the preview: copy a part of it, wrap its long lines."""

from __future__ import annotations

import asyncio

from textual import on
from textual.widgets import Input

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.listing import filter_terms
from knit_tui.faces.tui.preview.document import Card
from knit_tui.faces.tui.preview.loader import load
from knit_tui.faces.tui.preview.selecting import Extract, SelectingView
from knit_tui.faces.tui.screens.reaching import ReachingScreen
from knit_tui.faces.tui.services.programs import Refused
from knit_tui.model import Item


class ReadingScreen(ReachingScreen, inherit_bindings=False):
    """A screen whose preview can be taken from."""

    @on(Input.Changed)
    def _look_for(self) -> None:
        self.preview.look_for(filter_terms(self.state.filter))

    @on(SelectingView.Selected)
    def _copy_selected(self, event: SelectingView.Selected) -> None:
        event.stop()
        extract = event.extract
        self._reach(lambda _root, _item: self.hand_over(extract.text, extract_name(extract)))

    def action_copy_passage(self) -> None:
        self._reach(self._copy_passage)

    async def _copy_passage(self, root: str, item: Item) -> None:
        extract = self.preview.passage_of(item)
        if extract is None:
            loaded = await asyncio.to_thread(load, root, item)
            if isinstance(loaded, Card):
                raise Refused(loaded.headline)
            extract = self.preview.passage_of(item, loaded)
        if extract is None:
            raise Refused(_("no passage of it matches"))
        await self.hand_over(extract.text, extract_name(extract))

    def action_view_wrap(self) -> None:
        wrapped = self.preview.toggle_wrap()
        messages = {
            None: _("there is no text in the preview"),
            (True, True): _("long lines of documents are wrapped"),
            (True, False): _("long lines of documents end at the edge"),
            (False, True): _("long lines of code are wrapped"),
            (False, False): _("long lines of code end at the edge"),
        }
        self.say(messages[wrapped])


def extract_name(extract: Extract) -> str:
    """What was copied, in a few words: the text itself, or its lines."""
    if extract.start == extract.end:
        name = plain(extract.text.strip())
    else:
        name = _("lines {start}-{end}").format(start=extract.start, end=extract.end)
    return _("{name}, long lines cut").format(name=name) if extract.cut else name
