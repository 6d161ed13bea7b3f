"""Keys that the user chose: how they are written, who gets them, and that the whole panel knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.keys import KEY_NAME_REPLACEMENTS, _character_to_key

from knit_tui.config import Fault, Source
from knit_tui.config.settings import THEMES
from knit_tui.engine.changes import Pin, Unpin
from knit_tui.faces.config import fault_text
from knit_tui.faces.tui.actions import BY_ID, KEYS_OF_A_LINE, actions_now, key_of, key_text, use_actions
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.empty import empty_text
from knit_tui.faces.tui.keymap import key_name, rebound, types
from knit_tui.faces.tui.registry import ACTIONS, Action
from knit_tui.faces.tui.screens.help import HelpScreen
from knit_tui.faces.tui.screens.main import MainScreen
from knit_tui.model import Mode, Notice, Tab, View
from tests.panel import sample
from tests.panel.conftest import FakePreview
from tests.panel.sample import snapshot

Open = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_keys_afterwards() -> Iterator[None]:
    yield
    use_actions(ACTIONS)


def bind(keys: dict[str, tuple[str, ...]]) -> tuple[dict[str, Action], list[str]]:
    """The actions with these keys, and what is told, without the file."""
    sources = {f"keys.{name}": Source("user", "F") for name in keys}
    actions, faults = rebound(ACTIONS, keys, sources)
    assert [action.id for action in actions] == [action.id for action in ACTIONS]
    return {action.id: action for action in actions}, [
        fault_text(fault).removeprefix("F: keys.") for fault in faults
    ]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("p", "p"),
        ("P", "P"),
        ("1", "1"),
        ("ф", "ф"),
        ("/", "slash"),
        ("slash", "slash"),
        ("?", "question_mark"),
        ("[", "left_square_bracket"),
        ("+", "plus"),
        ("-", "minus"),
        (",", "comma"),
        (" ", "space"),
        ("Space", "space"),
        ("esc", "escape"),
        ("PgDn", "pagedown"),
        ("return", "enter"),
        ("F12", "f12"),
        ("del", "delete"),
        ("ctrl+d", "ctrl+d"),
        ("Ctrl+D", "ctrl+d"),
        ("ctrl++", "ctrl+plus"),
        ("shift+up", "shift+up"),
        ("shift+a", "A"),
        ("shift+ctrl+up", "ctrl+shift+up"),
        ("alt+x", "alt+x"),
        ("ctrl+i", "tab"),
        ("ctrl+m", "enter"),
        ("ctrl+[", "escape"),
        ("shift+tab", "shift+tab"),
        ("ctrl+c", None),
        ("", None),
        ("hyper+a", None),
        ("f25", None),
        ("pp", None),
        ("ctrl+", None),
        ("\x1b", None),
        ("\n", None),
        ("\u0301", None),
        ("\u202e", None),
        ("\ud800", None),
        ("shift+ф", None),
        ("a,b", None),
    ],
)
def test_how_a_key_may_be_written(written: str, name: str | None) -> None:
    assert key_name(written) == name


def test_every_key_of_ours_may_be_written_as_it_is_shown_and_as_it_is_named() -> None:
    for action in ACTIONS:
        for key in action.keys:
            assert key_name(key) == key
            assert key_name(key_text(key)) == key


@given(st.characters(exclude_categories=["Cs", "Cc"]))
def test_signs_have_the_names_that_textual_gives_them(character: str) -> None:
    name = key_name(character)
    assert name is None or name == _character_to_key(character)
    if character.isascii():
        assert name is not None
    assert "hyphen_minus" in KEY_NAME_REPLACEMENTS


@given(st.text(max_size=12))
def test_no_text_is_too_odd_to_be_asked(text: str) -> None:
    name = key_name(text)
    assert name is None or (name and "," not in name)


def test_a_chosen_key_takes_the_place_of_the_actions_own() -> None:
    actions, told = bind({"item.pin": ("f7", "f5"), "usage.lens": ()})
    assert (actions["item.pin"].keys, actions["usage.lens"].keys) == (("f7", "f5"), ())
    assert told == []
    assert all(actions[id] == BY_ID[id] for id in actions if id not in ("item.pin", "usage.lens"))


def test_two_actions_may_change_places() -> None:
    actions, told = bind({"item.pin": ("x",), "item.exclude": ("p",)})
    assert (actions["item.pin"].keys, actions["item.exclude"].keys) == (("x",), ("p",))
    assert told == []


@pytest.mark.parametrize(
    ("keys", "has", "told"),
    [
        (
            {"item.pin": ("x",)},
            {"item.pin": ("x",), "item.exclude": ()},
            ["item.pin: x was a key of item.exclude, which has it no more"],
        ),
        (
            {"item.pin": ("down",)},
            {"item.pin": ("down",), "move.down": ("j",)},
            ["item.pin: down was a key of move.down, which has it no more"],
        ),
        (
            {"item.pin": ("f6",), "edit.undo": ("f6", "u")},
            {"item.pin": ("f6",), "edit.undo": ("u",)},
            ["edit.undo: f6 is the key of item.pin already"],
        ),
        (
            {"item.pin": ("nix", "ctrl+c")},
            {"item.pin": ("p",)},
            [
                "item.pin: no such key, or not a free one: nix",
                "item.pin: no such key, or not a free one: ctrl+c",
            ],
        ),
        ({"pin": ("f6",)}, {"item.pin": ("p",)}, ["pin: no such action; did you mean item.pin?"]),
        ({"item.pni": ("f6",)}, {"item.pin": ("p",)}, ["item.pni: no such action; did you mean item.pin?"]),
        ({"zzz": ("f6",)}, {"item.pin": ("p",)}, ["zzz: no such action"]),
        (
            {"filter.keep": ("f6",)},
            {"filter.keep": ("enter",)},
            ["filter.keep: no such action; did you mean filter.open?"],
        ),
    ],
)
def test_a_conflict_names_both(keys: Any, has: Any, told: list[str]) -> None:
    actions, said = bind(keys)
    assert {id: actions[id].keys for id in has} == has
    assert said == told


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(sorted(BY_ID)), st.text(max_size=6)),
        st.lists(
            st.one_of(st.sampled_from(["x", "p", "f5", "ctrl+i", "tab", "/"]), st.text(max_size=4)),
            max_size=3,
        ),
        max_size=8,
    )
)
def test_no_key_ever_belongs_to_two(chosen: dict[str, list[str]]) -> None:
    actions, faults = rebound(ACTIONS, {name: tuple(keys) for name, keys in chosen.items()}, {})
    keys = [key for action in actions if action.id not in KEYS_OF_A_LINE for key in action.keys]
    assert len(keys) == len(set(keys))
    assert all(isinstance(fault, Fault) and "\n" not in fault_text(fault) for fault in faults)


# In the panel


def app(host: sample.FakeHost, **more: Any) -> KnitApp:
    return KnitApp(host, now=sample.now, rest=60.0, preview=FakePreview, **more)


async def test_the_new_key_works_and_the_old_one_does_not(open_panel: Open) -> None:
    use_actions(tuple(bind({"item.pin": ("f5", "ф"), "panel.help": ("f2",)})[0].values()))
    async with open_panel(snapshot()) as panel:
        assert isinstance(panel.main, MainScreen) and panel.app.focused is panel.results
        await panel.press("p", "question_mark")
        assert panel.host.sent == [] and panel.app.screen is panel.main
        await panel.press("f5")
        assert panel.host.sent == [Unpin("docs/style.md")]
        await panel.press("down", "ф")
        assert panel.host.sent[1:] == [Pin("src/courier/net/retry.py")]


async def test_hints_and_help_show_the_keys_that_work(open_panel: Open) -> None:
    keys = {"item.pin": ("f5",), "panel.help": ("f2",), "item.exclude": (), "edit.undo": ("f6",)}
    use_actions(tuple(bind(keys)[0].values()))
    assert (key_of("item.pin"), key_of("item.exclude")) == ("f5", "exclude")
    async with open_panel(snapshot()) as panel:
        hints = panel.line("#hints")
        assert " f5 pin " in hints and " f2 help " in hints and "exclude" not in hints
        await panel.press("f2")
        await panel.wait(lambda: isinstance(panel.app.screen, HelpScreen), "the help")
        rows = {row.id: row for row in panel.app.screen.rows._rows if not isinstance(row, str)}
        assert rows["item.pin"].keys == ("f5",)
        assert rows["item.exclude"].keys == ()
        panel.app.screen.query_one("LineInput").value = "let it in again"
        await panel.wait(lambda: panel.app.screen.rows.action is rows["item.exclude"], "the action")
        await panel.press("enter")
        await panel.wait(lambda: bool(panel.host.sent), "an action without a key to run")
        assert "excluded style.md, f6 undoes" in panel.line("#title")
        await panel.press("f2")
        await panel.wait(lambda: isinstance(panel.app.screen, HelpScreen), "the help")
        await panel.press("f2")
        assert panel.app.screen is panel.main


def test_an_empty_list_names_the_keys_that_work() -> None:
    def said(snapshot_: Any, filter: str = "", failure: str = "") -> str:
        return " ".join(empty_text(snapshot_, Tab.CONTEXT, by_time=False, filter=filter, failure=failure))

    keys = {"panel.quit": ("f5",), "view.refresh": ("f6",), "panel.back": ("f7",), "view.sort": ("f8",)}
    use_actions(tuple(bind({**keys, "edit.undo": ("f9",)})[0].values()))
    assert "f5 to leave" in said(None, failure="x")
    assert "f6 to look again" in said(snapshot(present=False))
    assert "f7 to clear" in said(snapshot(), filter="zzz")
    assert "f8 for newest first" in said(snapshot(1, ()))
    left_out = View(Tab.CONTEXT, Mode.RELEVANCE, excluded=2)
    assert "f9 to take" in said(snapshot(views={Tab.CONTEXT: left_out}))


@pytest.mark.parametrize(
    ("key", "writes"),
    [("p", True), ("space", True), ("colon", True), ("ф", True)]
    + [(key, False) for key in ("enter", "f1", "ctrl+p", "shift+left", "alt+x", "pagedown")],
)
def test_which_keys_write_where_text_is_typed(key: str, writes: bool) -> None:
    assert types(key) is writes


async def test_without_any_key_the_panel_still_runs_and_ctrl_c_leaves(open_panel: Open) -> None:
    use_actions(tuple(bind({action.id: () for action in ACTIONS if action.group})[0].values()))
    for size in ((120, 40), (30, 10), (3, 3)):
        async with open_panel(snapshot(), size=size) as panel:
            await panel.press("p", "down", "q", "escape", "f1")
            assert panel.host.sent == [] and panel.app.screen is panel.main
            await panel.press("ctrl+c")
            await panel.wait(lambda panel=panel: panel.app._exit, "the end")


async def test_what_is_not_used_stands_among_the_notices() -> None:
    host = sample.FakeHost(snapshot())
    notice = Notice("settings", (("why", "config.toml: keys.x: no such action"),))
    async with app(host, notices=lambda: (notice,)).run_test(size=(120, 40)) as pilot:
        main: Any = pilot.app.screen
        await pilot.pause()
        assert "config.toml: keys.x: no such action" in main.query_one("#notices").render_line(0).text


async def test_every_theme_that_may_be_set_draws_the_panel(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        for theme in THEMES:
            panel.app.use_theme(theme)
            await panel.pilot.pause()
            assert theme in (panel.app.theme, "auto")
            assert "retry.py" in "".join(panel.list_lines())


async def test_a_theme_that_this_textual_lacks_is_ours(open_panel: Open) -> None:
    async with open_panel(snapshot(), theme="of-another-version") as panel:
        assert panel.app.theme == "knit-dark"


def test_the_keys_in_force_are_the_registry_when_nobody_says_otherwise() -> None:
    assert actions_now() is ACTIONS
