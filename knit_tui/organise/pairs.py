"""Tests and what they test, told from names alone, as each language usually names them.

A test is a file whose name carries a mark (``test_retry.py``, ``RetryTest.java``, ``retry.spec.ts``), or one
in a folder of tests where that is the custom. Its subject bears the name without the mark and is beside it,
or below the folder that holds the folder of tests. Of several, it is the one whose folders are most like
those of the test; when none is, there is no pair.
"""

from __future__ import annotations

from collections.abc import Iterator

from knit_tui.organise.tree import Tree, folder_of, name_of

_C = ("c", "cc", "cpp", "cxx", "m", "mm", "cu")
_JVM = ("java", "kt", "scala", "groovy")
_SCRIPT = ("ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts")
_SUBJECTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_SCRIPT, (*_SCRIPT, "vue", "svelte")),
    **dict.fromkeys(_JVM, _JVM),
    **dict.fromkeys(_C, (*_C, "h", "hh", "hpp", "hxx")),
    **{
        each: (each,)
        for each in "go rs rb php cs fs vb swift dart lua hs cr r R jl ml nim zig gd el clj cljs erl".split()
    },
    "py": ("py", "pyx"),
    "exs": ("ex",),
    "sh": ("sh", "bash"),
    "bats": ("sh", "bash", ""),
}
"""Endings of a test, and those of what it may test; its own comes first in any case."""
_TESTS = {
    subject: tuple(test for test, subjects in _SUBJECTS.items() if subject in subjects)
    for subject in sorted({each for subjects in _SUBJECTS.values() for each in subjects})
}

_BEFORE = ("test_", "test-", "Test")
_AFTER = (
    "_test", "-test", ".test", "_tests", ".tests", "_unittest", "_spec", "-spec", ".spec", ".cy", ".e2e-spec",
    ".e2e", "_SUITE", "Test", "Tests", "TestCase", "Spec", "IT",
)  # fmt: skip
_ONLY_IN_TEST_FOLDERS = frozenset(("Test", "TestCase", "Spec", "IT", "_spec", "-spec"))
"""Marks that other names end or begin with as well; ``Test`` before a name, not after it."""
_SPEC_ENDINGS = frozenset(("rb", "lua", "cr", *_SCRIPT))
"""Languages where ``spec`` always means a test."""
_FOLDERS = frozenset(("test", "tests", "spec", "specs", "__tests__", "testing", "unittest", "unittests", "t"))
_FOLDER_ENDINGS = ("Test", "Tests", ".test", ".tests", "_test", "_tests", "-test", "-tests")
_ASIDE = frozenset(
    "docs doc examples example samples sample demo demos fixtures testdata vendor third_party".split()
)
"""Folders whose files are tested, if at all, from within."""
_MANY = 64
"""Files of one name from which on only the one beside a test is taken for its subject."""
_PACKAGES = {"py": "__init__", "rs": "mod", **dict.fromkeys((*_SCRIPT, "vue", "svelte"), "index")}
"""By ending, the stem of the file that stands for its folder."""


def tests_of(rel: str, tree: Tree) -> tuple[str, ...]:
    """The tests whose subject is ``rel``, sorted."""
    stem, ending = _parts(rel)
    stems = {stem, stem.lstrip("_")} if ending == "py" else {stem}
    if _PACKAGES.get(ending) == stem:
        stems.add(name_of(folder_of(rel)))
    found = set()
    for test_ending in _TESTS.get(ending, ()):
        for bare in stems:
            for name in _test_names(bare):
                for test in _named(f"{name}.{test_ending}", folder_of(rel), tree):
                    if test != rel and rel in subjects_of(test, tree):
                        found.add(test)
    return tuple(sorted(found))


def subjects_of(rel: str, tree: Tree) -> tuple[str, ...]:
    """What the test ``rel`` tests: one file, or none when it is no test or no name tells."""
    stem, ending = _parts(rel)
    endings = _SUBJECTS.get(ending)
    if endings is None:
        return ()
    if ending in endings:
        endings = (ending, *(each for each in endings if each != ending))
    base, folders = _base(rel)
    below = folder_of(rel) if base is None else base
    for bare in _bare_stems(rel, stem, ending, base is not None):
        found = _closest(rel, bare, endings, below, folders, tree, beside=base is None)
        if found:
            return (found,)
    return ()


def _parts(rel: str) -> tuple[str, str]:
    stem, dot, ending = name_of(rel).rpartition(".")
    return (stem, ending) if dot and stem else (ending, "")


def _test_names(bare: str) -> Iterator[str]:
    yield bare
    for mark in _BEFORE:
        yield mark + bare
    for mark in _AFTER:
        yield bare + mark


