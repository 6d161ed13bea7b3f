"""Imports of Python: what is found in a text, and which file of a workspace it means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import python
from knit_tui.organise.tree import Tree


def found(text: str) -> list[tuple[str, int]]:
    rows = list(python.extract(text))
    assert {form for form, _, _ in rows} <= {"i"}
    return [(target, line) for _, target, line in rows]


def meant(target: str, source: str, *paths: str) -> tuple[str, ...]:
    return python.resolve(target, source, Tree((source, *paths)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import shop", [("shop", 1)]),
        ("\nimport shop.cart as cart, shop.till  # both\n", [("shop.cart", 2), ("shop.till", 2)]),
        ("from shop import cart, till as t\n", [("shop:cart,till", 1)]),
        ("from shop import *", [("shop:*", 1)]),
        (
            "x = 1\nfrom shop.cart import (  # noqa\n    add,  # (one)\n    drop as take,\n)\n",
            [("shop.cart:add,drop", 2)],
        ),
        ("from shop import add, \\\n    drop\n", [("shop:add,drop", 1)]),
        ("from shop \\\n    import add\n", [("shop:add", 1)]),
        ("from . import cart", [(".:cart", 1)]),
        ("from .cart import add", [(".cart:add", 1)]),
        ("from ..tax.rate import net", [("..tax.rate:net", 1)]),
        ("from ... import tax", [("...:tax", 1)]),
        ("if TYPE_CHECKING:\n    from shop import Cart\n", [("shop:Cart", 2)]),
        ("def pay():\n\timport shop.till\n", [("shop.till", 2)]),
        ("try: import shop\nexcept ImportError: pass", [("shop", 1)]),
        ('till = importlib.import_module("shop.till")', [("shop.till", 1)]),
        ("till = import_module(\n    'shop.till',\n)", [("shop.till", 1)]),
        ('shop = pytest.importorskip("shop", reason="x")', [("shop", 1)]),
        ("from shop cimport cart\ncimport till\n", [("shop:cart", 1), ("till", 2)]),
        ("from shop import a; b = 1", [("shop:a", 1)]),
        ('s = "\\""\nimport shop', [("shop", 2)]),
        ("s = '''a\\'''b'''\nimport shop", [("shop", 2)]),
        ("import größe", [("größe", 1)]),
    ],
)
def test_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '"""\nimport shop\nfrom shop import cart\n"""',
        "'''\nimport shop\n'''",
        "def f():\n    r'''\n    import shop\n    '''",
        '"""Doc.\n\n>>> import shop\n"""',
        "# import shop",
        "important = 1\nimported = 2",
        "from_here = imports",
        "import_ = shop",
        'import_module(name)\nimport_module(f"shop.{name}")',
        '# import_module("shop.till")',
        "x = \"import_module('shop.till')\"",
        'import_module(".till", package=home)',
        "import 3d",
        "from shop import",
    ],
)
def test_not_found(text: str) -> None:
    assert found(text) == []


def test_a_quote_in_a_comment_opens_nothing() -> None:
    assert found('# say """\nimport shop\n# """') == [("shop", 2)]


def test_many_names_make_several_targets_none_too_long() -> None:
    names = [f"name_{at}" for at in range(500)]
    targets = [target for target, _ in found(f"from shop import {', '.join(names)}")]
    assert all(len(target) <= 1_024 for target in targets)
    assert [name for target in targets for name in target.removeprefix("shop:").split(",")] == names


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        # A module, a package, a module of a package, a name of each.
        ("shop", "run.py", ("shop/__init__.py",)),
        ("shop.cart", "run.py", ("shop/cart.py",)),
        ("shop:cart", "run.py", ("shop/cart.py",)),
        ("shop:Cart", "run.py", ("shop/__init__.py",)),
        ("shop:*", "run.py", ("shop/__init__.py",)),
        ("shop:cart,Till,tax", "run.py", ("shop/__init__.py", "shop/cart.py", "shop/tax/__init__.py")),
        ("shop.cart:add", "run.py", ("shop/cart.py",)),
        ("shop.gone", "run.py", ()),
        ("shop.gone:x", "run.py", ()),
        # Relative ones.
        (".:cart", "shop/till.py", ("shop/cart.py",)),
        (".:Till", "shop/cart.py", ("shop/__init__.py",)),
        (".cart:add", "shop/__init__.py", ("shop/cart.py",)),
        ("..cart:add", "shop/tax/rate.py", ("shop/cart.py",)),
        ("..:cart", "shop/tax/rate.py", ("shop/cart.py",)),
        ("...:x", "shop/cart.py", ()),
        ("..:Till", "shop/__init__.py", ()),
        # Never itself.
        ("shop:Till", "shop/__init__.py", ()),
        ("shop.cart", "shop/cart.py", ()),
        # A stub where there is nothing else.
        ("shop.fast:x", "run.py", ("shop/fast.pyi",)),
    ],
)
def test_meant(target: str, source: str, expected: tuple[str, ...]) -> None:
    paths = (
        "shop/__init__.py",
        "shop/cart.py",
        "shop/cart.pyi",
        "shop/fast.pyi",
        "shop/tax/__init__.py",
        "shop/tax/rate.py",
    )
    assert meant(target, source, *paths) == expected


