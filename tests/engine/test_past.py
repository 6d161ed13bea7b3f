"""The history of a real repository, read once for each HEAD and kept between runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.engine import past
from knit_tui.engine.past import Past
from knit_tui.model import Notice
from knit_tui.workspace.history import History
from tests.workspace.conftest import commit, grown, plain_git, repository, run_git

__all__ = ["grown", "plain_git", "repository"]


class Notes:
    """Keeps what it is given."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = data
        self.kept = 0

    def history(self) -> bytes:
        return self.data

    def keep_history(self, data: bytes) -> None:
        self.data = data
        self.kept += 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that git was asked about for their history."""
    folders: list[str] = []
    real = past.commits

    def counted(folder: str, top: str) -> History:
        folders.append(folder)
        return real(folder, top)

    monkeypatch.setattr(past, "commits", counted)
    return folders


def subjects(looking: Past) -> list[str]:
    return [commit.subject for commit in looking.commits.commits]


def test_a_history_is_read_once_for_each_head(grown: Path, asked: list[str]) -> None:
    looking = Past(grown)
    assert looking.commits.commits == ()
    assert looking.look(patient=True)
    assert subjects(looking) == ["third", "second", "first"]
    assert looking.commits.holds("second")
    before = looking.commits
    assert not looking.look(patient=True)
    assert looking.commits is before
    assert len(asked) == 1
    commit(grown, "fourth", {"a.py": "4"})
    assert looking.look(patient=True)
    assert subjects(looking) == ["fourth", "third", "second", "first"]
    assert len(asked) == 2


def test_when_head_goes_back_so_does_the_history(grown: Path) -> None:
    looking = Past(grown)
    looking.look(patient=True)
    run_git(grown, "reset", "-q", "--hard", "HEAD~2")
    assert looking.look(patient=True)
    assert subjects(looking) == ["first"]


def test_without_patience_git_is_not_asked(grown: Path, asked: list[str]) -> None:
    looking = Past(grown)
    assert not looking.look(patient=False)
    assert (asked, subjects(looking)) == ([], [])
    assert looking.look(patient=True)
    commit(grown, "fourth", {"a.py": "4"})
    assert not looking.look(patient=False)
    assert subjects(looking) == ["third", "second", "first"], "the older one stays until there is time"
    assert looking.look(patient=True)
    assert len(asked) == 2


def test_what_was_kept_is_used_without_patience_and_without_git(grown: Path, asked: list[str]) -> None:
    notes = Notes()
    first = Past(grown, notes)
    first.look(patient=True)
    assert notes.kept == 1
    again = Past(grown, notes)
    assert again.look(patient=False)
    assert again.commits.commits == first.commits.commits
    assert (len(asked), notes.kept) == (1, 1)


def test_what_was_kept_of_another_head_is_not_used(grown: Path, asked: list[str]) -> None:
    notes = Notes()
    Past(grown, notes).look(patient=True)
    commit(grown, "fourth", {"a.py": "4"})
    later = Past(grown, notes)
    assert not later.look(patient=False)
    assert later.look(patient=True)
    assert subjects(later)[0] == "fourth"
    assert (len(asked), notes.kept) == (2, 2)


def test_kept_bytes_that_are_damaged_or_no_history_are_read_anew(grown: Path) -> None:
    notes = Notes()
    Past(grown, notes).look(patient=True)
    good = notes.data
    bad = [good[:-1], good[1:], good + b" ", b"x", b"\0" * 40]
    bad += [
        good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :] for place in (0, 15, 16, len(good) // 2)
    ]
    bad += [past._digest(text) + text for text in (b"", b"{}", b"\xff", good[past._DIGEST : -1])]
    for data in bad:
        notes.data = data
        looking = Past(grown, notes)
        assert not looking.look(patient=False), data
        assert looking.look(patient=True)
        assert notes.data == good


def test_a_history_with_notices_tells_them_and_is_not_kept(
    grown: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = Notice("history-cut", (("why", "timeout"), ("count", "1")))
    monkeypatch.setattr(
        past, "commits", lambda folder, top: History((), past.head(folder, top) or "", True, (cut,))
    )
    notes = Notes()
    looking = Past(grown, notes)
    assert looking.look(patient=True)
    assert looking.notices == (cut,)
    assert notes.kept == 0


def test_notices_go_when_the_next_history_has_none(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(past, "commits", lambda folder, top: History(notices=(Notice("history"),)))
        looking = Past(grown)
        looking.look(patient=True)
    assert looking.notices
    commit(grown, "fourth", {"a.py": "4"})
    looking.look(patient=True)
    assert looking.notices == ()


def test_where_no_history_is_there_is_none(tmp_path: Path, repository: Path, asked: list[str]) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    for folder in (plain, repository, tmp_path / "absent"):
        looking = Past(folder, Notes())
        assert not looking.look(patient=True)
        assert (looking.commits.commits, looking.notices) == ((), ())
    assert asked == []


def test_a_repository_that_goes_takes_its_history_along(grown: Path) -> None:
    looking = Past(grown)
    looking.look(patient=True)
    (grown / ".git").rename(grown / "was.git")
    assert looking.look(patient=True)
    assert subjects(looking) == []
    (grown / "was.git").rename(grown / ".git")
    assert looking.look(patient=True)
    assert subjects(looking) == ["third", "second", "first"]


def test_a_folder_that_is_a_link_and_one_below_the_top(grown: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(grown / "sub", target_is_directory=True)
    for folder in (link, grown / "sub"):
        looking = Past(folder)
        assert looking.look(patient=True)
        assert subjects(looking) == ["third", "second", "first"]
        assert set(looking.commits.paths) == {"b.py", "deep/c.py"}
