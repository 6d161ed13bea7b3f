"""Files that documents mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Kind
from knit_tui.organise.references import (
    LONGEST,
    MOST,
    Reference,
    documents,
    extract,
    keys,
    packed,
    resolved,
    unpacked,
)
from knit_tui.organise.tree import Tree, joined

FILES = [
    "README.md",
    "LICENSE",
    "Makefile",
    "pyproject.toml",
    ".gitignore",
    "docs/README.md",
    "docs/guide.md",
    "docs/api/index.md",
    "docs/api/retry.md",
    "docs/api/my file.md",
    "docs/img/logo.png",
    "docs/设计.md",
    "docs/设计（初稿）.md",
    "docs/sphinx/index.rst",
    "docs/sphinx/intro.rst",
    "notes/My-Page.md",
    "src/net/retry.py",
    "src/net/README.rst",
    "src/util/util.py",
    "src/other/util.py",
    "packages/a/docs/x.md",
    "packages/a/src/core.ts",
]
TREE = Tree(FILES)


def found(text: str, source: str = "docs/guide.md") -> list[tuple[str, int]]:
    """The files a document links to, each with its line."""
    rows: list[tuple[str, int]] = []
    for reference in extract(source, Kind.DOCS, None, text):
        for rel in resolved(reference, source, None, TREE):
            if rel not in [known for known, _ in rows]:
                rows.append((rel, reference.line))
    return rows


@pytest.mark.parametrize(
    ("text", "rel"),
    [
        ("see [retry](api/retry.md)", "docs/api/retry.md"),
        ('see [retry](api/retry.md "How to (re)try")', "docs/api/retry.md"),
        ("see [retry](api/retry.md 'x')", "docs/api/retry.md"),
        ("see [retry](<api/my file.md>)", "docs/api/my file.md"),
        ("see [retry](<api/my file.md> 'title')", "docs/api/my file.md"),
        ("see [retry](api/my file.md)", "docs/api/my file.md"),
        ("see [retry](api/my%20file.md#part-2)", "docs/api/my file.md"),
        ("[x](api/retry.md#top)", "docs/api/retry.md"),
        ("[x](api/retry.md?plain=1)", "docs/api/retry.md"),
        ("[x](../src/net/retry.py:12)", "src/net/retry.py"),
        ("[x](../src/net/retry.py#L12-L20)", "src/net/retry.py"),
        ("[x](./api/../api/retry.md)", "docs/api/retry.md"),
        ("[x](/src/net/retry.py)", "src/net/retry.py"),
        ("[x](/api/retry)", "docs/api/retry.md"),
        ("[x](%E8%AE%BE%E8%AE%A1.md)", "docs/设计.md"),
        ("[x](设计（初稿）.md)", "docs/设计（初稿）.md"),
        ("[x](api/)", "docs/api/index.md"),
        ("[x](..)", "README.md"),
        ("[x](../src/net)", "src/net/README.rst"),
        ("[x](api/retry)", "docs/api/retry.md"),
        ("[x](api/retry.html)", "docs/api/retry.md"),
        ("[x](LICENSE)", "LICENSE"),
        ("[x](../notes/My\\-Page.md)", "notes/My-Page.md"),
        ("见（net/retry.py）", "src/net/retry.py"),
        ("见.gitignore", ".gitignore"),
        ("![x](img/logo.png)", "docs/img/logo.png"),
        ("[![x](img/logo.png)](https://x.org)", "docs/img/logo.png"),
        ("[the [inner] one](api/retry.md)", "docs/api/retry.md"),
        ("[two\nlines](api/retry.md)", "docs/api/retry.md"),
        ("[x]: api/retry.md", "docs/api/retry.md"),
        ("> [x]: <api/my file.md> 'title'", "docs/api/my file.md"),
        ("<img src='img/logo.png' width=3>", "docs/img/logo.png"),
        ('<a href="api/retry.md#x">', "docs/api/retry.md"),
        ("<api/retry.md>", "docs/api/retry.md"),
        ("[[retry]]", "docs/api/retry.md"),
        ("[[retry|Trying again]]", "docs/api/retry.md"),
        ("![[logo.png]]", "docs/img/logo.png"),
        ("[[retry#Part]]", "docs/api/retry.md"),
        ("[[My Page]]", "notes/My-Page.md"),
        ("`api/retry.md`", "docs/api/retry.md"),
        ("`api/my file.md`", "docs/api/my file.md"),
        ("``src/net/retry.py:12``", "src/net/retry.py"),
        ("`src/net/retry.py::test_x`", "src/net/retry.py"),
        ("`python src/net/retry.py --fast`", "src/net/retry.py"),
        ('`open("src/net/retry.py")`', "src/net/retry.py"),
        ("`src/net/`", "src/net/README.rst"),
        ("`Makefile`", "Makefile"),
        ("`.gitignore`", ".gitignore"),
        ("in src/net/retry.py.", "src/net/retry.py"),
        ("in src/net/retry.py:12, line 12", "src/net/retry.py"),
        ("(src/net/retry.py)", "src/net/retry.py"),
        ("**src/net/retry.py**", "src/net/retry.py"),
        ("@../src/net/retry.py", "src/net/retry.py"),
        ("@src/net/retry.py", "src/net/retry.py"),
        ("见（docs/设计.md）。", "docs/设计.md"),
        ("详见docs/api/retry.md。", "docs/api/retry.md"),
        ("docs/设计.md里有", "docs/设计.md"),
        ("docs/设计（初稿）.md", "docs/设计（初稿）.md"),
        ("（见docs/设计（初稿）.md）", "docs/设计（初稿）.md"),
        ("参见README.md", "docs/README.md"),
        ("net/retry.py", "src/net/retry.py"),
        ("see pyproject.toml", "pyproject.toml"),
        ("| a.b | src/net/retry.py |", "src/net/retry.py"),
    ],
)
def test_a_mention_of_a_file(text: str, rel: str) -> None:
    before = "# Title\n\n"
    line = 3 + text[: text.rfind("\n") + 1].count("\n")
    assert found(before + text) == [(rel, line)]


@pytest.mark.parametrize(
    "text",
    [
        "see https://x.org/src/net/retry.py",
        "see https://x.org/?file=src/net/retry.py",
        "see http://x.org/src/net/retry.py)",
        "//x.org/src/net/retry.py",
        "//src/net/retry.py",
        "https://x.org/中src/net/retry.py",
        "*.gitignore",
        "`x`.gitignore",
        "[x](<my net/retry.py>)",
        "my%20net/retry.py",
        "[x](https://x.org/pyproject.toml)",
        "[x](mailto:a@pyproject.toml)",
        "[x](#src/net/retry.py)",
        "~/src/net/retry.py",
        "`~/src/net/retry.py`",
        "a src/net/retry.pyc",
        "a src/net/retry.py/x",
        "a src/net/retry.py-x",
        "a xsrc/net/retry.py",
        "$src/net/retry.py",
        "../net/retry.py",
        "./net/retry.py",
        "other/net/retry.py",
        "[x](other/retry.md)",
        "util.py",
        "`util.py`",
        "[x](retry)",
        "`retry`",
        "`README`s",
        "`retry.py()`",
        "retry.py(x)",
        "[^1]: retry.md",
        "a [x]: retry.md",
        "guide.md",
        "[x](guide.md)",
        "../../../README.md",
        "`src`",
        "`src/`",
        "`../`",
        "`ls ../`",
        "`YES / NO / MAYBE`",
        "index.html",
        "`a b/retry.mdx`",
        "",
    ],
)
def test_not_a_mention_of_a_file(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["`api/my file.md`", "[x](<api/my file.md>)", "[x](api/my file.md)", "api/my%20file.md"]
)
def test_the_tail_of_a_path_with_blanks_is_no_path_of_its_own(text: str) -> None:
    (reference,) = extract("docs/guide.md", Kind.DOCS, None, text)
    assert reference.target == "api/my file.md"
    for files, rels in ((["else/file.md"], ()), (["else/file.md", "api/my file.md"], ("api/my file.md",))):
        assert resolved(reference, "docs/guide.md", None, Tree(files)) == rels


def test_relative_to_the_document_wins_over_the_root() -> None:
    tree = Tree(["docs/x.md", "docs/a.md", "a.md", "b/a.md"])
    for source, rel in (("docs/x.md", "docs/a.md"), ("other/x.md", "a.md")):
        assert resolved(Reference("p", "a.md", 1), source, None, tree) == (rel,)


def test_a_path_counts_from_a_folder_above_the_document() -> None:
    assert found("`src/core.ts`", "packages/a/docs/x.md") == [("packages/a/src/core.ts", 1)]


def test_a_path_that_says_where_it_begins_counts_from_there() -> None:
    assert found("`./src/core.ts` ../README.md", "packages/a/docs/x.md") == []
    assert found("[x](../src/core.ts)", "packages/a/docs/x.md") == [("packages/a/src/core.ts", 1)]


def test_of_several_that_end_so_none_is_meant() -> None:
    assert found("other/util.py") == [("src/other/util.py", 1)]
    assert found("util.py") == []


def test_a_document_that_names_itself_names_no_other() -> None:
    tree = Tree(["docs/README.md", "README.md"])
    assert resolved(Reference("p", "README.md", 1), "docs/README.md", None, tree) == ()


def test_accents_in_either_form() -> None:
    composed, decomposed = "docs/caf\u00e9.md", "docs/cafe\u0301.md"
    for stored, written in ((composed, decomposed), (decomposed, composed)):
        tree = Tree([stored, "x.md"])
        assert resolved(Reference("p", written, 1), "x.md", None, tree) == (stored,)
        words = keys(stored, None, documents, tree).anywhere
        assert any(word in written.casefold() for word in words)


FENCED = """intro

