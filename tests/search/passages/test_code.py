"""Definitions in code, and the passages they make."""

from __future__ import annotations

import pytest

from pincite.search.passages.code import outline, read
from pincite.search.passages.languages import LANGUAGES, PATTERNS, find_definitions

PYTHON = '''"""Module.

def not_one():
"""
import os

LIMIT = 3


# Says what it does.
@decorated(
    1,
)
@other
def first(a,
          b):
    return """
def nor_this():
"""


class A(B):
    """Doc."""

    x = 1

    def method(self):
        def inner():
            pass

        return inner

    y = 2

    async def last(self): ...


AFTER = 1
'''


def pieces(text: str, path: str) -> list[tuple[str, tuple[str, ...]]]:
    """First line of every passage, and where it stands."""
    return [(text[one.start : one.end].split("\n")[0], one.headings) for one in read(text, path).passages]


def test_python_is_cut_at_definitions() -> None:
    assert pieces(PYTHON, "a.py") == [
        ('"""Module.', ()),
        ("# Says what it does.", ("first",)),
        ("class A(B):", ("A",)),
        ("    def method(self):", ("A", "method", "inner")),
        ("        return inner", ("A", "method")),
        ("    y = 2", ("A",)),
        ("    async def last(self): ...", ("A", "last")),
        ("AFTER = 1", ()),
    ]
    assert [(one.level, one.title) for one in outline(PYTHON, "a.py")] == [
        *[(1, "first"), (1, "A"), (2, "method"), (3, "inner"), (2, "last")]
    ]


def test_a_class_that_begins_with_a_method_goes_with_it() -> None:
    text = "class A:\n    def f(self):\n        pass\n"
    assert pieces(text, "a.py") == [("class A:", ("A", "f"))]


