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
from knit_tui.model.session import Message, SessionStatus, Speaker
from knit_tui.model.snapshot import Snapshot

__all__ = [
    "RELATIONS_KEPT",
    "Access",
    "Commit",
    "Controls",
    "Entry",
    "Field",
    "Hit",
    "Item",
    "Kind",
    "Lead",
    "Message",
    "Mode",
    "Notice",
    "Outline",
    "Passage",
    "Provenance",
    "Query",
    "QueryTerm",
    "Reason",
    "Relation",
    "RelationType",
    "Role",
    "Scan",
    "SessionStatus",
    "Skip",
    "Snapshot",
    "Speaker",
    "Stamp",
    "Tab",
    "TermHit",
    "Text",
    "Tier",
    "Use",
    "View",
    "Wish",
]
