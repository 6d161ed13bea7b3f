"""The process that decodes pictures, and what it makes of them."""

from __future__ import annotations

import base64
import io
import json
import signal
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, features

from knit_tui.faces.tui.preview import picture_child as child
from knit_tui.faces.tui.preview.child import read_frame
from knit_tui.faces.tui.preview.pictures import default_command

GROUND = (20, 40, 60)
RED, BLUE = (252, 0, 0), (0, 0, 252)
FORMATS = child.prepare()
LENGTH = struct.Struct(">I")


def saved(image: Image.Image, form: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def asked(data: bytes, box: tuple[int, int] | None = (40, 40), *, few: bool = False) -> dict[str, Any]:
    """The reply as the other side sees it."""
    request = {"box": box, "ground": GROUND, "few": few}
    reply: dict[str, Any] = json.loads(json.dumps(child.answer(io.BytesIO(data), request, FORMATS)))
    return reply


def decoded(data: bytes, box: tuple[int, int] = (40, 40), *, few: bool = False) -> Image.Image:
    reply = asked(data, box, few=few)
    assert "problem" not in reply, reply
    return Image.frombytes("RGB", tuple(reply["drawn"]), base64.b64decode(reply["pixels"]))


def halves(mode: str = "RGB", size: tuple[int, int] = (20, 10)) -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    return image.convert(mode)


def close(one: Any, other: Any, most: int = 24) -> bool:
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "ICO", "WEBP", "AVIF"])
def test_every_format_is_decoded(form: str) -> None:
    if form in ("WEBP", "AVIF") and not features.check(form.lower()):
        pytest.skip(f"this Pillow has no {form}")
    options: dict[str, Any] = {"sizes": [(20, 20)]} if form == "ICO" else {}
    data = saved(halves(size=(20, 20)), form, **options)
    reply = asked(data)
    assert (reply["form"], reply["size"], reply["drawn"]) == (form, [20, 20], [20, 20])
    assert reply["moving"] is reply["cut"] is False
    image = decoded(data)
    assert close(image.getpixel((3, 10)), RED) and close(image.getpixel((16, 10)), BLUE)


@pytest.mark.parametrize("form", ["TIFF", "PPM", "PCX", "TGA", "SGI", "DDS"])
def test_formats_that_no_one_looks_for_are_not_even_tried(form: str) -> None:
    assert asked(saved(halves(), form)) == {"problem": "damaged"}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_comes_out_in_colours(mode: str) -> None:
    image = Image.linear_gradient("L").point(lambda value: 255 if value > 127 else 0)
    if mode == "I;16":
        deep = b"".join(struct.pack("<H", 257 * value) for value in image.tobytes())
        image = Image.frombytes(mode, image.size, deep)
    else:
        image = image.convert(mode)
    out = decoded(saved(image, "PNG"))
    assert close(out.getpixel((20, 2)), (0, 0, 0)) and close(out.getpixel((20, 37)), (252, 252, 252))


def test_sixteen_bits_keep_their_shades() -> None:
    deep = b"".join(struct.pack("<H", 257 * x) for _ in range(4) for x in range(256))
    out = decoded(saved(Image.frombytes("I;16", (256, 4), deep), "PNG"), (256, 4))
    assert [out.getpixel((x, 2))[0] for x in (0, 64, 128, 255)] == [0, 64, 128, 252]  # type: ignore[index]


def test_print_colours_are_turned_into_those_of_screens() -> None:
    out = decoded(saved(halves("CMYK"), "JPEG", quality=95))
    assert close(out.getpixel((3, 5)), RED, 60) and close(out.getpixel((16, 5)), BLUE, 60)


def test_the_ground_shows_through_and_stays_as_it_is() -> None:
    image = Image.new("RGBA", (4, 4))
    image.paste((252, 0, 0, 255), (0, 0, 2, 2))
    image.paste((252, 0, 0, 128), (2, 2, 4, 4))
    for few in (False, True):
        out = decoded(saved(image, "PNG"), few=few)
        assert out.getpixel((3, 0)) == GROUND
        assert close(out.getpixel((0, 0)), RED)
    mixed = decoded(saved(image, "PNG")).getpixel((3, 3))
    assert close(mixed, (136, 20, 30), 8)


