"""Named arrays on disk, one folder a workspace, for whoever can do without them.

Goals: a reader never sees half of anything and is never waited for; a process that is killed at any
moment leaves what was there before; damage at any byte is noticed; where nothing can be written
everything works as before, and it is said once.

Layout: ``<cache folder>/<hash of the root>/`` holds blocks, files of raw arrays that never change and
are named by their content, and one ``manifest``, which names the blocks, their arrays and checksums.
Each file is written under another name and renamed; the rename of the manifest is what counts. Only
the process that holds the file lock writes. Nothing is ever unpickled.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import stat
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from knit_tui.paths import NoFolder, cache_folder
from knit_tui.workspace.manifest import (
    Manifest,
    Stored,
    StoredArray,
    read_manifest,
    written_manifest,
)
from knit_tui.workspace.own import Damaged, folder_name, open_own, read_whole, words_of, write_whole

MANIFEST, LOCK = "manifest", "lock"
PASSING = re.compile(r"tmp-[0-9a-f]+|[0-9a-f]{32}\.block")
"""Names of files that no manifest need name: they are removed then."""
LARGEST_MANIFEST = 16 << 20
LARGEST_NOTE = 64 << 20
_ALIGN = 64
_ATTEMPTS = 3

Array = npt.NDArray[Any]


class Unusable(Exception):
    """The cache cannot be used: ``path`` and ``why``, a code or the words of the system."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class Outdated(Exception):
    """What is stored does not fit: ``why`` is ``damaged``, ``version`` or ``foreign``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, eq=False)
class Block:
    """Arrays that are stored together. A Block that was stored or loaded is not written again."""

    arrays: Mapping[str, Array]


class Cache:
    """The stored blocks of one workspace.

    ``fingerprint`` stands for all that the content of the arrays depends on besides the workspace: what
    was stored under another one is not loaded. Not safe for use by two threads at once.
    """

    def __init__(self, root: Path, fingerprint: str, environ: Mapping[str, str] = os.environ) -> None:
        self._root = Path(os.path.abspath(root))
        self._environ = environ
        self._fingerprint = fingerprint
        self._lock: int | None = None
        self._stored: dict[Block, Stored] = {}

    @property
    def folder(self) -> Path:
        """The folder of this workspace; it need not exist.

        Raises:
            Unusable: the user has no cache, or wants none.
        """
        try:
            return cache_folder(self._environ) / folder_name(self._root)
        except NoFolder as error:
            raise Unusable(Path("~"), error.reason) from None

    def load(self) -> dict[str, Block] | None:
        """The blocks that were saved last, arrays mapped into memory; None when there are none.

        Raises:
            Outdated: what is there is of no use.
            Unusable: nothing can be read or written there.
        """
        folder = self.folder
        self._examine(folder)
        try:
            for attempt in range(_ATTEMPTS):
                try:
                    return self._load(folder)
                except FileNotFoundError:  # another process saved in the meantime and removed old blocks
                    if attempt == _ATTEMPTS - 1:
                        raise Outdated("damaged") from None
        except Damaged:
            raise Outdated("damaged") from None
        except OSError as error:
            raise Unusable(folder, words_of(error)) from None
        return None

    def _load(self, folder: Path) -> dict[str, Block] | None:
        try:
            data = read_whole(folder / MANIFEST, LARGEST_MANIFEST)
        except FileNotFoundError:
            return None
        manifest = read_manifest(data)
        if manifest.root != os.fsencode(self._root):
            raise Outdated("foreign")
        if manifest.fingerprint != self._fingerprint:
            raise Outdated("version")
        stored: dict[Block, Stored] = {}
        blocks = {}
        for name, facts in manifest.blocks.items():
            blocks[name] = Block(_mapped(folder / facts.file, facts))
            stored[blocks[name]] = facts
        self._stored = stored
        return blocks

    def save(self, blocks: Mapping[str, Block]) -> bool:
        """Store ``blocks`` in place of what is stored. False when another process is the writer.

        Raises:
            Unusable: it cannot be written. What was stored before is still there.
        """
        folder = self.folder
        try:
            self._prepare(folder)
            if not self._locked(folder):
                return False
            stored = {block: self._write_block(folder, block) for block in blocks.values()}
            names = {name: stored[block] for name, block in blocks.items()}
            manifest = Manifest(os.fsencode(self._root), self._fingerprint, names)
            write_whole(folder, MANIFEST, written_manifest(manifest))
            self._stored = stored
            self._clean(folder, {facts.file for facts in stored.values()})
        except OSError as error:
            raise Unusable(folder, words_of(error)) from None
        return True

    def note(self, name: str, data: bytes) -> None:
        """Keep bytes beside the blocks, under a name of lower case letters; lost when it cannot be."""
        try:
            folder = self.folder
            self._examine(folder)
            if os.path.isdir(folder) and self._locked(folder):
                write_whole(folder, f"note-{name}", data)
        except (OSError, Unusable):
            return

    def noted(self, name: str) -> bytes:
        """What ``note`` kept; empty when there is nothing."""
        try:
            return read_whole(self.folder / f"note-{name}", LARGEST_NOTE)
        except (OSError, Damaged, Unusable):
            return b""

    def close(self) -> None:
        """Let another process be the writer."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _examine(self, folder: Path) -> None:
        """Check the folders there are on the way to ``folder``.

        Raises:
            Unusable: one is no plain folder of the user's own, or lies in the workspace.
        """
        base = folder.parent
        if os.path.realpath(base).startswith(os.path.join(os.path.realpath(self._root), "")):
            raise Unusable(base, "inside")
        for place in (base, folder):
            try:
                facts = os.lstat(place)
            except FileNotFoundError:
                return
            except OSError as error:
                raise Unusable(place, words_of(error)) from None
            if not stat.S_ISDIR(facts.st_mode):
                raise Unusable(place, "symlink" if stat.S_ISLNK(facts.st_mode) else "no-folder")
            if facts.st_uid != os.geteuid():
                raise Unusable(place, "owner")
            if facts.st_mode & 0o022:
                raise Unusable(place, "shared")

    def _prepare(self, folder: Path) -> None:
        self._examine(folder)
        missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
        for place in reversed(missing):
            with suppress(FileExistsError):  # another process may have been faster
                os.mkdir(place, 0o700)
            os.chmod(place, 0o700)  # whatever the umask says
        self._examine(folder)
        for place in (folder.parent, folder):
            if os.stat(place).st_mode & 0o777 != 0o700:
                os.chmod(place, 0o700)

    def _locked(self, folder: Path) -> bool:
        """Whether this process is the writer; it tries to become it."""
        path = folder / LOCK
        if self._lock is not None:
            if os.path.lexists(path) and os.path.samestat(os.fstat(self._lock), os.lstat(path)):
                return True
            self.close()  # the folder was cleared meanwhile
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except OSError:
            os.close(descriptor)
            raise
        self._lock = descriptor
        return True

    def _write_block(self, folder: Path, block: Block) -> Stored:
        facts = self._stored.get(block)
        if facts is None or not _has_size(folder / facts.file, facts.size):
            data, facts = _laid_out(block.arrays)
            # One of that name may be what was found to be damaged, so it is written whatever is there.
            write_whole(folder, facts.file, data)
        return facts

    def _clean(self, folder: Path, used: set[str]) -> None:
        """Remove what no manifest names, left by an earlier state or by a process that was killed."""
        for name in os.listdir(folder):
            if PASSING.fullmatch(name) and name not in used:
                os.unlink(folder / name)


def _mapped(path: Path, facts: Stored) -> dict[str, Array]:
    descriptor = open_own(path)
    try:
        if os.fstat(descriptor).st_size != facts.size:
            raise Damaged("size")
        data = mmap.mmap(descriptor, facts.size, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)
    if zlib.crc32(data) != facts.checksum:
        raise Damaged("checksum")
    return {
        name: np.frombuffer(data, array.dtype, array.count, array.offset).reshape(array.shape)
        for name, array in facts.arrays.items()
    }


def _laid_out(arrays: Mapping[str, Array]) -> tuple[bytearray, Stored]:
    """The bytes of a block, each array at a multiple of ``_ALIGN``, and the facts that find them again."""
    data = bytearray(_ALIGN)  # never empty, since nothing of no length can be mapped
    found = {}
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        found[name] = StoredArray(plain.dtype.str, plain.shape, len(data))
        data += plain.tobytes()
        data += bytes(-len(data) % _ALIGN)
    digest = blake2b(data, digest_size=16).hexdigest()
    return data, Stored(f"{digest}.block", len(data), zlib.crc32(data), found)


def _has_size(path: Path, size: int) -> bool:
    try:
        return os.lstat(path).st_size == size
    except OSError:
        return False
