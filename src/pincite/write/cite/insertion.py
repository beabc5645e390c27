"""Citations into prose: behind the sentence they support, and behind those that stand there already."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ...core.model import Citation
from ...dialects import dialects, extract
from ...text.document import Document
from ...text.lines import format_count, split_lines
from ...text.markdown import paragraph, unify_line_ends
from ...text.sentences import split_sentences
from .model import Uncitable

if TYPE_CHECKING:
    from collections.abc import Sequence

# What closes a sentence behind its stop: emphasis, quotation marks, brackets.
_CLOSING = re.compile(r"[*_~\"'”’»)\]]{1,8}(?=\s|\Z)")
_GAP = re.compile(r"[ \t]*")
_SOFT_GAP = re.compile(r"[ \t]*(?:\r\n|\r|\n)?[ \t]*")
_CELL = re.compile(r"(?<!\\)\|")
_ROW = re.compile(r"[ \t>]*\|")
_UNMISTAKABLE = ("bracket", "cite", "ref", "key")
"""Dialects whose citations never begin a sentence."""
_BLOCK = re.compile(r"(?:\A|(?<=\n))\0+(?=\n|\Z)")
_LITERAL_MARK = re.compile(r"(?<=[^\s:])[ \t]{0,9}::\Z")
_LONGEST_MARK = 16
_GOES_ON = re.compile(r"[^\W_]")


def insert(document_text: str, path: str, citations: Sequence[tuple[int, str]]) -> str:
    """The text with each citation behind the sentence that ends at its offset, in order, behind those already there.

    One that stands there word for word is not repeated.
    """
    if not citations:
        return document_text
    using = tuple(dialect for dialect in dialects() if dialect.NAME not in ("memory", "habit"))
    document = Document(path, document_text)
    found = extract(document, using)
    starts = {item.span.start: item for item in found if isinstance(item, Citation)}
    placed: dict[int, list[str]] = {}
    for offset, citation in citations:
        place, there = _behind(document_text, offset, starts)
        if document.is_rst:
            place = _before_literal_mark(document_text, place)
        if citation in there or _stands_at(document_text, place, citation):
            continue
        if citation not in placed.get(place, ()):
            placed.setdefault(place, []).append(citation)
    parts: list[str] = []
    at = 0
    for place in sorted(placed):
        # What follows at once would become part of a path or a number.
        gap = " " if _GOES_ON.match(document_text, place) else ""
        before = "" if place == 0 or document_text[place - 1] in " \t\n\r" else " "
        parts += document_text[at:place], before, " ".join(placed[place]), gap
        at = place
    parts.append(document_text[at:])
    return "".join(parts)


def _stands_at(text: str, place: int, citation: str) -> bool:
    """Whether a citation, with the marks it is written in, stands right before a place or behind it."""
    gap = _GAP.match(text, place)
    return text.endswith(citation, 0, place) or text.startswith(citation, gap.end() if gap else place)


def _before_literal_mark(text: str, place: int) -> int:
    """The place before a `::` that ends a line of reStructuredText: it announces a literal block only at the end."""
    mark = _LITERAL_MARK.search(text, max(0, place - _LONGEST_MARK), place)
    return mark.start() if mark is not None and text[place : place + 1] in ("", "\n", "\r") else place


def end_on_line(text: str, path: str, line: int) -> int:
    """Where the last sentence ends that ends on a line, 1-based; raises Uncitable where none does."""
    document = Document(path, text)
    starts = document.starts
    rows = split_lines(text)
    place = f"{path}:{line}"
    if not 1 <= line <= len(rows):
        raise Uncitable("place-unfit", f"{place}: the document has {format_count(len(rows), 'line')}")
    begin, end = starts[line - 1], starts[line - 1] + len(rows[line - 1])
    if not rows[line - 1].strip():
        raise Uncitable("place-unfit", f"{place}: blank; name the line on which the sentence ends")
    first = begin + len(rows[line - 1]) - len(rows[line - 1].lstrip())
    _refuse_code(document, first, place)
    if _ROW.match(rows[line - 1]):
        raise Uncitable("place-unfit", f"{place}: a row of a table; name the words of a cell with --after")
    stops = _ends(document, first)
    ends = [stop for stop in stops if begin < stop <= end]
    if not ends:
        later = [stop for stop in stops if stop > end]
        hint = f"; the one there ends on line {document.position(later[0] - 1)[0]}" if later else ""
        raise Uncitable("place-unfit", f"{place}: no sentence ends there{hint}")
    return ends[-1]


def end_after(text: str, path: str, words: str) -> int:
    """Where the sentence ends that holds the words; raises Uncitable where they stand in none, or in several places."""
    document = Document(path, text)
    wanted = unify_line_ends(words.replace("\r\n", "\n")).strip("\n")
    # Line ends as long as they are: every offset means the same place in both.
    whole = text.replace("\r", "\n") if "\r\n" not in text else unify_line_ends(text)
    if "\n" in wanted and "\r\n" in text:
        wanted = wanted.replace("\n", " \n")
    found = [match.start() for match in islice(re.finditer(re.escape(wanted), whole), 10)] if wanted.strip() else []
    front = document.frontmatter
    found = [at for at in found if front is None or at >= front.end]
    if not found:
        raise Uncitable("place-unfit", f"{path}: does not hold the words of --after; give them as they stand there")
    if len(found) > 1:
        rows = ", ".join(str(document.position(at)[0]) for at in found[:9])
        raise Uncitable("place-unfit", f"{path}: the words of --after stand on lines {rows}; give more of them")
    last = found[0] + len(wanted.rstrip()) - 1
    number = document.position(last)[0]
    _refuse_code(document, last, f"{path}:{number}")
    ends = [stop for stop in _ends(document, last) if stop > last]
    if not ends:
        raise Uncitable("place-unfit", f"{path}:{number}: no sentence ends behind the words of --after")
    return ends[0]


def _refuse_code(document: Document, offset: int, place: str) -> None:
    front = document.frontmatter
    if front is not None and offset <= front.end:
        raise Uncitable("place-unfit", f"{place}: frontmatter; --style frontmatter adds to it")
    code = document.code_at(offset)
    if code is not None and code.fenced:
        raise Uncitable("place-unfit", f"{place}: code, in which nothing is cited; name a sentence")


def _ends(document: Document, offset: int) -> list[int]:
    """Where the sentences of the paragraph, item, heading or cell end that hold an offset, in order."""
    # Code is blanked out, so that nothing in it ends a sentence: a block is empty lines, what stands in a line a word.
    text = _BLOCK.sub(lambda code: "\n" * len(code[0]), unify_line_ends(document.prose)).replace("\0", "x")
    block = paragraph(text, offset, 0, len(text))
    begin, end = block.start, block.end
    line = text.rfind("\n", 0, offset) + 1
    if _ROW.match(text, line):
        row_end = text.find("\n", offset)
        row_end = row_end if row_end >= 0 else len(text)
        edges = [match.start() for match in _CELL.finditer(text, line, row_end)]
        begin = max((edge + 1 for edge in edges if edge <= offset), default=line)
        end = min((edge for edge in edges if edge > offset), default=row_end)
    return [begin + stop for _, stop in split_sentences(text[begin:end], end - begin + 1)]


def _behind(text: str, offset: int, starts: dict[int, Citation]) -> tuple[int, list[str]]:
    """The place for a citation of the sentence that ends at an offset, behind what closes it and what it cites."""
    at = max(0, min(offset, len(text)))
    closing = _CLOSING.match(text, at)
    at = closing.end() if closing is not None and at else at
    there: list[str] = []
    while True:
        gap = _SOFT_GAP.match(text, at)
        following = starts.get(gap.end() if gap else at)
        if following is None:
            return at, there
        if following.dialect not in _UNMISTAKABLE:
            # A path or a link may as well begin the next sentence: it belongs to this one if nothing follows it.
            near = _GAP.match(text, at)
            rest = _GAP.match(text, following.span.end)
            stop = rest.end() if rest else following.span.end
            if near is None or near.end() != following.span.start or text[stop : stop + 1] not in ("", "\n", "\r", "|"):
                return at, there
        at = following.span.end
        there.append(following.raw)
