"""What the panel has other programs do: copy, edit, open, tell the agent. Knows no widget."""

from __future__ import annotations

from dataclasses import dataclass, field

from knit_tui.config.settings import Editor
from knit_tui.faces.tui.services.programs import Programs, System


@dataclass(frozen=True, slots=True)
class Services:
    """What the services work with."""

    programs: Programs = field(default_factory=System)
    editor: Editor = field(default_factory=Editor)
    """The settings of that section."""
