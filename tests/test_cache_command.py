"""The cache as the command uses it and tells of it."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from tests.test_cli import knit, one_line, schema


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "retry.md").write_text("# Retry\n\nRetry with backoff, then retry again.\n")
    (root / "client.py").write_text("def backoff():\n    retry()\n")
    return root


def caches(folder: Path) -> str:
    return str(folder.parent / "caches")


def test_a_question_leaves_a_cache_and_the_next_one_uses_it(folder: Path) -> None:
    first = knit("--query", "retry", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    again = knit("--query", "retry", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    assert first.returncode == again.returncode == 0
    assert first.stdout == again.stdout
    assert first.stderr == again.stderr == b""
    assert sorted(path.name for path in folder.iterdir()) == ["client.py", "retry.md"]
    told = json.loads(
        knit("cache", "info", "--format", "json", cwd=folder, KNIT_CACHE_DIR=caches(folder)).stdout
    )
    jsonschema.validate(told, schema("cache"))
    assert (told["state"], told["documents"]) == ("ready", 2)
    assert told["bytes"] == sum(path.stat().st_size for path in Path(told["folder"]).iterdir())
    assert [each["workspace"] for each in told["all"]] == [str(folder)]


def test_info_tells_when_there_is_nothing(folder: Path) -> None:
    result = knit("cache", "info", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    assert result.returncode == 1
    assert b"nothing stored yet" in result.stdout
    assert not Path(caches(folder)).exists()
    result = knit("cache", "info", cwd=folder, KNIT_CACHE_DIR="off")
    assert result.returncode == 1
    assert b"turned off" in result.stdout


def test_info_tells_of_damage(folder: Path) -> None:
    knit("--query", "retry", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    manifest = next(Path(caches(folder)).rglob("manifest"))
    manifest.write_bytes(manifest.read_bytes()[:-1])
    result = knit("cache", "info", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    assert b"damaged" in result.stdout
    assert result.returncode == 0


def test_clear_removes_one_or_all(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("retry")
    for root in (folder, other):
        knit("--query", "retry", cwd=root, KNIT_CACHE_DIR=caches(folder))
    assert len(os.listdir(caches(folder))) == 2
    assert knit("cache", "clear", cwd=folder, KNIT_CACHE_DIR=caches(folder)).returncode == 0
    assert len(os.listdir(caches(folder))) == 1
    again = knit("cache", "clear", cwd=folder, KNIT_CACHE_DIR=caches(folder))
    assert again.returncode == 1
    assert one_line(again) == "knit: nothing is stored\n"
    assert knit("-C", str(other), "cache", "clear", cwd=folder, KNIT_CACHE_DIR=caches(folder)).returncode == 0
    knit("--query", "retry", cwd=other, KNIT_CACHE_DIR=caches(folder))
    assert knit("cache", "clear", "--all", cwd=folder, KNIT_CACHE_DIR=caches(folder)).returncode == 0
    assert os.listdir(caches(folder)) == []


def test_wrong_use_is_one_line(folder: Path) -> None:
    for arguments in (("cache",), ("cache", "sell"), ("cache", "info", "-C", "nowhere")):
        result = knit(*arguments, cwd=folder)
        assert result.returncode == 2
        one_line(result)


VARIANTS = ("file", "sub", "dangling", "full", "loop", "evil", "world")


def test_no_place_for_a_cache_costs_nothing_but_speed(folder: Path, tmp_path: Path) -> None:
    homes = {name: tmp_path / "homes" / name for name in VARIANTS}
    for home in homes.values():
        home.mkdir(parents=True)
    (homes["file"] / ".cache").write_text("")
    (homes["dangling"] / ".cache").symlink_to("/no/such/folder")
    (homes["loop"] / ".cache").symlink_to(".cache")
    for name in ("sub", "full", "evil", "world"):
        (homes[name] / ".cache").mkdir()
    (homes["sub"] / ".cache/knit").write_text("")
    (homes["full"] / ".cache/knit").symlink_to("/dev/full")
    (tmp_path / "elsewhere").mkdir()
    (homes["evil"] / ".cache/knit").symlink_to(tmp_path / "elsewhere")
    (homes["world"] / ".cache/knit").mkdir()
    (homes["world"] / ".cache/knit").chmod(0o777)
    expected = knit("--query", "retry", "--format", "json", cwd=folder)
    for name, home in homes.items():
        before = sorted(path for path in tmp_path.rglob("*"))
        result = knit(
            "--query", "retry", "--format", "json", cwd=folder, HOME=str(home), KNIT_CACHE_DIR="",
        )  # fmt: skip
        answer, plain = json.loads(result.stdout), json.loads(expected.stdout)
        assert result.returncode == 0, name
        assert len(answer["notices"]) + result.stderr.count(b"\n") == 1, name
        assert answer["items"] == plain["items"], name
        assert sorted(path for path in tmp_path.rglob("*")) == before, name


@pytest.mark.parametrize("environ", [{"HOME": "/no/such/home"}, {"XDG_CACHE_HOME": "/dev/null"}])
def test_no_home_costs_nothing_but_speed(folder: Path, environ: dict[str, str]) -> None:
    result = knit("--query", "retry", "--format", "json", cwd=folder, **{"KNIT_CACHE_DIR": "", **environ})
    assert result.returncode == 0
    assert len(json.loads(result.stdout)["notices"]) + result.stderr.count(b"\n") == 1
    assert not Path("/no").exists()
