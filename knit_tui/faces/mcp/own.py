"""Which of the workspace's sessions is that of the agent which calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knit_tui.engine.changes import Follow
from knit_tui.model import SessionOffer
from knit_tui.sessions.formats import FORMATS

META_IDS = ("threadId", "sessionId")
"""Where a call itself may tell the id of its session, as Codex does."""


@dataclass(frozen=True, slots=True)
class Caller:
    """What is known of the agent: its kind if its name tells, the ids it gave with the call and at its
    start."""

    agent: str = ""
    told: tuple[str, ...] = ()
    started: tuple[str, ...] = ()


def caller(client: str, meta: Mapping[str, object], environ: Mapping[str, str]) -> Caller:
    """The agent that calls itself ``client``, as ``claude-code`` or ``codex-mcp-client``.

    An agent that runs in another one's shell has that one's variables too: only its own count.
    """
    name = client.lower()
    agent = next((form.agent for form in FORMATS if name.startswith(form.agent)), "")
    forms = [form for form in FORMATS if agent in ("", form.agent)]
    started = [environ[name] for form in forms for name in form.variables if environ.get(name)]
    told = [value for key in META_IDS if isinstance(value := meta.get(key), str) and value]
    return Caller(agent, tuple(told), tuple(started))


class Choice:
    """Chooses the session to follow. One that an id led to is kept until another id is told: the session that
    took its place in the same agent is followed by itself."""

    def __init__(self) -> None:
        self._id = ""
        self.how = ""
        """``call`` or ``environment`` (an id that came so), ``agent`` (the newest of that agent); empty when
        it is whichever was found."""

    def change(self, caller: Caller, offers: Iterable[SessionOffer], *, again: bool) -> Follow | None:
        """Which other session than the followed one to follow; None to stay.

        An id that no session has may be that of one which has just begun: then all is looked at anew, unless
        this is ``again`` after that.
        """
        ids = (*caller.told, *caller.started)
        here = [each for each in offers if each.match != "worktree" or each.session_id in ids]
        mine = [each for each in here if caller.agent in ("", each.agent)]
        for how, told in (("call", caller.told), ("environment", caller.started)):
            found = next((each for one in told for each in mine if each.session_id == one), None)
            if found is not None:
                fresh = found.session_id != self._id
                self._id, self.how = found.session_id, how
                # Also when it is followed already: else it would be left for whichever is prompted next.
                return Follow(found.key) if fresh else None
        if ids and not again:
            return Follow(None)
        self._id, self.how = "", "agent" if caller.agent and mine else ""
        if not self.how:
            return None
        nearest = mine[0].match
        newest = max((each for each in mine if each.match == nearest), key=lambda each: each.prompted)
        return None if newest.followed else Follow(newest.key)
