"""Definitions by name in prose and code spans."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Place, SourceRef
from pincite.dialects import symbol
from pincite.text.document import Document


def found(text: str, path: str = "x.md") -> list[tuple[str, str]]:
    """What was read, as it is written and as it is understood."""
    items = list(symbol.extract(Document(path, text)))
    assert all(text[item.span.start : item.span.end] == item.raw for item in items)
    return [(item.raw, item.source.key) for item in items if isinstance(item, Citation)]


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("See src/a.py::main.", "src/a.py::main"),
        ("See src/a.py::Server.start, then", "src/a.py::Server.start"),
        ("(a.py::Server::start)", "a.py::Server::start"),
        ("a.rb::Server#start", "a.rb::Server#start"),
        ("`a.py::main`", "a.py::main"),
        ("`` a.py::main ``", "a.py::main"),
        ("`a.py::main()` runs", "a.py::main"),
        ("a.py::main() runs", "a.py::main"),
        ("`tests/test_a.py::TestA::test_b[x-1]`", "tests/test_a.py::TestA::test_b"),
        ("tests/test_a.py::test_b[x-1]", "tests/test_a.py::test_b"),
        ("`a.rb::Foo.ready?`", "a.rb::Foo.ready?"),
        ("Is it a.rb::Foo.ready?", "a.rb::Foo.ready"),
        ("`a.cpp::Foo::~Foo`", "a.cpp::Foo::~Foo"),
        ("`a.cpp::Foo.operator==`", "a.cpp::Foo.operator=="),
        ("`a.js::Store.#secret`", "a.js::Store.#secret"),
        ("bin/run.sh::run-all does", "bin/run.sh::run-all"),
        ("`bin/run.sh::run-all()`", "bin/run.sh::run-all"),
        ("[the loop](src/a.py::main)", "src/a.py::main"),
        ("@src/a.py::main", "src/a.py::main"),
        ("“a.py::main”", "a.py::main"),
        ("A.PY::main", "A.PY::main"),
        ("größe.py::öffne", "größe.py::öffne"),
        ("a.py::f(x)", "a.py::f"),
        ("**a.py::f**", "a.py::f"),
    ],
)
def test_what_is_read(text: str, raw: str) -> None:
    assert found(text) == [(raw, raw)]


@pytest.mark.parametrize(
    "text",
    [
        *("std::vector", "Foo::Bar::baz", "fe80::1", "::1", "a::b", "use std::fmt;", "a.lua::f", "a.txt::f", "a.md::f"),
        *(
            "https://example.org/a.py::f",
            "file:///src/a.py::f",
            "/etc/a.py::f",
            "C:\\src\\a.py::f",
            ".py::f",
            "a/.py::f",
        ),
        *(
            "a.py:: f",
            "a.py ::f",
            "a.py::",
            "a.py::1",
            "a.py::f:12",
            "a.py::f/g",
            "a.py::f\\g",
            "a.py::f@x",
            "a.py::-f",
        ),
        *("`run a.py::f`", "`a.py::f --x`", "`a.py::f + g`", "```\na.py::f\n```"),
        *(
            "`a.py::f:12`",
            "`a.py::f g`",
            "a.py::" + "f" * 300,
            "---\nx: a.py::f\n---\n",
            "a.pyx::f",
            "xpy::f",
            "a.py:::f",
        ),
    ],
)
def test_what_is_not(text: str) -> None:
    assert found(text) == []


def test_a_path_is_read_from_the_root_and_from_the_folder() -> None:
    (item,) = symbol.extract(Document("docs/x.md", "a.py::f"))
    assert isinstance(item, Citation)
    assert (item.source, item.alternate, item.tentative) == (SourceRef("symbol", "a.py::f"), "docs/a.py::f", True)
    (item,) = symbol.extract(Document("docs/x.md", "../a.py::f"))
    assert isinstance(item, Citation)
    assert (item.source.key, item.lines, item.quote) == ("a.py::f", None, None)


def test_several_on_a_line() -> None:
    assert [raw for raw, _ in found("a.py::f, `b.go::G.H` and c.rs::x::y.")] == ["a.py::f", "b.go::G.H", "c.rs::x::y"]
    assert [raw for raw, _ in found("a.py::b.py::c")] == ["a.py::b.py::c"]


def test_outside_markdown_backticks_mean_nothing() -> None:
    assert [raw for raw, _ in found("# see `run a.py::f`", "x.py")] == ["a.py::f"]


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("See a.py::A.f.", "src/b.py", "See src/b.py::A.f."),
        ("`a.py::A.f()`", "b.go", "`b.go::A.f()`"),
        ("a.py::f[x]", "b.py", "b.py::f[x]"),
        ("a.py::f", "b c.py", None),
        ("a.py::f", "b.txt", None),
        ("a.py::f", "-b.py", None),
        ("a.py::f", "b\n.py", None),
        ("a.py::f", "x" * 400 + ".py", None),
        ("a.py::ab", "b.sh", "b.sh::ab"),
    ],
)
def test_repointing_keeps_the_name(text: str, path: str, expected: str | None) -> None:
    document = Document("x.md", text)
    (item,) = symbol.extract(document)
    assert isinstance(item, Citation)
    edit = symbol.repoint(document, item, Place(path, None))
    made = None if edit is None else text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert made == expected
    assert symbol.repoint(document, item, Place(path, Lines(1, 2))) is None


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}", fullmatch=True)


@given(
    st.lists(NAMES, min_size=1, max_size=3),
    st.lists(NAMES, min_size=1, max_size=4),
    st.sampled_from(["py", "js", "tsx", "go", "rs", "java", "h", "cpp", "cs", "rb", "php", "sh"]),
)
@settings(max_examples=100, deadline=None)
def test_what_is_written_can_be_read(folders: list[str], names: list[str], ending: str) -> None:
    source = SourceRef("symbol", f"{'/'.join(folders)}.{ending}::{'.'.join(names)}")
    (item,) = symbol.extract(Document("x.md", EXAMPLE_TEXT.format(source.key)))
    assert isinstance(item, Citation) and item.source == source
    assert symbol.render(item) == source.key


EXAMPLE_TEXT = "The loop is in `{}`, as was said."


@pytest.mark.parametrize("unit", ["a.py::", "a.py::f ", "`a.py::f` ", "a" * 50 + ".py::", "a.py::f.g", "a.py::f::"])
def test_time_grows_with_the_text_and_no_faster(in_proportion: Callable[..., bool], unit: str) -> None:
    assert in_proportion(lambda text: list(symbol.extract(Document("x.md", text))), unit * 1_000, unit * 10_000, 10)
