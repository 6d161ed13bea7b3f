"""The command in this very process: what it would print, and the exit status it would have."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knit_tui.cli.app import run
from knit_tui.faces.i18n import use_language


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    def json(self, schema: str) -> Any:
        """What it printed, which is as its schema says."""
        answer = json.loads(self.out)
        validate(answer, schema)
        return answer


def validate(answer: Any, schema: str) -> None:
    shape = json.loads((resources.files("knit_tui.faces") / "schema" / f"{schema}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(shape)
    jsonschema.Draft202012Validator(shape).validate(answer)


class _Stream(TextIOWrapper):
    def fileno(self) -> int:
        return 1


class Knit:
    """A person with a home and a workspace, who types commands."""

    def __init__(self, base: Path, patch: pytest.MonkeyPatch) -> None:
        self.base, self.patch = base, patch
        self.home, self.root = base / "home", base / "ws"
        self.home.mkdir()
        self.root.mkdir()
        for name in (
            "CLAUDE_CODE_SESSION_ID",
            "TMUX",
            "TMUX_PANE",
            "NO_COLOR",
            "COLORTERM",
            "SSH_CONNECTION",
        ):
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(self.home))
        patch.setenv("KNIT_CACHE_DIR", str(base / "cache"))
        patch.setenv("KNIT_STATE_DIR", str(base / "state"))
        patch.setenv("KNIT_CONFIG_DIR", str(base / "config"))
        patch.chdir(self.root)

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done:
        out, err = _Stream(BytesIO(), "utf-8"), _Stream(BytesIO(), "utf-8", errors="replace")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["knit", *arguments])
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run()
        out.flush()
        err.flush()
        assert isinstance(out.buffer, BytesIO) and isinstance(err.buffer, BytesIO)
        return Done(status, out.buffer.getvalue(), err.buffer.getvalue().decode())


@pytest.fixture
def knit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Knit]:
    yield Knit(tmp_path, monkeypatch)
    use_language("en")
