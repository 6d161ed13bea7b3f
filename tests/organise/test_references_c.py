"""Includes of C and its kin."""

import pytest

from knit_tui.model import Kind
from knit_tui.organise.references import extract, resolved
from knit_tui.organise.tree import Tree

TREE = Tree(
    [
        "src/main.c",
        "src/util.h",
        "src/net/util.h",
        "src/net/retry.c",
        "src/net/retry.h",
        "include/knit/api.h",
        "lib/zip/include/zip.h",
        "lib/zip/zip.c",
        "compat/string.h",
        "compat/sys/queue.h",
        "compat/vector",
        "deep/only/here.hpp",
        "a/twice.h",
        "b/twice.h",
        "include/both.h",
        "other/both.h",
    ]
)


def found(text: str, source: str = "src/main.c", language: str = "c") -> list[tuple[str, int]]:
    return [
        (rel, reference.line)
        for reference in extract(source, Kind.CODE, language, text)
        for rel in resolved(reference, source, language, TREE)
    ]


@pytest.mark.parametrize(
    ("text", "source", "rel"),
    [
        ('#include "util.h"', "src/main.c", "src/util.h"),
        ('#include "util.h"', "src/net/retry.c", "src/net/util.h"),
        ('#include "../util.h"', "src/net/retry.c", "src/util.h"),
        ('  #  include "net/retry.h" // why', "src/main.c", "src/net/retry.h"),
        ("#include <knit/api.h>", "src/net/retry.c", "include/knit/api.h"),
        ('#include "knit/api.h"', "src/main.c", "include/knit/api.h"),
        ("#include <zip.h>", "lib/zip/zip.c", "lib/zip/include/zip.h"),
        ('#import "here.hpp"', "src/main.c", "deep/only/here.hpp"),
        ("#include_next <only/here.hpp>", "src/main.c", "deep/only/here.hpp"),
        ('#include "both.h"', "src/net/retry.c", "include/both.h"),
        ("#include <net/retry.h>", "src/main.c", "src/net/retry.h"),
    ],
)
def test_an_include(text: str, source: str, rel: str) -> None:
    assert found(f"int a;\r\n{text}\r\n", source) == [(rel, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "#include <string.h>",
        "#include <vector>",
        "#include <sys/queue.h>",
        '#include "twice.h"',
        '#include "../../util.h"',
        '#include "./retry.h"',
        '#include "other/util.h"',
        '#include "main.c"',
        "#include MACRO",
        '// #include "util.h"',
        '/*\n#include "util.h"\n*/',
        'char *a = "\\\n#include \\"util.h\\"";',
        'a #include "util.h"',
        '#pragma "util.h"',
    ],
)
def test_no_include(text: str) -> None:
    assert found(text) == []


def test_a_string_opens_no_comment() -> None:
    assert found('char *a = "/*";\n#include "util.h"\n') == [("src/util.h", 2)]


@pytest.mark.parametrize("language", ["cpp", "objective-c", "objective-c++", "cuda", "arduino"])
def test_the_kin_of_c(language: str) -> None:
    assert found('#include "util.h"', language=language) == [("src/util.h", 1)]


@pytest.mark.parametrize("unit", ["#include ", '"', "/*", "'", "\n#include <", "#", "/", "\\\n"])
def test_a_long_text_is_read_once(unit: str) -> None:
    assert extract("a.c", Kind.CODE, "c", unit * (500_000 // len(unit))) == ()
