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
    if not _is_in_frontmatter(document, citation):
        return _pages.repoint(document, citation, place)
    old, pages = _find_field(document, citation, "page"), place.pages
    if old is None or pages is None or not (_PAGE.fullmatch(pages.first) and _PAGE.fullmatch(pages.last)):
        return None
    if normal_ranges(pages.text) != pages.text:
        return None
    change = replace_scalar(document.text, old, pages.text)
    return _make_field_edit(document, citation, change, "page", pages.text, Safety.SAFE)


def requote(document: Document, citation: Citation, quoted: str, there: str) -> tuple[Edit, str] | None:
    """The edit that puts the paper's words in place of a key quote, and what is kept then."""
    if not _is_in_frontmatter(document, citation):
        return _quote_edit.requote(document, citation, quoted, there, True)
    item, old = _find_entry(document, citation), _find_field(document, citation, "quote")
    if old is None or not is_shown(there):
        return None
    for change in scalar_wordings(document.text, old, there):
        edit = Edit(Span(*change[:2]), change[2], Safety.UNSAFE)
        again, words = _find_entry(document, citation, edit), _find_field(document, citation, "quote", edit)
        if words is not None and _get_other_fields(again, "quote") == _get_other_fields(item, "quote"):
            return edit, words.text
    return None


def retitle(document: Document, citation: Citation, title: str) -> Edit | None:
    """The edit that changes the section of a key quote and nothing else."""
    if not _is_in_frontmatter(document, citation):
        return _quote_edit.retitle(document, citation, title)
    old = _find_field(document, citation, "section")
    change = replace_value(document.text, old, title) if old is not None else None
    return _make_field_edit(document, citation, change, "section", title, Safety.UNSAFE) if change is not None else None


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


def _find_field(document: Document, citation: Citation, field: str, edit: Edit | None = None) -> Scalar | None:
    """A field of that entry; None where it has none that is plain text."""
    item = _find_entry(document, citation, edit)
    found = item.values.get(field) if item is not None else None
    return found if isinstance(found, Scalar) else None


def _make_field_edit(
    document: Document, citation: Citation, change: tuple[int, int, str], field: str, value: str, safety: Safety
) -> Edit | None:
    """The edit for a change of one field; None unless the entry then says just that and all else as before."""
    edit = Edit(Span(*change[:2]), change[2], safety)
    before, after = _find_entry(document, citation), _find_entry(document, citation, edit)
    new = _find_field(document, citation, field, edit)
    same = _get_other_fields(before, field) == _get_other_fields(after, field)
    return edit if same and new is not None and new.text == value else None


def _get_other_fields(item: Mapping | None, field: str) -> list[tuple[str, object]]:
    """What an entry says beside one of its fields."""
    values = item.values.items() if item is not None else ()
    return [(key, value_of(node) if isinstance(node, Scalar) else type(node)) for key, node in values if key != field]
