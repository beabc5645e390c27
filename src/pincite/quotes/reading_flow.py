"""The running text of a paper across its columns and pages: what interrupts it is left out where it is recognised.

A sentence goes on behind a figure, a table, a footnote, a running head, in the next column or on the next page. Left
out is only what is certainly no text of the body: small print at the foot of a column, and what belongs to a caption.
Where that does not settle it, but a line breaks off inside a sentence and another one goes on behind a caption, both
are put together beside the rest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .exact_match import matches
from .fold import key_of
from .furniture import without_references
from .page_blocks import BODY, CAPTION, OTHER, SMALL, PageBlock, breaks_off, find_blocks, reaches
from .seams import LineSeams
from .searchable_text import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .exact_match import Phrase, PhraseMatch
    from .page_rows import PageRow

_FORMULA = re.compile(r"[=≤≥≈≡∑∫∏→⇒∈∀∃]|\(\d{1,3}[a-z]?\)\s*\Z")
_NOTE = re.compile(
    r"\s*(?:[*∗†‡§¶]|[0-9¹²³⁴-⁹⁰]{1,3}[\s.)]?\s*(?:[^\W\d_a-z]|[“\"‘(]|https?:|www\.|[\w.+-]{1,64}@)|[¹²³⁴-⁹⁰]{1,3}\s*\Z)"
)
_SHUT = re.compile(r"[.!?][)\]”\"’']{0,2}\Z")
_SIGN = 3
"""Letters that the sign of a footnote has, at most."""
_JOINT = 12
"""Letters on both sides of a join by which it is looked up in a quote."""
_LONGEST_FORMULA = 8
"""Lines of formulas, at most, that stand between two lines of one sentence: more are a figure."""
_AHEAD = 60
"""Blocks that may stand between the two halves of a sentence."""
_TAIL = 40
"""Lines of each half that are put together."""


class FlowPiece(Struct, gc=False):
    """A stretch of running text on one page, and what was left out in front of it; empty where nothing was."""

    page: int
    rows: list[PageRow]
    gap: str = ""


class ReadingFlow(Struct):
    """The running text of a paper, and halves of sentences beside it, each followed by the other half."""

    pieces: list[FlowPiece]
    joins: list[FlowPiece]
    blocks: list[PageBlock]
    seams: LineSeams


def find_flow(pages: Sequence[str], boxes: Sequence[bytes]) -> ReadingFlow:
    """The running text of a paper; empty where it is not known where its lines stand."""
    blocks = find_blocks(pages, boxes)
    kept = list(_select_body_blocks(blocks))
    joins = dict(_joins(blocks))
    halves: list[FlowPiece] = []
    for at, ahead in joins.items():
        gap = _name_gap(blocks[at + 1 : ahead])
        halves += _tail(blocks, at), FlowPiece(blocks[ahead].page, _ahead(blocks, ahead), gap)
    return ReadingFlow(list(_pieces(kept)), halves, blocks, LineSeams(blocks, [block for block, _ in kept], joins))


def find_possible_join(blocks: Sequence[PageBlock], sought: Phrase) -> tuple[Layer, PhraseMatch] | None:
    """Where a quote would stand word for word if a block that breaks off went on in one of the next that may go on.

    Nothing says that it does: what stands between the two is not known to be anything but text.
    """
    for at, block in enumerate(blocks):
        if _SHUT.search(block.rows[-1].text.rstrip()):
            continue
        ends = key_of(block.rows[-1].text)[-_JOINT:]
        place = sought.key.find(ends) if ends else -1
        if place < 0:
            continue
        rest = sought.key[place + len(ends) :]
        for ahead in range(at + 1, min(at + _AHEAD, len(blocks))):
            other = blocks[ahead]
            if other.page > block.page + 1:
                break
            begins = key_of(other.rows[0].text)[:_JOINT]
            if begins and rest and rest[: len(begins)] == begins[: len(rest)] and other.goes_on:
                gap = "break"
                layer = fold_pieces([_tail(blocks, at), FlowPiece(other.page, _ahead(blocks, ahead), gap)], {})
                hit = next((hit for hit in matches(layer, sought) if gap in layer.left_out(hit.start, hit.end)), None)
                if hit is not None:
                    return layer, hit
    return None


def fold_pieces(pieces: Sequence[FlowPiece], known: Mapping[str, bytes]) -> Layer:
    """Pieces as a text to be searched, without raised references."""
    texts: list[tuple[int, str]] = []
    gaps: list[tuple[int, int, str]] = []
    for at, piece in enumerate(pieces):
        text, signs = without_references("\n".join([row.text for row in piece.rows]))
        texts.append((piece.page, text))
        gaps += [(at, 0, piece.gap)] if piece.gap else []
        gaps += [(at, place, kind) for place, kind in signs]
    return Layer(texts, gaps, known)


def _select_body_blocks(blocks: list[PageBlock]) -> Iterator[tuple[PageBlock, str]]:
    """The blocks without what surely interrupts them, and what was left out in front of each."""
    at = 0
    last: PageBlock | None = None
    tops = _tops(blocks)
    while at < len(blocks):
        end = at
        while end < len(blocks) and blocks[end].kind != BODY:
            end += 1
        after = blocks[end] if end < len(blocks) else None
        between = blocks[at:end]
        stay = _staying(last, between, after, tops)
        gap = _name_gap(between) if len(stay) < len(between) else ""
        for block in stay:
            yield block, gap
            gap = ""
        if after is not None:
            crossed = last is not None and last.column != after.column
            yield after, gap or ("column break" if crossed and not stay else "")
            last = after
        at = end + 1


def _name_gap(between: Sequence[PageBlock]) -> str:
    return "figure or table" if any(block.kind == CAPTION for block in between) else "footnote"


def _tops(blocks: Sequence[PageBlock]) -> dict[int, int]:
    """How high the body of each column begins."""
    tops: dict[int, int] = {}
    for block in blocks:
        if block.kind == BODY:
            tops.setdefault(block.column, block.rows[0].foot)
    return tops


def _staying(
    before: PageBlock | None, between: list[PageBlock], after: PageBlock | None, tops: Mapping[int, int]
) -> list[PageBlock]:
    """Of blocks between two of the body those that may be text of it."""
    if before is None or after is None or not between:
        return between
    captioned = {block.page for block in between if block.kind == CAPTION}
    broken = _breaks_off(before) and after.goes_on
    crossed = before.column != after.column
    stay: list[PageBlock] = []
    noted = False
    for at, block in enumerate(between):
        noted = block.column == before.column and (noted or _begins_note(block))
        below = crossed and block.column != after.column
        if block.kind == CAPTION or (block.kind == SMALL and (block.page in captioned or broken or below)):
            continue
        if not _is_formula(between, at) and (
            (block.page in captioned and (broken or _has_labels(block)))
            or (broken and (noted or _is_odd(block, before) or _in_title(block, before, tops)))
        ):
            continue
        stay.append(block)
    return stay


def _begins_note(block: PageBlock) -> bool:
    """Whether a block begins with the sign of a footnote, which may be a line of its own."""
    text = block.rows[0].text
    if len(block.rows) > 1 and len(text.strip()) <= _SIGN and block.rows[1].foot <= block.rows[0].foot:
        text = f"{text.strip()} {block.rows[1].text.strip()}"
    return _NOTE.match(text) is not None


def _is_formula(between: Sequence[PageBlock], at: int) -> bool:
    """Whether a block may be a displayed formula, which is text of the body; lines above a caption are none."""
    block = between[at]
    if sum(len(one.rows) for one in between if one.page == block.page and one.kind == OTHER) > _LONGEST_FORMULA:
        return False
    if len(block.rows) > 2 and at + 1 < len(between):
        below = between[at + 1]
        if below.kind == CAPTION and below.column == block.column:
            return False
    return len(block.rows) <= 6 and any(_FORMULA.search(row.text) for row in block.rows)


def _has_labels(block: PageBlock) -> bool:
    """Whether a block is nothing but a few words here and there, as in a figure."""
    return all(len(row.text.split()) < 4 and not row.text.rstrip().endswith(".") for row in block.rows)


def _is_odd(block: PageBlock, body: PageBlock) -> bool:
    """Whether a block is set in another size than the body."""
    usual = body.rows[-1].size
    return all(abs(row.size - usual) * 25 > usual for row in block.rows)


def _in_title(block: PageBlock, body: PageBlock, tops: Mapping[int, int]) -> bool:
    """Whether a block stands beside the title of a paper: on its first page, above the column that breaks off."""
    return block.page == body.page <= 1 and block.rows[-1].foot > tops[body.column]


def _is_listed(between: Sequence[PageBlock], at: int) -> bool:
    """Whether a block that looks like text is what a caption right below it is about: most of its lines are short."""
    block = between[at]
    if at + 1 == len(between) or between[at + 1].kind != CAPTION or between[at + 1].column != block.column:
        return False
    full = sum(1 for row in block.rows if reaches(row, block.left, block.right))
    return not block.goes_on and full * 2 < len(block.rows)


def _breaks_off(block: PageBlock) -> bool:
    return breaks_off(block.rows[-1], block.left, block.right)


def _pieces(kept: Sequence[tuple[PageBlock, str]]) -> Iterator[FlowPiece]:
    """The blocks as stretches of text, page by page."""
    piece: FlowPiece | None = None
    for block, gap in kept:
        if piece is None or gap or piece.page != block.page:
            if piece is not None:
                yield piece
                if piece.page != block.page:
                    gap = gap or "page break"
            piece = FlowPiece(block.page, [], gap)
        piece.rows += block.rows
    if piece is not None:
        yield piece


def _joins(blocks: Sequence[PageBlock]) -> Iterator[tuple[int, int]]:
    """Blocks that break off, each with the first that goes on behind figures and notes that look like text."""
    tops = _tops(blocks)
    for at, block in enumerate(blocks[:-2]):
        if block.kind != BODY or not _breaks_off(block):
            continue
        for ahead in range(at + 2, min(at + _AHEAD, len(blocks))):
            other = blocks[ahead]
            if other.page > block.page + 1:
                break
            if other.kind != BODY or not other.goes_on or _breaks_off(blocks[ahead - 1]):
                continue
            between = blocks[at + 1 : ahead]
            if _is_aligned(block, other) and _are_floats(block, between, tops):
                yield at, ahead
                break


def _is_aligned(block: PageBlock, other: PageBlock) -> bool:
    """Whether lines of two blocks begin at the edge of their columns, or as far from it."""
    indent = other.rows[0].left - other.left
    return abs(indent) < 40 or abs(indent - (block.rows[-1].left - block.left)) < 60


def _are_floats(before: PageBlock, between: Sequence[PageBlock], tops: Mapping[int, int]) -> bool:
    """Whether everything behind a block that breaks off belongs to figures, tables and notes."""
    captioned = {block.page for block in between if block.kind == CAPTION}
    noted = False
    for at, block in enumerate(between):
        noted = block.column == before.column and (noted or _begins_note(block))
        if block.kind in (CAPTION, SMALL) or noted:
            continue
        if _is_formula(between, at) or (block.kind == BODY and not _is_listed(between, at)):
            return False
        if not (block.page in captioned or _is_odd(block, before) or _in_title(block, before, tops)):
            return False
    return True


def _tail(blocks: Sequence[PageBlock], at: int) -> FlowPiece:
    """The lines that a block ends in, and some of those in front of it on the page."""
    rows: list[PageRow] = []
    for block in reversed(blocks[max(0, at - 3) : at + 1]):
        if block.page == blocks[at].page:
            rows = [*block.rows, *rows]
    return FlowPiece(blocks[at].page, rows[-_TAIL:])


def _ahead(blocks: Sequence[PageBlock], at: int) -> list[PageRow]:
    """The lines that a block begins with, and some of those behind it on the page."""
    rows = [row for block in blocks[at : at + 4] if block.page == blocks[at].page for row in block.rows]
    return rows[:_TAIL]
