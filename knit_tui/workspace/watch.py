"""Notices that something below the workspace may have changed.

Events are hints and nothing more: some get lost, and none says enough. Whoever is hinted looks again.
The folders that count are watched one by one, so that ignored trees cost nothing, and the folder
above the workspace, so that it is noticed when the workspace is moved away and comes back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from knit_tui.model import Notice
from knit_tui.workspace.notify import Events, Refused

FOLDER_LIMIT = 8_000
"""Folders that are watched by events; the system's own limit is shared with every other program."""
POLL_SECONDS = 5.0
"""Between hints while there are no events."""
RECONCILE_SECONDS = 180.0
"""Between hints that no event asked for: queues overflow without a word."""
RETRY_SECONDS = 60.0
"""Between attempts to get events after the system refused them."""

_TICK_SECONDS = 0.15
_BUSY_TICK_SECONDS = 0.05
_BUSY_SECONDS = 2.0
"""How long after an event more are expected."""
_STOP_SECONDS = 2.0

_NETWORK = frozenset(
    """
    9p afpfs afs beegfs ceph cifs davfs drvfs fakeowner fuse.ceph fuse.davfs2 fuse.gcsfuse fuse.glusterfs
    fuse.grpcfuse fuse.osxfs fuse.rclone fuse.s3fs fuse.sshfs fuse.vmhgfs-fuse glusterfs lustre ncpfs nfs
    nfs4 prl_fs smb smb3 smbfs v9fs vboxsf virtiofs webdav
    """.split()
)
"""File systems where others change files and no event tells."""


class Watcher:
    """Watches one workspace in a thread of its own."""

    def __init__(self, root: Path, hint: Callable[[], None]) -> None:
        """``hint`` is called from the thread and must neither block nor raise."""
        self._root = os.path.abspath(root)
        self._hint = hint
        self._wanted = frozenset({""})
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knit-watch", daemon=True)
        self._notice: Notice | None = None

    @property
    def notice(self) -> Notice | None:
        """What keeps events from being used, if anything: code ``watch-polling``, with its ``why``.

        Reasons: ``network``, ``folders`` (too many), ``limit`` (the system's), ``names`` (some folders
        are called what cannot be watched), ``error``.
        """
        return self._notice

    def start(self) -> None:
        """Begin; folders may be given before or after."""
        self._thread.start()

    def watch(self, folders: Sequence[str]) -> None:
        """Watch these folders, relative to the workspace, and no others.

        Once they are watched the hint is given, since they may have changed before. Nothing happens
        when they are the ones that are watched already.
        """
        wanted = frozenset(folders) | {""}
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake.set()

    def stop(self) -> None:
        """End the thread, waiting two seconds for it at the most."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            why = self._obstacle()
            if why is None:
                events = Events()
                try:
                    self._follow(events)
                except Refused as error:
                    why = error.why
                except ImportError:
                    why = "error"
                finally:
                    events.close()
            if why is not None:
                self._poll(why)

    def _obstacle(self) -> str | None:
        """Why events are of no use for what is wanted now, before anything is tried."""
        if len(self._wanted) > FOLDER_LIMIT:
            return "folders"
        return "network" if file_system(self._root) in _NETWORK else None

    def _follow(self, events: Events) -> None:
        """Hint at every event, until told to stop or until events are of no use.

        Raises:
            Refused: there are no events to be had.
        """
        watched: frozenset[str] | None = None
        place = os.path.realpath(self._root)
        identity = _identity(self._root)
        arranged = busy = polled = 0.0
        unfit = 0
        while not self._stopping.is_set():
            self._wake.clear()
            now = time.monotonic()
            wanted = self._wanted
            if _identity(self._root) != identity or now - arranged > RECONCILE_SECONDS:
                # Nothing says whether the old watches still are on what is there now.
                place, identity = os.path.realpath(self._root), _identity(self._root)
                events.close()
                watched = None
            if wanted is not watched:
                if self._obstacle():
                    return
                unfit = self._arrange(events, place, wanted)
                watched, arranged, polled = wanted, now, now
                self._hint()
            paths = events.poll()
            if paths:
                # First watch what was made anew, then hint: so nothing falls between the two.
                unfit = self._arrange(events, place, wanted)
                busy = now + _BUSY_SECONDS
                if any(_is_inside(path, place) for path in paths):
                    self._hint()
            if unfit and now - polled > POLL_SECONDS:
                polled = now
                self._hint()
            self._wake.wait(_BUSY_TICK_SECONDS if now < busy else _TICK_SECONDS)

    def _arrange(self, events: Events, place: str, wanted: frozenset[str]) -> int:
        """Watch the wanted folders of the workspace at ``place``, and the one above it."""
        paths = frozenset(f"{place.rstrip('/')}/{folder}" if folder else place for folder in wanted)
        unfit = events.arrange(paths | {os.path.dirname(place)})
        facts = (("why", "names"), ("folders", str(unfit)))
        self._notice = Notice("watch-polling", facts) if unfit else None
        return unfit

    def _poll(self, why: str) -> None:
        """Hint every few seconds, until events are worth another try."""
        self._notice = Notice("watch-polling", (("why", why),))
        until = time.monotonic() + RETRY_SECONDS
        self._hint()
        while not self._stopping.wait(POLL_SECONDS):
            self._hint()
            obstacle = self._obstacle()
            if obstacle is None and (why in ("folders", "network") or time.monotonic() > until):
                return
            if obstacle not in (None, why):
                return


def _is_inside(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place.rstrip('/')}/")


def _identity(path: str) -> tuple[int, int] | None:
    """What tells a folder from another one of the same name; None when there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def file_system(path: str, table: str = "/proc/self/mountinfo") -> str:
    """The type of the file system a path is on, or nothing where the system does not say."""
    try:
        with open(table, "rb") as lines:
            mounts = [line.split() for line in lines]
    except OSError:
        return ""
    place = os.fsencode(os.path.realpath(path))
    found, length = "", -1
    for fields in mounts:
        if len(fields) < 10 or b"-" not in fields[6:]:
            continue
        point = _unescaped(fields[4])
        inside = place == point or place.startswith(point.rstrip(b"/") + b"/")
        if inside and len(point) >= length:
            found, length = os.fsdecode(fields[fields.index(b"-", 6) + 1]), len(point)
    return found


def _unescaped(point: bytes) -> bytes:
    """A mount point without the octal escapes of blanks."""
    for escape, plain in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(escape, plain)
    return point
