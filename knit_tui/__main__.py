"""``python -m knit_tui`` is ``knit``."""

from knit_tui.cli import main

if __name__ == "__main__":
    main()