def test_a_transparent_colour_of_a_palette_shows_the_ground() -> None:
    image = halves().quantize(4)
    data = saved(image, "PNG", transparency=image.getpixel((0, 0)))
    out = decoded(data)
    assert out.getpixel((3, 5)) == GROUND and close(out.getpixel((16, 5)), BLUE)


def test_few_colours_are_those_of_the_terminal() -> None:
    noise = Image.merge("RGB", [Image.effect_noise((60, 60), 90) for _ in range(3)])
    cube = {0, 95, 135, 175, 215, 255}
    values = iter(decoded(saved(noise, "PNG"), few=True).tobytes())
    for red, green, blue in zip(values, values, values, strict=True):
        assert {red, green, blue} <= cube or (red == green == blue and red % 10 == 8)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_turned_picture_comes_upright(turn: int) -> None:
    upright = Image.new("RGB", (16, 8), BLUE)
    upright.paste(RED, (0, 0, 4, 4))
    names = ("", *child._TURNS[1:])
    back = {"ROTATE_90": "ROTATE_270", "ROTATE_270": "ROTATE_90"}
    turned = upright
    if turn > 1:
        turned = upright.transpose(Image.Transpose[back.get(names[turn - 1], names[turn - 1])])
    exif = Image.Exif()
    exif[0x0112] = turn
    reply = asked(saved(turned, "JPEG", exif=exif, quality=95, subsampling=0))
    assert reply["size"] == reply["drawn"] == [16, 8]
    assert asked(saved(turned, "JPEG", exif=exif), None)["size"] == [16, 8]
    out = decoded(saved(turned, "JPEG", exif=exif, quality=95, subsampling=0))
    assert close(out.getpixel((1, 1)), RED, 60) and close(out.getpixel((14, 6)), BLUE, 60)


def test_a_turned_picture_fits_in_the_box_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(Image.new("RGB", (400, 200)), "JPEG", exif=exif)
    assert asked(data, (40, 20))["drawn"] == [10, 20]


def test_exif_that_cannot_be_read_turns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(image: Image.Image) -> None:
        raise RecursionError

    monkeypatch.setattr(Image.Image, "getexif", fail)
    assert asked(saved(halves(), "PNG", exif=Image.Exif().tobytes()))["drawn"] == [20, 10]


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_turn_that_is_none_is_left_alone() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    assert asked(saved(halves(), "JPEG", exif=exif))["size"] == [20, 10]
    assert asked(saved(halves(), "JPEG", exif=b"Exif\0\0MM\0\x2a\xff\xff\xff\xff"))["size"] == [20, 10]


@pytest.mark.parametrize(
    ("size", "box", "drawn"),
    [
        ((200, 100), (40, 40), [40, 20]),
        ((100, 200), (40, 40), [20, 40]),
        ((8, 4), (40, 40), [8, 4]),
        ((20_000, 1), (40, 40), [40, 1]),
        ((1, 20_000), (40, 40), [1, 40]),
        ((999, 777), (1, 2), [1, 1]),
        ((999, 777), (300, 2), [3, 2]),
        ((641, 479), (63, 61), [63, 47]),
    ],
)
def test_it_fits_in_the_box_keeps_its_shape_and_never_grows(
    size: tuple[int, int], box: tuple[int, int], drawn: list[int]
) -> None:
    assert asked(saved(Image.new("RGB", size), "PNG"), box)["drawn"] == drawn


def test_bands_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(Image.radial_gradient("L").resize((1000, 900)), "PNG")
    whole = decoded(data).tobytes()
    monkeypatch.setattr(child, "_BAND", 5000)
    assert decoded(data).tobytes() == whole


