"""What a new pack changed is told for a moment, by the rows it is about, and nothing moves for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.faces.tui import arrivals
from knit_tui.faces.tui.arrivals import NO_NEWS, Arrival, News, Way, news
from knit_tui.faces.tui.listing import places
from knit_tui.faces.tui.pieces import width_of
from knit_tui.faces.tui.state import PanelState
from knit_tui.faces.tui.widgets.rows import Density, Look, heading_line, height, item_lines
from knit_tui.faces.usage_words import use_ascii
from knit_tui.model import Controls, Item, Mode, Tab, Tier
from tests.panel import sample
from tests.panel.sample import NOW, item, snapshot, view
from tests.panel.test_policy import watch_painting
from tests.panel.test_rows import HOSTILE, Heading, has_control, hostile_item

Open = Callable[..., Any]
_TIERS = (Tier.PRIMARY, *[Tier.SUPPORTING] * 3, *[Tier.RELATED] * 5)


def pack(names: str, others: str = "", pinned: str = "") -> tuple[Item, ...]:
    """A pack of documents with names of one letter, in that order; then the other matches."""
    return (
        *(item(f"d/{name}.py", Tier.PINNED, pinned=True) for name in pinned),
        *(item(f"d/{name}.py", _TIERS[at], at + 1) for at, name in enumerate(names)),
        *(item(f"d/{name}.py") for name in others),
    )


def told(before: Sequence[Item], after: Sequence[Item]) -> dict[str, str]:
    """What is told of each document, by its letter."""
    found = news(places(before), view(Tab.CONTEXT, after))
    return {rel[2]: f"{each.glyph}{each.text}" for rel, each in found.rows.items()}


def left(found: News) -> dict[str, str]:
    return {tier.value: "".join(rel[2] for rel in rels) for tier, rels in found.left.items()}


# What is news


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    (
        ("abcdefg", "abcdefg", {}),
        ("abcdefg", "abcdefgx", {"x": "+entered"}),
        # One that enters, leaves or overtakes pushes others on: no news of theirs in the same tier.
        ("abcdefg", "abxcdefg", {"x": "+entered", "d": "▾was 4"}),
        ("abcdefg", "abcefg", {"d": "▾was 4", "e": "▴was 5"}),
        ("abcdefg", "abcdgef", {"g": "▴was 7"}),
        ("abcdefg", "agbcdef", {"g": "▴was 7", "d": "▾was 4"}),
        ("abcdefg", "acdbefg", {"b": "▾was 2"}),
        ("abcdefg", "bacdefg", {"b": "▴was 2", "a": "▾was 1"}),
    ),
)
def test_what_enters_leaves_or_overtakes_is_told(before: str, after: str, expected: dict[str, str]) -> None:
    assert told(pack(before), pack(after)) == expected


def test_what_left_is_told_under_the_heading_of_its_tier_or_the_next_there_is() -> None:
    def lost(before: Sequence[Item], after: Sequence[Item]) -> dict[str, str]:
        return left(news(places(before), view(Tab.CONTEXT, after)))

    assert lost(pack("abcdefg"), pack("acdxefy")) == {"supporting": "b", "related": "g"}
    assert lost(pack("abcdef"), pack("abcd", "ef")) == {"other": "ef"}
    assert lost(pack("abcdef"), pack("abcd")) == {"supporting": "ef"}
    assert lost(pack("abcd", pinned="p"), pack("abcd")) == {"primary": "p"}
    assert lost(pack("ab"), ()) == {"primary": "a", "supporting": "b"}


def test_a_pack_of_which_nothing_stayed_is_told_once() -> None:
    found = news(places(pack("abc", pinned="p")), view(Tab.CONTEXT, pack("xyz", "abc", pinned="p")))
    assert not found.rows and not found.left
    assert {tier: found.notes(tier) for tier in Tier if found.notes(tier)} == {Tier.PRIMARY: ("all new",)}


def test_a_first_pack_is_no_news() -> None:
    assert news(places(()), view(Tab.CONTEXT, pack("abc"))) is NO_NEWS
    assert news(places(pack("", pinned="p")), view(Tab.CONTEXT, pack("abc", pinned="p"))) is NO_NEWS


def test_a_pin_of_another_program_is_told_only_of_what_was_no_pack() -> None:
    assert told(pack("abcd"), pack("acd", pinned="b")) == {}
    assert told(pack("acd", pinned="b"), pack("abcd")) == {}
    assert told(pack("acd"), pack("acd", pinned="b")) == {"b": "+entered"}


@settings(max_examples=200, deadline=None)
@given(st.permutations("abcdefghi"), st.integers(0, 9), st.integers(0, 9))
def test_every_document_that_changed_sides_is_told(order: list[str], few: int, many: int) -> None:
    before, after = "abcdefghi"[:few], "".join(order)[:many]
    found = news(places(pack(before)), view(Tab.CONTEXT, pack(after, "abcdefghi")))
    if found.renewed or not before:
        return
    entered = {rel[2] for rel, each in found.rows.items() if each.way is Way.ENTERED}
    assert entered == set(after) - set(before)
    assert "".join(sorted("".join(left(found).values()))) == "".join(sorted(set(before) - set(after)))
    same_tier = [each for each in after if each in before and f"d/{each}.py" not in found.rows]
    assert same_tier == sorted(same_tier)  # those that are not told of kept their order


# For how long


class Story:
    """A state with a clock of its own that is shown one pack after another."""

    def __init__(self, *, lasting: bool = False) -> None:
        self.clock = 100.0
        self.state = PanelState(lambda: self.clock)
        self.state.newsroom.lasting = lasting
        self.generation = 0

    def show(self, items: Sequence[Item], *, busy: bool = False, **changes: object) -> dict[str, str]:
        self.generation += 1
        self.state.offer(snapshot(self.generation, tuple(items), **changes), busy=busy)
        return self.told()

    def told(self) -> dict[str, str]:
        return {rel[2]: each.text for rel, each in self.state.news().rows.items()}


def test_news_gets_old_and_only_goes() -> None:
    story = Story()
    assert story.show(pack("abcd")) == {}
    assert story.show(pack("abcx")) == {"x": "entered", "d": "was 4"}
    assert left(story.state.news()) == {"supporting": "d"}
    story.clock += 4
    assert story.show(pack("xabc")) == {"x": "entered", "a": "was 1", "d": "was 4"}
    story.clock += 2  # against the pack of two seconds ago it is "was 4": no word changes by itself
    assert story.told() == {"x": "entered", "a": "was 1"}
    assert story.state.news().seconds == pytest.approx(4)
    story.clock += 4
    assert story.told() == {} and not story.state.news()


def test_what_came_and_went_between_is_no_news_and_does_not_come_up_later() -> None:
    story = Story()
    story.show(pack("abcd"))
    assert story.show(pack("abcdx")) == {"x": "entered"}
    story.clock += 2
    assert story.show(pack("abcd")) == {}
    story.clock += 4
    assert story.told() == {}
    assert story.state.news().left == {}


def test_without_motion_news_stays_until_there_is_other_news() -> None:
    story = Story(lasting=True)
    story.show(pack("abcd"))
    story.show(pack("abcx"))
    assert story.state.news().seconds is None
    story.clock += 1000
    assert story.told() == {"x": "entered", "d": "was 4"}
    assert story.show(pack("abcx", "y")) == {"x": "entered", "d": "was 4"}
    assert story.show(pack("abcxz")) == {"z": "entered"}


def test_another_tab_order_or_filter_is_no_news() -> None:
    story = Story()
    story.show(pack("abcd"))
    story.show(pack("abcdx"))
    state = story.state
    for tab in (Tab.DOCS, Tab.CODE, Tab.MEDIA):
        state.tab = tab
        assert not state.news()
    state.tab, state.by_time = Tab.CONTEXT, True
    assert not state.news()
    state.by_time = False
    assert state.news()
    # A tab that the news did not follow has none, and nothing to compare with.
    state.tab = Tab.CODE
    assert story.show(pack("abcdx", "y")) == {}
    state.filter = "a"
    assert story.told() == {}


def test_what_cannot_be_compared_is_no_news() -> None:
    story = Story()
    story.show(pack("ab"), complete=False)
    assert story.show(pack("abc"), complete=False) == {}
    assert story.show(pack("abcd")) == {}
    assert story.show(pack("abcde")) == {"e": "entered"}
    assert story.show(pack("abcdef"), signals=("words", "history")) == {}
    newest = {Tab.CONTEXT: view(Tab.CONTEXT, pack("", "abcdef"), mode=Mode.NEWEST)}
    assert story.show((), views=newest) == {}
    assert story.show(pack("abc")) == {}
    story.show((), present=False)
    assert story.show(pack("abcd")) == {"d": "entered"}  # the one before that of a folder that was away


def test_the_users_own_pin_or_exclusion_is_no_news() -> None:
    story = Story()
    story.show(pack("abcdefghi", "j"), controls=Controls())
    story.state.acted()
    assert story.show(pack("acdefghij"), controls=Controls(excluded=("d/b.py",))) == {}
    story.state.acted()
    assert story.show(pack("acdefghj", pinned="i"), controls=Controls(("d/i.py",), ("d/b.py",))) == {}
    # Another program's is.
    story.clock += 60
    assert story.show(pack("acdefghj"), controls=Controls((), ("d/b.py",))) == {}
    assert left(story.state.news()) == {"primary": "i"}


def test_what_was_held_is_told_when_an_act_of_the_user_brings_it() -> None:
    story = Story()
    story.show(pack("abcd"), controls=Controls())
    assert story.show(pack("abcdx"), busy=True, controls=Controls()) == {}
    story.state.acted()
    after = pack("acx", pinned="d")
    assert story.show(after, busy=True, controls=Controls(("d/d.py",), ("d/b.py",))) == {"x": "entered"}
    assert story.state.news().left == {}


def test_a_held_order_is_news_when_it_is_released() -> None:
    story = Story()
    story.show(pack("abcd"))
    assert story.show(pack("abcdx"), busy=True) == {}
    story.clock += 100
    assert story.state.release()
    assert story.told() == {"x": "entered"}


# How it looks


@pytest.mark.parametrize("arrival", (Arrival(Way.ENTERED), Arrival(Way.UP, 12), Arrival(Way.DOWN, 4)))
def test_a_mark_moves_no_line_and_fits_every_width(arrival: Arrival) -> None:
    for each in (*map(hostile_item, HOSTILE), sample.GUIDE, sample.PINNED, sample.SETTINGS):
        for width in (*range(1, 61), 80, 120):
            look = Look(width, NOW)
            plain_lines = item_lines(each, look, pinned=each.pinned, out=False)
            lines = item_lines(each, replace(look, arrival=arrival), pinned=each.pinned, out=False)
            assert len(lines) == len(plain_lines) == height(each, Density.at(width))
            assert lines[1:] == plain_lines[1:]
            text = "".join(piece.text for piece in lines[0])
            assert width_of(lines[0]) == width - 1 and not has_control(text)
            names = [piece for piece in lines[0] if piece.style.startswith("name")]
            assert names == [piece for piece in plain_lines[0] if piece.style.startswith("name")]


def first_line(each: Item, width: int, **more: Any) -> str:
    look = Look(width, NOW, arrival=Arrival(Way.UP, 7))
    return "".join(
        piece.text for piece in item_lines(each, look, **{"pinned": False, "out": False, **more})[0]
    )


def test_the_mark_is_a_sign_before_the_number_and_words_before_the_time() -> None:
    assert first_line(sample.GUIDE, 80).startswith("▴2 retries.md  Retry policy and jitter  docs/guide")
    assert first_line(sample.GUIDE, 80).endswith("  was 7  3d")
    assert "was" not in first_line(sample.GUIDE, 34) and first_line(sample.GUIDE, 34)[0] == "▴"
    assert first_line(sample.GUIDE, 12) == "▴retries.md"
    assert first_line(sample.GUIDE, 80, pinned=True)[0] == "*"
    out = first_line(sample.GUIDE, 80, out=True)
    assert out[0] == "-" and "was" not in out
    by_time = Look(80, NOW, by_time=True)
    assert item_lines(sample.GUIDE, by_time, pinned=False, out=False)[0][0].text == " "
    use_ascii(True)
    try:
        assert first_line(sample.GUIDE, 80)[0] == "^"
    finally:
        use_ascii(False)


def test_a_heading_names_as_many_as_there_is_room_for() -> None:
    found = News(left={Tier.RELATED: ("a/client.py", "b/[id].tsx", "bad\x1bname.md")})
    notes = found.notes(Tier.RELATED)
    texts = {}
    for width in range(1, 121):
        line = heading_line(Heading(Tier.RELATED, "Related", 5), width, notes)
        assert width_of(line) == width
        texts[width] = "".join(piece.text for piece in line)
        assert not has_control(texts[width])
    assert texts[60].endswith("─ left: client.py, [id].tsx, bad␛name.md ")
    assert texts[44].endswith("─ left: client.py, [id].tsx +1 ")
    assert texts[36].endswith("─ left: client.py +2 ")
    assert texts[24].endswith("── left: 3 ")
    assert texts[20] == " Related 5 ─────────"
    assert found.notes(Tier.PRIMARY) == ()


# On the screen


async def test_marks_come_with_the_order_and_go_by_repainting_their_lines_alone(
    open_panel: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "NEWS_SECONDS", 1.0)
    async with open_panel(snapshot(1, pack("abcdefghi", "jkl")), rest=0.0, size=(60, 40)) as panel:
        assert not any("entered" in line or "left" in line for line in panel.list_lines())
        await panel.move("down", 2)
        painted = watch_painting(panel)
        panel.host.publish(snapshot(2, pack("abcdefgxh", "ijkl")))
        await panel.wait(lambda: bool(painted), "the painting of the news")
        place = (panel.rel, panel.cursor_row, panel.results.top)
        lines = [panel.results._drawn[y].text for y in range(panel.results.page)]
        painted.clear()
        await panel.wait(lambda: bool(painted), "the painting of its end")
        assert not panel.results._news
        after = [panel.results._drawn[y].text for y in range(panel.results.page)]
        differ = [y for y, line in enumerate(lines) if line != after[y]]
        assert sorted(painted) == differ
        assert [lines[y].split()[-2] for y in differ] == ["left:", "entered", "9"]
        assert place == (panel.rel, panel.cursor_row, panel.results.top)
