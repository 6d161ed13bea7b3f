"""An empty list says what is so and what to do; a fault keeps the last list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from knit_tui.engine.changes import WorkspaceChanged
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.empty import empty_text
from knit_tui.faces.wording import notice_text
from knit_tui.model import Mode, Notice, Query, SessionStatus, Snapshot, Tab
from tests.panel.conftest import FakePreview, wait_for
from tests.panel.sample import NOTICES, PACK, ROOT, SESSION, FakeHost, item, now, snapshot, view, views

Open = Callable[..., Any]


def text(panel: Any) -> str:
    """The list's lines as running text."""
    return " ".join(" ".join(panel.list_lines()).split())


async def test_the_first_frame_says_that_the_files_are_read(open_panel: Open) -> None:
    async with open_panel() as panel:
        assert "Looking through the workspace" in text(panel)
        assert "scanning" in panel.line("#title")
        assert "sort" not in panel.line("#tabs")
        await panel.publish(snapshot())
        assert "Looking" not in text(panel)


async def test_the_engine_starts_after_the_first_frame() -> None:
    painted: list[str] = []

    class Watching(FakeHost):
        def start(self, publish: Any, failed: Any) -> None:
            painted.append(app.main.results.render_line(1).text)
            super().start(publish, failed)

    host = Watching()
    app = KnitApp(host, now=now, preview=FakePreview)
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: host.started == 1, "the start of the engine")
    assert "Looking through the workspace" in painted[0]


def empty(**changes: object) -> Snapshot:
    bare = {tab: view(tab, ()) for tab in Tab}
    return snapshot(1, (), views=bare, **changes)


@pytest.mark.parametrize(
    ("key", "title"),
    (
        ("1", "No documents or code here yet"),
        ("2", "No documents here yet"),
        ("3", "No code here yet"),
        ("4", "No pictures or films here yet"),
    ),
)
async def test_no_files(open_panel: Open, key: str, title: str) -> None:
    async with open_panel(empty(skipped=7)) as panel:
        await panel.press(key)
        assert title in text(panel)
        assert "7 files were skipped. knit files tells why." in text(panel)


def said(snapshot: Snapshot, tab: Tab = Tab.CONTEXT, **changes: Any) -> str:
    """What an empty list says, without a panel."""
    settings: dict[str, Any] = {"by_time": False, "filter": "", "failure": "", **changes}
    return " / ".join(empty_text(snapshot, tab, **settings))


def test_an_empty_folder_is_told_from_one_without_documents() -> None:
    assert said(empty(skipped=0)) == (
        f"There are no files here yet / {ROOT} has none, apart from those that git ignores."
        " / New files appear by themselves."
    )
    only_docs = {**empty().views, Tab.DOCS: view(Tab.DOCS, (), total=3)}
    bare = replace(empty(skipped=0), views=only_docs)
    assert said(bare, Tab.MEDIA).startswith("No pictures or films here yet")


def test_no_match_here_says_which_tabs_have_some() -> None:
    both = snapshot(1, PACK)
    nothing = {**both.views, Tab.CONTEXT: view(Tab.CONTEXT, (), total=9)}
    assert said(replace(both, views=nothing)) == (
        "Nothing here matches: retry, backoff, jitter, http"
        " / 3 documents match in docs: press 2."
        " / 5 documents match in code: press 3."
        " / 2 documents match in media: press 4."
        " / Press s for newest first, or t to type another task."
    )
    alone = {**nothing, Tab.DOCS: view(Tab.DOCS, PACK[:1]), Tab.CODE: view(Tab.CODE, (), total=1)}
    assert "1 document matches in docs: press 2. / 2 documents match in media" in said(
        replace(both, views=alone)
    )


async def test_everything_excluded(open_panel: Open) -> None:
    gone = replace(empty(), views={Tab.CONTEXT: nothing_left(0, 3)})
    async with open_panel(gone) as panel:
        assert "Everything here is excluded" in text(panel)
        assert "You excluded 3 documents. Press u to take" in text(panel)


def nothing_left(total: int, excluded: int) -> Any:
    return replace(view(Tab.CONTEXT, ()), total=total, excluded=excluded)


async def test_no_match_names_the_terms(open_panel: Open) -> None:
    async with open_panel(snapshot(1, ())) as panel:
        assert "Nothing here matches: retry, backoff, jitter, http" in text(panel)
        assert "Press s for newest first" in text(panel)
        assert "0 of 1,204 files" in panel.line("#title")


async def test_terms_are_text(open_panel: Open) -> None:
    from knit_tui.model import QueryTerm

    query = Query(terms=(QueryTerm("\x1b[2J", 1.0), QueryTerm("[/red]", 1.0)), source="typed")
    async with open_panel(snapshot(1, (), query=query)) as panel:
        assert "␛[2J, [/red]" in text(panel)
        assert "\x1b" not in text(panel) + panel.line("#title")


