"""What every application of Textual does anew at its start, done once for all of a test process."""

from __future__ import annotations

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parsed: dict[tuple[Any, ...], list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def _once(self: Stylesheet, css: str, *place: Any, **named: Any) -> list[RuleSet]:
    key = (css, place, tuple(named.items()), frozenset(self._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(self, css, *place, **named)
    return _parsed[key]


def parse_styles_once() -> None:
    """A quarter of the start of an application is the same style sheets parsed again."""
    Stylesheet._parse_rules = _once  # type: ignore[method-assign]
