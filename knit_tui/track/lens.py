"""What faces are told of the followed session. Nothing is counted here: all of it follows from the state,
the files as they are now, and the newest pack."""

from __future__ import annotations

from collections.abc import Container, Mapping

from knit_tui.model import Coverage, Cut, DocumentUsage, Read, Tier, Usage
from knit_tui.track.epochs import TIERS, Epoch
from knit_tui.track.lifecycle import Life, standing
from knit_tui.track.state import Session, Tracking

_NOTHING = Usage()


def report(
    state: Tracking,
    mtimes: Mapping[str, int],
    present: Container[str],
    *,
    scanned: int | None = None,
    before: Usage | None = None,
) -> Usage:
    """What is known of the agent and the documents; ``before`` itself when it says the same.

    ``mtimes`` are those of the files in nanoseconds, ``present`` the paths that exist. Both are as they
    were at ``scanned``, by the counter of evidence and packs, and are held against no later evidence;
    None means now.
    """
    session = state.session
    usage = _NOTHING if session is None else _usage(session, mtimes, present, scanned, state.forgotten)
    return before if usage == before and before is not None else usage


def _usage(
    session: Session, mtimes: Mapping[str, int], present: Container[str], scanned: int | None, sessions: int
) -> Usage:
    epoch = session.epochs.newest
    documents = {
        rel: _document(rel, life, epoch, mtimes.get(rel), rel in present, scanned)
        for rel, life in reversed(list(session.lives.items()))
    }
    firsts = [one.first_read for one in documents.values() if one.first_read]
    reads = sorted((one.last_read for one in documents.values() if one.last_read), key=_moment, reverse=True)
    edits = [one.last_edit for one in documents.values() if one.last_edit]
    counts = {read.rel: documents[read.rel].counts for read in reads}
    newest = [read.rel for read in reads]
    by_outside = sorted(newest, key=lambda rel: -counts[rel].outside)
    by_reads = sorted(newest, key=lambda rel: -counts[rel].reads)
    return Usage(
        session=session.id,
        epoch=epoch.number if epoch else 0,
        task=epoch.pack.task if epoch else "",
        topic=epoch.pack.topic if epoch else (),
        counts=session.counts,
        elsewhere=session.elsewhere,
        documents=documents,
        read=tuple(newest),
        edited=tuple(edit.rel for edit in sorted(edits, key=lambda edit: (-edit.seq, edit.rel))),
        outside=tuple(rel for rel in by_outside if counts[rel].outside),
        not_shown=tuple(rel for rel in by_reads if documents[rel].tier is None),
        continued=tuple(rel for rel in newest if counts[rel].continued),
        reentries=tuple(rel for rel in newest if counts[rel].reentries),
        coverage=tuple(_coverage(tier, epoch, counts) for tier in TIERS) if epoch else (),
        first=min(firsts, key=lambda read: (read.seq, read.rel), default=None),
        recent=reads[0] if reads else None,
        delta=session.epochs.delta,
        churn=session.epochs.churn,
        cut=Cut(
            session.forgotten,
            session.forgotten_reads,
            session.epochs.forgotten,
            session.unmarked,
            sessions,
        ),
    )


def _document(
    rel: str, life: Life, epoch: Epoch | None, mtime_ns: int | None, present: bool, scanned: int | None
) -> DocumentUsage:
    newer = scanned is None or scanned >= life.touched
    status, changed = standing(life, mtime_ns, present, newer)
    item = epoch.places.get(rel) if epoch else None
    return DocumentUsage(
        rel,
        status,
        changed,
        life.counts,
        life.first_read,
        life.last_read,
        life.last_edit,
        item.tier if item else None,
        item.number if item else 0,
        life.lost,
    )


def _moment(read: Read) -> tuple[int, int, str]:
    return read.seq, -1 if read.at is None else read.at, read.rel


def _coverage(tier: Tier, epoch: Epoch, counts: Mapping[str, object]) -> Coverage:
    rels = [item.rel for item in epoch.pack.items if item.tier is tier]
    read = tuple(rel for rel in rels if rel in counts)
    return Coverage(tier, read, tuple(rel for rel in rels if rel not in counts))
