"""The names that code defines, line by line, without parsing it.

A line is matched once, from its start, by expressions that cannot run long: what they repeat is
separated by blanks or bounded, and a line is cut before it comes here. In the sources below a blank
stands for one or more blanks of the text, and ``~`` for any number of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from knit_tui.workspace.callables import c_function, java_method, script_method

Finder = Callable[[str, str], str]
"""Gives the name that a line defines, or nothing; the second string is the line after it."""


def definitions(lines: list[str], language: str | None) -> Iterator[tuple[int, str]]:
    """Each line (from 1) that defines something, with the name it defines."""
    pattern = _PATTERNS.get(language or "")
    finder = _FINDERS.get(language or "")
    if not pattern:
        return
    match = pattern.match
    last = len(lines) - 1
    comments = language in _BLOCK_COMMENTS
    in_comment = False
    for number, line in enumerate(lines):
        if len(line) < 3:
            in_comment = in_comment and "*/" not in line
            continue
        if comments:
            if in_comment:
                in_comment = "*/" not in line
                continue
            if "/*" in line and line.lstrip().startswith("/*"):
                in_comment = "*/" not in line
                continue
        found = match(line)
        name = (found[found.lastindex or 0] or "") if found else ""
        if not found and finder:
            name = finder(line, lines[number + 1] if number < last else "")
        if name:
            yield number + 1, name.strip("`\"'[]")


_MARKED = r"~(?:@[\w.]+(?:\([^()]{0,80}\))? ){0,3}(?:[a-z]+(?:\([^()]{0,60}\))? ){0,8}"
"""Annotations and modifiers before a keyword."""
_TYPES = (
    rf"{_MARKED}(?:class|interface|@interface|enum|record|struct|object|protocol|extension|trait|actor"
    r"|typealias|mixin) (?:class )?([A-Za-z_]\w*)"
    rf"|{_MARKED}(?:fun|func|def) (?:<[^<>]{{0,100}}>~)?(?:[A-Z][\w.]{{0,80}}(?:<[^<>]{{0,100}}>)?\.)?"
    r"([A-Za-z_`][\w`]*)"
)
_SCRIPT = (
    r"~(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?"
    r"(?:(?:function~\*?|class|enum|namespace) ([A-Za-z_$][\w$]*)"
    r"|interface ([A-Za-z_$][\w$]*)~(?:[{<]|extends\b|\Z)|type ([A-Za-z_$][\w$]*)~(?:[=<]|\Z))"
    r"|(?:export )?(?:declare )?(?:const enum|const|let|var) ([A-Za-z_$][\w$]*)"
    r"|(?:module\.)?exports\.([A-Za-z_$][\w$]*)~="
)
_C = (
    r"~#~define ([A-Za-z_]\w*)"
    r"|~(?:typedef )?(?:struct|class|union|enum(?: (?:class|struct))?) (?:[A-Z_]{3,40} )?"
    r"([A-Za-z_]\w*)(?=[^;(=*&]*\Z)"
    r"|~(?:inline )?namespace ([A-Za-z_][\w:]*)~(?:\{|\Z)"
    r"|[-+]~\([^()]{0,120}\)~([A-Za-z_]\w*)|@(?:interface|implementation|protocol) ([A-Za-z_]\w*)"
)
_SOURCES = {
    "python cython": r"~(?:async |cdef |cpdef ){0,2}(?:def ([A-Za-z_]\w*)~[(\[]|class ([A-Za-z_]\w*)~[(:\[])",
    "javascript typescript tsx jsx vue html+php html": _SCRIPT,
    "coffeescript": r"~class ([A-Za-z_]\w*)|~([A-Za-z_]\w*)~[:=]~(?:\([^()]{0,200}\)~)?[-=]>",
    "go": r"func (?:\([^()]{0,200}\)~)?([A-Za-z_]\w*)|(?:type|const|var) ([A-Za-z_]\w*)",
    "rust": (
        r"~(?:pub(?:\([^()]{0,60}\))? )?(?:default |const |async |unsafe |extern (?:\"[^\"]{0,20}\" )?){0,4}"
        r"(?:(?:fn|struct|enum|union|trait|type|mod|macro_rules!) ([A-Za-z_]\w*)"
        r"|impl(?:<[^{}]{0,200}>)? (?:[^{}]{1,200} for )?&?(?:mut )?(?:[a-z_]\w*::)*([A-Za-z_]\w*))"
        r"|~(?:pub(?:\([^()]{0,60}\))? )?(?:const|static) (?:mut )?([A-Za-z_]\w*)~:"
    ),
    "java csharp groovy kotlin swift scala dart haxe vala aspectj gosu actionscript3": _TYPES,
    "c cpp objective-c objective-c++ cuda arduino glsl hlsl d": _C,
    "ruby cr": r"~(?:def (?:self\.)?([A-Za-z_]\w*[?!=]?)|(?:class|module) ([A-Z][\w:]*))",
    "php": (
        r"~(?:(?:abstract|final|public|protected|private|static|readonly) ){0,5}"
        r"(?:function &?|class |interface |trait |enum )([A-Za-z_]\w*)"
    ),
    "bash tcsh fish": r"~(?:function ([\w:.-]+)|([A-Za-z_][\w:.-]*)~\(~\))",
    "powershell": r"(?i:~(?:function|filter|class|workflow) ([\w:-]+))",
    "sql": (
        r"(?i:~create (?:or replace )?(?:(?:global|local|temp|temporary|unique|unlogged|materialized|virtual"
        r"|external|recursive|aggregate) ){0,3}(?:table|view|index|function|procedure|trigger|type|schema"
        r"|sequence|database|domain|role|extension|policy|macro) (?:if not exists |concurrently ){0,2}"
        r"([\w.\"`\[\]$]+))"
    ),
    "lua luau": r"~(?:local )?function ([\w.:]+)|([\w.:]+)~=~function\b",
    "elixir": r"~(?:defmodule|defprotocol|defimpl|defp?|defmacrop?|defguardp?|defdelegate) ([\w.?!]+)",
    "erlang": r"([a-z]\w*)\([^()]{0,200}\)~(?:when\b.{0,200})?->|-(?:record|type|spec)\(?~(\w+)",
    "haskell purescript elm": (
        r"(?:data|newtype|type|class|instance|module) (?:alias )?([A-Z][\w.]*)|([a-z_][\w']*)~::? "
    ),
    "ocaml fsharp reasonml": (
        r"~(?:let|and|type|module|val|external|exception|member) "
        r"(?:(?:rec|inline|mutable|private|type|nonrec) ){0,3}(?:this\.|_\.|self\.)?([A-Za-z_][\w']*)"
    ),
    "common-lisp scheme clojure clojurescript emacs-lisp racket fennel hylang": (
        r"~\((?:def|define|cl-def)[\w*+!?<>=/.-]{0,40} (?:\^\S{1,60} )?\(?'?:?([^\s()\[\]\"';]+)"
    ),
    "perl perl6": r"~(?:sub|package|class|role|method|multi) ([\w:]+)",
    "splus": r"([\w.]+)~(?:<-|=)~function\b|set(?:Class|Generic|Method)\([\"']([\w.]+)",
    "julia": r"~(?:function|macro|(?:mutable )?struct|abstract type|module) ([\w.!]+)",
    "zig": (
        r"~(?:pub )?(?:export |inline |extern ){0,2}"
        r"(?:fn (\w+)|const (\w+)~=~(?:packed |extern )?(?:struct|enum|union|opaque)\b)"
    ),
    "nimrod": r"~(?:proc|func|method|iterator|template|macro|converter) (\w+)",
    "make": r"([\w./%-]+)~:(?![=:])",
    "cmake": r"(?i:~(?:function|macro|add_library|add_executable|add_custom_target|project)~\(~([\w.-]+))",
    "docker": r"(?i:FROM [^\s]{1,300} AS ([\w.-]+))",
    "terraform": (
        r"(?:resource|data) \"[^\"]{1,100}\" \"([^\"]{1,100})\""
        r"|(?:module|variable|output|provider) \"([^\"]{1,100})\""
    ),
    "protobuf thrift": r"~(?:message|service|enum|rpc|struct|exception|union) (\w+)",
    "graphql": (
        r"(?:extend )?(?:type|interface|enum|input|union|scalar|query|mutation|subscription|fragment"
        r"|directive) @?(\w+)"
    ),
    "solidity": (
        r"~(?:abstract )?(?:contract|interface|library|function|event|struct|enum|modifier|error) (\w+)"
    ),
    "tex": (
        r"~\\(?:part|chapter|section|subsection|subsubsection|paragraph)\*?(?:\[[^\[\]]{0,200}\])?"
        r"\{([^{}]{1,200})\}"
    ),
    "toml ini": r"\[{1,2}~([^\[\]]{1,120})\]",
    "yaml": r"([A-Za-z_][\w.-]*):(?: |\Z)",
    "vim": r"~(?:function|command)!? ([\w:#.]+)",
    "verilog systemverilog": r"~(?:module|interface|class|package|task|function) (?:automatic )?(\w+)",
    "vhdl ada": r"(?i:~(?:entity|architecture|package|procedure|function|component) (?:body )?(\w+))",
    "fortran fortranfixed": (
        r"(?i:~(?:(?:recursive|pure|elemental) ){0,3}(?:program|module|subroutine|function|interface) (\w+))"
    ),
    "matlab octave": r"~(?:function (?:[^=()]{1,100}=~)?|classdef )([\w.]+)",
    "gdscript": r"~(?:static )?(?:func|class|class_name|signal|enum) (\w+)",
}
_PATTERNS = {
    language: re.compile(source.replace(" ", r"[ \t]+").replace("~", r"[ \t]*"))
    for languages, source in _SOURCES.items()
    for language in languages.split()
}
_BLOCK_COMMENTS = frozenset(
    """
    javascript typescript tsx jsx java csharp groovy kotlin swift scala dart c cpp objective-c objective-c++
    cuda arduino go rust php d solidity protobuf
    """.split()
)
_FINDERS: dict[str, Finder] = {
    **dict.fromkeys("javascript typescript tsx jsx vue".split(), script_method),
    **dict.fromkeys("java csharp groovy dart aspectj vala".split(), java_method),
    **dict.fromkeys("c cpp objective-c objective-c++ cuda arduino glsl hlsl d".split(), c_function),
}
