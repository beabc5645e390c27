"""Documents of every kind: passages in order that leave nothing out, and queries that FTS5 always understands."""

from __future__ import annotations

import engine

with engine.instrumented():
    import sqlite3

    from pincite.domains.retrieval.foreign_offsets import Offsets
    from pincite.search.line_offsets import LineIndex
    from pincite.search.passages import outline, read
    from pincite.search.passages.pdf import read_pages
    from pincite.search.query import parse
    from pincite.search.terms import make_searchable, name_parts
    from pincite.text.lines import line_starts, position

KINDS = (
    ("markdown", "a.md"),
    ("rst", "a.rst"),
    ("text", "a.txt"),
    ("code", "a.py"),
    ("code", "a.js"),
    ("html", "a.html"),
)
_TABLE = sqlite3.connect(":memory:")
_TABLE.execute("CREATE VIRTUAL TABLE t USING fts5 (text, names, head, content = '')")


def law(data: bytes) -> None:
    """Passages ascend, lie in the text and are on the lines they say; every query is one."""
    text = engine.text_of(data)
    starts = line_starts(text)
    for kind, path in KINDS:
        at = 0
        reading = read(kind, text, path)
        for passage in reading.passages:
            assert at <= passage.start < passage.end <= len(text)
            assert position(starts, passage.start)[0] == passage.first
            assert position(starts, passage.end - 1)[0] == passage.last
            assert reading.text_between(passage.start, passage.end).strip()
            at = passage.end
        assert all(heading.title for heading in outline(kind, text, path))
    read_pages(text.split("b"), text[:20], [(at % 3, piece, at) for at, piece in enumerate(text.split(" ")[:9])])
    match = parse(text).match
    if match:
        _TABLE.execute("SELECT count(*) FROM t WHERE t MATCH ?", (match,)).fetchone()
    name_parts(text.encode("utf-8", "replace"))
    assert make_searchable(text).split() or not text.split()
    _offsets(text, starts)


def _offsets(text: str, starts: list[int]) -> None:
    lines, offsets = LineIndex(text), Offsets(text)
    for offset in range(0, len(text) + 1, max(1, len(text) // 7)):
        assert lines.line(offset) == position(starts, offset)[0]
        for unit in ("utf-16", "utf-8"):
            there = offsets.from_code_points(offset, unit)
            assert there is not None and offsets.to_code_points(there, unit) == offset


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            b"---\ntitle: a\n---\n# A\n\ntext\n\n## B `c` [d]\n\n```py\n# x\n```\n",
            b"A\n=\n\ntext::\n\n  code\n\nB\n-\n",
            b"class A:\n    def b(self):\n        pass\n\n@x\ndef c(): ...\n",
            b"<h1>A &amp; b</h1><p>x<b>y</b></p><script>z</script>",
            b'"a phrase" read_text readText pre* NEAR(a b) text:x AND (',
        ],
        tokens=[
            "# ",
            "## ",
            "```",
            "\n\n",
            "<p>",
            "</p>",
            "<h2>",
            "&lt;",
            "def ",
            "class ",
            "===",
            "---",
            '"',
            "*",
            "\r",
        ],
    )
