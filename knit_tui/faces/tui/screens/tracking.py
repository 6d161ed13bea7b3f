"""What the user does about tracking: turn it on and off, look at it, go where its lines lead."""

from __future__ import annotations

from collections.abc import Callable

from textual import events, on

from knit_tui.engine.changes import Track
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.screens.acts import ActingScreen
from knit_tui.faces.tui.usage_rows import Heading, Shape
from knit_tui.faces.tui.widgets.usage_lens import LensList, UsageLens
from knit_tui.faces.wording import tier_text
from knit_tui.model import Item, Snapshot, Tab, Tier

_AGES_SECONDS = 30.0
_MOVES: dict[str, Callable[[LensList], None]] = {
    "down": lambda rows: rows.move(1),
    "up": lambda rows: rows.move(-1),
    "page_down": lambda rows: rows.move_page(1),
    "page_up": lambda rows: rows.move_page(-1),
    "top": lambda rows: rows.to_top(),
    "bottom": lambda rows: rows.move_to_end(1),
    "next_tier": lambda rows: rows.move_section(1),
    "previous_tier": lambda rows: rows.move_section(-1),
}


class TrackingScreen(ActingScreen, inherit_bindings=False):
    """A screen with a usage lens over what its list shows."""

    def __init__(self) -> None:
        super().__init__()
        self._wide = False
        self._wanted: bool | None = None
        """Whether the user wants tracking, until a snapshot says the same."""
        self._led: Item | None = None
        """What the preview shows because a line of the lens led there."""

    # What the screen over it has

    @property
    def preview(self) -> PreviewPane:
        raise NotImplementedError

    @property
    def compact(self) -> bool:
        raise NotImplementedError

    def _show_preview(self) -> None:
        raise NotImplementedError

    def _choose(self, tab: Tab, by_time: bool) -> None:
        raise NotImplementedError

    def go_to_list(self) -> None:
        """Show the list, and put the focus on it."""
        raise NotImplementedError

    def focus_preview(self) -> bool:
        """Put the focus on what the preview shows; whether it takes it."""
        for widget in (self.preview, *self.preview.query("*")):
            if widget.can_focus:
                self.turn_to(widget)
                return True
        return False

    # The lens

    @property
    def lens(self) -> UsageLens:
        return self.query_one(UsageLens)

    @property
    def in_lens(self) -> bool:
        """Whether the lens has the focus."""
        return self.focused is self.lens.rows

    @property
    def tracking(self) -> bool:
        """Whether it is on, or the user has just turned it on."""
        latest = self.state.latest
        return self._wanted if self._wanted is not None else latest is not None and latest.usage is not None

    def on_mount(self) -> None:
        self.set_interval(_AGES_SECONDS, self.lens.tick)

    def on_resize(self, event: events.Resize) -> None:
        self.show_usage()

    def show_usage(self) -> None:
        """Bring the lens and the marks of the rows up to date."""
        latest = self.state.latest
        usage = latest.usage if latest is not None else None
        if self._wanted is not None and self._wanted == (usage is not None):
            self._wanted = None
        heading = Heading(
            self.tracking,
            usage if self.tracking else None,
            latest is None or latest.complete,
            self._wide,
        )
        nothing = latest is None or latest.session.state == "off"
        focused = self.in_lens
        self.lens.show(heading, (self.size.width, self.size.height), hidden=nothing)
        if focused and not self.lens.rows.display:
            self.go_to_list()
        self.results.mark(usage.documents if usage is not None and self.tracking else None)
        if self._led is not None and latest is not None:
            led = document_in(latest, self._led.rel)
            if led is not None and led is not self._led:
                self._led = led
                self._show_preview()

    def action_usage_lens(self) -> None:
        if not self.tracking:
            self._wanted, self._wide = True, True
            self._send(Track(True))
            self.say(_("counting what the agent reads; {key} stops it").format(key=key_of("usage.off")))
            return
        self._wide = not self._wide
        self.show_usage()
        if self._wide and self.lens.shape not in (Shape.PANEL, Shape.COLUMN):
            self.say(_("the usage needs a pane of 18 lines"))

    def action_usage_off(self) -> None:
        if not self.tracking:
            self.say(_("nothing is counted"))
            return
        latest, key = self.state.latest, key_of("usage.off")
        question = _("that forgets what was counted, {key} again does it").format(key=key)
        if latest is not None and latest.usage is not None and not self.sure("usage.off", question):
            return
        self._wanted = self._wide = False
        self._send(Track(False))
        self.say(_("usage off, what was counted is forgotten"))

    # In the lens

    def focus_lens(self) -> bool:
        """Put the focus on the list of the lens, if there is one."""
        if not (self.lens.display and self.lens.rows.display and self.lens.rows.line is not None):
            return False
        self.turn_to(self.lens.rows)
        return True

    def move_in_lens(self, where: str) -> bool:
        """Move there, if the lens has the focus."""
        if self.in_lens:
            _MOVES[where](self.lens.rows)
        return self.in_lens

    @on(LensList.Led)
    def _lead(self, event: LensList.Led) -> None:
        event.stop()
        line = event.line
        if line.more:
            self.lens.open(line.section)
        elif line.tier is not None:
            self._go_to_tier(line.tier)
        else:
            self._go_to_document(line.rel)

    def _go_to_tier(self, tier: Tier) -> None:
        if self.state.tab is not Tab.CONTEXT or self.state.by_time:
            self._choose(Tab.CONTEXT, False)
        if self.results.select_tier(tier):
            self.go_to_list()
        else:
            self.say(_("nothing of it is in the list: {tier}").format(tier=tier_text(tier)))

    def _go_to_document(self, rel: str) -> None:
        if self.results.select_document(rel):
            self.go_to_list()
            return
        latest = self.state.latest
        item = document_in(latest, rel) if latest is not None else None
        if latest is None or item is None:
            self.say(_("not among the files of the workspace: {path}").format(path=plain(rel)))
            return
        self._led = item
        if self.compact:
            self.add_class("-reading")
        self.preview.show(latest.root, item)
        self.focus_preview()

    # Which document it is about

    @property
    def item(self) -> Item | None:
        line, latest = self.lens.rows.line, self.state.latest
        if self.in_lens:
            return document_in(latest, line.rel) if line is not None and latest is not None else None
        return self.previewed

    @property
    def previewed(self) -> Item | None:
        """What the preview is to show: where a line led, else the item of the list."""
        return self._led or self.results.item

    def on_descendant_focus(self) -> None:
        if self._led is not None and self.focused is self.results:
            self._led = None
            self._show_preview()


def document_in(snapshot: Snapshot, rel: str) -> Item | None:
    """The item of ``rel`` in whichever view has it."""
    for view in snapshot.views.values():
        for item in (*view.items, *view.newest):
            if item.rel == rel:
                return item
    return None
