"""What is said of the agent's use, in words and lines, at every width."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from knit_tui.faces.tui.pieces import Piece, to_width, width_of
from knit_tui.faces.tui.usage_rows import (
    Columns,
    Heading,
    Shape,
    heading_pieces,
    line_height,
    line_rows,
    panel_height,
    parted,
)
from knit_tui.faces.tui.widgets.rows import Look, item_lines
from knit_tui.faces.usage_lines import Line, Section, lines, more_text
from knit_tui.faces.usage_words import limit_texts, sums
from knit_tui.model import Change, Counts, Coverage, Cut, Delta, PackItem, Status, Tier, Usage
from tests.panel import sample
from tests.panel.sample import HOUR, MINUTE, NOW
from tests.panel.sample_usage import DELTA, DOCUMENTS, LIMITED, NOTHING, edit, read, usage, used
from tests.panel.test_rows import HOSTILE, has_control, hostile_item


def joined(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


# Sums.


def test_the_sums_leave_out_what_is_zero() -> None:
    assert sums(usage()) == ["pack 3", "10 reads, 3 outside", "2 changes"]
    assert sums(usage(), whole=True)[1] == "10 reads (1 inferred, 1 by a subagent), 3 outside"
    assert sums(NOTHING) == ["pack 1", "nothing read yet"]
    assert sums(usage([used("a", Status.READ, reads=[read("a", 1, MINUTE)])], epoch=1)) == [
        "pack 1",
        "1 read",
    ]
    assert sums(Usage(), complete=False) == ["counting begins when the files are indexed"]
    assert sums(Usage()) == ["nothing read yet"]


def test_limits_are_told_only_when_they_bite() -> None:
    assert limit_texts(usage()) == []
    texts = limit_texts(LIMITED)
    assert len(texts) == 5
    assert texts[0].startswith("4 reads and edits of files that are not in this workspace")
    assert "3 documents" in texts[1] and "8 reads" in texts[1]


# Lines.


def told(
    found: Usage, *, per_group: int = 5, opened: Iterable[Section] = (), outside: int = 10
) -> list[Line]:
    groups = lines(found, NOW, per_group=per_group, opened=tuple(opened), outside=outside)
    return [line for group in groups for line in group]


def section(found: Iterable[Line], which: Section) -> list[Line]:
    return [line for line in found if line.section is which]


def test_the_groups_come_in_their_order_and_each_line_leads_somewhere() -> None:
    groups = lines(LIMITED, NOW, per_group=5)
    assert [group[0].section for group in groups] == [
        Section.COVERAGE, Section.RECENT, Section.OUTSIDE, Section.CHANGE, Section.EDITED, Section.LIMIT,
    ]  # fmt: skip
    silent = [line for group in groups for line in group if not line.leads]
    assert {line.section for line in silent} == {Section.CHANGE, Section.LIMIT}


def test_tiers_tell_how_much_was_read_and_what_was_not() -> None:
    tiers = section(told(usage()), Section.COVERAGE)
    assert [(line.label, line.tier, line.fact) for line in tiers] == [
        ("Pinned", Tier.PINNED, "unread: style.md"),
        ("Primary", Tier.PRIMARY, ""),
        ("Supporting", Tier.SUPPORTING, "unread: 重试策略.md"),
        ("Related", Tier.RELATED, "unread: defaults.toml, [id].tsx"),
    ]
    rows = [joined(line_rows(line, Columns.of(tiers, 90), 90)[0]) for line in tiers]
    assert rows[1].split() == ["Primary", "◉"]
    assert rows[2].startswith("Supporting  ◉ ◉ ◌  2 / 3  unread:")


def test_a_tier_without_documents_is_left_out_and_one_of_many_has_no_dots() -> None:
    many = tuple(f"d{number}" for number in range(40))
    found = usage(coverage=(Coverage(Tier.PRIMARY), Coverage(Tier.PINNED, many[:3], many[3:])))
    [line] = section(told(found), Section.COVERAGE)
    assert "◉" not in joined(line_rows(line, Columns.of([line], 60), 60)[0])
    assert "3 / 40" in joined(line_rows(line, Columns.of([line], 60), 60)[0])


def test_the_last_read_tells_whose_it_was_and_how_sure_it_is() -> None:
    [line] = section(told(usage()), Section.RECENT)
    assert (line.rel, line.fact) == (sample.RETRY.rel, "2m ago")
    unsure = usage(recent=read("x", 9, 0, inferred=True, by="subagent"))
    assert section(told(unsure), Section.RECENT)[0].fact == "just now, by a subagent, inferred"
    before = usage(recent=read("x", 9, None))
    assert section(told(before), Section.RECENT)[0].fact == ""


def test_ten_reads_outside_are_listed_and_the_others_counted() -> None:
    documents = [
        used(f"o{number}", Status.READ, reads=[read(f"o{number}", number, MINUTE)], outside=1)
        for number in range(13)
    ]
    found = section(told(usage(documents)), Section.OUTSIDE)
    assert (len(found), found[0].label, found[1].label) == (11, "Outside 13", "")
    assert (found[-1].more, more_text(found[-1])) == (3, "+3 more")
    assert len(section(told(usage(documents), opened=[Section.OUTSIDE]), Section.OUTSIDE)) == 13
    # One more would take the line that says so.
    assert [line.more for line in section(told(usage(documents[:11])), Section.OUTSIDE)] == [0] * 11


def test_the_numbers_of_a_change_add_up() -> None:
    everywhere = [PackItem(f"d{number}", Tier.RELATED, number + 1) for number in range(30)]
    delta = Delta(
        4,
        5,
        9,
        NOW,
        entered=tuple(everywhere[:9]),
        left=tuple(everywhere[9:16]),
        moved=tuple((item, replace(item, number=item.number + 1)) for item in everywhere[16:20]),
        stayed=10,
    )
    for per_group in (1, 3, 5, 50):
        found = told(usage(delta=delta), per_group=per_group)
        for which, count in ((Section.ENTERED, 9), (Section.LEFT, 7), (Section.MOVED, 4)):
            group = section(found, which)
            assert sum(line.more or 1 for line in group) == count
            assert group[0].label.endswith(f" {count}")
            assert len(group) <= per_group + 1
    assert section(found, Section.CHANGE)[0].fact == "just now, 10 stayed"


def test_a_change_tells_where_each_document_stood() -> None:
    found = told(usage())
    assert section(found, Section.CHANGE)[0] == Line(
        Section.CHANGE, "Pack 3", fact="5m ago, another task, 4 stayed"
    )
    facts = {line.rel: line.fact for line in found if line.section is Section.MOVED}
    assert facts == {
        sample.TEST.rel: "Related 2 to Supporting 2",
        sample.CLIENT.rel: "Supporting 1 to Related 1",
    }
    assert section(found, Section.LEFT)[0].fact == "was Related 1"
    assert DELTA.task_changed


def test_edited_files_are_listed_with_their_number_and_when() -> None:
    [line] = section(told(usage()), Section.EDITED)
    assert (line.label, line.rel, line.fact) == ("Edited 1", sample.TEST.rel, "x2, 1m ago")
    gone = usage([used("a", Status.GONE, Change.AGENT, edits=[edit("a", 1, None)])])
    assert section(told(gone), Section.EDITED)[0].fact == "gone since"


def test_nothing_read_is_only_what_is_unread() -> None:
    assert {line.section for line in told(NOTHING)} == {Section.COVERAGE}
    assert told(Usage()) == []


# At every width.


def hostile_usage(name: str) -> Usage:
    """A usage in which every text from outside is ``name``."""
    rel = f"{name}/{name}" if name else "x"
    item, other = PackItem(rel, Tier.RELATED, 1), PackItem(rel, Tier.SUPPORTING, 2)
    found = used(rel, Status.UPDATED, Change.AGENT, reads=[read(rel, 1, HOUR)], edits=[edit(rel, 2, HOUR)])
    found = replace(found, counts=Counts(reads=2, edits=7, inferred=1))
    return replace(
        usage([found]),
        outside=(rel,),
        coverage=(Coverage(Tier.RELATED, (rel,), (rel, rel)),),
        delta=Delta(1, 2, 3, None, (item,), (item,), ((item, other),), 3),
        cut=Cut(1, 2, 3, 4, 5),
        task=name,
    )


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_hostile_names_fill_every_width_exactly(name: str) -> None:
    found = hostile_usage(name)
    rows = [
        row for row in parted(lines(found, NOW, per_group=3, particulars=True), airy=True) if row is not None
    ]
    for width in (*range(60), 77, 100, 159, 200, 300):
        columns = Columns.of(rows, width)
        for row in rows:
            drawn = line_rows(row, columns, width)
            assert len(drawn) == line_height(row, width)
            for pieces in drawn:
                assert width_of(pieces) == width, (width, joined(pieces))
                assert not has_control(joined(pieces))
        look = Look(width, NOW, usage={hostile_item(name).rel: DOCUMENTS[0]})
        for line in item_lines(hostile_item(name), look, pinned=True, out=False):
            assert width_of(line) == max(0, width - 1)


@pytest.mark.parametrize(
    "heading", (Heading(), Heading(True), Heading(True, LIMITED), Heading(True, LIMITED, wide=True))
)
def test_the_first_line_fits_every_width(heading: Heading) -> None:
    for width in range(301):
        pieces = to_width(heading_pieces(heading, width), width)
        assert width_of(pieces) == width
        assert not has_control(joined(pieces))


def test_the_first_line_lets_parts_go_before_it_cuts_words() -> None:
    def text(width: int, *, wide: bool = False) -> str:
        return joined(heading_pieces(Heading(True, usage(), wide=wide), width)).rstrip()

    assert text(80) == " Usage  pack 3 · 10 reads, 3 outside · 2 changes".ljust(73) + "a more"
    assert text(40) == " Usage  pack 3 · 10 reads, 3 outside"
    assert text(30) == " Usage  10 reads, 3 outside"
    assert "(1 inferred, 1 by a subagent)" in text(120, wide=True)
    assert "inferred" not in text(60, wide=True)
    assert joined(heading_pieces(Heading(), 80)).rstrip() == " usage off: a counts what the agent reads"


@pytest.mark.parametrize(
    ("size", "on", "wide", "shape"),
    (
        ((120, 40), False, False, Shape.OFF),
        ((120, 24), False, False, Shape.OFF),
        ((120, 23), False, False, Shape.HIDDEN),
        ((120, 11), True, True, Shape.HIDDEN),
        ((120, 12), True, True, Shape.LINE),
        ((120, 17), True, True, Shape.LINE),
        ((120, 18), True, True, Shape.PANEL),
        ((120, 18), True, False, Shape.LINE),
        ((159, 50), True, True, Shape.PANEL),
        ((160, 50), True, True, Shape.COLUMN),
        ((160, 17), True, True, Shape.LINE),
        ((1, 300), True, True, Shape.PANEL),
    ),
)
def test_the_shape_follows_the_size(size: tuple[int, int], on: bool, wide: bool, shape: Shape) -> None:
    assert Shape.at(*size, on=on, wide=wide) is shape


def test_a_panel_has_at_most_ten_lines() -> None:
    assert [panel_height(height) for height in (18, 23, 24, 35, 36, 300)] == [6, 6, 8, 8, 10, 10]


def test_facts_are_told_before_folders_and_each_group_has_its_own_columns() -> None:
    rows = told(usage())

    def text(width: int, which: Section) -> str:
        columns = Columns.of(rows, width)
        return joined(line_rows(section(rows, which)[0], columns, width)[0]).strip()

    assert text(90, Section.RECENT) == "Last read   retry.py  src/courier/net     2m ago"
    assert text(90, Section.MOVED) == "Moved 2     test_retry.py  tests/net      Related 2 to Supporting 2"
    assert text(58, Section.RECENT) == "Last read   retry.py  src/courier/net  2m ago"
    assert text(58, Section.MOVED) == "Moved 2     test_retry.py       Related 2 to Supporting 2"
    assert text(30, Section.OUTSIDE) == "Outside 2   pyproject.toml  x…", "a name before its facts"


def test_limits_are_told_whole_on_as_many_lines_as_they_need() -> None:
    [line] = [line for line in told(LIMITED) if line.section is Section.LIMIT][:1]
    assert line_height(line, 200) == 1
    narrow = line_rows(line, Columns.of([line], 30), 30)
    assert len(narrow) == line_height(line, 30) > 1
    assert " ".join(joined(row).strip() for row in narrow) == line.fact
