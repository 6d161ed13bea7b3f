"""From an item to what the preview shows of it. Runs in a worker thread; reads one window of one file."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from rich.cells import cell_len

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.preview.document import LONGEST_LINE, Card, Document
from knit_tui.faces.tui.preview.facts import cut_text
from knit_tui.faces.tui.preview.stops import matching_lines, stops
from knit_tui.faces.wording import size_text
from knit_tui.model import Access, Item, Kind, Passage, Text
from knit_tui.workspace.text import Unreadable, read_text

READ_LIMIT = 512 * 1024
"""Bytes of a file that are read."""
_HIGHLIGHT_BYTES = 1024 * 1024
_HIGHLIGHT_MEAN = 500
_PLAIN = "text"
"""Language of a text in which there is nothing to highlight."""
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")

Reader = Callable[[Path, str, int], Text]


def load(root: str, item: Item, read: Reader = read_text, words: tuple[str, ...] = ()) -> Document | Card:
    """The document or card for ``item``. Never raises for anything about the file.

    ``words``, lower-case, are looked for besides the terms of its passages.
    """
    if item.missing:
        return reason_card("gone")
    if item.access is Access.WITHHELD:
        return reason_card("secret", size=item.size)
    if item.kind in (Kind.IMAGE, Kind.VIDEO) and item.language is None:
        return media_card(item)
    try:
        text = read(Path(root), item.rel, READ_LIMIT)
        if not text.body and text.read_bytes >= text.total_bytes:
            return Card(_("empty file"))
        return document_of(item, text, words)
    except Unreadable as error:
        return reason_card(error.reason, error.detail, size=item.size)
    except Exception as error:
        return reason_card("unreadable", str(error) or type(error).__name__)


def document_of(item: Item, text: Text, words: tuple[str, ...] = ()) -> Document:
    """``text`` as lines, and what is to be known of it before any line is drawn."""
    body = text.body
    lines = body.split("\n")
    if not lines[-1] and len(lines) > 1:
        lines.pop()
    language, plain_reason = item.language if item.language != _PLAIN else None, ""
    if language is not None:
        if text.total_bytes > _HIGHLIGHT_BYTES:
            language, plain_reason = None, "large"
        elif len(body) > _HIGHLIGHT_MEAN * len(lines):
            language, plain_reason = None, "long-lines"
    left_out: dict[int, int] = {}
    if max(map(len, lines)) > LONGEST_LINE:
        for index, line in enumerate(lines):
            if len(line) > LONGEST_LINE:
                left_out[index] = len(line) - LONGEST_LINE
                lines[index] = line[:LONGEST_LINE]
    hidden = _holds_hidden(body)
    uneven = hidden or "\t" in body
    passages = tuple(_within(passage, len(lines)) for passage in item.passages)
    terms = frozenset(term for passage in passages for term in passage.terms)
    return Document(
        lines=lines,
        left_out=left_out,
        characters=len(body),
        widest=_widest(lines, left_out, plain=body.isascii() and not uneven, hidden=hidden),
        total_bytes=text.total_bytes,
        read_bytes=text.read_bytes,
        encoding=text.encoding,
        language=language,
        plain_reason=plain_reason,
        generated=item.access is Access.GENERATED,
        hidden=hidden,
        passages=passages,
        terms=terms,
        words=words,
        stops=stops(passages, matching_lines(lines, terms, words)),
        prose=item.kind is Kind.DOCS,
        form=form_text(item) if item.kind is Kind.IMAGE else "",
    )


def _within(passage: Passage, lines: int) -> Passage:
    """``passage`` without lines that the text no longer has; one behind its end stays."""
    return replace(passage, end=lines) if passage.start <= lines < passage.end else passage


def _widest(lines: list[str], left_out: dict[int, int], *, plain: bool, hidden: bool) -> int:
    widest = 0
    if plain:
        widest = max(map(len, lines))
    else:
        for line in lines:
            # A character takes two cells at most, a tab four.
            if 2 * len(line) + 2 * line.count("\t") > widest:
                text = safe_text(line) if hidden else line
                widest = max(widest, cell_len(text) + 4 * line.count("\t"))
    return widest + max((1 + cell_len(cut_text(count)) for count in left_out.values()), default=0)


def _holds_hidden(body: str) -> bool:
    """Whether making ``body`` safe changes more than tabs."""
    suspects = {char for char in set(body) - {"\t", "\n"} if safe_text(char) != char}
    if not suspects <= _JOINERS:
        return True
    # Joiners are hidden characters only where no emoji needs them.
    return bool(suspects) and any(
        safe_text(line, tab=1).count("\ufffd") > line.count("\ufffd")
        for line in body.split("\n")
        if not suspects.isdisjoint(line)
    )


def media_card(item: Item, form: str = "", size: int | None = None) -> Card:
    """What a picture or video is: by its ``form`` and ``size`` in bytes, or as far as the item tells."""
    size = item.size if size is None else size
    return Card(form_text(item, form), (size_text(size),))


def form_text(item: Item, form: str = "") -> str:
    """What a picture or video is called: ``PNG image``; by its name unless the ``form`` is known."""
    form = form or safe_text(PurePosixPath(item.rel).suffix[1:].upper())
    kind = _("image") if item.kind is Kind.IMAGE else _("video")
    return _("{format} {kind}").format(format=form, kind=kind) if form else kind


def reason_card(reason: str, detail: str = "", *, size: int | None = None) -> Card:
    """Why the content is not shown: ``reason`` and ``detail`` as ``Unreadable`` has them."""
    headlines = {
        "secret": _("looks like a secret: content withheld"),
        "binary": _("binary file: not shown"),
        "special": _("not a regular file"),
        "symlink": _("symbolic link: not followed"),
        "gone": _("no such file now"),
        "outside": _("outside the workspace: not shown"),
    }
    headline = headlines.get(reason, _("cannot be read"))
    if reason in ("secret", "binary"):
        return Card(headline, (size_text(size),) if size is not None else ())
    return Card(headline, (_detail_text(detail),) if reason in ("special", "unreadable") and detail else ())


def _detail_text(detail: str) -> str:
    kinds = {
        "folder": _("folder"),
        "symlink": _("symbolic link"),
        "fifo": _("named pipe"),
        "socket": _("socket"),
        "device": _("device"),
    }
    if detail in kinds:
        return kinds[detail]
    number = getattr(errno, detail, None) if detail.isidentifier() else None
    return os.strerror(number) if isinstance(number, int) else safe_text(detail)
