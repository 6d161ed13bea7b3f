"""The vocabulary of knit as immutable values; every package speaks in these.

Paths are workspace-relative, with ``/`` separators, decoded by ``os.fsdecode``: a name that is not
UTF-8 carries lone surrogates and ``os.fsencode`` gives its exact bytes back. Times are nanoseconds
since the epoch. Text in these values is as the file or the log has it, and hostile: a face passes
it through ``safe_text`` before it shows it.
"""

from knit_tui.model.documents import (
    Access,
    Commit,
    Entry,
    Field,
    Kind,
    Notice,
    Outline,
    Scan,
    Skip,
    Stamp,
    Text,
)
from knit_tui.model.finding import Hit, Lead, Passage, Query, QueryTerm, TermHit, Use, Wish
from knit_tui.model.inspection import RELATIONS_INSPECTED, Inspection
from knit_tui.model.pack import (
    RELATIONS_KEPT,
    Controls,
    Item,
    Mode,
    Provenance,
    Reason,
    Relation,
    RelationType,
    Role,
    Tab,
    Tier,
    View,
)
from knit_tui.model.session import Message, SessionOffer, SessionStatus, Speaker
from knit_tui.model.snapshot import Snapshot
from knit_tui.model.usage import (
    Change,
    Churn,
    Counts,
    Coverage,
    Cut,
    Delta,
    DocumentUsage,
    Edit,
    PackItem,
    Place,
    Read,
    Status,
    Usage,
)

__all__ = [
    "RELATIONS_INSPECTED",
    "RELATIONS_KEPT",
    "Access",
    "Change",
    "Churn",
    "Commit",
    "Controls",
    "Counts",
    "Coverage",
    "Cut",
    "Delta",
    "DocumentUsage",
    "Edit",
    "Entry",
    "Field",
    "Hit",
    "Inspection",
    "Item",
    "Kind",
    "Lead",
    "Message",
    "Mode",
    "Notice",
    "Outline",
    "PackItem",
    "Passage",
    "Place",
    "Provenance",
    "Query",
    "QueryTerm",
    "Read",
    "Reason",
    "Relation",
    "RelationType",
    "Role",
    "Scan",
    "SessionOffer",
    "SessionStatus",
    "Skip",
    "Snapshot",
    "Speaker",
    "Stamp",
    "Status",
    "Tab",
    "TermHit",
    "Text",
    "Tier",
    "Usage",
    "Use",
    "View",
    "Wish",
]
