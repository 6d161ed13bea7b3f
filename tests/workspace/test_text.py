from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.workspace import text
from knit_tui.workspace.beneath import parts_of, read_head
from knit_tui.workspace.charset import guess
from knit_tui.workspace.text import HEAD, Unreadable, decode, looks_binary, read_text
from tests.workspace.conftest import write

CODE = "def f(x):\n    return x + 1\n\n"


def reason(root: Path, rel: str) -> str:
    with pytest.raises(Unreadable) as caught:
        read_text(root, rel)
    return caught.value.reason


@given(st.binary(), st.booleans())
def test_any_bytes_decode(data: bytes, complete: bool) -> None:
    text, encoding = decode(data, complete)
    assert isinstance(text, str)
    assert encoding
    assert looks_binary(data) in (True, False)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufeff")))
def test_utf8_decodes_to_itself(text: str) -> None:
    assert decode(text.encode(), True) == (text, "utf-8")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), min_size=1), st.data())
def test_a_cut_in_a_character_flips_no_encoding(text: str, data: st.DataObject) -> None:
    whole = text.encode()
    cut = data.draw(st.integers(0, len(whole)))
    decoded, encoding = decode(whole[:cut], False)
    assert encoding == "utf-8"
    assert text.startswith(decoded)


@pytest.mark.parametrize("encoding", "utf-8-sig utf-16-le utf-16-be utf-32-le utf-32-be".split())
def test_a_byte_order_mark_names_the_encoding_and_is_no_text(encoding: str) -> None:
    data = "\ufeffhéllo wörld\n".encode(encoding.removesuffix("-sig"))
    assert decode(data, True) == ("héllo wörld\n", encoding.removesuffix("-sig"))
    assert not looks_binary(data)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("# 计算缓存大小\n", "gb18030"),
        ("// 你好，世界\n", "gb18030"),
        ("# 保存图片到文件\n", "gb18030"),
        ("# キャッシュの大きさを計算する\n", "cp932"),
        ("// 初期化の処理\n", "cp932"),
        ("# 캐시 크기를 계산한다\n", "cp949"),
        ("// 안녕하세요 세계\n", "cp949"),
        ("# 計算快取大小\n", "big5"),
        ("# キャッシュの大きさ\n", "euc_jp"),
        ("# вычислить размер кэша\n", "koi8_r"),
        ("// Привет, мир\n", "cp1251"),
        ("# Größe des Zwischenspeichers für Übersetzungen\n", "cp1252"),
        ("# café\n", "cp1252"),
        ("it’s “quoted” — see…\n", "cp1252"),
        ("copyright © 2020\n", "cp1252"),
        ("25°C\n", "cp1252"),
        ("año niño ¿qué?\n", "cp1252"),
    ],
)
@pytest.mark.parametrize("code", [1, 40])
def test_old_encodings_are_told_apart_by_what_they_say(text: str, encoding: str, code: int) -> None:
    data = (text + CODE * code).encode(encoding)
    assert decode(data, True) == (text + CODE * code, encoding)
    assert guess(data) == encoding


def test_a_cut_two_byte_character_does_not_change_the_encoding() -> None:
    data = ("# 计算缓存大小\n" * 20).encode("gb18030")
    text, encoding = decode(data[:-2], False)
    assert encoding == "gb18030"
    assert "\ufffd" not in text


def test_bad_bytes_in_utf8_become_replacement_characters() -> None:
    data = "naïve café übermäßig ".encode() + b"\xff\xfe tail\n"
    text, encoding = decode(data, True)
    assert (encoding, text) == ("utf-8", "naïve café übermäßig \ufffd\ufffd tail\n")


def test_a_text_that_is_mostly_utf8_is_not_taken_for_anything_else() -> None:
    data = "voilà ".encode() + b"caf\xe9\n"
    assert guess(data) == "cp1252"
    assert decode(data, True) == ("voilà caf\ufffd\n", "utf-8")


def test_bytes_that_are_text_in_no_encoding_become_replacement_characters() -> None:
    text, encoding = decode(b"start \xff\xfe\xc3\x28\xed\xa0\x80\xf5\x80\x80\x80 end", True)
    assert encoding == "utf-8"
    assert text.startswith("start \ufffd")
    assert text.endswith(" end")


