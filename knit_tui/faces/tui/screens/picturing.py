"""How the rows of pictures come to say how large they are."""

from __future__ import annotations

from textual import on

from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.screens.reading import ReadingScreen
from knit_tui.faces.tui.widgets.result_list import ResultList


class PicturingScreen(ReadingScreen, inherit_bindings=False):
    """A screen whose preview knows the pixel sizes that its list shows."""

    @on(ResultList.Unmeasured)
    def _measure(self, event: ResultList.Unmeasured) -> None:
        event.stop()
        if self.state.shown is not None:
            self.preview.measure(self.state.shown.root, event.items)

    @on(PreviewPane.Measured)
    def _measured(self, event: PreviewPane.Measured) -> None:
        event.stop()
        self.results.measured(self.preview.sizes)
