"""A user's folder and a workspace for the tests of the settings."""

from __future__ import annotations

from pathlib import Path

from knit_tui.config import Loaded, Option, load
from knit_tui.faces.config import fault_text


class Place:
    """A user's folder and a workspace."""

    def __init__(self, top: Path) -> None:
        self.folder = top / "config"
        self.root = top / "ws"
        self.folder.mkdir()
        self.root.mkdir()
        self.user = self.folder / "config.toml"
        self.workspace = self.root / ".knit.toml"

    def load(self, *options: Option, **environ: str) -> Loaded:
        return load(self.root, {"KNIT_CONFIG_DIR": str(self.folder), **environ}, options)

    def texts(self, **environ: str) -> list[str]:
        """The warnings, without what is the same in each."""
        texts = [fault_text(fault) for fault in self.load(**environ).faults]
        for text in texts:
            assert "\n" not in text and "\x1b" not in text
        names = ((str(self.user), "USER"), (str(self.workspace), "WORKSPACE"))
        for path, name in names:
            texts = [text.replace(path, name) for text in texts]
        return texts
