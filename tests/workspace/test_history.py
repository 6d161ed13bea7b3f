from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Commit, Notice
from knit_tui.workspace import git, history
from knit_tui.workspace.history import History, commits
from knit_tui.workspace.refs import head
from tests.workspace.conftest import commit, run_git


def read(folder: Path, top: Path | None = None) -> History:
    return commits(str(folder), str(top or folder))


def told(found: History) -> list[tuple[str, tuple[str, ...]]]:
    return [(commit.subject, commit.paths) for commit in found.commits]


def test_commits_come_newest_first_with_the_paths_they_changed(grown: Path) -> None:
    found = read(grown)
    assert told(found) == [
        ("third", ("sub/deep/c.py",)),
        ("second", ("a.py", "sub/b.py")),
        ("first", ("a.py", "sub/b.py", "sub/deep/c.py")),
    ]
    assert [c.id for c in found.commits] == run_git(grown, "log", "--format=%H").decode().split()
    assert [str(c.time) for c in found.commits] == run_git(grown, "log", "--format=%ct").decode().split()
    assert (found.head, found.cut, found.notices) == (found.commits[0].id, False, ())


def test_below_the_top_paths_are_relative_and_other_commits_left_out(grown: Path) -> None:
    commit(grown, "elsewhere", {"a.py": "3"})
    assert told(read(grown / "sub", grown)) == [
        ("third", ("deep/c.py",)),
        ("second", ("b.py",)),
        ("first", ("b.py", "deep/c.py")),
    ]


def test_names_and_subjects_are_data(repository: Path) -> None:
    names = [os.fsdecode(b"caf\xe9"), "\nline", "//0 x", "a\x1b[31m\tb", ":(top)x", '"q"', "-O"]
    (repository / "/".join(("", "0 x"))[1:]).write_text("x")
    files = [name for name in names if not name.startswith("//")]
    for name in files:
        (repository / name).write_text("x")
    commit(repository, "red \x1b[31m\x01 // %H \u202e", {})
    (only,) = read(repository).commits
    assert only.subject == "red \x1b[31m\x01 // %H \u202e"
    assert only.paths == tuple(sorted([*files, "0 x"]))


def test_a_subject_is_text_whatever_its_bytes_and_bounded(repository: Path) -> None:
    commit(repository, "x" * 5_000 + "\n\nbody", {"a": "1"})
    assert [c.subject for c in read(repository).commits] == ["x" * history.SUBJECT_LENGTH]
    raw = run_git(repository, "cat-file", "commit", "HEAD").partition(b"\n\n")[0]
    (repository / "raw").write_bytes(raw + b"\n\ncaf\xe9 in no encoding\n")
    made = run_git(repository, "hash-object", "-t", "commit", "-w", "raw").decode().strip()
    run_git(repository, "reset", "-q", "--soft", made)
    assert [c.subject for c in read(repository).commits] == ["caf\ufffd in no encoding"]