def _bare_stems(rel: str, stem: str, ending: str, in_test_folder: bool) -> Iterator[str]:
    """The stem without the mark of a test, in each way it can be read."""
    for mark in _BEFORE:
        rest = stem.removeprefix(mark)
        if rest and rest != stem and (mark != "Test" or (in_test_folder and rest[0].isupper())):
            yield rest
    for mark in sorted(_AFTER, key=len, reverse=True):
        rest = stem.removesuffix(mark)
        if not rest or rest == stem or (mark.isalpha() and rest[-1].isupper()):
            continue
        doubtful = mark in _ONLY_IN_TEST_FOLDERS and mark != "Test"
        if in_test_folder or not doubtful or (ending in _SPEC_ENDINGS and "spec" in mark):
            yield rest
    if ending == "bats" or (
        _is_test_folder(name_of(folder_of(rel))) and (ending == "rs" or ending in _SCRIPT)
    ):
        yield stem


def _is_test_folder(name: str) -> bool:
    return name.lower() in _FOLDERS or name.endswith(_FOLDER_ENDINGS)


def _base(rel: str) -> tuple[str | None, list[str]]:
    """The folder that holds the first folder of tests, None outside of any; the other folders of ``rel``."""
    folders = rel.split("/")[:-1]
    place = next((at for at, name in enumerate(folders) if _is_test_folder(name)), None)
    if place is None:
        return None, folders
    return "/".join(folders[:place]), [name for name in folders if not _is_test_folder(name)]


def _closest(
    rel: str,
    bare: str,
    endings: tuple[str, ...],
    base: str,
    folders: list[str],
    tree: Tree,
    *,
    beside: bool,
) -> str | None:
    """The file called ``bare`` below ``base`` whose folders are most like ``folders``, if one is.

    With ``beside``, it must be in ``base`` itself.
    """
    best: dict[int, dict[str, str]] = {}
    for ending in endings:
        for subject, stands_for in _called(bare, ending, folder_of(rel), tree):
            if subject == rel or (base and not subject.startswith(f"{base}/")):
                continue
            if not _may_be_tested(subject, rel, bare):
                continue
            if beside and folder_of(rel) not in (folder_of(subject), stands_for):
                continue
            places = stands_for.split("/") if stands_for else []
            best.setdefault(_likeness(folders, places), {}).setdefault(stands_for, subject)
    if not best:
        return None
    closest = best[max(best)]
    return next(iter(closest.values())) if len(closest) == 1 else None


def _named(name: str, folder: str, tree: Tree) -> tuple[str, ...]:
    """The files of this name; of too many, only the one in ``folder``."""
    found = tree.named(name)
    if len(found) <= _MANY:
        return found
    beside = f"{folder}/{name}".lstrip("/")
    return (beside,) if beside in tree else ()


def _called(bare: str, ending: str, folder: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """The files that may be called ``bare``, each with the folder it is in.

    ``folder`` is that of the test.
    """
    names = [f"{bare}.{ending}" if ending else bare]
    if ending == "py":
        names.append(f"_{bare}.py")
    for name in names:
        for rel in _named(name, folder, tree):
            yield rel, folder_of(rel)
    package = _PACKAGES.get(ending)
    if package and bare != package:
        for rel in tree.derived(_packages).get((bare, ending), ()):
            yield rel, folder_of(folder_of(rel))


def _packages(tree: Tree) -> dict[tuple[str, str], tuple[str, ...]]:
    """By folder name and ending, the files that stand for a folder; of names that are not too common."""
    found: dict[tuple[str, str], list[str]] = {}
    for ending, stem in _PACKAGES.items():
        for rel in tree.named(f"{stem}.{ending}"):
            found.setdefault((name_of(folder_of(rel)), ending), []).append(rel)
    return {key: tuple(rels) for key, rels in found.items() if len(rels) <= _MANY}


def _may_be_tested(subject: str, rel: str, bare: str) -> bool:
    """Whether a file of the right name is where a subject may be.

    One among tests is only tested from beside it, by a test whose name says that it is one; one aside, such
    as an example, only by a test that is aside too.
    """
    if _base(subject)[0] is not None:
        return folder_of(subject) == folder_of(rel) and _parts(rel)[0] != bare
    aside = _ASIDE.intersection(subject.split("/")[:-1])
    return aside.issubset(rel.split("/"))


def _likeness(ours: list[str], theirs: list[str]) -> int:
    """Folders at the beginning and at the end that two paths have in common."""
    shortest = min(len(ours), len(theirs))
    begin = next((at for at in range(shortest) if ours[at] != theirs[at]), shortest)
    end = next((at for at in range(shortest) if ours[-1 - at] != theirs[-1 - at]), shortest)
    return min(begin + end, shortest)
