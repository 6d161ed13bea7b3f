"""Actions by their names: the help, the palette, and what only they offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.widgets import Input

from knit_tui.faces.i18n import _, pgettext
from knit_tui.faces.tui import mouse
from knit_tui.faces.tui.actions import actions_now, command
from knit_tui.faces.tui.commands import Command, offered, remembered
from knit_tui.faces.tui.screens.arranging import ArrangingScreen
from knit_tui.faces.tui.widgets.summary_bar import SummaryBar
from knit_tui.model import Mode

if TYPE_CHECKING:
    from knit_tui.faces.tui.app import KnitApp


class CommandingScreen(ArrangingScreen, inherit_bindings=False):
    """A screen whose actions can be looked up and run."""

    def __init__(self) -> None:
        super().__init__()
        self._recent: tuple[str, ...] = ()
        """The ids of the commands that were used last, the newest first."""
        self.language = "auto"
        """As the settings name it."""

    def action_panel_help(self) -> None:
        from knit_tui.faces.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(), self._run_chosen)

    def action_panel_commands(self) -> None:
        from knit_tui.faces.tui.screens.palette import PaletteScreen

        before = self._knit.wanted_theme

        def offer() -> tuple[Command, ...]:
            return offered(actions_now(), self._values(before), self._useless())

        palette = PaletteScreen(offer, self._recent, lambda name: self._wear(name or before))
        self.app.push_screen(palette, self._run_command)

    @property
    def _knit(self) -> KnitApp:
        return cast("KnitApp", self.app)

    def _wear(self, theme: str) -> None:
        if theme != self._knit.wanted_theme:
            self._knit.use_theme(theme)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "at_once" or not isinstance(self.focused, Input)

    async def action_at_once(self, action_id: str) -> None:
        """Do what a key means before the next key is looked at, or as soon as there is anything to see."""
        if self.is_mounted:
            await self.do(action_id)
        else:
            self.call_later(self.do, action_id)

    async def do(self, action_id: str) -> None:
        """Do an action, or say why it would do nothing now."""
        why_not = self._useless().get(action_id)
        if why_not:
            self.say(why_not)
        else:
            await self.run_action(command(action_id))

    async def _run_chosen(self, action_id: str | None) -> None:
        if action_id is not None:
            await self.do(action_id)

    async def _run_command(self, action_id: str | None) -> None:
        if action_id is not None:
            self._recent = remembered(self._recent, action_id)
            await self._run_chosen(action_id)

    def _values(self, theme: str) -> dict[str, str]:
        state, driver = self.state, self.app._driver
        here = pgettext("value", "now")
        values = {
            f"tab.{state.tab.value}": here,
            f"theme.{theme}": here,
            f"language.{self.language}": here,
        }
        switches = {
            "panel.mouse": driver is not None and mouse.listens(driver),
            "usage.lens": self.tracking,
            "view.compact": self._rows_compact,
            "view.header": not self.bare,
            "view.summary": self.query_one(SummaryBar).display,
            "view.wrap": bool(self.preview.view.wraps),
            "view.zoom": self._zoomed,
        }
        values |= {action_id: _("on") if on else _("off") for action_id, on in switches.items()}
        view = state.view(state.shown)
        if view is not None and view.mode is Mode.RELEVANCE:
            values["sort.newest" if state.by_time else "sort.relevance"] = here
        return values

    def _useless(self) -> dict[str, str]:
        useless = self.state.useless(self.item)
        if self.in_lens:
            useless.pop("preview.open", None)
        if self.preview.view.wraps is None:
            useless["view.wrap"] = _("there is no text in the preview")
        if not self.tracking:
            useless["usage.off"] = _("nothing is counted")
        latest = self.state.latest
        if latest is not None and latest.session.state == "off":
            useless |= dict.fromkeys(("usage.lens", "usage.off"), _("no session is followed"))
        return useless

    # What has no key

    def action_sort(self, name: str) -> None:
        view = self.state.view(self.state.shown)
        by_time = name == "newest"
        if view is not None and view.mode is Mode.RELEVANCE and by_time != self.state.by_time:
            self._choose(self.state.tab, by_time)

    def action_theme(self, name: str) -> None:
        self._wear(name)
        self.say(_("theme {name}, until knit ends; panel.theme in the settings keeps it").format(name=name))
