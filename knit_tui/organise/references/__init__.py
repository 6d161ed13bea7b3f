"""What a document refers to: found in its text when it is indexed, resolved when it is shown.

A language is one module of two functions, both pure, cheap and silent about what they do not understand:

    extract(text) -> (form, target, line) of each reference, in any order
    resolve(target, source, tree) -> the paths an import of form ``i`` in ``source`` means

and, where it has use for them,

    manifest(name, text) -> (form, target, line) of a file that tells how the project is laid out
    keys(rel, tree) -> words one of which every target that may mean ``rel`` contains, if not its stem
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from knit_tui.model import Kind
from knit_tui.organise.references import (
    c,
    documents,
    go,
    java,
    javascript,
    paths,
    php,
    python,
    ruby,
    rust,
    shell,
)
from knit_tui.organise.tree import Tree, name_of, stem_of

MOST = 500
"""References of one document that are kept."""
LONGEST = 1_024
"""Characters of a target; a longer one is left out, for its beginning could mean another file."""

_DIGITS = 9
"""Of a line number."""

Found = tuple[str, str, int]
"""Form, target, line."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that a document refers to."""

    form: str
    """``p``, ``w``, ``n``: a document mentions a path, a whole path, a name; ``i``: an import; ``m``: what
    the file says of the project, which links nothing by itself."""
    target: str
    """One line, at most ``LONGEST`` characters: a path as it is written, an import as its language's
    ``resolve`` wants it, a fact as its name, a blank and what is said."""
    line: int
    """Where it stands, from 1."""


class Rules(Protocol):
    """What a language module has at least."""

    def extract(self, text: str) -> Iterator[Found]: ...

    def resolve(self, target: str, source: str, tree: Tree) -> tuple[str, ...]: ...


_RULES: dict[str, Rules] = {
    language: rules
    for rules, languages in (
        (python, "python cython"),
        (javascript, "javascript jsx typescript tsx vue html"),
        (go, "go"),
        (rust, "rust"),
        (java, "java kotlin"),
        (c, "c cpp objective-c objective-c++ cuda arduino"),
        (ruby, "ruby"),
        (php, "php html+php"),
        (shell, "bash"),
    )
    for language in languages.split()
}
_MANIFESTS = {
    "package.json": javascript.manifest,
    "jsconfig.json": javascript.manifest,
    "go.mod": go.manifest,
    "Cargo.toml": rust.manifest,
    "composer.json": php.manifest,
}
_MENTIONS = {"p": paths.mentioned, "w": paths.whole, "n": paths.named}
_KEYS: dict[object, Callable[[str, Tree], tuple[str, ...]]] = {
    rules: rules.keys for rules in (python, javascript, go, rust, java, php)
}
_RELATIVE: dict[object, tuple[str, ...]] = {
    documents: ("..\n", " .\n"),
    python: (".:",),
    rust: ("super", "crate"),
}
"""Words that lead up to a file from below its folder."""
_TAKE_ANY = (rust, c, php, shell)
"""Languages that take in files of any other, by their whole names."""


def rules_of(kind: Kind, language: str | None) -> object | None:
    """What the references of such a document go by: the same object for all that share it, None for none."""
    if kind is Kind.DOCS:
        return documents
    return _RULES.get(language or "") if kind is Kind.CODE else None


def extract(rel: str, kind: Kind, language: str | None, text: str) -> tuple[Reference, ...]:
    """What the text of ``rel`` refers to, in order of lines; each form and target once, where it is first.

    Args:
        rel: its path.
        kind: what it is; media refer to nothing.
        language: Pygments alias of code.
        text: any text; lines end in ``\\n`` or ``\\r\\n``.
    """
    name = name_of(rel)
    found: Iterable[Found] = ()
    if kind is Kind.DOCS:
        found = documents.extract(name, text)
    elif name in _MANIFESTS:
        found = _MANIFESTS[name](name, text)
    elif name.startswith("tsconfig.") and name.endswith(".json"):
        found = javascript.manifest(name, text)
    elif kind is Kind.CODE and language in _RULES:
        found = _RULES[language].extract(text)
    first: dict[tuple[str, str], int] = {}
    for form, target, line in found:
        if len(target) <= LONGEST and "\n" not in target:
            known = first.get((form, target))
            if known is None or line < known:
                first[form, target] = line
    rows = sorted((line, form, target) for (form, target), line in first.items())
    return tuple(Reference(form, target, line) for line, form, target in rows[:MOST])


def packed(references: Iterable[Reference]) -> str:
    """References as one string, to be kept beside a card."""
    return "\n".join(f"{each.form}{each.line} {each.target}" for each in references)


def unpacked(text: str) -> Iterator[Reference]:
    """The references of a packed string; a line that is none is passed over."""
    for line in text.split("\n"):
        number, blank, target = line[1:].partition(" ")
        if blank and number.isascii() and number.isdigit() and len(number) <= _DIGITS:
            yield Reference(line[0], target, int(number))


def resolved(reference: Reference, source: str, language: str | None, tree: Tree) -> tuple[str, ...]:
    """The known files that a reference in ``source`` means, sorted; none when unknown or ambiguous.

    Never ``source`` itself.
    """
    found: tuple[str, ...] = ()
    if reference.form in _MENTIONS:
        found = _MENTIONS[reference.form](reference.target, source, tree)
    elif reference.form == "i" and language in _RULES:
        found = _RULES[language].resolve(reference.target, source, tree)
    return tuple(sorted({rel for rel in found if rel != source}))


class Keys(NamedTuple):
    """Words, case-folded, one of which every target that may mean a file contains case-folded.

    They are whole words there: no letter, digit or underscore of ASCII continues them, and no dot stands
    before them, which keeps ``js.md`` from every ``.js``. A newline at the end of one stands for the end of
    the target, a blank at its beginning for the beginning.
    """

    anywhere: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    """Words that mean it only in documents of its own folder and the folders below."""
    dotted: bool = False
    """A dot may stand before a word all the same."""


def keys(rel: str, language: str | None, rules: object, tree: Tree) -> Keys:
    """What to look for in references that go by ``rules`` (of ``rules_of``) to find those that mean ``rel``.

    ``language`` is that of ``rel``.
    """
    words: tuple[str, ...] = ()
    own = _RULES.get(language or "")
    if rules is documents:
        words = paths.names(rel)
    elif own is rules or (own is None and rules is javascript):
        words = _KEYS[rules](rel, tree) if rules in _KEYS else (stem_of(rel).casefold(),)
    elif rules in _TAKE_ANY:
        words = (name_of(rel).casefold(),)
    relative = _RELATIVE.get(rules, ())
    return Keys(
        tuple(word for word in words if word and word not in relative),
        tuple(word for word in words if word in relative),
        dotted=rules is python,
    )
