"""Files that Ruby requires and loads."""

import pytest

from knit_tui.model import Kind
from knit_tui.organise.references import extract, resolved
from knit_tui.organise.tree import Tree

TREE = Tree(
    [
        "lib/knit.rb",
        "lib/knit/json.rb",
        "lib/knit/retry.rb",
        "spec/spec_helper.rb",
        "spec/net/retry_spec.rb",
        "gems/a/lib/a/core.rb",
        "gems/a/test/helper.rb",
        "gems/a/test/core_test.rb",
        "tasks/build.rake",
        "json.rb",
        "top.rb",
    ]
)


def found(text: str, source: str = "lib/knit.rb") -> list[tuple[str, int]]:
    return [
        (rel, reference.line)
        for reference in extract(source, Kind.CODE, "ruby", text)
        for rel in resolved(reference, source, "ruby", TREE)
    ]


@pytest.mark.parametrize(
    ("text", "source", "rel"),
    [
        ('require "knit/retry"', "lib/knit.rb", "lib/knit/retry.rb"),
        ("require 'knit/retry.rb'", "spec/net/retry_spec.rb", "lib/knit/retry.rb"),
        ("require('knit/retry') if x", "lib/knit.rb", "lib/knit/retry.rb"),
        ('require_relative "knit/retry"', "lib/knit.rb", "lib/knit/retry.rb"),
        ('  require_relative "../knit"', "lib/knit/retry.rb", "lib/knit.rb"),
        ('require "spec_helper"', "spec/net/retry_spec.rb", "spec/spec_helper.rb"),
        ('require "helper"', "gems/a/test/core_test.rb", "gems/a/test/helper.rb"),
        ('require "a/core"', "gems/a/test/core_test.rb", "gems/a/lib/a/core.rb"),
        ('require "a/core"', "lib/knit.rb", "gems/a/lib/a/core.rb"),
        ('load "tasks/build.rake"', "lib/knit.rb", "tasks/build.rake"),
        ('  autoload :Retry, "knit/retry"', "lib/knit.rb", "lib/knit/retry.rb"),
        ('Knit.autoload(:Retry, "knit/retry")', "lib/knit.rb", "lib/knit/retry.rb"),
        ('require File.expand_path("../retry", __FILE__)', "lib/knit/json.rb", "lib/knit/retry.rb"),
        ('require File.expand_path("retry", __dir__)', "lib/knit/json.rb", "lib/knit/retry.rb"),
        ("require File.join(File.dirname(__FILE__), 'retry')", "lib/knit/json.rb", "lib/knit/retry.rb"),
        ('begin; require "knit/retry"; rescue LoadError; end', "lib/knit.rb", "lib/knit/retry.rb"),
    ],
)
def test_a_file_taken_in(text: str, source: str, rel: str) -> None:
    assert found(f"# a\n\n{text}\n", source) == [(rel, 3)]


@pytest.mark.parametrize(
    "text",
    [
        'require "json"',
        'require_relative "json"',
        'require "retry"',
        'require "core"',
        '# require "knit/retry"',
        'require "knit/#{name}"',
        "require name",
        'requires "knit/retry"',
        'require_relative "../../x"',
        'require "knit"',
        "x = \"require 'knit/retry'\"",
    ],
)
def test_no_file_taken_in(text: str) -> None:
    assert found(text) == []


def test_what_is_put_together_at_run_time_is_not_kept() -> None:
    assert extract("a.rb", Kind.CODE, "ruby", 'require "knit/#{name}"\nrequire name + "x"\n') == ()


@pytest.mark.parametrize("unit", ["\nrequire ", "require 'a'\n", '"', "\nautoload :A, ", "begin;"])
def test_a_long_text_is_read_once(unit: str) -> None:
    assert len(extract("a.rb", Kind.CODE, "ruby", unit * (500_000 // len(unit)))) <= 1
