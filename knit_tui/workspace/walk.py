"""One pass over the workspace: every folder that counts is listed once, every file looked at once.

Where git answers, its list is laid over what the folders hold, so that only what is really there,
and reached through real folders, is taken: a listing that names ``../x`` or ``.git/config`` finds nothing.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field

from knit_tui.model import Entry, Skip, Stamp
from knit_tui.workspace import git
from knit_tui.workspace.beneath import Beneath, open_regular, read_head
from knit_tui.workspace.classify import classify
from knit_tui.workspace.ground import GitMemory, Ground, Grounds, is_special, read_ignore_file
from knit_tui.workspace.ignore import BadIgnoreFile, IgnoreFile, IgnoreRules, byte_text
from knit_tui.workspace.text import HEAD, looks_binary, special_kind

PRUNED = frozenset(
    """
    .hg .svn __pycache__ node_modules .venv venv .mypy_cache .pytest_cache .ruff_cache .tox .cache
    """.split()
)
"""Folders that nobody means, where no ignore rule of git's says so."""
_LATEST_NS = 2**62
"""The year 2116. File systems hold times that 64 bits of nanoseconds do not; a later time counts as this."""
_ROUNDS = 12
"""Levels of empty folders that git is asked about; deeper ones are taken as not ignored."""


@dataclass(slots=True)
class Found:
    """What one pass found, unordered."""

    entries: dict[str, Entry] = field(default_factory=dict)
    binaries: dict[str, Stamp] = field(default_factory=dict)
    """Files of unknown name that turned out to be no text."""
    skips: list[Skip] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    ignore_files: set[tuple[str, Stamp]] = field(default_factory=set)


