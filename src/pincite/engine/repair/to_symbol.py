"""A citation of the line that defines something, as a citation of its name: names stay where lines move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import symbols
from ...dialects import get_dialect

if TYPE_CHECKING:
    from ...core.model import Citation, Edit
    from ...symbols import Symbol


def defined_at(citation: Citation, data: bytes) -> Symbol | None:
    """The definition that the cited lines are: its line or all of it, and the only one of its name in the file."""
    lines, path = citation.lines, citation.source.key
    if lines is None:
        return None
    symbol = symbols.at_line(path, data, lines.first)
    if symbol is None or (lines.first != lines.last and (lines.first, lines.last) != (symbol.first, symbol.last)):
        return None
    return symbol if symbols.find(path, data, symbol.name) == (symbol,) else None


def to_symbol(citation: Citation, symbol: Symbol) -> Edit | None:
    """The edit that cites a definition by its name; None where the dialect has no way of writing that."""
    cite_name = getattr(get_dialect(citation.dialect), "cite_name", None)
    edit: Edit | None = None if cite_name is None else cite_name(citation, symbol.name, symbol.kind)
    return edit
