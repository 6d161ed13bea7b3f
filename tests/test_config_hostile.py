"""Whatever lies where settings are looked for, it can do no more than not count."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.config import SPECS, Loaded, Settings, load
from knit_tui.config.settings import SECTIONS
from knit_tui.faces.config import fault_text
from tests.config_place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# What may lie where a file is looked for


def test_the_users_file_may_be_a_link_and_that_of_a_workspace_may_not(place: Place, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.toml"
    elsewhere.write_text('[ranking]\norder = "classic"\n')
    place.user.symlink_to(elsewhere)
    assert place.load().settings.ranking.order == "classic"
    place.user.unlink()
    for target in (elsewhere, Path("/etc/passwd"), Path("/dev/zero"), tmp_path / "nothing", place.workspace):
        place.workspace.unlink(missing_ok=True)
        place.workspace.symlink_to(target)
        assert place.texts() == ["WORKSPACE: a link is not followed in a workspace; it is not used"]
        assert place.load().settings == Settings()


def test_a_link_of_the_user_to_nothing_or_to_itself_is_told(place: Place, tmp_path: Path) -> None:
    place.user.symlink_to(tmp_path / "nothing")
    assert place.texts() == ["USER: a link to a file that is not there"]
    place.user.unlink()
    place.user.symlink_to(place.user)
    (text,) = place.texts()
    assert text.startswith("USER: cannot be read: ")


@pytest.mark.parametrize("origin", ["user", "workspace"])
def test_what_is_no_file_is_neither_read_nor_waited_for(place: Place, origin: str) -> None:
    path = getattr(place, origin)
    os.mkfifo(path)
    assert place.texts() == [f"{origin.upper()}: not a regular file; it is not used"]
    path.unlink()
    path.mkdir()
    assert place.texts() == [f"{origin.upper()}: not a regular file; it is not used"]
    path.rmdir()
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    assert place.texts() == [f"{origin.upper()}: longer than 64 KiB; the file is not used"]


def test_devices_behind_a_link_are_no_file(place: Place) -> None:
    place.user.symlink_to("/dev/zero")
    assert place.texts() == ["USER: not a regular file; it is not used"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_someone_else_is_not_the_users(place: Place) -> None:
    place.user.write_text('[ranking]\norder = "classic"\n')
    os.chown(place.user, 12345, 12345)
    assert place.texts() == ["USER: belongs to someone else; the file is not used"]
    place.workspace.write_text('[ranking]\norder = "classic"\n')
    os.chown(place.workspace, 12345, 12345)
    assert place.load().settings.ranking.order == "classic"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read(place: Place) -> None:
    place.user.write_text("")
    place.user.chmod(0)
    assert place.texts() == ["USER: cannot be read: Permission denied"]


def test_a_file_in_place_of_the_folder_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    loaded = load(tmp_path / "nowhere", {"KNIT_CONFIG_DIR": str(tmp_path / "file")})
    assert (loaded.settings, loaded.faults) == (Settings(), ())


# Whatever it holds


_values = st.recursive(
    st.one_of(
        st.booleans(), st.integers(-(2**40), 2**40), st.text(max_size=12), st.sampled_from(["knit", "nord"])
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)
_names = st.one_of(
    st.sampled_from([*SECTIONS, "keys", *(spec.name for spec in SPECS.values()), "item.pin"]),
    st.text(max_size=12),
)


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value).replace("\x7f", "\\u007f") if not isinstance(value, str) else _string(value)


def _string(text: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08x}" if not char.isalnum() else char for char in text) + '"'


_tables = st.dictionaries(
    _names, st.one_of(_values, st.dictionaries(_names, _values, max_size=5)), max_size=5
)
_quick = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _allowed(loaded: Loaded) -> None:
    """Whatever was read, each setting holds what it may."""
    for spec in SPECS.values():
        value = loaded.value(spec)
        spec.kind.check(list(value) if isinstance(value, tuple) else value)
    for has in loaded.settings.keys.values():
        assert all(isinstance(key, str) and key for key in has)
    for fault in loaded.faults:
        text = fault_text(fault)
        assert "\n" not in text and "\x1b" not in text and len(text) < 1200


@_quick
@given(_tables)
def test_any_table_warns_and_never_raises(place: Place, table: Mapping[str, Any]) -> None:
    lines = [
        f"{_string(name)} = {_toml(value)}" for name, value in table.items() if not isinstance(value, dict)
    ]
    for name, value in table.items():
        if isinstance(value, dict):
            lines.append(f"[{_string(name)}]")
            lines += [f"{_string(inner)} = {_toml(each)}" for inner, each in value.items()]
    text = "\n".join(lines) + "\n"
    assert tomllib.loads(text) == table
    place.user.write_text(text, encoding="utf-8", newline="\n")
    place.workspace.write_text(text, encoding="utf-8", newline="\n")
    loaded = place.load()
    _allowed(loaded)
    known = {*SECTIONS, "keys"}
    if set(table) - known:
        assert any(fault.code in ("unknown", "more") for fault in loaded.faults)


@_quick
@given(
    st.one_of(st.binary(max_size=300), st.text(alphabet="[]{}.,\"'=#\\\n\r ab1_-+:TZ\x00\x1b", max_size=200))
)
def test_any_bytes_warn_and_never_raise(place: Place, data: bytes | str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    place.user.write_bytes(raw)
    place.workspace.write_bytes(raw)
    _allowed(place.load())


@_quick
@given(st.dictionaries(st.sampled_from([spec.variable for spec in SPECS.values()]), st.text(max_size=20)))
def test_any_environment_warns_and_never_raises(place: Place, environ: dict[str, str]) -> None:
    _allowed(place.load(**environ))
