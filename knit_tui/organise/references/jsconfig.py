"""Where the specifiers of JavaScript lead: files by their endings, aliases and packages by configuration.

Facts: ``npm NAME``; ``entry SUBPATH PATH`` of what a package offers (``.`` is the package itself);
``private #NAME PATH`` of its own aliases; ``alias PATTERN PATH…`` and ``base PATH`` of a compiler's
configuration. Paths count from the folder of the file that tells them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from knit_tui.organise.tree import Tree, folder_of, joined, name_of, nearest

_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
_TYPED = (".ts", ".tsx", ".mts", ".cts")
_REST = (".d.ts", ".json", ".vue", ".svelte", ".astro", ".css", ".scss")
_ENDINGS = (*_SCRIPTS, *_TYPED, *_REST)
_TYPED_ENDINGS = (*_TYPED, ".d.ts", *_SCRIPTS, *_REST)
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What an ending stands for when the compiler has yet to write the file."""
_BUILT = frozenset(("dist", "build", "lib", "out", "esm", "cjs", "es", "umd", "types", "dist-src"))
_MEANS = ("source", "svelte", "import", "module", "default", "node", "require", "browser", "types")
"""Conditions of an export, the one that is nearest to the source first."""
_ASIDE = frozenset(
    "test tests __tests__ fixtures fixture __fixtures__ testdata examples example templates template".split()
)
"""Folders whose packages are no part of the project around them."""
_MOST = 200
"""Facts of one file."""

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)')
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|,(?=\s*+[}\]])')


