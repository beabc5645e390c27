"""Citations for people: templates of one's own, quotations, and CSL-JSON for reference managers."""

from __future__ import annotations

import re

from msgspec.structs import replace

from ...core.errors import UsageError
from ...safe.escape import escape_text
from ...search.model import EPOCH, Citation
from ...text import citation_styles
from ...text.lines import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_FIELDS: dict[str, Callable[[Citation], object]] = {
    "path": lambda citation: citation.document_path,
    "absolute": lambda citation: citation.document_path if citation.document_path.startswith("/") else None,
    "relative": lambda citation: citation.relative_path or citation.document_path,
    "name": lambda citation: citation.file_name,
    "title": lambda citation: citation.document_title,
    "heading": lambda citation: citation.heading,
    "line": lambda citation: citation.line_number,
    "last": lambda citation: citation.end_line,
    "page": lambda citation: citation.page,
    "text": lambda citation: citation.text,
    "quote": lambda citation: _quote_lines(citation.text),
    "id": lambda citation: citation.chunk_id,
    "label": lambda citation: citation.chunk_id.hex[:8],
    "digest": lambda citation: citation.document_digest,
}
FIELDS = tuple(_FIELDS)
"""What a template may name."""


def render(template: str, citation: Citation, *, label: str = "", path: str = "") -> str:
    """The template with `{line}` and the like filled in; empty where not known. `{{` and `}}` are braces.

    `label` and `path` stand for those of the citation where they are given. A name that is none of the known ones, or
    a brace that stands alone, raises UsageError.
    """
    given = {name: value for name, value in (("label", label), ("path", path)) if value}

    def fill(match: re.Match[str]) -> str:
        piece = match[0]
        if piece in ("{{", "}}"):
            return piece[0]
        name = match[1]
        if name is None:
            raise UsageError(f"template: a single '{piece}' at offset {match.start()}; write '{piece}{piece}' for one")
        if name in given:
            return given[name]
        field = _FIELDS.get(name)
        if field is None:
            known = ", ".join(FIELDS)
            raise UsageError(f"template: no field is called '{escape_text(name, 60)}'; known are {known}")
        value = field(citation)
        return "" if value is None else str(value)

    return _PIECE.sub(fill, template)


def quote(citation: Citation, *, label: str = "") -> str:
    """The passage as a markdown quotation with its source and place below, and the mark of a footnote where asked."""
    # Lines stand in the address alone, where they are checked and kept up to date.
    place = place_of(replace(citation, line_number=None))
    source = citation_styles.link(
        citation.document_title, citation.document_path, citation.line_number, citation.end_line
    )
    lines = [_quote_lines(citation.text), ">"] if citation.text.strip() else []
    note = f" [^{label}]" if label else ""
    return "\n".join([*lines, f"> — {source}{f', {place}' if place else ''}{note}"]) + "\n"


def csl(citation: Citation, *, label: str = "") -> dict[str, object]:
    """The citation as an item of CSL-JSON; the place, which items have no field for, stands in its note."""
    item: dict[str, object] = {
        "type": "document",
        "id": label or citation.chunk_id.hex[:8],
        "title": citation.document_title,
    }
    if citation.document_path.startswith("/"):
        item["URL"] = citation_styles.address(citation.document_path)
    when = citation.indexed_at
    if when is not None and when != EPOCH:
        item["accessed"] = {"date-parts": [[when.year, when.month, when.day]]}
    if citation.page is not None:
        item["page"] = str(citation.page)
    notes = [place_of(citation), f"sha256:{citation.document_digest}" if citation.document_digest else ""]
    if note := "; ".join(filter(None, notes)):
        item["note"] = note
    return item


def place_of(citation: Citation) -> str:
    """`§Setup, lines 42–57` or `page 7`; empty where nothing is known."""
    parts = [f"§{citation.heading}"] if citation.heading else []
    first, last = citation.line_number, citation.end_line
    if first is not None:
        parts.append(f"lines {first}–{last}" if last is not None and last > first else f"line {first}")
    elif citation.page is not None:
        parts.append(f"page {citation.page}")
    return ", ".join(parts)


def _quote_lines(text: str) -> str:
    """Every line behind the mark of a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in split_lines(text.strip("\r\n")))
