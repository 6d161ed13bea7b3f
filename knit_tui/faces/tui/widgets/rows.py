"""The lines of one row of the list at a given width; pure, so that every width can be tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from rich.cells import cell_len

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.arrivals import Arrival
from knit_tui.faces.tui.cells import fits, one_line, plain, shorten, shorten_middle
from knit_tui.faces.tui.listing import Heading
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.preview.facts import pixels_text
from knit_tui.faces.usage_words import Mark, Seen, seen, seen_texts
from knit_tui.faces.wording import age_text, reason_text, size_text
from knit_tui.model import Access, DocumentUsage, Item, Kind, Tier

BAR = "▌"
PIN = "*"
OUT = "-"
_NEW_NS = 120 * 1_000_000_000
_SECOND = 1_000_000_000
_LEAST_FOLDER = 12
_LEAST_TITLE = 8
_LEAST_FACTS = (28, 16)
_LEAST_NAME = 12
_LEAST_RULE = 2
_WIDEST_AGE = 6


class Density(IntEnum):
    """How much of an item a list of some width shows."""

    NAME = 0
    LINE = 1
    SHORT = 2
    FULL = 3

    @classmethod
    def at(cls, width: int, compact: bool = False) -> Density:
        if width < 20:
            return cls.NAME
        if compact:
            return cls.LINE
        return cls.FULL if width >= 38 else cls.SHORT


@dataclass(frozen=True, slots=True)
class Look:
    """Everything besides the item that decides how its lines look."""

    width: int
    now: int
    """Nanoseconds since the epoch."""
    by_time: bool = False
    digits: int = 1
    terms: tuple[str, ...] = ()
    usage: Mapping[str, DocumentUsage] | None = None
    """What the agent did with the documents; None while that is not tracked."""
    pixels: tuple[int, int] | None = None
    """Width and height of the picture, if known."""
    compact: bool = False
    """One line for each item."""
    arrival: Arrival | None = None
    """What a new pack made of the document, while that is news."""


def height(item: Item, density: Density) -> int:
    """How many lines ``item`` takes."""
    if density <= Density.LINE:
        return 1
    lines = 2 if has_fact(item) else 1
    return lines + (1 if density is Density.FULL and item.passages else 0)


def has_fact(item: Item) -> bool:
    """Whether there is something to say on the second line."""
    return bool(item.reason or item.summary or item.missing or item.access is not Access.TEXT)


def heights(rows: Sequence[object], density: Density) -> list[int]:
    """How many lines each row takes; what ``height`` says, at the pace long lists need."""
    if density <= Density.LINE:
        return [1] * len(rows)
    text, full = Access.TEXT, density is Density.FULL
    return [
        1
        if not isinstance(row, Item)
        else (2 if row.reason is not None or row.summary or row.missing or row.access is not text else 1)
        + (1 if full and row.passages else 0)
        for row in rows
    ]


def heading_line(heading: Heading, width: int, notes: Sequence[str] = ()) -> list[Piece]:
    """The heading of a tier and a rule to the right edge; on the rule the first of ``notes`` with room."""
    pieces = [Piece(" "), Piece(plain(heading.text), "tier")]
    if heading.count > 1:
        pieces.append(Piece(f" {heading.count:,}", "count"))
    pieces.append(Piece(" "))
    rule = width - width_of(pieces)
    note = next((text for text in notes if cell_len(text) + 2 + _LEAST_RULE <= rule), "")
    if note:
        rule -= cell_len(note) + 2
    pieces.append(Piece("─" * max(0, rule), "rule"))
    if note:
        pieces.append(Piece(f" {note} ", "arrival"))
    return to_width(pieces, width)


def item_lines(item: Item, look: Look, *, pinned: bool, out: bool) -> list[list[Piece]]:
    """The lines of ``item``, without the bar of the cursor: each exactly ``look.width`` - 1 cells.

    ``pinned`` and ``out`` are what the user wants, which may be ahead of what ``item`` says.
    """
    density = Density.at(look.width, look.compact)
    room = max(0, look.width - 1)
    mark = Piece(OUT, "out") if out else Piece(PIN, "pin") if pinned else Piece(" ")
    if look.arrival is not None and not (out or pinned):
        mark = Piece(look.arrival.glyph, "arrival")
    found = None if look.usage is None else seen(look.usage.get(item.rel), tiered=item.tier is not Tier.OTHER)
    if density is Density.NAME:
        sign = _seen(found, look, _LEAST_NAME, room - 1)
        name = _name(item, look, room - 1 - width_of(sign), out)
        return [to_width([*to_width([mark, *name], room - width_of(sign)), *sign], room)]
    indent = 2 + _gutter_width(look)
    second = density > Density.LINE and has_fact(item)
    lines = [to_width([mark, *_first(item, look, room - 1, out, None if second else found)], room)]
    if second:
        said = fact(item, look.terms)
        right = _seen(found, look, cell_len(said), room - indent)
        text = shorten(said, room - indent - width_of(right))
        if look.pixels is not None and cell_len(text) + width_of(right) < room - indent:
            # Behind all else, and whole or not at all: it comes late, and nothing may move for it.
            sized = text + _(", ") + pixels_text(look.pixels)
            text = sized if fits(sized, room - indent - width_of(right)) else text
        # The filter looks at the summary, and not at what is said about the document.
        terms = look.terms if said == one_line(item.summary) else ()
        left = to_width(
            [Piece(" " * indent), *with_matches(text, "fact", terms)], max(0, room - width_of(right))
        )
        lines.append(to_width([*left, *right], room))
    if density is Density.FULL and item.passages:
        lines.append(to_width([Piece(" " * indent), *_passage(item, room - indent)], room))
    return lines


def _gutter_width(look: Look) -> int:
    return age_width() if look.by_time else look.digits


def _seen(found: Seen | None, look: Look, wanted: int, room: int) -> list[Piece]:
    """The mark for the right edge, as long as it leaves the ``wanted`` cells of ``room``, or enough."""
    if found is None:
        return []
    *texts, sign = map(plain, seen_texts(found, look.now))
    for least in (min(wanted, few) for few in _LEAST_FACTS):
        for text in texts:
            if cell_len(text) + 2 + least <= room:
                return [Piece("  "), Piece(text, _SEEN_STYLES[found.mark])]
    return [Piece(" "), Piece(sign, _SEEN_STYLES[found.mark])] if room >= _LEAST_NAME else []


_SEEN_STYLES = {
    Mark.READ: "seen",
    Mark.REREAD: "seen",
    Mark.COMPACTED: "seen",
    Mark.UNREAD: "unseen",
    Mark.UPDATED: "changed",
    Mark.EDITED: "changed",
    Mark.GONE: "changed",
}


def _first(item: Item, look: Look, room: int, out: bool, found: Seen | None) -> list[Piece]:
    """Number, name, title and folder, and the time at the right; by time, the time instead of the number."""
    gutter = _gutter_width(look)
    age = Piece("", "age") if item.missing else _age(item, look.now)
    right = _seen(found, look, _LEAST_NAME + gutter + _WIDEST_AGE, room)
    if look.by_time:
        left = [Piece(" " * (gutter - cell_len(age.text))), age, Piece(" ")]
        left += _names(item, look, room - width_of(left) - width_of(right), out)
        return [*to_width(left, room - width_of(right)), *right]
    number = "" if item.number is None else str(item.number)
    left = [Piece(number.rjust(gutter) + " ", "number")]
    right += [Piece("  "), age] if right else [age]
    if not out:
        right = [*_arrived(item, look, room - width_of(left) - width_of(right) - 1), *right]
    left += _names(item, look, room - width_of(left) - width_of(right) - 1, out)
    fill = room - width_of(left) - width_of(right)
    return [*left, Piece(" " * max(0, fill)), *right]


def _arrived(item: Item, look: Look, room: int) -> list[Piece]:
    """What a new pack made of the document, as long as that cuts no name and leaves some of the folder."""
    if look.arrival is None:
        return []
    folder, _slash, name = plain(item.rel).rpartition("/")
    pieces = [Piece(" "), Piece(look.arrival.text, "arrival"), Piece("  ")]
    kept_for_folder = min(cell_len(folder), _LEAST_FOLDER) + 2 if folder else 0
    return pieces if fits(name, room - kept_for_folder - width_of(pieces)) else []


def _name(item: Item, look: Look, room: int, out: bool) -> list[Piece]:
    style = "gone" if item.missing or out else _NAME_STYLES.get(item.tier, "name")
    return with_matches(shorten_middle(plain(item.rel.rpartition("/")[2]), room), style, look.terms)


_NAME_STYLES = {
    Tier.PINNED: "name-first",
    Tier.PRIMARY: "name-first",
    Tier.SUPPORTING: "name",
    Tier.RELATED: "name-later",
    Tier.OTHER: "name-later",
}


def _names(item: Item, look: Look, room: int, out: bool) -> list[Piece]:
    pieces = _name(item, look, room, out)
    left = room - width_of(pieces)
    folder = plain(item.rel.rpartition("/")[0])
    title = own_title(item)
    kept_for_folder = min(cell_len(folder), _LEAST_FOLDER) + 2 if folder else 0
    if title and left - kept_for_folder - 2 >= min(_LEAST_TITLE, cell_len(title)):
        text = shorten(title, left - kept_for_folder - 2)
        pieces += [Piece("  "), *with_matches(text, "folder" if out else "title", look.terms)]
        left = room - width_of(pieces)
    if folder and left - 2 >= min(4, cell_len(folder)):
        text = shorten_middle(folder, left - 2)
        pieces += [Piece("  "), *with_matches(text, "folder", look.terms)]
    return pieces


def own_title(item: Item) -> str:
    """The title of a document when it says more than the name of the file; else nothing."""
    if item.kind is not Kind.DOCS or not item.title:
        return ""
    name = item.rel.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    if _letters(item.title) in (_letters(stem), _letters(name)):
        return ""
    return one_line(item.title)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def fact(item: Item, terms: tuple[str, ...] = ()) -> str:
    """The one checkable fact of the second line."""
    if item.missing:
        return _("no such file now")
    if item.access is Access.WITHHELD:
        return _("looks like a secret: never read")
    reason = plain(reason_text(item.reason)) if item.reason else ""
    if item.kind in (Kind.IMAGE, Kind.VIDEO):
        return _(", ").join(filter(None, (media_text(item), reason)))
    if item.access is Access.GENERATED:
        return _("generated file: shown, not searched")
    summary = one_line(item.summary)
    if reason and not _only_summary_matches(item, terms):
        return reason
    return summary or reason


def _only_summary_matches(item: Item, terms: tuple[str, ...]) -> bool:
    names = f"{item.rel}\n{item.title}".lower()
    return any(term not in names for term in terms)


def media_text(item: Item) -> str:
    """Kind and size of a picture or film, as ``PNG image, 34 KiB``."""
    ending = plain(item.rel.rpartition("/")[2].rpartition(".")[2]).upper()
    name = _("{ending} image") if item.kind is Kind.IMAGE else _("{ending} video")
    return name.format(ending=ending) + _(", ") + size_text(item.size)


def _age(item: Item, now: int) -> Piece:
    if abs(now - item.mtime_ns) < _NEW_NS:
        return Piece(plain(_("now")), "new")
    return Piece(plain(age_text(item.mtime_ns, now)), "age")


@lru_cache(maxsize=8)
def _widest(texts: tuple[str, ...]) -> int:
    return max(cell_len(text) for text in texts)


def age_width() -> int:
    """Cells of the column of times when it stands on the left."""
    samples = (59, 59 * 60, 23 * 3600, 29 * 86_400, 360 * 86_400, 9 * 366 * 86_400)
    return _widest((_("now"), *(age_text(0, seconds * _SECOND) for seconds in samples)))


def _passage(item: Item, room: int) -> list[Piece]:
    passage = item.passages[0]
    lines = f"{passage.start}" if passage.end <= passage.start else f"{passage.start}-{passage.end}"
    left = Piece(lines + "  ", "lines")
    snippet = one_line(passage.snippet)
    if not fits(snippet, room - cell_len(left.text)):
        snippet = shorten(snippet, room - cell_len(left.text))
    terms = tuple(term.lower() for term in passage.terms if term)
    found = with_matches(snippet, "snippet", terms)
    return [left, *(piece._replace(style="term", match=False) if piece.match else piece for piece in found)]