def manifest(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    told = _parsed(text)
    if not isinstance(told, dict):
        return
    rows = _package(told) if name == "package.json" else _compiler(told)
    for _, (key, fact) in zip(range(_MOST), rows, strict=False):
        place = text.find(json.dumps(key, ensure_ascii=False))
        yield "m", fact, text.count("\n", 0, max(place, 0)) + 1


def _parsed(text: str) -> Any:
    """JSON with comments and commas before a closing bracket; None for anything else."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass

    def strings(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else ""

    try:
        return json.loads(
            _STRING_OR_COMMA.sub(strings, _STRING_OR_COMMENT.sub(strings, text.lstrip("\ufeff")))
        )
    except (ValueError, RecursionError):
        return None


def _package(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    name = told.get("name")
    if _plain(name):
        yield "name", f"npm {name}"
    main: dict[str, str] = {}
    for key in ("source", "svelte", "module", "main", "types", "typings"):
        if _plain(told.get(key)):
            main.setdefault(".", told[key])
    exports = told.get("exports")
    if isinstance(exports, dict) and any(isinstance(key, str) and key.startswith(".") for key in exports):
        offered = {key: _meant(value) for key, value in exports.items() if key.startswith(".")}
    else:
        offered = {".": _meant(exports)}
    for subpath, path in {**main, **{key: path for key, path in offered.items() if path}}.items():
        if _plain(subpath) and _plain(path):
            yield subpath, f"entry {subpath} {path}"
    private = told.get("imports")
    for alias, value in private.items() if isinstance(private, dict) else ():
        path = _meant(value)
        if _plain(alias) and _plain(path) and alias.startswith("#"):
            yield alias, f"private {alias} {path}"
    for key in ("dependencies", "devDependencies"):
        wanted = told.get(key)
        if isinstance(wanted, dict) and "@sveltejs/kit" in wanted:
            # Its compiler's configuration is written at build time.
            yield "@sveltejs/kit", "alias $lib src/lib"
            yield "@sveltejs/kit", "alias $lib/* src/lib/*"
            break


def _compiler(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    options = told.get("compilerOptions")
    if not isinstance(options, dict):
        return
    base = options.get("baseUrl")
    if _plain(base):
        yield "baseUrl", f"base {base}"
    paths = options.get("paths")
    for pattern, listed in paths.items() if isinstance(paths, dict) else ():
        if not _plain(pattern) or not isinstance(listed, list):
            continue
        places = [f"{base}/{path}" if _plain(base) else path for path in listed if _plain(path)]
        if places:
            yield pattern, f"alias {pattern} {' '.join(places)}"


def _meant(value: Any, depth: int = 0) -> str:
    """The path an export leads to, of its conditions the one nearest to the source."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and depth < 8:
        return _meant(value[0], depth + 1)
    if isinstance(value, dict) and depth < 8:
        for condition in _MEANS:
            if condition in value and (path := _meant(value[condition], depth + 1)):
                return path
    return ""


def _plain(value: Any) -> bool:
    """Whether it is a text of one word."""
    return isinstance(value, str) and 0 < len(value) <= 300 and len(value.split()) == 1


def found_at(place: str, source: str, tree: Tree) -> str:
    """The file that a path leads to: itself or its source, with an ending, or what a folder offers."""
    typed = source.endswith(_TYPED)
    stem, dot, ending = place.rpartition(".")
    written = [stem + other for other in _WRITTEN_FOR.get(dot + ending, ())]
    first = [*written, place] if typed else [place, *written]
    endings = _TYPED_ENDINGS if typed else _ENDINGS
    for rel in (*first, *(place + other for other in endings)):
        if rel in tree and name_of(rel):
            return rel
    if not tree.is_folder(place):
        return ""
    if offered := _offered(place, tree).get("."):
        return offered
    folder = f"{place}/" if place else ""
    return next((rel for other in endings if (rel := f"{folder}index{other}") in tree), "")


def named(path: str, source: str, tree: Tree) -> str:
    """The file that a specifier without a path leads to, or the empty string."""
    if path.startswith("#"):
        found = _by_pattern(path, "private", source, tree)
        if found:
            return found
    if found := _by_pattern(path, "alias", source, tree):
        return found
    for rel, base in tree.above("base", source):
        place = joined(folder_of(rel), f"{base}/{path}")
        if place is not None and (found := found_at(place, source, tree)):
            return found
    return _in_package(path, source, tree)


def entries_naming(rel: str, tree: Tree) -> tuple[str, ...]:
    """Specifiers, or parts of them, case-folded, that lead to ``rel`` without containing its name."""
    found = set(tree.derived(_entries).get(rel, ()))
    for before in tree.derived(_stars):
        if rel.startswith(before):
            found.add(rel[len(before) :].partition("/")[0].casefold())
    return tuple(sorted(found - {""}))


def _by_pattern(path: str, fact: str, source: str, tree: Tree) -> str:
    best: tuple[int, str, str, str] | None = None
    for rel, said in tree.above(fact, source):
        pattern, _, places = said.partition(" ")
        before, star, after = pattern.partition("*")
        if star:
            if len(path) < len(pattern) - 1 or not (path.startswith(before) and path.endswith(after)):
                continue
            middle, weight = path[len(before) : len(path) - len(after)], len(before)
        elif path == pattern:
            middle, weight = "", len(path) + 1
        else:
            continue
        if best is None or weight > best[0]:
            best = weight, rel, places, middle
    if best is None:
        return ""
    _, rel, places, middle = best
    for each in places.split(" "):
        place = joined(folder_of(rel), each.replace("*", middle))
        if place is not None and (
            found := found_at(place, source, tree) or _source_of(rel, each, middle, tree)
        ):
            return found
    return ""


def _in_package(path: str, source: str, tree: Tree) -> str:
    parts = path.split("/")
    words = 2 if path.startswith("@") else 1
    name, rest = "/".join(parts[:words]), "/".join(parts[words:])
    theirs = [rel for rel in tree.stating("npm", name) if _joins(rel, source)]
    around = [rel for rel in theirs if f"/{source}".startswith(f"/{folder_of(rel)}".rstrip("/") + "/")]
    for rel in nearest(source, around or theirs):
        folder = folder_of(rel)
        offered = _offered(folder, tree)
        if not rest:
            return offered.get(".") or found_at(folder, "x.ts", tree)
        if found := offered.get(f"./{rest}") or _by_star(folder, rest, tree):
            return found
        inside = f"{folder}/" if folder else ""
        return found_at(inside + rest, "x.ts", tree) or found_at(f"{inside}src/{rest}", "x.ts", tree)
    return ""


def _joins(rel: str, source: str) -> bool:
    """Whether ``source`` may import a package: not one that is made for tests or as an example."""
    own = set(source.split("/"))
    return all(part in own for part in rel.split("/") if part in _ASIDE or part == "node_modules")


def _by_star(folder: str, rest: str, tree: Tree) -> str:
    manifest_at = f"{folder}/package.json" if folder else "package.json"
    for subpath, path in tree.derived(_entry_facts).get(folder, ()):
        before, star, after = subpath.removeprefix("./").partition("*")
        if star and len(rest) > len(before) + len(after) and rest.startswith(before) and rest.endswith(after):
            middle = rest[len(before) : len(rest) - len(after)]
            place = joined(folder, path.replace("*", middle))
            if place is not None:
                return found_at(place, "x.ts", tree) or _source_of(manifest_at, path, middle, tree)
    return ""


def _offered(folder: str, tree: Tree) -> dict[str, str]:
    return tree.derived(_offers).get(folder, {})


def _entry_facts(tree: Tree) -> dict[str, list[tuple[str, str]]]:
    """By folder of a package: (subpath, path) of each of its entries."""
    found: dict[str, list[tuple[str, str]]] = {}
    for rel, said in tree.facts("entry"):
        subpath, _, path = said.partition(" ")
        found.setdefault(folder_of(rel), []).append((subpath, path))
    return found


def _offers(tree: Tree) -> dict[str, dict[str, str]]:
    """By folder of a package: the known file of each entry without a star."""
    found: dict[str, dict[str, str]] = {}
    for folder, entries in tree.derived(_entry_facts).items():
        for subpath, path in entries:
            place = joined(folder, path)
            if "*" in subpath or place is None:
                continue
            rel = _file_at(place, tree) or _source_of(f"{folder}/package.json".lstrip("/"), path, "", tree)
            if rel:
                found.setdefault(folder, {})[subpath] = rel
    return found


def _file_at(place: str, tree: Tree) -> str:
    """The file at a path, with an ending or as an index; what folders offer is not looked at."""
    if place in tree:
        return place
    stem, dot, ending = place.rpartition(".")
    tries = [stem + other for other in _WRITTEN_FOR.get(dot + ending, ())]
    tries += [place + other for other in _TYPED_ENDINGS]
    tries += [f"{place}/index{other}" for other in _TYPED_ENDINGS]
    return next((rel for rel in tries if rel in tree), "")


def _source_of(manifest_at: str, path: str, middle: str, tree: Tree) -> str:
    """The source of a built file: the same path below ``src``, or the first source of the package."""
    folder = folder_of(manifest_at)
    parts = [part for part in path.replace("*", middle).split("/") if part not in ("", ".")]
    if len(parts) < 2 or parts[0] not in _BUILT:
        return ""
    inside = f"{folder}/" if folder else ""
    while len(parts) > 1 and parts[0] in _BUILT:
        parts.pop(0)
    stem = "/".join(parts).removesuffix(".d.ts").rpartition(".")[0] or "/".join(parts).removesuffix(".d.ts")
    return _file_at(f"{inside}src/{stem}", tree) or _file_at(f"{inside}{stem}", tree)


def _entries(tree: Tree) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    names = {folder_of(rel): name for rel, name in tree.facts("npm")}
    for folder, offered in tree.derived(_offers).items():
        for subpath, rel in offered.items():
            if folder in names:
                found.setdefault(rel, set()).add(f"{names[folder]}{subpath[1:]}".casefold())
            if subpath == "." and folder:
                found.setdefault(rel, set()).add(name_of(folder).casefold())
    for folder, name in names.items():
        if not tree.derived(_offers).get(folder, {}).get("."):
            rel = found_at(folder, "x.ts", tree)
            if rel:
                found.setdefault(rel, set()).add(name.casefold())
    for fact in ("alias", "private"):
        for rel, said in tree.facts(fact):
            pattern, _, places = said.partition(" ")
            for each in places.split(" "):
                place = joined(folder_of(rel), each.replace("*", ""))
                leads = "*" not in pattern and place is not None and found_at(place, "x.ts", tree)
                if leads:
                    found.setdefault(leads, set()).add(pattern.casefold())
    return {rel: tuple(sorted(each)) for rel, each in found.items()}


def _stars(tree: Tree) -> tuple[str, ...]:
    """The beginnings of the paths that name a folder by a star and lead to a fixed place below it."""
    found: set[str] = set()
    for fact in ("alias", "private", "entry"):
        for rel, said in tree.facts(fact):
            for each in said.split(" ")[1:]:
                before, star, after = each.partition("*")
                if star and "/" in after and (place := joined(folder_of(rel), before)) is not None:
                    found.add(f"{place}/" if place and (not before or before.endswith("/")) else place)
    return tuple(sorted(found))
