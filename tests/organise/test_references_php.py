"""Classes that PHP uses and files it includes."""

import json

import pytest

from knit_tui.model import Kind
from knit_tui.organise.references import Reference, extract, php, resolved
from knit_tui.organise.tree import Tree

COMPOSER = {
    "autoload": {"psr-4": {"App\\": "src/", "App\\Sub\\": ["sub", "more/"], "Bad Name\\": "x"}},
    "autoload-dev": {"psr-4": {"Tests\\": "tests/"}},
}
FILES = {
    "composer.json": json.dumps(COMPOSER),
    "src/Http/Kernel.php": "<?php\nnamespace App\\Http;\n",
    "src/Http/Request.php": "<?php\nnamespace App\\Http;\n",
    "more/Thing.php": "<?php\n",
    "tests/KernelTest.php": "<?php namespace Tests;\n",
    "legacy/model.user.php": "<?php\nnamespace Old;\n",
    "legacy/User.php": "<?php\nnamespace Old\\Models {\n",
    "legacy/inc/db.php": "<?php\n",
    "legacy/inc/log.php": "<?php\n",
    "index.php": "<?php\n",
    "modules/a/one/Same.php": "<?php\nnamespace Twice;\n",
    "modules/b/two/Same.php": "<?php\nnamespace Twice;\n",
}
FACTS = [
    (rel, reference)
    for rel, text in FILES.items()
    for reference in extract(rel, Kind.CODE, "json" if rel.endswith("json") else "php", text)
]
TREE = Tree(FILES, FACTS)


def found(text: str, source: str = "index.php") -> list[tuple[str, int]]:
    return [
        (rel, reference.line)
        for reference in extract(source, Kind.CODE, "php", text)
        for rel in resolved(reference, source, "php", TREE)
    ]


def test_what_composer_says() -> None:
    said = [fact for _, fact in TREE.facts("psr4")]
    assert said == ["App\\ src", "App\\Sub\\ more", "App\\Sub\\ sub", "Tests\\ tests"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 100_000, '{"autoload": 1}', '{"autoload": {"psr-4": {"A\\\\": 1}}}']
)
def test_a_composer_file_that_says_nothing(text: str) -> None:
    assert extract("composer.json", Kind.CODE, "json", text) == ()


def test_the_namespace_of_a_file() -> None:
    assert Reference("m", "namespace Old\\Models", 2) in [fact for _, fact in FACTS]
    assert TREE.stating("namespace", "Tests") == ("tests/KernelTest.php",)


@pytest.mark.parametrize(
    ("text", "rel"),
    [
        ("use App\\Http\\Kernel;", "src/Http/Kernel.php"),
        ("use \\App\\Http\\Kernel as K;", "src/Http/Kernel.php"),
        ("use App\\Sub\\Thing;", "more/Thing.php"),
        ("use Old\\Models\\User;", "legacy/User.php"),
        ("use Tests\\KernelTest;", "tests/KernelTest.php"),
        ("require __DIR__ . '/legacy/inc/db.php';", "legacy/inc/db.php"),
        ("require_once('legacy/inc/db.php');", "legacy/inc/db.php"),
        ('$x = include "legacy/inc/db.php";', "legacy/inc/db.php"),
        ("return require dirname(__FILE__) . '/legacy/inc/db.php';", "legacy/inc/db.php"),
        ("  include_once ROOT_PATH . 'legacy/inc/db.php';", "legacy/inc/db.php"),
    ],
)
def test_a_use(text: str, rel: str) -> None:
    assert found(f"<?php\r\n\r\n{text}\r\n") == [(rel, 3)]


def test_uses_in_a_group_have_their_own_lines() -> None:
    text = "<?php\nuse App\\{\n    Http\\Kernel,\n    Http\\Request as R,\n    Sub\\Thing,\n};\n"
    assert found(text) == [("src/Http/Kernel.php", 3), ("src/Http/Request.php", 4), ("more/Thing.php", 5)]
    text = "<?php\nuse App\\Http\\Kernel, App\\Sub\\Thing;\n"
    assert found(text) == [("src/Http/Kernel.php", 2), ("more/Thing.php", 2)]


def test_a_trait_is_of_the_same_namespace() -> None:
    text = "<?php\nnamespace App\\Http;\nclass A {\n    use Request, Kernel { a as b; }\n}\n"
    assert found(text, "src/Http/A.php") == [("src/Http/Kernel.php", 4), ("src/Http/Request.php", 4)]


def test_folders_above_the_file() -> None:
    assert found("<?php\nrequire dirname(__DIR__) . '/User.php';", "legacy/inc/db.php") == [
        ("legacy/User.php", 2)
    ]
    assert found("<?php\nrequire dirname(__DIR__, 2) . '/index.php';", "legacy/inc/db.php") == [
        ("index.php", 2)
    ]
    assert found("<?php\nrequire __DIR__ . '/../User.php';", "legacy/inc/db.php") == [("legacy/User.php", 2)]
    assert found("<?php\nrequire 'log.php';", "legacy/inc/db.php") == [("legacy/inc/log.php", 2)]
    assert found("<?php\nrequire APP . '/inc/log.php';", "legacy/User.php") == [("legacy/inc/log.php", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "use App\\Http\\None;",
        "use Http\\Kernel;",
        "use Kernel;",
        "use Twice\\Same;",
        "use function App\\Http\\Kernel;",
        "use const App\\Http\\Kernel;",
        "$f = function () use ($kernel) {};",
        "// use App\\Http\\Kernel;",
        "/*\nuse App\\Http\\Kernel;\n*/",
        "# use App\\Http\\Kernel;",
        "require $file;",
        'require "legacy/inc/$name.php";',
        "require 'db.php';",
        "require 'index.php';",
        "required('legacy/inc/db.php');",
    ],
)
def test_no_use(text: str) -> None:
    assert found(f"<?php\n{text}\n") == []


@pytest.mark.parametrize(
    "unit", ["\nuse A\\", "\nuse A{", "use a,", "'", "/*", "\nnamespace A", "\nrequire __DIR__"]
)
def test_a_long_text_is_read_once(unit: str) -> None:
    assert len(extract("a.php", Kind.CODE, "php", unit * (500_000 // len(unit)))) <= 1


def test_what_to_look_for() -> None:
    """A class by the end of its full name, a file by its name."""
    rel = "src/Http/Kernel.php"
    words = php.keys(rel, TREE)
    for target, held in (
        ("\\App\\Http\\Kernel", True),
        ("./Http/Kernel.php", True),
        ("\\Kernel\\Http", False),
    ):
        assert any(word in f"i1 {target}\n".casefold() for word in words) == held
