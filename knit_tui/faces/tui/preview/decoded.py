"""What the decoding process says of a picture: checked, and as the card that shows it."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.preview.document import Card, Frame, Picture
from knit_tui.faces.tui.preview.facts import pixels_text
from knit_tui.faces.tui.preview.loader import media_card
from knit_tui.faces.tui.preview.process import Gone
from knit_tui.faces.wording import size_text
from knit_tui.model import Item

_LARGEST_SIDE = 1 << 31
_LONGEST_FORM = 8
_PROBLEMS = ("large", "unknown", "memory", "damaged")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A reply. The sizes are width and height, in pixels."""

    problem: str = ""
    """Why there is no picture, as a code: one of the process, or ``slow``, ``file``, ``unavailable``."""
    form: str = ""
    size: tuple[int, int] | None = None
    """Of the whole picture; known of one that is too large to be decoded, too."""
    drawn: tuple[int, int] | None = None
    pixels: bytes = b""
    moving: bool = False
    cut: bool = False


def checked(reply: dict[str, Any], frame: Frame) -> Decoded:
    """``reply`` to a request for ``frame``.

    Raises:
        Gone: it is none.
    """
    size = _pair(reply["size"], (_LARGEST_SIDE, _LARGEST_SIDE)) if "size" in reply else None
    if "problem" in reply:
        if reply["problem"] not in _PROBLEMS:
            raise Gone("no such problem")
        return Decoded(reply["problem"], size=size)
    form, moving, cut = reply.get("form"), reply.get("moving"), reply.get("cut")
    if not (isinstance(form, str) and form.isalnum() and form.isascii() and len(form) <= _LONGEST_FORM):
        raise Gone("no form")
    if size is None or type(moving) is not bool or type(cut) is not bool:
        raise Gone("a fact is missing")
    if frame.box is None:
        return Decoded(form=form, size=size, moving=moving)
    drawn = _pair(reply.get("drawn"), frame.box)
    try:
        pixels = base64.b64decode(reply.get("pixels", ""), validate=True)
    except (TypeError, ValueError, binascii.Error) as error:
        raise Gone("no pixels") from error
    if len(pixels) != 3 * drawn[0] * drawn[1]:
        raise Gone("another number of pixels")
    return Decoded("", form, size, drawn, pixels, moving, cut)


def _pair(value: Any, most: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or not all(type(side) is int for side in value):
        raise Gone("not two numbers")
    width, height = value
    if not (0 < width <= most[0] and 0 < height <= most[1]):
        raise Gone("too large or too small")
    return width, height


def card_of(item: Item, decoded: Decoded, frame: Frame, total_bytes: int) -> Card:
    """The picture ``item`` in ``frame``, or what it is and why it is not shown."""
    told = media_card(item, decoded.form, total_bytes)
    size = pixels_text(decoded.size) if decoded.size is not None else ""
    if decoded.problem:
        headlines = {
            "large": _("picture too large: {size}").format(size=size),
            "file": _("picture file too large: {size}").format(size=size_text(total_bytes)),
            "unknown": _("no preview of this kind of picture"),
            "memory": _("picture takes too much memory"),
            "slow": _("picture took too long"),
            "unavailable": _("no pictures here: they cannot be decoded"),
        }
        headline = headlines.get(decoded.problem, _("picture cannot be decoded"))
        details = (told.headline, size if decoded.problem != "large" else "", *told.details)
        return Card(headline, tuple(filter(None, details)))
    picture = None
    if frame.box is not None and decoded.size is not None and decoded.drawn is not None:
        picture = Picture(
            frame, decoded.size, decoded.drawn, decoded.pixels, total_bytes, decoded.moving, decoded.cut
        )
    return Card(told.headline, (size, *told.details), picture)
