"""What knit found out about itself and what it stands on, as text and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import cells, safe_text

SCHEMA = 1

Value = str | int | bool | None | Sequence[str] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing. ``name`` tells programs what it is and ``label`` people; ``text`` is ``value`` in words."""

    name: str
    label: str
    value: Value
    text: str = ""
    problem: str = ""
    """What is wrong, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Section:
    """Facts about one thing, ``name`` for programs and ``title`` for people."""

    name: str
    title: str
    facts: tuple[Fact, ...]


def problems(sections: Iterable[Section]) -> int:
    """How many of the facts are problems."""
    return sum(bool(fact.problem) for section in sections for fact in section.facts)


def doctor_text(sections: Sequence[Section]) -> str:
    """A line for each fact, below it one for each problem, and at the end how many those are."""
    width = max((cells(fact.label) for section in sections for fact in section.facts), default=0)
    lines: list[str] = []
    for section in sections:
        lines += [section.title]
        for fact in section.facts:
            told = [safe_text(fact.text)] if fact.text else []
            if fact.problem:
                told.append(_("problem: {problem}").format(problem=safe_text(fact.problem)))
            for number, text in enumerate(told or [""]):
                label = "" if number else fact.label
                lines.append(f"  {label}{' ' * (width - cells(label))}  {text}".rstrip())
        lines.append("")
    count = problems(sections)
    last = ngettext("{count} problem", "{count} problems", count) if count else _("nothing is wrong")
    return "\n".join([*lines, last.format(count=count)]) + "\n"


def doctor_json(sections: Sequence[Section], *, redacted: bool) -> str:
    """One object with the same facts; its shape is in ``schema/doctor.json``."""
    value = {
        "schema": SCHEMA,
        "redacted": redacted,
        "problems": problems(sections),
        "sections": [
            {
                "name": section.name,
                "facts": [
                    {
                        "name": fact.name,
                        "value": _plain(fact.value),
                        "text": _printable(fact.text),
                        "problem": _printable(fact.problem) or None,
                    }
                    for fact in section.facts
                ],
            }
            for section in sections
        ],
    }
    # ASCII escapes: nothing from outside can act on a terminal, whatever encoding it has.
    return json.dumps(value, ensure_ascii=True, indent=1) + "\n"


class Veil:
    """Takes private words out of facts.

    Args:
        paths: Paths and what stands for them; also for whatever lies below them.
        words: Names and what stands for them, where they are no part of a longer word.
    """

    def __init__(self, paths: Mapping[str, str], words: Mapping[str, str]) -> None:
        self._instead = {name: instead for name, instead in {**words, **paths}.items() if name.strip("/")}
        longest_first = sorted(self._instead, key=len, reverse=True)
        one = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._pattern = re.compile(rf"(?<![^\W_])(?:{one})(?![^\W_])")

    def over(self, sections: Iterable[Section]) -> list[Section]:
        """The sections with everything in them veiled but labels, titles and names of facts."""
        return [
            replace(section, facts=tuple(self._fact(fact) for fact in section.facts)) for section in sections
        ]

    def _fact(self, fact: Fact) -> Fact:
        value = fact.value
        if isinstance(value, str):
            value = self._text(value)
        elif isinstance(value, Sequence):
            value = tuple(map(self._text, value))
        return replace(fact, value=value, text=self._text(fact.text), problem=self._text(fact.problem))

    def _text(self, text: str) -> str:
        return self._pattern.sub(lambda found: self._instead[found[0]], text)


def _plain(value: Value) -> object:
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(map(_printable, value)) if isinstance(value, Sequence) else value


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
