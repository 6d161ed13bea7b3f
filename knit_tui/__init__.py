"""knit: the right files for what your coding agent is working on, beside it in the terminal."""

__version__ = "0.1.0"