async def test_a_filter_that_holds_nothing(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"zzz")
        assert "Nothing holds all of: zzz" in text(panel)
        assert "12 documents are behind it. Press esc to clear the filter." in text(panel)
        await panel.press("escape")
        assert "Nothing" not in text(panel)


async def test_without_enough_conversation_the_newest_stand_first(open_panel: Open) -> None:
    waiting = snapshot(
        views=views([replace(each, number=None) for each in PACK[:3]], mode=Mode.NEWEST),
        query=Query(),
        notices=(Notice("no-conversation"),),
    )
    async with open_panel(waiting) as panel:
        said = "Waiting for a task. Press t to enter one, or tell your agent."
        assert panel.line("#notices").strip() == said
        assert panel.line("#title").startswith(" courier")
        assert "1,204 files" in panel.line("#title")


async def test_no_session_says_how_to_get_one(open_panel: Open) -> None:
    lost = snapshot(
        views=views(PACK, mode=Mode.NEWEST),
        query=Query(),
        session=SessionStatus("none"),
        notices=(Notice("no-conversation"),),
    )
    async with open_panel(lost) as panel:
        said = "Waiting for a task. Press t to enter one, or start your agent here."
        assert panel.line("#notices").strip() == said
        assert "no session" not in panel.line("#title")


async def test_a_vanished_workspace_keeps_the_list_in_grey(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down")
        before = panel.list_lines()
        await panel.publish(snapshot(2, (), present=False, views={}))
        assert notice_text(Notice("gone", (("root", ROOT),))) in panel.line("#notices")
        assert panel.results.has_class("-gone")
        assert panel.list_lines()[: len(before) - 1] == before[:-1]
        await panel.publish(snapshot(3))
        assert not panel.results.has_class("-gone")
        assert not panel.main.query_one("#notices").display


async def test_a_workspace_gone_from_the_start(open_panel: Open) -> None:
    async with open_panel(snapshot(1, (), present=False, views={})) as panel:
        assert "The workspace is gone" in text(panel)
        assert f"There is no folder {ROOT} now." in text(panel)
        await panel.press("r")
        assert panel.host.sent == [WorkspaceChanged()]


async def test_a_failed_engine_is_one_line_and_the_list_stays(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        before = panel.rel
        panel.host.failed("disk\x1b[31m full [/]")
        await panel.wait(lambda: bool(panel.main.state.failure), "the failure")
        assert notice_text(Notice("failed", (("why", "disk␛[31m full [/]"),))) in panel.line("#notices")
        assert panel.rel == before
        await panel.publish(snapshot(2))
        assert panel.main.state.failure == ""


async def test_an_engine_that_failed_before_the_first_list(open_panel: Open) -> None:
    async with open_panel() as panel:
        panel.host.failed("no permission")
        await panel.wait(lambda: bool(panel.main.state.failure), "the failure")
        assert "The engine stopped" in text(panel)
        assert "no permission" in text(panel)


async def test_a_partial_order_says_so(open_panel: Open) -> None:
    partial = snapshot(
        complete=False, indexed=340, notices=(Notice("indexing", (("done", "340"), ("total", "1204"))),)
    )
    async with open_panel(partial) as panel:
        assert "indexing 340 of 1,204" in panel.line("#title")
        assert not panel.main.query_one("#notices").display
        await panel.publish(snapshot(2, ()))
        await panel.publish(snapshot(3, (), complete=False, indexed=500))
        assert "Nothing matches so far" in text(panel)
        assert "500 of 1,204 documents are indexed." in text(panel)


async def test_notices_stand_worst_first_in_one_line(open_panel: Open) -> None:
    async with open_panel(snapshot(notices=NOTICES[::-1])) as panel:
        line = panel.line("#notices")
        assert line.strip() == " · ".join(map(notice_text, NOTICES))
        assert panel.results.region.y == 3
        await panel.publish(snapshot(2))
        assert panel.results.region.y == 2


async def test_a_notice_nobody_words_is_shown_by_its_code(open_panel: Open) -> None:
    async with open_panel(snapshot(notices=(Notice("odd\x1bcode"),))) as panel:
        assert panel.line("#notices").strip() == "odd␛code"


async def test_empty_text_is_wrapped_in_a_narrow_list(open_panel: Open) -> None:
    async with open_panel(snapshot(1, (), session=SESSION), size=(24, 20)) as panel:
        lines = [line.strip() for line in panel.list_lines() if line.strip()]
        assert lines[:2] == ["Nothing here", "matches: retry,"]


async def test_the_last_documents_leave_an_empty_list(open_panel: Open) -> None:
    async with open_panel(snapshot(1, (item("a.md"),)), rest=0.0) as panel:
        await panel.wait(lambda: bool(panel.preview.seen), "the preview")
        await panel.publish(snapshot(2, ()))
        await panel.wait(lambda: panel.preview.seen[-1] is None, "the empty preview")
        assert "Nothing here matches" in text(panel)
