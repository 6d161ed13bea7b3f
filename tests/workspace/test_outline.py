from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Kind, Outline
from knit_tui.workspace.classify import classify
from knit_tui.workspace.markdown import clean
from knit_tui.workspace.outline import LINE_LENGTH, outline


def of(rel: str, body: str) -> Outline:
    class_ = classify(rel)
    return outline(rel, class_.kind, class_.language, body)


def test_markdown() -> None:
    body = """\
# The *great* `tool_name`

[![badge](https://x/y.svg)](https://x)

- a list item
  that goes on

> a quote

**Does** things with `snake_case_names` and
_nice_ [links](https://x/y).

```python
# no heading
```

    # indented code

Install
-------
Some text.

Usage
=====

## The __init__ method ##
### Deep ~~old~~ new
"""
    found = of("docs/guide.md", body)
    assert found.title == "The great tool_name"
    assert found.summary == "Does things with snake_case_names and nice links."
    assert found.headings == (
        (1, "The great tool_name"),
        (19, "Install"),
        (23, "Usage"),
        (26, "The __init__ method"),
        (27, "Deep old new"),
    )


@pytest.mark.parametrize(
    ("body", "title", "summary"),
    [
        ("", "guide", ""),
        ("\ufeff# Title\n", "Title", ""),
        ("## Only a deeper heading\ntext\n", "guide", "text"),
        ("prose first\n\n# Title\n", "Title", "prose first"),
        ("---\ntitle: 'The Title'\n---\n# Other\nprose\n", "The Title", "prose"),
        ("---\ntags: [a]\n---\n# Heading\nprose\n", "Heading", "prose"),
        ('+++\ntitle = "Toml"\n+++\nprose\n', "Toml", "prose"),
        ("---\ntitle: A\ndescription: What it is\n---\nprose\n", "A", "What it is"),
        ("---\ntitle: never ends\n\n# Heading\n", "Heading", "title: never ends"),
        ("---\n\nprose\n\n---\n# Heading\n", "Heading", "prose"),
        ("Title\n===\n\nprose\n", "Title", "prose"),
        ("<h1 align='center'>\n  My <b>Tool</b>\n</h1>\n\nprose\n", "My Tool", "prose"),
        ("<!-- a comment\nover lines\n-->\n# T\nprose\n", "T", "prose"),
        ("<!-- never ends\n# T\nprose\n", "T", "prose"),
        ("# T #\n\n***\n| a | b |\n1. one\n[ref]: http://x\nprose\n", "T", "prose"),
        ("~~~\n# no\n```\n# no\n~~~\n# Yes\n", "Yes", ""),
        ("#hashtag is prose\n", "guide", ""),
        ("# \n\nprose\n", "guide", "prose"),
    ],
)
def test_titles_and_summaries_of_markdown(body: str, title: str, summary: str) -> None:
    found = of("guide.md", body)
    assert (found.title, found.summary) == (title, summary)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a_b_c and __init__ and _private", "a_b_c and __init__ and _private"),
        ("_emphasis_ and __strong words__", "emphasis and strong words"),
        ("**bold** *it* ***both***", "bold it both"),
        ("`*args`, f(*args, **kwargs)", "*args, f(*args, **kwargs)"),
        ("![alt](x.png) [text](y 'title') [a][b]", "text a"),
        ("<kbd>x</kbd> Vec<T> <https://x.y>", "x Vec<T> https://x.y"),
        (r"1\. \_x\_", "1. _x_"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_marks_go_and_identifiers_stay(text: str, plain: str) -> None:
    assert clean(text) == plain


def test_a_long_summary_is_cut_with_a_mark() -> None:
    summary = of("a.md", "word " * 50).summary
    assert summary == ("word " * 12).rstrip() + "…"
    assert len(of("a.md", "x" * 61).summary) == 61


def test_restructured_text() -> None:
    body = """\
.. _top:

=====
Title
=====

:author: me

.. note:: not this

This is ``literal`` and :ref:`a link <b>` and `text <http://x>`_.

Section *one*
-------------
Sub
~~~
"""
    found = of("a.rst", body)
    assert (found.title, found.summary) == ("Title", "This is literal and a link and text.")
    assert found.headings == ((4, "Title"), (13, "Section one"), (15, "Sub"))


def test_asciidoc() -> None:
    body = (
        "= Doc Title\nAn Author\n:toc:\n\nSome *bold* prose with link:x[text].\n\n"
        "== One\n----\n== no\n----\n=== Two\n"
    )
    found = of("a.adoc", body)
    assert (found.title, found.summary) == ("Doc Title", "Some bold prose with text.")
    assert found.headings == ((1, "Doc Title"), (7, "One"), (11, "Two"))


def test_org() -> None:
    body = (
        "#+TITLE: The Title\n* TODO First  :tag:\nProse /here/ and [[http://x][a link]].\n"
        "** Second\n#+BEGIN_SRC c\nx\n#+END_SRC\n"
    )
    found = of("a.org", body)
    assert (found.title, found.summary) == ("The Title", "Prose here and a link.")
    assert found.headings == ((2, "First"), (4, "Second"))


def test_plain_text() -> None:
    found = of("NOTES.txt", "\n  ----\nFirst line\ngoes on.\n\nPart One\n========\ntext\n")
    assert found == Outline("NOTES", "First line goes on.", ((6, "Part One"),))
    assert of("LICENSE", "MIT License\n").title == "LICENSE"


def test_a_heading_in_html_over_lines_has_its_first_line() -> None:
    assert of("a.md", "x\n\n<h2>\n  Two\n</h2>\n").headings == ((3, "Two"),)


@pytest.mark.parametrize(
    ("rel", "body", "summary"),
    [
        ("a.py", '#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"""Does it.\n\nMore.\n"""\n', "Does it."),
        ("a.py", 'r"""\nDoes it.\n"""\n', "Does it."),
        ("a.py", "'One line.'\n", "One line."),
        ("a.py", "# Copyright 2020 X\n\n# Reads the files.\nimport os\n", "Reads the files."),
        ("a.py", "import os\n# later\n", ""),
        ("a.py", "x = 'no docstring'\n", ""),
        ("a.js", "'use strict'\n// eslint-disable\n/**\n * Routes things.\n */\n", "Routes things."),
        ("a.go", "// Copyright X\n\n// Package a keeps things.\npackage a\n", "Package a keeps things."),
        ("a.rs", "//! A ring buffer.\n", "A ring buffer."),
        ("a.c", "/*\n * Copyright\n */\n#ifndef A_H\n#define A_H\n/* Draws shapes. */\n", "Draws shapes."),
        ("a.sql", "-- Users of the shop\ncreate table a();\n", "Users of the shop"),
        ("a.sh", "#!/bin/sh\nset -e\n# no\n", ""),
        ("a.html", "<!-- The start page -->\n<html>\n", "The start page"),
        ("a.json", '{"//": "x"}\n', ""),
        ("a.css", "/* ===== Buttons ===== */\n", "Buttons"),
    ],
)
def test_what_code_says_it_is_for(rel: str, body: str, summary: str) -> None:
    found = of(rel, body)
    assert found.summary == summary
    assert found.title == rel


def test_media_have_a_title_alone() -> None:
    assert outline("shots/first page.png", Kind.IMAGE, None, "") == Outline("first page", "", ())


ENDINGS = """
    md rst adoc org txt py js ts go rs java c cpp rb php sh sql hs clj ml ex tex yaml toml kt lua css html
""".split()


@given(st.sampled_from(ENDINGS), st.text(st.sampled_from("a_B*`~#=-+[](){}<>:;\"'/\\| \t\n@.,0é")))
def test_any_text_has_an_outline(ending: str, body: str) -> None:
    found = of(f"a.{ending}", body)
    assert found.title
    lines = body.count("\n") + 1
    assert all(1 <= line <= lines and text for line, text in found.headings)
    assert [line for line, _ in found.headings] == sorted(line for line, _ in found.headings)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "a ",
        "*a",
        "_a",
        "`",
        "[",
        "](",
        "<",
        "<!--",
        "# ",
        "a(",
        "public ",
        "@a ",
        " \t",
        "~",
        '"a" ',
        "::",
        "impl<",
    ],
)
def test_long_lines_cost_no_more_than_their_length(ending: str, piece: str) -> None:
    # Were any expression super-linear, this would not end.
    line = piece * (LINE_LENGTH // len(piece))
    of(f"a.{ending}", f"# {line}\n{line}\n" * 25 + f"{line * 130}\n")