def test_the_first_picture_of_several_is_shown() -> None:
    several = [Image.new("RGB", (20, 10), colour) for colour in (RED, BLUE, GROUND)]
    data = saved(several[0], "GIF", save_all=True, append_images=several[1:])
    assert asked(data)["moving"] is True
    assert close(decoded(data).getpixel((5, 5)), RED)


def test_facts_alone_need_no_more_than_the_head_of_the_file() -> None:
    data = saved(Image.radial_gradient("L").resize((1000, 900)), "PNG")
    assert asked(data[:60], None) == {"form": "PNG", "size": [1000, 900], "moving": False, "cut": False}


# Traps


def png(width: int, height: int, *chunks: bytes, data: bytes = b"") -> bytes:
    """A PNG in shades of grey, one bit a pixel, whatever its data."""
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = [(b"IHDR", head), *((chunk[:4], chunk[4:]) for chunk in chunks), (b"IDAT", zlib.compress(data))]
    out = b"\x89PNG\r\n\x1a\n"
    for name, body in (*parts, (b"IEND", b"")):
        out += LENGTH.pack(len(body)) + name + body + LENGTH.pack(zlib.crc32(name + body))
    return out


@pytest.mark.parametrize("size", [(30_000, 30_000), (0x7FFFFFFF, 0x7FFFFFFF), (50_000_001, 1)])
@pytest.mark.parametrize("box", [(40, 40), None])
def test_too_many_pixels_are_told_and_not_decoded(size: tuple[int, int], box: tuple[int, int] | None) -> None:
    assert asked(png(*size), box) == {"problem": "large", "size": list(size)}


def test_a_huge_canvas_around_a_small_picture_is_too_large_as_well() -> None:
    head = b"GIF89a" + struct.pack("<HHBBB", 65535, 65535, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    data = head + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\2\2D\1\0;"
    assert asked(data) == {"problem": "large", "size": [65535, 65535]}


def test_a_large_picture_within_a_small_one_is_not_decoded() -> None:
    """An icon says how large it is in one byte; the picture in it may say something else."""
    inner = png(30_000, 30_000)
    head = struct.pack("<HHH", 0, 1, 1) + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(inner), 22)
    assert asked(head + inner)["problem"] in ("large", "damaged")


def test_texts_that_swell_are_no_picture() -> None:
    bomb = b"zTXtk\0\0" + zlib.compress(b"A" * 48_000_000, 9)
    assert asked(png(8, 8, bomb, data=b"\0\0" * 8)) == {"problem": "damaged"}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "damaged"),
        (b"not a picture", "damaged"),
        (b"\x7fELF" + b"\0" * 5000, "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (png(0, 0), "damaged"),
        (png(64, 64), "damaged"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"x" * 900, "unknown"),
    ],
)
def test_what_is_no_picture_is_told(data: bytes, problem: str) -> None:
    assert asked(data) == {"problem": problem}


