"""A glance at the document under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from knit_tui.faces.tui.preview.document import Card
from knit_tui.faces.tui.preview.loader import document_of
from knit_tui.faces.tui.widgets.peek import MOST_LINES, MOST_REASONS, Peek, quoted, reasons, text_lines
from knit_tui.model import (
    Access,
    Commit,
    Field,
    Hit,
    Kind,
    Lead,
    Passage,
    Reason,
    Relation,
    RelationType,
    TermHit,
    Text,
    Use,
)
from tests.panel.sample import item, numbered, snapshot
from tests.panel.test_rows import HOSTILE, has_control

Open = Callable[..., Any]


def document(text: str, *passages: Passage) -> Any:
    size = len(text.encode(errors="surrogatepass"))
    return document_of(item("a.py", passages=passages), Text(text, "utf-8", size, size))


def hit(*terms: TermHit, **more: Any) -> Hit:
    return Hit("src/a.py", 1.0, terms, **more)


TERMS = (
    TermHit("retry", (Field.NAME, Field.BODY), "retry"),
    TermHit("backoff", (Field.HEADINGS,), "backoff"),
    TermHit("jitter", (Field.BODY,), "jitter"),
)
LINKS = (
    Relation(RelationType.IMPORTS, True, "src/b.py", 12),
    Relation(RelationType.IMPORTS, True, "src/c.py", 3),
)


# What speaks for a document


def test_at_most_four_reasons_each_told_once() -> None:
    one = item("src/a.py", reason=Reason("filename", ("retry",), ("backoff",)))
    assert reasons(one) == ["file name: retry"]
    known = replace(one, hit=hit(*TERMS), relations=LINKS, related=2)
    told = reasons(known)
    assert told[:3] == ["file name: retry", "defines: backoff", "text: retry, jitter"]
    assert len(told) == MOST_REASONS and "src/b.py:12" in told[3]
    few = replace(known, hit=hit(TERMS[0]))
    assert reasons(few)[:2] == ["file name: retry", "imported by src/b.py:12"] and len(reasons(few)) == 3
    assert sum("src/" in text for text in reasons(few)) == 2


def test_what_the_row_says_first_comes_first_and_not_twice() -> None:
    used = hit(TERMS[2], use=Use(True, 0), lead=Lead.USE)
    told = reasons(replace(item("src/a.py", reason=Reason("edited", prompts_ago=0)), hit=used))
    assert told == ["edited by the agent since your prompt", "text: jitter"]
    commit = Commit("a1b2c3d4e5", 0, "fix retry backoff", ())
    told = reasons(
        replace(item("src/a.py", reason=Reason("commit", commit=commit)), hit=hit(TERMS[2], commit=commit))
    )
    assert told == ["changed in a1b2c3d “fix retry backoff”", "text: jitter"]
    related = replace(item("src/a.py", reason=Reason("related", relation=LINKS[0])), relations=LINKS)
    assert sum("src/b.py:12" in text for text in reasons(related)) == 1
    assert reasons(item("src/a.py")) == ["nothing speaks for it"]


def test_what_a_file_is_comes_before_why_it_is_there() -> None:
    picture = item("a.png", size=2048, reason=Reason("filename", ("a",)))
    assert reasons(picture) == ["PNG image, 2 KiB", "file name: a"]
    assert reasons(picture, (640, 480)) == ["PNG image, 2 KiB, 640x480", "file name: a"]
    assert reasons(item("a.mp4", size=10)) == ["MP4 video, 10 bytes"]
    secret = item(".env", access=Access.WITHHELD, kind=Kind.DOCS)
    assert reasons(secret) == ["looks like a secret: never read"]
    assert reasons(item("a.md", missing=True, pinned=True, reason=Reason("pinned"))) == [
        "no such file now",
        "pinned by you",
    ]


# The lines


def test_the_line_that_tells_most_is_among_them() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 41))
    whole = Passage(5, 30, ("line",), "line 5 line 6 line 7")
    assert quoted(document(text, whole), whole, 8) == list(range(4, 12))
    late = Passage(5, 30, ("line",), "…line 25 line 26")
    shown = quoted(document(text, late), late, 8)
    assert 24 in shown and len(shown) == 8 and shown[0] >= 4
    assert quoted(document(text, late), Passage(39, 60, (), "gone"), 8) == [38, 39]
    assert quoted(document(text), Passage(90, 99, (), ""), 8) == [0, 1, 2, 3, 4]
    assert quoted(document(text), None, 3) == [0, 1, 2]
    assert quoted(document("one"), None, 0) == []


def test_lines_lose_what_all_are_indented_by_and_keep_their_marks() -> None:
    text = "def a():\n        retry = 1\n\n\t\tx = retry"
    passage = Passage(2, 4, ("retry",), "retry = 1")
    first, blank, last = text_lines(document(text, passage), [1, 2, 3], 20)
    assert "".join(piece.text for piece in first).rstrip() == " 2  retry = 1"
    assert "".join(piece.text for piece in blank).strip() == "3"
    assert "".join(piece.text for piece in last).rstrip() == " 4  x = retry"
    assert [piece.text for piece in (*first, *last) if piece.style == "term"] == ["retry", "retry"]
    [cut] = text_lines(document(text, passage), [1], 9)
    assert "".join(piece.text for piece in cut) == " 2  retr…"


@pytest.mark.parametrize("width", (1, 2, 5, 29, 30, 44, 300))
def test_any_text_in_any_size(width: int) -> None:
    hostile = "".join(HOSTILE).replace("/", "")
    one = item(f"docs/{hostile}/{hostile}.md", reason=Reason("title", (hostile,)))
    one = replace(one, passages=(Passage(1, 2, (hostile,), hostile),), relations=LINKS)
    for content in (None, document(f"  {hostile}\n  重试{hostile}", *one.passages), Card("gone", ("x", "y"))):
        for above in (False, True):
            peek = Peek()
            peek._item, peek._content, peek._reasons, peek.above = one, content, reasons(one), above
            for height in range(16):
                lines = peek.lines(width, height)
                assert len(lines) <= height
                for line in lines:
                    text = "".join(piece.text for piece in line)
                    assert cell_len(text) == width and not has_control(text)


def test_reasons_give_way_before_the_last_line_does() -> None:
    peek = Peek()
    text = "\n".join(f"line {number}" for number in range(1, 41))
    one = replace(item("a.py", passages=(Passage(1, 30, (), ""),)), relations=LINKS, hit=hit(*TERMS))
    peek._item, peek._content, peek._reasons = one, document(text, *one.passages), reasons(one)
    assert peek.wanted_height == 1 + MOST_REASONS + MOST_LINES

    def shares(height: int) -> tuple[int, int]:
        styles = [line[0].style for line in peek.lines(80, height)[1:]]
        return len(styles) - styles.count("number"), styles.count("number")

    assert [shares(height) for height in (13, 11, 7, 4, 3, 2, 1)] == [
        *((4, 8), (4, 6), (2, 4), (1, 2), (0, 2), (0, 1), (0, 0))
    ]


# Over the list


def shot(root: Path, generation: int = 1, count: int = 30, **changes: Any) -> Any:
    items = [
        replace(each, relations=(), reason=Reason("body", (f"word{place}",)))
        for place, each in enumerate(numbered(count))
    ]
    return snapshot(generation, items, root=str(root), **changes)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for each in numbered(30):
        (tmp_path / each.rel).parent.mkdir(parents=True, exist_ok=True)
        lines = [f"    {each.rel.rpartition('/')[2]} alpha {number}" for number in range(1, 60)]
        (tmp_path / each.rel).write_text("\n".join(lines))
    return tmp_path


def box(panel: Any) -> list[str]:
    peek = panel.main.peek
    return [peek.render_line(y).text.rstrip() for y in range(peek.size.height)] if peek.display else []


async def shown(panel: Any, *texts: str) -> list[str]:
    """The box, once it shows all of these, and no file but that of the cursor."""

    def there() -> bool:
        text = "\n".join(box(panel))
        name = panel.rel.rpartition("/")[2]
        assert not text or all(word == name for word in text.split() if word.endswith(".py")), text
        return all(each in text for each in texts)

    await panel.wait(there, f"{texts} in {box(panel)}")
    return box(panel)


def covered(panel: Any) -> bool:
    """Whether the box hides something of the row under the cursor, or anything but the list."""
    peek, results = panel.main.peek.region, panel.results.region
    first = results.y + panel.cursor_row
    end = first + panel.results.end_of(panel.results.cursor) - panel.results.line_of(panel.results.cursor)
    inside = results.contains_region(peek)
    return not inside or bool(set(range(first, end)) & set(range(peek.y, peek.bottom)))


async def test_it_follows_the_cursor_and_closes(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root)) as panel:
        await panel.press("space")
        told = await shown(panel, "text: word0", "file00000.py alpha 1")
        assert told[0].startswith("─ file00000.py  src/part0 ─") and told[0].endswith("space closes")
        assert panel.app.focused is panel.results and not covered(panel)
        assert panel.main.peek.region.bottom == panel.results.region.bottom
        await panel.press("j", "j")
        told = await shown(panel, "text: word2", " 3  file00002.py alpha 3")
        assert not covered(panel)
        await panel.move("down", 9)
        await shown(panel, "file00011.py alpha 12")
        # At the end of the list it hangs above the cursor.
        await panel.press("G")
        told = await shown(panel, "file00029.py alpha 30")
        assert not covered(panel) and panel.main.peek.region.y == panel.results.region.y
        assert set(told[-1]) == {"─"}
        await panel.press("space")
        assert not panel.main.peek.display and panel.main.peek.item is None
        await panel.press("space", "escape")
        assert not panel.main.peek.display and panel.app.focused is panel.results
        # Another tab has another document.
        await panel.press("space", "4")
        told = await shown(panel, "PNG image, 47.1 KiB")
        assert told[0].startswith("─ retry-flow.png")
        await panel.press("2")
        assert not panel.main.peek.display  # nothing is in that tab


async def test_a_click_outside_and_another_focus_close_it(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root)) as panel:
        await panel.press("space")
        await panel.pilot.click("#peek", offset=(5, 1))
        assert panel.main.peek.display
        await panel.pilot.click("ResultList", offset=(5, 4))
        await panel.wait(lambda: not panel.main.peek.display, "the end by a click on a row")
        assert panel.cursor_row > 1
        for outside in ("#preview", "#tabs"):
            await panel.press("h", "space")
            assert panel.main.peek.display
            await panel.pilot.click(outside, offset=(25, 0))
            await panel.wait(lambda: not panel.main.peek.display, f"the end by a click on {outside}")
        for key in ("enter", "slash", "t"):
            panel.main.action_focus_list()
            await panel.wait(lambda: panel.app.focused is panel.results, "the list")
            await panel.press("space")
            assert panel.main.peek.display
            await panel.press(key)
            await panel.wait(lambda: not panel.main.peek.display, f"the end by {key}")
            await panel.press("escape")
        panel.main.focus_preview()
        await panel.wait(lambda: panel.main._reading(), "the preview")
        await panel.press("space")
        assert not panel.main.peek.display and "only a document of the list" in panel.line("#title")


async def test_the_order_waits_for_who_looks_and_the_facts_do_not(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root), rest=0.0) as panel:
        await panel.press("down", "space")
        await shown(panel, "text: word1")
        before = panel.rel
        await panel.publish(shot(root, 2, 20))
        assert panel.main.state.holding and panel.rel == before
        await panel.press("space")
        await panel.wait(lambda: not panel.main.state.holding, "the new order")
        # One that moves nothing is shown at once, and the box tells what is so now.
        await panel.press("space")
        await shown(panel, "text: word1")
        items = [
            replace(each, reason=Reason("body", ("other",))) for each in panel.main.state.listing().items
        ]
        await panel.publish(snapshot(3, items, root=str(root)))
        await shown(panel, "text: other", f"{before.rpartition('/')[2]} alpha")
        # What it shows is gone: nothing of it stays in sight.
        await panel.publish(snapshot(4, (), root=str(root)))
        await panel.press("r")
        assert not panel.main.peek.display


async def test_it_covers_the_list_alone(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root), size=(200, 50)) as panel:
        await panel.press("space")
        for width, height in ((200, 50), (70, 30), (1, 1), (20, 6), (30, 9), (300, 40), (40, 24)):
            await panel.pilot.resize_terminal(width, height)
            assert not panel.main.peek.display or not covered(panel), (width, height)
            if width >= 40:
                await shown(panel, "file00000.py alpha 1")
                assert panel.main.peek.region.width == panel.results.region.width


async def test_where_there_is_no_room_it_says_so(open_panel: Open, root: Path) -> None:
    async with open_panel(shot(root), size=(60, 6)) as panel:
        await panel.press("space")
        assert not panel.main.peek.display and panel.main.peek.item is None
        assert "too low" in panel.line("#title")
    async with open_panel(snapshot(1, ())) as panel:
        await panel.press("space")
        assert not panel.main.peek.display


def test_a_file_that_comes_late_is_not_shown_for_another() -> None:
    peek = Peek()
    first, second = numbered(2)
    peek._item = second
    peek.on_peek_loaded(Peek.Loaded(first, document("first")))
    assert peek._content is None
