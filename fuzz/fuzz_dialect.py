"""One dialect on any text: what it finds stands there, in order, and it never raises.

Takes `--dialect NAME`; `run.py` runs it once for each dialect.
"""

from __future__ import annotations

import sys

import engine

with engine.instrumented():
    from pincite.core.model import Citation, Lines, Malformed, Place
    from pincite.dialects import get_dialect
    from pincite.text.document import Document

NAME = sys.argv[sys.argv.index("--dialect") + 1] if "--dialect" in sys.argv else "bracket"
DIALECT = get_dialect(NAME)
PATHS = ("docs/x.md", "docs/x.md", "src/x.py", "src/x.ts", "docs/x.tex", "docs/x.adoc", "docs/x.org", "x.ipynb")
PLACES = ("src/other file.py", "a.py", "b/c-d.md")


def law(data: bytes) -> None:
    """text[span] == raw, ordered, disjoint; an edit stays in the document and is read back where it points."""
    text = engine.text_of(data)
    # Comments, strings and markup of other kinds take turns with markdown.
    path = getattr(DIALECT, "PATH", PATHS[len(data) % len(PATHS)])
    document = Document(path, text)
    found = list(DIALECT.extract(document))
    at = 0
    for item in found:
        assert item.dialect == NAME
        assert at <= item.span.start <= item.span.end <= len(text), (at, item)
        assert document.text[item.span.start : item.span.end] == item.raw, item
        at = item.span.end
        if isinstance(item, Malformed):
            assert item.reason
        else:
            assert item.raw
            _repoint(document, item)


def _repoint(document: Document, citation: Citation) -> None:
    """Every edit that is offered makes the citation point at the place asked for."""
    if "`" in citation.raw:
        return  # Taking a backtick away changes what is code in the rest of the paragraph.
    text, old = document.text, citation.lines
    for path in PLACES:
        lines = Lines(7, 7 + max(0, old.last - old.first)) if old else None
        edit = DIALECT.repoint(document, citation, Place(path, lines))
        if edit is None:
            continue
        assert 0 <= edit.span.start <= edit.span.end <= len(text)
        after = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
        found = [item for item in DIALECT.extract(Document(document.path, after)) if isinstance(item, Citation)]
        assert any(item.lines == lines for item in found if item.source.key.partition("::")[0].endswith(path)), (
            edit,
            found,
        )


if __name__ == "__main__":
    example = DIALECT.EXAMPLE
    engine.main(
        law,
        seeds=[example.encode(), (example + " " + example).encode(), f"`{example}`\n{example}".encode()],
        tokens=[
            *("【", "】", "†", "F:", "L1", "-L2", "#L", ":12", ":12-34", "–", "](", "[", ")", "(", "<", ">", "%20"),
            *("cite:file", "https://github.com/o/r/blob/", "main/", "a/b.py", "---\n", "citations:\n", "  - path: a\n"),
            *("    line: 3\n", "    snippet: x\n", "`", "```\n", "00", "99999999999999999999", *example.split()[:20]),
        ],
        name=f"dialect-{NAME}",
    )
