from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.workspace.classify import classify
from knit_tui.workspace.definitions import _BLOCK_COMMENTS, _PATTERNS, _SHAPES, definitions


def found(rel: str, body: str) -> list[tuple[int, str]]:
    return list(definitions(body, classify(rel).language))


@pytest.mark.parametrize(
    ("rel", "body", "expected"),
    [
        (
            "a.py",
            "class A(B):\n    async def run(self):\ndef f[T](x):\nclass C:\n# class D:\nclassy = 1\n",
            "A run f C",
        ),
        ("a.js", "export default class A {\n  async go(x) {\n    if (x) {\n    call(() => {\n", "A go"),
        (
            "a.js",
            "function* gen() {}\nconst f = () => 1\nmodule.exports.g = 2\n  const inner = 1\n",
            "gen f g",
        ),
        (
            "a.ts",
            "export interface I {\nexport type T = string\nexport enum E { A }\nabstract class C<T> {\n",
            "I T E C",
        ),
        (
            "a.go",
            "type Store struct {\nfunc (s *Store) Get(k string) {\nfunc New() {\nconst Max = 1\n",
            "Store Get New Max",
        ),
        (
            "a.rs",
            "pub struct R<T> {\nimpl<T> R<T> {\n  pub async fn push(&self) {\nimpl fmt::Display for Q {\n",
            "R R push Q",
        ),
        (
            "a.rs",
            "pub(crate) const MAX: usize = 1;\nmacro_rules! ring {\ntrait T {\nmod m;\n",
            "MAX ring T m",
        ),
        (
            "A.java",
            "public final class A<T> {\n  public A(B b) {\n"
            "  List<X> all(int a,\n      int b) {\n  if (x) {\n  f(a);\n",
            "A A all",
        ),
        (
            "a.kt",
            "data class U(val a: Int)\nfun List<Int>.total() = 1\nsuspend fun load() {\n",
            "U total load",
        ),
        ("a.cs", "namespace N\npublic record P(int X);\n  public async Task<int> Run(int a)\n  {\n", "P Run"),
        ("a.swift", "struct S {\n  func go() {\nprotocol P {\nextension S {\n", "S go P S"),
        (
            "a.c",
            "#define N 1\nstatic int\nadd(int a)\n{\nint sub(int a, int b) {\nint decl(int);\nstruct s {\n",
            "N add sub s",
        ),
        (
            "a.cpp",
            "namespace n {\nclass C : public B {\n  int area() const override {\n"
            "void C::draw() {\nstruct f;\n",
            "n C area draw",
        ),
        ("a.h", "/* Written by somebody (x@y.z)\nint in_comment(int a)\n*/\nint real(int a)\n{\n", "real"),
        ("a.m", "@interface V : W\n- (void)draw:(int)x {\n", "V draw"),
        ("a.rb", "module M\n  class A < B\n    def self.go!\n    def ok?\n", "M A go! ok?"),
        ("a.php", "<?php\nfinal class A {\n  public static function go() {\n", "A go"),
        ("a.sh", "function one {\ntwo() {\n  echo x\n", "one two"),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS s.users (\ncreate or replace function f(a int)\nselect 1\n",
            "s.users f",
        ),
        ("a.lua", "local function f(x)\nfunction M.g()\n", "f M.g"),
        ("a.ex", "defmodule A.B do\n  def go(x) do\n", "A.B go"),
        ("a.hs", "module Main where\ndata T = A\nmain :: IO ()\n", "Main T main"),
        ("a.clj", "(ns x)\n(defn go [x])\n(def y 1)\n", "go y"),
        ("Makefile", "all: build\n\tcc x\nbuild:\nX := 1\n", "all build"),
        ("a.tf", 'resource "aws_x" "main" {\nvariable "v" {\n', "main v"),
        ("a.proto", "message M {\n  rpc Go(A) returns (B);\n", "M Go"),
        ("a.toml", "[project]\nname = 1\n[[tool.x]]\n", "project tool.x"),
        ("a.yaml", "on:\n  push:\njobs:\n", "on jobs"),
        ("a.tex", "\\section{One}\n\\subsection*{Two}\n", "One Two"),
        ("a.css", ".a { }\n", ""),
        (
            "a.py",
            "@d(x)\nasync def run(): ...\n"
            "MAX_SIZE: int = 4\nA = 1\ntype Pair[T] = tuple\nX_Y == 1\n  LATE = 1\n",
            "run MAX_SIZE Pair",
        ),
        (
            "a.ts",
            "export default async function main<T>() {\nfunction *gen() {\n"
            "  handler = async (e: Event) => {\n"
            "  private onClick: Handler = (e) => {\n  load(\n    id: string,\n  call(\n    value,\n"
            "  it('does', () => {\n  this.x = 3\n",
            "main gen handler onClick load",
        ),
        (
            "a.js",
            "app.get = function get(a) {\nFoo.prototype.bar = async (x) => {\n"
            "module.exports = function () {\n"
            "  x = y + (a)\n",
            "get bar",
        ),
        (
            "a.go",
            'type (\n\tA struct {\n\tB = int\nconst (\n\tFirst Kind = iota\n\tName = "n"\n'
            "func (s *S[T]) Do() {\n"
            "\tEnabled = true\n",
            "A First Name Do",
        ),
        (
            "a.rs",
            "impl<'a> From<In<'a>> for Out<'a> where T: X {\nimpl<T: Into<Vec<u8>>> R<T> {\nimpl dyn Any {\n"
            "  static ref X: u8 = 1;\n/* fn no() */\n/*\nfn no() {\n*/\nlet fn_x = 1;\n",
            "Out R Any X",
        ),
        ("A.java", "  @Override public String name() {\n  @Test(a = 1)\n  return foo(a) {\n", "name"),
        (
            "a.cs",
            "  public int Count { get; set; }\n  public int Sum() => a + b;\n"
            "  public delegate void Done(int x);\n"
            "  public static explicit operator int(A a) => 1;\n  await go((a) => 1);\n",
            "Count Sum Done",
        ),
        (
            "a.kt",
            "fun `with spaces`() {\nval top = 1\n  private const val K = 1\n  val inner = 1\n",
            "with spaces top K",
        ),
        (
            "a.cpp",
            "enum class E : int { A };\nstruct P { int x; };\nusing X = int;\n"
            "  int get(int a) { return a; }\n"
            "template <class T> class V {\nstruct f g;\n  if (x) { y(); }\n",
            "E P X get V",
        ),
        ("a.scala", "  private[this] def hid() = {\ntype A = B\n", "hid A"),
        ("a.dart", "  factory A.from(Map m) => A();\n", "from"),
        ("a.rb", "    private def hid\n", "hid"),
        ("a.lua", "local f = function(x)\n", "f"),
        ("a.jl", "area(r) = 3 * r\nif (x) == 2\n", "area"),
        (
            "a.scss",
            ".card > a {\n#top,\n%place {\n@mixin wide($x) {\n  &:hover {\n.x;\n",
            ".card #top %place wide",
        ),
        (
            "a.html",
            "<title>The page</title>\n <h2 class='x'>Second <b>part</b></h2>\n<h1>{{ x }}</h1>\n"
            '<section class="a" id="about">\n<p id="no">\nfunction go() {\n',
            "The page Second about go",
        ),
        ("a.yaml", "'on':\nx:\n  - name: Run the tests # all\n  - uses: x\n", "on x Run the tests"),
        ("Makefile", "a b: c\nall::\ndefine rule\nA ::= b\nB ?= c\n", "a all rule"),
        ("a.json", '{"a": 1}\n', ""),
    ],
)
def test_names_that_code_defines(rel: str, body: str, expected: str) -> None:
    assert " ".join(name for _, name in found(rel, body)) == expected


WORDS = st.lists(
    st.sampled_from(
        """
        def f(x): class A: impl<T async func fn (a, b) export const x = function <h1> title </h1> - name: n
        create table t ( ) { } [section] key: pub struct S type T = @x .a, #b [ ] "y" {a /x end
        """.split()
    ),
    min_size=1,
    max_size=3,
)
LINES = st.lists(
    st.builds(lambda blank, words: blank + " ".join(words), st.sampled_from(["", "  ", "\t"]), WORDS),
    max_size=12,
)


@pytest.mark.parametrize("language", sorted({*_PATTERNS} - _BLOCK_COMMENTS - {*_SHAPES}))
@settings(max_examples=30, deadline=None)
@given(LINES)
def test_no_definition_reaches_over_a_line(language: str, lines: list[str]) -> None:
    alone = [(n, name) for n, line in enumerate(lines, 1) for _, name in definitions(line, language)]
    assert list(definitions("\n".join(lines), language)) == alone


def test_names_have_their_lines() -> None:
    assert found("a.py", "\nx = 1\n\nclass A:\n    def f(self):\n") == [(4, "A"), (5, "f")]
