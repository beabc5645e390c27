"""Key quotes: what a corpus file keeps of its paper, in the frontmatter's `key_quotes` or as quotes ending `(p. 7)`.

A file `REF-XXX-slug.md` of the corpus is a document like any other, and its key quotes are citations of its own paper:
each must stand in the PDF, on the page it names. What is wrong in the file itself is reported as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Citation, Malformed, Pages, Quote, SourceRef, Span
from ..papers.ids import PATTERN
from . import defer

if TYPE_CHECKING:
    from ..papers.model import KeyQuote
    from ..text.document import Document

NAME = "key-quote"
RANK = 5
OPENERS = (b"---", b"(p", b"ages", b"ear", b"REF-", b"doi", b"DOI")
NEEDS = "corpus"
EXAMPLE = """---
key_quotes:
  - quote: Voice consistency improves quality
    page: 15
---
"""
PATH = "REF-043-voice.md"
"""Only files of such a name are read."""

_NAME = re.compile(rf"(?:\A|/)({PATTERN})(?:-[^/]*)?\.md\Z")


def reads(path: str) -> bool:
    """Whether a file is named like one of the corpus."""
    return path.endswith(".md") and _NAME.search(path) is not None


def extract(document: Document) -> list[Citation | Malformed]:
    """Every key quote of a corpus file, and every field that cannot be what it should be."""
    named = _NAME.search(document.path)
    if named is None:
        return []
    from ..papers.corpus_file import read_paper

    text = document.text
    paper = read_paper(document.path, text)
    found: list[Citation | Malformed] = [make_citation(named[1], kept, text) for kept in paper.key_quotes]
    for problem in paper.problems:
        start = document.starts[min(problem.line, len(document.starts)) - 1]
        raw = document.line_of(start)[:80] if start < len(text) else ""
        found.append(Malformed(NAME, Span(start, start + len(raw)), raw, f"line {problem.line}: {problem.message}"))
    return _drop_overlaps(found)


def make_citation(identity: str, kept: KeyQuote, text: str) -> Citation:
    """A key quote as what it is: a citation of its own paper, at its place in the text of the corpus file."""
    first, dash, last = kept.page.partition("-")
    pages = Pages(first, last if dash else first) if kept.page else None
    span = kept.span or Span(0, 0)
    raw, quote = text[span.start : span.end], Quote(kept.quote)
    return Citation(NAME, span, raw, SourceRef("ref", identity), None, quote, "", False, pages, kept.section)


def _drop_overlaps(found: list[Citation | Malformed]) -> list[Citation | Malformed]:
    """In order; a fault inside a quote's lines is reported instead of the quote."""
    faults = [item for item in found if isinstance(item, Malformed)]
    kept: list[Citation | Malformed] = []
    until = -1
    for item in sorted(found, key=lambda item: (item.span.start, isinstance(item, Citation))):
        inside = isinstance(item, Citation) and any(
            item.span.start < fault.span.end and fault.span.start < item.span.end for fault in faults
        )
        if item.span.start >= until and not inside:
            kept.append(item)
            until = max(until, item.span.end)
    return kept


def render(citation: Citation) -> str:
    """A corpus file that keeps just this quote."""
    from ..text.frontmatter_edit import quote_scalar

    rows = [f"  - quote: {quote_scalar(citation.quote.exact if citation.quote is not None else '')}"]
    if citation.pages is not None:
        rows.append(f"    page: {quote_scalar(citation.pages.text)}")
    if citation.section:
        rows.append(f"    section: {quote_scalar(citation.section)}")
    return "\n".join(("---", "key_quotes:", *rows, "---", ""))


repoint = defer("_key_quote_edit", "repoint")
requote = defer("_key_quote_edit", "requote")
retitle = defer("_key_quote_edit", "retitle")
