"""Citations as marks in the text of a document: what of the document becomes HTML goes through here."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from ...safe.escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .links import Links
    from .records import CitationRow

_LOUD = ("warning", "error")
_OPENING_BRACKET = "【"
"""Begins the citations whose brackets many fonts do not have."""
_LONGEST_HINT = 300
_KEPT = re.compile(r"[\t\n]|(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")
"""Invisible characters that stay: those of lines, and the joiners that scripts and emoji are written with."""


class CitationMark(Struct, frozen=True, gc=False):
    """A citation at its place in a text."""

    start: int
    end: int
    id: str
    raw: str
    shown: str
    outcome: str
    hint: str
    """What is said of it where a pointer rests on it."""
    address: str
    """Where a click leads."""
    is_problem: bool

    @property
    def is_bracketed(self) -> bool:
        """Whether readers see its path and lines in place of what is written."""
        return self.raw.startswith(_OPENING_BRACKET)

    def open_tag(self, kind: str = "cited") -> str:
        """The beginning of its link."""
        problem = " data-problem" if self.is_problem else ""
        return (
            f'<a class="{kind} {escape(self.outcome)}" id="c-{escape(self.id)}" href="{escape(self.address)}"'
            f' data-item{problem} data-raw="{escape(self.raw)}" title="{escape(self.hint)}">'
        )

    def aside(self) -> str:
        """The mark beside text that it cannot be put around."""
        return f"{self.open_tag('cited aside')}{escape(self.shown)}</a>"

    def move(self, start: int, end: int) -> CitationMark:
        """The same at another place."""
        return CitationMark(
            start, end, self.id, self.raw, self.shown, self.outcome, self.hint, self.address, self.is_problem
        )


def make_mark(row: CitationRow, start: int, end: int, links: Links) -> CitationMark:
    """The mark of a citation."""
    hint = f"{row.outcome}: {row.message}" if row.message else row.outcome
    address = f"{links.page('document', document=row.document, c=row.id)}#c-{row.id}"
    return CitationMark(
        start, end, row.id, row.raw, row.shown, row.outcome, escape_text(hint, _LONGEST_HINT), address, is_problem(row)
    )


def is_problem(row: CitationRow) -> bool:
    """Whether a citation waits for its author: it has a finding that is more than a note."""
    return row.severity in _LOUD


def escape_shown(text: str) -> str:
    """Text of a document as HTML, its lines kept, with everything else that is invisible made visible."""
    if text.isascii() and text.isprintable():
        return escape(text)
    pieces: list[str] = []
    at = 0
    for kept in _KEPT.finditer(text):
        pieces += escape_text(text[at : kept.start()]), kept[0]
        at = kept.end()
    return escape("".join((*pieces, escape_text(text[at:]))))


def mark_text(text: str, marks: Iterable[CitationMark], base: int = 0) -> str:
    """Text without markup as HTML, with its marks, which are in order; `base` is the offset of its beginning.

    A mark that begins inside another one stands behind it.
    """
    pieces: list[str] = []
    at = 0
    behind: list[str] = []
    for mark in marks:
        start, end = max(mark.start - base, 0), min(mark.end - base, len(text))
        if start < at or end <= start:
            behind.append(mark.aside())
            continue
        pieces += escape_shown(text[at:start]), *behind
        behind = []
        inner = escape(mark.shown) if mark.is_bracketed else escape_shown(text[start:end])
        pieces += mark.open_tag(), inner, "</a>"
        at = end
    return "".join((*pieces, *behind, escape_shown(text[at:])))
