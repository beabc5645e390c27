"""What a name means in a file, which definition stands on a line, and where looking ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Unreadable
from pincite.symbols import Symbol, at_line, find, find_close, grammar, lookup, outline, reading


@pytest.fixture(scope="module", autouse=True)
def in_this_process() -> Iterator[None]:
    """Hundreds of small texts are not worth a process each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "run_in_child", lambda work, memory, seconds: work())
        yield


TWO = b"""\
class Server:
    def start(self): ...
    def stop(self): ...

class Client:
    def start(self): ...
"""


def lines_of(path: str, text: str, name: str) -> list[tuple[int, int, int]]:
    """Line, first and last of what a name means."""
    return [(one.line, one.first, one.last) for one in find(path, dedent(text).encode(), name)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Server", ["Server"]),
        ("Server.start", ["Server.start"]),
        ("Server::start", ["Server.start"]),
        ("Server#start", ["Server.start"]),
        (" Server.start() ", ["Server.start"]),
        ("stop", ["Server.stop"]),
        ("start", ["Server.start", "Client.start"]),
        ("art", []),
        ("Server.", ["Server"]),
        ("Server.Server", []),
        ("", []),
        (".", []),
        ("server", []),
    ],
)
def test_a_name_or_the_end_of_one_is_found(name: str, expected: list[str]) -> None:
    assert [symbol.name for symbol in find("a.py", TWO, name)] == expected


def test_the_whole_name_comes_before_the_end_of_another() -> None:
    data = b"def start(): ...\nclass A:\n    def start(self): ...\n"
    assert find("a.py", data, "start") == (Symbol("start", "function", 1, 1, 1),)


@pytest.mark.parametrize(
    ("path", "text", "name", "expected"),
    [
        (
            "a.py",
            """\
            @overload
            def f(a: int) -> int: ...
            @typing.overload
            def f(a: str) -> str: ...
            def f(a):
                return a
            """,
            "f",
            [(5, 1, 6)],
        ),
        (
            "a.pyi",
            "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\n",
            "f",
            [(2, 1, 4)],
        ),
        (
            "a.py",
            """\
            class A:
                @property
                def x(self): ...
                @x.setter
                def x(self, value): ...
                @x.deleter
                def x(self): ...
            """,
            "A.x",
            [(3, 2, 7)],
        ),
        ("a.py", "def f(): ...\nf = traced(f)\n", "f", [(1, 1, 1)]),
        ("a.js", "class A {\n  get x() {}\n  set x(v) {}\n}", "A.x", [(2, 2, 3)]),
        (
            "a.ts",
            "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {\n}\n",
            "f",
            [(3, 1, 4)],
        ),
        ("a.d.ts", "declare function f(a: string): void;\ndeclare function f(a: number): void;\n", "f", [(1, 1, 2)]),
        ("a.c", "int f(int a);\nint f(int a);\nint f(int b) { return b; }\n", "f", [(3, 3, 3)]),
        ("a.c", "typedef struct n {\n int a;\n} n;\n", "n", [(3, 1, 3)]),
        ("a.c", "extern int shared;\nint shared = 1;\n", "shared", [(2, 2, 2)]),
        ("a.cpp", "class A { void f(int a); };\nvoid A::f(int b) {}\n", "A.f", [(2, 2, 2)]),
        ("a.cpp", "namespace n { class A { A(); }; }\nn::A::A() {}\n", "A", [(1, 1, 1)]),
        ("A.java", "class A { A() {} }", "A", [(1, 1, 1)]),
    ],
)
def test_what_belongs_together_is_one_definition(
    path: str, text: str, name: str, expected: list[tuple[int, int, int]]
) -> None:
    assert lines_of(path, text, name) == expected


