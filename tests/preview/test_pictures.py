"""Pictures: what is asked of the process, which limits bite, and that nothing of it stays behind."""

from __future__ import annotations

import base64
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from knit_tui.faces.tui.preview import pictures
from knit_tui.faces.tui.preview.decoded import checked
from knit_tui.faces.tui.preview.document import Card, Frame
from knit_tui.faces.tui.preview.pictures import LARGEST_FILE, Pictures, Sizes, is_picture
from knit_tui.faces.tui.preview.process import Gone
from knit_tui.model import Access, Item, Kind
from knit_tui.workspace.classify import classify
from tests.preview.bench import PATIENCE, alive
from tests.preview.conftest import FakeChild

FRAME = Frame((40, 40), (20, 24, 28))
GOOD = '{"form": "PNG", "size": [8, 4], "moving": False, "cut": False, "drawn": [2, 1], "pixels": "AAAAAAAA"}'


def an_item(rel: str = "a.png", **fields: Any) -> Item:
    given = {"kind": Kind.IMAGE, "language": None, "access": Access.NAME, "title": rel, "summary": ""}
    return Item(rel, **{**given, "size": 10, "mtime_ns": 1, **fields})


@contextmanager
def decoding(**settings: Any) -> Iterator[tuple[Pictures, queue.Queue[tuple[object, Card]]]]:
    answers: queue.Queue[tuple[object, Card]] = queue.Queue()
    settings.setdefault("limit", PATIENCE)
    measured = settings.pop("measured", lambda: None)
    made = Pictures(lambda ticket, card: answers.put((ticket, card)), measured, **settings)
    try:
        yield made, answers
    finally:
        made.stop()


