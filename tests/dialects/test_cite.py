"""Cite links: lines, whole files and symbols."""

from __future__ import annotations

import pytest

from pincite.core.model import Citation, Lines, Malformed, Place, SourceRef
from pincite.dialects import cite
from pincite.text.document import Document


def only(text: str) -> Citation | Malformed:
    (item,) = cite.extract(Document("x.md", text))
    return item


@pytest.mark.parametrize(
    ("text", "source", "lines"),
    [
        ("[cite:file](a/b.py:3)", SourceRef("file", "a/b.py"), Lines(3, 3)),
        ("[cite:file](a/b.py:3–5)", SourceRef("file", "a/b.py"), Lines(3, 5)),
        ("[cite:file](a b.py)", SourceRef("file", "a b.py"), None),
        ("[cite:class](a.py::C.m)", SourceRef("symbol", "a.py::C.m"), None),
    ],
)
def test_what_is_read(text: str, source: SourceRef, lines: Lines | None) -> None:
    item = only(text)
    assert isinstance(item, Citation)
    assert (item.source, item.lines) == (source, lines)


@pytest.mark.parametrize(
    "text",
    [
        *("[cite:file]", "[cite:file]()", "[cite:file]( )", "[cite:](a:1)", "[cite:X](a:1)", "[cite:file](a:5-3)"),
        *(
            "[cite:file](a:b)",
            "[cite:file](:5)",
            "[cite:function](a.py)",
            "[cite:function](a.py::)",
            "[cite:function](::f)",
        ),
    ],
)
def test_mistakes_are_malformed(text: str) -> None:
    assert isinstance(only(text), Malformed)


def test_moving_keeps_the_dialect() -> None:
    text = "So [cite:file](a.py:3)."
    citation = only(text)
    assert isinstance(citation, Citation)
    edit = cite.repoint(Document("x.md", text), citation, Place("lib/b.py", Lines(4, 6)))
    assert edit is not None
    assert edit.replacement == "[cite:file](lib/b.py:4-6)"
    assert cite.repoint(Document("x.md", text), citation, Place("lib/b(1).py", Lines(4, 6))) is None
