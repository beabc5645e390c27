"""A citation of the line that defines something, as a citation of its name: names stay where lines move."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.model import Edit, Safety

if TYPE_CHECKING:
    from ...core.model import Citation
    from ...symbols import Symbol

_PATH_LINE = re.compile(r"([^:#]+)(?::\d+(?:[-–]\d+)?(?::\d+)?|#L\d+(?:C\d+)?(?:[-–]L?\d+(?:C\d+)?)?)")
_CITE = re.compile(r"\[cite:file\]\(([^()\n\r]*?):\d+(?:[-–]\d+)?\s*\)")
_TYPES = ("class", "struct", "interface", "trait", "enum")


def defined_at(citation: Citation, data: bytes) -> Symbol | None:
    """The definition that the cited lines are: its line or all of it, and the only one of its name in the file."""
    from ... import symbols

    lines, path = citation.lines, citation.source.key
    if lines is None:
        return None
    symbol = symbols.at_line(path, data, lines.first)
    if symbol is None or (lines.first != lines.last and (lines.first, lines.last) != (symbol.first, symbol.last)):
        return None
    return symbol if symbols.find(path, data, symbol.name) == (symbol,) else None


def to_symbol(citation: Citation, symbol: Symbol) -> Edit | None:
    """The edit that cites a definition by its name; None where the dialect has no way of writing that."""
    if citation.dialect == "path-line":
        match = _PATH_LINE.fullmatch(citation.raw)
        written = f"{match[1]}::{symbol.name}" if match else ""
    elif citation.dialect == "cite":
        match = _CITE.fullmatch(citation.raw)
        kind = "class" if symbol.kind in _TYPES else "function"
        written = f"[cite:{kind}]({match[1]}::{symbol.name})" if match else ""
    else:
        return None
    return Edit(citation.span, written, Safety.SAFE) if written else None
