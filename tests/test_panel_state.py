"""What the panel remembers: whole or not at all, and never a reason to fail."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui import panel_state
from knit_tui.panel_state import LARGEST, NAME, Remembered, change, load, workspace_name

FULL = Remembered({"wide": 460, "stacked": 120}, {"header": "hidden"}, ("first-run",), {"a1": "%3"})


def test_it_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    folder = tmp_path / "state/knit"
    assert load(folder) == Remembered()
    assert change(lambda now: FULL, folder)
    assert load(folder) == FULL
    assert os.listdir(folder) == [NAME]
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600


def test_a_change_starts_from_what_another_panel_kept(tmp_path: Path) -> None:
    change(lambda now: replace(now, layout={**now.layout, "wide": "stacked"}), tmp_path)
    change(lambda now: replace(now, splits={**now.splits, "wide": 50}), tmp_path)
    assert load(tmp_path) == Remembered({"wide": 50}, {"wide": "stacked"})


def test_no_change_writes_nothing(tmp_path: Path) -> None:
    change(lambda now: FULL, tmp_path)
    before = (tmp_path / NAME).stat()
    assert change(lambda now: replace(now), tmp_path)
    assert (tmp_path / NAME).stat().st_ino == before.st_ino


def test_a_write_that_fails_leaves_the_old_file_and_says_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(lambda now: FULL, tmp_path)

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(panel_state, "write_whole", full)
    assert not change(lambda now: Remembered(), tmp_path)
    assert load(tmp_path) == FULL
    file = tmp_path / "file"
    file.write_text("")
    assert not change(lambda now: FULL, file / "below")


def test_where_states_are_off_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", "off")
    assert load() == Remembered()
    assert not change(lambda now: FULL)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 2}', b"[" * 60_000, b" " * (LARGEST + 1)],
)
def test_a_damaged_file_counts_as_empty_and_is_overwritten(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NAME).write_bytes(data)
    assert load(tmp_path) == Remembered()
    assert change(lambda now: FULL, tmp_path)
    assert load(tmp_path) == FULL


def test_a_link_a_pipe_and_a_folder_are_no_file_of_ours(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"format": 1, "dismissed": ["docs"]}))
    (tmp_path / NAME).symlink_to(other)
    assert load(tmp_path) == Remembered()
    assert change(lambda now: FULL, tmp_path)
    assert json.loads(other.read_text())["dismissed"] == ["docs"]
    assert load(tmp_path) == FULL
    (tmp_path / NAME).unlink()
    os.mkfifo(tmp_path / NAME)
    assert load(tmp_path) == Remembered()
    (tmp_path / NAME).unlink()
    (tmp_path / NAME).mkdir()
    assert load(tmp_path) == Remembered()
    assert not change(lambda now: FULL, tmp_path)


def test_what_does_not_fit_is_left_out(tmp_path: Path) -> None:
    said = {
        "format": 1,
        "splits": {"wide": 40, "a": -1, "b": True, "c": "9", "d": 10**9, "e\x1b": 5, "f": None},
        "layout": {"a": "x" * 500, "b": "stacked", "c": 1},
        "dismissed": ["one", "one", 3, "\x1b[2J", ""],
        "panes": {"k": "%1", "l": "\n", "m": 4},
        "more": 1,
    }
    (tmp_path / NAME).write_text(json.dumps(said))
    assert load(tmp_path) == Remembered({"wide": 40}, {"b": "stacked"}, ("one",), {"k": "%1"})


def test_it_never_grows_without_end(tmp_path: Path) -> None:
    for number in range(200):
        name = workspace_name(Path(f"/w/{number}"))
        change(lambda now, name=name: replace(now, panes={**now.panes, name: "%1"}), tmp_path)
    change(lambda now: replace(now, splits={str(number): 1 for number in range(5000)}), tmp_path)
    assert len(json.loads((tmp_path / NAME).read_text())["splits"]) == 64
    panes = load(tmp_path).panes
    assert len(panes) == 64
    assert workspace_name(Path("/w/199")) in panes and workspace_name(Path("/w/0")) not in panes


_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("splits", "layout", "dismissed", "panes"), _json)))
def test_any_content_is_read_without_failing(tmp_path: Path, said: dict[str, Any]) -> None:
    (tmp_path / NAME).write_text(json.dumps({"format": 1, **said}))
    first = load(tmp_path)
    change(lambda now: replace(now, dismissed=("docs",)), tmp_path)
    assert load(tmp_path) == replace(first, dismissed=("docs",))
