"""Imports of JavaScript and TypeScript, and what configurations and packages tell of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import Reference, javascript
from knit_tui.organise.tree import Tree, name_of


def found(text: str) -> list[tuple[str, int]]:
    rows = list(javascript.extract(text))
    assert {form for form, _, _ in rows} <= {"i"}
    return [(target, line) for _, target, line in rows]


def tree(*paths: str, **told: object) -> Tree:
    """``told``: manifests by name, ``__`` for ``/``, as values or texts."""
    manifests = {f"{name.replace('__', '/')}.json": said for name, said in told.items()}
    facts = [
        (rel, Reference(form, target, line))
        for rel, said in manifests.items()
        for form, target, line in javascript.manifest(
            name_of(rel), said if isinstance(said, str) else json.dumps(said)
        )
    ]
    assert all(fact.form == "m" for _, fact in facts)
    return Tree([*paths, *manifests], facts)


def meant(target: str, source: str, known: Tree) -> str:
    return "".join(javascript.resolve(target, source, known))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('import cart from "./cart"', [("./cart", 1)]),
        ("\n  import { add, drop as take } from './cart.js';", [("./cart.js", 2)]),
        ("import * as cart from './cart'", [("./cart", 1)]),
        ("import cart, { add } from './cart'", [("./cart", 1)]),
        ("import type { Cart } from './cart'", [("./cart", 1)]),
        ("import './style.css'", [("./style.css", 1)]),
        ("import {\n  add, // don't\n  drop,\n} from './cart'\n", [("./cart", 4)]),
        ("import{add}from'./cart'", [("./cart", 1)]),
        ("export * from './cart'", [("./cart", 1)]),
        ("export * as cart from './cart'", [("./cart", 1)]),
        ("export type { Cart } from './cart'", [("./cart", 1)]),
        ("export {\n  add,\n} from './cart'", [("./cart", 3)]),
        ("const cart = await import('./cart')", [("./cart", 1)]),
        ("import(/* webpackChunkName: 'c' */ './cart')", [("./cart", 1)]),
        ("lazy(() => import(`./cart`))", [("./cart", 1)]),
        ("let c: import('./cart').Cart", [("./cart", 1)]),
        ("const { add } = require('./cart')", [("./cart", 1)]),
        ("import cart = require('./cart')", [("./cart", 1)]),
        ("require.resolve('./cart')", [("./cart", 1)]),
        ('/// <reference path="./cart.d.ts" />', [("./cart.d.ts", 1)]),
        ("import shop from '@shop/cart'", [("@shop/cart", 1)]),
        ("import shop from '#shop'", [("#shop", 1)]),
        (
            "import a from '.'\nimport b from '..'\nimport c from '../'",
            [("./index", 1), ("../index", 2), ("../index", 3)],
        ),
        ("const quote = /[\"'`]/\nimport './a'", [("./a", 2)]),
        ("const tick = /[/`]/\nimport './a'", [("./a", 2)]),
        ("x = a / b; y = 'c'\nimport './a'", [("./a", 2)]),
        ("const s = `a ${b} 'c`\nimport './a'", [("./a", 2)]),
        ("<p>Don't</p>\nimport './a'\n".replace("<p>", "x = <p>"), [("./a", 2)]),
        ("// a `\nimport './a'", [("./a", 2)]),
    ],
)
def test_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "// import './a'",
        "/*\nimport './a'\nrequire('./b')\n*/",
        "/**\n * import('./a').A\n */",
        "const code = `\nimport './a'\nconst b = require('./b')\n`",
        "const code = \"require('./a')\"",
        "export const path = './a'",
        "export default './a'",
        "import.meta.glob('./a')",
        "import(name)",
        "import(`./${name}`)",
        "require('./a' + name)",
        "this.require('./a')",
        "module.import('./a')",
        "$require('./a')",
        "myrequire('./a')",
        "import fs from 'node:fs'\nimport x from 'https://example.org/x.js'",
        "important from './a'",
        "import { a } './b'",
    ],
)
def test_not_found(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script setup>\nimport A from './A.vue'\n</script>\n<template>a ` b</template>", [("./A.vue", 2)]),
        (
            "<template>/* it's */ `</template>\n<script>\nimport './a'\n</script>\n"
            "<script>import './b'</script>",
            [("./a", 3), ("./b", 5)],
        ),
        (
            "---\nimport A from './A.astro'\n---\n<A />\n<script>\nimport './a'\n</script>",
            [("./A.astro", 2), ("./a", 6)],
        ),
        ('<!doctype html>\n<script type="module" src="/src/main.ts"></script>', [("/src/main.ts", 2)]),
        ('<html>\n<script src="app.js"></script>', [("./app.js", 2)]),
        ("<script>\nimport './a'", [("./a", 2)]),
        ("<pre>\nimport './a'\n</pre>", []),
        ('<script src="https://example.org/a.js"></script>', []),
        ("---\nimport './a'", [("./a", 2)]),
    ],
)
def test_pages_and_components(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("./cart", "app/cart.ts"),
        ("./cart.js", "app/cart.ts"),
        ("./view", "app/view.tsx"),
        ("./view.jsx", "app/view.tsx"),
        ("./old.js", "app/old.js"),
        ("./old", "app/old.js"),
        ("./types", "app/types.d.ts"),
        ("./data.json", "app/data.json"),
        ("./data", "app/data.json"),
        ("./style.css", "app/style.css"),
        ("./Box.vue?raw", "app/Box.vue"),
        ("./shop", "app/shop/index.ts"),
        ("./shop/", "app/shop/index.ts"),
        ("../top", "top.mts"),
        ("../top.mjs", "top.mts"),
        ("./gone", ""),
        ("./cart/add", ""),
        ("../../cart", ""),
        ("./main", ""),
        ("cart", ""),
    ],
)
def test_relative_paths(target: str, expected: str) -> None:
    names = (
        "cart.ts view.tsx old.js types.d.ts data.json style.css Box.vue shop/index.ts shop/index.css".split()
    )
    known = tree("app/main.ts", "top.mts", *(f"app/{name}" for name in names))
    assert meant(target, "app/main.ts", known) == expected


def test_typed_sources_mean_what_is_compiled_and_others_what_is_written() -> None:
    known = tree("a.ts", "a.js", "main.ts", "main.js")
    assert meant("./a.js", "main.ts", known) == "a.ts"
    assert meant("./a.js", "main.js", known) == "a.js"
    assert meant("./a", "main.ts", known) == "a.ts"
    assert meant("./a", "main.js", known) == "a.js"


def test_a_path_from_the_root_counts_from_the_package() -> None:
    known = tree("web/index.html", "web/src/main.ts", web__package={"name": "web"})
    assert meant("/src/main.ts", "web/index.html", known) == "web/src/main.ts"
    assert meant("/main.ts", "web/index.html", known) == ""


def test_the_compiler_tells_what_an_alias_means() -> None:
    config = """{
      // "paths": {"@/*": ["wrong/*"]},
      "compilerOptions": {
        "paths": {"@/*": ["./src/*"], "@ui/*": ["./ui/*/view", "./ui/*"], "cfg": ["./src/config.ts"],},
      }, /* end */
    }"""
    known = tree(
        "web/src/a.ts", "web/src/config.ts", "web/ui/box/view.tsx", "web/ui/row.tsx", web__tsconfig=config
    )
    assert meant("@/a", "web/test/b.ts", known) == "web/src/a.ts"
    assert meant("@ui/box", "web/src/a.ts", known) == "web/ui/box/view.tsx"
    assert meant("@ui/row", "web/src/a.ts", known) == "web/ui/row.tsx"
    assert meant("cfg", "web/src/a.ts", known) == "web/src/config.ts"
    assert meant("cfg/x", "web/src/a.ts", known) == ""
    assert meant("@/gone", "web/src/a.ts", known) == ""
    assert meant("@/a", "other/b.ts", known) == ""


def test_without_a_fact_an_alias_means_nothing() -> None:
    assert meant("@/a", "src/b.ts", tree("src/a.ts")) == ""
    assert meant("#a", "src/b.ts", tree("src/a.ts")) == ""
    assert meant("$lib/a", "src/b.ts", tree("src/lib/a.ts", package={"name": "x"})) == ""


def test_the_longest_pattern_wins() -> None:
    paths = {"@/*": ["all/*"], "@/ui/*": ["ui/*"]}
    known = tree("all/ui/a.ts", "ui/a.ts", tsconfig={"compilerOptions": {"paths": paths}})
    assert meant("@/ui/a", "b.ts", known) == "ui/a.ts"


def test_paths_count_from_the_base() -> None:
    options = {"baseUrl": "./src", "paths": {"~/*": ["app/*"]}}
    known = tree("src/app/a.ts", "src/lib/b.ts", jsconfig={"compilerOptions": options})
    assert meant("~/a", "x.js", known) == "src/app/a.ts"
    assert meant("lib/b", "x.js", known) == "src/lib/b.ts"
    assert meant("react", "x.js", known) == ""


def test_packages_of_the_workspace() -> None:
    known = tree(
        "app/main.ts",
        "packages/cart/source/entry.ts",
        "packages/cart/source/extra.ts",
        "packages/till/src/index.ts",
        "packages/till/src/pay.ts",
        "packages/tax/index.js",
        packages__cart__package={
            "name": "@shop/cart",
            "exports": {
                ".": {"import": "./source/entry.ts", "types": "./x.d.ts"},
                "./more": "./source/extra.ts",
            },
        },
        packages__till__package={
            "name": "@shop/till",
            "main": "./dist/index.js",
            "exports": {"./*": {"default": "./dist/*.js"}, ".": "./dist/index.js"},
        },
        packages__tax__package={"name": "tax"},
    )
    assert meant("@shop/cart", "app/main.ts", known) == "packages/cart/source/entry.ts"
    assert meant("@shop/cart/more", "app/main.ts", known) == "packages/cart/source/extra.ts"
    assert meant("@shop/till", "app/main.ts", known) == "packages/till/src/index.ts"
    assert meant("@shop/till/pay", "app/main.ts", known) == "packages/till/src/pay.ts"
    assert meant("@shop/till/package.json", "app/main.ts", known) == "packages/till/package.json"
    assert meant("tax", "app/main.ts", known) == "packages/tax/index.js"
    assert meant("@shop/gone", "app/main.ts", known) == ""
    assert meant("@shop/cart/gone", "app/main.ts", known) == ""


def test_packages_of_fixtures_are_for_what_is_beside_them() -> None:
    known = tree(
        "src/a.js",
        "test/fixtures/x/a.js",
        "test/fixtures/react/index.js",
        test__fixtures__react__package={"name": "react"},
    )
    assert meant("react", "src/a.js", known) == ""
    assert meant("react", "test/fixtures/x/a.js", known) == "test/fixtures/react/index.js"


def test_of_two_packages_with_the_name_neither_is_meant() -> None:
    known = tree("src/a.js", "a/index.js", "b/index.js", a__package={"name": "x"}, b__package={"name": "x"})
    assert meant("x", "src/a.js", known) == ""


def test_a_package_of_java_is_none_of_these() -> None:
    known = Tree(["a.js", "x/index.js", "x/A.java"], [("x/A.java", Reference("m", "package shop", 1))])
    assert meant("shop", "a.js", known) == ""


def test_own_aliases_of_a_package() -> None:
    imports = {"#cart/*": "./src/cart/*.js", "#top": {"default": "./src/top.js"}}
    known = tree("src/cart/add.ts", "src/top.js", package={"name": "shop", "imports": imports})
    assert meant("#cart/add", "test/a.ts", known) == "src/cart/add.ts"
    assert meant("#top", "test/a.ts", known) == "src/top.js"
    assert meant("#gone", "test/a.ts", known) == ""


def test_a_kit_project_has_its_library() -> None:
    known = tree("src/lib/a.ts", package={"devDependencies": {"@sveltejs/kit": "2"}})
    assert meant("$lib/a", "src/routes/page.svelte", known) == "src/lib/a.ts"


def test_a_folder_leads_to_what_its_manifest_offers() -> None:
    known = tree("a.js", "cart/entry.js", "cart/index.js", cart__package={"main": "entry.js"})
    assert meant("./cart", "a.js", known) == "cart/entry.js"


@pytest.mark.parametrize(
    "said", ["", "[", "[1]", "{", '"x"', "null", "[" * 100_000, '{"a":' * 100_000, "9" * 10_000]
)
def test_what_is_no_manifest_tells_nothing(said: str) -> None:
    for name in ("package.json", "tsconfig.json"):
        assert list(javascript.manifest(name, said)) == []


def test_odd_manifests_tell_what_is_sound() -> None:
    odd = {
        "name": ["x"],
        "main": 3,
        "exports": {"./a": None, "./b": ["./b.js"], "./c d": "./c.js"},
        "imports": [],
    }
    assert [said for _, said, _ in javascript.manifest("package.json", json.dumps(odd))] == [
        "entry ./b ./b.js"
    ]
    odd = {"compilerOptions": {"baseUrl": 3, "paths": {"a": "b", "c": ["d", 4], "e f": ["g"]}}}
    assert [said for _, said, _ in javascript.manifest("tsconfig.json", json.dumps(odd))] == ["alias c d"]


def test_a_manifest_tells_the_line() -> None:
    assert list(javascript.manifest("package.json", '{\n  "name": "x"\n}')) == [("m", "npm x", 2)]


@pytest.mark.parametrize(
    ("target", "rel"),
    [
        ("./cart", "src/cart.ts"),
        ("./cart", "src/cart/index.ts"),
        (".", "src/index.ts"),
        ("./Box.vue", "src/Box.vue"),
        ("./types", "src/types.d.ts"),
        ("@shop/till", "till/source/entry.ts"),
        ("@alias/ui", "kit/ui/src/index.ts"),
        ("cfg", "kit/configuration.ts"),
    ],
)
def test_keys_are_in_every_target(target: str, rel: str) -> None:
    paths = {"@alias/*": ["kit/*/src"], "cfg": ["kit/configuration.ts"]}
    known = tree(
        "src/main.ts",
        rel,
        till__package={"name": "@shop/till", "main": "source/entry.ts"},
        tsconfig={"compilerOptions": {"paths": paths}},
    )
    [(said, _)] = found(f"import x from '{target}'")
    assert meant(said, "src/main.ts", known) == rel
    assert any(key in said.casefold() for key in javascript.keys(rel, known))
    assert "" not in javascript.keys(rel, known)


@pytest.mark.parametrize(
    "piece",
    [
        "\nimport a",
        "\nimport {",
        "\nexport a, ",
        "\nimport ",
        "import(",
        "import(/*",
        "require( ",
        "`",
        "'\\",
        '\\"',
        "/*",
        "=/[",
        "= /a",
        "\\",
        "<script",
        "<script ",
        "<script>",
        "---\n",
        "\n/// <reference path=",
        "{",
        "$",
    ],
)
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    # A quadratic expression would not come to an end here.
    many = piece * (256 * 1024 // len(piece))
    for text in (many, f"import './a'\n{many}\nimport './b'", f"<{many}"):
        for _ in javascript.extract(text):
            pass
    for _ in javascript.manifest("tsconfig.json", many):
        pass


@given(st.text(alphabet="import fromequt{}()*,;'\"`/\\\n.#@<>-a", max_size=80))
def test_any_text_is_read_and_any_target_resolved(text: str) -> None:
    known = tree("a.js", "b/index.ts", package={"name": "a"}, tsconfig={"compilerOptions": {"baseUrl": "b"}})
    for target, line in found(text):
        assert "\n" not in target
        assert 1 <= line <= text.count("\n") + 1
        assert "a.js" not in javascript.resolve(target, "a.js", known)


def test_a_call_over_several_lines_counts_where_its_specifier_stands() -> None:
    assert list(javascript.extract('const a = await import(\n  "./a.js"\n);\n')) == [("i", "./a.js", 2)]
