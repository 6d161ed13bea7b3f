"""How the user divides the panel: list, preview, header, height of the rows, whose the mouse is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from textual import events
from textual.geometry import Offset, Size
from textual.timer import Timer

from knit_tui.faces.i18n import _
from knit_tui.faces.tui import mouse
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.arrangement import (
    LEAST,
    LOW,
    LOWEST,
    MOST,
    TALL,
    WIDE,
    Form,
    cells_of,
    form_of,
    forms,
    percent_of,
    share_of,
    wanted_form,
    width_class,
)
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.screens.choosing import ChoosingScreen
from knit_tui.faces.tui.services import fullscreen
from knit_tui.faces.tui.services.programs import Refused
from knit_tui.faces.tui.widgets.divider import Divider
from knit_tui.faces.tui.widgets.noted_hints import NotedHints
from knit_tui.panel_state import Remembered, change

_STEPS = {Form.BESIDE: 4, Form.STACKED: 2}
_KEEP_SECONDS = 0.5
_HEADER, _HIDDEN, _SHOWN = "header", "hidden", "shown"
"""How `Remembered.layout` says whether the header is there."""


class ArrangingScreen(ChoosingScreen, inherit_bindings=False):
    """A screen with a list and a preview of it that share its room."""

    _where: str

    def __init__(self) -> None:
        super().__init__()
        self._layout: dict[str, str] = {}
        """The form by class of width, and whether the header is hidden: what the user chose."""
        self._shares: dict[str, int] = {}
        """Thousandths of the list, by class of width and form; those that the user chose."""
        self._divided: tuple[str | None, str | None] = (None, None)
        """Width and height of the list, where it is not the style sheet that says them."""
        self._zoomed = False
        self._rows_compact = False
        self._grip: Offset | None = None
        """Where the mouse holds the divider."""
        self._dragging = False
        self._pressed: tuple[Offset, float] | None = None
        """Where and when it took hold last."""
        self._new_shares: dict[str, int | None] = {}
        self._new_layout: dict[str, str] = {}
        """What the user chose since the last was kept; None for what was given up."""
        self._keep_timer: Timer | None = None

    def restore(self, remembered: Remembered, *, compact: bool) -> None:
        """Begin as the last run ended; with ``compact`` rows as the settings say."""
        self._layout = dict(remembered.layout)
        self._shares = {name: share for name, share in remembered.splits.items() if LEAST <= share <= MOST}
        self._rows_compact = compact

    def on_mount(self) -> None:
        self.results.condense(self._rows_compact)

    # What there is room for

    @property
    def room(self) -> Size:
        """The cells of the panel; those it will have, before it is laid out."""
        return self.size or self.app.size

    @property
    def form(self) -> Form:
        return form_of(*self.room, self._layout)

    @property
    def compact(self) -> bool:
        """Whether the list or the preview is shown, one at a time."""
        return self._zoomed or self.form is Form.ONE

    @property
    def bare(self) -> bool:
        """Whether title and tabs are hidden."""
        return self._layout.get(_HEADER) == _HIDDEN or self.room.height < LOW

    def on_resize(self, event: events.Resize) -> None:
        self.share_out()

    def share_out(self) -> None:
        """Give list, preview and header the room that they are to have now."""
        self.classify()
        form, one = self.form, self.compact
        share = None if one else self._shares.get(self._split)
        percent = None if share is None else percent_of(share)
        self.results.set_class(percent is not None, "-divided")
        divided = (percent if form is Form.BESIDE else None, percent if form is Form.STACKED else None)
        if divided != self._divided:  # to set it lays everything out once more
            self.results.styles.width, self.results.styles.height = self._divided = divided
        if not one:
            self._show_preview()
        self.show_notes()

    def classify(self, *, update: bool = True) -> None:
        """Tell the style sheet what there is room for; all at once, as each time every style is looked up."""
        one = self.compact
        classes = {
            "-one": one,
            "-beside": self.form is Form.BESIDE and not one,
            "-wide": self.room.width >= WIDE,
            "-bare": self.bare,
            "-lowest": self.room.height < LOWEST,
        }
        if one != self.has_class("-one"):
            classes["-reading"] = one and self._where == "preview"
        self.update_classes(classes, update=update)

    def show_notes(self) -> None:
        """Say in the last line what the header would say, while it is hidden."""
        hints = self.query_one(NotedHints)
        hints.note(self.state.standing(self._message), self.state.tabs(), hidden=self.bare)

    # The divider

    @property
    def _split(self) -> str:
        return f"{width_class(self.size.width)} {self.form.value}"

    def _room(self) -> tuple[int, int]:
        """What the list takes of what list and preview have, in cells."""
        sizes = [widget.outer_size for widget in (self.results, self.query_one(Divider), self.preview)]
        beside = self.form is Form.BESIDE
        mine, *others = (size.width if beside else size.height for size in sizes)
        return mine, mine + sum(others if beside else others[1:])

    def action_split(self, name: str) -> None:
        if self.compact:
            self.say(_("only one pane is shown, there is nothing to divide"))
            return
        mine, room = self._room()
        if self._split in self._shares:  # what is on screen may still be on its way there
            mine = cells_of(self._shares[self._split], room)
        step = _STEPS[self.form]
        if name == "reset":
            self._shares.pop(self._split, None)
            self._new_shares[self._split] = None
            self._rearranged()
        else:
            self._divide(mine + (step if name == "more" else -step), room)

    def _divide(self, cells: int, room: int) -> None:
        share = share_of(cells, room)
        if share != self._shares.get(self._split):
            self._shares[self._split] = self._new_shares[self._split] = share
            self._rearranged()

    def _choose_layout(self, what: str, choice: str) -> None:
        self._layout[what] = self._new_layout[what] = choice
        self._rearranged()

    def _rearranged(self) -> None:
        self.share_out()
        self._keep_soon()

    def _is_divider(self, place: Offset) -> bool:
        """Whether that is the line between list and preview: where they are stacked, the preview's title."""
        if self.compact:
            return False
        if self.form is Form.BESIDE:
            return self.query_one(Divider).region.contains_point(place)
        region = self.preview.region
        return region.contains_point(place) and place.y == region.y

    def on_mouse_down(self, event: events.MouseDown) -> None:
        place, before = event.screen_offset, self._pressed
        self._pressed = self._grip = None
        if event.button != 1 or not self._is_divider(place):
            return
        if before and before[0] == place and event.time - before[1] <= self.app.CLICK_CHAIN_TIME_THRESHOLD:
            self.action_split("reset")
        else:
            self._grip, self._pressed = place, (place, event.time)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button != 1:  # it was let go where nobody could see it
            self._let_go()
        elif self._grip is not None and self._grip != event.screen_offset:
            self._dragging = True
            self.capture_mouse()
        if self._dragging and not self.compact:
            x, y = event.screen_offset - self.results.region.offset
            self._divide(x if self.form is Form.BESIDE else y, self._room()[1])

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._let_go()

    def _let_go(self) -> None:
        self._grip = None
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    # Forms

    def action_view_arrange(self) -> None:
        width = self.size.width
        usual, other = forms(width)
        wanted = usual if wanted_form(width, self._layout) is other else other
        self._zoomed = False
        self._choose_layout(width_class(width), wanted.value)
        if self.form is not wanted:
            self.say(_("list over preview needs {count} lines").format(count=TALL))

    def action_view_zoom(self) -> None:
        if self.compact and self.has_class("-reading"):
            self.go_to_list()
        elif self._zoomed and self.form is not Form.ONE:
            self.leave_zoom()
        else:
            self._zoomed = self.form is not Form.ONE
            self.share_out()
            self.add_class("-reading")
            self._show_preview()
            self.focus_preview()

    def leave_zoom(self) -> bool:
        """Show list and preview again, with the focus on the list; whether only one of them was there."""
        zoomed, self._zoomed = self._zoomed, False
        if zoomed:
            self.go_to_list()
            self.share_out()
        return zoomed

    def action_panel_fill(self) -> None:
        programs = self.services.programs
        if not fullscreen.has_pane(programs):
            self.action_view_zoom()
            return

        async def fill() -> None:
            try:
                others = await asyncio.to_thread(fullscreen.toggle, programs)
            except Refused as error:
                self.say(plain(str(error)))
            else:
                if not others:
                    self.action_view_zoom()

        self.run_worker(fill(), group="fill", exclusive=True, exit_on_error=False)

    # Lines

    def action_view_header(self) -> None:
        hidden = self._layout.get(_HEADER) == _HIDDEN
        self._choose_layout(_HEADER, _SHOWN if hidden else _HIDDEN)
        if not hidden:
            self.say(_("header hidden, {key} shows it").format(key=key_of("view.header")))
        elif self.bare:
            self.say(_("the header needs {count} lines").format(count=LOW))
        else:
            self.say("")

    def action_view_compact(self) -> None:
        self._rows_compact = not self._rows_compact
        self.results.condense(self._rows_compact)

    # The mouse

    def action_panel_mouse(self) -> None:
        driver = self.app._driver
        assert driver is not None  # it is what keys come from
        on = not mouse.listens(driver)
        mouse.listen(driver, on)
        key = key_of("panel.mouse")
        if on:
            self.say(_("mouse on, {key} leaves it to the terminal").format(key=key))
        else:
            self._let_go()
            self.say(_("mouse off, the terminal selects text; {key} turns it on").format(key=key))

    # Kept for the next run

    def _keep_soon(self) -> None:
        if self._keep_timer is not None:
            self._keep_timer.stop()
        self._keep_timer = self.set_timer(_KEEP_SECONDS, self._keep)

    def _keep(self) -> None:
        self._keep_timer = None
        how = self._what_to_keep()

        async def keep() -> None:
            async with self._one_at_a_time:
                await asyncio.to_thread(change, how)

        self.run_worker(keep(), group="keep", exit_on_error=False)

    def _what_to_keep(self) -> Callable[[Remembered], Remembered]:
        """How to put what the user chose into what is remembered, which another panel may have changed."""
        shares, layout = self._new_shares, self._new_layout
        self._new_shares, self._new_layout = {}, {}

        def kept(before: Remembered) -> Remembered:
            splits = {name: share for name, share in {**before.splits, **shares}.items() if share is not None}
            return replace(
                before,
                splits=MappingProxyType(splits),
                layout=MappingProxyType({**before.layout, **layout}),
            )

        return kept

    def on_unmount(self) -> None:
        if self._keep_timer is not None:
            self._keep_timer.stop()
            change(self._what_to_keep())
