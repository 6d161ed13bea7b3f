"""Visible strings, through gettext; the catalogues lie in ``knit_tui/locale``."""

from __future__ import annotations

import gettext
from pathlib import Path

_DOMAIN = "knit"
_SPOKEN = ("en", "zh_CN")
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str | None = None) -> None:
    """Switch every later string to ``language``, or to the locale's when it is none that knit speaks."""
    global _catalogue
    languages = [language] if language in _SPOKEN else None
    folder = str(Path(__file__).resolve().parent.parent / "locale")
    _catalogue = gettext.translation(_DOMAIN, folder, languages=languages, fallback=True)


def _(message: str) -> str:
    """The translation of ``message``, or itself."""
    return _catalogue.gettext(message)


def N_(message: str) -> str:
    """Mark ``message`` for the catalogue; it is translated where it is shown."""
    return message


def ngettext(singular: str, plural: str, count: int) -> str:
    """The form of the message for ``count``; the caller fills ``{count}`` and other fields."""
    return _catalogue.ngettext(singular, plural, count)
