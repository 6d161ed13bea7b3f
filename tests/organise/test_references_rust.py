"""Modules, uses and included files of Rust, and what manifests tell of crates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.organise.references import Reference, rust
from knit_tui.organise.tree import Tree


def found(text: str) -> list[tuple[str, int]]:
    rows = list(rust.extract(text))
    assert {form for form, _, _ in rows} <= {"i"}
    return [(target, line) for _, target, line in rows]


def targets(text: str) -> list[str]:
    return [target for target, _ in found(text)]


def tree(paths: str, **manifests: str) -> Tree:
    """``manifests``: the ``Cargo.toml`` of each folder, ``__`` for ``/``, ``root`` for the workspace."""
    files = {
        ("Cargo.toml" if name == "root" else f"{name.replace('__', '/')}/Cargo.toml"): said
        for name, said in manifests.items()
    }
    facts = [
        (rel, Reference(form, target, line))
        for rel, said in files.items()
        for form, target, line in rust.manifest("Cargo.toml", said)
    ]
    assert all(fact.form == "m" for _, fact in facts)
    return Tree([*paths.split(), *files], facts)


def meant(target: str, source: str, known: Tree) -> str:
    return "".join(rust.resolve(target, source, known))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mod cart;", [("mod cart", 1)]),
        ("\n#[cfg(test)]\npub(crate) mod cart;\n", [("mod cart", 3)]),
        ("#[macro_use] mod cart;", [("mod cart", 1)]),
        ("mod r#in;", [("mod in", 1)]),
        ("use crate::cart::add;", [("use crate::cart::add", 1)]),
        ("use crate::cart::Cart;", [("use crate::cart", 1)]),
        ("pub use self::cart::*;", [("use self::cart", 1)]),
        ("use super::till;", [("use super::till", 1)]),
        ("use super::super::till;", [("use super::super::till", 1)]),
        ("use super::*;", [("use super", 1)]),
        ("use kit::log;", [("use kit::log", 1)]),
        ("use ::kit::log;", [("use ::kit::log", 1)]),
        ("extern crate kit as k;", [("use kit", 1)]),
        ("use cart as basket;", [("use cart", 1)]),
        (
            "use crate::{\n    cart::{add, Line, self},\n    till::*, // }\n    tax as t,\n    Shop,\n};\n",
            [
                ("use crate::cart::add", 2),
                ("use crate::cart", 2),
                ("use crate::cart", 2),
                ("use crate::till", 3),
                ("use crate::tax", 4),
                ("use crate", 5),
            ],
        ),
        (
            "use {crate::a, super::b::{c, d}, e};",
            [(f"use {x}", 1) for x in ("crate::a", "super::b::c", "super::b::d", "e")],
        ),
        ("fn f() {\n    use crate::cart;\n}", [("use crate::cart", 2)]),
        ('include!("parts/table.rs");', [("file parts/table.rs", 1)]),
        ('const A: &str = include_str!("../a.md");', [("file ../a.md", 1)]),
        ('#![doc = include_str!("../README.md")]', [("file ../README.md", 1)]),
        ('include_bytes!(\n    "a.bin"\n)', [("file a.bin", 1)]),
        ('#[path = "unix.rs"]\nmod system;', [("path unix.rs", 1)]),
        ('#[cfg_attr(windows, path = "windows.rs")]\nmod system;', [("path windows.rs", 1)]),
        ("let c = '\"';\n/* x */\nuse crate::cart;", [("use crate::cart", 3)]),
        ("fn f<'a>(x: &'a str) {}\n/* x */\nuse crate::cart;", [("use crate::cart", 3)]),
    ],
)
def test_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "// mod cart;\n/// use crate::cart;\n//! use crate::cart;",
        "/*\nuse crate::cart;\nmod cart;\n*/",
        'let s = r#"\nuse crate::cart;\nmod cart;\n"#;',
        "use std::fmt;\nuse core::mem;\nextern crate alloc;",
        "use self::Cart;\nuse self::*;",
        "mod cart {\n}\n",
        "use the crate;\nuse it, then\n",
        "used::by(x);\nmodule x;",
        '// include_str!("a")/* */',
        "include_str!(name)",
        'let path = "a.rs";',
    ],
)
def test_not_found(text: str) -> None:
    assert found(text) == []


def test_inline_modules_are_steps_of_a_path() -> None:
    text = (
        "mod cart {\n    use super::till;\n    use super::super::tax;\n    use self::line::Line;\n"
        "    mod line;\n    mod deep {\n        use super::super::shop;\n        mod x;\n    }\n"
        "    mod y;\n}\nuse super::out;\nmod z;\n"
    )
    assert targets(text) == [
        "use self::till",
        "use super::tax",
        "use self::cart::line",
        "mod cart::line",
        "use self::shop",
        "mod cart::deep::x",
        "mod cart::y",
        "use super::out",
        "mod z",
    ]


def test_what_tests_use_of_their_own_file_is_no_reference() -> None:
    assert targets("#[cfg(test)]\nmod tests {\n    use super::*;\n    use super::Cart;\n}\n") == []


def test_a_path_in_an_inline_module_is_left_out() -> None:
    assert targets('mod a {\n    #[path = "x.rs"]\n    mod b;\n}\nmod c;\n') == ["mod c"]


PATHS = (
    "src/lib.rs src/cart.rs src/cart/line.rs src/parts/t.rs "
    "src/till/mod.rs src/till/pay.rs src/till/card/chip.rs"
)


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("mod cart", "src/lib.rs", "src/cart.rs"),
        ("mod till", "src/lib.rs", "src/till/mod.rs"),
        ("mod line", "src/cart.rs", "src/cart/line.rs"),
        ("mod pay", "src/till/mod.rs", "src/till/pay.rs"),
        ("mod card::chip", "src/till/mod.rs", "src/till/card/chip.rs"),
        ("mod gone", "src/lib.rs", ""),
        ("mod till", "src/cart.rs", ""),
        ("use crate::cart::line::Line", "src/till/pay.rs", "src/cart/line.rs"),
        ("use crate::cart::add", "src/till/pay.rs", "src/cart.rs"),
        ("use crate::shop", "src/till/pay.rs", "src/lib.rs"),
        ("use crate", "src/till/pay.rs", "src/lib.rs"),
        ("use crate", "src/lib.rs", ""),
        ("use super", "src/till/pay.rs", "src/till/mod.rs"),
        ("use super", "src/cart/line.rs", "src/cart.rs"),
        ("use super", "src/till/mod.rs", "src/lib.rs"),
        ("use super::card::chip", "src/till/pay.rs", "src/till/card/chip.rs"),
        ("use super::super::cart", "src/till/pay.rs", "src/cart.rs"),
        ("use super::super", "src/till/pay.rs", "src/lib.rs"),
        ("use super", "src/lib.rs", ""),
        ("use super::super::super", "src/till/pay.rs", ""),
        ("use self::line", "src/cart.rs", "src/cart/line.rs"),
        ("use self::gone", "src/cart.rs", ""),
        ("use line::Line", "src/cart.rs", "src/cart/line.rs"),
        ("use cart", "src/till/pay.rs", ""),
        ("use ::line", "src/cart.rs", ""),
        ("use serde", "src/cart.rs", ""),
        ("file parts/t.rs", "src/lib.rs", "src/parts/t.rs"),
        ("file ../src/cart.rs", "src/lib.rs", "src/cart.rs"),
        ("file ../../x", "src/lib.rs", ""),
        ("path cart/line.rs", "src/cart.rs", "src/cart/line.rs"),
        ("path line.rs", "src/cart.rs", ""),
    ],
)
def test_modules_of_a_crate(target: str, source: str, expected: str) -> None:
    assert meant(target, source, tree(PATHS, root='[package]\nname = "shop"\n')) == expected


def test_other_crates_of_the_workspace() -> None:
    known = tree(
        "app/src/main.rs app/src/args.rs kit/src/lib.rs kit/src/log.rs "
        "odd/code/odd.rs odd/code/a.rs tool/src/main.rs",
        app='[package]\nname = "app"\n',
        kit='[package]\nname = "my-kit" # x\n[dependencies]\nname = "no"\n[[bin]]\nname = "no"\n',
        odd='[package]\nname = "odd-thing"\n[lib]\nname = "strange"\npath = "code/odd.rs"\n',
        tool="[package]\nname = 'tool'\n",
    )
    assert meant("use my_kit::log", "app/src/main.rs", known) == "kit/src/log.rs"
    assert meant("use ::my_kit::log", "app/src/main.rs", known) == "kit/src/log.rs"
    assert meant("use my_kit", "app/src/args.rs", known) == "kit/src/lib.rs"
    assert meant("use strange::a", "app/src/args.rs", known) == "odd/code/a.rs"
    assert meant("use odd_thing", "app/src/args.rs", known) == ""
    assert meant("use tool", "app/src/args.rs", known) == ""
    assert meant("use no", "app/src/args.rs", known) == ""
    assert meant("use crate", "app/src/args.rs", known) == "app/src/main.rs"
    assert meant("use crate::a", "odd/code/odd.rs", known) == "odd/code/a.rs"
    assert meant("use crate", "odd/code/a.rs", known) == "odd/code/odd.rs"


def test_a_test_uses_its_own_library_and_its_helpers() -> None:
    known = tree("src/lib.rs src/cart.rs tests/pay.rs tests/common/mod.rs", root='[package]\nname = "shop"\n')
    assert meant("use shop::cart", "tests/pay.rs", known) == "src/cart.rs"
    assert meant("mod common", "tests/pay.rs", known) == "tests/common/mod.rs"
    assert meant("use common::setup", "tests/pay.rs", known) == "tests/common/mod.rs"
    assert meant("use crate::cart", "tests/pay.rs", known) == ""


def test_with_a_library_and_a_program_the_root_is_not_known() -> None:
    known = tree("src/lib.rs src/main.rs src/cart.rs src/till.rs", root='[package]\nname = "shop"\n')
    assert meant("use crate", "src/cart.rs", known) == ""
    assert meant("use crate::till", "src/cart.rs", known) == "src/till.rs"
    assert meant("use shop::till", "src/main.rs", known) == "src/till.rs"
    assert meant("use shop", "src/main.rs", known) == "src/lib.rs"


def test_a_program_of_several_files_is_a_crate_of_its_own() -> None:
    known = tree(
        "src/lib.rs src/args.rs src/bin/x/main.rs src/bin/x/args.rs src/bin/y.rs",
        root='[package]\nname = "s"\n',
    )
    assert meant("use crate::args", "src/bin/x/main.rs", known) == "src/bin/x/args.rs"
    assert meant("use crate", "src/bin/x/args.rs", known) == "src/bin/x/main.rs"
    assert meant("use s::args", "src/bin/y.rs", known) == "src/args.rs"


def test_of_crates_with_one_name_the_own_is_meant() -> None:
    manifest = '[package]\nname = "kit"\n'
    paths = "a/src/lib.rs a/tests/t.rs b/src/lib.rs c/src/lib.rs"
    known = tree(paths, a=manifest, b=manifest, c='[package]\nname = "c"\n')
    assert meant("use kit", "a/tests/t.rs", known) == "a/src/lib.rs"
    assert meant("use kit", "c/src/lib.rs", known) == ""
    known = tree("a/src/lib.rs a/tests/t.rs a/tests/x/src/lib.rs", a=manifest, a__tests__x=manifest)
    assert meant("use kit", "a/tests/t.rs", known) == "a/src/lib.rs"


def test_a_crate_of_test_data_is_no_crate_of_the_workspace() -> None:
    known = tree("src/lib.rs fixtures/serde/src/lib.rs", fixtures__serde='[package]\nname = "serde"\n')
    assert meant("use serde", "src/lib.rs", known) == ""


def test_nothing_is_above_the_root_of_a_crate() -> None:
    known = tree("kit/mod.rs kit/src/lib.rs", kit='[package]\nname = "kit"\n')
    assert meant("use super::x", "kit/src/lib.rs", known) == ""


def test_each_test_is_a_crate_of_its_own() -> None:
    known = tree("src/lib.rs tests/pay.rs tests/main.rs", root='[package]\nname = "shop"\n')
    assert meant("use crate", "tests/pay.rs", known) == ""


def test_a_folder_without_a_crate_has_no_root() -> None:
    known = tree("a/Cargo.toml a/src/other/x.rs a/src/y.rs lib.rs")
    assert meant("use crate::y", "a/src/other/x.rs", known) == ""


@pytest.mark.parametrize(
    ("text", "source", "rel"),
    [
        ("mod cart;", "src/lib.rs", "src/cart.rs"),
        ("mod till;", "src/lib.rs", "src/till/mod.rs"),
        ("use super::*;", "src/cart/line.rs", "src/cart.rs"),
        ("use super::*;", "src/till/pay.rs", "src/till/mod.rs"),
        ("use super::*;", "src/cart.rs", "src/lib.rs"),
        ("use crate::Shop;", "src/cart.rs", "src/lib.rs"),
        ("use my_kit::Log;", "src/cart.rs", "kit/src/lib.rs"),
        ("use strange::Log;", "src/cart.rs", "odd/code/odd.rs"),
        ("use crate::Log;", "odd/code/a.rs", "odd/code/odd.rs"),
        ('include_str!("till/mod.rs");', "src/lib.rs", "src/till/mod.rs"),
    ],
)
def test_keys_are_in_every_target(text: str, source: str, rel: str) -> None:
    known = tree(
        f"{PATHS} kit/src/lib.rs odd/code/odd.rs odd/code/a.rs",
        root='[package]\nname = "shop"\n',
        kit='[package]\nname = "my-kit"\n',
        odd='[package]\nname = "o"\n[lib]\nname = "strange"\npath = "code/odd.rs"\n',
    )
    [(target, _)] = found(text)
    assert meant(target, source, known) == rel
    assert any(key in target.casefold() for key in rust.keys(rel, known))
    assert "" not in rust.keys(rel, known)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[package]\nname = "a-b"\n', [("crate a_b", 2)]),
        ('[workspace]\nname = "a"\n', []),
        (
            '[package]\nname = "a"\n\n[[test]]\nname = "t"\npath = "t/t.rs"\n',
            [("target t/t.rs", 6), ("crate a", 2)],
        ),
        ("name = [\n", []),
        ("", []),
    ],
)
def test_manifests(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(target, line) for _, target, line in rust.manifest("Cargo.toml", text)] == expected


@pytest.mark.parametrize(
    "piece",
    [
        "\nuse a::",
        "\nuse {",
        "\nuse a::{b, ",
        "\nuse /*",
        "\nuse ",
        "\nmod a {",
        "\nmod a;",
        "\n#[",
        "\n#[cfg_attr(",
        '\n#[cfg_attr(a path = "',
        "include!(",
        'include!(r#"',
        '\n"#',
        'r##"',
        '\\"',
        "'",
        "/*",
        "\npub(",
        "a::",
        "{",
        "\n ",
    ],
)
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    # A quadratic expression would not come to an end here.
    many = piece * (256 * 1024 // len(piece))
    for text in (many, f"/**/use a::{many}", f"{many}\nuse a::b;"):
        for _ in rust.extract(text):
            pass
        for _ in rust.manifest("Cargo.toml", text):
            pass


def test_deep_inline_modules_are_read_in_linear_time() -> None:
    text = "".join(f"\n{' ' * (at % 400)}mod a {{" for at in range(4_000))
    for _ in rust.extract(text + "\nmod b;"):
        pass


@given(st.text(alphabet="use modcratsp::{}*,;\n\"'/#[]=(.)!i", max_size=80))
def test_any_text_is_read_and_any_target_resolved(text: str) -> None:
    known = tree("src/lib.rs src/a.rs src/a/b.rs", root='[package]\nname = "a"\n')
    for target, line in found(text):
        assert "\n" not in target
        assert 1 <= line <= text.count("\n") + 1
        assert "src/a.rs" not in rust.resolve(target, "src/a.rs", known)
