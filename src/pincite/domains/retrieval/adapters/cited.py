"""What the citation objects of every framework are made of."""

from __future__ import annotations

from ....search.model import Citation
from ....text.citation_styles import address
from .fields import describe
from .places import is_address


def get_citation(thing: object) -> Citation:
    """The citation itself; raises TypeError where it is none."""
    if not isinstance(thing, Citation):
        raise TypeError(f"expected a Citation, got {describe(thing)}")
    return thing


def place_of(citation: Citation) -> dict[str, int]:
    """Where a passage stands, as far as it is known: every value is a number."""
    place: dict[str, int] = {}
    if 0 <= citation.start_offset <= citation.end_offset:
        place["start_offset"], place["end_offset"] = citation.start_offset, citation.end_offset
    numbers = {"line_number": citation.line_number, "end_line": citation.end_line, "page": citation.page}
    return place | {name: number for name, number in numbers.items() if number is not None}


def url_of(citation: Citation) -> str:
    """The address of a passage: its own where the document has one, else a `file:` URL, or a relative path."""
    path = citation.document_path
    if is_address(path):
        return path
    place = ""
    if citation.line_number is not None:
        place = f"#L{citation.line_number}"
    elif citation.page is not None:
        place = f"#page={citation.page}"
    return address(path) + place
