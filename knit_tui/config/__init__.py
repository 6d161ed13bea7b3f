"""What the user may set, and how it was set: files, environment, defaults.

Whoever starts knit reads the settings and hands values on; the engine and what lies below it are told, and
cannot read a setting of their own.
"""

from knit_tui.config.faults import Fault
from knit_tui.config.loading import Loaded, Option, Source, load
from knit_tui.config.settings import SPECS, Editor, Panel, Ranking, Session, Settings, Spec

__all__ = [
    "SPECS",
    "Editor",
    "Fault",
    "Loaded",
    "Option",
    "Panel",
    "Ranking",
    "Session",
    "Settings",
    "Source",
    "Spec",
    "load",
]
