"""A document in sentences that could bear a citation: prose, items and rows of tables, never code or headings."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from ...core.model import Span
from ...text.lines import line_starts, replace_spans
from ...text.markdown import unify_line_ends
from ...text.prose import find_literal_lines
from ...text.sentences import split_sentences
from .model import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...text.document import Document

FEWEST_WORDS = 4
"""A sentence of fewer words states too little to be falsified."""
_LONGEST = 1500
_HEAD = 300
_MARKS = re.compile(r"[ \t>]*+(?:(?:[-*+•]|\d{1,9}[.)])(?=[ \t])[ \t>]*+(?:\[[ xX]\](?=[ \t])[ \t]*+)?)*+")
_ITEM = re.compile(r"[ \t>]*+(?:[-*+•]|\d{1,9}[.)])[ \t]")
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]+([^\n]*)")
_UNDERLINE = re.compile(r"[ \t>]*+(?:=+|-{3,}|\*{3,}|_{3,})[ \t]*\Z")
_SKIPPED = re.compile(r"[ \t>]*+(?:\[[^\]\n]{1,200}\]:|<(?!https?:)|!\[|:::|\.\. |%%|\{[%{])")
_CELL = re.compile(r"(?<!\\)\|")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Code, the target of a link, a path: however many words are in it, it says as much as one.
_ONE_WORD = re.compile(
    r"\]\([^()\n]{0,300}\)|(`+)[^`]{1,300}\1|[\w.@+-]{1,80}(?:/[\w.@+-]{1,80})+/?|https?:[^\s)]{1,300}"
)
_CLOSING = " \t\r\n"
_NO_LINE_END = re.compile(r"[^\n]")


class _Block:
    """Lines that belong together, as offsets."""

    def __init__(self, start: int, end: int, heading: str, before: str, row: bool = False) -> None:
        self.start = start
        self.end = end
        self.heading = heading
        self.before = before
        self.row = row


def find_units(document: Document, cited: Sequence[Span]) -> list[Unit]:
    """The sentences without a citation, in order; `cited` is where citations stand."""
    text = document.text
    blanks = ((span.start, span.end, " " * (span.end - span.start)) for span in cited)
    plain = replace_spans(unify_line_ends(document.prose), blanks)
    starts = [span.start for span in cited]
    found: list[Unit] = []
    for block in _blocks(document, _hide_literal_lines(plain, text, document.path)):
        found.extend(_units(document, text, plain, block, starts))
    return found


def _hide_literal_lines(plain: str, text: str, path: str) -> str:
    """The text with blanks for the lines that only show something."""
    whole = unify_line_ends(text)
    edges = [*line_starts(whole), len(whole)]
    hidden = ((edges[number - 1], edges[number]) for number in sorted(find_literal_lines(whole, path)))
    return replace_spans(plain, ((start, end, _NO_LINE_END.sub(" ", whole[start:end])) for start, end in hidden))


def _units(document: Document, text: str, plain: str, block: _Block, cited: list[int]) -> Iterator[Unit]:
    size = block.end - block.start
    # Nothing is cut: a citation belongs behind a whole sentence.
    stretches = [(0, size)] if block.row else list(split_sentences(plain[block.start : block.end], size + 1))
    for number, (first, last) in enumerate(stretches):
        start, end = block.start + first, block.start + last
        after = block.start + stretches[number + 1][0] if number + 1 < len(stretches) else block.end
        if end - start > _LONGEST or bisect_left(cited, start) < bisect_left(cited, after):
            continue
        while start < end and text[start] in _CLOSING:
            start += 1
        while end > start and text[end - 1] in _CLOSING:
            end -= 1
        at = _end_of_row(plain, start, end) if block.row else end
        said = text[start:end]
        if at is None or len(_WORD.findall(_ONE_WORD.sub(" code ", said))) < FEWEST_WORDS:
            continue
        before = f"{block.before} {text[max(block.start, start - _LONGEST) : start]}" if first else block.before
        yield Unit(Span(start, end), said, document.position(start)[0], at, block.heading, before)


def _end_of_row(plain: str, start: int, end: int) -> int | None:
    """Where the text of the last cell that has any ends."""
    while end > start and plain[end - 1] in " \t|":
        end -= 1
    return end if end > start else None


def _blocks(document: Document, plain: str) -> Iterator[_Block]:
    """Paragraphs, items and rows in order."""
    heading = introduced = ""
    open_: _Block | None = None
    lines = _lines(plain)
    for number, (start, end) in enumerate(lines):
        line = plain[start:end]
        bare = not line.strip(" \t>\0")
        title = _HEADING.match(line)
        if not ((bare and "\0" not in line) or title or _UNDERLINE.match(line) or _SKIPPED.match(line)):
            if _is_row(line):
                if open_ is not None:
                    yield open_
                    open_ = None
                below = plain[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
                if not (_is_ruled(line) or _is_ruled(below)):
                    yield _Block(start, end, heading, introduced, True)
                continue
            if open_ is not None and not _ITEM.match(line):
                open_.end = end
                continue
            if open_ is not None:
                introduced = _introduction(document.text, open_, introduced)
                yield open_
            marks = _MARKS.match(line)
            item = _ITEM.match(line) is not None
            open_ = _Block(start + (marks.end() if marks else 0), end, heading, introduced if item else "")
            continue
        if title:
            heading, introduced = document.text[start + title.start(1) : start + title.end(1)][:_HEAD].strip(" #"), ""
        elif open_ is not None and _UNDERLINE.match(line) and line.strip(" \t>")[0] in "=-":
            heading, open_, introduced = document.text[open_.start : open_.end][:_HEAD], None, ""
        if open_ is not None:
            introduced = _introduction(document.text, open_, introduced)
            yield open_
            open_ = None
    if open_ is not None:
        yield open_


def _introduction(text: str, block: _Block, known: str) -> str:
    """What introduces the items that follow a block: the block itself where it ends in a colon."""
    said = text[max(block.start, block.end - _LONGEST) : block.end].rstrip()
    return said if said.endswith(":") else known


def _is_ruled(line: str) -> bool:
    """Whether a line is what stands between the head of a table and its rows."""
    return "-" in line and "|" in line and not line.strip(" \t>:|-")


def _is_row(line: str) -> bool:
    bare = line.strip(" \t>")
    return bare.startswith("|") and bare.endswith("|") and len(bare) > 2 and len(_CELL.findall(bare)) > 1


def _lines(plain: str) -> list[tuple[int, int]]:
    """Where each line begins and ends."""
    starts = line_starts(plain)
    return [*((start, after - 1) for start, after in pairwise(starts)), (starts[-1], len(plain))]