```sh
cd src/net/retry.py
cat retry.py net/retry.py
[x](api/retry.md) [[My Page]] `net/retry.py` other/util.py
```
~~~~
```
docs/guide.md docs/api/retry.md
~~~~
after: pyproject.toml
"""


def test_in_a_block_of_code_only_whole_paths_count() -> None:
    assert found(FENCED) == [
        ("src/net/retry.py", 4),
        ("docs/api/retry.md", 6),
        ("pyproject.toml", 12),
    ]


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert found("```\nnet/retry.py\n") == []
    assert found("```\n``` x\nnet/retry.py\n```\nnet/retry.py\n") == [("src/net/retry.py", 5)]
    assert found("a ``` b\nnet/retry.py\n") == [("src/net/retry.py", 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_exact(end: str) -> None:
    text = end.join(
        ["---", "title: x", "file: pyproject.toml", "---", "", "`api/retry.md`", "[l](../LICENSE)"]
    )
    assert found(text) == [("pyproject.toml", 3), ("docs/api/retry.md", 6), ("LICENSE", 7)]


RST = """Title
=====

See :doc:`intro` and :doc:`the start </sphinx/index>`, :file:`src/net/retry.py`.
A `link <../api/retry.md>`_ and :ref:`x <guide>` and :func:`net.retry.py`.

.. include:: ../../LICENSE.txt
.. literalinclude:: ../../src/net/retry.py
   :lines: 1-2

::

    net/retry.py

.. code-block:: python

   util.py util/util.py src/util/util.py

.. note::
   other/util.py
"""


def test_restructuredtext() -> None:
    assert found(RST, "docs/sphinx/x.rst") == [
        ("docs/sphinx/index.rst", 4),
        ("docs/sphinx/intro.rst", 4),
        ("src/net/retry.py", 4),
        ("docs/api/retry.md", 5),
        ("src/util/util.py", 17),
        ("src/other/util.py", 20),
    ]


def test_entries_of_a_toctree() -> None:
    text = "T\n\n.. toctree::\n   :maxdepth: 2\n   :caption: retry\n\n   intro\n   Why <../guide>\n\nretry\n"
    assert found(text, "docs/sphinx/index.rst") == [("docs/sphinx/intro.rst", 7), ("docs/guide.md", 8)]
    text = "```{toctree}\n:hidden:\nintro\n```\n\nretry\n"
    assert found(text, "docs/sphinx/x.md") == [("docs/sphinx/intro.rst", 3)]
    assert found("{doc}`intro`", "docs/sphinx/x.md") == [("docs/sphinx/intro.rst", 1)]


def test_what_is_no_entry_of_a_toctree() -> None:
    text = ":doc:`a`\n\n.. toctree::\n   :glob:\n\n   a\n   b/*\n   self\n   x <https://x.org>\n"
    assert extract("x.rst", Kind.DOCS, None, text) == (Reference("n", "a", 1),)


def test_asciidoc_and_org() -> None:
    text = (
        "= T\n\nxref:guide.md#a[x] link:api/retry.md[y]\ninclude::../pyproject.toml[]\n----\nretry.py\n----\n"
    )
    assert found(text, "docs/x.adoc") == [
        ("docs/api/retry.md", 3),
        ("docs/guide.md", 3),
        ("pyproject.toml", 4),
    ]
    text = "[[file:api/retry.md][x]] [[./guide.md]] [[https://x.org/pyproject.toml]]\n#+begin_src\nretry.py\n#+end_src\n"
    assert found(text, "docs/x.org") == [("docs/guide.md", 1), ("docs/api/retry.md", 1)]


@pytest.mark.parametrize(
    "text",
    ["`os.replace()`", "[x](https://x.org/a.toml)", "[[https://x.org/a.md]]", "%41" * 600 + ".md", "`...`"],
)
def test_what_can_be_no_path_is_not_kept(text: str) -> None:
    assert extract("x.md", Kind.DOCS, None, text) == ()


def test_each_target_once_where_it_is_first_in_order_of_lines() -> None:
    text = "b.md\n[x](a.md)\nb.md a.md\n"
    assert extract("x.md", Kind.DOCS, None, text) == (Reference("p", "b.md", 1), Reference("p", "a.md", 2))


def test_the_number_and_the_length_are_bounded() -> None:
    many = extract("x.md", Kind.DOCS, None, "\n".join(f"a{n}.md" for n in range(MOST + 10)))
    assert len(many) == MOST and many[-1].line == MOST
    for text in (f"[x]({'a' * LONGEST}.md)", f"{'a' * LONGEST}.md", f"`{'a/' * LONGEST}.md`"):
        assert extract("x.md", Kind.DOCS, None, text) == ()
    assert extract("x.md", Kind.IMAGE, None, "a.md") == ()


LINE = st.text(st.characters(exclude_characters="\n", codec=None))


@given(st.lists(st.builds(Reference, st.sampled_from("pwnim"), LINE, st.integers(1, 10**6))))
def test_packing_loses_nothing(references: list[Reference]) -> None:
    assert list(unpacked(packed(references))) == references


@pytest.mark.parametrize("text", ["", "p", "p1", "p x", "px y", "\n\n", "p² x", f"p{'9' * 5_000} x"])
def test_what_is_no_reference_is_passed_over(text: str) -> None:
    assert list(unpacked(text)) == []


MARKS = '` `` [x]( ) [[ ]] ]: a.md docs/ ../ %41 （ ） 中 \ud800 =" : // # retry.md :doc:'.split()
PIECES = st.sampled_from(
    [*MARKS, "```\n", "~~~\n", "\n", "\r\n", " ", "   ", "::\n", ".. toctree::\n", "x" * 50]
)


@given(st.lists(PIECES, max_size=40), st.sampled_from(["md", "rst", "adoc", "org", "txt"]))
def test_any_text_gives_plain_references(pieces: list[str], ending: str) -> None:
    text = "".join(pieces)
    references = extract(f"docs/x.{ending}", Kind.DOCS, None, text)
    lines = text.split("\n")
    for reference in references:
        assert reference.target and "\n" not in reference.target
        assert 1 <= reference.line <= len(lines)
        for rel in resolved(reference, "docs/x.md", None, TREE):
            assert rel in TREE
            words = keys(rel, None, documents, TREE)
            row = packed([reference]).casefold() + "\n"
            assert any(word in row for word in (*words.anywhere, *words.below))


@pytest.mark.parametrize("unit", ["a.md ", "`", "](", "[[a]", "```\n", "（", "::\n", "a/", "[x]: a\n", "%41"])
def test_a_long_text_is_read_once(unit: str) -> None:
    assert len(extract("x.rst", Kind.DOCS, None, unit * (200_000 // len(unit)))) <= MOST


def test_a_folder_mentioned_is_its_front_page_or_nothing() -> None:
    tree = Tree(["x.md", "a/README.md", "a/index.md", "b/index.rst", "c/main.py", "d/readme.txt"])
    for target, rels in (
        ("a", ("a/README.md",)),
        ("b", ("b/index.rst",)),
        ("c", ()),
        ("d", ("d/readme.txt",)),
    ):
        assert resolved(Reference("w", target, 1), "x.md", None, tree) == rels


def test_joined_targets_stay_inside() -> None:
    assert joined("docs", "../../x") is None
    assert resolved(Reference("p", "../../README.md", 1), "docs/guide.md", None, TREE) == ()
