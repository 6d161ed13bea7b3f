"""What configurations were before knit changed them, kept in the state folder."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path

from knit_tui.install.files import LONGEST, Config, discard, load, replace
from knit_tui.paths import NoFolder, state_folder
from knit_tui.workspace.own import Damaged, read_whole, write_whole

_FOLDER = "install"


@dataclass(frozen=True, slots=True)
class Record:
    """``before`` is None where there was no file; ``after`` is the digest of what knit made of it."""

    before: str | None
    after: str
    folders: list[str]


class Records:
    """One small file for each configuration. Where none can be kept, changes are taken back one by one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        try:
            self._folder: Path | None = state_folder(environ) / _FOLDER
        except NoFolder:
            self._folder = None

    def note(self, old: Config, new: Config, folders: list[str]) -> None:
        """Remember that ``old`` was made into ``new``.

        What knit itself had made before is no state to go back to: then it is the one before that counts, or,
        where others have changed it since, none.
        """
        known = self._read(old.path)
        before: str | None = old.text if old.exists else None
        if known is not None:
            if known.after != _digest(old.text):
                self.forget(old.path)
                return
            before, folders = known.before, known.folders
        self._write(new.path, Record(before, _digest(new.text), folders))

    def restored(self, config: Config) -> bool:
        """Put back what was there before knit, if nobody has changed ``config`` since.

        Raises:
            Refused: it cannot be written.
        """
        known = self._read(config.path)
        if known is None or known.after != _digest(config.text):
            return False
        if known.before is None:
            discard(config, known.folders)
        else:
            replace(config, known.before)
        self.forget(config.path)
        return True

    def forget(self, path: Path) -> None:
        """Remember nothing of ``path`` any more."""
        if self._folder is not None:
            with suppress(OSError):
                os.unlink(self._folder / _name(path))

    def _read(self, path: Path) -> Record | None:
        if self._folder is None:
            return None
        try:
            said = json.loads(read_whole(self._folder / _name(path), 3 * LONGEST))
            before = said["before"]
            text = None if before is None else base64.b64decode(before).decode("utf-8")
            return Record(text, str(said["after"]), [str(one) for one in said["folders"]])
        except (OSError, Damaged, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _write(self, path: Path, record: Record) -> None:
        if self._folder is None:
            return
        before = None if record.before is None else base64.b64encode(record.before.encode()).decode()
        said = {"path": os.fsdecode(path), "before": before, "after": record.after, "folders": record.folders}
        with suppress(OSError):
            self._folder.mkdir(parents=True, mode=0o700, exist_ok=True)
            write_whole(self._folder, _name(path), json.dumps(said).encode())


def noted(records: Records, old: Config, folders: list[str] | None = None) -> bool:
    """Look at the file of ``old`` again, and remember what became of it. False if nothing did."""
    new = load(old.named)
    if (new.exists, new.text) == (old.exists, old.text):
        return False
    records.note(old, new, folders or [])
    return True


def _name(path: Path) -> str:
    return blake2b(os.fsencode(path), digest_size=12).hexdigest() + ".json"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()