@pytest.mark.parametrize(
    ("path", "text", "name", "count"),
    [
        ("a.py", "if x:\n    def f(): ...\nelse:\n    def f(): ...\n", "f", 2),
        ("a.py", "@overload\ndef f(): ...\ndef g(): ...\ndef f(): ...\n", "f", 2),
        (
            "a.py",
            "class A:\n  @property\n  def x(self): ...\n  def y(self): ...\n  @x.setter\n  def x(self): ...",
            "x",
            2,
        ),
        ("a.py", "x = 1\nx = 2\n", "x", 2),
        ("a.py", "def f(): ...\ndef f(): ...\ndef f(): ...\n", "f", 3),
        ("A.java", "class A { void f() {} void f(int a) {} }", "A.f", 2),
        ("a.cs", "class A { void F() {} void F(int a) {} }", "A.F", 2),
        ("a.cpp", "void f(int a) {}\nvoid f(double a) {}\n", "f", 2),
        ("a.cpp", "class A { void f(int a); void f(char a); };\nvoid A::f(int a) {}\n", "A.f", 3),
        ("a.c", "#if X\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n", "f", 2),
        ("a.ts", "interface A { x: number }\ninterface A { y: number }\n", "A", 2),
        ("a.ts", "class A {}\nnamespace A { const x = 1 }\n", "A", 2),
        ("a.ts", "function f(a: string): void;\nconst x = 1;\nfunction f(a: any) {}\n", "f", 2),
        ("a.rs", "impl From<A> for T { fn from() {} }\nimpl From<B> for T { fn from() {} }\n", "T.from", 2),
        ("a.rb", "class A; end\nclass A; end\n", "A", 2),
        ("a.sh", "f() { :; }\nf() { echo; }\n", "f", 2),
    ],
)
def test_what_does_not_is_ambiguous(path: str, text: str, name: str, count: int) -> None:
    assert len(find(path, text.encode(), name)) == count


@pytest.mark.parametrize(
    ("line", "name"),
    [(1, "Server"), (2, "Server.start"), (4, None), (6, "Client.start"), (0, None), (-1, None), (99, None)],
)
def test_the_definition_on_a_line(line: int, name: str | None) -> None:
    found = at_line("a.py", TWO, line)
    assert (found.name if found else None) == name


def test_a_line_with_two_definitions_has_none() -> None:
    assert at_line("a.js", b"const a = 1, b = 2;\n", 1) is None
    assert at_line("a.py", b"class A: x = 1\n", 1) is None


def test_a_decorator_begins_its_definition() -> None:
    data = b"@a\n@b\ndef f(): ...\n"
    assert [at_line("a.py", data, line) for line in (1, 2, 3)] == [
        Symbol("f", "function", 3, 1, 3),
        None,
        Symbol("f", "function", 3, 1, 3),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Server.strat", ("Server.start",)),
        ("strat", ("Server.start", "Client.start")),
        ("server.start", ("Server.start",)),
        ("Sever", ("Server",)),
        ("Worker.stop", ("Server.stop",)),
        ("zzzz", ()),
        ("", ()),
        ("x" * 5000, ()),
    ],
)
def test_close_names(name: str, expected: tuple[str, ...]) -> None:
    assert find_close("a.py", TWO, name)[: len(expected) or 3] == expected


def test_at_most_three_names_are_close() -> None:
    data = "".join(f"def start_{number}(): ...\n" for number in range(99)).encode()
    assert len(find_close("a.py", data, "start_x")) == 3
    assert [find_close("a.py", data, f"start_{number}x") for number in range(200)][-1] == ()


def test_an_outline_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, calls = lookup.read_definitions, []
    monkeypatch.setattr(lookup, "read_definitions", lambda *given: calls.append(given) or read(*given))
    data = b"def once(): ...\n# read once\n"
    assert outline("a.py", data) == outline("b/c.py", bytes(bytearray(data)))
    assert find("a.py", data, "once")
    assert len(calls) == 1


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_KEPT_BYTES", 5000)
    for number in range(50):
        outline("a.py", b"x = %d\n" % number)
    assert len(lookup._kept) <= 5


