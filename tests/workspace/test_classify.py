from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Access, Kind
from knit_tui.workspace import languages
from knit_tui.workspace.classify import Class_, classify, markup_of, stem_of

TEXT, NAME, GENERATED, WITHHELD = Access.TEXT, Access.NAME, Access.GENERATED, Access.WITHHELD


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("a.h", "c"),
        ("a.hpp", "cpp"),
        ("src/a.m", "objective-c"),
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("a.html", "html"),
        ("a.json", "json"),
        ("tsconfig.json", "json"),
        ("a.sql", "sql"),
        ("a.pl", "perl"),
        ("a.r", "splus"),
        ("a.C", "cpp"),
        ("a.c", "c"),
        ("A.PY", "python"),
        ("Makefile", "make"),
        ("Makefile.am", "make"),
        ("Dockerfile", "docker"),
        ("dockerfile", "docker"),
        ("Dockerfile.dev", "docker"),
        ("CMakeLists.txt", "cmake"),
        ("requirements.txt", "text"),
        (".gitignore", "text"),
        ("go.mod", "text"),
        (".env.example", "bash"),
        ("minify.js", "javascript"),
        ("bundle.js", "javascript"),
        ("secrets.py", "python"),
        ("page.html.j2", "html+django"),
    ],
)
def test_code_by_name(name: str, language: str) -> None:
    assert classify(name) == Class_(Kind.CODE, language, TEXT, True)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("README.md", "markdown"),
        ("a.MDX", "markdown"),
        ("a.rst", "restructuredtext"),
        ("a.adoc", "text"),
        ("a.org", "org"),
        ("a.txt", "text"),
        ("todo.txt", "text"),
        ("README", "text"),
        ("license", "text"),
        ("LICENSE-MIT", "text"),
        ("docs/secrets.md", "markdown"),
        (".env.md", "markdown"),
    ],
)
def test_documents_by_name(name: str, language: str) -> None:
    assert classify(name) == Class_(Kind.DOCS, language, TEXT, True)


@pytest.mark.parametrize("ending", "png jpg jpeg gif webp avif heic heif bmp ico JPG".split())
def test_images(ending: str) -> None:
    assert classify(f"shots/a.{ending}") == Class_(Kind.IMAGE, None, NAME, True)


def test_a_picture_that_is_text_has_the_language_of_the_text() -> None:
    assert classify("shots/a.svg") == Class_(Kind.IMAGE, "xml", NAME, True)


@pytest.mark.parametrize("ending", "mp4 m4v webm mov ogv".split())
def test_videos(ending: str) -> None:
    assert classify(f"a.{ending}") == Class_(Kind.VIDEO, None, NAME, True)


@pytest.mark.parametrize(
    "name",
    """
    package-lock.json yarn.lock pnpm-lock.yaml uv.lock pdm.lock poetry.lock flake.lock Cargo.lock go.sum
    bun.lockb a.min.js a.min.css app.bundle.mjs a.generated.ts a.gen.go a.js.map a.css.map x.pb.go x.pb.cc
    x_pb2.py x_pb2.pyi x_pb2_grpc.py zz_generated.deepcopy.go a.g.dart Form.Designer.cs
    """.split(),
)
def test_generated(name: str) -> None:
    assert classify(name).access is GENERATED
    assert classify(name).known


@pytest.mark.parametrize("name", ".env .env.local deploy/server.pem id_rsa conf/secrets.yaml".split())
def test_withheld(name: str) -> None:
    assert classify(name) == Class_(Kind.CODE, None, WITHHELD, True)


@pytest.mark.parametrize("name", "noext a.unknown lib.so.1 app.log.2 data.csv README.gz x/.hidden".split())
def test_what_the_content_must_tell(name: str) -> None:
    assert classify(name) == Class_(Kind.DOCS, "text", TEXT, False)


def test_an_ending_that_is_as_often_binary_is_sniffed_too() -> None:
    assert classify("locale/de.mo") == Class_(Kind.CODE, "modelica", TEXT, False)


@given(st.text())
def test_any_name_is_classified(name: str) -> None:
    assert isinstance(classify(name), Class_)
    assert markup_of(name) in ("markdown", "rst", "asciidoc", "org", "plain")
    assert isinstance(stem_of(name), str)


@pytest.mark.parametrize(
    ("rel", "stem"),
    [
        ("docs/guide.md", "guide"),
        ("a.b.rst", "a.b"),
        ("shot.PNG", "shot"),
        ("LICENSE", "LICENSE"),
        (".md", ".md"),
    ],
)
def test_stem(rel: str, stem: str) -> None:
    assert stem_of(rel) == stem


def test_the_table_is_what_pygments_says() -> None:
    pygments = pytest.importorskip("pygments")
    if pygments.__version__ != languages.PYGMENTS:
        pytest.skip(f"the table is of Pygments {languages.PYGMENTS}, here is {pygments.__version__}")
    from tests.make_languages import TARGET, render

    assert TARGET.read_text(encoding="utf-8") == render()


def test_every_language_of_the_table_is_one_of_pygments() -> None:
    lexers = pytest.importorskip("pygments.lexers")
    known = {alias for _, aliases, _, _ in lexers.get_all_lexers(plugins=False) for alias in aliases}
    used = {*languages.NAMES.values(), *languages.ENDINGS.values(), *languages.PREFIXES.values()}
    if pytest.importorskip("pygments").__version__ != languages.PYGMENTS:
        pytest.skip("another Pygments may know others")
    assert used <= known


def test_nothing_imports_pygments_or_textual_to_scan() -> None:
    program = (
        "import sys, knit_tui.workspace.scan, knit_tui.workspace.outline, knit_tui.workspace.watch\n"
        "print(sorted({'pygments', 'textual', 'rich', 'watchfiles', 'numpy'} & sys.modules.keys()))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
