"""Memory citations: the `citations` list in the frontmatter of a markdown memory.

Each item has a `path` from the root and may have a `line`, a `snippet` that must stand on that line, and the time it
was last `verified`:

    ---
    subject: Retry policy
    citations:
      - path: src/client.py
        line: 42
        snippet: "MAX_RETRIES = 3"
    ---

A document is read as a memory when its `citations` is a list of maps with a `path`, or when it lies in the memories
folder (`.serena/memories` unless the settings say otherwise). There, frontmatter that cannot be parsed or breaks the
schema is reported with line, field and value; elsewhere the key `citations` may belong to another tool and other shapes
are left alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ..core.limits import LIMITS
from ..core.model import Citation, Edit, Lines, Malformed, Quote, Safety, SourceRef, Span
from ..text.document import is_in_memories
from ..text.markdown import frontmatter_span

# Reading frontmatter takes much to load, and most runs meet none: the functions that need it ask for it.
if TYPE_CHECKING:
    from types import ModuleType

    from ..core.limits import Limits
    from ..core.model import Place
    from ..text.document import Document
    from ..text.memory_head import MemoryCitation, MemoryHead
    from ..text.yaml import Node
    from ._plain_memory import Cited, PlainMemory

    __all__ = ["Cited", "PlainMemory"]

NAME = "memory"
RANK = 0
OPENERS = (b"citations",)
EXAMPLE = """---
citations:
  - path: src/client.py
    line: 42
    snippet: MAX_RETRIES = 3
---
"""

MOVED_IS_STALE = True
FOLLOWS_LINES = False
"""A memory whose evidence moved is stale by its own rules: an error, not a warning."""
UNCLOSED = "the frontmatter is opened by --- and never closed"
_RAW = 80
_OPEN = re.compile(r"---[ \t]*(?=[\r\n])")
_CITATIONS = re.compile(r"(?:\A|(?<=[\r\n]))[\"']?citations[\"']?[ \t]*:")
_PATH = re.compile(r"\bpath[\"']?[ \t]*:")


@cache
def _load_plain_reader() -> ModuleType:
    """What reads the documented form; it takes long to load, and asking for it by `import` each time takes long too."""
    from . import _plain_memory

    return _plain_memory


def extract(document: Document) -> list[Citation | Malformed]:
    """Every citation of the memory, and everything that keeps it from being read as one."""
    text = document.text
    if not text.startswith("---") or not document.is_markdown:
        return []
    known: list[Citation | Malformed] | None = _load_plain_reader().read(NAME, text)
    if known is not None:
        return known
    ours = is_in_memories(document.path, document.memories)
    span = document.frontmatter
    if span is None:
        if not ours or not is_unclosed(text):
            return []
        return [Malformed(NAME, Span(0, 3), "---", f"line 1: {UNCLOSED}", True)]
    if not ours and text.find("citations", span.start, span.end) < 0:
        return []
    from ..text.memory_head import read_head
    from ..text.yaml import FrontmatterError, load

    try:
        tree = load(text[span.start : span.end], span.start, 2)
    except FrontmatterError as error:
        # Broken frontmatter looks like a memory's where it has a list of citations with paths.
        parts = (_CITATIONS, _PATH)
        if not ours and not all(part.search(text[span.start : span.end]) for part in parts):
            return []
        return [_make_malformed(document, error.offset, error.offset + _RAW, error.reason)]
    if not ours and not is_memory(tree):
        return []
    head = read_head(tree)
    found: list[Citation | Malformed] = [as_citation(text, entry) for entry in head.citations]
    if head.problems:
        found.extend(_make_malformed(document, item.start, item.end, item.message) for item in head.problems)
        found.sort(key=lambda item: item.span.start)
    return found


def outline(text: str, limits: Limits = LIMITS) -> PlainMemory | None:
    """What a memory in the documented form says; None where reading it takes a tree."""
    said: PlainMemory | None = _load_plain_reader().outline(text, limits)
    return said


def citations_of(text: str, head: MemoryHead | None) -> list[Citation]:
    """The citations of a memory with that head; without one, of a memory that has an outline."""
    if head is not None:
        return [as_citation(text, entry) for entry in head.citations]
    return _load_plain_reader().read(NAME, text) or []


def as_citation(text: str, entry: MemoryCitation) -> Citation:
    """One entry of a memory's head as a citation of the document."""
    span = Span(entry.node.start, entry.node.end)
    lines = None if entry.line is None else Lines(entry.line, entry.line)
    quote = None if entry.snippet is None else Quote(entry.snippet)
    return Citation(NAME, span, text[span.start : span.end], SourceRef("file", entry.path), lines, quote)