def test_a_missing_grammar_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_loaded", {})
    monkeypatch.setattr(lookup, "_kept", {})
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    for _ in range(2):
        with pytest.raises(Unreadable, match=r"pip install 'pincite\[symbols\]'"):
            outline("a.go", b"package p\n")
    assert outline("a.py", b"def f(): ...\n")


def test_a_file_that_is_too_large_is_not_parsed() -> None:
    with pytest.raises(Unreadable, match="larger than 4 MB"):
        outline("a.py", b"x = 1\n" * 1_000_000)


def test_too_many_definitions_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST", 100)
    with pytest.raises(Unreadable, match="more than 100 definitions"):
        outline("a.sh", b"a=1\n" * 101)


def test_code_that_ties_up_the_parser_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Left to itself, this would take minutes."""
    monkeypatch.setattr(grammar, "_SECONDS", 0.02)
    monkeypatch.setattr(grammar, "_SECONDS_PER_BYTE", 0)
    with pytest.raises(Unreadable, match="tangled"):
        outline("a.js", b"lambda a:" * 40_000)
    monkeypatch.undo()
    assert outline("a.js", b"function f() {}\n")


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.rs", "a.sh"])
@pytest.mark.parametrize("unit", ["(", "function a(){", "[{("])
def test_brackets_that_are_opened_without_end_are_not_followed(path: str, unit: str) -> None:
    """Left to itself, the parser would take all the memory there is."""
    with pytest.raises(Unreadable, match="tangled"):
        outline(path, unit.encode() * 5_000)
    assert outline(path, unit.encode() * 50) is not None


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        *(("a.py", "class A:\n"), ("a.py", "def f(): ...\n"), ("a.py", "}"), ("a.js", "const a = {b() {}};\n")),
        *(("a.js", "/*"), ("a.c", "int f(int a);\n"), ("a.rs", "#[a]\n"), ("a.cs", "namespace A;\n")),
    ],
)
def test_time_grows_with_the_text_and_no_faster(in_proportion: Callable[..., bool], path: str, unit: str) -> None:
    def read(text: str) -> None:
        lookup._kept.clear()
        outline(path, text.encode())

    assert in_proportion(read, unit * 500, unit * 5_000, 10)


def test_names_do_not_grow_without_end() -> None:
    found = outline("a.js", b"function %s(){" % (b"a" * 50) * 200 + b"}" * 200)
    assert found and max(len(one.name) for one in found) <= 400


PIECES = st.sampled_from(
    [
        *("def f", "class A", "function g", "fn h", "(", ")", "{", "}", ":", ";", "\n", "    ", "\t", "@a\n", "#[b]\n"),
        *("const X = 1", "let y", "impl T ", "struct S ", "namespace n", "::", "<T>", "=> ", "= ", "'", '"', "`", "${"),
        *(
            "<?php ",
            "end\n",
            "module M\n",
            "type Z ",
            "interface I ",
            "enum E ",
            "/*",
            "*/",
            "//",
            "#",
            "\r",
            "é",
            "\0",
        ),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["py", "js", "ts", "go", "rs", "java", "c", "cpp"]))
@settings(max_examples=60, deadline=None)
def test_laws(text: str, ending: str) -> None:
    """Lines exist and are in order, and every definition is found by its whole name."""
    data = text.encode()
    lines = data.replace(b"\r", b"\n").count(b"\n") + 1
    for one in outline(f"a.{ending}", data):
        assert 1 <= one.first <= one.line <= one.last <= lines
        assert find(f"a.{ending}", data, one.name)


def test_checking_documents_without_symbols_loads_no_parser(tmp_path: Path) -> None:
    """Start-up is part of every hook."""
    (tmp_path / "a.py").write_text("def f(): ...\n")
    (tmp_path / "doc.md").write_text("See a.py:1 and std::vector and [cite:file](a.py:1).\n")
    code = (
        "import sys\nfrom pincite.doors.cli.main import main\n"
        "try:\n    main(['check', '--no-cache'])\nexcept SystemExit as end:\n    print('code', end.code)\n"
        "print([name for name in sys.modules if name.startswith(('tree_sitter', 'pincite.symbols.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done
