"""The file that a path in a document means. Missing one is cheaper than inventing one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from knit_tui.organise.tree import Tree, folder_of, joined, name_of, stem_of

_MARKUP_ENDINGS = (".md", ".rst", ".mdx", ".markdown", ".adoc", ".org", ".txt")
"""What the name of a document may be left without."""
_FRONT_PAGES = ("readme", "index", "_index")
_WORDS = 20
"""Words of a command that may each be a path."""


@cache
def _glued() -> re.Pattern[str]:
    """Where a path may begin behind words of a script that is written without blanks; slow to compile."""
    return re.compile(r"[\u2e80-\U0003ffff](?=[A-Za-z0-9_.@])")


def mentioned(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file of a path in running text.

    It is relative to the document, then from the workspace, then from a folder above the document; else it
    is the only path there that ends so. A folder means its README or index. A command of several words
    means the files among its words.
    """
    found = _spelled(target, lambda path: _reach(path, source, tree) or _only_ending(path, tree))
    if found is None and target[:1] in ("-", "+", "@"):
        bare = target.lstrip("-+@")
        found = _spelled(bare, lambda path: _reach(path, source, tree) or _only_ending(path, tree))
    if found is None and not target.isascii():
        tail = _behind_words(target)
        found = _spelled(tail, lambda path: _reach(path, source, tree)) if tail else None
    if found is not None:
        return (found,)
    words = target.split(" ")[:_WORDS] if " " in target else []
    meant = {rel for word in words if word.strip("./") for rel in _word(word, source, tree)}
    return tuple(sorted(meant))


def _word(word: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file that a word of a command means. A bare name must be there: it may be the rest of a path."""
    if "/" in word:
        return mentioned(word, source, tree)
    return whole(word, source, tree) if "." in word else ()


def whole(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file of a path that must be complete, but for the ending of a document."""
    found = _spelled(target, lambda path: _reach(path, source, tree, _MARKUP_ENDINGS))
    return () if found is None else (found,)


def named(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The document of this name: as ``whole``, else the only one that is called so."""

    def find(name: str) -> str | None:
        return _reach(name, source, tree, _MARKUP_ENDINGS) or _only_document(name, tree)

    for name in (target, target.replace(" ", "-"), target.replace(" ", "_")) if " " in target else (target,):
        found = _spelled(name, find)
        if found is not None:
            return (found,)
    return ()


def names(rel: str) -> tuple[str, ...]:
    """What one of is in every target that may mean ``rel``, case-folded; a newline stands for its end."""
    stem = stem_of(rel)
    keys = {stem}
    if stem.casefold() in _FRONT_PAGES and rel.endswith(_MARKUP_ENDINGS):
        # Its folder means it, at the end of a target or of one of its words.
        keys |= {"..\n", " .\n"}
        if folder := name_of(folder_of(rel)):
            keys |= {f"{folder}\n", f"{folder} ", f"{folder}/ "}
    if not rel.isascii():
        keys |= {unicodedata.normalize(form, key) for key in keys for form in ("NFC", "NFD")}
    if rel.endswith(_MARKUP_ENDINGS) and ("-" in stem or "_" in stem):
        keys |= {stem.replace("-", " "), stem.replace("_", " ")}
    return tuple(sorted({key.casefold() for key in keys}))


def _spelled(path: str, find: Callable[[str], str | None]) -> str | None:
    """What ``find`` finds for a path, in whichever form its accents are stored."""
    found = find(path)
    if found is None and not path.isascii():
        for form in ("NFC", "NFD"):
            spelling = unicodedata.normalize(form, path)
            found = found or (find(spelling) if spelling != path else None)
    return found


def _reach(path: str, source: str, tree: Tree, endings: tuple[str, ...] = ()) -> str | None:
    """The path as seen from the first folder it leads to something from."""
    for folder in _folders(path, source):
        place = joined(folder, path)
        if place is None:
            continue
        if place in tree:
            return place
        for ending in endings:
            for base in (place, place.removesuffix(".html")):
                if base + ending in tree:
                    return base + ending
        if tree.is_folder(place) and (place or "." in path):
            return _front_page(place, tree)
    return None


def _folders(path: str, source: str) -> Iterator[str]:
    """The folders that a path may be seen from."""
    own = folder_of(source)
    if not path.startswith("/"):
        yield own
    if path.startswith("../"):
        return
    yield ""
    folder = own if path.startswith("/") else folder_of(own)
    while folder and not path.startswith("./"):
        yield folder
        folder = folder_of(folder)


def _front_page(folder: str, tree: Tree) -> str | None:
    pages: dict[str, str] = {}
    for rel in reversed(tree.within(folder)):
        if rel.endswith(_MARKUP_ENDINGS):
            pages[stem_of(rel).casefold()] = rel
    return next((pages[name] for name in _FRONT_PAGES if name in pages), None)


def _only_ending(path: str, tree: Tree) -> str | None:
    tail = joined("", path)
    if not tail or path.startswith(("./", "../", "/")):
        return None
    found = tree.ending(tail)
    return found[0] if len(found) == 1 else None


def _only_document(name: str, tree: Tree) -> str | None:
    tail = joined("", name)
    if not tail or name.startswith(("./", "../", "/")):
        return None
    found = [rel for ending in ("", *_MARKUP_ENDINGS) for rel in tree.ending(tail + ending)]
    return found[0] if len(found) == 1 else None


def _behind_words(path: str) -> str:
    """What is left of a path when words stand before it without a blank; nothing when none do."""
    first, slash, rest = path.partition("/")
    glued = list(_glued().finditer(first))
    if not glued:
        return ""
    return first[glued[-1].end() :] + slash + rest
