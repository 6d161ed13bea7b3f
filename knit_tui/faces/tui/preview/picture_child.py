"""The process that decodes pictures, so that one that hangs, swells or crashes takes nothing else with it.

Run as a file, by itself: it imports the standard library and Pillow, nothing of knit. It is given
little memory and may write no file. Requests come over the socket that is its standard input, each
together with the picture, an open file; replies go to standard output. A frame is four bytes of
length, big end first, and that much JSON:

* at start it writes ``{"ready": true}``
* request ``{"box": [width, height], "ground": [red, green, blue], "few": false}``: the most pixels the
  picture may take, what shows through it, and whether there are no more than the 256 colours of
  terminals; a ``box`` of null asks for the facts alone
* reply ``{"form": "PNG", "size": [w, h], "moving": false, "cut": false, "drawn": [w, h], "pixels": "..."}``:
  the pixels are base64 of three bytes each, row by row; ``size`` and ``drawn`` are upright
* or ``{"problem": "large", "size": [w, h]}``, ``unknown`` (no such format here), ``memory``, ``damaged``
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from PIL import Image, ImageFile

MOST_PIXELS = 50_000_000
"""Pixels of the whole picture; more are not decoded."""
MEMORY = 768 << 20
"""Bytes of address space."""
LONGEST_REQUEST = 15
"""Seconds after which the process ends itself: nobody may be left to kill it."""

_LENGTH = struct.Struct(">I")
_LONGEST_MESSAGE = 1 << 16
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "DIB", "ICO")
_PLUGINS = ("Avif", "Bmp", "Gif", "Ico", "Jpeg", "Png", "WebP")
_BAND = 1 << 20
"""Pixels that are converted and scaled down together."""
_STEP = 4
"""Between the values of a colour: finer ones are not seen."""
_TURNED = range(5, 9)
"""EXIF orientations that lie on their side."""
_TURNS = (
    "",
    "FLIP_LEFT_RIGHT",
    "ROTATE_180",
    "FLIP_TOP_BOTTOM",
    "TRANSPOSE",
    "ROTATE_270",
    "TRANSVERSE",
    "ROTATE_90",
)
"""What makes a picture upright, by its orientation."""


class Problem(Exception):
    """Why there is no picture, as the code of a reply."""

    def __init__(self, code: str, size: tuple[int, int] | None = None) -> None:
        super().__init__(code)
        self.reply: dict[str, Any] = {"problem": code}
        if size is not None:
            self.reply["size"] = size


def confine(memory: int = MEMORY) -> None:
    """Give up what a decoder has no use for."""
    for limit, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        # A limit that is lower already, or that the system does not have, stays as it is.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (most, most))


def prepare() -> tuple[str, ...]:
    """Load what decodes pictures; the formats there are."""
    import importlib
    import warnings

    from PIL import Image

    for name in _PLUGINS:
        with contextlib.suppress(ImportError):
            plugin: Any = importlib.import_module(f"PIL.{name}ImagePlugin")
            if name == "Avif":
                plugin.DEFAULT_MAX_THREADS = 1
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    return tuple(name for name in _FORMATS if name in Image.OPEN)


def answer(file: BinaryIO, request: dict[str, Any], formats: tuple[str, ...]) -> dict[str, Any]:
    """The reply to one request. Pillow may raise anything for a picture; that is a problem of it."""
    try:
        return _answer(file, request, formats)
    except Problem as problem:
        return problem.reply
    except MemoryError:
        return {"problem": "memory"}
    except Exception:
        return {"problem": "damaged"}


def _answer(file: BinaryIO, request: dict[str, Any], formats: tuple[str, ...]) -> dict[str, Any]:
    image = header(file, formats)
    turn = orientation(image)
    size = image.size[::-1] if turn in _TURNED else image.size
    facts = {"form": image.format, "size": size, "moving": _moves(image), "cut": False}
    if request["box"] is None:
        return facts
    width, height = request["box"]
    box = (height, width) if turn in _TURNED else (width, height)
    image, facts["cut"] = loaded(file, formats, image, box)
    small = upright(scaled(image, box), turn)
    drawn = over(small, tuple(request["ground"]), few if request["few"] else rounded)
    return {**facts, "drawn": drawn.size, "pixels": base64.b64encode(drawn.tobytes()).decode("ascii")}


def header(file: BinaryIO, formats: tuple[str, ...]) -> ImageFile.ImageFile:
    """The picture in ``file``, not decoded yet.

    Raises:
        Problem: it is none, or has too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    file.seek(0)
    head = file.read(12)
    try:
        # Its size is to be told however large it is, so that Pillow must not refuse it before.
        Image.MAX_IMAGE_PIXELS = None
        image = Image.open(file, formats=formats)
    except UnidentifiedImageError:
        raise Problem("unknown" if head[4:8] == b"ftyp" else "damaged") from None
    finally:
        Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    if image.width * image.height > MOST_PIXELS:
        raise Problem("large", image.size)
    if not image.width or not image.height:
        raise Problem("damaged")
    return image


def orientation(image: Image.Image) -> int:
    """How the picture is turned, 1 to 8 as EXIF has it."""
    if "exif" not in image.info:
        return 1
    try:
        turn = image.getexif().get(0x0112, 1)
    except Exception:  # EXIF is a format of its own, with faults of its own
        return 1
    return turn if turn in range(1, 9) else 1


def _moves(image: Image.Image) -> bool:
    try:
        return bool(getattr(image, "is_animated", False))
    except Exception:  # what follows the first picture may be anything
        return False


