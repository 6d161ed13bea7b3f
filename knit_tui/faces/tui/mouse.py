"""Whether the terminal reports the mouse to the panel, or selects text with it."""

from __future__ import annotations

from typing import Any

from textual.driver import Driver


def listens(driver: Driver) -> bool:
    """Whether the mouse is the panel's."""
    return driver._mouse


def listen(driver: Driver, on: bool) -> None:
    """Take the mouse, or leave it to the terminal, from now on and after every suspension."""
    # Textual lets an application choose only before it starts; these are what it calls then.
    talks: Any = None if driver.is_headless or driver.is_web else driver
    if not on and talks is not None:
        talks._disable_mouse_support()
    driver._mouse = on
    if on and talks is not None:
        talks._enable_mouse_support()
        if getattr(talks, "_mouse_pixels", False):  # a mode of its own, which the one just set has ended
            talks._enable_mouse_pixels()
