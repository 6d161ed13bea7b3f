"""A log that is one document."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.whole import WholeFile


def whole(path: Path) -> WholeFile:
    return WholeFile(str(path), lambda document: document.get("sessionId"))


def put(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    return path


def told(source: WholeFile) -> list[Any]:
    return list(source.records())


def test_each_whole_document_is_told_once(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"sessionId": "s", "n": 1})
    source = whole(path)
    assert source.check() == "grown"
    assert source.check() == "grown"
    assert told(source) == [{"sessionId": "s", "n": 1}]
    assert (source.check(), told(source)) == ("same", [])
    put(path, {"sessionId": "s", "n": 22})
    assert source.check() == "grown"
    assert told(source) == [{"sessionId": "s", "n": 22}]
    assert source.mtime == pytest.approx(path.stat().st_mtime)
    assert (source.started, source.damaged, list(source.head())) == (0, 0, [])


def test_half_a_document_is_not_yet_one(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"sessionId": "s", "n": 1})
    data = path.read_bytes()
    source = whole(path)
    path.write_bytes(data[:-3])
    assert (source.check(), told(source), source.damaged) == ("same", [], 0)
    path.write_bytes(data)
    assert (source.check(), len(told(source))) == ("grown", 1)
    path.write_bytes(data[:9])
    assert (source.check(), told(source)) == ("same", [])
    path.write_bytes(b"")
    assert source.check() == "same"
    put(path, {"sessionId": "s", "n": 333})
    assert (source.check(), told(source)) == ("grown", [{"sessionId": "s", "n": 333}])


def test_another_sessions_document_took_the_place(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"sessionId": "s"})
    source = whole(path)
    source.check()
    told(source)
    put(path, {"sessionId": "another"})
    assert source.check() == "replaced"
    assert source.check() == "replaced"
    source.restart()
    assert (source.check(), told(source)) == ("grown", [{"sessionId": "another"}])


def test_a_document_put_there_by_renaming_is_the_same_log(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"sessionId": "s"})
    source = whole(path)
    source.check()
    told(source)
    put(tmp_path / "b", {"sessionId": "s", "n": 1}).replace(path)
    assert (source.check(), told(source)) == ("grown", [{"sessionId": "s", "n": 1}])


def test_what_is_no_document(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    source = whole(path)
    assert source.check() == "missing"
    assert whole(Path("a\0b")).check() == "missing"
    for content in (
        b"[]",
        b"1",
        b"\x89PNG",
        b"{" * 10_000,
        b'{"a":' * 100_000,
        b"9" * 5000,
        b'{"a":1}{"b":2}',
    ):
        path.write_bytes(content)
        assert (source.check(), told(source)) == ("same", [])
    path.unlink()
    path.mkdir()
    assert source.check() == "special"
    path.rmdir()
    os.mkfifo(path)
    assert source.check() == "special"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"sessionId": "s"})
    path.chmod(0)
    source = whole(path)
    assert source.check() == "unreadable"
    path.chmod(0o600)
    assert source.check() == "grown"


def test_odd_bytes_around_and_in_a_document(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"sessionId": "\xff"}\n\0')
    source = whole(path)
    assert source.check() == "grown"
    assert told(source) == [{"sessionId": "�"}]


def test_a_document_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.whole.LARGEST", 100)
    path = put(tmp_path / "a.json", {"sessionId": "s", "text": "x" * 100})
    source = whole(path)
    assert (source.check(), told(source), source.oversized) == ("same", [], 1)
    put(path, {"sessionId": "s"})
    assert (source.check(), source.oversized) == ("grown", 0)
