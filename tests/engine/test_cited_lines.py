"""Which lines a citation means: sections by their heading, targets by the rule that defines them."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, SourceRef, Span
from pincite.engine.cited_lines import find_cited_lines
from pincite.text.evidence import Evidence

GUIDE = "# Guide\n\n## 1. *Limits* of it\n\nSome.\n\n## 2.1 Resetting\n\nMore.\n\nAnd more.\n"


def cite(scheme: str, key: str, section: str = "", lines: Lines | None = None) -> Citation:
    return Citation("section", Span(0, 3), "raw", SourceRef(scheme, key), lines, section=section)


def find(path: str, text: str, citation: Citation) -> Lines | None:
    return find_cited_lines(citation, Evidence(SourceRef("file", path), text.encode()))


@pytest.mark.parametrize(
    ("section", "lines"),
    [
        ("Guide", Lines(1, 2)),
        ("1. limits of it", Lines(3, 6)),
        ("2.1 Resetting", Lines(7, 11)),
        ("2.1", Lines(7, 11)),
        ("2.1 Resetting, §Other", Lines(7, 11)),
        ("2.11", None),
        ("Nothing", None),
        ("(", None),
    ],
)
def test_a_section_goes_from_its_heading_to_the_next(section: str, lines: Lines | None) -> None:
    assert find("docs/guide.md", GUIDE, cite("section", "docs/guide.md", section)) == lines


def test_a_section_of_a_kind_without_headings_has_no_lines() -> None:
    assert find("data.bin", "x\n", cite("section", "data.bin", "x")) is None


@pytest.mark.parametrize(
    ("path", "text", "key", "lines"),
    [
        ("Makefile", ".PHONY: lint\nall: lint\n\nlint: src\n\truff\n\techo\n\ntest:\n", "make lint", Lines(4, 6)),
        ("Makefile", "lint := x\na lint b: c\n\tdo\n", "make lint", Lines(2, 3)),
        ("package.json", '{\n  "scripts": {\n    "lint": "eslint"\n  }\n}\n', "npm run lint", Lines(3, 3)),
        ("justfile", "lint *args:\n    ruff\n", "just lint", Lines(1, 2)),
        ("pyproject.toml", '[tool.poe.tasks]\nlint = "ruff"\n', "poe lint", Lines(2, 2)),
        ("tox.ini", "[testenv:lint]\ncommands = ruff\n", "tox -e lint", Lines(1, 1)),
        ("noxfile.py", "@nox.session\ndef lint(session):\n    session.run()\n", "nox -s lint", Lines(2, 3)),
        ("Makefile", "lint: a\n\tdo\n", "make lint (in docs)", Lines(1, 2)),
        ("Makefile", "relint: a\n\tdo\n", "make lint", None),
        ("Makefile", "lint" + " " * 5000 + ":\n", "make lint", None),
        ("Makefile", "", "make lint", None),
        ("Makefile", "a.c: b\n", "make a(c", None),
    ],
)
def test_a_target_means_its_rule(path: str, text: str, key: str, lines: Lines | None) -> None:
    assert find(path, text, cite("target", key)) == lines


def test_lines_that_are_named_are_meant() -> None:
    assert find("a.py", "x\n", cite("file", "a.py", lines=Lines(5, 9))) == Lines(5, 9)


def test_a_file_as_a_whole_has_no_lines() -> None:
    assert find("a.py", "x\n", cite("file", "a.py")) is None
