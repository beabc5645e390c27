"""Code is parsed in a process of its own: what a parser does to itself, it does to nobody else."""

from __future__ import annotations

import pytest

from pincite.core.errors import Unreadable
from pincite.symbols import find, grammar, lookup, outline


def test_what_is_found_comes_back_whole() -> None:
    data = b"class A:\n    @property\n    def apart(self): ...\n    @apart.setter\n    def apart(self, v): ...\n"
    assert [symbol.name for symbol in outline("a.py", data)] == ["A", "A.apart", "A.apart"]
    assert [(symbol.first, symbol.last) for symbol in find("a.py", data, "apart")] == [(2, 5)]


@pytest.mark.parametrize("path", ["a.java", "a.c"])
def test_a_parser_that_takes_all_memory_is_stopped(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """A few thousand letters would be enough for gigabytes."""
    monkeypatch.setattr(grammar, "_SECONDS", 60)
    with pytest.raises(Unreadable, match="tangled"):
        outline(path, b"a=>" * 5_000)
    assert outline(path, b"class B { void f() {} };\n") != []


def test_a_parser_that_dies_does_so_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*given: object) -> list[object]:
        import os

        os.abort()

    monkeypatch.setattr(lookup, "read_definitions", die)
    with pytest.raises(Unreadable, match="tangled"):
        outline("a.py", b"def dying(): ...\n")


def test_a_missing_grammar_is_told_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise Unreadable("not at hand")

    monkeypatch.setattr(lookup, "load", missing)
    with pytest.raises(Unreadable, match="not at hand"):
        outline("a.py", b"def without(): ...\n")