class Walk:
    """One pass, knowing what the pass before found."""

    def __init__(self, beneath: Beneath, grounds: Grounds, memory: GitMemory, before: Found) -> None:
        self._beneath = beneath
        self._grounds = grounds
        self._memory = memory
        self._before = before
        self._found = Found()
        self._waiting: list[tuple[str, Ground, IgnoreRules | None]] = []
        self._everything_readable = os.geteuid() == 0

    def run(self) -> Found:
        """Walk all of it."""
        ground = self._grounds.root()
        self._waiting.append(("", ground, ground.rules))
        rounds = 0
        while self._waiting:
            while self._waiting:
                self._visit(*self._waiting.pop())
            rounds += 1
            for ground in self._grounds.all:
                self._consider(ground, rounds)
        return self._found

    def _visit(self, rel: str, ground: Ground, rules: IgnoreRules | None) -> None:
        try:
            folder = self._beneath.folder(rel)
            with os.scandir(folder) as listing:
                entries = {entry.name: entry for entry in listing}
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError:
            self._found.skips.append(Skip(rel, "unreadable"))
            return
        if _is_git_folder(entries):
            self._found.skips.append(Skip(rel, "repository", "git's own folder"))
            return
        self._found.folders.append(rel)
        if rel and rel != ground.start:
            own = self._ground_of(rel, ground, ".git" in entries)
            if own:
                ground, rules = own, own.rules
        ignore_file = entries.get(".gitignore")
        if ignore_file:
            rules = self._ignore_file(ignore_file, rel, folder, ground, rules)
        prefix = f"{rel}/" if rel else ""
        if ground.listing:
            self._visit_listed(prefix, folder, ground, entries)
        else:
            self._visit_ruled(prefix, folder, ground, rules, entries)

    def _ground_of(self, rel: str, ground: Ground, has_git: bool) -> Ground | None:
        """The ground that starts at a folder, if one does."""
        if ground.listing is None:
            return self._grounds.nested(rel) if has_git else None
        local = ground.local(rel)
        if local in ground.listing.folders:
            return None
        if has_git:
            own = self._grounds.nested(rel)
            if own:
                return own
        if local in ground.listing.files or local in ground.listing.repositories:
            return self._grounds.plain(rel)
        return None

    def _visit_listed(
        self, prefix: str, folder: int, ground: Ground, entries: dict[str, os.DirEntry[str]]
    ) -> None:
        listing = ground.listing
        assert listing
        cut = len(ground.start) + 1 if ground.start else 0
        for name, entry in entries.items():
            path = prefix + name
            local = git.listed_name(path[cut:])
            if entry.is_dir(follow_symlinks=False):
                if _is_dot_git(name):
                    continue
                if local in listing.folders or local in listing.repositories or local in listing.files:
                    self._waiting.append((path, ground, None))
                elif name not in PRUNED:
                    ground.pending.append(path)
            elif local in listing.files:
                if not _is_dot_git(name):
                    self._file(entry, path, folder)
            elif (
                not entry.is_file(follow_symlinks=False) and not entry.is_symlink() and not _is_dot_git(name)
            ):
                ground.pending.append(path)

    def _visit_ruled(
        self,
        prefix: str,
        folder: int,
        ground: Ground,
        rules: IgnoreRules | None,
        entries: dict[str, os.DirEntry[str]],
    ) -> None:
        top_prefix = ground.from_top(prefix[:-1])
        top_prefix = f"{top_prefix}/" if top_prefix else ""
        for name, entry in entries.items():
            if _is_dot_git(name):
                continue
            path = prefix + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if rules:
                plain = byte_text(name)
                if rules.ignored(top_prefix + plain, plain, is_folder):
                    continue
            if not is_folder:
                self._file(entry, path, folder)
            elif name in PRUNED:
                self._found.skips.append(Skip(path, "folder"))
            else:
                self._waiting.append((path, ground, rules))

    def _file(self, entry: os.DirEntry[str], path: str, folder: int) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError:
            self._found.skips.append(Skip(path, "unreadable"))
            return
        mode = status.st_mode
        if not stat.S_ISREG(mode):
            self._not_regular(entry, path, folder, mode)
            return
        if not (mode & 0o444 or self._everything_readable):
            self._found.skips.append(Skip(path, "unreadable"))
            return
        known = self._before.entries.get(path)
        if known is not None:
            stamp = known.stamp
            if (
                stamp.mtime_ns == status.st_mtime_ns
                and stamp.size == status.st_size
                and stamp.inode == status.st_ino
            ):
                self._found.entries[path] = known
                return
        stamp = _stamp(status)
        if self._before.binaries.get(path) == stamp:
            self._binary(path, stamp)
            return
        class_ = classify(path)
        if not class_.known:
            try:
                text = self._is_text(entry.name, folder)
            except FileNotFoundError:
                return
            except OSError:
                self._found.skips.append(Skip(path, "unreadable"))
                return
            if not text:
                self._binary(path, stamp)
                return
        self._found.entries[path] = Entry(path, class_.kind, class_.language, class_.access, stamp)

    def _is_text(self, name: str, folder: int) -> bool:
        descriptor = open_regular(name, folder)
        try:
            return not looks_binary(read_head(descriptor, HEAD))
        finally:
            os.close(descriptor)

    def _binary(self, path: str, stamp: Stamp) -> None:
        self._found.binaries[path] = stamp
        self._found.skips.append(Skip(path, "binary"))

    def _not_regular(self, entry: os.DirEntry[str], path: str, folder: int, mode: int) -> None:
        if entry.name == ".gitignore":
            return
        if stat.S_ISLNK(mode):
            try:
                target = os.readlink(entry.name, dir_fd=folder)
            except OSError:
                target = ""
            self._found.skips.append(Skip(path, "symlink", target))
        else:
            self._found.skips.append(Skip(path, "special", special_kind(mode)))

    def _ignore_file(
        self,
        entry: os.DirEntry[str],
        rel: str,
        folder: int,
        ground: Ground,
        rules: IgnoreRules | None,
    ) -> IgnoreRules | None:
        """The rules below a folder that has an ignore file; a bad one is told and passed over."""
        path = f"{rel}/{entry.name}" if rel else entry.name
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return rules
        stamp = _stamp(status)
        self._found.ignore_files.add((path, stamp))
        if not stat.S_ISREG(status.st_mode):
            self._found.skips.append(Skip(path, "ignore-file", special_kind(status.st_mode)))
            return rules
        if ground.listing:
            return None
        try:
            parsed = self._parsed(entry.name, path, stamp, folder)
        except BadIgnoreFile as error:
            self._found.skips.append(Skip(path, "ignore-file", str(error)))
            return rules
        except OSError:
            self._found.skips.append(Skip(path, "ignore-file", "unreadable"))
            return rules
        base = ground.from_top(rel)
        return IgnoreRules(parsed, f"{base}/" if base else "", rules)

    def _parsed(self, name: str, path: str, stamp: Stamp, folder: int) -> IgnoreFile:
        known = self._memory.parsed.get(path)
        if known is None or known[0] != stamp:
            try:
                known = (stamp, read_ignore_file(name, folder))
            except BadIgnoreFile as error:
                known = (stamp, error)
            self._memory.parsed[path] = known
        if isinstance(known[1], BadIgnoreFile):
            raise BadIgnoreFile(str(known[1]))
        return known[1]

    def _consider(self, ground: Ground, rounds: int) -> None:
        """Look into the folders that git does not name and does not ignore: they are empty as yet."""
        pending, ground.pending = ground.pending, []
        if not pending:
            return
        ignored = self._grounds.ignored(ground, pending) if rounds <= _ROUNDS else set()
        for path in pending:
            if path in ignored:
                continue
            parent, _, name = path.rpartition("/")
            try:
                mode = os.stat(name, dir_fd=self._beneath.folder(parent), follow_symlinks=False).st_mode
            except OSError:
                continue
            if stat.S_ISDIR(mode):
                self._waiting.append((path, ground, None))
            elif is_special(mode) and name != ".gitignore":
                self._found.skips.append(Skip(path, "special", special_kind(mode)))


def _stamp(status: os.stat_result) -> Stamp:
    mtime = max(-_LATEST_NS, min(status.st_mtime_ns, _LATEST_NS))
    return Stamp(mtime, status.st_size, status.st_ino)


def _is_dot_git(name: str) -> bool:
    """Git's own name, in any letter case: some file systems make no difference."""
    return name[0] == "." and len(name) == 4 and name.lower() == ".git"


def _is_git_folder(entries: dict[str, os.DirEntry[str]]) -> bool:
    """Whether what a folder holds makes it git's own: a bare repository, a git folder elsewhere."""
    return "HEAD" in entries and (
        "commondir" in entries
        or all(
            name in entries and entries[name].is_dir(follow_symlinks=False) for name in ("objects", "refs")
        )
    )
