"""How numpy is brought in."""

from __future__ import annotations

import os
import sys

_THREADS = "OPENBLAS_NUM_THREADS"


def import_numpy() -> None:
    """Import it without the threads for linear algebra: nobody does any, and they are slow to start.

    What other programs are started with later is as before.
    """
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        import numpy as numpy
    finally:
        del os.environ[_THREADS]