def is_memory(tree: Node) -> bool:
    """Whether frontmatter cites: a list of citations of which at least one has a path."""
    from ..text.yaml import Mapping, YamlList

    citations = tree.values.get("citations") if isinstance(tree, Mapping) else None
    if not isinstance(citations, YamlList):
        return False
    return any(isinstance(item, Mapping) and "path" in item.values for item in citations.items)


def is_unclosed(text: str) -> bool:
    """Whether a text begins like frontmatter with citations that never ends."""
    opening = _OPEN.match(text)
    if opening is None:
        return False
    end = opening.end() + LIMITS.frontmatter_bytes
    return _CITATIONS.search(text, opening.end(), end) is not None and frontmatter_span(text) is None


def _make_malformed(document: Document, start: int, end: int, reason: str) -> Malformed:
    """A defect of the whole memory; it shows the first line of the place concerned."""
    text = document.text
    start = min(start, len(text))
    line, _ = document.position(start)
    raw = re.split(r"[\r\n]", text[start : min(end, start + _RAW)], maxsplit=1)[0]
    return Malformed(NAME, Span(start, start + len(raw)), raw, f"line {line}: {reason}", True)


def render(citation: Citation) -> str:
    """A memory that holds just this citation."""
    from ..text.frontmatter_edit import quote_scalar

    rows = [f"  - path: {quote_scalar(citation.source.key)}"]
    if citation.lines is not None:
        rows.append(f"    line: {citation.lines.first}")
    if citation.quote is not None:
        rows.append(f"    snippet: {quote_scalar(citation.quote.exact)}")
    return "\n".join(("---", "citations:", *rows, "---", ""))


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The edit that changes path and line and leaves every other byte alone; None where that cannot be done."""
    return _make_edit(document, citation, place, None)


def resnip(document: Document, citation: Citation, place: Place, snippet: str) -> Edit | None:
    """The same with other words for the snippet."""
    return _make_edit(document, citation, place, snippet)


def _make_edit(document: Document, citation: Citation, place: Place, snippet: str | None) -> Edit | None:
    from ..text.frontmatter_edit import insert_into, replace_value
    from ..text.yaml import Scalar

    entry = _find_entry(document, citation.span)
    if entry is None:
        return None
    node, text = entry.node, document.text
    changes: list[tuple[int, int, str]] = []
    path = node.values["path"]
    if place.path != entry.path and isinstance(path, Scalar):
        changes.append(replace_value(text, path, place.path))
    line = None if place.lines is None else place.lines.first
    if line is not None and line != entry.line:
        old = node.values.get("line")
        if isinstance(old, Scalar):
            changes.append(replace_value(text, old, line))
        else:
            changes.append(insert_into(text, node, "path", "line", str(line)))
    quoted = node.values.get("snippet")
    if snippet is not None and snippet != entry.snippet and isinstance(quoted, Scalar):
        if quoted.style in ("|", ">"):
            # A block scalar says with its shape what white space means.
            return None
        changes.append(replace_value(text, quoted, snippet))
    return _join_changes(document, changes, entry, place, snippet) if changes else None


def _join_changes(
    document: Document, changes: list[tuple[int, int, str]], entry: MemoryCitation, place: Place, snippet: str | None
) -> Edit | None:
    """One edit for all changes, the text between them kept; None unless the result reads as intended."""
    text = document.text
    changes.sort()
    start, end = changes[0][0], changes[-1][1]
    parts: list[str] = []
    at = start
    for first, last, new in changes:
        parts += text[at:first], new
        at = last
    replacement = "".join(parts)
    again = type(document)(document.path, text[:start] + replacement + text[end:])
    before, after = _read(document), _read(again)
    if before is None or after is None or len(before.citations) != len(after.citations):
        return None
    line = entry.line if place.lines is None else place.lines.first
    for was, now in zip(before.citations, after.citations, strict=True):
        words = was.snippet if snippet is None else snippet
        expected = (place.path, line, words) if was.node.start == entry.node.start else _get_cited_values(was)
        if _get_cited_values(now) != expected:
            return None
    return Edit(Span(start, end), replacement, Safety.SAFE)


def _get_cited_values(entry: MemoryCitation) -> tuple[str, int | None, str | None]:
    """What an entry cites."""
    return entry.path, entry.line, entry.snippet


def _find_entry(document: Document, span: Span) -> MemoryCitation | None:
    head = _read(document)
    if head is None:
        return None
    return next(
        (entry for entry in head.citations if entry.node.start == span.start and entry.node.end == span.end), None
    )


def _read(document: Document) -> MemoryHead | None:
    from ..text.memory_head import read_head
    from ..text.yaml import FrontmatterError, load

    span = document.frontmatter
    if span is None:
        return None
    try:
        return read_head(load(document.text[span.start : span.end], span.start, 2))
    except FrontmatterError:
        return None
