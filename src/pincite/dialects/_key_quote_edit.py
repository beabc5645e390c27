"""Key quotes written anew: page, words or section of one, all else as it was. Loaded once there is one to fix."""

import re

from ..core.model import Citation, Edit, Place, Safety, Span
from ..papers.corpus_frontmatter import PAPER_LIMITS
from ..papers.ranges import normal_ranges
from ..quotes.rewording import is_shown, scalar_wordings
from ..text.document import Document
from ..text.frontmatter_edit import replace_scalar, replace_value
from ..text.yaml import FrontmatterError, Mapping, Scalar, load, value_of
from . import _pages, _quote_edit

_PAGE = re.compile("[A-Za-z]{0,4}[0-9]{1,9}|[ivxlcdm]{1,12}|[IVXLCDM]{1,12}")


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The edit that changes the page of a key quote and nothing else."""
    if place.pages is None or citation.pages is None:
        return None
    item = _find_entry(document, citation)
    if item is None:
        return _pages.repoint(document, citation, place) if not _is_in_frontmatter(document, citation) else None
    old, new = item.values.get("page"), place.pages.text
    plain = _PAGE.fullmatch(place.pages.first) and _PAGE.fullmatch(place.pages.last) and normal_ranges(new) == new
    if not isinstance(old, Scalar) or not plain:
        return None
    return _make_field_edit(document, citation, replace_scalar(document.text, old, new), "page", new, Safety.SAFE)


def requote(document: Document, citation: Citation, quoted: str, there: str) -> tuple[Edit, str] | None:
    """The edit that puts the paper's words in place of a key quote, and what is kept then."""
    item = _find_entry(document, citation)
    if item is None:
        return (
            _quote_edit.requote(document, citation, quoted, there, True)
            if not _is_in_frontmatter(document, citation)
            else None
        )
    old = item.values.get("quote")
    if not isinstance(old, Scalar) or not is_shown(there):
        return None
    for change in scalar_wordings(document.text, old, there):
        edit = Edit(Span(*change[:2]), change[2], Safety.UNSAFE)
        again = _find_entry(document, citation, edit)
        words = again.values.get("quote") if again is not None else None
        if isinstance(words, Scalar) and _get_other_fields(again, "quote") == _get_other_fields(item, "quote"):
            return edit, words.text
    return None


def retitle(document: Document, citation: Citation, title: str) -> Edit | None:
    """The edit that changes the section of a key quote and nothing else."""
    item = _find_entry(document, citation)
    if item is None:
        return _quote_edit.retitle(document, citation, title) if not _is_in_frontmatter(document, citation) else None
    old = item.values.get("section")
    if not isinstance(old, Scalar):
        return None
    return _make_field_edit(
        document, citation, replace_value(document.text, old, title), "section", title, Safety.UNSAFE
    )


def _is_in_frontmatter(document: Document, citation: Citation) -> bool:
    front = document.frontmatter
    return front is not None and citation.span.start < front.end


def _find_entry(document: Document, citation: Citation, edit: Edit | None = None) -> Mapping | None:
    """The entry of a key quote in the frontmatter, as it is or with an edit made; None where it has none there."""
    if not _is_in_frontmatter(document, citation):
        return None
    text, (start, end) = document.text, (citation.span.start, citation.span.end)
    raw = text[start:end]
    if edit is not None:
        raw = text[start : edit.span.start] + edit.replacement + text[edit.span.end : end]
    # What follows a dash stands as far to the right as all that belongs to it.
    column = start - max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) - 1
    try:
        tree = load(" " * column + raw + "\n", start - column, 1, PAPER_LIMITS)
    except FrontmatterError:
        return None
    return tree if isinstance(tree, Mapping) else None


def _make_field_edit(
    document: Document, citation: Citation, change: tuple[int, int, str], field: str, value: str, safety: Safety
) -> Edit | None:
    """The edit for a change of one field; None unless the entry then says just that and all else as before."""
    edit = Edit(Span(*change[:2]), change[2], safety)
    before, after = _find_entry(document, citation), _find_entry(document, citation, edit)
    new = after.values.get(field) if after is not None else None
    same = _get_other_fields(before, field) == _get_other_fields(after, field)
    return edit if same and isinstance(new, Scalar) and new.text == value else None


def _get_other_fields(item: Mapping | None, field: str) -> list[tuple[str, object]]:
    """What an entry says beside one of its fields."""
    values = item.values.items() if item is not None else ()
    return [(key, value_of(node) if isinstance(node, Scalar) else type(node)) for key, node in values if key != field]
