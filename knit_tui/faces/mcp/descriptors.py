"""The two ends of the protocol, kept out of reach of everything else in the process and its children."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wire:
    """Descriptors that only the protocol reads and writes."""

    input: int
    output: int


def claim() -> Wire:
    """Take stdin and stdout. From then on descriptor 0 is empty, and 1 is stderr."""
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    wire = Wire(_copy(0, null), _copy(1, null))
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(null, 1)
    return wire


def _copy(descriptor: int, null: int) -> int:
    """The same file under a number that nothing takes for a standard stream; one that is closed is empty."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:
        return fcntl.fcntl(null, fcntl.F_DUPFD_CLOEXEC, 3)
