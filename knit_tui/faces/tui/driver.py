"""Reads the terminal while an answer of it is still out, so that none of it is taken for keys."""

from __future__ import annotations

import os
import select
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from knit_tui.faces.tui.app import KnitApp

_LOOK_SECONDS = 0.1
"""As often as the library looks whether it is to end."""


class AnsweredDriver(LinuxDriver):
    """The library's driver for an app with a question."""

    def run_input_thread(self) -> None:
        app: KnitApp = self._app  # type: ignore[assignment]
        question = app.question
        if question is None or (question.over and not question.typed):
            super().run_input_thread()
            return
        # From here on as the library does it, but without the answer.
        parser, answer = XTermParser(), question.answer
        decode = getincrementaldecoder("utf-8")("replace").decode
        data, question.typed = question.typed, b""
        told = answer.dark
        while not self.exit_event.is_set():
            if text := decode(data):
                for event in parser.feed(text):
                    self.process_message(event)
            for event in parser.tick():
                self.process_message(event)
            if answer.dark is not told:
                told = answer.dark
                app.call_later(app.know_background, told)
            if not select.select([self.fileno], [], [], _LOOK_SECONDS)[0]:
                data = answer.pressed()
                continue
            data = os.read(self.fileno, 4096)
            if not data:
                self.exit_event.wait(_LOOK_SECONDS)
            elif not question.over:
                data = answer.feed(data)
            else:
                data = answer.rest() + data
