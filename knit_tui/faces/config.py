"""The settings in force as text, as JSON and as the file to begin with; what is wrong with one in words."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knit_tui.config import SPECS, Fault, Loaded, Source
from knit_tui.faces.i18n import _, in_english, ngettext
from knit_tui.faces.safe import cells, pad, safe_text, shorten
from knit_tui.model import Notice

SCHEMA = 1
_KEYS = "keys."
_WRAP = 96
_WIDEST = 60


def fault_text(fault: Fault, *, short: bool = False) -> str:
    """One line: where (``short``: the name of the file), which setting, what is wrong and what it may be."""
    facts = {name: safe_text(value) for name, value in fault.facts}
    place = os.path.basename(fault.place) if short else fault.place
    where = [safe_text(part) for part in (place, fault.key) if part]
    return ": ".join([*where, _what(fault.code, facts)])


def _what(code: str, facts: Mapping[str, str]) -> str:
    if code == "more":
        count = int(facts["count"])
        return ngettext("and {count} more", "and {count} more", count).format(count=count)
    if code == "broken" and "line" not in facts:
        code = "broken-somewhere"
    if code == "link" and facts:
        code = "dangling"
    texts = {
        "unreadable": _("cannot be read: {why}"),
        "broken": _("line {line}, column {column}: {why}; the file is not used"),
        "broken-somewhere": _("{why}; the file is not used"),
        "too-long": _("longer than 64 KiB; the file is not used"),
        "not-a-file": _("not a regular file; it is not used"),
        "link": _("a link is not followed in a workspace; it is not used"),
        "dangling": _("a link to a file that is not there"),
        "owner": _("belongs to someone else; the file is not used"),
        "encoding": _("not UTF-8; the file is not used"),
        "dots": _("too many dots in line {line}; the file is not used"),
        "deep": _("nested too deeply; the file is not used"),
        "unknown": _("no such setting"),
        "table": _("it is a section: its settings stand below a line of its name in brackets"),
        "value": _("must be {wanted}, not {value}"),
        "program": _("it names a program, so only your own file may set it"),
        "yours": _("only your own file may set keys"),
        "action": _("no such action"),
        "key-name": _("no such key, or not a free one: {value}"),
        "taken": _("{value} is the key of {by} already"),
        "taken-over": _("{value} was a key of {from}, which has it no more"),
    }
    near = _("; did you mean {near}?").format_map(facts) if "near" in facts else ""
    filled = {**facts, "wanted": _wanted(facts)}
    return texts.get(code, safe_text(code)).format_map(filled) + near


def _wanted(facts: Mapping[str, str]) -> str:
    texts = {
        "flag": _("true or false"),
        "choice": _("one of {names}"),
        "list": _("a list of: {names}"),
        "command": _("one of {names}, or a program and its arguments as a list"),
        "keys": _("a key or a list of keys"),
    }
    return texts.get(facts.get("kind", ""), "").format(names=facts.get("names", ""))


def settings_notice(faults: Sequence[Fault]) -> tuple[Notice, ...]:
    """What the panel says of settings that are not used."""
    if not faults:
        return ()
    text = fault_text(faults[0], short=True)
    if len(faults) > 1:
        count = len(faults) - 1
        more = ngettext("{count} more: see knit config", "{count} more: see knit config", count)
        text = _("{text} ({more})").format(text=text, more=more.format(count=count))
    return (Notice("settings", (("why", text),)),)


def config_text(loaded: Loaded, keys: Mapping[str, tuple[str, ...]]) -> str:
    """The files, then a line for each setting: its key, its value, who says so.

    ``keys`` are those that every action has; the ones that were set are shown.
    """
    rows = [(spec.key, loaded.value(spec), loaded.source(spec.key)) for spec in SPECS.values()]
    rows += [
        (_KEYS + name, has, loaded.source(_KEYS + name))
        for name, has in keys.items()
        if _KEYS + name in loaded.sources
    ]
    files = [(_origin(file.origin), safe_text(file.path), _state(file.state)) for file in loaded.files]
    lines = _aligned(files)
    if not lines:
        lines = [_("no file is read: KNIT_CONFIG_DIR is off")]
    table = [
        (key, shorten(safe_text(_written(value)), _WIDEST), _from(source)) for key, value, source in rows
    ]
    return "\n".join([*lines, "", *_aligned(table)]) + "\n"


@in_english()
def config_json(loaded: Loaded, keys: Mapping[str, tuple[str, ...]], faults: Iterable[Fault]) -> str:
    """One object; ``keys`` are those that every action has."""
    files = [
        {"origin": file.origin, "path": _printable(file.path), "state": file.state} for file in loaded.files
    ]
    settings = [
        {
            "key": spec.key,
            "value": loaded.value(spec),
            "default": spec.default,
            **_said(loaded.source(spec.key)),
            "variable": spec.variable,
            "meaning": spec.meaning,
        }
        for spec in SPECS.values()
    ]
    actions = [
        {"action": name, "keys": list(has), **_said(loaded.source(_KEYS + name))}
        for name, has in keys.items()
    ]
    warnings = [fault_text(fault) for fault in faults]
    whole = {"schema": SCHEMA, "files": files, "settings": settings, "keys": actions, "warnings": warnings}
    return json.dumps(whole, ensure_ascii=False, indent=2)


def config_file(keys: Mapping[str, tuple[str, ...]]) -> str:
    """The file to begin with: every setting with its default, as comments.

    ``keys`` are those of actions, as they are written.
    """
    lines = [
        "# " + _("Settings of knit. A line without its # counts; the values here are the defaults."),
        "# "
        + _("A workspace may have the same, but for programs and keys, in a file .knit.toml, which wins"),
        "# " + _("over this one; KNIT_SECTION_SETTING in the environment wins over both. To see what is in"),
        "# " + _("force: knit config"),
    ]
    section = ""
    for spec in SPECS.values():
        if spec.section != section:
            section = spec.section
            lines += ["", f"[{section}]"]
        names = spec.kind.names
        lines += ["", f"# {_(spec.meaning)}"]
        if len(names) > 1:
            lines += _comment(names)
        lines.append(f"#{spec.name} = {_written(spec.default)}")
    lines += [
        "",
        "[keys]",
        "",
        "# " + _("Keys of actions: one, or a list of them; an empty string is none."),
        "# " + _("They are written p, P, /, esc, ctrl+d, shift+up, f2."),
    ]
    for name, has in keys.items():
        lines.append(f"#{name} = {_written(has[0] if len(has) == 1 else has)}")
    return "\n".join(lines) + "\n"


def _comment(names: Sequence[str]) -> list[str]:
    lines, line = [], "#   "
    for position, name in enumerate(names):
        word = name + (", " if position < len(names) - 1 else "")
        if len(line) + len(word) > _WRAP:
            lines.append(line.rstrip())
            line = "#   "
        line += word
    return [*lines, line]


def _aligned(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    widths = [max((cells(row[column]) for row in rows), default=0) for column in (0, 1)]
    return [
        "  ".join(pad(text, width) for text, width in zip(row, (*widths, 0), strict=True)) for row in rows
    ]


def _written(value: Any) -> str:
    """A value as TOML has it; JSON writes strings, lists and truth the same way."""
    return json.dumps(value, ensure_ascii=False)


def _origin(origin: str) -> str:
    return _("your file") if origin == "user" else _("workspace")


def _state(state: str) -> str:
    return {"read": _("read"), "none": _("not there"), "faulty": _("not used")}.get(state, state)


def _from(source: Source) -> str:
    if source.origin in ("environment", "option"):
        return safe_text(source.name)
    return _("default") if source.origin == "default" else _origin(source.origin)


def _said(source: Source) -> dict[str, str]:
    return {"source": source.origin, "from": _printable(source.name)}


def _printable(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
