"""The lines of the usage lens at a given width; pure, so that every width can be tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from rich.cells import cell_len

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain, shorten, shorten_middle, wrap
from knit_tui.faces.tui.pieces import Piece, to_width, width_of
from knit_tui.faces.usage_lines import Line, Section, more_text
from knit_tui.faces.usage_words import coverage_count, coverage_dots, sums
from knit_tui.model import Usage

LOW, SHORT, TALL = 12, 18, 24
"""Lines of the panel under which there is no lens, only its one line, and no line while it is off."""
BROAD = 160
"""Cells of the panel from which on the lens is a column of its own."""
_GAP = 2
_BETWEEN = " · "
_LEAST_PATH = 14
_LEAST_FOLDER = 8
_FAR = 200


class Shape(Enum):
    """How much room the lens takes."""

    HIDDEN = "hidden"
    OFF = "off"
    """One line that says how to turn it on."""
    LINE = "line"
    PANEL = "panel"
    COLUMN = "column"

    @classmethod
    def at(cls, width: int, height: int, *, on: bool, wide: bool) -> Shape:
        """The shape in a panel of that size; ``wide`` when the user wants to see all of it."""
        if height < LOW:
            return cls.HIDDEN
        if not on:
            return cls.OFF if height >= TALL else cls.HIDDEN
        if not wide or height < SHORT:
            return cls.LINE
        return cls.COLUMN if width >= BROAD else cls.PANEL


def panel_height(height: int) -> int:
    """The most lines a lens across the bottom takes, its first line included."""
    if height < TALL:
        return 6
    return 8 if height < 36 else 10


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first line says."""

    on: bool = False
    usage: Usage | None = None
    """None while the first count is not there yet."""
    complete: bool = True
    wide: bool = False
    """The rest of the lens is open below."""


def heading_pieces(heading: Heading, width: int) -> list[Piece]:
    """The first line: the sums, and the keys that change it where there is room."""
    action = "usage.lens"
    if not heading.on:
        before, _key, after = _("usage off: {key} counts what the agent reads").partition("{key}")
        pieces = [Piece(" "), Piece(before, "dim", action), Piece("a", "key", action)]
        return [*pieces, Piece(shorten(after, width - width_of(pieces) - 1), "dim", action)]
    name = Piece(_("Usage"), "strong", action)
    room = width - cell_len(name.text) - 4
    keys = _keys(heading)
    text = _sums(heading, room, whole=heading.wide and tells_particulars(heading, width))
    left = [Piece(" "), name, Piece("  "), Piece(text, "", action)]
    spare = width - width_of(left) - width_of(keys)
    return [*left, Piece(" " * spare), *keys] if spare >= _GAP else left


def tells_particulars(heading: Heading, width: int) -> bool:
    """Whether the first line has room for how sure the reads are and whose."""
    if heading.usage is None:
        return True
    text = _BETWEEN.join(sums(heading.usage, whole=True, complete=heading.complete))
    return cell_len(text) + cell_len(_("Usage")) + 4 + _GAP + width_of(_keys(heading)) <= width


def _sums(heading: Heading, room: int, *, whole: bool) -> str:
    """As many parts as there is room for."""
    if heading.usage is None:
        return "…"
    parts = sums(heading.usage, whole=whole, complete=heading.complete)
    while len(parts) > 1 and cell_len(_BETWEEN.join(parts)) > room:
        parts.pop(0 if len(parts) == 2 and heading.usage.epoch else -1)
    return shorten(_BETWEEN.join(parts), room)