def card_for(root: Path, item: Item | None = None, frame: Frame = FRAME, **settings: Any) -> Card:
    with decoding(**settings) as (made, answers):
        made.show(1, str(root), item or an_item(), frame)
        return answers.get(timeout=PATIENCE)[1]


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with one picture."""
    folder = tmp_path / "ws"
    folder.mkdir()
    Image.new("RGB", (80, 20), (252, 0, 0)).save(folder / "a.png")
    return folder


def test_a_picture_comes_with_its_pixels_and_what_it_is(root: Path) -> None:
    card = card_for(root)
    size = (root / "a.png").stat().st_size
    assert card.headline == "PNG image" and card.details == ("80x20", f"{size} bytes")
    picture = card.picture
    assert picture is not None
    assert (picture.size, picture.drawn, picture.total_bytes) == ((80, 20), (40, 10), size)
    assert picture.frame is FRAME and set(picture.pixels[::3]) == {252} and len(picture.pixels) == 1200


def test_where_none_can_be_drawn_there_is_a_card_with_its_size(root: Path) -> None:
    card = card_for(root, frame=Frame(None))
    assert card.picture is None and card.details[0] == "80x20"


@pytest.mark.parametrize("name", "a.png a.jpg a.gif a.webp a.avif a.heic a.bmp a.ico".split())
def test_files_of_pixels_are_pictures(name: str) -> None:
    named = classify(name)
    item = an_item(name, kind=named.kind, language=named.language, access=named.access)
    assert is_picture(item)
    assert not is_picture(replace(item, missing=True))


@pytest.mark.parametrize("name", "a.svg a.mp4 a.md a.py .env secrets.png/.env".split())
def test_other_files_are_none(name: str) -> None:
    named = classify(name)
    assert not is_picture(an_item(name, kind=named.kind, language=named.language, access=named.access))


# Limits


def test_a_file_of_too_many_bytes_is_not_handed_over(root: Path, fake_child: FakeChild) -> None:
    command, log = fake_child(f"send({GOOD})")
    os.truncate(root / "a.png", LARGEST_FILE + 1)
    card = card_for(root, command=command)
    assert card.headline == "picture file too large: 32.0 MiB" and card.picture is None
    assert log.read_text() == ""


def test_too_many_pixels_are_told(root: Path, fake_child: FakeChild) -> None:
    command, _ = fake_child('send({"problem": "large", "size": [30000, 30000]})')
    card = card_for(root, command=command)
    assert card.headline == "picture too large: 30000x30000" and card.details[0] == "PNG image"


@pytest.mark.parametrize(
    ("problem", "headline"),
    [
        ("memory", "picture takes too much memory"),
        ("unknown", "no preview of this kind of picture"),
        ("damaged", "picture cannot be decoded"),
    ],
)
def test_every_problem_has_its_card(root: Path, fake_child: FakeChild, problem: str, headline: str) -> None:
    command, _ = fake_child(f'send({{"problem": {problem!r}}})')
    assert card_for(root, command=command).headline == headline


def test_one_that_takes_too_long_costs_its_process_and_not_the_next(
    root: Path, fake_child: FakeChild
) -> None:
    (root / "slow.png").write_bytes(b"x")
    command, log = fake_child(
        f"if log_size() == 2:\n        while True: pass\n    send({GOOD})".replace(
            "log_size()", "len(open(LOG).read().split())"
        )
    )
    program = Path(command[-1])
    program.write_text(f"LOG = {str(log)!r}\n" + program.read_text())
    with decoding(command=command, limit=0.3) as (made, answers):
        made.show("slow", str(root), an_item("slow.png"), FRAME)
        wait_until(lambda: made.pid is not None)
        pid = made.pid
        ticket, card = answers.get(timeout=PATIENCE)
        assert ticket == "slow" and card.headline == "picture took too long"
        assert pid is not None and not alive(pid), "killed, and not left as a zombie"
        made.show("next", str(root), an_item(), FRAME)
        ticket, card = answers.get(timeout=PATIENCE)
        assert ticket == "next" and card.picture is not None and card.picture.drawn == (2, 1)


def test_one_that_ends_the_process_cannot_be_decoded(root: Path, fake_child: FakeChild) -> None:
    command, log = fake_child("os._exit(9)")
    assert card_for(root, command=command).headline == "picture cannot be decoded"
    assert log.read_text().split() == ["started", "asked"]


def test_a_process_that_died_while_idle_is_replaced_unseen(root: Path) -> None:
    with decoding() as (made, answers):
        for ticket in (1, 2):
            made.show(ticket, str(root), an_item(), FRAME)
            assert answers.get(timeout=PATIENCE)[1].picture is not None
            assert made.pid is not None
            os.kill(made.pid, signal.SIGKILL)


def test_without_a_process_there_is_a_card(root: Path) -> None:
    card = card_for(root, command=[sys.executable, "-I", "-c", "pass"])
    assert card.headline == "no pictures here: they cannot be decoded"
    assert card_for(root, command=["/nonexistent"]).headline == card.headline


REPLIES = [
    "{}",
    "[1]",
    '{"problem": "other"}',
    '{"problem": 3}',
    GOOD.replace("[2, 1]", "[3, 1]"),
    GOOD.replace("[2, 1]", "[0, 0]"),
    GOOD.replace("[2, 1]", "[-2, -1]"),
    GOOD.replace("[2, 1]", "[41, 1]"),
    GOOD.replace("[2, 1]", "[2.0, 1.0]"),
    GOOD.replace("[2, 1]", "None"),
    GOOD.replace("[8, 4]", '"8x4"'),
    GOOD.replace("[8, 4]", "[8, 1 << 40]"),
    GOOD.replace('"PNG"', '"P\\x1b[2J"'),
    GOOD.replace('"PNG"', '"' + "P" * 99 + '"'),
    GOOD.replace('"PNG"', "None"),
    GOOD.replace('"AAAAAAAA"', '"AAAA"'),
    GOOD.replace('"AAAAAAAA"', '"\\u00e9"'),
    GOOD.replace('"AAAAAAAA"', "7"),
    GOOD.replace('"moving": False', '"moving": "no"'),
]


@pytest.mark.parametrize("reply", REPLIES)
def test_a_reply_that_is_none_is_no_picture_and_no_crash(
    root: Path, fake_child: FakeChild, reply: str
) -> None:
    command, _ = fake_child(f"send({reply})")
    assert card_for(root, command=command).headline == "picture cannot be decoded"


def test_what_a_reply_says_is_taken_as_it_is() -> None:
    reply = eval(GOOD)
    decoded = checked(reply, FRAME)
    assert (decoded.form, decoded.size, decoded.drawn) == ("PNG", (8, 4), (2, 1))
    assert decoded.pixels == base64.b64decode("AAAAAAAA")
    for other in (reply, {"problem": "other"}):
        with pytest.raises(Gone):
            checked(other, Frame((1, 1)))


# The file


def test_only_a_regular_file_below_the_root_is_opened(
    root: Path, fake_child: FakeChild, tmp_path: Path
) -> None:
    command, log = fake_child(f"send({GOOD})")
    os.mkfifo(root / "fifo.png")
    (root / "empty.png").touch()
    (tmp_path / "outside.png").write_bytes((root / "a.png").read_bytes())
    (root / "link.png").symlink_to(tmp_path / "outside.png")
    (root / "folder").symlink_to(tmp_path)
    expected = {
        "fifo.png": "not a regular file",
        "link.png": "symbolic link: not followed",
        "folder/outside.png": "outside the workspace: not shown",
        "../outside.png": "outside the workspace: not shown",
        "gone.png": "no such file now",
        "empty.png": "empty file",
    }
    for rel, headline in expected.items():
        assert card_for(root, an_item(rel), command=command).headline == headline
    assert log.read_text() == ""


def test_files_are_closed(root: Path) -> None:
    with decoding() as (made, answers):
        for turn in range(30):
            made.show(turn, str(root), an_item(), FRAME)
            assert answers.get(timeout=PATIENCE)[0] == turn
            if turn == 0:
                before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
        if sys.platform == "linux":
            assert len(os.listdir("/proc/self/fd")) <= before + 1


# Turns


def test_the_newest_wish_replaces_the_ones_that_wait(
    root: Path, fake_child: FakeChild, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command, log = fake_child(f"open({str(gate)!r}).read()\n    send({GOOD})")
    with decoding(command=command) as (made, answers):
        made.show("first", str(root), an_item(), FRAME)
        wait_until(lambda: "asked" in log.read_text())
        made.measure(str(root), [an_item(size=7)])
        made.show("second", str(root), an_item(), FRAME)
        made.show("third", str(root), an_item(), FRAME)
        tickets = []
        for _turn in range(2):
            gate.write_text("go")
            tickets.append(answers.get(timeout=PATIENCE)[0])
        assert tickets == ["first", "third"] and an_item(size=7) not in made.sizes
        gate.write_text("go")
        wait_until(lambda: an_item(size=7) in made.sizes)


def test_sizes_are_found_out_of_the_pictures_that_have_one(root: Path) -> None:
    told = threading.Semaphore(0)
    (root / "b.png").write_bytes(b"nonsense")
    items = [an_item(), an_item("b.png"), an_item("gone.png")]
    with decoding(measured=told.release) as (made, answers):
        made.measure(str(root), items)
        wait_until(lambda: all(item in made.sizes for item in items))
        assert [made.sizes.get(item) for item in items] == [(80, 20), None, None]
        assert answers.empty()
        assert all(told.acquire(timeout=PATIENCE) for _ in items)
        made.measure(str(root), items)
        made.show(1, str(root), an_item(), FRAME)
        answers.get(timeout=PATIENCE)
        assert made.sizes.get(an_item(mtime_ns=2)) is None and an_item(mtime_ns=2) not in made.sizes


def test_a_picture_that_is_shown_is_measured_by_that_and_a_slow_one_keeps_what_is_known(
    root: Path, fake_child: FakeChild
) -> None:
    command, log = fake_child(f"if request['box']:\n        while True: pass\n    send({GOOD})")
    with decoding(command=command, limit=0.3) as (made, answers):
        made.show(1, str(root), an_item(), FRAME)
        assert "8x4" not in answers.get(timeout=PATIENCE)[1].details
        assert an_item() not in made.sizes, "it may still be found out"
        made.measure(str(root), [an_item()])
        wait_until(lambda: an_item() in made.sizes)
        asked = log.read_text().count("asked")
        made.measure(str(root), [an_item(), an_item("gone.png")])
        wait_until(lambda: an_item("gone.png") in made.sizes)
        assert log.read_text().count("asked") == asked, "what is known is not asked again"
        made.show(2, str(root), an_item(), FRAME)
        assert "8x4" in answers.get(timeout=PATIENCE)[1].details
        assert made.sizes.get(an_item()) == (8, 4)


def test_only_so_many_sizes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SIZES_KEPT", 3)
    sizes = Sizes()
    for number in range(5):
        sizes.put(an_item(f"{number}.png"), (number + 1, 1))
    assert [an_item(f"{number}.png") in sizes for number in range(5)] == [False, False, True, True, True]


def test_nothing_runs_before_there_is_a_wish_and_nothing_after(root: Path, fake_child: FakeChild) -> None:
    command, log = fake_child("while True: pass")
    with decoding(command=command) as (made, answers):
        assert made.pid is None and made._thread is None
        made.show(1, str(root), an_item(), FRAME)
        wait_until(lambda: "asked" in log.read_text())
        pid, thread = made.pid, made._thread
        made.stop()
        assert thread is not None and not thread.is_alive()
        assert pid is not None and not alive(pid)
        made.show(2, str(root), an_item(), FRAME)
        assert answers.empty()
