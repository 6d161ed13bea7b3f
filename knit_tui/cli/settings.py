"""The settings of a command: what its options say, over what the files and the environment say."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from knit_tui.cli.options import Orders, RankingOption
from knit_tui.faces.i18n import _, use_language

if TYPE_CHECKING:
    from knit_tui.config import Fault, Loaded
    from knit_tui.faces.tui.registry import Action


class Chosen(NamedTuple):
    """The options that stand before a command; None is what was not given."""

    folder: str | None = None
    session: str | None = None
    git: bool | None = None
    ranking: RankingOption | None = None
    language: str | None = None

    def over(
        self, session: str | None, git: bool | None = None, ranking: RankingOption | None = None
    ) -> Chosen:
        """These, with those of the command itself, which count more."""
        return self._replace(
            session=self.session if session is None else session,
            git=self.git if git is None else git,
            ranking=self.ranking if ranking is None else ranking,
        )


def load_settings(root: Path | None, chosen: Chosen) -> Loaded:
    """What is in force in the workspace ``root``; from here on knit speaks the language that is set."""
    from knit_tui.config import Option, load

    options = []
    if chosen.git is not None:
        options.append(Option("ranking.git", chosen.git, "--git" if chosen.git else "--no-git"))
    if chosen.ranking is not None:
        options.append(Option("ranking.order", chosen.ranking.value, "--ranking"))
    if chosen.language is not None:
        options.append(Option("panel.language", chosen.language, "--lang"))
    loaded = load(root, options=options)
    language = loaded.settings.panel.language
    use_language(None if language == "auto" else language)
    return loaded


def orders_of(loaded: Loaded) -> Orders:
    """How documents are ordered."""
    ranking = loaded.settings.ranking
    return Orders(ranking.git, ranking.order == "classic")


def session_of(loaded: Loaded, chosen: Chosen) -> str | None:
    """The session to follow, as `Follower` takes it."""
    if chosen.session is not None:
        return chosen.session
    return "none" if loaded.settings.session.follow == "none" else None


def tell_agents(loaded: Loaded) -> None:
    """Where none was found: a line on stderr if only the sessions of some agents are looked for."""
    agents = loaded.settings.session.agents
    if agents:
        text = _("only sessions of {agents} are looked for: the setting session.agents")
        print("knit: " + text.format(agents=", ".join(agents)), file=sys.stderr)


def actions_of(loaded: Loaded) -> tuple[tuple[Action, ...], tuple[Fault, ...]]:
    """What the user can do in the panel, with the keys that are set, and everything that is not used."""
    from knit_tui.faces.tui.keymap import rebound
    from knit_tui.faces.tui.registry import ACTIONS

    actions, faults = rebound(ACTIONS, loaded.settings.keys, loaded.sources)
    return actions, (*loaded.faults, *faults)


def warn(faults: Iterable[Fault]) -> None:
    """A line on stderr for each setting that is not used."""
    faults = tuple(faults)
    if faults:
        from knit_tui.faces.config import fault_text

        for fault in faults:
            print("knit: " + fault_text(fault), file=sys.stderr)
