"""The settings in force: of an option, else the environment, else the workspace, else the user, else ours.

A value that may not be is told as a fault, and the next one that is said counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knit_tui.config.faults import Fault, few
from knit_tui.config.files import File, read_user, read_workspace
from knit_tui.config.settings import KEYS, SECTIONS, SPECS, Settings, Spec
from knit_tui.config.values import Bad
from knit_tui.paths import NoFolder, config_folder

_SHOWN = 60
"""Characters of a value or a key that a fault tells."""
_MOST_KEYS = 8
"""Keys of one action."""


@dataclass(frozen=True, slots=True)
class Source:
    """Who said it: ``origin`` is ``default``, ``user``, ``workspace``, ``environment`` or ``option``."""

    origin: str
    name: str = ""
    """The file, the variable or the option."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, where each came from, and what was not used."""

    settings: Settings = field(default_factory=Settings)
    sources: Mapping[str, Source] = field(default_factory=lambda: MappingProxyType({}))
    """By key; those of actions are below ``keys.``. What is not here has its default."""
    files: tuple[File, ...] = ()
    faults: tuple[Fault, ...] = ()

    def value(self, spec: Spec) -> Any:
        return getattr(getattr(self.settings, spec.section), spec.name)

    def source(self, key: str) -> Source:
        return self.sources.get(key, Source("default"))


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that was given on the command line."""

    key: str
    value: Any
    name: str
    """How the option is written."""


def load(
    root: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    options: Sequence[Option] = (),
) -> Loaded:
    """The settings for the workspace ``root``, or those without one. Never raises for what it finds."""
    files, faults = _files(root, environ)
    said: dict[str, tuple[Any, Source]] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for option in options:
        said[option.key] = option.value, Source("option", option.name)
    faults += _from_environment(environ, said)
    for file in reversed(files):  # what is said first counts
        faults += _from_file(file, said, keys)
    sections: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for key, (value, _source) in said.items():
        spec = SPECS.get(key)
        if spec is not None:
            sections[spec.section][spec.name] = value
    made = {section: SECTIONS[section](**values) for section, values in sections.items()}
    sources = {key: source for key, (_value, source) in said.items()}
    settings = Settings(**made, keys=MappingProxyType(keys))
    return Loaded(settings, MappingProxyType(sources), tuple(files), tuple(map(_guessed, few(faults))))


def _files(root: Path | None, environ: Mapping[str, str]) -> tuple[list[File], list[Fault]]:
    files: list[File] = []
    try:
        files.append(read_user(config_folder(environ)))
    except NoFolder as error:
        if error.reason == "off":
            return [], []
    if root is not None:
        files.append(read_workspace(root))
    return files, [file.fault for file in files if file.fault is not None]


def _from_environment(environ: Mapping[str, str], said: dict[str, tuple[Any, Source]]) -> list[Fault]:
    faults = []
    for spec in SPECS.values():
        text = environ.get(spec.variable, "")
        if not text:
            continue
        try:
            value = spec.kind.read(text)
        except Bad:
            faults.append(Fault("value", spec.variable, "", _facts(spec, text)))
        else:
            said.setdefault(spec.key, (value, Source("environment", spec.variable)))
    known = {spec.variable for spec in SPECS.values()}
    ours = tuple(f"KNIT_{section}_".upper() for section in SECTIONS)
    strange = [name for name in environ if name.startswith(ours) and name not in known and environ[name]]
    return faults + [Fault("unknown", _shown(name)) for name in sorted(strange)]


def _from_file(
    file: File, said: dict[str, tuple[Any, Source]], keys: dict[str, tuple[str, ...]]
) -> Iterator[Fault]:
    source = Source(file.origin, file.path)
    mine = file.origin == "user"
    for section, table in file.table.items():
        if section not in (*SECTIONS, KEYS):
            yield Fault("unknown", file.path, _shown(section))
        elif not isinstance(table, dict):
            yield Fault("table", file.path, section)
        elif section == KEYS and not mine:
            yield Fault("yours", file.path, section)
        elif section == KEYS:
            for action, value in _flat(table):
                bound = _bound(value)
                if bound is None:
                    yield Fault("value", file.path, _shown(f"{KEYS}.{action}"), _key_facts(value))
                else:
                    keys[action] = bound
                    said[f"{KEYS}.{action}"] = bound, source
        else:
            for name, value in table.items():
                yield from _one(file.path, f"{section}.{name}", value, source, said)


def _one(
    path: str, key: str, value: object, source: Source, said: dict[str, tuple[Any, Source]]
) -> Iterator[Fault]:
    spec = SPECS.get(key)
    if spec is None:
        yield Fault("unknown", path, _shown(key))
    elif spec.kind.program and source.origin != "user":
        yield Fault("program", path, key)
    else:
        try:
            checked = spec.kind.check(value)
        except Bad:
            yield Fault("value", path, key, _facts(spec, value))
        else:
            said.setdefault(key, (checked, source))


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The entries of nested tables by dotted names: in TOML ``item.pin`` without quotes is a table."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def _bound(value: object) -> tuple[str, ...] | None:
    """The keys that an action is given, one as a string or several as a list; an empty string is no key."""
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or len(written) > _MOST_KEYS:
        return None
    if not all(isinstance(key, str) for key in written):
        return None
    return tuple(dict.fromkeys(key for key in written if key))


def _facts(spec: Spec, value: object) -> tuple[tuple[str, str], ...]:
    return (
        ("value", _written(value)),
        ("kind", spec.kind.code),
        ("names", ", ".join(spec.kind.names)),
    )


def _key_facts(value: object) -> tuple[tuple[str, str], ...]:
    return ("value", _written(value)), ("kind", "keys"), ("names", "")


def _guessed(fault: Fault) -> Fault:
    """A fault of something that there is not, with what was perhaps meant."""
    if fault.code != "unknown":
        return fault
    from difflib import get_close_matches

    key = fault.key or fault.place
    known = [*SPECS, *SECTIONS, KEYS] if fault.key else [spec.variable for spec in SPECS.values()]
    name = key.rpartition(".")[2]
    same = [spec.key for spec in SPECS.values() if spec.name == name]
    close = same or get_close_matches(key, known, 1)
    return replace(fault, facts=(("near", close[0]),)) if close else fault


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _written(value: object) -> str:
    """A value much as it stands in the file, cut."""
    if isinstance(value, str):
        return _shown(f'"{value}"' if len(value) < _SHOWN else f'"{value}')
    if isinstance(value, (dict, list)) and len(value) > _SHOWN:
        return "{…}" if isinstance(value, dict) else "[…]"
    try:
        return _shown(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, ValueError):
        return "…"
