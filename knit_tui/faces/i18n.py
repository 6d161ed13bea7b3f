"""Visible strings, through gettext; the catalogues lie in ``knit_tui/locale``."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_DOMAIN = "knit"
_SPOKEN = ("en", "zh_CN")
_TRADITIONAL = ("TW", "HK", "MO", "Hant")
"""Where Chinese is written in another script."""
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str | None = None) -> None:
    """Switch every later string to ``language``, or to the locale's when it is none that knit speaks."""
    global _catalogue
    _catalogue = catalogue(language if language in _SPOKEN else of_locale(os.environ))


@contextmanager
def in_english() -> Iterator[None]:
    """Speak English for as long as it lasts: what programs read does not depend on who runs them."""
    global _catalogue
    before, _catalogue = _catalogue, gettext.NullTranslations()
    try:
        yield
    finally:
        _catalogue = before


def catalogue(language: str) -> gettext.NullTranslations:
    """The messages of a language; English ones are their own translation."""
    folder = Path(__file__).resolve().parent.parent / "locale"
    return gettext.translation(_DOMAIN, str(folder), [language], fallback=True)


def of_locale(environ: Mapping[str, str]) -> str:
    """The first language of the locale that knit speaks, else English."""
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    # Whoever asks for the locale of programs wants no language at all.
    wanted = locale if locale in ("C", "POSIX") else environ.get("LANGUAGE") or locale
    for each in wanted.replace("-", "_").split(":"):
        language, *places = each.partition(".")[0].partition("@")[0].split("_")
        if language == "zh" and not any(place in _TRADITIONAL for place in places):
            return "zh_CN"
        if language == "en":
            break
    return "en"


def _(message: str) -> str:
    """The translation of ``message``, or itself."""
    return _catalogue.gettext(message)


def N_(message: str) -> str:
    """Mark ``message`` for the catalogue; it is translated where it is shown."""
    return message


def ngettext(singular: str, plural: str, count: int) -> str:
    """The form of the message for ``count``; the caller fills ``{count}`` and other fields."""
    return _catalogue.ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """The translation of ``message`` as it is meant in ``context``, where one word has two meanings."""
    return _catalogue.pgettext(context, message)