def loaded(
    file: BinaryIO, formats: tuple[str, ...], image: ImageFile.ImageFile, box: tuple[int, int]
) -> tuple[ImageFile.ImageFile, bool]:
    """The first picture decoded, no smaller than ``box`` needs, and whether the file ends too early."""
    from PIL import ImageFile

    try:
        image.seek(0)
        _load(image, box)
        return image, False
    except (MemoryError, Problem):
        raise
    except Exception:
        ImageFile.LOAD_TRUNCATED_IMAGES = True
        try:
            image = header(file, formats)
            _load(image, box)
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = False
    if not any(map(_high, image.getextrema())):
        raise Problem("damaged")
    return image, True


def _load(image: ImageFile.ImageFile, box: tuple[int, int]) -> None:
    from PIL import Image

    try:
        image.draft(image.mode, (2 * box[0], 2 * box[1]))
        image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Problem("large", image.size) from None


def _high(extrema: Any) -> float:
    """The largest value of a band, given its extrema; of a picture with one band they come singly."""
    return float(extrema[1] if isinstance(extrema, tuple) else extrema)


def scaled(image: Image.Image, box: tuple[int, int]) -> Image.Image:
    """``image`` as RGB or RGBA, made to fit in ``box``; never larger than it is."""
    from PIL import Image

    width, height = image.size
    scale = min(box[0] / width, box[1] / height, 1.0)
    fitting = (max(1, round(width * scale)), max(1, round(height * scale)))
    factors = (max(1, width // (2 * fitting[0])), max(1, height // (2 * fitting[1])))
    alpha = image.mode in ("LA", "PA", "La", "RGBA", "RGBa") or "transparency" in image.info
    reduced = Image.new("RGBA" if alpha else "RGB", (-(-width // factors[0]), -(-height // factors[1])))
    # In bands: a picture in all its colours takes several times the memory that it was decoded to.
    band = factors[1] * max(1, _BAND // (width * factors[1]))
    for top in range(0, height, band):
        part = coloured(image.crop((0, top, width, min(top + band, height))), reduced.mode)
        reduced.paste(part.reduce(factors), (0, top // factors[1]))
    return reduced.resize(fitting, Image.Resampling.HAMMING)


def coloured(image: Image.Image, mode: str) -> Image.Image:
    """``image`` in ``mode``, whatever its own is."""
    if image.mode.startswith("I"):
        # Sixteen bits a pixel; converted as they are, all but the darkest would be white.
        image = image.point(lambda value: value * (1 / 256)).convert("L")
        image.info.pop("transparency", None)
    return image if image.mode == mode else image.convert(mode)


def upright(image: Image.Image, turn: int) -> Image.Image:
    """``image`` turned as its orientation wants it."""
    from PIL import Image

    return image if turn == 1 else image.transpose(Image.Transpose[_TURNS[turn - 1]])


def over(
    image: Image.Image, ground: tuple[int, ...], in_colours: Callable[[Image.Image], Image.Image]
) -> Image.Image:
    """``image`` on ``ground``, which stays as it is, in the colours there are."""
    from PIL import Image

    if image.mode == "RGB":
        return in_colours(image)
    whole = Image.new("RGBA", image.size, (*ground, 255))
    drawn = in_colours(Image.alpha_composite(whole, image).convert("RGB"))
    drawn.paste(ground, mask=image.getchannel("A").point(lambda value: 0 if value else 255))
    return drawn


def rounded(image: Image.Image) -> Image.Image:
    """``image`` in fewer colours than can be told apart: each costs the terminal."""
    return image.point(lambda value: value - value % _STEP)


def few(image: Image.Image) -> Image.Image:
    """``image`` in the cube and the greys of terminals with 256 colours, each the nearest one.

    Not mixed to look like others: at so few pixels that is noise.
    """
    from PIL import Image

    sides = (0, 95, 135, 175, 215, 255)
    colours = [(red, green, blue) for red in sides for green in sides for blue in sides]
    colours += [(grey, grey, grey) for grey in range(8, 239, 10)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in colours for value in colour])
    return image.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")


def frame(message: object) -> bytes:
    """``message`` as the bytes of one frame."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(body)) + body


def receive(channel: socket.socket) -> tuple[Any, int] | None:
    """The next request and its file; None when there are no more."""
    head, descriptors, _flags, _sender = socket.recv_fds(channel, _LENGTH.size, 1, socket.MSG_WAITALL)
    if len(head) < _LENGTH.size or len(descriptors) != 1:
        return None
    (length,) = _LENGTH.unpack(head)
    body = channel.recv(length, socket.MSG_WAITALL) if length <= _LONGEST_MESSAGE else b""
    return (json.loads(body), descriptors[0]) if len(body) == length else None


def serve(channel: socket.socket, replies: BinaryIO) -> None:
    """Answer requests until there are no more."""
    confine()
    formats = prepare()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    replies.write(frame({"ready": True}))
    replies.flush()
    while (received := receive(channel)) is not None:
        request, descriptor = received
        signal.alarm(LONGEST_REQUEST)
        with os.fdopen(descriptor, "rb") as file:
            reply = frame(answer(file, request, formats))
        signal.alarm(0)
        replies.write(reply)
        replies.flush()


if __name__ == "__main__":
    # Installed beside the panel's own libraries, which need not be where an isolated Python looks.
    sys.path += sys.argv[1:]
    try:
        serve(socket.socket(fileno=0), sys.stdout.buffer)
    except (BrokenPipeError, ConnectionError):
        sys.exit(0)