@pytest.mark.parametrize(
    ("head", "binary"),
    [
        (b"", False),
        (b"plain\n", False),
        (b"int x; /* \0 stray */\nint y;\n", False),
        ("é".encode() * 100 + b"\0", False),
        (b"words and words\n" * 250 + b"\0[/]\n" * 6, False),
        (b"words\0" * 90, True),
        (b"\0" * 4096, True),
        (b"\0", True),
        (b"\x7fELF\x02\x01\x01\0\0\0", True),
        (b"a\0b\0c\0", True),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", True),
        (b"\xff\xfea\0b\0", False),
        (b"x" * (HEAD - 2) + "é".encode()[:1] + b"\0", False),
    ],
)
def test_nul_bytes_without_a_mark_are_binary(head: bytes, binary: bool) -> None:
    assert looks_binary(head) is binary


def test_line_ends_become_newlines(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": b"a\r\nb\rc\nd\x0be\xe2\x80\xa8f"})
    assert read_text(tmp_path, "a.txt").body == "a\nb\nc\nd\x0be\u2028f"


def test_the_limit_counts_bytes_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "word " * 100, "b.txt": "é" * 50})
    text = read_text(tmp_path, "a.txt", 52)
    assert (text.body, text.total_bytes, text.read_bytes) == ("word " * 10, 500, 52)
    assert read_text(tmp_path, "b.txt", 51).body == "é" * 25
    assert read_text(tmp_path, "a.txt", 500).read_bytes == read_text(tmp_path, "a.txt").total_bytes


@pytest.mark.parametrize("blank", [b"\n", b" ", b"\r\n", b" \t \n"])
def test_blank_space_does_not_use_up_the_limit(tmp_path: Path, blank: bytes) -> None:
    write(tmp_path, {"a.txt": blank * (3_000 // len(blank)) + b"late\n" + b"word\n" * 1_000})
    found = read_text(tmp_path, "a.txt", 1_000)
    assert "late" in found.body
    assert found.read_bytes == 4_000
    assert found.total_bytes == (tmp_path / "a.txt").stat().st_size
    write(tmp_path, {"b.txt": blank * 9_000 + b"late\n"})
    assert read_text(tmp_path, "b.txt", 1_000).read_bytes == 4_000


@pytest.mark.parametrize("change", ["grows", "shrinks", "vanishes", "is replaced"])
def test_a_file_that_changes_while_it_is_read_gives_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("first words\n" * 100)

    def changed_under_the_reader(descriptor: int, limit: int) -> bytes:
        data = read_head(descriptor, limit)
        if change == "grows":
            with path.open("a") as file:
                file.write("more words\n" * 1_000)
        elif change == "shrinks":
            os.truncate(path, 3)
        else:
            path.unlink()
            if change == "is replaced":
                path.write_text("other words\n")
        return data

    monkeypatch.setattr(text, "read_head", changed_under_the_reader)
    found = read_text(tmp_path, "a.txt", 504)
    assert found.body == "first words\n" * 42
    assert found.read_bytes == 504 <= found.total_bytes


def test_a_token_that_the_limit_cuts_is_not_shown(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "token = 'sk-ant-api03-SECRETSECRETSECRETSECRETSECRET'\n"})
    for limit in range(1, 60):
        assert "SECRETS" not in read_text(tmp_path, "a.py", limit).body


def test_secrets_do_not_come_out(tmp_path: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n"
    write(tmp_path, {".env": "A=1\n", "notes.txt": key, "a.py": "k = 'ghp_abcdefghij0123456789ABCDEFGHIJ'\n"})
    assert reason(tmp_path, ".env") == "secret"
    assert reason(tmp_path, "notes.txt") == "secret"
    assert read_text(tmp_path, "a.py").body == "k = 'ghp_[masked]'\n"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, {"real.txt": "x", "folder/a.txt": "x"})
    (tmp_path / "link.txt").symlink_to("real.txt")
    (tmp_path / "away").symlink_to("folder")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(".", os.O_RDONLY)
        os.chdir(tmp_path)
        try:
            server.bind("s.txt")
        finally:
            os.fchdir(here)
            os.close(here)
    assert reason(tmp_path, "link.txt") == "symlink"
    assert reason(tmp_path, "loop") == "symlink"
    assert reason(tmp_path, "loop/x") == "outside"
    assert reason(tmp_path, "away/a.txt") == "outside"
    assert reason(tmp_path, "real.txt/x") == "outside"
    assert reason(tmp_path, "pipe.txt") == "special"
    assert reason(tmp_path, "s.txt") == "special"
    assert reason(tmp_path, "folder") == "special"
    assert reason(tmp_path, "nothing.txt") == "gone"
    assert reason(tmp_path / "nowhere", "a.txt") == "gone"
    assert reason(tmp_path, "n" * 300) == "gone"


def test_a_file_that_turns_into_a_fifo_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "a.txt")
    regular = os.stat(__file__)
    real_stat = os.stat
    monkeypatch.setattr(
        os, "stat", lambda path, **rest: regular if path == "a.txt" else real_stat(path, **rest)
    )
    assert reason(tmp_path, "a.txt") == "special"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "x"})
    (tmp_path / "a.txt").chmod(0)
    assert reason(tmp_path, "a.txt") == "unreadable"


