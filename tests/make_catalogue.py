"""Bring knit_tui/locale up to date: every message of the source, and the compiled form of what is translated.

Run as ``python -m tests.make_catalogue`` from the top of the repository, after a visible text changed;
then translate what it names in ``knit.po`` and run it again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parents[1] / "knit_tui"
LOCALE = PACKAGE / "locale"
LANGUAGES = ("zh_CN",)
KEYWORDS: dict[str, Any] = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


class Plain(Catalog):
    """A catalogue whose header tells no dates and no names: the same messages make the same bytes."""

    @property  # type: ignore[misc]
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "knit"),
            ("Language", str(self.locale_identifier)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit\n"),
        ]


def messages() -> Catalog:
    """Every message that can be shown: those of the source, and the help of the commands."""
    found = Catalog()
    for path in sorted(PACKAGE.rglob("*.py")):
        if "demo/workspace" in path.as_posix():
            continue
        with path.open("rb") as file:
            for _line, message, _comments, context in extract("python", file, KEYWORDS):
                found.add(message, context=context)
    for text in command_help():
        found.add(text)
    return found


def command_help() -> Iterator[str]:
    """What ``--help`` says of each command and option."""
    from knit_tui.cli.app import whole_command
    from knit_tui.cli.help import texts

    yield from texts(whole_command())


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "knit.po"


def read(language: str) -> Catalog:
    """The catalogue of ``language`` as it is kept."""
    path = po_path(language)
    if not path.exists():
        return Catalog(locale=language, domain="knit", header_comment="#")
    with path.open("rb") as file:
        return read_po(file, locale=language, domain="knit")


def updated(language: str, wanted: Catalog) -> Catalog:
    """The same messages as ``wanted``, with the translations and the words for translators that there are."""
    kept = read(language)
    result = Plain(locale=language, domain="knit", header_comment=kept.header_comment, fuzzy=False)
    for message in wanted:
        if message.id:
            known = kept.get(message.id, message.context)
            string = known.string if known is not None else None
            result.add(message.id, string=string, context=message.context)
    return result


def po_bytes(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=108, sort_output=True, no_location=True)
    return buffer.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The compiled catalogue; the same bytes for the same messages."""
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """Messages without a text of their own in one of their forms."""
    return [message for message in catalogue if message.id and not all(_strings(message))]


def _strings(message: Message) -> tuple[Any, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def main() -> None:
    wanted = messages()
    for language in LANGUAGES:
        catalogue = updated(language, wanted)
        path = po_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_bytes(catalogue))
        path.with_suffix(".mo").write_bytes(mo_bytes(catalogue))
        missing = untranslated(catalogue)
        print(f"{language}: {len(catalogue)} messages, {len(missing)} to be translated")
        for message in missing:
            print(f"  {message.id!r}")


if __name__ == "__main__":
    main()
