"""The panel in another language: all of it comes from the catalogue, and all of it changes at once."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.config.settings import THEMES
from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.actions import actions_now, command, keys_text
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.cells import wrap
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.model import Controls, Inspection, Mode, Notice, Query, SessionStatus, Snapshot, View
from knit_tui.model.documents import Text
from knit_tui.workspace.text import Unreadable
from tests.panel import sample, sample_why
from tests.panel.conftest import Panel
from tests.panel.sample_usage import LIMITED, usage
from tests.panel.test_panes import tmux_machine
from tests.panel.test_sessions import OFFERS
from tests.pseudo import english, speak_accented

DATA = frozenset(
    "agent cwd excluded first id key last names other path pinned rel root session session_id snippet subject"
    " summary task term terms title topic typed word also defines read unread edited outside".split()
)
"""Fields that hold what is said by people, files and logs."""
KEYS = {word for action in actions_now() for word in re.findall(r"[a-z]{2,}", keys_text(action))}
KNOWN = {"space", "ctrl", "claude", "zsh", "gemini"}
THEME_WORDS = {word for theme in THEMES for word in theme.split("-")}


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_language("en")


def loud(value: Any, name: str = "") -> Any:
    """A snapshot with all its data in capitals, so that every other word is the panel's own."""
    if name in ("undoable", "redoable"):
        verb, _space, rel = value.partition(" ")
        return f"{verb} {rel.upper()}" if rel else verb
    if name == "language":
        return None
    if type(value) is str:
        return value.upper() if name in DATA else value
    if isinstance(value, Mapping):
        return {loud(key, "rel"): loud(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(loud(each, name) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{each.name: loud(getattr(value, each.name), each.name) for each in fields(value)}
        )
    return value


NOTICES = tuple(
    Notice(code, (("why", why), ("count", "3"), ("bytes", "9000000"), ("hours", "5")))
    for code, why in (
        ("git-fallback", "refused"),
        ("watch-polling", "limit"),
        ("root-ignored", ""),
        ("session-old", ""),
        ("secret", ""),
        ("truncated", ""),
    )
)


def full(generation: int = 1, **changes: Any) -> Snapshot:
    items = (*sample_why.items(), sample.SECRET, sample.LOCK)
    base = sample_why.snapshot(generation, items=items, usage=usage(), sessions=OFFERS)
    return loud(replace(base, signals=("words", "history"), **changes))  # type: ignore[no-any-return]


def text_of(_root: Path, rel: str, _limit: int) -> Text:
    if rel.endswith(".TOML"):
        raise Unreadable("binary")
    lines = [f"{rel} {number} RETRY BACKOFF" for number in range(60)]
    lines[8] = "\u200b" + "X" * 2500
    body = "\n".join(lines)
    return Text(body, "GB18030", len(body), 2 * len(body))


@asynccontextmanager
async def opened(snapshot: Snapshot | None, size: tuple[int, int] = (120, 44)) -> AsyncIterator[Panel]:
    """A panel with a preview that shows texts."""
    host = sample.FakeHost(snapshot)
    app = KnitApp(
        host,
        now=sample.now,
        rest=60.0,
        preview=lambda: PreviewPane(read=text_of),
        services=Services(tmux_machine()),
        notices=lambda: (Notice("settings", (("why", "X"),)),),
    )
    app.main.welcoming = True
    async with app.run_test(size=size) as pilot:
        panel = Panel(app, host, pilot)
        await panel.wait(lambda: host.started == 1, "the start of the engine")
        if snapshot is not None:
            await panel.wait(lambda: app.main.state.latest is snapshot, "the first snapshot")
        await settled(panel)
        yield panel


async def settled(panel: Panel) -> None:
    """Wait for whatever the preview was asked for."""
    preview = panel.main.preview
    await panel.wait(lambda: panel.main._preview_timer is None, "the preview's turn")
    await panel.wait(lambda: preview._wanted is preview._shown, "the text")
    await panel.pilot.pause()


def screen(panel: Panel) -> str:
    """All that is on screen now, dialogs too."""
    strips = panel.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


WALK = """
usage.lens item.evidence item.peek escape move.bottom preview.open scroll.next_match focus.list view.sort
view.compact tab.docs tab.context item.pin item.exclude edit.undo edit.redo view.arrange view.header
view.summary view.summary panel.mouse view.wrap copy.path copy.passage item.send escape filter.open Z escape
escape task.ask escape task.follow inspect.open escape recent.show escape session.choose escape excluded.show
escape view.rescan split.less view.zoom split.less view.zoom view.zoom item.edit item.open usage.off usage.off
""".split()
"""Actions, and keys where something is typed or closed."""


async def do(panel: Panel, what: str) -> None:
    if "." in what:
        await panel.main.run_action(command(what))
        await panel.pilot.pause(0.005)
        if what == "item.send":
            await panel.wait(lambda: panel.app.screen is not panel.main, "the panes")
            await panel.pilot.pause()
    else:
        await panel.press(what)


async def test_every_word_on_screen_comes_from_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    speak_accented(monkeypatch)
    seen = ""

    def look(panel: Panel, after: str, *known: set[str]) -> None:
        nonlocal seen
        shown = screen(panel)
        seen += shown
        assert english(shown, KNOWN.union(*known)) == set(), (after, shown)

    async with opened(full(1, notices=NOTICES)) as panel:
        look(panel, "the start")
        for what in WALK:
            await do(panel, what)
            look(panel, what)
        rel = sample_why.RETRY.rel.upper()
        for code in ("pack", "excluded", "beaten", "weak", "no-hit", "skipped", "waiting"):
            facts = {"rank": "9", "matched": "9", "places": "9", "last": "X", "terms": "X", "why": "binary"}
            facts["where"] = rel
            found = Inspection(rel, code, tuple(facts.items()))
            found = loud(sample_why.inspected()) if code == "pack" else found
            latest = panel.main.state.latest
            assert latest is not None
            panel.main.results.select_document(rel)
            await do(panel, "inspect.open")
            await panel.publish(replace(latest, generation=latest.generation + 1, inspection=found))
            look(panel, code)
            await panel.press("escape")
        await panel.publish(
            full(99, usage=LIMITED, session=SessionStatus("missing", path="/X"), complete=False)
        )
        await panel.press("r", "a")
        look(panel, "the limits")
        for key in ("question_mark", "colon"):
            await panel.press(key)
            await panel.pilot.pause()
            for _page in range(6):
                look(panel, key, KEYS, THEME_WORDS)
                await panel.press("pagedown")
            await panel.press("escape")
    for word in ("Šûƥƥôřťîńĝ", "řèàď", "Ćôńťèẋť", "ûńďôèš", "Ŵĥîćĥ ƥàńè", "Ńôťĥîńĝ ĥôĺďš", "ŵàš "):
        assert word in seen, word


def empty(generation: int, **changes: Any) -> Snapshot:
    views = {tab: View(tab, Mode.RELEVANCE) for tab in sample.views(())}
    base = sample.snapshot(generation, (), views=views, controls=Controls(), skipped=0)
    return loud(replace(base, **changes))  # type: ignore[no-any-return]


async def test_an_empty_list_comes_from_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    speak_accented(monkeypatch)
    async with opened(None, (90, 30)) as panel:
        assert english(screen(panel)) == set()
        panel.host.failed("X")
        await panel.wait(lambda: panel.main.state.failure == "X", "the failure")
        assert english(screen(panel)) == set(), screen(panel)
        waiting = Query()
        newest = {tab: replace(view, mode=Mode.NEWEST) for tab, view in sample.views(sample.OTHERS).items()}
        none = SessionStatus("none")
        for place, snapshot in enumerate(
            (
                empty(1),
                empty(2, skipped=3, views={tab: View(tab, Mode.RELEVANCE, excluded=2) for tab in newest}),
                empty(3, query=waiting, session=none, views=loud(newest)),
                empty(
                    4,
                    views={
                        **empty(4).views,
                        **{tab: view for tab, view in loud(newest).items() if tab != "context"},
                    },
                ),
                empty(5, skipped=3),
                empty(6, complete=False, session=SessionStatus("off")),
                empty(7, present=False),
            )
        ):
            await panel.publish(snapshot)
            await panel.press("r")
            await panel.pilot.pause()
            assert english(screen(panel)) == set(), (place, screen(panel))


async def test_another_language_changes_everything_at_once() -> None:
    states: list[str] = []
    use_language("en")
    async with opened(full(1, notices=NOTICES)) as panel:
        for keys in STATES:
            for what in keys:
                await do(panel, what)
            await settled(panel)
            panel.main._hush()
            before = screen(panel)
            await speak(panel, "zh_CN")
            states.append(screen(panel))
            assert english(before) and english(states[-1], KNOWN) == set(), states[-1]
            await speak(panel, "en")
            assert screen(panel) == before, keys
    use_language("zh_CN")
    async with opened(full(1, notices=NOTICES)) as panel:
        for keys, state in zip(STATES, states, strict=True):
            for what in keys:
                await do(panel, what)
            await settled(panel)
            panel.main._hush()
            assert screen(panel) == state, keys


async def test_the_palette_says_what_it_did_in_the_new_language() -> None:
    use_language("en")
    async with opened(full()) as panel:
        await panel.press("x", "colon")
        await panel.wait(lambda: panel.app.screen is not panel.main, "the palette")
        panel.app.screen.query_one(LineInput).value = "language 中"
        await panel.press("enter")
        await panel.wait(lambda: panel.app.screen is panel.main, "the end of the palette")
        await settled(panel)
        assert "上下文" in panel.line("#tabs") and english(screen(panel)) == set()
        await panel.press("colon")
        await panel.wait(lambda: panel.app.screen is not panel.main, "the palette")
        assert "语言：中文  当前" in screen(panel)


STATES: tuple[tuple[str, ...], ...] = (
    (),
    ("usage.lens", "item.evidence", "item.peek"),
    ("escape", "move.bottom", "view.compact", "view.sort"),
    ("task.ask", "X"),
    ("escape", "filter.open", "Z", "enter"),
    ("escape", "tab.media", "view.header"),
)
"""What leads from one state of the panel to the next."""


async def speak(panel: Panel, language: str) -> None:
    await panel.main.run_action(f"language({language!r})")
    await settled(panel)


def test_lines_of_chinese_are_full_and_neither_begin_nor_end_with_a_wrong_mark() -> None:
    text = "按 s 改为最新优先，或按 t 输入另一个任务（括号里的话）。"
    lines = wrap(text, 20)
    assert lines == ["按 s 改为最新优先，", "或按 t 输入另一个任", "务（括号里的话）。"]
    for width in range(8, 60):
        lines = wrap(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not any(line.startswith(("，", "。", "）")) or line.endswith("（") for line in lines)
    assert wrap("Press s for newest first", 11) == ["Press s for", "newest", "first"]
