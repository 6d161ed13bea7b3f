"""Imports of Java, Kotlin and Scala, and the packages that files tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import Reference, java
from knit_tui.organise.tree import Tree


def found(text: str) -> list[tuple[str, int]]:
    return [(target, line) for form, target, line in java.extract(text) if form == "i"]


def told(text: str) -> list[tuple[str, int]]:
    return [(target, line) for form, target, line in java.extract(text) if form == "m"]


def tree(**packages: str) -> Tree:
    """``packages``: the files of each package, ``_`` for the dots of its name."""
    facts = [
        (rel, Reference("m", f"package {name.replace('_', '.')}", 1))
        for name, rels in packages.items()
        for rel in rels.split()
    ]
    return Tree([rel for rel, _ in facts], facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import shop.Cart;\n", [("shop.Cart", 1)]),
        ("package a;\n\nimport  shop.Cart; // x", [("shop.Cart", 3)]),
        ("import static shop.Cart.add;", [("shop.Cart.add", 1)]),
        ("import shop.*;", [("shop.*", 1)]),
        ("import static shop.Cart.*;", [("shop.Cart.*", 1)]),
        ("import shop.Cart as Basket", [("shop.Cart", 1)]),
        ("import shop.`in`.Cart", [("shop.in.Cart", 1)]),
        ("import shop._", [("shop.*", 1)]),
        (
            "import shop.{Cart, Till => T, Tax as X, *}",
            [("shop.Cart", 1), ("shop.Till", 1), ("shop.Tax", 1), ("shop.*", 1)],
        ),
        ('String s = "/*";\nimport shop.Cart;', [("shop.Cart", 2)]),
        ("char c = '\"';\nimport shop.Cart;", [("shop.Cart", 2)]),
    ],
)
def test_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "// import shop.Cart;",
        "/*\nimport shop.Cart;\n*/",
        'String code = """\nimport shop.Cart;\n""";',
        "important shop.Cart",
        "import Cart;",
        "imports.add(x)",
    ],
)
def test_not_found(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("package shop.cart;\n", [("package shop.cart", 1)]),
        ("package shop.`my-cart`\n", [("package shop.my-cart", 1)]),
        ("// x\npackage shop.cart\n", [("package shop.cart", 2)]),
        ("package shop\npackage cart\n", [("package shop", 1), ("package shop.cart", 2)]),
        ("packages shop", []),
        ("/*\npackage shop;\n*/", []),
    ],
)
def test_the_package_of_a_file(text: str, expected: list[tuple[str, int]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("shop.Cart", ("src/main/java/shop/Cart.java",)),
        ("shop.Cart.Line", ("src/main/java/shop/Cart.java",)),
        ("shop.Cart.Line.SIZE", ("src/main/java/shop/Cart.java",)),
        ("shop.Cart.*", ("src/main/java/shop/Cart.java",)),
        ("shop.tax.Rate", ("lib/Rate.kt",)),
        ("shop.tax.rate", ()),
        ("shop.Gone", ()),
        ("shop.tax.Cart", ()),
        ("java.util.List", ()),
        ("Cart", ()),
        ("shop", ()),
        ("*", ()),
    ],
)
def test_classes(target: str, expected: tuple[str, ...]) -> None:
    known = tree(
        shop="src/main/java/shop/Cart.java src/main/java/shop/Till.java",
        shop_tax="lib/Rate.kt",
        app="App.java",
    )
    assert java.resolve(target, "App.java", known) == expected


def test_everything_of_a_small_package() -> None:
    known = tree(shop="a/Cart.java a/Till.java", app="App.java")
    assert java.resolve("shop.*", "App.java", known) == ("a/Cart.java", "a/Till.java")
    assert java.resolve("shop.*", "a/Cart.java", known) == ("a/Till.java",)


def test_everything_of_a_large_package_says_too_little() -> None:
    files = [f"a/C{at}.java" for at in range(9)]
    assert java.resolve("shop.*", "App.java", tree(shop=" ".join(files))) == ()
    assert len(java.resolve("shop.*", "App.java", tree(shop=" ".join(files[:8])))) == 8


def test_code_does_not_mean_tests() -> None:
    known = tree(
        shop="src/main/Cart.java src/test/CartTest.java", app="src/main/App.java src/test/AppTest.java"
    )
    assert java.resolve("shop.*", "src/main/App.java", known) == ("src/main/Cart.java",)
    assert java.resolve("shop.*", "src/test/AppTest.java", known) == (
        "src/main/Cart.java",
        "src/test/CartTest.java",
    )


def test_of_two_classes_with_the_name_the_nearest_is_meant() -> None:
    known = tree(shop="a/main/Cart.java b/main/Cart.java", app="a/main/App.java c/App.java")
    assert java.resolve("shop.Cart", "a/main/App.java", known) == ("a/main/Cart.java",)
    assert java.resolve("shop.Cart", "c/App.java", known) == ()


def test_a_file_is_named_after_its_class_and_its_platform() -> None:
    assert java.resolve("shop.Clock", "a.kt", tree(shop="x/Clock.jvm.kt")) == ("x/Clock.jvm.kt",)


def test_a_package_of_another_language_is_none_of_these() -> None:
    known = Tree(["web/Cart.json"], [("web/Cart.json", Reference("m", "package shop", 1))])
    assert java.resolve("shop.Cart", "a.kt", known) == ()


def test_a_class_does_not_import_itself() -> None:
    assert java.resolve("shop.Cart.Line", "a/Cart.java", tree(shop="a/Cart.java")) == ()


@pytest.mark.parametrize("target", ["shop.Cart", "shop.Cart.Line", "shop.*"])
def test_keys_are_in_every_target(target: str) -> None:
    known = tree(shop="a/Cart.java")
    assert java.resolve(target, "b.java", known) == ("a/Cart.java",)
    assert any(key in target.casefold() for key in java.keys("a/Cart.java", known))


def test_a_file_without_a_package_cannot_be_imported() -> None:
    assert java.keys("Main.java", tree()) == ()


@pytest.mark.parametrize(
    "piece",
    ["\nimport a.", "\nimport {", "\npackage a", '"""', '\\"', "/*", "'", "\nimport ", "\t", "a.", "`"],
)
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    # A quadratic expression would not come to an end here.
    many = piece * (256 * 1024 // len(piece))
    for text in (many, f"import a.{many}", f"import a.{{{many}", f"{many}\nimport a.B"):
        for _ in java.extract(text):
            pass


@given(st.text(alphabet="import packgesh.{}*,=>_;\n\"'/`A", max_size=60))
def test_any_text_is_read_and_any_target_resolved(text: str) -> None:
    known = tree(a="A.java B.java")
    for target, line in [*found(text), *told(text)]:
        assert "\n" not in target
        assert 1 <= line <= text.count("\n") + 1
        assert "A.java" not in java.resolve(target, "A.java", known)