def test_a_package_is_found_below_the_folder_of_sources() -> None:
    assert meant("shop.cart", "tests/unit/test_cart.py", "src/shop/cart.py") == ("src/shop/cart.py",)


def test_a_module_beside_a_test_of_a_package_of_tests_is_named_from_above() -> None:
    paths = ("tests/__init__.py", "tests/lib/__init__.py", "tests/unit/__init__.py")
    assert meant("tests.lib:x", "tests/unit/test_a.py", *paths) == ("tests/lib/__init__.py",)


def test_a_package_without_init_holds_modules_but_is_no_file() -> None:
    assert meant("shop.cart", "run.py", "shop/cart.py") == ("shop/cart.py",)
    assert meant("shop:cart", "run.py", "shop/cart.py") == ("shop/cart.py",)
    assert meant("shop:Cart", "run.py", "shop/cart.py") == ()


def test_a_script_imports_what_lies_beside_it() -> None:
    assert meant("helpers", "tools/run.py", "tools/helpers.py") == ("tools/helpers.py",)


def test_a_module_of_a_package_does_not_import_what_lies_beside_it() -> None:
    assert meant("redis", "shop/cart.py", "shop/__init__.py", "shop/redis.py") == ()


def test_the_nearest_root_wins() -> None:
    paths = ("a/shop/cart.py", "shop/cart.py")
    assert meant("shop.cart", "a/run.py", *paths) == ("a/shop/cart.py",)
    assert meant("shop.cart", "b/run.py", *paths) == ("shop/cart.py",)


@pytest.mark.parametrize("source", ["shop/cart.py", "tests/test_a.py", "web/app.py"])
def test_the_standard_library_is_meant_before_files_of_its_names(source: str) -> None:
    paths = ("json.py", "json/decoder.py", "shop/__init__.py", "web/json.py", "src/json/__init__.py")
    assert meant("json", source, *paths) == ()
    assert meant("json.decoder:x", source, *paths) == ()


def test_a_file_beside_a_script_is_meant_before_the_standard_library() -> None:
    assert meant("json", "run.py", "json.py") == ("json.py",)
    assert meant("queue:Job", "scripts/run.py", "scripts/queue.py") == ("scripts/queue.py",)


def test_a_package_of_another_project_of_the_workspace() -> None:
    paths = ("kit/pyproject.toml", "kit/src/kit/__init__.py", "kit/src/kit/log.py")
    assert meant("kit.log:say", "app/app/main.py", "app/app/__init__.py", *paths) == ("kit/src/kit/log.py",)


def test_a_package_that_belongs_to_no_project_is_not_found_elsewhere() -> None:
    assert meant("docker", "app/main.py", "plugins/docker/__init__.py") == ()


def test_two_projects_with_the_package_are_none() -> None:
    paths = [f"{name}/{rest}" for name in ("a", "b") for rest in ("setup.py", "kit/__init__.py")]
    assert meant("kit", "app/main.py", *paths) == ()


@pytest.mark.parametrize(
    ("source", "text", "rel"),
    [
        ("run.py", "import shop.cart", "shop/cart.py"),
        ("run.py", "import shop", "shop/__init__.py"),
        ("run.py", "from shop import Till", "shop/__init__.py"),
        ("shop/cart.py", "from . import Till", "shop/__init__.py"),
        ("shop/tax/rate.py", "from .. import Till", "shop/__init__.py"),
        ("cart.py", "from . import x", "__init__.py"),
    ],
)
def test_keys_are_in_every_target(source: str, text: str, rel: str) -> None:
    tree = Tree((source, rel))
    [(target, _)] = found(text)
    assert python.resolve(target, source, tree) == (rel,)
    assert any(key in target.casefold() for key in python.keys(rel, tree))
    assert "" not in python.keys(rel, tree)


@pytest.mark.parametrize(
    "piece",
    [
        "\nimport a",
        "\nfrom a import (",
        "\nfrom ",
        "\nfrom .",
        '"',
        '\\"',
        '"""',
        "'''\\",
        "\nimport \\\n",
        "import_module(",
        "import_module(\n",
        "\nif x",
        "\n\t",
        "#",
    ],
)
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    # A quadratic expression would not come to an end here.
    for _ in python.extract(piece * (256 * 1024 // len(piece))):
        pass


@given(st.text(alphabet="import fromas.,()\n\\\"'# :abc_*", max_size=80))
def test_any_text_is_read_and_any_target_resolved(text: str) -> None:
    tree = Tree(["a.py", "b/__init__.py", "b/c.py"])
    for target, line in found(text):
        assert "\n" not in target and len(target) <= 1_024
        assert 1 <= line <= text.count("\n") + 1
        assert "b/c.py" not in python.resolve(target, "b/c.py", tree)
