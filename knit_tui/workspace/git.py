"""Read-only questions to git, asked so that a hostile repository can neither run nor hang anything.

Only ``ls-files``, ``check-ignore``, ``log`` and ``rev-parse`` are asked: they run no filter, hook or helper
once the file system monitor is off and no content is compared. The work tree is always named, so that
``core.worktree`` points nowhere else.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT = 5.0
"""Seconds that one question may take."""
OUTPUT_LIMIT = 128 * 1024 * 1024
"""Bytes of one answer: about a million paths."""
_PATIENCE = 0.25
"""Seconds after which a look at the tree may explain why there is no answer yet."""
_ERROR_LIMIT = 64 * 1024

_OPTIONS = (
    "--no-optional-locks",
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit",
)  # fmt: skip
_KEPT_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "TMPDIR")
_SET_VARIABLES = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
}


class GitError(Exception):
    """Git gave no whole answer. ``why``: ``missing``, ``refused``, ``broken``, ``timeout``, ``output``.

    ``output`` is what it had said when a limit of time or output was hit.
    """

    def __init__(self, why: str, output: bytes = b"") -> None:
        super().__init__(why)
        self.why = why
        self.output = output


class Blocked(GitError):
    """A FIFO in the place of a file keeps git waiting; ``path`` is its absolute path."""

    def __init__(self, path: str) -> None:
        super().__init__("blocked")
        self.path = path


@dataclass(frozen=True, slots=True)
class Listing:
    """What git has to say of a folder: everything relative to it."""

    files: frozenset[str]
    """Tracked, or neither tracked nor ignored; some may be gone or be folders (submodules)."""
    repositories: frozenset[str]
    """Folders that are other repositories."""
    folders: frozenset[str]
    """Every folder above any of them, without the folder itself."""


def work_tree(folder: str) -> str | None:
    """The top of the work tree that a folder stands in, as git would find it, or None.

    Args:
        folder: an absolute path without links.
    """
    try:
        device = os.stat(folder).st_dev
        while True:
            if is_git_folder(folder):
                return None
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                entry = f"{folder}/.git"
                mode = os.stat(entry).st_mode
                if stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and is_git_folder(entry)):
                    return folder
            parent = os.path.dirname(folder)
            if parent == folder or os.stat(parent).st_dev != device:
                return None
            folder = parent
    except OSError:
        return None


def above(folder: str, top: str) -> list[str]:
    """The folders from ``top`` down to the one that ``folder`` stands in; none when they are the same."""
    found: list[str] = []
    while folder != top and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        found.insert(0, folder)
    return found


def is_git_folder(folder: str) -> bool:
    """Whether a folder is git's own (a ``.git``, a bare repository), by the test that git makes."""
    return os.path.lexists(f"{folder}/HEAD") and (
        os.path.lexists(f"{folder}/commondir")
        or (os.path.isdir(f"{folder}/objects") and os.path.isdir(f"{folder}/refs"))
    )


def list_files(folder: str, top: str) -> Listing:
    """Every file below ``folder`` that is tracked or not ignored.

    Args:
        folder: an absolute path, ``top`` or below it.
        top: the top of its work tree.

    Raises:
        GitError: git gave no answer.
    """
    answer = ask(
        ["ls-files", "-co", "--exclude-standard", "-z"], folder, top, blocking=find_blocking(folder, top)
    )
    files: set[str] = set()
    repositories: set[str] = set()
    folders: set[str] = set()
    for path in listed_name(os.fsdecode(answer)).split("\0"):
        if path.endswith("/"):
            path = path[:-1]
            repositories.add(path)
        elif path:
            files.add(path)
        parent = path.rpartition("/")[0]
        while parent and parent not in folders:
            folders.add(parent)
            parent = parent.rpartition("/")[0]
    return Listing(frozenset(files), frozenset(repositories), frozenset(folders))


def listed_name(path: str) -> str:
    """A path as listings have it: where the file system does not care, accents are composed."""
    return unicodedata.normalize("NFC", path) if sys.platform == "darwin" else path


def ignored(folder: str, top: str, paths: Iterable[str]) -> set[str]:
    """Which of the paths below ``folder`` git ignores.

    Raises:
        GitError: git gave no answer.
    """
    # A path that begins with a colon would be taken for more than a path.
    feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    answer = ask(
        ["check-ignore", "-z", "--stdin"],
        folder,
        top,
        feed=feed,
        passing=(0, 1),
        blocking=find_blocking(folder, top),
    )
    return {path[2:] for path in os.fsdecode(answer).split("\0") if path}


