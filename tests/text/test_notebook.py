"""Notebooks: what of the file is text, each code point in its place."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pincite.dialects import get_dialect
from pincite.text.document import Document
from pincite.text.notebook import find_markdown_cells, join_cell

TEXT = st.text(alphabet='ab`~\n\t\\/"é–😀 .py:12', max_size=40)


@given(st.lists(st.tuples(st.sampled_from(("markdown", "code", "raw")), TEXT, st.booleans())), st.booleans())
def test_cells_are_read_as_json_reads_them(cells: list[tuple[str, str, bool]], ascii_only: bool) -> None:
    made = [
        {"cell_type": kind, "source": text.splitlines(keepends=True) if listed else text}
        for kind, text, listed in cells
    ]
    written = json.dumps({"metadata": {"cells": [1]}, "cells": made}, ensure_ascii=ascii_only, indent=1)
    document = Document("a.ipynb", written)
    assert len(document.text) == len(document.prose) == len(written)
    found = find_markdown_cells(written)
    assert len(found) == sum(kind == "markdown" for kind, _, _ in cells)
    for cell, text in zip(found, (text for kind, text, _ in cells if kind == "markdown"), strict=True):
        markdown, places = join_cell(written, cell)
        assert len(markdown) == len(places)
        if not ascii_only:
            assert markdown == text.replace("\t", " ")
        assert places == sorted(set(places))


@given(st.text(alphabet='{}[]",:\\ abcellsourcemarkdown_ty', max_size=80))
def test_what_is_no_notebook_is_blank(text: str) -> None:
    document = Document("a.ipynb", text)
    assert len(document.text) == len(document.prose) == len(text)
    assert document.position(len(text)) == Document("a.txt", text).position(len(text))


def test_a_path_with_an_escaped_letter_is_not_read() -> None:
    written = json.dumps({"cells": [{"cell_type": "markdown", "source": "see a/é.py:3, a.py:3–4 and b.py:5"}]})
    assert [item.raw for item in get_dialect("path-line").extract(Document("a.ipynb", written))] == ["b.py:5"]


def test_depth_is_bounded() -> None:
    assert find_markdown_cells("[" * 100_000) == []
