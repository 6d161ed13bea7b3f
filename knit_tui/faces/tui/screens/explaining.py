"""How the panel explains itself: evidence under the rows, the overlays, the line of facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from knit_tui.engine.changes import Inspect
from knit_tui.faces.i18n import _
from knit_tui.faces.summary_words import summary_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.evidence_rows import Destination, said_at
from knit_tui.faces.tui.screens.tracking import TrackingScreen, document_in
from knit_tui.faces.tui.widgets.summary_bar import SummaryBar
from knit_tui.model import Item, Passage, Snapshot
from knit_tui.workspace.classify import classify

if TYPE_CHECKING:
    from knit_tui.faces.tui.screens.excluded import ExcludedScreen
    from knit_tui.faces.tui.screens.why import WhyScreen

_MAPPED = (".js", ".mjs", ".cjs", ".css")
"""What a source map may lie beside."""
_AROUND = 2
"""Lines before and after the one that mentions a document."""


class ExplainingScreen(TrackingScreen, inherit_bindings=False):
    """A screen that tells why its rows are there and others are not."""

    def __init__(self) -> None:
        super().__init__()
        self._at: Passage | None = None
        """The lines of the document that the preview was led to."""
        self._overlay: WhyScreen | ExcludedScreen | None = None
        self._inspecting = False
        self._maps: tuple[object, frozenset[str]] = (None, frozenset())
        """The views that were looked through last, and the source maps in them."""
        self._summarised = False
        """Whether the user wants the line of facts."""
        self._message = ""

    @property
    def previewed(self) -> Item | None:
        item = super().previewed
        if self._led is None or self._at is None or item is None:
            return item
        return replace(item, passages=(self._at,))

    def show_facts(self) -> None:
        """Bring the line of facts and the overlay up to date."""
        latest = self.state.latest
        view = self.state.view(latest)
        known = self._summarised and latest is not None and view is not None and latest.present
        self.query_one(SummaryBar).show(summary_of(latest, view) if known and latest and view else None)
        if self._overlay is not None and latest is not None:
            self._overlay.show(latest, self._message)

    def action_view_summary(self) -> None:
        self._summarised = not self._summarised
        self.show_facts()

    # Under the rows

    def action_item_evidence(self) -> None:
        if self.in_lens:
            self.action_inspect_open()
            return
        if self.has_class("-reading"):
            self.go_to_list()
        self.results.toggle_evidence()

    def follow_evidence(self) -> bool:
        """Go where the line under the cursor leads, if it is one that leads anywhere."""
        row = self.results.evidence if self.focused is self.results else None
        if row is None or not row.leads:
            return False
        if row.relation is not None:
            self._go_to(said_at(row.item.rel, row.relation))
        elif row.more:
            self.results.list_relations(row)
        else:
            self.action_inspect_open()
        return True

    def _go_to_document(self, rel: str) -> None:
        self._at = None
        super()._go_to_document(rel)

    def _go_to(self, goal: Destination) -> None:
        """Read a document, at a line if there is one."""
        rel, line, latest = goal.rel, goal.line, self.state.latest
        item = known_item(latest, rel) if latest is not None else None
        if item is None:
            self.say(_("not among the files of the workspace: {path}").format(path=plain(rel)))
            return
        self._at = None if line is None else Passage(max(1, line - _AROUND), line + _AROUND, (), "")
        self._led = item
        if self.compact:
            self.add_class("-reading")
        self._show_preview()
        self.preview.aim(line)
        self.focus_preview()

    # Overlays

    def inspect(self, rel: str) -> None:
        """Ask the engine about a document."""
        self._inspecting = True
        self._send(Inspect(rel))

    def action_inspect_open(self) -> None:
        self._explain(backlinks=False)

    def action_inspect_backlinks(self) -> None:
        self._explain(backlinks=True)

    def source_map(self) -> str:
        """The path of the source map beside the document of the preview; empty if there is none."""
        item, latest = self.previewed, self.state.latest
        if item is None or latest is None or not item.rel.endswith(_MAPPED):
            return ""
        if self._maps[0] is not latest.views:  # looked for once: this is asked for every document
            every = (each.rel for view in latest.views.values() for each in view.newest)
            self._maps = latest.views, frozenset(rel for rel in every if rel.endswith(".map"))
        rel = item.rel + ".map"
        return rel if rel in self._maps[1] else ""

    def action_inspect_map(self) -> None:
        found = self.source_map()
        if found:
            self._go_to_document(found)
        else:
            self.say(_("there is no source map beside it"))

    def _explain(self, *, backlinks: bool) -> None:
        from knit_tui.faces.tui.screens.why import WhyScreen

        latest, line = self.state.latest, self.lens.rows.line
        if latest is None:
            return
        rel = line.rel if self.in_lens and line is not None else self.item.rel if self.item else ""
        if rel:
            self.inspect(rel)
        self._overlay = WhyScreen(self, latest, rel, backlinks=backlinks)
        self.app.push_screen(self._overlay, self._explained)

    def _explained(self, destination: Destination | None) -> None:
        self._overlay = None
        if self._inspecting:
            self._inspecting = False
            self._send(Inspect(None))
        if destination is not None:
            self._go_to(destination)

    def action_excluded_show(self) -> None:
        from knit_tui.faces.tui.screens.excluded import ExcludedScreen

        if self.state.latest is None:
            return
        self._overlay = ExcludedScreen(self, self.state.latest)
        self.app.push_screen(self._overlay, self._left)

    def _left(self, _nothing: None) -> None:
        self._overlay = None


def known_item(snapshot: Snapshot, rel: str) -> Item | None:
    """The item of ``rel`` in whichever view has it; what its name tells when the user left it out."""
    item = document_in(snapshot, rel)
    if item is not None or rel not in snapshot.controls.excluded:
        return item
    named = classify(rel)
    name = rel.rpartition("/")[2]
    return Item(rel, named.kind, named.language, named.access, name, "", 0, 0)