def _keys(heading: Heading) -> list[Piece]:
    word = _("less") if heading.wide else _("more")
    keys = [Piece("a", "key", "usage.lens"), Piece(f" {word} ", "dim", "usage.lens")]
    if heading.wide:
        off = _("off")
        keys += [Piece(" "), Piece("A", "key", "usage.off"), Piece(f" {off} ", "dim", "usage.off")]
    return keys


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the parts of the lines begin, the same for all of them."""

    label: int
    tier: int
    paths: Mapping[Section, int]
    """Cells of the paths of each section."""

    @classmethod
    def of(cls, lines: Iterable[Line], width: int) -> Columns:
        """What fits ``lines`` into ``width``: the facts get their room before the folders do."""
        told = list(lines)
        label = max((cell_len(plain(line.label)) for line in told), default=0)
        tier = max((width_of(_tier(line)) for line in told if line.coverage), default=0)
        room = max(0, width - 1 - label - _GAP)
        paths: dict[Section, int] = {}
        facts: dict[Section, int] = {}
        for line in told:
            if line.rel:
                group = _group(line.section)
                paths[group] = max(paths.get(group, 0), width_of(_path(line.rel, _FAR)))
                facts[group] = max(facts.get(group, 0), cell_len(plain(line.fact)))
        widest = max(paths.values(), default=0)
        if widest + _GAP + max(facts.values(), default=0) <= room:
            return cls(label, tier, dict.fromkeys(paths, widest))
        least = min(_LEAST_PATH, room)
        return cls(
            label,
            tier,
            {group: min(paths[group], max(room - facts[group] - _GAP, least)) for group in paths},
        )


def _group(section: Section) -> Section:
    """The section whose columns it shares."""
    return Section.CHANGE if section in (Section.ENTERED, Section.LEFT, Section.MOVED) else section


def line_height(line: Line | None, width: int) -> int:
    """How many lines of ``width`` cells it takes: a limit is told whole, all else takes one."""
    if line is None or line.section is not Section.LIMIT:
        return 1
    return max(1, len(wrap(plain(line.fact), width - 1)))


def line_rows(line: Line, columns: Columns, width: int) -> list[list[Piece]]:
    """The line in pieces of exactly ``width`` cells, without the bar of the cursor."""
    if line.section is Section.LIMIT:
        texts = wrap(plain(line.fact), width - 1) or [""]
        return [to_width([Piece(text, "fact")], width) for text in texts]
    return [_row(line, columns, width)]


def _row(line: Line, columns: Columns, width: int) -> list[Piece]:
    label = plain(line.label)
    pieces = [Piece(label + " " * (columns.label - cell_len(label) + _GAP), "label")]
    if line.more:
        return to_width([*pieces, Piece(plain(more_text(line)), "more")], width)
    fact = plain(line.fact)
    if line.rel or line.coverage:
        column = columns.paths.get(_group(line.section), 0) if line.rel else columns.tier
        subject = _path(line.rel, column) if line.rel else _tier(line)
        pieces += [*subject, Piece(" " * (column - width_of(subject) + _GAP))]
    pieces.append(Piece(shorten(fact, width - width_of(pieces)), "fact"))
    return to_width(pieces, width)


def _path(rel: str, room: int) -> list[Piece]:
    """The name, and the folder as far as there is room."""
    folder, _slash, name = rel.rpartition("/")
    pieces = [Piece(shorten_middle(plain(name), room), "name")]
    left = room - width_of(pieces) - _GAP
    folder = plain(folder)
    if folder and left >= min(_LEAST_FOLDER, cell_len(folder)):
        pieces += [Piece(" " * _GAP), Piece(shorten_middle(folder, left), "folder")]
    return pieces


def _tier(line: Line) -> list[Piece]:
    """A dot for each document, and the numbers."""
    assert line.coverage is not None
    read, unread = coverage_dots(line.coverage)
    count = coverage_count(line.coverage)
    pieces = [Piece(read, "read"), Piece(unread, "unread")]
    if count:
        pieces.append(Piece(f" {count}" if read or unread else count, "count"))
    return [piece for piece in pieces if piece.text]


def parted(groups: Sequence[Sequence[Line]], *, airy: bool) -> list[Line | None]:
    """The lines of all groups, with an empty one between two where there is room."""
    found: list[Line | None] = []
    for group in groups:
        if airy and found:
            found.append(None)
        found += group
    return found