def _search_path(top: str) -> str:
    """The places where programs are, without any that the workspace has a say in."""
    return os.pathsep.join(
        place
        for place in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if os.path.isabs(place) and Path(top) not in (Path(place), *Path(place).parents)
    )


def _environment(top: str, search_path: str) -> dict[str, str]:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment.update(_SET_VARIABLES)
    environment["PATH"] = search_path
    # A repository that turns out to be none must not make git take one further up.
    environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(top)
    return environment


def ask(
    arguments: list[str],
    folder: str,
    top: str,
    *,
    feed: bytes = b"",
    passing: tuple[int, ...] = (0,),
    output_limit: int | None = None,
    blocking: Iterator[str | None] | None = None,
) -> bytes:
    """Run git in a process group of its own and give its output.

    What it is fed stands in a file, so that neither side ever waits for the other.

    Args:
        arguments: a verb that only reads, with what follows it; further global options may stand first.
        folder: where it runs, absolute.
        top: the top of the work tree that the folder stands in.
        feed: what git reads from its standard input.
        passing: the exit codes of an answer.
        output_limit: bytes of the answer, ``OUTPUT_LIMIT`` when not given.
        blocking: a search like ``find_blocking`` for what keeps git waiting.

    Raises:
        GitError: missing, failed, too slow or too talkative.
    """
    search_path = _search_path(top)
    program = shutil.which("git", path=search_path)
    if not program:
        raise GitError("missing")
    try:
        with tempfile.TemporaryFile() if feed else open(os.devnull, "rb") as source:
            if feed:
                source.write(feed)
                source.seek(0)
            process = subprocess.Popen(
                [program, *_OPTIONS, f"--work-tree={top}", *arguments],
                cwd=folder,
                env=_environment(top, search_path),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
    except (OSError, ValueError) as error:
        raise GitError("broken") from error
    try:
        output, errors = _collect(process, OUTPUT_LIMIT if output_limit is None else output_limit, blocking)
    except BaseException:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
    if process.returncode not in passing:
        raise GitError("refused" if b"dubious ownership" in errors else "broken")
    return output


def _collect(
    process: subprocess.Popen[bytes], output_limit: int, blocking: Iterator[str | None] | None
) -> tuple[bytes, bytes]:
    """Read both streams to their ends, within the limits; find out why when nothing comes."""
    assert process.stdout and process.stderr
    started = time.monotonic()
    output, errors = bytearray(), bytearray()
    search: Iterator[str | None] = blocking or iter(())
    searching = blocking is not None
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            passed = time.monotonic() - started
            if passed > TIME_LIMIT:
                raise GitError("timeout", bytes(output))
            if searching and passed > _PATIENCE:
                wait = 0.0
                found = next(search, "")
                if found:
                    raise Blocked(found)
                searching = found is None
            else:
                wait = (_PATIENCE if searching else TIME_LIMIT) - passed + 0.001
            for key, _ in selector.select(wait):
                piece = os.read(key.fd, 1024 * 1024)
                if not piece:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    output += piece
                    searching = False
                    if len(output) > output_limit:
                        raise GitError("output", bytes(output))
                elif len(errors) < _ERROR_LIMIT:
                    errors += piece
    try:
        process.wait(max(0.1, TIME_LIMIT - (time.monotonic() - started)))
    except subprocess.TimeoutExpired as error:
        raise GitError("timeout", bytes(output)) from error
    return bytes(output), bytes(errors)


def is_fifo(path: str) -> bool:
    """Whether opening this path would wait for a writer."""
    try:
        return stat.S_ISFIFO(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def find_blocking(folder: str, top: str) -> Iterator[str | None]:
    """Look for a file that git reads and that is a FIFO: git opens it and waits for ever.

    Yields None after each folder looked at, nearest first, and the absolute path of each one found.
    """
    own = (f"{top}/.git/{name}" for name in ("HEAD", "config", "index", "packed-refs", "info/exclude"))
    yield from filter(is_fifo, (*own, *(f"{place}/.gitignore" for place in above(folder, top))))
    waiting = [folder]
    while waiting:
        deeper: list[str] = []
        for place in waiting:
            with contextlib.suppress(OSError), os.scandir(place) as entries:
                for entry in entries:
                    if entry.name == ".gitignore" and is_fifo(entry.path):
                        yield entry.path
                    elif entry.name != ".git" and entry.is_dir(follow_symlinks=False):
                        deeper.append(entry.path)
            yield None
        waiting = deeper
