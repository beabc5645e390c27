"""Headings: which differences matter, what is suggested, and what cannot be told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite import checks
from pincite.core.model import Citation, Finding, SourceRef, Span
from pincite.text.document import Document
from pincite.text.evidence import Evidence

TEXT = (
    "# Getting *started*\n\n## Use `x[0]` now\n\n## read_text\n\n## Twice!\n\n## twice?\n\n## !!!\n\n```\n# Code\n```\n"
)


def said(title: str, text: str = TEXT, path: str = "a.md", evidence: Evidence | None = None) -> list[Finding]:
    cited = Citation("section", Span(0, 1), "x", SourceRef("section", path), section=title)
    evidence = evidence or Evidence(SourceRef("file", path), text.encode())
    found = [check(Document("x.md", "x"), cited, evidence) for check in checks.row(checks.HEADED)]
    return [finding for finding in found if finding is not None]


@pytest.mark.parametrize(
    "title",
    [
        *("Getting *started*", "Getting started", "Getting _started_", "Use `x[0]` now", "Use x[0] now"),
        *("read_text", "`read_text`", "**read_text**", "Twice!", "twice?", "!!!"),
    ],
)
def test_a_heading_that_is_there(title: str) -> None:
    assert said(title) == []


@pytest.mark.parametrize(
    ("title", "check", "words"),
    [
        ("getting started", "heading-altered", "reads 'Getting *started*'"),
        ("Getting started!", "heading-altered", "reads 'Getting *started*'"),
        ("readtext", "heading-altered", "reads 'read_text'"),
        ("TWICE", "heading-not-found", "No heading 'TWICE' in a.md; the nearest is"),
        ("Getting startd", "heading-not-found", "; the nearest is 'Getting *started*'"),
        ("Something else", "heading-not-found", "No heading 'Something else' in a.md"),
        ("???", "heading-not-found", "No heading '???' in a.md"),
        ("Code", "heading-not-found", "No heading 'Code' in a.md"),
        ("§", "heading-not-found", "No heading '§' in a.md"),
    ],
)
def test_a_heading_that_is_not_there_as_it_is_written(title: str, check: str, words: str) -> None:
    (finding,) = said(title)
    assert finding.check == check
    assert words in finding.message
    assert (finding.outcome, finding.severity) == (
        checks.load(check).OUTCOME,
        checks.load(check).SEVERITY,
    )


CODE = "class Gauge:\n    def __init__(self):\n        pass\n\n    def _read(self): ...\n\n\ndef run(): ...\n"


@pytest.mark.parametrize("title", ["__init__", "`_read`", "run()", "Gauge.__init__", "Gauge::_read", "`Gauge._read()`"])
def test_a_definition_by_its_name_or_its_path(title: str) -> None:
    assert said(title, CODE, "a.py") == []


@pytest.mark.parametrize("title", ["init", "read", "_run", "Gauge.run", "Other._read", "3"])
def test_another_definition_is_not_that_definition(title: str) -> None:
    (finding,) = said(title, CODE, "a.py")
    assert finding.check in ("heading-altered", "heading-not-found")


SEEN = (
    "## See [the docs](http://x/y_z) and `code_x`\n\n## **Bold** _and_ more {#more}\n\n"
    '## <a name="top"></a>R&amp;D\n\n## `__init__`\n\n## C*\n\n## _private\n\n## *\n'
)


@pytest.mark.parametrize(
    "title", ["See the docs and code_x", "Bold and more", "R&D", "__init__", "C*", "_private", "*"]
)
def test_a_heading_as_a_reader_sees_it(title: str) -> None:
    assert said(title, SEEN) == []


@pytest.mark.parametrize("title", ["init", "C", "private", "**", "_", "See the docs and codex"])
def test_marks_that_are_no_markup_belong_to_the_heading(title: str) -> None:
    (finding,) = said(title, SEEN)
    assert finding.check in ("heading-altered", "heading-not-found")


NUMBERED = "# Design\n\n## 3.2 Limits\n\n## Section 4: Reset\n\n## §5 End\n\n## A.1 Annex\n"


@pytest.mark.parametrize("title", ["3.2", "4", "Section 4", "5", "A.1", "3.2, §4", "3.2, §Design"])
def test_a_heading_by_its_number(title: str) -> None:
    assert said(title, NUMBERED) == []


@pytest.mark.parametrize("title", ["3", "3.20", "2", "3.2, §7", "3.2, §Nowhere", "3.2 Nothing", "A.2"])
def test_a_number_that_no_heading_has(title: str) -> None:
    (finding,) = said(title, NUMBERED)
    assert finding.check == "heading-not-found"


def test_a_number_where_none_is_written_cannot_be_told() -> None:
    (finding,) = said("3", "# One\n\n# Two\n")
    assert finding.check == "heading-unchecked"


def test_nothing_far_off_is_suggested() -> None:
    assert said("Something else")[0].message == "No heading 'Something else' in a.md"


@pytest.mark.parametrize("path", ["a.pdf", "a.txt", "a.unknown", "LICENSE"])
def test_a_file_without_headings_is_unchecked(path: str) -> None:
    (finding,) = said("Intro", "Intro\n", path)
    assert finding.check == "heading-unchecked"


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [("a.rst", "Intro\n=====\n", "Intro"), ("a.py", "def start():\n    pass\n", "start")],
)
def test_other_kinds_have_headings_too(path: str, text: str, title: str) -> None:
    assert said(title, text, path) == []
    assert [finding.check for finding in said("Nothing", text, path)] == ["heading-not-found"]


def test_a_file_is_outlined_once() -> None:
    evidence = Evidence(SourceRef("file", "a.md"), TEXT.encode())
    said("Twice!", evidence=evidence)
    kept = evidence.headings
    said("Nothing", evidence=evidence)
    assert evidence.headings is kept


def test_citations_of_other_things_are_left_alone() -> None:
    cited = Citation("bracket", Span(0, 1), "x", SourceRef("file", "a.md"))
    evidence = Evidence(SourceRef("file", "a.md"), b"# x\n")
    assert [check(Document("x.md", "x"), cited, evidence) for check in checks.row(checks.HEADED)] == [None] * 3


def test_many_missing_headings_cost_in_proportion(in_proportion: Callable[..., bool]) -> None:
    text = "".join(f"# Heading number {number}\n" for number in range(2000))

    def ask(count: int) -> None:
        evidence = Evidence(SourceRef("file", "a.md"), text.encode())
        for number in range(count):
            said(f"Missing number {number}", evidence=evidence)

    assert in_proportion(ask, 100, 1000, 10)
