"""A glance at the document under the cursor: why it is here, and what it says there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.message import Message
from textual.strip import Strip
from textual.worker import get_current_worker

from knit_tui.faces.i18n import _
from knit_tui.faces.relation_words import relation_text
from knit_tui.faces.safe import ELLIPSIS
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import one_line, plain, shorten
from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.pieces import Piece, to_width, width_of
from knit_tui.faces.tui.preview.document import Card, Document
from knit_tui.faces.tui.preview.facts import pixels_text
from knit_tui.faces.tui.preview.lines import displayed
from knit_tui.faces.tui.preview.loader import Reader, load
from knit_tui.faces.tui.preview.marks import layered, marks
from knit_tui.faces.tui.widgets.rows import media_text
from knit_tui.faces.wording import evidence, reason_text
from knit_tui.model import Access, Item, Kind, Passage
from knit_tui.workspace.text import read_text

MOST_REASONS = 4
MOST_LINES = 8
_TELLING = 40
"""Characters at the start of a snippet by which its line is found again."""
_HEAD = 5
"""Lines from the top of a document in which no passage matches."""

_WIDE = 30

Line = list[Piece]


def reasons(item: Item, pixels: tuple[int, int] | None = None) -> list[str]:
    """What speaks for a document, the most telling first; of a picture or film, first what it is."""
    out: list[str] = []
    if item.missing:
        out.append(_("no such file now"))
    elif item.access is Access.WITHHELD:
        out.append(_("looks like a secret: never read"))
    elif item.access is Access.GENERATED:
        out.append(_("generated file: shown, not searched"))
    elif item.kind in (Kind.IMAGE, Kind.VIDEO):
        out.append(media_text(item) + (f"{_(', ')}{pixels_text(pixels)}" if pixels is not None else ""))
    top = plain(reason_text(replace(item.reason, also=()))) if item.reason is not None else ""
    *facts, _most = evidence(item) or [("", "")]
    named = _("{name}: {text}")
    told = [
        plain(named.format(name=name, text=text)) for name, text in facts if not top.endswith(plain(text))
    ]
    linked = [text for each in item.relations if (text := plain(relation_text(each))) != top]
    out += [top] if top else []
    out += [*told[:2], *linked[:1], *told[2:], *linked[1:]]
    return out[:MOST_REASONS] or [_("nothing speaks for it")]


def quoted(document: Document, passage: Passage | None, room: int) -> list[int]:
    """The indexes of at most ``room`` lines to show: of the passage, with the line that tells most."""
    count = len(document.lines)
    if passage is None or passage.start > count:
        return list(range(min(count, room, _HEAD)))
    first, end = passage.start - 1, min(passage.end, count)
    told = " ".join(passage.snippet.split()).strip(ELLIPSIS)[:_TELLING]
    spoken = (" ".join(line.split()) for line in document.lines[first:end])
    best = next(
        (i for i, line in enumerate(spoken, first) if line and (told in line or told.startswith(line))), first
    )
    if best >= first + room:
        first = best - room // 2
    return list(range(first, min(end, first + room)))


def text_lines(document: Document, indexes: Sequence[int], width: int) -> list[Line]:
    """Numbered lines of a document, exactly ``width`` cells, what matches marked; without the indentation
    that all of them have."""
    shown = [displayed(document.lines[index]) for index in indexes]
    indent = min((len(text) - len(text.lstrip(" ")) for text, _places in shown if text.strip()), default=0)
    digits = len(str(indexes[-1] + 1)) if indexes else 0
    lines = []
    for index, (text, places) in zip(indexes, shown, strict=True):
        raw, begin = document.lines[index], indent
        pieces = [Piece(f" {index + 1:>{digits}}  ", "number")]
        for end, names in layered(len(raw), (), marks(raw, document.terms)):
            end = places[end] if places is not None else end
            pieces.append(Piece(text[begin:end], "term" if names else "text"))
            begin = max(begin, end)
        if width_of(pieces) > width:
            pieces = [*to_width(pieces, width - 1), Piece(ELLIPSIS, "number")]
        lines.append(to_width(pieces, width))
    return lines


class Peek(Inked, can_focus=False):
    """A box over the list. It draws only what it knows of the item it was last given."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"peek--{name}" for name in ("name", "dim", "rule", "key", "reason", "number", "text", "term")
    }

    class Loaded(Message):
        """A worker has the content of an item."""

        def __init__(self, item: Item, content: Document | Card) -> None:
            super().__init__()
            self.item = item
            self.content = content

    class Grown(Message):
        """It wants another height."""

    def __init__(self, *, read: Reader = read_text, id: str | None = None) -> None:
        super().__init__(id=id)
        self._read = read
        self._item: Item | None = None
        self._content: Document | Card | None = None
        self._reasons: list[str] = []
        self._laid: tuple[object, list[Line]] | None = None
        self.above = False
        """It hangs from the top of the list, over what is above the cursor."""

    @property
    def item(self) -> Item | None:
        """What it shows."""
        return self._item

    def show(self, root: str, item: Item, pixels: tuple[int, int] | None = None) -> None:
        """Show ``item`` of the workspace at ``root``; its text comes when it is read."""
        before, self._item = self._item, item
        self._reasons = reasons(item, pixels)
        same = before is not None and replace(before, relations=item.relations) == item
        if not same:
            self._content = None
            readable = item.kind in (Kind.DOCS, Kind.CODE) and item.access is not Access.WITHHELD
            if readable and not item.missing:
                self._load(root, item)
        self._changed()

    def forget(self) -> None:
        """Show nothing, and wait for nothing."""
        self._item = self._content = None
        self.workers.cancel_group(self, "peek")

    @work(thread=True, group="peek", exclusive=True, exit_on_error=False)
    def _load(self, root: str, item: Item) -> None:
        if not get_current_worker().is_cancelled:
            self.post_message(self.Loaded(item, load(root, item, self._read)))

    def on_peek_loaded(self, message: Loaded) -> None:
        message.stop()
        if message.item is self._item:
            self._content = message.content
            self._changed()

    def _changed(self) -> None:
        self._laid = None
        self.refresh()
        self.post_message(self.Grown())

    # What stands in it

    @property
    def wanted_height(self) -> int:
        """The lines it would fill."""
        return 1 + len(self._reasons) + self._quotable + self.above

    @property
    def _quotable(self) -> int:
        """How many lines of content there are to show."""
        item, content = self._item, self._content
        if isinstance(content, Document):
            return len(quoted(content, item.passages[0] if item and item.passages else None, MOST_LINES))
        if isinstance(content, Card):
            return 1 + len(content.details)
        return 1 if item is not None and item.passages else 0

    def lines(self, width: int, height: int) -> list[Line]:
        """What stands in a box of this size; when there is no room for all, reasons give way first."""
        if self._item is None or width <= 0 or height <= 0:
            return []
        body = max(0, height - 1 - self.above)
        quotes = min(self._quotable, max(body - len(self._reasons), min(body, body // 2 + 1)))
        out = [self._title(self._item, width)]
        out += [
            to_width([Piece(" "), Piece(shorten(text, width - 2), "reason")], width)
            for text in self._reasons[: max(0, body - quotes)]
        ]
        out += self._quotes(self._item, quotes, width)
        if self.above and len(out) < height:
            out.append([Piece("─" * width, "rule")])
        return out

    def _title(self, item: Item, width: int) -> Line:
        folder, _slash, name = item.rel.rpartition("/")
        key = plain(key_of("item.peek"))
        right = [Piece(f" {key} ", "key"), Piece(_("closes") + " ", "dim")] if width >= _WIDE else []
        left = [Piece("─", "rule"), Piece(" "), Piece(plain(name), "name")]
        if folder and width_of(left) + 6 < width - width_of(right):
            left.append(Piece("  " + plain(folder), "dim"))
        room = max(0, width - width_of(right) - 1)
        cut: Line = []
        for piece in left:
            text = shorten(piece.text, room - width_of(cut))
            cut.append(piece._replace(text=text))
        rule = "─" * max(0, width - width_of(cut) - width_of(right) - 1)
        return to_width([*cut, Piece(" "), Piece(rule, "rule"), *right], width)

    def _quotes(self, item: Item, room: int, width: int) -> list[Line]:
        content = self._content
        passage = item.passages[0] if item.passages else None
        if isinstance(content, Document):
            return text_lines(content, quoted(content, passage, room), width)
        texts: Sequence[str] = ()
        if isinstance(content, Card):
            texts = (content.headline, *content.details)
        elif passage is not None:
            texts = (one_line(passage.snippet),)
        return [
            to_width([Piece("  "), Piece(shorten(text, width - 3), "text")], width) for text in texts[:room]
        ]

    def render_line(self, y: int) -> Strip:
        size = self.size
        key = (size, self.above)
        if self._laid is None or self._laid[0] != key:
            self._laid = key, self.lines(size.width, size.height)
        base = self.rich_style
        drawn = self._laid[1]
        if not 0 <= y < len(drawn):
            return Strip.blank(size.width, base)
        segments = [Segment(piece.text, base + self._style(piece.style)) for piece in drawn[y]]
        return Strip(segments).adjust_cell_length(size.width, base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"peek--{name}", partial=True) if name else Style.null()

    def on_click(self, event: events.Click) -> None:
        event.stop()
