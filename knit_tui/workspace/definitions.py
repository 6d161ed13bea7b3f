"""The names that code defines, found line by line without parsing it.

One expression for each language runs over the whole text. It matches from the start of a line, stays on
that line and cannot run long: what it repeats is separated by blanks or bounded. In the sources below a
blank stands for one or more blanks of the text and ``~`` for any number of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from knit_tui.workspace.callables import (
    ARROW_SHAPE,
    C_SHAPE,
    JAVA_SHAPE,
    MODIFIERS,
    SCRIPT_SHAPE,
    c_function,
    java_method,
    script_method,
)

LONGEST_LINE = 2_000
"""Characters of a line that are looked at when its shape must tell."""

Finder = Callable[[str, str], str]
"""Gives the name that a line defines, or nothing; the second string is the line after it."""


def definitions(body: str, language: str | None) -> Iterator[tuple[int, str]]:
    """Each line (from 1) that defines something, with the name it defines."""
    if language is None or language not in _PATTERNS:
        return
    pattern, shape = _compiled(language), _SHAPES.get(language)
    text = f"\n{body}"
    line = counted = place = 0
    while found := pattern.search(text, place):
        start, place = found.start() + 1, found.end()
        if found.lastgroup == "comment":
            place = text.find("*/", place)
            if place < 0:
                return
            continue
        if shape and found.lastgroup == "shape":
            place = _end_of_line(text, start)
            following = text[place + 1 : _end_of_line(text, place + 1)]
            name = shape[1](text[start:place][:LONGEST_LINE], following[:LONGEST_LINE])
        else:
            name = found[found.lastindex or 0].strip("`\"'[] \t")
        if name:
            line += text.count("\n", counted, start)
            counted = start
            yield line, name


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


_MARKED = (
    r"~(?=[a-z@])(?:@[\w.]++(?:\([^()]{0,80}\))? ){0,3}"
    r"(?:[a-z]++(?:\([^()]{0,60}\)|\[[^\[\]]{0,60}\])? ){0,8}"
)
"""Annotations and modifiers before a keyword."""
_TYPES = (
    rf"{_MARKED}(?:(?:class|interface|@interface|enum|record|struct|object|protocol|extension|trait|actor"
    r"|typealias|mixin) (?:class |struct )?([A-Za-z_]\w*)"
    r"|(?:fun|func|def) (?:<[^<>]{0,100}>~)?(?:[A-Z][\w.]{0,80}(?:<[^<>]{0,100}>)?\.)?"
    r"([A-Za-z_]\w*|`[^`]{1,100}`))"
)
_NAME = r"[A-Za-z_$][\w$]*+"
_SCRIPT = (
    r"~(?:(?=export|default|declare|abstract|async|function|class|enum|namespace|interface|type)"
    r"(?:export |default |declare |abstract |async ){0,4}"
    rf"(?:(?:function(?:~\*~| )|class |enum |namespace )({_NAME})"
    rf"|interface ({_NAME})~(?:[{{<]|extends\b|$)|type ({_NAME})~(?:[=<]|$))"
    r"|(?<=\n)(?=export|declare|const|let|var)(?:export )?(?:declare )?"
    rf"(?:const enum|const|let|var) ({_NAME})"
    rf"|(?<=\n)(?=module|exports)(?:module\.)?exports\.({_NAME})~="
    # Something that a function is given to; what stands first passes over most other lines.
    rf"|(?=[\w$#.\x20\t]++(?:=~(?:async|function|\(|{_NAME}~=>)|:[^=(]{{1,120}}=))"
    rf"(?:(?=public|private|protected|static|override|readonly|declare)(?:(?:{MODIFIERS}) ){{1,5}})?"
    rf"(?:[A-Za-z_$][\w$.]*\.(?!exports\b))?(#?{_NAME})~(?::[^=(]{{1,120}})?"
    rf"=~(?:async )?(?:function\b|(?:\([^()]{{0,200}}\)|{_NAME})~(?::[^=]{{1,80}})?=>))"
)
_C = (
    r"~#~define ([A-Za-z_]\w*)"
    r"|~(?=[actnsiue])(?:(?:template~<[^<>]{0,120}> )?(?:typedef )?"
    r"(?:struct|class|union|enum(?: (?:class|struct))?) (?:[A-Z_]{3,40} )?"
    r"([A-Za-z_]\w*)(?=[^;(=*&{]*(?:\{|$))"
    r"|(?:inline )?namespace ([A-Za-z_][\w:]*)~(?:\{|$)|using ([A-Za-z_]\w*)~=)"
    r"|[-+]~\([^()]{0,120}\)~([A-Za-z_]\w*)|@(?:interface|implementation|protocol) ([A-Za-z_]\w*)"
)
_HTML = (
    r"|~<(?:h[1-6]|title)(?: [^<>]{0,200})?>~([^<>{}]{1,200})<"
    r"|~<(?:section|article|main|nav|form|dialog|template) [^<>]{0,200}?\bid=\"([\w-]{1,100})\""
)
_SOURCES = {
    "python cython": (
        r"~(?=async|c|def)(?:async |cdef |cpdef ){0,2}"
        r"(?:def ([A-Za-z_]\w*)~[(\[]|class ([A-Za-z_]\w*)~[(:\[])"
        r"|type ([A-Za-z_]\w*)~(?:\[[^\[\]]{1,120}\]~)?=|([A-Z_][A-Z\d_]{2,})~(?::[^=#]{1,80})?=(?!=)"
    ),
    "javascript typescript tsx jsx vue": _SCRIPT,
    "html html+php html+django": _SCRIPT + _HTML,
    "css scss less": r"([.#%][A-Za-z_][\w-]*)[^;{}]*[{,]~$|~@(?:mixin|function|keyframes) ([\w-]+)",
    "coffeescript": r"~class ([A-Za-z_]\w*)|~([A-Za-z_]\w*)~[:=]~(?:\([^()]{0,200}\)~)?[-=]>",
    "go": (
        r"func (?:\([^()]{0,200}\)~)?([A-Za-z_]\w*)|(?:type|const|var) ([A-Za-z_]\w*)"
        r"| ([A-Za-z_]\w*) (?:struct|interface)~\{~$"
        r"|\t([A-Z]\w*)(?: [\w.]{1,80})?~=~(?:iota\b|errors\.|\"|\d)"
    ),
    "rust": (
        r"~(?=pub|default|const|async|unsafe|extern|fn|struct|enum|union|trait|type|mod|macro_rules|impl|static)"
        r"(?:pub(?:\([^()]{0,60}\))? )?"
        r"(?:(?:default |const |async |unsafe |extern (?:\"[^\"]{0,20}\" )?){0,4}"
        r"(?:(?:fn|struct|enum|union|trait|type|mod|macro_rules!) ([A-Za-z_]\w*)"
        r"|impl(?:<[^{}]{0,200}?>)? (?:[^{}]{1,200} for )?&?(?:mut |dyn )?(?:[a-z_]\w*::)*([A-Za-z_]\w*))"
        r"|(?:const|static) (?:mut |ref )?([A-Za-z_]\w*)~:)"
    ),
    "java groovy swift dart haxe vala aspectj gosu actionscript3": _TYPES,
    "csharp": (
        _TYPES
        + r"|~(?:(?:public|protected|internal|private|static|override|virtual|abstract|required|new) ){1,5}"
        r"[\w<>\[\],.?]{1,120} ([A-Za-z_]\w*)~(?:\{~(?:get|set|init)\b|=>)"
        r"|~(?:[a-z]+ ){0,4}delegate [\w<>\[\],.?]{1,120} ([A-Za-z_]\w*)"
    ),
    "kotlin": _TYPES + r"|(?:[a-z]+ ){0,3}va[lr] ([A-Za-z_]\w*)|~(?:[a-z]+ ){0,2}const val ([A-Za-z_]\w*)",
    "scala": _TYPES + r"|~(?:[a-z]+ ){0,3}type ([A-Za-z_]\w*)~[\[=<>]",
    "c cpp objective-c objective-c++ cuda arduino glsl hlsl d": _C,
    "ruby cr": (
        r"~(?:(?:private |protected |public |module_function )?def (?:self\.)?([A-Za-z_]\w*[?!=]?)"
        r"|(?:class|module) ([A-Z][\w:]*))"
    ),
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
    "lua luau": r"~(?:local )?function ([\w.:]+)|(?:local )?([\w.:]+)~=~function\b",
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
    "julia": (
        r"~(?:function|macro|(?:mutable )?struct|abstract type|module) ([\w.!]+)"
        r"|([A-Za-z_]\w*!?)\([^()]{0,200}\)~=(?!=)"
    ),
    "zig": (
        r"~(?:pub )?(?:export |inline |extern ){0,2}"
        r"(?:fn (\w+)|const (\w+)~=~(?:packed |extern )?(?:struct|enum|union|opaque)\b)"
    ),
    "nimrod": r"~(?:proc|func|method|iterator|template|macro|converter) (\w+)",
    "make": r"([\w./%-]+)(?: [\w./%-]+){0,8}~::?(?![=:])|define ([\w.-]+)",
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
    "yaml": r"[\"']?([A-Za-z_][\w.-]*)[\"']?:(?: |$)|~- name: ([^#]{1,100})",
    "vim": r"~(?:function|command)!? ([\w:#.]+)",
    "verilog systemverilog": r"~(?:module|interface|class|package|task|function) (?:automatic )?(\w+)",
    "vhdl ada": r"(?i:~(?:entity|architecture|package|procedure|function|component) (?:body )?(\w+))",
    "fortran fortranfixed": (
        r"(?i:~(?:(?:recursive|pure|elemental) ){0,3}(?:program|module|subroutine|function|interface) (\w+))"
    ),
    "matlab octave": r"~(?:function (?:[^=()]{1,100}=~)?|classdef )([\w.]+)",
    "gdscript": r"~(?:static )?(?:func|class|class_name|signal|enum) (\w+)",
}
_PATTERNS = {language: source for languages, source in _SOURCES.items() for language in languages.split()}
_BLOCK_COMMENTS = frozenset(
    """
    javascript typescript tsx jsx java csharp groovy kotlin swift scala dart c cpp objective-c objective-c++
    cuda arduino go rust php d solidity protobuf css scss less
    """.split()
)
_SHAPES: dict[str, tuple[str, Finder]] = {
    **dict.fromkeys("javascript typescript tsx jsx vue".split(), (SCRIPT_SHAPE, script_method)),
    **dict.fromkeys("java groovy aspectj vala".split(), (JAVA_SHAPE, java_method)),
    **dict.fromkeys("csharp dart".split(), (ARROW_SHAPE, java_method)),
    **dict.fromkeys(
        "c cpp objective-c objective-c++ cuda arduino glsl hlsl d".split(), (C_SHAPE, c_function)
    ),
}


@cache
def _compiled(language: str) -> re.Pattern[str]:
    # All of them at once would take longer than a whole answer may.
    source = _PATTERNS[language].replace(" ", r"[ \t]++").replace("~", r"[ \t]*+").replace("[^", r"[^\n")
    if language in _BLOCK_COMMENTS:
        source = rf"(?P<comment>[ \t]*+/\*)|{source}"
    if language in _SHAPES:
        source += f"|(?P<shape>{_SHAPES[language][0]})"
    return re.compile(rf"\n(?:{source})", re.MULTILINE)
