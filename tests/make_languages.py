"""Write knit_tui/workspace/languages.py from the lexers of the installed Pygments.

Run as ``python -m tests.make_languages`` from the top of the repository, after an upgrade of Pygments.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "knit_tui" / "workspace" / "languages.py"

PREFERRED = {
    "*.as": "actionscript3",
    "*.G": "antlr-java",
    "*.g": "antlr-java",
    "*.feature": "gherkin",
    "*.b": "brainfuck",
    "*.bug": "bugs",
    "*.h": "c",
    "*.aspx": "aspx-cs",
    "*.asax": "aspx-cs",
    "*.ascx": "aspx-cs",
    "*.ashx": "aspx-cs",
    "*.asmx": "aspx-cs",
    "*.axd": "aspx-cs",
    "*.s": "gas",
    "*.S": "gas",
    "*.bas": "qbasic",
    "*.cl": "common-lisp",
    "*.cp": "cpp",
    "*.ecl": "ecl",
    "*.prolog": "prolog",
    "*.pro": "prolog",
    "*.pl": "perl",
    "*.pm": "perl",
    "*.t": "perl",
    "*.hh": "cpp",
    "*.mac": "maxima",
    "*.n": "nemerle",
    "*.fs": "fsharp",
    "*.tst": "scilab",
    "*.gd": "gdscript",
    "*.xsl": "xslt",
    "*.xslt": "xslt",
    "*.inf": "ini",
    "*.j": "objective-j",
    "*.lean": "lean4",
    "*.mi": "maple",
    "*.mm": "objective-c++",
    "*.m": "objective-c",
    "*.def": "modula2",
    "*.asm": "nasm",
    "*.ASM": "nasm",
    "*.p": "openedge",
    "*.inc": "php",
    "*.sc": "supercollider",
    "*.rl": "ragel-c",
    "*.v": "verilog",
    "*.scd": "supercollider",
    "*.sql": "sql",
    "*.i": "swig",
    "*.ttl": "turtle",
    "*.toc": "tex",
    "*.u": "ucode",
    "*.r": "splus",
}
"""The language that most files of an ending are in: ``.r``, say, is R far more often than Rebol."""

ADDED = {
    "*.mts *.cts": "typescript",
    "*.jsonc": "json5",
    "*.geojson *.topojson *.webmanifest *.ipynb *.har *.avsc *.code-workspace *.importmap": "json",
    ".babelrc .eslintrc .jshintrc .nycrc .prettierrc .stylelintrc .swcrc": "json",
    "*.svelte *.astro *.ejs *.cshtml *.razor *.njk": "html",
    "*.conf *.cnf *.gitconfig .flake8 .pylintrc .coveragerc .gitconfig .gitmodules .wgetrc": "ini",
    "*.tfvars": "terraform",
    "*.bats .profile .zshenv .zprofile .zlogin .zlogout .xinitrc .xprofile .env.*": "bash",
    "*.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets *.xaml *.plist *.xib *.resx *.nuspec": "xml",
    "*.storyboard *.iml *.atom *.kml *.gpx": "xml",
    "*.gql *.graphqls": "graphql",
    "*.glsl *.comp *.tesc *.tese": "glsl",
    "*.metal": "cpp",
    "*.f95 *.f08 *.for *.f77": "fortran",
    "*.bazel *.star MODULE.bazel WORKSPACE.bazel Snakefile wscript Tiltfile": "python",
    "*.j2 *.jinja *.jinja2": "jinja",
    "*.erb": "erb",
    "*.rbi *.podspec *.ru *.jbuilder Brewfile Podfile Fastfile Appfile Guardfile Capfile Berksfile": "ruby",
    "*.cson Cakefile": "coffeescript",
    "*.sbt": "scala",
    "*.psd1": "powershell",
    "*.dockerfile *.containerfile Dockerfile.* Containerfile Containerfile.*": "docker",
    "*.el.in .emacs": "emacs-lisp",
    "Jenkinsfile": "groovy",
    "justfile Justfile .justfile Makefile.am Makefile.in": "make",
    ".clang-format .clang-tidy .clangd .yamllint .gemrc": "yaml",
    ".gitignore .gitattributes .dockerignore .npmignore .eslintignore .prettierignore .helmignore": "text",
    ".mailmap .nvmrc .node-version .python-version .ruby-version .tool-versions .keep .gitkeep": "text",
    "CODEOWNERS go.mod go.work MANIFEST.in py.typed robots.txt requirements.txt constraints.txt": "text",
    "requirements-dev.txt requirements-test.txt dev-requirements.txt test-requirements.txt": "text",
}
"""Common names that Pygments knows no lexer for by name; ``text`` where no language fits."""

SNIFFED = (
    "*.mo",
    "*.bc",
    "*.pack",
    "*.max",
    "*.run",
    "*.fif",
    "*.nb",
    "*.pc",
    "*.load",
    "*.geo",
    "*.x",
    "*.q",
)
"""Endings that are as often binary: the content decides whether the language holds."""

DROPPED = (
    "*.[1-9]",
    "*Spec.hs",
    "todo.txt",
    "*.todotxt",
    "*.svg",
    "*.md",
    "*.markdown",
    "*.rst",
    "*.rest",
    "*.org",
    "*.txt",
)
"""Numbered files are no more manual pages than logs and libraries; the rest is classified elsewhere."""


def claims() -> dict[str, list[str]]:
    """Every file name pattern of Pygments and ours, with the aliases of the lexers that claim it."""
    from pygments.lexers import find_lexer_class_by_name, get_all_lexers

    found: dict[str, list[str]] = {}
    for _, aliases, patterns, _ in get_all_lexers(plugins=False):
        for pattern in patterns:
            for one in _expanded(pattern):
                found.setdefault(one, []).append(aliases[0])
    for patterns_added, alias in ADDED.items():
        name = find_lexer_class_by_name(alias).aliases[0]
        for pattern in patterns_added.split():
            found[pattern] = [name]
    for pattern in DROPPED:
        for one in _expanded(pattern):
            found.pop(one, None)
    return found


def _expanded(pattern: str) -> list[str]:
    """A pattern with one ``[...]`` as one pattern for each of its characters."""
    match = re.fullmatch(r"(.*)\[([^]]+)\](.*)", pattern)
    if not match:
        return [pattern]
    before, characters, after = match.groups()
    if characters == "1-9":
        characters = "123456789"
    return [f"{before}{character}{after}" for character in characters]


def chosen(found: dict[str, list[str]]) -> dict[str, str]:
    """One alias for each pattern.

    Raises:
        SystemExit: several lexers claim a pattern and ``PREFERRED`` names none of them.
    """
    table: dict[str, str] = {}
    for pattern, aliases in found.items():
        preferred = PREFERRED.get(pattern)
        if preferred is None and len(set(aliases)) > 1:
            raise SystemExit(f"{pattern} is claimed by {aliases}: put one into PREFERRED")
        table[pattern] = preferred or aliases[0]
    return table


def render() -> str:
    """The whole text of languages.py."""
    import pygments

    table = chosen(claims())
    names = {pattern: alias for pattern, alias in table.items() if "*" not in pattern}
    endings = {p[1:]: a for p, a in table.items() if p.startswith("*.") and "*" not in p[1:]}
    prefixes = {p[:-1]: a for p, a in table.items() if p.endswith("*") and "*" not in p[:-1]}
    left = set(table) - set(names) - {f"*{e}" for e in endings} - {f"{p}*" for p in prefixes}
    if left - {"*Config.in*"}:
        raise SystemExit(f"patterns of a form that the table has no place for: {sorted(left)}")
    return _TEMPLATE.format(
        version=pygments.__version__,
        names=_block(names),
        endings=_block(endings),
        prefixes=_block(prefixes),
        sniffed=_wrapped(sorted(pattern[1:] for pattern in SNIFFED)),
    )


def _block(table: dict[str, str]) -> str:
    return _wrapped([f"{pattern} {alias}" for pattern, alias in sorted(table.items())])


def _wrapped(words: list[str]) -> str:
    return textwrap.fill(
        " ".join(words),
        width=106,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


_TEMPLATE = '''\
"""File names and endings of every language Pygments {version} knows, and its alias of each.

Written by ``python -m tests.make_languages``, so that nothing imports Pygments to tell a language.
"""

from __future__ import annotations

PYGMENTS = "{version}"


def _pairs(text: str) -> dict[str, str]:
    words = iter(text.split())
    return dict(zip(words, words, strict=True))


NAMES = _pairs(
    """
{names}
    """
)
"""Whole file names."""

ENDINGS = _pairs(
    """
{endings}
    """
)
"""Ends of names, with their dot; capital letters only where they tell another language."""

PREFIXES = _pairs(
    """
{prefixes}
    """
)
"""Beginnings of names."""

SNIFFED = frozenset(
    """
{sniffed}
    """.split()
)
"""Endings that are as often binary, so that the content must confirm the language."""
'''


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
