"""Who speaks of the previewed file, in its title; and going to a line of a file that is shown already."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.message import Message

from knit_tui.faces.tui.preview.title import PreviewTitle
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.model import Access, Kind, Passage, Relation, RelationType
from tests.preview.conftest import OpenBench
from tests.preview.test_pane import banded, numbered

NAMED = tuple(Relation(RelationType.REFERENCES, True, f"docs/{place}.md", place + 1) for place in range(3))
USED = tuple(Relation(RelationType.IMPORTS, True, f"src/{place}.py", place + 1) for place in range(2))
USES = (Relation(RelationType.IMPORTS, False, "src/x.py", 1),)


async def test_the_title_says_who_speaks_of_the_file(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(80, 12)) as b:
        await b.open("a.txt", relations=(*NAMED, *USED, *USES), related=6)
        assert b.title().endswith(" named in 3, imported by 2  200 lines ")
        await b.resize(40, 12)
        assert b.title().endswith(" 5 backlinks  200 lines ")
        await b.resize(15, 12)
        assert b.title().strip() == "a.txt"


async def test_a_source_map_beside_it_is_a_way_to_it(bench: OpenBench, ws: Path) -> None:
    (ws / "a.js").write_text(numbered())
    async with bench(size=(80, 12)) as b:
        b.pane.mapped = True
        await b.open("a.js", relations=NAMED, related=3)
        assert b.title().endswith(" named in 3  source map  200 lines ")


async def test_of_relations_that_are_not_all_known_only_the_number_is_said(
    bench: OpenBench, ws: Path
) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(80, 12)) as b:
        await b.open("a.txt", relations=(*NAMED, *USED), related=1_040)
        assert b.title().endswith(" 1,040 relations  200 lines ")
        await b.open("b.txt")
        assert "relation" not in b.title()


async def test_it_is_said_of_what_has_no_text_too(bench: OpenBench, ws: Path) -> None:
    (ws / "a.png").write_bytes(b"\x89PNG")
    async with bench(size=(80, 12)) as b:
        await b.open("a.png", relations=NAMED, related=3, kind=Kind.IMAGE, access=Access.NAME)
        assert b.title().endswith(" named in 3 ")


async def test_a_new_relation_is_said_without_a_new_content(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(80, 12)) as b:
        await b.open("a.txt", relations=NAMED, related=3)
        loads = len(b.arrived)
        b.pane.show(str(b.root), b.item("a.txt", relations=NAMED[:1], related=1))
        assert b.title().endswith(" named in 1  200 lines ")
        await b.pilot.pause()
        assert len(b.arrived) == loads


async def test_the_name_of_the_file_is_not_cut_for_it(bench: OpenBench, ws: Path) -> None:
    rel = "some/folders/on/the/way/a_rather_long_name.txt"
    (ws / rel).parent.mkdir(parents=True)
    (ws / rel).write_text(numbered())
    async with bench(size=(60, 12)) as b:
        await b.open(rel, Passage(3, 4, (), ""), relations=(*NAMED, *USED), related=5)
        for width in range(60, 140, 3):
            await b.resize(width, 12)
            assert "a_rather_long_name.txt:3-4" in b.title()
        assert "named in 3, imported by 2" in b.title()


async def test_a_click_on_it_leads_to_them(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(80, 12)) as b:
        await b.open("a.txt", relations=(*NAMED, *USED), related=5)
        title = b.pane.query_one(PreviewTitle)
        pressed: list[str] = []
        post = title.post_message

        def note(message: Message) -> bool:
            if isinstance(message, OneLine.Pressed):
                pressed.append(message.action)
            return post(message)

        title.post_message = note  # type: ignore[method-assign]
        first = b.title().index("named in")
        last = first + len("named in 3, imported by 2") - 1
        for x in (first - 1, first, last, last + 1, 79, 0):
            title.on_click(events.Click(title, x, 0, 0, 0, 1, False, False, False))
            assert len(pressed) == (first <= x <= last), x
            assert set(pressed) <= {"inspect.backlinks"}
            pressed.clear()


async def test_aiming_goes_to_the_lines_of_a_file_that_is_shown_already(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", Passage(100, 103, ("line",), ""))
        b.pane.show(str(b.root), b.item("a.txt", Passage(38, 42, (), "")))
        b.pane.aim(40)
        await b.until(lambda: banded(b) == [38, 39, 40, 41, 42])
        assert b.view.top == 37 - 10
        assert b.pane.line == 40
        b.pane.scroll_lines(60)
        b.pane.show(str(b.root), b.item("a.txt", Passage(38, 42, (), "")))
        b.pane.aim(40)
        assert b.view.top == 37 - 10
        assert b.pane.line == 40


async def test_aiming_outlasts_what_else_is_told_before_the_file_is_there(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", Passage(100, 103, ("line",), ""))
        led = b.item("a.txt", Passage(38, 42, (), ""))
        b.pane.show(str(b.root), led)
        b.pane.aim(40)
        b.pane.show(str(b.root), led)
        await b.until(lambda: banded(b) == [38, 39, 40, 41, 42])


async def test_without_aiming_the_view_stays_where_it_is(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", Passage(100, 103, ("line",), ""))
        top = b.view.top
        b.pane.show(str(b.root), b.item("a.txt", Passage(38, 42, (), "")))
        await b.until(lambda: b.view.document is not None and b.view.document.passages[0].start == 38)
        assert b.view.top == top


async def test_lines_behind_the_end_are_not_told(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one\ntwo\nthree\n")
    async with bench(size=(60, 12)) as b:
        await b.open("a.txt", Passage(1, 5, (), ""))
        assert b.title().startswith(" a.txt:1-3 ")
