"""Who says which files of a folder count: git, for a work tree that it answers for, or the ignore rules.

A ground is one stretch of the workspace under one such authority: the root, and below it every
repository of its own. Whether git is worth asking again is remembered from scan to scan.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knit_tui.model import Stamp
from knit_tui.workspace import git
from knit_tui.workspace.beneath import NotRegular, open_regular, read_head
from knit_tui.workspace.ignore import (
    SIZE_LIMIT,
    BadIgnoreFile,
    IgnoreFile,
    IgnoreRules,
    byte_text,
    parse,
)

FIRST_PAUSE = 60.0
"""Seconds until git is asked again after it was too slow; doubled each time."""
LONGEST_PAUSE = 960.0
_PATIENCE = 2 * git.TIME_LIMIT
"""Seconds that one scan waits for git in vain; after that it asks no more."""
_ANSWER_AGE = 60.0
"""Seconds that an answer about an ignored folder holds while no ignore file changes."""


@dataclass(slots=True)
class Ground:
    """A stretch of the workspace whose files one authority names."""

    start: str
    """Where it starts, relative to the workspace."""
    place: str
    """The same as an absolute path without links."""
    top: str
    """The top of its work tree, absolute; ``place`` itself outside git and in nested repositories."""
    listing: git.Listing | None = None
    rules: IgnoreRules | None = None
    """Without a listing: the ignore rules that hold at its start."""
    pending: list[str] = field(default_factory=list)
    """With a listing: folders and special files it does not name, ignored or empty."""

    @property
    def names_nothing(self) -> bool:
        """Whether git answers for this ground and knows no file on it."""
        return self.listing is not None and not self.listing.files and not self.listing.repositories

    def local(self, rel: str) -> str:
        """A path of the workspace relative to where this ground starts, as a listing has it."""
        return git.listed_name(rel[len(self.start) + 1 :] if self.start else rel)

    def from_top(self, rel: str) -> str:
        """A path of the workspace as the ignore rules see it: bytes from the top."""
        inner = self.place[len(self.top) + 1 :]
        local = self.local(rel)
        return byte_text(f"{inner}/{local}" if inner and local else inner or local)


@dataclass(slots=True)
class _Trouble:
    """Why git is not asked about a folder for now."""

    why: str
    pause: float = 0.0
    until: float = 0.0
    blocking: set[str] = field(default_factory=set)
    ignore_files: frozenset[tuple[str, Stamp]] | None = None
    """The ignore files found without git; when they change, git may do better."""


@dataclass(slots=True)
class GitMemory:
    """What one scan learns about git for the next."""

    clock: Callable[[], float] = time.monotonic
    troubles: dict[str, _Trouble] = field(default_factory=dict)
    answers: dict[str, tuple[bool, float]] = field(default_factory=dict)
    """For a folder that a listing does not name: whether it is ignored, and when git said so."""
    ignore_files: frozenset[tuple[str, Stamp]] | None = None
    """All that the last scan met; None before the first one."""
    parsed: dict[str, tuple[Stamp, IgnoreFile | BadIgnoreFile]] = field(default_factory=dict)

    def settle(self, ignore_files: frozenset[tuple[str, Stamp]]) -> bool:
        """Take in the ignore files that a scan met; True when git may say something else now."""
        again = False
        if ignore_files != self.ignore_files:
            if self.ignore_files is not None and self.answers:
                self.answers.clear()
                again = True
            self.ignore_files = ignore_files
        known = {path for path, _ in ignore_files}
        self.parsed = {path: parsed for path, parsed in self.parsed.items() if path in known}
        for trouble in self.troubles.values():
            if trouble.ignore_files is None:
                trouble.ignore_files = ignore_files
            elif trouble.ignore_files != ignore_files and not trouble.blocking:
                trouble.ignore_files = ignore_files
                trouble.until = 0.0
                again = True
        return again


class Grounds:
    """The grounds of one scan, and what went wrong with git on them."""

    def __init__(self, root: str, memory: GitMemory) -> None:
        self._place = os.path.realpath(root)
        self._memory = memory
        self._lost = 0.0
        self.all: list[Ground] = []
        self.failures: dict[str, list[str]] = {}
        """Reason -> the folders that git did not answer for."""
        self.ignored_root = False

    def root(self) -> Ground:
        """The ground that the workspace itself stands on."""
        place = self._place
        top = git.work_tree(place)
        if top is None:
            if os.path.lexists(f"{place}/.git"):
                self._failed("broken", "")
            return self._added(Ground("", place, place))
        ground = Ground("", place, top)
        if not self._listed(ground):
            ground.rules = self._outer_rules(ground)
        elif place != top and ground.names_nothing and self._is_ignored(place, top):
            ground = Ground("", place, place)
            self.ignored_root = True
        return self._added(ground)

    def nested(self, rel: str) -> Ground | None:
        """The ground of a repository inside the workspace, or None when it is none after all."""
        place = f"{self._place.rstrip('/')}/{rel}"
        if git.work_tree(place) != place:
            return None
        ground = Ground(rel, place, place)
        if not self._listed(ground):
            ground.rules = self._outer_rules(ground)
        return self._added(ground)

    def plain(self, rel: str) -> Ground:
        """A ground without git, for the place of a submodule that is not checked out."""
        place = f"{self._place.rstrip('/')}/{rel}"
        return self._added(Ground(rel, place, place))

    def ignored(self, ground: Ground, rels: list[str]) -> set[str]:
        """Which of these paths, not named by the listing, git ignores; all of them if it does not say."""
        now = self._memory.clock()
        answers = self._memory.answers
        unknown = [rel for rel in rels if rel not in answers or now - answers[rel][1] > _ANSWER_AGE]
        if unknown:
            try:
                said = git.ignored(ground.place, ground.top, [ground.local(rel) for rel in unknown])
            except git.GitError:
                said = {ground.local(rel) for rel in unknown}
            for rel in unknown:
                answers[rel] = (ground.local(rel) in said, now)
        return {rel for rel in rels if answers[rel][0]}

    def _added(self, ground: Ground) -> Ground:
        self.all.append(ground)
        return ground

    def _listed(self, ground: Ground) -> bool:
        """Ask git for the files of a ground; False when it does not say."""
        troubles, clock = self._memory.troubles, self._memory.clock
        trouble = troubles.get(ground.place)
        if trouble and (
            any(map(git.is_fifo, trouble.blocking)) or (not trouble.blocking and clock() < trouble.until)
        ):
            return self._failed(trouble.why, ground.start)
        if self._lost > _PATIENCE:
            return self._failed("timeout", ground.start)
        started = time.monotonic()
        try:
            ground.listing = git.list_files(ground.place, ground.top)
        except git.Blocked as error:
            blocking = (trouble.blocking if trouble else set()) | {error.path}
            troubles[ground.place] = _Trouble(error.why, blocking=blocking)
            self._lost += time.monotonic() - started
            return self._failed(error.why, ground.start)
        except git.GitError as error:
            if error.why in ("timeout", "output"):
                self._lost += time.monotonic() - started
                pause = min(2 * trouble.pause, LONGEST_PAUSE) if trouble and trouble.pause else FIRST_PAUSE
                troubles[ground.place] = _Trouble(error.why, pause, clock() + pause)
            return self._failed(error.why, ground.start)
        troubles.pop(ground.place, None)
        return True

    def _failed(self, why: str, rel: str) -> bool:
        self.failures.setdefault(why, []).append(rel)
        return False

    def _is_ignored(self, place: str, top: str) -> bool:
        inner = place[len(top) + 1 :]
        try:
            return inner in git.ignored(top, top, [inner])
        except git.GitError:
            return False

    def _outer_rules(self, ground: Ground) -> IgnoreRules | None:
        """The rules of a work tree that hold at the start of a ground, when git does not tell."""
        rules: IgnoreRules | None = None
        for folder, name in [
            (f"{ground.top}/.git/info", "exclude"),
            *((folder, ".gitignore") for folder in git.above(ground.place, ground.top)),
        ]:
            try:
                descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                base = byte_text(folder[len(ground.top) + 1 :]) if name == ".gitignore" else ""
                rules = IgnoreRules(read_ignore_file(name, descriptor), f"{base}/" if base else "", rules)
            except (OSError, BadIgnoreFile):
                continue
            finally:
                os.close(descriptor)
        return rules


def read_ignore_file(name: str, folder: int) -> IgnoreFile:
    """Read an ignore file by its name in an open folder.

    Raises:
        BadIgnoreFile: it is none, and why.
        OSError: it is gone or unreadable.
    """
    try:
        descriptor = open_regular(name, folder)
    except NotRegular as error:
        raise BadIgnoreFile("no regular file") from error
    try:
        return parse(read_head(descriptor, SIZE_LIMIT + 1))
    finally:
        os.close(descriptor)


def is_special(mode: int) -> bool:
    """Whether a file is neither a regular one nor a folder nor a link."""
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
