"""Fences, code spans and frontmatter of any text: in order, disjoint, inside the text."""

from __future__ import annotations

import engine

with engine.instrumented():
    from pincite.text.document import Document
    from pincite.text.lines import line_starts, split_lines
    from pincite.text.markdown import fences, frontmatter_span
    from pincite.text.source_comments import SOURCES


def law(data: bytes) -> None:
    """Regions are ordered and disjoint with their inside inside them; frontmatter lies in the text."""
    text = engine.text_of(data)
    at = 0
    for region in fences(text):
        assert at <= region.start < region.end <= len(text)
        assert region.start <= region.inner.start <= region.inner.end <= region.end
        at = region.end
    head = frontmatter_span(text)
    assert head is None or 3 < head.start <= head.end <= len(text)
    for name in (f"x{SOURCES[len(data) % len(SOURCES)]}", "x.py", "x.tex", "x.adoc", "x.org", "x.ipynb"):
        other = Document(name, text)
        assert len(other.prose) == len(other.text) == len(text), name
        assert other.starts == Document("x.txt", text).starts, name
        around = other.code_at(len(text) // 2)
        assert around is None or around.start <= len(text) // 2 < around.end, name
    document = Document("x.md", text)
    assert len(split_lines(text)) <= len(line_starts(text)) <= len(split_lines(text)) + 1
    for offset in range(0, len(text) + 1, max(1, len(text) // 7)):
        line, column = document.position(offset)
        assert document.starts[line - 1] + column - 1 == offset
        document.line_of(offset)
        around = document.code_at(offset)
        assert around is None or around.start <= offset < around.end


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"a `x` b\n\n```py\ny\n```\n",
            b"---\na: 1\n---\n~~~\nx",
            b"``a`b`` `c\n\nd`",
            b"> ```\n> x\r\n> ```\r",
            b'x = "a" # b\n/* c */ // d\n"""e"""',
            b'{"cells": [{"cell_type": "markdown", "source": ["a\\n", "`b`"]}]}',
        ],
        tokens=[
            "#",
            "//",
            "/*",
            "*/",
            '"',
            "'",
            '"""',
            "\\",
            "%",
            "--",
            "<!--",
            "{",
            "[",
            '"cells":',
            '"source":',
            "`",
            "``",
            "```",
            "~~~",
            "---\n",
            "...",
            "> ",
            "- ",
            "1. ",
            "\n\n",
        ],
    )
