"""A language that nobody speaks, to find what is told in English past the catalogue."""

from __future__ import annotations

import gettext
import re
from collections.abc import Collection

import pytest

from knit_tui.faces import i18n

_PLAIN = "abcdefghijklmnopqrstuvwxyz"
_ODD = "àƀćďèƒĝĥîĵķĺɱńôƥɋřšťûṽŵẋýž"
_ACCENTS = str.maketrans(_PLAIN + _PLAIN.upper(), _ODD + _ODD.upper())
_FIELD = re.compile(r"(\{\w*\})")
_WORD = re.compile(r"[A-Za-z]{2,}")
_CODE = re.compile(r"""["'][^"']*["']|--?[a-z][\w-]*|[\w~-]*[./][\w./~-]+""")
"""Quoted values, options, paths and names with dots."""
NAMES = frozenset({"knit", "git", "tmux", "Markdown", "JSON", "KiB", "MiB", "esc", "enter"})
"""Words of every language: programs, formats, units, keys."""


class Accented(gettext.NullTranslations):
    """Every letter of a message in another shape of the same width; its fields as they are."""

    def gettext(self, message: str) -> str:
        return "".join(
            part if _FIELD.fullmatch(part) else part.translate(_ACCENTS) for part in _FIELD.split(message)
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def speak_accented(patch: pytest.MonkeyPatch) -> None:
    """From now on every language is that one."""
    patch.setattr(i18n, "catalogue", lambda _language: Accented())
    patch.setattr(i18n, "_catalogue", Accented())


def english(text: str, known: Collection[str] = ()) -> set[str]:
    """The English words of ``text``. What is in capitals or looks like code is data, or a name."""
    words = _WORD.findall(_CODE.sub(" ", text))
    return {word for word in words if not word.isupper() and word not in NAMES and word not in known}
