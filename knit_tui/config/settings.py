"""The settings: one class a section, one field a setting, each with its meaning and its default.

A setting is read from `section.field`, from the environment as `KNIT_SECTION_FIELD`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from knit_tui.config.editors import EDITORS
from knit_tui.config.values import Choice, Command, Flag, Kind, Words

LANGUAGES = ("auto", "en", "zh_CN")
THEMES = (
    *("auto", "knit-dark", "knit-light", "ansi-dark", "ansi-light"),
    *("atom-one-dark", "atom-one-light", "catppuccin-frappe", "catppuccin-latte", "catppuccin-macchiato"),
    *("catppuccin-mocha", "dracula", "flexoki", "gruvbox", "monokai", "nord", "rose-pine", "rose-pine-dawn"),
    *("rose-pine-moon", "solarized-dark", "solarized-light", "textual-dark", "textual-light", "tokyo-night"),
)


def N_(message: str) -> str:
    """Mark ``message`` for the catalogue; it is translated where it is shown."""
    return message


def _agents() -> tuple[str, ...]:
    from knit_tui.sessions.formats import FORMATS

    return tuple(form.agent for form in FORMATS)


def _setting(default: object, kind: Kind, meaning: str) -> Any:
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Ranking:
    """What orders the documents."""

    git: bool = _setting(True, Flag(), N_("The project's git history takes part in the order."))
    order: str = _setting(
        "knit",
        Choice(("knit", "classic")),
        N_("classic is plain BM25 over whole texts: no history, no session."),
    )


@dataclass(frozen=True, slots=True)
class Panel:
    """How the panel looks and listens."""

    theme: str = _setting(
        "auto",
        Choice(THEMES),
        N_("Colours of the panel; auto asks the terminal, ansi-* are the terminal's own 16."),
    )
    language: str = _setting(
        "auto", Choice(LANGUAGES), N_("Language of the panel and of the command; auto is that of the locale.")
    )
    compact: bool = _setting(False, Flag(), N_("One line for each document, without reason and passage."))
    ascii: bool = _setting(False, Flag(), N_("Marks and rules in ASCII, also where others would do."))
    motion: bool = _setting(
        True, Flag(), N_("Marks of what changed go by themselves; without, they stay until the next change.")
    )
    mouse: bool = _setting(True, Flag(), N_("Listen to the mouse; without, the terminal selects text."))
    hints: bool = _setting(True, Flag(), N_("Show three lines of hints in the first two runs."))


@dataclass(frozen=True, slots=True)
class Editor:
    """The programs that open a document."""

    command: str | tuple[str, ...] = _setting(
        "auto",
        Command(("auto", *EDITORS)),
        N_("The editor; auto is $VISUAL or $EDITOR. In a list, {path} and {line} are filled in."),
    )
    opener: str | tuple[str, ...] = _setting(
        "auto",
        Command(("auto",)),
        N_("What opens pictures and films; auto is the system's own. In a list, {path} is filled in."),
    )
    place: str = _setting(
        "panel",
        Choice(("panel", "pane", "window")),
        N_("Where an editor of the terminal opens: in place of the panel, or in a new place of tmux."),
    )


@dataclass(frozen=True, slots=True)
class Session:
    """Which agent session is followed."""

    agents: tuple[str, ...] = _setting(
        (), Words(_agents), N_("Look at the sessions of these agents alone; an empty list is all of them.")
    )
    follow: str = _setting(
        "auto", Choice(("auto", "none")), N_("auto finds the session of the workspace, none goes without.")
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings in force."""

    ranking: Ranking = field(default_factory=Ranking)
    panel: Panel = field(default_factory=Panel)
    editor: Editor = field(default_factory=Editor)
    session: Session = field(default_factory=Session)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Actions that have other keys than their own, as they are written in the file; none unbinds."""


SECTIONS: Mapping[str, type] = {
    "ranking": Ranking,
    "panel": Panel,
    "editor": Editor,
    "session": Session,
}
"""Those whose settings are fields; the section ``keys`` has the names of actions instead."""
KEYS = "keys"


@dataclass(frozen=True, slots=True)
class Spec:
    """One setting: where it is, what it means, what it may hold."""

    section: str
    name: str
    kind: Kind
    default: Any
    meaning: str

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def variable(self) -> str:
        return f"KNIT_{self.section}_{self.name}".upper()


def _specs() -> Iterator[Spec]:
    for section, kind in SECTIONS.items():
        for each in fields(kind):
            facts = each.metadata
            yield Spec(section, each.name, facts["kind"], each.default, facts["meaning"])


SPECS: Mapping[str, Spec] = {spec.key: spec for spec in _specs()}
"""Every setting by its key, in the order of the sections."""
