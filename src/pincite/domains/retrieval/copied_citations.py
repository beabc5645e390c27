"""A citation in any style that people copy: those of the service, and further ones for quoting and for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.errors import UsageError
from ...search.model import Citation, CitationStyle
from ...text import citation_styles
from .templates import csl, quote, render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .service import CitationService

STYLES = (*(style.value for style in CitationStyle), "bracket", "quote", "csl")
"""The styles there are beside templates."""


class CitationFormat:
    """How citations are written: the style, the paths, whether lines are named."""

    def __init__(
        self,
        service: CitationService,
        style: str,
        absolute: bool = False,
        lines: bool = True,
        templates: Mapping[str, str] | None = None,
        template: str = "",
        is_unique: Callable[[str], bool] | None = None,
    ) -> None:
        """Raises UsageError for a style that is neither known nor a template."""
        templates = templates or {}
        if not template and style not in STYLES and style not in templates:
            known = ", ".join((*STYLES, *templates))
            raise UsageError(f"style {style!a} is not known; choose from: {known}")
        self.service = service
        self.style = style
        self.absolute = absolute
        self.lines = lines
        self._is_unique = is_unique
        """Whether the name of a file tells it from all others."""
        self.template = template or ("" if style in STYLES else templates.get(style, ""))

    def write(self, citation: Citation, label: str = "") -> str:
        """The citation written out."""
        shaped = self._shaped(citation)
        label = label or citation.chunk_id.hex[:8]
        if self.template:
            lined = citation if self.lines else replace(citation, line_number=None, end_line=None)
            return render(self.template, lined, label=label, path=shaped.document_path)
        if self.style == "quote":
            return quote(shaped).rstrip("\n")
        if self.style == "csl":
            from ...safe.escape import json_text

            # A reference manager needs an address, which only an absolute path has.
            return json_text(csl(citation if self.lines else replace(citation, line_number=None), label=label), 2)
        if self.style == "bracket":
            return _bracket(shaped)
        if self.style == CitationStyle.FOOTNOTE.value:
            return citation_styles.footnote(label, shaped.document_path, shaped.line_number)
        name = shaped.file_name
        if self.style == CitationStyle.INLINE.value and self._is_unique is not None and not self._is_unique(name):
            # Several files have this name: only the path says which one is meant.
            return citation_styles.inline(shaped.document_path, shaped.heading)
        return self.service.format_citation(shaped, self.style)

    def _shaped(self, citation: Citation) -> Citation:
        # Brackets never hold an absolute path.
        absolute = self.absolute and (self.template or self.style != "bracket")
        path = citation.document_path if absolute else citation.relative_path or citation.document_path
        if path == citation.document_path and self.lines:
            return citation
        line, last = (citation.line_number, citation.end_line) if self.lines else (None, None)
        return replace(citation, document_path=path, line_number=line, end_line=last)


def _bracket(citation: Citation) -> str:
    """pincite's own form, which names lines; a passage without them cannot be cited by it."""
    first = citation.line_number
    if first is None:
        where = f"page {citation.page}" if citation.page else "no line"
        raise UsageError(f"{citation.file_name}: has {where}, and brackets cite lines; use --style inline")
    try:
        return citation_styles.bracket(citation.document_path, first, citation.end_line or first)
    except ValueError as error:
        raise UsageError(str(error)) from None
