"""Runs knit as it is, and tells what happens in it; for the tests of real terminals.

The first argument is a folder. ``pid`` there has the number of the process, and ``log`` a line for every
key, size and focus that reached the panel and an object for every SIGUSR1. SIGUSR2 blocks the panel for
good. One thread never ends.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from pathlib import Path

from textual import events
from textual.events import Event

from knit_tui.faces.tui.app import KnitApp


def main(folder: Path) -> None:
    """Watch, and run knit."""
    log = (folder / "log").open("w", buffering=1, encoding="utf-8")
    receive = KnitApp.on_event

    async def watched(self: KnitApp, event: Event) -> None:
        fresh = not event.is_forwarded  # what nobody wanted comes back
        await receive(self, event)
        match event:
            case events.Key() if fresh:
                print("key", event.key, file=log)
            case events.Resize():
                print("size", *event.size, file=log)
            case events.AppFocus() | events.AppBlur():
                print("focus" if isinstance(event, events.AppFocus) else "blur", file=log)

    def tell(_number: int, _frame: object) -> None:
        gc.collect()
        threads = sorted(thread.name for thread in threading.enumerate())
        files = len(os.listdir("/proc/self/fd"))
        print(json.dumps({"objects": len(gc.get_objects()), "threads": threads, "files": files}), file=log)

    def stick(_number: int, _frame: object) -> None:
        print("stuck", file=log)
        threading.Event().wait()

    KnitApp.on_event = watched  # type: ignore[assignment, method-assign]
    signal.signal(signal.SIGUSR1, tell)
    signal.signal(signal.SIGUSR2, stick)
    threading.Thread(target=threading.Event().wait, name="never-ends").start()
    (folder / "pid").write_text(str(os.getpid()))

    from knit_tui.cli import main as knit

    knit()


if __name__ == "__main__":
    main(Path(sys.argv.pop(1)))
