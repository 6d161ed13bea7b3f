"""Everything a face needs, at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knit_tui.model.documents import Notice
from knit_tui.model.finding import Query
from knit_tui.model.inspection import Inspection
from knit_tui.model.pack import Controls, Tab, View
from knit_tui.model.session import SessionOffer, SessionStatus
from knit_tui.model.usage import Usage


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a face needs to draw, numbered by ``generation``."""

    generation: int
    root: str
    present: bool
    query: Query
    views: Mapping[Tab, View]
    session: SessionStatus
    signals: tuple[str, ...] = ("words",)
    """What takes part in the order: ``words`` and, with a history, ``history``; or ``classic`` alone."""
    controls: Controls = field(default_factory=Controls)
    undoable: str = ""
    """What ``undo`` would take back, as ``pin PATH`` or ``exclude PATH``; empty when nothing."""
    redoable: str = ""
    """What ``redo`` would do again; empty when nothing."""
    persisted: bool = False
    """What the user set is proven to be kept for the next time."""
    sessions: tuple[SessionOffer, ...] = ()
    """Those of this workspace, the nearest and newest first; empty when a log was named or none is wanted."""
    usage: Usage | None = None
    """What the agent did with the documents; None while that is not tracked."""
    inspection: Inspection | None = None
    """Of the document that was asked about."""
    skipped: int = 0
    notices: tuple[Notice, ...] = ()
    complete: bool = True
    """False while documents are still being indexed: the order is partial and a face says so."""
    indexed: int = 0
    documents: int = 0
