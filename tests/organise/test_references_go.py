"""Imports of Go, and the modules that their paths begin with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import Reference, go
from knit_tui.organise.tree import Tree


def found(text: str) -> list[tuple[str, int]]:
    rows = list(go.extract(text))
    assert {form for form, _, _ in rows} <= {"i"}
    return [(target, line) for _, target, line in rows]


def tree(*paths: str, **modules: str) -> Tree:
    """``modules``: the path of the module in each folder; ``root`` is the workspace itself."""
    files = {("go.mod" if name == "root" else f"{name}/go.mod"): path for name, path in modules.items()}
    facts = [
        (rel, Reference(form, target, line))
        for rel, path in files.items()
        for form, target, line in go.manifest("go.mod", f"// go\nmodule {path} // x\n\ngo 1.22\n")
    ]
    return Tree([*paths, *files], facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('package a\nimport "shop/cart"\n', [("shop/cart", 2)]),
        ('import c "shop/cart"', [("shop/cart", 1)]),
        ('import _ "shop/cart"', [("shop/cart", 1)]),
        ('import . "shop/cart"', [("shop/cart", 1)]),
        ('import("shop/cart")', [("shop/cart", 1)]),
        ("import `shop/cart`", [("shop/cart", 1)]),
        (
            'import (\n\t"fmt"\n\n\t// "no"\n\tc "shop/cart" // x\n\t_ "shop/till"; "shop/tax"\n)\n',
            [("fmt", 2), ("shop/cart", 5), ("shop/till", 6), ("shop/tax", 6)],
        ),
        ('import (\n\t"a" /* "b" */\n\t"c"\n)\nimport "d"\n', [("a", 2), ("c", 3), ("d", 5)]),
        ('/*\n#include <x.h>\n*/\nimport "C"\n', [("C", 4)]),
        ('import (\n"a"\n', [("a", 2)]),
    ],
)
def test_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '// import "shop/cart"',
        '/*\nimport "shop/cart"\n*/',
        'var code = `\nimport "shop/cart"\n`',
        'func f() {}\nimport "shop/cart"',
        'important "shop/cart"',
        "import (\n// nothing\n)",
        'import x := "a"',
    ],
)
def test_not_found(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("module example.org/shop\n", [("module example.org/shop", 1)]),
        ('// x\nmodule "shop" // y\n', [("module shop", 2)]),
        ("go 1.22\n", []),
        ("module (", []),
        ("// module shop\n", []),
    ],
)
def test_the_module_of_a_manifest(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(target, line) for _, target, line in go.manifest("go.mod", text)] == expected


def test_the_files_of_a_package_without_its_tests() -> None:
    known = tree(
        "main.go", "cart/add.go", "cart/drop.go", "cart/add_test.go", "cart/note.md", root="example.org/shop"
    )
    assert go.resolve("example.org/shop/cart", "main.go", known) == ("cart/add.go", "cart/drop.go")
    assert go.resolve("example.org/shop/gone", "main.go", known) == ()
    assert go.resolve("example.org/other/cart", "main.go", known) == ()
    assert go.resolve("fmt", "main.go", known) == ()
    assert go.resolve("example.org/shoplift/cart", "main.go", known) == ()


def test_a_large_package_is_its_main_file() -> None:
    many = [f"cart/part{at}.go" for at in range(9)]
    known = tree("main.go", *many, root="shop")
    assert go.resolve("shop/cart", "main.go", known) == ()
    known = tree("main.go", "cart/doc.go", *many, root="shop")
    assert go.resolve("shop/cart", "main.go", known) == ("cart/doc.go",)
    known = tree("main.go", "cart/cart.go", "cart/doc.go", *many, root="shop")
    assert go.resolve("shop/cart", "main.go", known) == ("cart/cart.go",)
    known = tree("main.go", *(f"cart/v2/part{at}.go" for at in range(9)), "cart/v2/cart.go", root="shop")
    assert go.resolve("shop/cart/v2", "main.go", known) == ("cart/v2/cart.go",)


def test_eight_files_are_not_many() -> None:
    known = tree("main.go", *(f"cart/part{at}.go" for at in range(8)), root="shop")
    assert len(go.resolve("shop/cart", "main.go", known)) == 8


def test_the_package_at_the_root_of_a_module() -> None:
    known = tree("shop.go", "cmd/shop/main.go", root="example.org/shop")
    assert go.resolve("example.org/shop", "cmd/shop/main.go", known) == ("shop.go",)


def test_the_module_with_the_longest_path_wins() -> None:
    known = tree("main.go", "cart/a.go", "kit/cart/b.go", root="shop", kit="shop/cart")
    assert go.resolve("shop/cart", "main.go", known) == ()
    assert go.resolve("shop/cart/cart", "main.go", known) == ("kit/cart/b.go",)


def test_of_modules_with_one_path_the_own_is_meant() -> None:
    known = tree("a/main.go", "a/x/x.go", "b/main.go", "b/x/x.go", "c/main.go", a="shop", b="shop")
    assert go.resolve("shop/x", "a/main.go", known) == ("a/x/x.go",)
    assert go.resolve("shop/x", "b/main.go", known) == ("b/x/x.go",)
    assert go.resolve("shop/x", "c/main.go", known) == ()
    known = tree("a/b/main.go", "a/x/x.go", "a/b/c/x/x.go", **{"a": "shop", "a/b/c": "shop"})
    assert go.resolve("shop/x", "a/b/main.go", known) == ("a/x/x.go",)


def test_a_package_does_not_import_itself() -> None:
    known = tree("cart/a.go", "cart/a_test.go", root="shop")
    assert go.resolve("shop/cart", "cart/a_test.go", known) == ()


@pytest.mark.parametrize(
    ("rel", "target"),
    [("kit/shop.go", "Example.org/shop"), ("kit/cart/add.go", "Example.org/shop/cart")],
)
def test_keys_are_in_every_target(rel: str, target: str) -> None:
    known = tree(rel, "kit/other/x.go", kit="Example.org/shop")
    assert go.resolve(target, "kit/other/x.go", known) == (rel,)
    assert any(key in target.casefold() for key in go.keys(rel, known))


def test_without_a_module_nothing_can_mean_a_file() -> None:
    assert go.keys("cart/add.go", tree("cart/add.go")) == ()


@pytest.mark.parametrize(
    "piece",
    ["\nimport (", "\nimport ", 'import "', '\n"', "/*", "\nimport (\n/*", ";", "\t", "`", "\nmodule "],
)
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    # A quadratic expression would not come to an end here.
    many = piece * (256 * 1024 // len(piece))
    for text in (many, f"import ({many}"):
        for _ in go.extract(text):
            pass
        for _ in go.manifest("go.mod", text):
            pass


@given(st.text(alphabet='import fmt("/a.`)\n_;*', max_size=60))
def test_any_text_is_read_and_any_target_resolved(text: str) -> None:
    known = tree("a.go", "b/b.go", root="a")
    for target, line in found(text):
        assert "\n" not in target
        assert 1 <= line <= text.count("\n") + 1
        assert "a.go" not in go.resolve(target, "a.go", known)