def test_of_a_file_cut_short_what_there_is_is_shown() -> None:
    data = saved(Image.radial_gradient("L").resize((400, 400)), "PNG")
    noise = saved(Image.effect_noise((400, 400), 90), "JPEG", quality=95)
    for whole in (data, noise):
        reply = asked(whole[: len(whole) * 2 // 3])
        assert reply["cut"] is True and reply["size"] == [400, 400] and reply["drawn"] == [40, 40]
        assert asked(whole)["cut"] is False


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "ICO"])
def test_a_file_cut_or_overwritten_anywhere_gives_a_reply(form: str) -> None:
    data = saved(Image.effect_noise((64, 64), 90).convert("RGB"), form)
    for place in range(0, len(data), max(1, len(data) // 60)):
        for broken in (data[:place], data[:place] + b"\xff\x00\xff\xfe" + data[place + 4 :]):
            reply = asked(broken)
            assert (
                reply.get("problem") in ("damaged", "large", "unknown", "memory")
                or len(base64.b64decode(reply["pixels"])) == 3 * reply["drawn"][0] * reply["drawn"][1]
            )


@pytest.mark.parametrize(
    "error", [MemoryError(), ValueError("x"), RecursionError(), KeyError(1), SystemError()]
)
def test_whatever_a_decoder_raises_is_a_problem_of_the_picture(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*ignored: Any, **also: Any) -> None:
        raise error

    monkeypatch.setattr(Image, "open", fail)
    expected = "memory" if isinstance(error, MemoryError) else "damaged"
    assert asked(saved(halves(), "PNG")) == {"problem": expected}


# The process


def conversation(*files: Path, box: tuple[int, int] | None = (40, 40)) -> list[dict[str, Any]]:
    """What the real process says to requests for ``files``, its greeting first."""
    here, there = socket.socketpair()
    with there:
        process = subprocess.Popen(
            default_command(), stdin=there.fileno(), stdout=subprocess.PIPE, cwd="/", env={}
        )
    with here, process:
        for path in files:
            request = child.frame({"box": box, "ground": GROUND, "few": False})
            with path.open("rb") as file:
                socket.send_fds(here, [request], [file.fileno()])
        here.shutdown(socket.SHUT_WR)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    replies, stream = [], io.BytesIO(out)
    while (reply := read_frame(stream)) is not None:
        replies.append(reply)
    return replies


def test_the_process_greets_answers_and_ends_with_its_input(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved(halves(), "PNG"))
    (tmp_path / "b.png").write_bytes(b"nonsense")
    greeting, first, second, again = conversation(*(tmp_path / f"{name}.png" for name in "aba"))
    assert greeting == {"ready": True}
    assert first == again and first["drawn"] == [20, 10]
    assert second == {"problem": "damaged"}


def test_a_request_without_a_file_ends_it() -> None:
    here, there = socket.socketpair()
    with there:
        process = subprocess.Popen(
            default_command(), stdin=there.fileno(), stdout=subprocess.PIPE, cwd="/", env={}
        )
    with here, process:
        here.sendall(child.frame({"box": None}))
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and out == child.frame({"ready": True})


PROGRAM = f"""
import runpy, socket, sys
child = runpy.run_path({child.__file__!r})
names = child['serve'].__globals__
%s
child['serve'](socket.socket(fileno=0), sys.stdout.buffer)
"""


def run_with(change: str, path: Path) -> subprocess.Popen[bytes]:
    """The process with ``change`` made to its names, asked once; it has ended."""
    here, there = socket.socketpair()
    with there:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM % change],
            stdin=there.fileno(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    with here, path.open("rb") as file:
        socket.send_fds(here, [child.frame({"box": [9, 9], "ground": GROUND, "few": False})], [file.fileno()])
        here.shutdown(socket.SHUT_WR)
        process.out = process.communicate(timeout=60)[0]  # type: ignore[attr-defined]
    return process


def test_a_picture_that_hangs_ends_the_process_even_when_nobody_waits(tmp_path: Path) -> None:
    """The panel may have been killed in the middle of a request."""
    (tmp_path / "a.png").write_bytes(saved(halves(), "PNG"))
    hang = "def hang(*ignored):\n    while True: pass\nnames['answer'] = hang\nnames['LONGEST_REQUEST'] = 1"
    assert run_with(hang, tmp_path / "a.png").returncode == -signal.SIGALRM


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the address space")
def test_its_memory_is_limited(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved(halves(), "PNG"))
    swell = "names['_answer'] = lambda *ignored: bytearray(names['MEMORY'])"
    out = run_with(swell, tmp_path / "a.png").out  # type: ignore[attr-defined]
    assert out.endswith(child.frame({"problem": "memory"}))


def test_it_may_write_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved(halves(), "PNG"))
    target = tmp_path / "written"
    write = f"names['_answer'] = lambda *ignored: open({str(target)!r}, 'w', 1).write('x\\n')"
    out = run_with(write, tmp_path / "a.png").out  # type: ignore[attr-defined]
    assert out.endswith(child.frame({"problem": "damaged"}))
    assert target.read_text() == ""
