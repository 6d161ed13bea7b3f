"""Component styles that are looked up when something is first drawn with them."""

from __future__ import annotations

from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.widget import Widget


class Inked(Widget):
    """A widget whose component styles cost nothing until they are drawn with.

    The library looks up all of them, each a search through all rules, whenever the styles of the widget may
    be others. A list has thirty, of which the first frame needs a few.
    """

    def _get_component_classes(self) -> frozenset[str]:  # type: ignore[override]
        # What the library is to look up again: those that something was drawn with.
        return frozenset(self._component_styles)

    def get_component_styles(self, *names: str) -> RenderStyles:
        for name in super()._get_component_classes().intersection(names):
            if name not in self._component_styles:
                node = DOMNode(classes=name)
                node._attach(self)
                self.app.stylesheet.apply(node)
                self._component_styles[name] = node.styles
        return super().get_component_styles(*names)
