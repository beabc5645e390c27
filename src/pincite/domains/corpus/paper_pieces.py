"""A paper in pieces to search: passages of its PDF, its key quotes, and what its corpus file says beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...quotes.furniture import running_text
from ...search.passages.model import DocumentReading, Passage
from ...text.markdown import frontmatter_span
from ...text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...papers.model import Paper, PdfText


PASSAGE = 600
"""About how many characters a passage has."""

_SPACE = re.compile(r"\s+")
_SOFT = re.compile("(?:\u00ad|\x02|\ufffe)[^\\S\n]*\n\\s*")
TEXT, QUOTE, NOTES, ABOUT = "text", "quote", "notes", "about"
"""Kinds of pieces: the paper's own text, a key quote, a note in the corpus file, title and relevance."""
MOST = 100_000
LONGEST_PAGE = 200_000
"""What no real page reaches: beyond it a page is not searched."""
_ALIKE, _MOST_ALIKE, _COMPARED = 24, 20, 200
_JOINT = re.compile(r"[\W_]+")
_BLOCK = re.compile(r"\n[^\S\n]*\n|\n(?=[ \t]{0,3}(?:[-*+]|[0-9]{1,3}[.)]|#{1,6})[ \t])")
_NO_PROSE = re.compile(r"[ \t]{0,3}(?:#{1,6}[ \t]|\||```|~~~|---|===|!\[|<)")
_MARKER = re.compile(r"(?m)^[ \t]*(?:>[ \t]?|(?:[-*+]|[0-9]{1,3}[.)])[ \t]+)+")


def split_passages(text: str) -> list[str]:
    """The text in passages of whole sentences; each begins with the last sentence of the one before."""
    found: list[str] = []
    spans = list(split_sentences(text))
    first = 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= PASSAGE:
            last += 1
        found.append(text[spans[first][0] : spans[last][1]])
        if last + 1 >= len(spans):
            break
        first = last if last > first else last + 1
    return found


def windows(text: str, most: int = 3) -> Iterator[list[tuple[int, int]]]:
    """Every run of up to `most` sentences, by where each begins and ends; single ones first."""
    spans = list(split_sentences(text))
    for size in range(1, most + 1):
        for at in range(len(spans) - size + 1):
            yield spans[at : at + size]


def join_lines(text: str) -> str:
    """A stretch of a page on one line: line ends folded, words that a line end parted put together."""
    return _SPACE.sub(" ", _SOFT.sub(_join_hyphenated, text)).strip()


def _join_hyphenated(match: re.Match[str]) -> str:
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return "" if before.isalpha() and after.islower() else "-"


class PaperPiece(Struct, frozen=True):
    """A stretch of text and where it stands."""

    kind: str
    text: str
    """As it stands, line ends and all."""
    index: int = -1
    """The page of the PDF, counted from 0; -1 where the piece is not from the PDF."""
    page: str = ""
    """As declared for a key quote."""
    section: str = ""
    """As declared for a key quote."""


def read_pieces(pieces: Sequence[PaperPiece], note: str = "") -> DocumentReading:
    """Pieces as passages for the index, which keeps their kind, page and section in the place of headings.

    `note` is kept with the document, in the place of its title.
    """
    found: list[Passage] = []
    at = 0
    for piece in pieces:
        end = at + len(piece.text)
        found.append(Passage(at, end, 0, 0, (piece.kind, piece.page, piece.section), piece.index + 1))
        at = end + 1
    return DocumentReading("\n".join(piece.text for piece in pieces), tuple(found), note, is_named=False)


def entry_pieces(entries: Sequence[Paper]) -> list[PaperPiece]:
    """One piece for each entry of a bibliography, its key in the place of the section."""
    return [
        PaperPiece(ABOUT, "\n".join(filter(None, (one.title, "; ".join(one.authors), one.year))), section=one.id)
        for one in entries
    ]


def pdf_pieces(pdf: PdfText) -> list[PaperPiece]:
    """The running text of a PDF in passages, none across pages."""
    found: list[PaperPiece] = []
    for piece in running_text([page[:LONGEST_PAGE] for page in pdf.pages]):
        found += (PaperPiece(TEXT, passage, piece[0]) for passage in split_passages(piece[1]))
        if len(found) >= MOST:
            break
    return found[:MOST]


def file_pieces(paper: Paper, text: str) -> list[PaperPiece]:
    """What a corpus file holds: what the paper is about, its key quotes, the notes."""
    about = "\n".join(filter(None, (paper.title, "; ".join(paper.authors), paper.relevance)))
    found = [PaperPiece(ABOUT, about)]
    found += (PaperPiece(QUOTE, kept.quote, page=kept.page, section=kept.section) for kept in paper.key_quotes)
    for block in _notes(paper, text):
        found += (PaperPiece(NOTES, passage) for passage in split_passages(block))
        if len(found) >= MOST:
            break
    return found[:MOST]


def _notes(paper: Paper, text: str) -> Iterator[str]:
    """The prose of a corpus file, block by block; quotes that stand in it are not notes."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    head = frontmatter_span(text)
    at = text.find("\n", head.end) + 1 if head is not None else 0
    known: dict[str, list[str]] = {}
    for kept in paper.key_quotes:
        words = _plain(kept.quote)
        alike = known.setdefault(words[:_ALIKE], [])
        if len(alike) < _MOST_ALIKE:
            alike.append(words)
    for block in _BLOCK.split(text[at:] if at else text if head is None else ""):
        words = _MARKER.sub("", block).strip()
        if not words or _NO_PROSE.match(block.lstrip("\n")):
            continue
        flat = _plain(words)
        shorter = (flat[:size] for size in range(1, min(len(flat), _ALIKE) + 1))
        if not any(flat.startswith(quote) for start in shorter for quote in known.get(start, ())):
            yield words


def _plain(text: str) -> str:
    """The words of a text and nothing between them."""
    return _JOINT.sub(" ", text[:_COMPARED]).strip()
