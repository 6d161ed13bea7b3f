"""All that is remembered of the sessions that were followed.

A log may be told again from its start: it was cut, replaced, or its session is followed again. Then the
evidence of that session is replaced, and each read and edit that was known before (the same call, else the
same number among those of its document) keeps its moment and its place.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from knit_tui.model import Counts, Edit, Place, Read
from knit_tui.track.epochs import Epochs, Pack, succeeded
from knit_tui.track.lifecycle import Life, was_edited, was_lost, was_mentioned, was_read
from knit_tui.track.reads import Act, Evidence, Loss, act, document, place

SESSIONS_KEPT = 24
DOCUMENTS_KEPT = 200
"""Of one session, those used last and those of the pack in force."""
MARKS_KEPT = 4000
"""Reads and edits of one session that keep their moment when the log is told again."""

_EARLIEST = -1
"""``seq`` of a pack that is held against what was told before there was one."""

Call = tuple[Act, str, str]
"""A read or edit, of a document, by a call; several have the same when the log names no calls."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a read or edit was found to be when it was first told."""

    seq: int
    at: int | None
    mtime_ns: int | None
    listed: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Session:
    """One session; ``lives`` by path, the newest use last."""

    id: str
    epochs: Epochs = field(default_factory=Epochs)
    lives: Mapping[str, Life] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    elsewhere: int = 0
    forgotten: int = 0
    forgotten_reads: int = 0
    cursor: int = _EARLIEST
    """The greatest ``seq`` of evidence of this telling; what is not newer was noted already."""
    marks: Mapping[Call, tuple[Mark, ...]] = field(default_factory=dict)
    marked: int = 0
    unmarked: int = 0
    known: Mapping[Call, tuple[Mark, ...]] = field(default_factory=dict)
    """The marks of tellings before this one."""


@dataclass(frozen=True, slots=True)
class Tracking:
    """Sessions by id, the one followed last at the end; ``current`` is None between two of them."""

    sessions: Mapping[str, Session] = field(default_factory=dict)
    current: str | None = None
    forgotten: int = 0

    @property
    def session(self) -> Session | None:
        """The one that is followed."""
        return None if self.current is None else self.sessions[self.current]


def restarted(state: Tracking) -> Tracking:
    """``state`` when all that was told no longer counts: whichever session follows is told from its start."""
    return replace(state, current=None) if state.current is not None else state


def following(state: Tracking, session_id: str) -> Tracking:
    """``state`` with this session as the one that evidence and packs are of."""
    if state.current == session_id:
        return state
    sessions = dict(state.sessions)
    session = sessions.pop(session_id, None)
    if session is None:
        session = Session(session_id)
    elif state.current is None:
        session = _told_again(session)
    sessions[session_id] = session
    surplus = list(sessions)[:-SESSIONS_KEPT]
    for oldest in surplus:
        del sessions[oldest]
    return Tracking(sessions, session_id, state.forgotten + len(surplus))


def observed(state: Tracking, pack: Pack, seq: int, at: int | None = None) -> Tracking:
    """``state`` with ``pack`` in force from ``seq`` on; the same object when it was, or none is followed."""
    session = state.session
    if session is None:
        return state
    epochs = succeeded(session.epochs, pack, seq, at)
    return state if epochs is session.epochs else _with(state, replace(session, epochs=epochs))


def noted(state: Tracking, evidence: Iterable[Evidence | Loss]) -> Tracking:
    """``state`` after ``evidence``, in the order of the log; the same object when it proves nothing new."""
    session, told = state.session, tuple(evidence)
    if session is None or not told:
        return state
    notebook = _Notebook(session)
    for one in told:
        if isinstance(one, Loss):
            notebook.lose(one)
        else:
            notebook.note(one)
    return _with(state, notebook.session()) if notebook.changed else state


def advanced(
    state: Tracking, evidence: Iterable[Evidence | Loss], pack: Pack, seq: int, at: int | None = None
) -> Tracking:
    """``state`` after what was told since the last time, and the pack that is at hand then.

    Without a pack in force so far, this one is held against the evidence.
    """
    session = state.session
    if session is not None and session.epochs.newest is None:
        state = observed(state, pack, _EARLIEST)
    return observed(noted(state, evidence), pack, seq, at)


