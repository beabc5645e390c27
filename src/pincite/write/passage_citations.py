"""Citations of passages that search found: the service's styles, templates, quotations, CSL-JSON and brackets."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

from msgspec.structs import replace

from ..core.errors import UsageError
from ..safe.escape import escape_text
from ..search.model import EPOCH, Citation, CitationStyle
from ..text import citation_styles
from ..text.lines import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..project.project import Project
    from ..sources._tree import FileNames

NAMED = {style.value: style for style in CitationStyle}
"""The styles of the service by their names."""
STYLES = (*NAMED, "bracket", "quote", "csl")
"""The styles there are beside templates."""
_INLINE, _FOOTNOTE, _MARKDOWN = CitationStyle.INLINE, CitationStyle.FOOTNOTE, CitationStyle.MARKDOWN
_SHORT = 8
_REMEMBERED = 1024
"""Of how many documents the spelling is kept: it is the same for all citations of a document."""
_escape_inline = lru_cache(_REMEMBERED)(citation_styles.inline)
_escape_footnote_path = lru_cache(_REMEMBERED)(citation_styles.footnote_path)
_escape_link = lru_cache(_REMEMBERED)(citation_styles.link)
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
    "label": lambda citation: citation.chunk_id.hex[:_SHORT],
    "digest": lambda citation: citation.document_digest,
}
FIELDS = tuple(_FIELDS)
"""What a template may name."""


def write(citation: Citation, style: object, label: str = "") -> str:
    """The citation in a style of the service; `label` is for footnotes, by default 8 hex digits of the passage's id."""
    path = citation.document_path
    if style is _INLINE:
        return _escape_inline(path.rpartition("/")[2], citation.heading)
    line = citation.line_number
    if line is not None and line <= 0:
        line = None
    if style is _FOOTNOTE:
        written = f"[^{label or f'{citation.chunk_id.int >> 96:08x}'}]: {_escape_footnote_path(path)}"
        return written if line is None else f"{written}:{line}"
    if style is _MARKDOWN:
        written = _escape_link(citation.document_title, path, None)
        return written if line is None else f"{written[:-1]}#L{line})"
    raise ValueError(f"style: {style!r} is not known; expected {', '.join(NAMED)}")


def labels(citations: Sequence[Citation]) -> tuple[str, ...]:
    """For each citation the first hex digits of its passage's id: 8, or as many as tell it from the others."""
    for at, citation in enumerate(citations):
        if not isinstance(citation, Citation):
            raise TypeError(f"citations[{at}]: expected a Citation, not {type(citation).__name__}")
    names = [citation.chunk_id.hex for citation in citations]
    lengths = dict.fromkeys(names, _SHORT)
    if len({name[:_SHORT] for name in lengths}) < len(lengths):
        for one, other in pairwise(sorted(lengths)):
            needed = next(at for at in range(len(one)) if one[at] != other[at]) + 1
            lengths[one] = max(lengths[one], needed)
            lengths[other] = max(lengths[other], needed)
    return tuple([name[: lengths[name]] for name in names])


class CitationFormat:
    """How citations are written: the style, the paths, whether lines are named."""

    def __init__(
        self,
        style: str,
        absolute: bool = False,
        lines: bool = True,
        templates: Mapping[str, str] | None = None,
        template: str = "",
        is_unique: Callable[[str], bool] = lambda name: True,
    ) -> None:
        """Raises UsageError for a style that is neither known nor a template."""
        templates = templates or {}
        if not template and style not in STYLES and style not in templates:
            known = ", ".join((*STYLES, *templates))
            raise UsageError(f"style {style!a} is not known; choose from: {known}")
        self.style = style
        self.absolute = absolute
        self.lines = lines
        self._is_unique = is_unique
        """Whether the name of a file tells it from all others."""
        self.template = template or ("" if style in STYLES else templates.get(style, ""))

    def write(self, citation: Citation, label: str = "") -> str:
        """The citation written out."""
        lined = citation if self.lines else replace(citation, line_number=None, end_line=None)
        # Brackets never hold an absolute path.
        absolute = self.absolute and (self.template or self.style != "bracket")
        path = citation.document_path if absolute else citation.relative_path or citation.document_path
        if self.template:
            return render(self.template, lined, label=label, path=path)
        if self.style == "csl":
            from ..safe.escape import json_text

            # A reference manager needs an address, which only an absolute path has.
            return json_text(csl(lined, label=label), 2)
        shaped = lined if path == lined.document_path else replace(lined, document_path=path)
        if self.style == "quote":
            return quote(shaped).rstrip("\n")
        if self.style == "bracket":
            return _write_bracket(shaped)
        if self.style == _INLINE.value and not self._is_unique(shaped.file_name):
            # Several files have this name: only the path says which one is meant.
            return citation_styles.inline(path, shaped.heading)
        return write(shaped, NAMED[self.style], label)


def _write_bracket(citation: Citation) -> str:
    """pincite's own form, which names lines; a passage without them cannot be cited by it."""
    first = citation.line_number
    if first is None:
        where = f"page {citation.page}" if citation.page else "no line"
        raise UsageError(f"{citation.file_name}: has {where}, and brackets cite lines; use --style inline")
    try:
        return citation_styles.bracket(citation.document_path, first, citation.end_line or first)
    except ValueError as error:
        raise UsageError(str(error)) from None


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
    place = _describe_place(replace(citation, line_number=None))
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
        "id": label or citation.chunk_id.hex[:_SHORT],
        "title": citation.document_title,
    }
    if citation.document_path.startswith("/"):
        item["URL"] = citation_styles.address(citation.document_path)
    when = citation.indexed_at
    if when is not None and when != EPOCH:
        item["accessed"] = {"date-parts": [[when.year, when.month, when.day]]}
    if citation.page is not None:
        item["page"] = str(citation.page)
    notes = [_describe_place(citation), f"sha256:{citation.document_digest}" if citation.document_digest else ""]
    if note := "; ".join(filter(None, notes)):
        item["note"] = note
    return item


def _describe_place(citation: Citation) -> str:
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


def name_finder(project: Project, indexed: Callable[[str], bool]) -> Callable[[str], bool]:
    """Who tells whether one file alone has a name: the index, and where settings keep files out of it, the tree too.

    `pincite check` looks for a name in the whole tree.
    """

    @cache
    def list_names() -> FileNames:
        from ..sources import World
        from ..sources._tree import FileNames

        return FileNames(World(project.root, project.git))

    excludes = project.config.exclude or project.config.retrieval.exclude
    return lambda name: indexed(name) and (not excludes or len(list_names().paths_of_name(name)) < 2)
