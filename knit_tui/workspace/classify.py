"""What a file is, from its name alone. The only place that knows file endings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from knit_tui.model import Access, Kind
from knit_tui.workspace.languages import ENDINGS, NAMES, PREFIXES, SNIFFED
from knit_tui.workspace.secrets import secret_name


@dataclass(frozen=True, slots=True)
class Class_:
    """What a name says of its file."""

    kind: Kind
    language: str | None
    """Pygments alias; ``text`` for plain text, None where nothing is known or there is no text."""
    access: Access
    known: bool
    """False: only the content can confirm that it is a text; if not, it is no document at all."""


_MARKUP = {
    "md": "markdown",
    "markdown": "markdown",
    "mdown": "markdown",
    "mkd": "markdown",
    "mkdn": "markdown",
    "mdx": "markdown",
    "qmd": "markdown",
    "rmd": "markdown",
    "rst": "rst",
    "rest": "rst",
    "adoc": "asciidoc",
    "asciidoc": "asciidoc",
    "org": "org",
    "txt": "plain",
    "text": "plain",
}
_MARKUP_LANGUAGE = {"markdown": "markdown", "rst": "restructuredtext", "org": "org"}
_DOCUMENT_NAMES = frozenset(
    """
    readme license licence copying copyright unlicense notice changelog changes history news releases
    authors contributors contributing maintainers credits thanks todo install security code_of_conduct
    patents faq bugs roadmap about hacking acknowledgements governance support upgrading
    """.split()
)
_IMAGES = frozenset("png jpg jpeg gif webp avif heic heif bmp ico svg".split())
_IMAGE_LANGUAGE = {"svg": "xml"}
_VIDEOS = frozenset("mp4 m4v webm mov ogv".split())

_LOCK_LANGUAGES = {
    "package-lock.json": "json",
    "npm-shrinkwrap.json": "json",
    "pnpm-lock.yaml": "yaml",
    "pnpm-lock.yml": "yaml",
    "packages.lock.json": "json",
    "package.resolved": "json",
    "bun.lock": "json",
    "bun.lockb": None,
    "composer.lock": "json",
    "deno.lock": "json",
    "flake.lock": "json",
    "pipfile.lock": "json",
    "cargo.lock": "toml",
    "pdm.lock": "toml",
    "poetry.lock": "toml",
    "pylock.toml": "toml",
    "uv.lock": "toml",
    "pubspec.lock": "yaml",
    "podfile.lock": "yaml",
    "go.sum": "text",
    "go.work.sum": "text",
    "gradle.lockfile": "text",
    ".pnp.cjs": "javascript",
    ".pnp.loader.mjs": "javascript",
    ".terraform.lock.hcl": "terraform",
    ".package-lock.json": "json",
}
_GENERATED = re.compile(
    r"\.min\.(?:[cm]?js|css|html?|json|svg)\Z"
    r"|\.bundle\.[cm]?js\Z"
    r"|\.(?:generated|gen|g)\.[a-z]{1,5}\Z"
    r"|\.pb\.(?:go|cc|h|gw\.go|validate\.go|swift)\Z"
    r"|_(?:pb2|pb2_grpc)\.pyi?\Z"
    r"|_grpc\.pb\.go\Z"
    r"|\.(?:freezed|gr|mocks)\.dart\Z"
    r"|\.designer\.(?:cs|vb)\Z"
    r"|\Azz_generated\..*\.go\Z"
    r"|\.(?:map|lock|tsbuildinfo)\Z"
)


def classify(name: str) -> Class_:
    """Tell what a file is from its name or its path relative to the workspace; never raises."""
    base = name.rpartition("/")[2]
    lower = base.lower()
    if secret_name(name):
        return Class_(Kind.CODE, None, Access.WITHHELD, True)
    if lower in _LOCK_LANGUAGES:
        return Class_(Kind.CODE, _LOCK_LANGUAGES[lower], Access.GENERATED, True)
    ending = _last_ending(lower)
    if _GENERATED.search(lower) and ending != "svg":
        return Class_(Kind.CODE, _language(base, lower)[0], Access.GENERATED, True)
    if ending in _IMAGES:
        return Class_(Kind.IMAGE, _IMAGE_LANGUAGE.get(ending), Access.NAME, True)
    if ending in _VIDEOS:
        return Class_(Kind.VIDEO, None, Access.NAME, True)
    markup = _MARKUP.get(ending)
    if markup and base not in NAMES:
        return Class_(Kind.DOCS, _MARKUP_LANGUAGE.get(markup, "text"), Access.TEXT, True)
    language, sure = _language(base, lower)
    if language:
        return Class_(Kind.CODE, language, Access.TEXT, sure)
    return Class_(Kind.DOCS, "text", Access.TEXT, _is_document_name(lower))


def markup_of(rel: str) -> str:
    """How a document is written: ``markdown``, ``rst``, ``asciidoc``, ``org`` or ``plain``."""
    return _MARKUP.get(_last_ending(rel.rpartition("/")[2].lower()), "plain")


def stem_of(rel: str) -> str:
    """The name of a file without the ending that says how it is written."""
    base = rel.rpartition("/")[2]
    ending = _last_ending(base.lower())
    return base[: -len(ending) - 1] if ending in _MARKUP or ending in _IMAGES | _VIDEOS else base


def _last_ending(lower: str) -> str:
    """What stands after the last dot, unless that dot is the first character."""
    before, dot, after = lower.rpartition(".")
    return after if dot and before else ""


def _language(base: str, lower: str) -> tuple[str | None, bool]:
    """The language of a name, and whether the name alone is enough to be sure of it."""
    whole = NAMES.get(base) or _LOWER_NAMES.get(lower)
    if whole:
        return whole, True
    position = base.find(".", 1)
    while position >= 0:
        for ending in (base[position:], lower[position:]):
            if ending in ENDINGS:
                return ENDINGS[ending], ending not in SNIFFED
        position = base.find(".", position + 1)
    for prefix, language in PREFIXES.items():
        if base.startswith(prefix):
            return language, True
    return None, False


def _is_document_name(lower: str) -> bool:
    """Whether it is a name that documents bear without any ending, like ``LICENSE-MIT``."""
    return "." not in lower and (lower in _DOCUMENT_NAMES or lower.partition("-")[0] in _DOCUMENT_NAMES)


_LOWER_NAMES = {name.lower(): language for name, language in NAMES.items()}
