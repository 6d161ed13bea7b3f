"""The project's own history: which files were changed together, when, and in what words."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import Any

from knit_tui.model import Commit, Notice
from knit_tui.workspace.beneath import parts_of
from knit_tui.workspace.git import GitError, ask, listed_name
from knit_tui.workspace.refs import find_head, shallow

MAX_COMMITS = 4_000
MAX_PATHS = 400_000
"""Paths of all commits together."""
OUTPUT_LIMIT = 32 * 1024 * 1024
"""Bytes that git may say of them."""
SUBJECT_LENGTH = 300
"""Characters of a subject that are kept."""

_FORMAT = "knit history 1"
_STORED_LIMIT = 64 * 1024 * 1024
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MARK = b"//"
"""What a commit begins with in the answer; no path in git has it."""
_HEADER = re.compile(rb"//([0-9a-f]{40}(?:[0-9a-f]{24})?) (-?\d{1,20}) (.*)", re.DOTALL)

_GLOBAL = ("--no-replace-objects", "-c", "log.showRoot=true")
_LOG = (
    "log", "-z", "--name-only", "--relative", "--no-merges", "--no-renames", "--ignore-submodules=all",
    "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-mailmap", "--no-notes", "--no-decorate",
    "--no-color", "--encoding=UTF-8", "-O/dev/null", "--format=tformat://%H %ct %s",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class History:
    """The newest commits, newest first, without merges."""

    commits: tuple[Commit, ...] = ()
    head: str = ""
    """The commit they lead up to; empty before the first commit."""
    cut: bool = False
    """Whether there are older commits that are not among them."""
    notices: tuple[Notice, ...] = ()
    """``history`` (``why`` git gave none) or ``history-cut`` (``why``: timeout or output; ``count`` read)."""

    def to_bytes(self) -> bytes:
        """Pack for storage; ``from_bytes`` gives an equal value back."""
        paths = sorted({path for commit in self.commits for path in commit.paths})
        places = {path: place for place, path in enumerate(paths)}
        stored = {
            "format": _FORMAT,
            "head": self.head,
            "cut": self.cut,
            "notices": [[notice.code, notice.facts] for notice in self.notices],
            "paths": paths,
            "commits": [
                [commit.id, commit.time, commit.subject, [places[path] for path in commit.paths]]
                for commit in self.commits
            ],
        }
        return json.dumps(stored, separators=(",", ":")).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> History:
        """Unpack what ``to_bytes`` gave.

        Raises:
            ValueError: it is something else, damaged, or of another version.
        """
        if len(data) > _STORED_LIMIT:
            raise ValueError("too long for a history")
        try:
            stored = json.loads(data)
            if stored["format"] != _FORMAT:
                raise ValueError("not a history of this version")
            paths = _checked_paths(stored["paths"])
            history = cls(
                tuple(_checked_commit(commit, paths) for commit in stored["commits"]),
                stored["head"],
                stored["cut"],
                tuple(_checked_notice(notice) for notice in stored["notices"]),
            )
            if not isinstance(history.cut, bool) or not (history.head == "" or _ID.fullmatch(history.head)):
                raise ValueError("odd head")
        except (KeyError, TypeError, IndexError, RecursionError) as error:
            raise ValueError("not a history") from error
        return history


def commits(folder: str, top: str) -> History:
    """Read the history of what is below a folder, with paths relative to it.

    What a limit of time or output leaves is given, and a notice says so.

    Args:
        folder: an absolute path, ``top`` or below it.
        top: the top of its work tree.
    """
    head = ""
    try:
        head = find_head(folder, top) or ""
        if not head:
            return History()
        ends = shallow(top)
        below = [] if folder == top else ["."]
        answer = ask(
            [*_GLOBAL, *_LOG, f"--max-count={MAX_COMMITS + 1}", head, "--", *below],
            folder,
            top,
            output_limit=OUTPUT_LIMIT,
        )
        why = ""
    except GitError as error:
        if error.why not in ("timeout", "output"):
            return History(head=head, notices=(Notice("history", (("why", error.why),)),))
        why = error.why
        # The last commit may be half told.
        answer = error.output[: max(0, error.output.rfind(b"\0" + _MARK) + 1)]
        ends = frozenset()
    found, whole = _commits(answer, ends)
    why = why or ("" if whole else "output")
    notices = (Notice("history-cut", (("why", why), ("count", str(len(found))))),) if why else ()
    cut = bool(why or ends) or len(found) > MAX_COMMITS
    return History(tuple(found[:MAX_COMMITS]), head, cut, notices)


def _commits(answer: bytes, ends: frozenset[str]) -> tuple[list[Commit], bool]:
    """The commits of an answer except those of ``ends``; False when they have too many paths together."""
    found: list[Commit] = []
    names: dict[bytes, str] = {}
    total = 0
    header: re.Match[bytes] | None = None
    paths: list[str] = []
    first = True

    def finish() -> None:
        if header and (commit := header[1].decode("ascii")) not in ends:
            subject = header[3].decode("utf-8", "replace")[:SUBJECT_LENGTH]
            found.append(Commit(commit, int(header[2]), subject, tuple(sorted(set(paths)))))

    for piece in answer.split(b"\0"):
        if piece.startswith(_MARK) and (following := _HEADER.fullmatch(piece)):
            finish()
            header, paths, first = following, [], True
            continue
        if first:
            piece = piece.removeprefix(b"\n")  # it divides the header from the first path
            first = False
        name = names.get(piece)
        if name is None:
            name = names[piece] = listed_name(os.fsdecode(piece))
        if parts_of(name) is not None:
            paths.append(name)
            total += 1
            if total > MAX_PATHS:
                return found, False
    finish()
    return found, True


def _checked_paths(stored: Any) -> list[str]:
    paths = [path for path in stored if isinstance(path, str) and parts_of(path) is not None]
    if paths != stored or sorted(set(paths)) != paths:
        raise ValueError("odd paths")
    return paths


def _checked_commit(stored: Any, paths: list[str]) -> Commit:
    commit, time, subject, places = stored
    if not (_ID.fullmatch(commit) and type(time) is int and isinstance(subject, str)):
        raise ValueError("odd commit")
    # There are thousands of them, so no loop of our own.
    if not {*map(type, places)} <= {int} or sorted({*places}) != places or (places and places[0] < 0):
        raise ValueError("odd paths of a commit")
    return Commit(commit, time, subject, tuple(paths[place] for place in places))


def _checked_notice(stored: Any) -> Notice:
    code, facts = stored
    if not isinstance(code, str) or not all(
        isinstance(text, str) and len(fact) == 2 for fact in facts for text in fact
    ):
        raise ValueError("odd notice")
    return Notice(code, tuple((key, value) for key, value in facts))