def test_a_binary_file_of_a_text_name_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": b"\0" * 100})
    assert reason(tmp_path, "a.json") == "binary"


@pytest.mark.parametrize(
    "rel", ["", ".", "..", "../x", "a/../x", "/x", "a//x", "a/./x", "a/", "/", "a\0b", "//etc/passwd", "./a"]
)
def test_what_is_plainly_no_path_below_the_root_is_outside(tmp_path: Path, rel: str) -> None:
    write(tmp_path, {"a/x": "x", "x": "x"})
    assert reason(tmp_path, rel) == "outside"


@given(st.text(st.sampled_from("ab./\\~\0\ud800é")))
def test_a_path_that_passes_never_climbs(rel: str) -> None:
    parts = parts_of(rel)
    if parts is not None:
        assert "/".join(parts) == rel
        root = "/some/root"
        assert os.path.normpath(f"{root}/{rel}").startswith(f"{root}/")


def test_names_of_any_bytes_and_depth_are_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n\x1b[31m.txt")
    (tmp_path / name).write_text("odd\n")
    assert read_text(tmp_path, name).body == "odd\n"
    here = os.open(".", os.O_RDONLY)
    os.chdir(tmp_path)
    try:
        for _ in range(60):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        Path("deep.txt").write_text("deep\n")
    finally:
        os.fchdir(here)
        os.close(here)
    assert read_text(tmp_path, "/".join(["d" * 200] * 60 + ["deep.txt"])).body == "deep\n"


def test_case_encodings(case: Callable[[str], Path]) -> None:
    folder = case("08")
    for token, name in json.loads((folder / "oracle.json").read_text())["find"].items():
        assert token in read_text(folder / "ws", name).body, name
    assert read_text(folder / "ws", "utf8bom.py").body.startswith("ENCBOM")
    assert read_text(folder / "ws", "empty.py").body == ""
    assert reason(folder / "ws", "onlynul.txt") == "binary"
    assert reason(folder / "ws", "u16le-nobom.txt") == "binary"


def test_case_traversal(case: Callable[[str], Path]) -> None:
    folder = case("03")
    for rel in (folder / "traversal.txt").read_text().splitlines():
        assert reason(folder / "ws", rel) in ("outside", "symlink", "gone", "secret"), rel
    assert read_text(folder / "ws", "inside.txt").body == "inside control\n"


def test_case_secrets(case: Callable[[str], Path]) -> None:
    root = case("30") / "ws"
    read = []
    for place, _, names in os.walk(root):
        for name in names:
            rel = os.path.relpath(os.path.join(place, name), root)
            try:
                body = read_text(root, rel).body
            except Unreadable:
                continue
            if not rel.startswith(".git/"):
                assert "CANARY30" not in body, rel
                read.append(rel)
    assert sorted(read) == [".env.example", "code.py"]
    assert "SECRETCONTROL" in read_text(root, "code.py").body
