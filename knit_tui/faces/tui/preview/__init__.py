"""The panel's preview of one file."""

from knit_tui.faces.tui.preview.pane import PreviewPane

__all__ = ["PreviewPane"]
