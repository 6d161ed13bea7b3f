"""Functions and methods of the languages that have no word before them, by the shape of a line."""

from __future__ import annotations

import re

_NOT_NAMES = frozenset(
    """
    if for while switch catch return function else do try throw new delete typeof sizeof alignof decltype
    await yield case using lock foreach synchronized assert with super this in of import
    require defined static_assert __attribute__ __declspec until unless when elseif elif
    """.split()
)
_LAST_NAME = re.compile(r"~?[A-Za-z_$#][\w$]*\Z")
_METHOD = re.compile(
    r"(?:(?:public|private|protected|static|async|override|readonly|get|set|abstract)[ \t]+){0,5}"
    r"\*?[ \t]*(#?[A-Za-z_$][\w$]*)[ \t]*(?:<[^<>()]{0,200}>)?\("
)


def script_method(line: str, following: str) -> str:
    """A method of a JavaScript or TypeScript class or object: ``name(...) {`` on a line of its own."""
    if line[0] not in " \t":
        return ""
    text = line.strip()
    found = _METHOD.match(text)
    if not found or found[1] in _NOT_NAMES:
        return ""
    # A call with a function for argument looks much the same.
    if not text.endswith("{") or text.endswith(("({", "[{", "=> {")) or "function" in text:
        return ""
    return "" if text[found.end() : found.end() + 1] in ("'", '"', "`") else found[1]


def java_method(line: str, following: str) -> str:
    """A method or constructor of Java, C# and their kin."""
    text = line.strip()
    before, bracket, _ = text.partition("(")
    if (
        not bracket
        or text.endswith(";")
        or "=" in before
        or before.startswith(("@", "//", "*", ".", "[", "#"))
    ):
        return ""
    name = _name_of(before.rstrip())
    words = before.split()
    if not name or words[0] in _NOT_NAMES or (len(words) == 1 and not name[0].isupper()):
        return ""
    if not all(word[0].isalpha() or word[0] in "_<@[" for word in words):
        return ""
    if text.endswith(("{", "{}", "=>")) or (text.endswith((")", ",", "(")) and _opens(following, text)):
        return name
    return ""


def _opens(following: str, text: str) -> bool:
    """Whether the next line goes on with a signature: a brace, or more parameters."""
    after = following.strip()
    return after.startswith(("{", "throws ", "where ")) or (
        text.endswith((",", "(")) and not after.startswith((".", '"'))
    )


def c_function(line: str, following: str) -> str:
    """A function of C or C++: at the start of a line, or inside a class with its body opened there."""
    indented = line[0] in " \t"
    text = line.strip()
    before, bracket, _ = text.partition("(")
    if not bracket or not before or text.endswith(";") or "=" in before or before[0] in "#/*@.&({\"'}!<>,:?":
        return ""
    before = before.rstrip()
    name = _name_of(before)
    words = before.split()
    if not name or words[0] in _NOT_NAMES or any(character in before for character in "\"'+?;{}|!/."):
        return ""
    if indented:
        return name if text.endswith("{") and len(words) > 1 else ""
    if len(words) == 1 and not (following.lstrip().startswith("{") or text.endswith("{")):
        return ""
    return name


def _name_of(before: str) -> str:
    """The identifier that stands before a bracket, unless it is a word of the language."""
    if before.endswith(">"):
        before = before[: before.rfind("<")].rstrip() if "<" in before else ""
    found = _LAST_NAME.search(before[-120:])
    return "" if not found or found[0] in _NOT_NAMES else found[0]
