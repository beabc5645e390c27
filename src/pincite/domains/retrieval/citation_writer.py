"""Citations in their styles. What has to be escaped is the same for all citations of a document, and kept."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from ...search.model import Citation, CitationStyle
from ...text import citation_styles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NAMED = {style.value: style for style in CitationStyle}
"""The styles by their names."""
_INLINE, _FOOTNOTE, _MARKDOWN = CitationStyle.INLINE, CitationStyle.FOOTNOTE, CitationStyle.MARKDOWN
_SHORT = 8
_REMEMBERED = 1024
"""Of how many documents the spelling is kept."""


def write(citation: Citation, style: object, label: str = "") -> str:
    """The citation in a style; `label` is for footnotes, by default 8 hex digits of the passage's id."""
    path = citation.document_path
    if style is _INLINE:
        return _inline(path, citation.heading)
    line = citation.line_number
    if line is not None and line <= 0:
        line = None
    if style is _FOOTNOTE:
        written = f"[^{label or f'{citation.chunk_id.int >> 96:08x}'}]: {_footnote_path(path)}"
        return written if line is None else f"{written}:{line}"
    if style is _MARKDOWN:
        written = _link(citation.document_title, path)
        return written if line is None else f"{written[:-1]}#L{line})"
    raise ValueError(f"style: {style!r} is not known; expected {', '.join(NAMED)}")


@lru_cache(_REMEMBERED)
def _inline(path: str, heading: str | None) -> str:
    return citation_styles.inline(path.rpartition("/")[2], heading)


@lru_cache(_REMEMBERED)
def _footnote_path(path: str) -> str:
    return citation_styles.footnote_path(path)


@lru_cache(_REMEMBERED)
def _link(title: str, path: str) -> str:
    return citation_styles.link(title, path, None)


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
