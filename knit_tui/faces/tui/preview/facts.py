"""Numbers and limits of the previewed file as short words."""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.preview.document import Document, Picture
from knit_tui.faces.tui.preview.stops import Stop
from knit_tui.faces.wording import size_text


def pixels_text(size: tuple[int, int]) -> str:
    """Width and height in pixels: ``1920x1080``."""
    return f"{size[0]}x{size[1]}"


def cut_text(characters: int) -> str:
    """What stands at the end of a line that was cut."""
    text = ngettext("{count} more character", "{count} more characters", characters)
    return "… " + text.format(count=f"{characters:,}")


def end_text(document: Document) -> str:
    """What stands below the last line of a file that was not read to its end."""
    left = size_text(document.total_bytes - document.read_bytes)
    return _("{size} of this file not read").format(size=left)


@dataclass(frozen=True, slots=True)
class Fact:
    """A few words on the right of the title."""

    text: str
    weight: int
    """The lightest gives way first when there is no room for all."""
    short: str = ""
    """A shorter form, before it gives way."""
    action: str = ""
    """Id of the action that a click runs."""


def span_text(document: Document, stop: Stop | None) -> str:
    """The lines of ``stop``, to stand behind a path: ``:41-44``, ``:41``, or nothing."""
    if stop is None:
        return ""
    if stop.passage is None:
        return f":{stop.line + 1}"
    lines = document.passages[stop.passage]
    return f":{lines.start}-{lines.end}" if lines.end > lines.start else f":{lines.start}"


def facts(document: Document, stop: Stop | None, *, colours_failed: bool) -> list[Fact]:
    """What there is to say of ``document``, left to right. ``stop`` is the current one of its stops."""
    found: list[Fact] = []
    if document.form:
        found.append(Fact(document.form, 4))
    if document.hidden:
        found.append(Fact(_("hidden characters"), 5))
    if document.generated:
        found.append(Fact(_("generated"), 4))
    if colours_failed or document.plain_reason:
        found.append(Fact(_("no colours"), 2))
    if document.encoding.lower() not in ("utf-8", "ascii", ""):
        found.append(Fact(safe_text(document.encoding), 1))
    if stop is not None:
        number = f"{document.stops.index(stop) + 1}/{len(document.stops)}"
        found.append(Fact(_("match {number}").format(number=number), 3, number))
    elif document.stops:
        count = len(document.stops)
        found.append(Fact(ngettext("{count} match", "{count} matches", count).format(count=f"{count:,}"), 3))
    if document.truncated:
        read, total = size_text(document.read_bytes), size_text(document.total_bytes)
        found.append(Fact(_("first {read} of {total}").format(read=read, total=total), 6))
    else:
        count = len(document.lines)
        found.append(Fact(ngettext("{count} line", "{count} lines", count).format(count=f"{count:,}"), 0))
    return found


def picture_facts(picture: Picture) -> list[Fact]:
    """What there is to say of ``picture``, left to right."""
    found: list[Fact] = []
    if picture.cut:
        found.append(Fact(_("file cut short"), 4))
    if picture.moving:
        found.append(Fact(_("first picture of several"), 2, _("first picture")))
    found.append(Fact(pixels_text(picture.size), 3))
    found.append(Fact(size_text(picture.total_bytes), 1))
    return found
