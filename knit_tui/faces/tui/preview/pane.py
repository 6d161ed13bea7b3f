"""The preview: title and content of the file the cursor is on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import get_current_worker

from knit_tui.faces.i18n import _
from knit_tui.faces.inspection_words import backlinks_text
from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.preview.document import Card, Document, Frame
from knit_tui.faces.tui.preview.facts import Fact, facts, picture_facts, span_text
from knit_tui.faces.tui.preview.framing import frame_of
from knit_tui.faces.tui.preview.highlight import LIMIT
from knit_tui.faces.tui.preview.loader import Reader, load
from knit_tui.faces.tui.preview.pictures import LIMIT as PICTURE_LIMIT
from knit_tui.faces.tui.preview.pictures import Pictures, Sizes, is_picture
from knit_tui.faces.tui.preview.selecting import Extract, passage_text
from knit_tui.faces.tui.preview.stops import Stop
from knit_tui.faces.tui.preview.title import PreviewTitle
from knit_tui.faces.tui.preview.view import PreviewView
from knit_tui.model import Item
from knit_tui.workspace.text import read_text

_PATIENCE = 0.1
"""Seconds the file before stays in sight while another one loads."""


@dataclass(frozen=True, slots=True)
class Request:
    """One wish to see a file, numbered in the order of the wishes."""

    number: int
    root: str
    item: Item
    words: tuple[str, ...] = ()
    """What to look for besides the terms of the passages, lower-case."""

    @property
    def file(self) -> tuple[str, str]:
        return self.root, self.item.rel

    def shows_same(self, other: Request) -> bool:
        """Whether ``other`` would have nothing new to show."""
        return self.file == other.file and self._version() == other._version() and self.words == other.words

    def _version(self) -> tuple[object, ...]:
        item = self.item
        return item.mtime_ns, item.size, item.passages, item.access, item.kind, item.language, item.missing


@dataclass(frozen=True, slots=True)
class _Position:
    """Where the user was in a file, and where its passages began and ended then."""

    top: int
    stop: Stop | None
    spans: tuple[tuple[int, int], ...]


class PreviewPane(Widget):
    """Shows one item at a time; ``show`` may be called as often as the cursor or the snapshot changes."""

    DEFAULT_CSS = """
    PreviewPane {
        layout: vertical;
        width: 1fr;
        height: 1fr;
    }
    """

    class Loaded(Message):
        """A worker has the content for a request."""

        def __init__(self, request: Request, content: Document | Card) -> None:
            super().__init__()
            self.request = request
            self.content = content

    class Measured(Message):
        """More pixel sizes are known."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PreviewPane.Measured)

    def __init__(
        self,
        *,
        read: Reader = read_text,
        command: Sequence[str] | None = None,
        limit: float = LIMIT,
        picture_command: Sequence[str] | None = None,
        picture_limit: float = PICTURE_LIMIT,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Make a preview.

        Args:
            read: Reads the text of a file; called in a worker thread.
            command: Runs the highlighter's process instead of the usual one.
            limit: Seconds one request to that process may take.
            picture_command: Runs the process that decodes pictures instead of the usual one.
            picture_limit: Seconds one picture may take.
        """
        super().__init__(id=id, classes=classes)
        self._read = read
        self._title = PreviewTitle()
        self._view = PreviewView(command=command, limit=limit)
        self._pictures = Pictures(
            lambda request, card: self.post_message(self.Loaded(request, card)),
            lambda: self.post_message(self.Measured()),
            command=picture_command,
            limit=picture_limit,
        )
        self._asked_frame: Frame | None = None
        """What the wanted picture was asked for."""
        self._number = 0
        self._wanted: Request | None = None
        self._shown: Request | None = None
        self._waiting: Timer | None = None
        self._positions: dict[tuple[str, str], _Position] = {}
        self._told: Item | None = None
        self.mapped = False
        """Whether a source map lies beside what is shown."""
        """The item as it was told last: what is said of it may change and its content not."""
        self._aimed = False
        self._words: tuple[str, ...] = ()
        self._sights: dict[tuple[str, int], int] = {}
        """By file and first line of a passage that was aimed at: the line that it is about."""

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._view

    def on_descendant_focus(self) -> None:
        self._title.add_class("-focus")

    def on_descendant_blur(self) -> None:
        self._title.remove_class("-focus")

    @property
    def view(self) -> PreviewView:
        """The scrolled content: what takes the focus."""
        return self._view

    @property
    def shown(self) -> Item | None:
        """The item whose content is on screen; None while another one is on its way for long."""
        return self._shown.item if self._shown is not None else None

    @property
    def line(self) -> int | None:
        """The line, from 1, that the preview is about: of the current match, or the first in sight."""
        document, stop = self._view.document, self._view.stop
        if document is None:
            return None
        if stop is None or self._view.scrolled:
            return self._view.top + 1
        if stop.passage is None:
            return stop.line + 1
        start = document.passages[stop.passage].start
        rel = self._shown.item.rel if self._shown is not None else ""
        return self._sights.get((rel, start), start)

    def show(self, root: str, item: Item | None) -> None:
        """Show ``item`` of the workspace at ``root``, or that there is none. Returns at once."""
        before, self._told = self._told, item
        if before is not None and item is not None and before.relations != item.relations:
            self._show_title()
        if item is None:
            self._wanted = None
            self._stop_loading()
            self._remember()
            self._show_nothing(Card(_("no file selected")))
            return
        self._number += 1
        request = Request(self._number, root, item, self._words)
        if self._wanted is not None and self._wanted.shows_same(request):
            # On its way, or shown: not again, or a busy workspace would never let it arrive.
            return
        if self._shown is not None and self._shown.shows_same(request):
            self._wanted = self._shown
            self._stop_loading()
            return
        self._wanted, self._aimed = request, False
        other_file = self._shown is None or self._shown.file != request.file
        if other_file and self._waiting is None:
            self._waiting = self.set_timer(_PATIENCE, self._give_up_the_old)
        self._load(request)

    def aim(self, line: int | None = None) -> None:
        """Bring the passage of what was just asked for into sight, even if the file was shown already.

        ``line`` is what the passage is about, when that is not its first line.
        """
        if line is not None and self._wanted is not None and self._wanted.item.passages:
            self._sights[self._wanted.item.rel, self._wanted.item.passages[0].start] = line
        shown = self._shown
        self._aimed = shown is not self._wanted
        if not self._aimed and shown is not None and self._view.document is not None:
            self._view.open(shown.file, self._view.document)

    def reload(self) -> None:
        """Look at the file again, whatever is known of it: its content or the language may be another."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._number += 1
            self._wanted = Request(self._number, wanted.root, wanted.item, wanted.words)
            self._load(self._wanted)
        elif self._view.card is not None:
            self._show_nothing(Card(_("no file selected")))

    def scroll_lines(self, lines: int) -> None:
        """Scroll by ``lines``; negative is up."""
        self._view.scroll_lines(lines)

    def scroll_half_page(self, direction: int) -> None:
        """Scroll by half a page; ``direction`` is 1 for down, -1 for up."""
        self._view.scroll_lines(direction * max(1, self._view.size.height // 2))

    def scroll_page(self, direction: int) -> None:
        """Scroll by a page, so that one line stays; ``direction`` is 1 for down, -1 for up."""
        self._view.scroll_lines(direction * max(1, self._view.size.height - 1))

    def scroll_columns(self, direction: int) -> bool:
        """Scroll sideways by a quarter of the width; ``direction`` is 1 for right, -1 for left.

        Returns:
            Whether there was anything in that direction.
        """
        return self._view.scroll_columns(direction)

    def next_match(self, direction: int) -> None:
        """Go to the next match (1) or the one before (-1): passages first, then the other matching lines."""
        self._view.next_match(direction)

    def look_for(self, words: tuple[str, ...]) -> None:
        """Take ``words``, lower-case, for matches too."""
        if words != self._words:
            self._words = words
            if self._wanted is not None:
                self.show(self._wanted.root, self._wanted.item)

    def toggle_wrap(self) -> tuple[bool, bool] | None:
        """Wrap long lines, or no longer, of prose or of code as the present text is: whether it is prose and
        whether it is wrapped now; None while there is no text."""
        return self._view.toggle_wrap()

    def passage_of(self, item: Item, loaded: Document | None = None) -> Extract | None:
        """The current passage of ``item``; when the preview shows another one, the first of ``loaded``."""
        document, stop = self._view.document, self._view.stop
        if self._shown is None or self._shown.item.rel != item.rel or document is None:
            document, stop = loaded, None
        if document is None or not document.passages:
            return None
        passage = document.passages[0]
        for each in document.passages:
            if stop is not None and each.start <= stop.line + 1 <= each.end:
                passage = each
        return passage_text(document, passage.start, passage.end)

    @property
    def pictures(self) -> Pictures:
        """What decodes them."""
        return self._pictures

    @property
    def sizes(self) -> Sizes:
        """The pixel sizes of pictures that are known."""
        return self._pictures.sizes

    def measure(self, root: str, items: Iterable[Item]) -> None:
        """Find out the pixel sizes of these next; ``Measured`` tells when more are known."""
        self._pictures.measure(root, filter(is_picture, items))

    def _load(self, request: Request) -> None:
        if is_picture(request.item):
            self.workers.cancel_group(self, "preview")
            self._load_picture(request)
        else:
            self._load_text(request)

    def _load_picture(self, request: Request) -> None:
        self._asked_frame = frame_of(self._view)
        if self._asked_frame is not None:
            self._pictures.show(request, request.root, request.item, self._asked_frame)

    def on_preview_view_reframed(self, message: PreviewView.Reframed) -> None:
        message.stop()
        wanted = self._wanted
        if wanted is not None and is_picture(wanted.item) and frame_of(self._view) != self._asked_frame:
            # What is there stays until the other one comes.
            self.reload()

    def on_unmount(self) -> None:
        self._pictures.stop()

    @work(thread=True, group="preview", exclusive=True, exit_on_error=False)
    def _load_text(self, request: Request) -> None:
        if not get_current_worker().is_cancelled:
            self.post_message(
                self.Loaded(request, load(request.root, request.item, self._read, request.words))
            )

    def on_preview_pane_loaded(self, message: Loaded) -> None:
        message.stop()
        request, content = message.request, message.content
        if self._wanted is None or request.file != self._wanted.file:
            return
        shown = self._shown
        same_file = shown is not None and shown.file == request.file
        if same_file and shown is not None and request.number < shown.number:
            return
        self._stop_waiting()
        if isinstance(content, Card):
            self._remember()
            self._view.show_card(content)
        elif same_file and self._view.document is not None and not self._aimed:
            self._view.replace(content)
        else:
            self._remember()
            self._open(request, content)
        self._shown = request
        self._aimed = False
        self._show_title()

    def _open(self, request: Request, document: Document) -> None:
        position = self._positions.get(request.file)
        if not self._aimed and position is not None and position.spans == document.spans:
            self._view.open(request.file, document, top=position.top, stop=position.stop)
        else:
            self._view.open(request.file, document)

    def _remember(self) -> None:
        """Keep the place in the file that is about to leave, if the user chose one."""
        document = self._view.document
        if self._shown is not None and document is not None and self._view.moved:
            position = _Position(self._view.top, self._view.stop, document.spans)
            self._positions[self._shown.file] = position

    def _give_up_the_old(self) -> None:
        """The wanted file takes its time: nothing is better than another file's content."""
        self._waiting = None
        self._remember()
        self._show_nothing(None)

    def _show_nothing(self, card: Card | None) -> None:
        self._shown = None
        self._view.show_card(card)
        self._show_title()

    def _stop_loading(self) -> None:
        self._stop_waiting()
        self.workers.cancel_group(self, "preview")

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    @on(PreviewView.Changed)
    def _retitle(self, message: PreviewView.Changed) -> None:
        message.stop()
        self._show_title()

    def _show_title(self) -> None:
        request = self._shown or self._wanted
        document, stop = self._view.document, self._view.stop
        if request is None:
            self._title.show("")
            return
        said = self._backlinks(request.item)
        if self.mapped:
            said.append(Fact(_("source map"), 1, action="inspect.map"))
        if document is None:
            picture = self._view.card.picture if self._view.card is not None else None
            told = picture_facts(picture) if picture is not None else []
            self._title.show(request.item.rel, facts=[*said, *told])
            return
        found = facts(document, stop, colours_failed=self._view.colours_failed)
        self._title.show(request.item.rel, span_text(document, stop), [*said, *found])

    def _backlinks(self, item: Item) -> list[Fact]:
        """Who speaks of the file, as a fact that leads to them."""
        told = self._told if self._told is not None and self._told.rel == item.rel else item
        text = safe_text(backlinks_text(told.relations, told.related))
        short = safe_text(backlinks_text(told.relations, told.related, short=True))
        return [Fact(text, 2, short, "inspect.backlinks")] if text else []