def test_tabs_are_as_good_as_blanks() -> None:
    text = "class A:\n\tx = 1\n\n\tdef f(self):\n\t\tif x:\n\t\t\tpass\n\n\t\treturn 1\n"
    assert pieces(text, "a.py") == [("class A:", ("A",)), ("\tdef f(self):", ("A", "f"))]


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "a.js",
            "export default class A {\n  constructor(x) {\n    if (x) {\n    }\n  }\n}\n"
            "const f = async (a, b) => {\n};\n",
            "A constructor f",
        ),
        ("a.js", "function* g() {}\nmodule.exports = g;\nlet h = function () {};\nvar n = 3;\n", "g h"),
        (
            "a.ts",
            "export interface A<T> {\n}\ntype B = string;\nexport const c: X = (a) => 1;\nenum D {\n}\n",
            "A B c D",
        ),
        (
            "a.ts",
            "class A {\n  private async run(a: string): Promise<void> {\n    while (a) {\n    }\n  }\n}\n",
            "A run",
        ),
        (
            "a.go",
            "package a\n\nfunc (t *T) Name(x int) error {\n}\n\ntype S struct {\n}\n\nfunc New() {}\n",
            "Name S New",
        ),
        (
            "a.rs",
            "pub(crate) async fn f() {\n}\nimpl<T> Show for A<T> {\n    fn g(&self) {\n    }\n}\n"
            "mod b;\nmod tests {\n}\n",
            "f impl<T>_Show_for_A<T> g tests",
        ),
        (
            "a.java",
            "@Test\npublic final class A {\n    private static int f(int a) {\n        return g(a);\n    }\n"
            "    A(int x) {\n    }\n}\n",
            "A f A",
        ),
        (
            "a.cs",
            "internal record R(int X);\npublic async Task<int> Run(string a)\n{\n    await Go(a);\n    if (a) { }\n}\n",
            "R Run",
        ),
        ("a.kt", "data class A(val x: Int)\noverride suspend fun String.f(): Int = 1\nobject O {\n}\n", "A f O"),
        (
            "a.c",
            "#include <a.h>\n#define MAX(a, b) 1\nstruct s {\n};\nstatic int\n"
            "f (int a)\n{\n  return g (a);\n}\nint h(void) {\n}\nint k(void);\n",
            "MAX s f h",
        ),
        (
            "a.cpp",
            "namespace n {\nclass A : public B {\n};\nstd::string A::name() const {\n}\nA::~A() {\n}\n}\n",
            "n A A::name A::~A",
        ),
        ("a.rb", "module M\n  class A\n    def self.f?(x)\n    end\n  end\nend\n", "M A self.f?"),
        ("a.php", "abstract class A {\n    public static function &f($x) {\n    }\n}\nfunction g() {}\n", "A f g"),
        ("a.sh", "set -e\nf() {\n  true\n}\nfunction g {\n  false\n}\n", "f g"),
        ("a.lua", "local function f()\nend\nfunction M.g:h()\nend\nM.k = function()\nend\n", "f M.g:h M.k"),
        (
            "a.swift",
            "public final class A {\n    init(x: Int) {\n    }\n    override func f() {\n    }\n}\nextension A {\n}\n",
            "A init f A",
        ),
        ("a.scala", "case class A(x: Int)\nobject O {\n  private def f(x: Int) = 1\n}\n", "A O f"),
        (
            "a.sql",
            "create or replace function f() returns int;\nCREATE TABLE IF NOT EXISTS t (\n);\nselect 1;\n",
            "f t",
        ),
        ("a.pl", "sub f {\n}\n", "f"),
        ("a.R", "f <- function(x) {\n}\n", "f"),
        ("a.ex", "defmodule A.B do\n  defp f?(x) do\n  end\nend\n", "A.B f?"),
        ("a.proto", "message A {\n  enum B {\n  }\n}\n", "A B"),
        ("a.hs", "f :: Int\nclass A\n", ""),
        ("", "def f():\n", ""),
    ],
)
def test_definitions_of_a_language(path: str, text: str, names: str) -> None:
    assert [one.title.replace(" ", "_") for one in outline(text, path)] == names.split()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "x = '''\ndef f():\n'''\n"),
        ("a.py", 'x = "a" """\nclass A:\n"""\n'),
        ("a.py", "defined = 1\nclass_ = 2\n# def f():\n"),
        ("a.js", "/*\nfunction f() {\n*/\nif (a) {\n}\n"),
        ("a.js", "  return (a) {\n"),
        ("a.c", "/*\nint f(int a)\n*/\nreturn (1)\n"),
        ("a.java", "        return foo(bar)\n        new Foo(bar)\n        else go(a)\n"),
    ],
)
def test_what_only_looks_like_a_definition(path: str, text: str) -> None:
    assert outline(text, path) == []


@pytest.mark.parametrize(
    "text",
    ["# '''\ndef f():\n    pass\n", "x = \"'''\"\ndef f():\n", "x = '\\''\ndef f():\n", "'''a\\'''b'''\ndef f():\n"],
)
def test_quotes_that_open_no_long_string(text: str) -> None:
    assert [one.title for one in outline(text, "a.py")] == ["f"]


def test_a_comment_belongs_to_what_is_below_it() -> None:
    text = "int a;\n\n/**\n * Says.\n */\nint f(int a) {\n}\n\n// Constant.\nint b;\n"
    assert pieces(text, "a.c") == [("int a;", ()), ("/**", ("f",)), ("// Constant.", ())]


def test_a_long_function_is_cut_at_blank_lines_under_its_name() -> None:
    body = "".join(f"    x{row} = compute(something, {row})\n{chr(10) if row % 5 == 4 else ''}" for row in range(200))
    found = read(f"def f():\n{body}", "a.py").passages
    assert len(found) > 3 and {one.headings for one in found} == {("f",)}
    assert all(row.start == 0 or f"def f():\n{body}"[row.start - 2 : row.start] == "\n\n" for row in found)


def test_unknown_code_is_cut_before_lines_at_the_margin() -> None:
    part = "f x =\n" + "  let y = 1\n\n" * 40
    text = part * 10
    found = read(text, "a.hs").passages
    assert len(found) > 3 and all(text.startswith("f x", one.start) for one in found)


def test_every_language_has_a_pattern() -> None:
    assert set(LANGUAGES.values()) == set(PATTERNS)
    assert all(find_definitions(language) is not None for language in PATTERNS)
    assert find_definitions("cobol") is None