def sighted(state: Tracking, listed: Container[str]) -> Tracking:
    """``state`` with what is known to be ``listed`` now: a file may be used before it is seen to be there."""
    session = state.session
    if session is None:
        return state
    seen = {
        rel: replace(life, listed=True)
        for rel, life in session.lives.items()
        if not life.listed and rel in listed
    }
    return _with(state, replace(session, lives={**session.lives, **seen})) if seen else state


def _with(state: Tracking, session: Session) -> Tracking:
    return replace(state, sessions={**state.sessions, session.id: session})


def _told_again(session: Session) -> Session:
    known = dict(session.known)
    for call, marks in session.marks.items():
        known[call] = (*marks, *known.pop(call, ())[len(marks) :])
    spare = sum(map(len, known.values())) - MARKS_KEPT
    while spare > 0:
        spare -= len(known.pop(next(iter(known))))
    return Session(session.id, session.epochs, known=known)


class _Notebook:
    """A session while evidence is written into it."""

    def __init__(self, session: Session) -> None:
        self.changed = False
        self._before = session
        self._lives = dict(session.lives)
        self._marks = dict(session.marks)
        self._counts = session.counts
        self._elsewhere = session.elsewhere
        self._forgotten = session.forgotten
        self._forgotten_reads = session.forgotten_reads
        self._cursor = session.cursor
        self._marked = session.marked
        self._unmarked = session.unmarked
        newest = session.epochs.newest
        self._in_force = newest.places if newest else {}

    def note(self, evidence: Evidence) -> None:
        proved = act(evidence)
        if proved is Act.NOTHING or evidence.seq <= self._cursor:
            return
        self.changed = True
        self._cursor = evidence.seq
        rel = document(evidence.path)
        if rel is None:
            self._elsewhere += proved is not Act.MENTION
            return
        life = self._lives.pop(rel, None) or Life()
        if proved is Act.MENTION:
            life, more = was_mentioned(life)
        else:
            mark = self._mark(proved, rel, evidence)
            if not life.listed and (mark.listed or evidence.listed):
                life = replace(life, listed=True)
            if proved is Act.READ:
                inferred = evidence.certainty == "inferred"
                read = Read(rel, mark.seq, mark.at, mark.place, inferred, evidence.by)
                life, more = was_read(life, read, mark.mtime_ns)
            else:
                edit = Edit(rel, mark.seq, mark.at, evidence.by)
                life, more = was_edited(life, edit, mark.mtime_ns)
        self._lives[rel] = life
        self._counts += more
        if len(self._lives) > DOCUMENTS_KEPT:
            self._forget()

    def lose(self, loss: Loss) -> None:
        if loss.seq <= self._cursor:
            return
        self.changed = True
        self._cursor = loss.seq
        self._lives = {rel: was_lost(life, loss.why) for rel, life in self._lives.items()}

    def _mark(self, proved: Act, rel: str, evidence: Evidence) -> Mark:
        """What is known of this very read or edit, else what is found now."""
        call = (proved, rel, evidence.call_id)
        told = self._marks.get(call, ())
        known = self._before.known.get(call, ())
        if len(told) < len(known):
            mark = known[len(told)]
        else:
            mtime_ns = evidence.mtime_ns
            before = self._before.lives.get(rel)
            if proved is Act.EDIT and before is not None and before.touched_ns == mtime_ns:
                mtime_ns = None  # the edit has not reached the disk yet
            where = place(self._before.epochs, rel, evidence.seq) if proved is Act.READ else Place()
            mark = Mark(evidence.seq, evidence.at, mtime_ns, evidence.listed, where)
        if self._marked < MARKS_KEPT:
            self._marks[call] = (*told, mark)
            self._marked += 1
        else:
            self._unmarked += 1
        return mark

    def _forget(self) -> None:
        """Let the document go that was used longest ago; one that is in force must not look unread."""
        oldest = next((rel for rel in self._lives if rel not in self._in_force), next(iter(self._lives)))
        self._forgotten += 1
        self._forgotten_reads += self._lives.pop(oldest).counts.reads

    def session(self) -> Session:
        return Session(
            self._before.id,
            self._before.epochs,
            self._lives,
            self._counts,
            self._elsewhere,
            self._forgotten,
            self._forgotten_reads,
            self._cursor,
            self._marks,
            self._marked,
            self._unmarked,
            self._before.known,
        )
