from pathlib import Path

import pytest

from knit_tui import paths
from knit_tui.paths import NoFolder, cache_folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths.sys, "platform", "linux")
    return tmp_path


def test_folders_are_below_the_home_when_nothing_is_said(home: Path) -> None:
    environ = {"HOME": str(home), "XDG_CACHE_HOME": "", "KNIT_CACHE_DIR": ""}
    assert cache_folder(environ) == home / ".cache/knit"


def test_the_xdg_variables_are_followed_when_absolute(home: Path) -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/c d", "HOME": str(home)}) == Path("/c d/knit")
    assert cache_folder({"XDG_CACHE_HOME": "c", "HOME": str(home)}) == home / ".cache/knit"


def test_a_mac_has_its_own_places(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths.sys, "platform", "darwin")
    assert cache_folder({"HOME": str(home)}) == home / "Library/Caches/knit"


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"HOME": "relative"}, {"HOME": "/no/such/home"}])
def test_without_a_home_there_is_no_folder(environ: dict[str, str]) -> None:
    with pytest.raises(NoFolder, match="home"):
        cache_folder(environ)


def test_the_user_says_where_the_cache_is_or_that_there_is_none(home: Path) -> None:
    assert cache_folder({"KNIT_CACHE_DIR": str(home / "x")}) == home / "x"
    with pytest.raises(NoFolder, match="off"):
        cache_folder({"KNIT_CACHE_DIR": "off", "HOME": str(home)})
