"""Functions and methods of the languages that have no word before them, by the shape of a line.

Each ``…_SHAPE`` is the source of an expression that passes over most other lines, matched from the start of
a line; the function of its kind judges the lines that are left.
"""

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
MODIFIERS = "public|private|protected|static|async|override|readonly|get|set|abstract|declare"
"""What may stand before a method or field of JavaScript or TypeScript."""
_METHOD = rf"(?:(?:{MODIFIERS})[ \t]+){{0,5}}\*?[ \t]*(#?[A-Za-z_$][\w$]*)[ \t]*(?:<[^<>()\n]{{0,200}}>)?\("
_SCRIPT_METHOD = re.compile(_METHOD)
_PARAMETER = re.compile(
    r"[ \t]*(?:@\w|(?:public|private|protected|readonly)[ \t]|(?:\.\.\.)?[A-Za-z_$][\w$]*\??:[ \t])"
)
_ANNOTATIONS = re.compile(r"(?:@[A-Za-z_][\w.]*(?:\([^()]{0,200}\))?[ \t]+){1,5}")

SCRIPT_SHAPE = r"[ \t]++[a-zA-Z_$#*][^\n.;(='\"`]*+(?=\((?!['\"`]))[^\n]*+(?<=[{( \t])"
JAVA_SHAPE = r"[ \t]*+(?:@|[A-Za-z_<][^\n;(=]*+(?=\())[^\n]*+(?<=[{}),(> \t])"
ARROW_SHAPE = JAVA_SHAPE + r"|[ \t]*+[A-Za-z_][^\n;(=]*+\([^\n]*?\)[ \t]*+=>"
C_SHAPE = (
    r"[^\s#/*@.&({\"'}!<>,:?=+;|][^\n(=+;\"'?{}|!/.]*+\([^\n]*+(?<!;)"
    r"|[ \t]++[A-Za-z_~][^\n(=+;\"'?{}|!/.]*+\([^\n]*+(?<=[{} \t])"
)


def script_method(line: str, following: str) -> str:
    """A method of a JavaScript or TypeScript class or object: ``name(...) {``, or typed parameters below."""
    text = line.strip()
    found = _SCRIPT_METHOD.match(text)
    if not found or found[1] in _NOT_NAMES:
        return ""
    if text.endswith("(") and found.end() == len(text):
        return found[1] if _PARAMETER.match(following) else ""
    # A call with a function for argument looks much the same.
    if not text.endswith("{") or text.endswith(("({", "[{", "=> {")) or "function" in text:
        return ""
    return found[1]


def java_method(line: str, following: str) -> str:
    """A method or constructor of Java, C# and their kin."""
    text = line.strip()
    annotations = _ANNOTATIONS.match(text)
    text = text[annotations.end() :] if annotations else text
    before, bracket, after = text.partition("(")
    words = before.split()
    if not bracket or "=" in before or not words or before[0] in "@/" or "operator" in words:
        return ""
    name = _name_of(before.rstrip())
    if text.endswith(";"):
        return name if len(words) > 1 and words[0] not in _NOT_NAMES and ") =>" in after else ""
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
    before = before.rstrip()
    name = _name_of(before)
    words = before.split()
    if not bracket or not name or words[0] in _NOT_NAMES or text.endswith(";"):
        return ""
    if indented:
        return name if len(words) > 1 and text.endswith(("{", "}")) and "{" in text else ""
    if len(words) == 1 and not (following.lstrip().startswith("{") or text.endswith("{")):
        return ""
    return name


def _name_of(before: str) -> str:
    """The identifier that stands before a bracket, unless it is a word of the language."""
    if before.endswith(">"):
        before = before[: before.rfind("<")].rstrip() if "<" in before else ""
    found = _LAST_NAME.search(before[-120:])
    return "" if not found or found[0] in _NOT_NAMES else found[0]