def test_merges_are_left_out_and_their_branches_are_in(repository: Path) -> None:
    commit(repository, "base", {"a": "1"})
    run_git(repository, "checkout", "-q", "-b", "side")
    commit(repository, "on the side", {"b": "1"})
    run_git(repository, "checkout", "-q", "main")
    commit(repository, "on main", {"c": "1"})
    run_git(repository, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert {subject for subject, _ in told(read(repository))} == {"base", "on the side", "on main"}


def test_a_moved_file_is_told_by_both_names(repository: Path) -> None:
    commit(repository, "base", {"old.py": "one\ntwo\nthree\n"})
    run_git(repository, "mv", "old.py", "new.py")
    commit(repository, "move", {})
    assert told(read(repository))[0] == ("move", ("new.py", "old.py"))


def test_another_repository_is_no_file(repository: Path) -> None:
    commit(repository, "base", {"a": "1"})
    link = f"160000,{read(repository).head},module"
    run_git(repository, "update-index", "--add", "--cacheinfo", link)
    run_git(repository, "commit", "-q", "-m", "module")
    assert told(read(repository)) == [("module", ()), ("base", ("a",))]


HOSTILE = {
    "log.showSignature": "true",
    "log.showRoot": "false",
    "log.follow": "true",
    "log.date": "relative",
    "log.decorate": "full",
    "log.abbrevCommit": "true",
    "log.diffMerges": "on",
    "log.mailmap": "true",
    "format.pretty": "raw",
    "format.notes": "*",
    "diff.external": "touch {pwned}/external",
    "diff.renames": "copies",
    "diff.relative": "false",
    "diff.noprefix": "true",
    "diff.orderFile": "{fifo}",
    "diff.evil.textconv": "touch {pwned}/textconv",
    "diff.evil.command": "touch {pwned}/command",
    "core.attributesFile": "{fifo}",
    "core.pager": "touch {pwned}/pager",
    "pager.log": "touch {pwned}/pager",
    "core.fsmonitor": "touch {pwned}/fsmonitor",
    "core.quotePath": "true",
    "color.ui": "always",
    "column.ui": "always",
    "gpg.program": "{pwned}/../gpg",
    "i18n.logOutputEncoding": "UTF-16",
    "i18n.commitEncoding": "UTF-16",
    "alias.log": "!touch {pwned}/alias",
    "mailmap.file": "{fifo}",
    "notes.displayRef": "refs/notes/*",
}


def test_a_hostile_configuration_runs_nothing_and_changes_nothing(grown: Path, tmp_path: Path) -> None:
    signed = run_git(grown, "cat-file", "commit", "HEAD").replace(
        b"\n\n", b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    (tmp_path / "signed").write_bytes(signed)
    made = run_git(grown, "hash-object", "-t", "commit", "-w", str(tmp_path / "signed")).decode().strip()
    run_git(grown, "reset", "-q", "--hard", made)
    expected = read(grown)
    assert len(expected.commits) == 3
    pwned, fifo = tmp_path / "pwned", tmp_path / "fifo"
    pwned.mkdir()
    os.mkfifo(fifo)
    gpg = tmp_path / "gpg"
    gpg.write_text(f"#!/bin/sh\ntouch {pwned}/gpg\n")
    gpg.chmod(0o755)
    for key, value in HOSTILE.items():
        run_git(grown, "config", key, value.format(pwned=pwned, fifo=fifo))
    (grown / ".git/info/attributes").write_text("* diff=evil\n")
    os.mkfifo(grown / ".mailmap")
    assert read(grown) == expected
    assert [c.subject for c in read(grown / "sub", grown).commits] == ["third", "second", "first"]
    assert not os.listdir(pwned)


def test_replaced_commits_and_notes_are_not_believed(grown: Path) -> None:
    expected = read(grown)
    run_git(grown, "notes", "add", "-m", "a note", "HEAD")
    run_git(grown, "replace", "HEAD", "HEAD~2")
    assert read(grown) == expected


def test_a_missing_object_is_not_fetched(grown: Path, tmp_path: Path) -> None:
    run_git(grown, "config", "remote.origin.url", f"ext::sh -c 'touch {tmp_path}/fetched'")
    run_git(grown, "config", "remote.origin.promisor", "true")
    run_git(grown, "config", "protocol.ext.allow", "always")
    run_git(grown, "config", "core.sshCommand", f"touch {tmp_path}/fetched")
    run_git(grown, "config", "extensions.partialClone", "origin")
    tree = run_git(grown, "rev-parse", "HEAD^{tree}").decode().strip()
    (grown / ".git/objects" / tree[:2] / tree[2:]).unlink()
    found = read(grown)
    assert [dict(n.facts)["why"] for n in found.notices] == ["broken"]
    assert not (tmp_path / "fetched").exists()


def test_more_commits_than_the_limit_are_cut(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_COMMITS", 2)
    found = read(grown)
    assert [c.subject for c in found.commits] == ["third", "second"]
    assert found.cut
    monkeypatch.setattr(history, "MAX_COMMITS", 3)
    assert not read(grown).cut


def test_what_an_output_limit_leaves_is_given_and_said(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(grown)
    first = "".join(f"//{c.id} {c.time} {c.subject}" for c in whole.commits[:1])
    for limit in range(len(first), 400, 7):
        monkeypatch.setattr(history, "OUTPUT_LIMIT", limit)
        found = read(grown)
        if not found.notices:
            assert found == whole
            break
        assert found.commits == whole.commits[: len(found.commits)]
        assert found.cut
        count = str(len(found.commits))
        assert found.notices == (Notice("history-cut", (("why", "output"), ("count", count))),)
    else:
        pytest.fail("the answer never fitted")


def test_too_many_paths_are_cut_at_a_commit(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_PATHS", 4)
    found = read(grown)
    assert [c.subject for c in found.commits] == ["third", "second"]
    assert found.cut
    assert found.notices == (Notice("history-cut", (("why", "output"), ("count", "2"))),)


def slow_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that tells what it has and then stays."""
    real = os.environ["PATH"]
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\nPATH="{real}" git "$@"\nexec sleep 600\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{real}")
    monkeypatch.setattr(git, "TIME_LIMIT", 1.0)


def test_what_a_time_limit_leaves_is_given_and_said(
    grown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_git(tmp_path / "bin", monkeypatch)
    found = read(grown)
    assert [c.subject for c in found.commits] == ["third", "second"]
    assert found.cut
    assert found.notices == (Notice("history-cut", (("why", "timeout"), ("count", "2"))),)


def test_no_git_no_history_and_it_is_said(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = head(str(grown), str(grown))
    monkeypatch.setenv("PATH", "/nonexistent")
    assert read(grown) == History(head=at or "", notices=(Notice("history", (("why", "missing"),)),))


def test_before_the_first_commit_there_is_none(repository: Path) -> None:
    assert read(repository) == History()


def test_the_end_of_a_shallow_clone_is_no_commit_that_adds_everything(grown: Path, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", "--depth=2", f"file://{grown}", "clone")
    found = read(tmp_path / "clone")
    assert told(found) == [("third", ("sub/deep/c.py",))]
    assert found.cut
    assert found.notices == ()


def test_names_that_no_file_can_have_are_left_out(repository: Path) -> None:
    commit(repository, "plain", {"a": "1"})
    blob = run_git(repository, "rev-parse", "HEAD:a").decode().strip()
    odd = b"".join(
        b"100644 " + name + b"\0" + bytes.fromhex(blob) for name in (b"../up", b"//x", b"a", b"b//c")
    )
    (repository / "tree").write_bytes(odd)
    tree = run_git(repository, "hash-object", "--literally", "-t", "tree", "-w", "tree").decode().strip()
    made = run_git(repository, "commit-tree", "-m", "odd", tree).decode().strip()
    run_git(repository, "reset", "-q", "--soft", made)
    assert told(read(repository)) == [("odd", ("a",))]


names = st.text(st.characters(exclude_characters="/\0", exclude_categories=()), min_size=1, max_size=8)
segments = names.filter(lambda name: name not in (".", ".."))
ids = st.text("0123456789abcdef", min_size=40, max_size=40)


@given(
    st.lists(
        st.builds(
            Commit,
            id=ids,
            time=st.integers(0, 10**12),
            subject=st.text(max_size=20),
            paths=st.lists(segments, max_size=4, unique=True).map(lambda paths: tuple(sorted(paths))),
        ),
        max_size=6,
    ),
    ids,
    st.booleans(),
)
def test_a_stored_history_comes_back(found: list[Commit], at: str, cut: bool) -> None:
    notices = (Notice("history-cut", (("why", "timeout"), ("count", "3"))),) if cut else ()
    whole = History(tuple(found), at, cut, notices)
    assert History.from_bytes(whole.to_bytes()) == whole


def stored(**changes: Any) -> bytes:
    whole = History((Commit("a" * 40, 1, "s", ("a", "b")),), "b" * 40, False, (Notice("n", (("k", "v"),)),))
    return json.dumps(json.loads(whole.to_bytes()) | changes).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"[" * 200_000,
        b"{}",
        stored(format="knit history 0"),
        stored(head=3),
        stored(head="b"),
        stored(cut=1),
        stored(paths=["b", "a"]),
        stored(paths=["a", "a"]),
        stored(paths=["../a", "b"]),
        stored(paths=["a", 7]),
        stored(paths=["a"]),
        stored(commits=[["a" * 40, 1, "s", [-1]]]),
        stored(commits=[["a" * 40, 1, "s", [1, 0]]]),
        stored(commits=[["a" * 40, 1, "s", [0, 0.5]]]),
        stored(commits=[["a" * 40, True, "s", [0]]]),
        stored(commits=[["a" * 40, 1, 2, [0]]]),
        stored(commits=[["a", 1, "s", [0]]]),
        stored(commits=[["a" * 40, 1, "s"]]),
        stored(commits=7),
        stored(notices=[["n", [["k"]]]]),
        stored(notices=[[1, []]]),
        stored(notices=[["n", [["k", 1]]]]),
    ],
)
def test_anything_odd_is_no_stored_history(data: bytes) -> None:
    assert History.from_bytes(stored()).commits
    with pytest.raises(ValueError):
        History.from_bytes(data)


def test_a_stored_history_cut_anywhere_is_none() -> None:
    data = stored()
    for length in range(len(data)):
        with pytest.raises(ValueError):
            History.from_bytes(data[:length])
