"""A document as its reader sees it: what is text and what is code, its paragraphs, block quotes and footnotes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from ..markdown import unify_line_ends
from .block_quotes import (
    BELOW_LINE,
    LINE,
    LINE_LABEL,
    QuotedWords,
    bare_line,
    bare_lines,
    find_break,
    find_end,
    find_start,
    find_tagged,
    has_line_label,
    is_attributed,
    is_callout,
    is_notice,
    line_end,
    line_start,
    read_block,
    split_attribution,
)
from .formats import find_blocks
from .mark_pairs import CODE, MARKS, PAD, PAIR, clean, decode_marks, inner_span, is_title, without_citations
from .tables import find_cells, find_tables, find_tagged_rows

_SIGN = re.compile(rf"[{MARKS}]|(?<!\w)'|[`´′’]|,,|<<|{BELOW_LINE.pattern}|<blockquote|\A{LINE.pattern}", re.IGNORECASE)
_CODE_RUN = re.compile("\0+")
_FENCE = re.compile(r"`{3,}|~{3,}")
_TICKS = re.compile("`+")
_LATEX_QUOTE = re.compile(r"``[^\s`][^`]*''[^`]*``(?!`)")
_ONLY_CODE = re.compile(f"[\\s\0{CODE}]*")
_DEFINITION = re.compile(r"[ \t]{0,3}\[\^([^\[\]\s]{1,60})\]:")
_REFERENCE = re.compile(r"\[\^([^\[\]\s]{1,60})\](?!:)")
_BETWEEN = re.compile(r"[\s.,;:!?)\]]*")
_KEPT = 4
"""How many paragraphs and block quotes are kept."""
_MOST_LINES = 40
"""How far above a citation the beginning of its footnote is looked for."""


class Surface:
    """One document; every offset means the same place as in its text."""

    def __init__(self, text: str, prose: str, path: str = "") -> None:
        self.prose = decode_marks(unify_line_ends(prose))
        """The text with code hidden: where marks and blocks are."""
        self.shown = self.prose
        """The text as it is read: what the words are."""
        if "\0" in prose:
            self._show_code(unify_line_ends(text))
        blocks = find_blocks(self.prose, path)
        self._tagged = find_tagged(self.prose)
        self._signs = [sign.start() for sign in _SIGN.finditer(self.prose)]
        """Where quotation marks and lines of block quotes stand."""
        self._unsure = {block.start for block in blocks if not block.sure}
        if blocks:
            self._tagged = _merge_stretches([*self._tagged, *((block.start, block.end) for block in blocks)])
            self._signs = sorted({*self._signs, *(block.start for block in blocks)})
        self._tables = find_tables(self.prose)
        self._rows = find_tagged_rows(self.prose) if "<" in self.prose else []
        self._labels = [found.span() for found in LINE_LABEL.finditer(self.prose)] if has_line_label(self.prose) else []
        """Where a line says that a quote follows."""
        if self._labels:
            self._signs = sorted({*self._signs, *(start for start, _ in self._labels)})
        self._has_lines = LINE.match(self.prose) is not None or BELOW_LINE.search(self.prose) is not None
        self._has_notes = "[^" in self.prose
        self._paragraphs: list[tuple[int, int]] = []
        self._blocks: list[tuple[int, int]] = []
        self._plain = (0, -1)
        """The first and the last of some lines that no block quote holds."""
        self._notes: dict[str, list[tuple[int, int]]] | None = None

    def _show_code(self, text: str) -> None:
        """Let code spans be part of their sentence; fenced code is none."""
        hidden: list[str] = []
        shown: list[str] = []
        at = 0
        for run in _CODE_RUN.finditer(self.prose):
            start, end = run.span()
            code = text[start:end]
            fenced = _FENCE.match(code) and not bare_line(self.prose[line_start(self.prose, start) : start]).strip()
            if not fenced and _LATEX_QUOTE.match(code):
                # Two quotes as LaTeX writes them are a code span to Markdown, and to their writer none.
                hidden += self.prose[at:start], code
                shown += self.prose[at:start], code
                at = end
                continue
            hidden += self.prose[at:start], run[0] if fenced else CODE * (end - start)
            plain = run[0] if fenced else _TICKS.sub(lambda ticks: PAD * len(ticks[0]), code)
            shown += self.prose[at:start], plain
            at = end
        self.prose, self.shown = "".join((*hidden, self.prose[at:])), "".join((*shown, self.prose[at:]))

    def is_plain(self, low: int, start: int, high: int) -> bool:
        """Whether nothing between two places could be quoted by a citation that stands there."""
        if self._has_notes or self.has_sign(low, high) or self.find_block(start) is not None:
            return False
        return not (self._tables or self._rows) or self.find_cells(start) is None

    def has_sign(self, low: int, high: int) -> bool:
        """Whether a quotation mark or a line of a block quote begins between two places."""
        at = bisect_left(self._signs, low)
        return at < len(self._signs) and self._signs[at] < high

    def find_pairs(self, low: int, high: int) -> list[re.Match[str]]:
        """The quotation marks between two places that stand in pairs, in order; looked for only where signs stand."""
        found: list[re.Match[str]] = []
        at = bisect_left(self._signs, low)
        end = low
        while at < len(self._signs) and self._signs[at] < high:
            if self._signs[at] >= end and (pair := PAIR.match(self.prose, self._signs[at], high)) is not None:
                found.append(pair)
                end = pair.end()
            at += 1
        return found

    def is_code(self, start: int, end: int) -> bool:
        """Whether a stretch is code and nothing else."""
        return CODE in self.prose[start:end] and _ONLY_CODE.fullmatch(self.prose, start, end) is not None

    def paragraph_start(self, at: int, low: int) -> int:
        """Where the paragraph begins that holds a place, but not before another."""
        return max(self._paragraph(at)[0], low)

    def paragraph_end(self, at: int) -> int:
        """Where the paragraph ends that holds a place: at a blank line, or where a block quote begins."""
        return max(self._paragraph(at)[1], at)

    def _paragraph(self, at: int) -> tuple[int, int]:
        """The paragraph that holds a place, within the tags of block quotes around it."""
        start, end = self._lines_around(at)
        if self._tagged:
            row = bisect_right(self._tagged, (at, -1)) - 1
            if row >= 0 and start < self._tagged[row][1] <= at:
                start = self._tagged[row][1]
            if row + 1 < len(self._tagged) and at < self._tagged[row + 1][0] < end:
                end = self._tagged[row + 1][0]
        return start, end

    def _lines_around(self, at: int) -> tuple[int, int]:
        """The lines of a paragraph. Those that were asked for last are kept: many citations stand in one of them."""
        for known in self._paragraphs:
            if known[0] <= at <= known[1]:
                return known
        first = line_start(self.prose, at)
        last = line_end(self.prose, at)
        while first and not self._parts(line_start(self.prose, first - 1), first):
            first = line_start(self.prose, first - 1)
        while last < len(self.prose) and not self._parts(line_start(self.prose, last), last + 1):
            last = line_end(self.prose, last + 1)
        self._paragraphs = [(first, last), *self._paragraphs[: _KEPT - 1]]
        return first, last

    def _parts(self, above: int, below: int) -> bool:
        """Whether a paragraph ends between two lines."""
        if not (
            self.prose[above : below - 1].strip(" \t>")
            and self.prose[below : line_end(self.prose, below)].strip(" \t>")
        ):
            return True
        return LINE.match(self.prose, below) is not None and LINE.match(self.prose, above) is None

    def find_block(self, at: int) -> tuple[int, int] | None:
        """The block quote that holds a place, as its tags or its lines say."""
        if self._tagged:
            row = bisect_right(self._tagged, (at, len(self.prose))) - 1
            if row >= 0 and self._tagged[row][0] <= at < self._tagged[row][1]:
                return self._tagged[row]
        if not self._has_lines:
            return None
        for known in self._blocks:
            if known[0] <= at <= known[1]:
                return self._find_inner(known, at) if self.is_notice(known) else known
        first = line_start(self.prose, at)
        start = find_start(self.prose, first, self._plain)
        if start < 0:
            # No block quote holds these lines: the next one that asks need not look at them again.
            self._plain = (self._plain[0] if self._plain[1] == -start - 1 else -start - 1, first)
            return None
        block = start, find_end(self.prose, at)
        self._blocks = [block, *self._blocks[: _KEPT - 1]]
        return self._find_inner(block, at) if self.is_notice(block) else block

    def _find_inner(self, block: tuple[int, int], at: int) -> tuple[int, int]:
        """The block quote in a notice that holds a place, by lines with more marks; the notice where there is none."""
        depth = self._depth(block[0])
        first = line_start(self.prose, at)
        if self._depth(first) <= depth:
            return block
        while first > block[0] and self._depth(line_start(self.prose, first - 1)) > depth:
            first = line_start(self.prose, first - 1)
        end = line_end(self.prose, at)
        while end < block[1] and self._depth(end + 1) > depth:
            end = line_end(self.prose, end + 1)
        return first, end

    def _depth(self, at: int) -> int:
        """How many marks of block quotes a line begins with."""
        marks = LINE.match(self.prose, at)
        return marks[0].count(">") if marks is not None else 0

    def find_cells(self, at: int) -> tuple[int, int, list[QuotedWords]] | None:
        """The row of a table that holds a place, where it begins and ends, and what its cells quote."""
        row = find_cells(self._tables, self.prose, at) if self._tables else None
        if row is None and self._rows:
            nearest = self._rows[max(0, bisect_right(self._rows, (at, len(self.prose))) - 1)]
            row = nearest if nearest[0] <= at < nearest[1] else None
        if row is None:
            return None
        start, end, cells = row
        words = [one for first, last in cells for one in read_block(without_citations(self.shown[first:last]).strip())]
        return start, end, words

    def block_above(self, at: int, low: int) -> tuple[int, int] | None:
        """The block quote that ends right above a paragraph, or a line above that."""
        end = len(self.prose[low:at].rstrip()) + low
        if end <= low or self.prose.count("\n", end, at) > 2:
            return None
        return self.find_block(end - 1)

    def block_below(self, at: int) -> tuple[int, int] | None:
        """The block quote that begins right below the end of a paragraph, or a line below that."""
        start = at
        while start < len(self.prose) and self.prose[start] in " \t\n":
            start += 1
        if self.prose[start : start + 1] == ">" and not self.prose[start : line_end(self.prose, start)].strip(" \t>"):
            # A blank line of the notice that holds the paragraph.
            start = line_end(self.prose, start) + 1
        if start >= len(self.prose) or self.prose.count("\n", at, start) > 2:
            return None
        block = self.find_block(start)
        return block if block is not None and block[0] >= at else None

    def is_notice(self, block: tuple[int, int]) -> bool:
        """Whether a block quote is a notice."""
        return is_notice(bare_line(self.prose[block[0] : block[0] + 200].partition("\n")[0]))

    def is_head(self, block: tuple[int, int], at: int) -> bool:
        """Whether a place in a block quote stands in the line above its words, which says whose they are."""
        line = self.prose[block[0] : self.prose.find("\n", block[0]) + 1 or block[1]]
        return at < block[0] + len(line) and (is_attributed(line) or is_callout(bare_line(line)))

    def read_block(self, start: int, end: int) -> list[QuotedWords]:
        """What a stretch of a block quote quotes, without who said it."""
        if self.is_code(start, end) or "\0" in self.prose[start:end]:
            start = end if not self.prose[start:end].strip("\0 \t\n>" + CODE) else start
        bare = bare_lines(self.shown[start:end].replace("\0", " "))
        code = _ONLY_CODE.fullmatch(bare_lines(self.prose[start:end]))
        if code is not None:
            return [QuotedWords(words, False)] if CODE in code[0] and (words := clean(bare)) else []
        words, said = split_attribution(bare)
        sure = not self._unsure or self._tagged_start(end - 1) not in self._unsure
        found = [QuotedWords(one.text, one.sure and sure) for one in read_block(words)]
        return [*found, *(QuotedWords(one, False) for one in (clean(said),) if one)]

    def _tagged_start(self, at: int) -> int:
        """Where the block quote by tags begins that holds a place or begins nearest before it."""
        row = bisect_right(self._tagged, (at, len(self.prose))) - 1
        return self._tagged[row][0] if row >= 0 else -1

    def read_marked(self, pair: re.Match[str]) -> QuotedWords | None:
        """What stands between two marks; in doubt where that is code, or the marks are those of a title."""
        start, end = inner_span(pair)
        words = clean(self.shown[start:end])
        return QuotedWords(words, not (is_title(pair) or self.is_code(start, end))) if words else None

    def read_labelled(self, low: int, start: int, end: int, high: int) -> list[QuotedWords]:
        """What follows a label such as `Quote:` in the paragraph of a citation, up to it or to the end of its item."""
        begin, stop = self.paragraph_start(start, low), min(self.paragraph_end(end), high)
        found: list[QuotedWords] = []
        for first, last in self._labels[bisect_left(self._labels, (begin - 1, 0)) :]:
            if first >= stop:
                break
            until = start if last <= start else stop
            if self.find_pairs(last, until):
                continue
            item = find_break(self.prose, last, until)
            words = clean(without_citations(self.shown[last : item if item >= 0 else until]).strip(" \t\n(["))
            found += [QuotedWords(words, False)] if words else []
        return found

    def rest_start(self, block: tuple[int, int], start: int, end: int) -> int:
        """Where a block quote goes on behind a citation in it: behind the parenthesis or the line that holds it."""
        before = self.prose[line_start(self.prose, start) : start]
        if is_attributed(before):
            after = self.prose.find("\n", end, block[1])
            return after if after >= 0 else block[1]
        if before.count("(") > before.count(")"):
            closed = self.prose.find(")", end, min(block[1], end + 200))
            end = closed + 1 if closed >= 0 else end
        return _BETWEEN.match(self.prose, end, block[1]).end()  # type: ignore[union-attr] # It matches nothing, too.

    def find_references(self, at: int) -> list[tuple[int, int]]:
        """The places that refer to the footnote whose text holds a place; none where it is no such text."""
        if not self._has_notes:
            return []
        first = line_start(self.prose, at)
        for _ in range(_MOST_LINES):
            note = _DEFINITION.match(self.prose, first)
            if note is not None:
                return self._find_notes().get(note[1], [])
            if not first or not self.prose[first:at].strip():
                break
            first = line_start(self.prose, first - 1)
            if not self.prose[first : first + 1].strip():
                break
        return []

    def _find_notes(self) -> dict[str, list[tuple[int, int]]]:
        if self._notes is None:
            self._notes = {}
            for match in _REFERENCE.finditer(self.prose):
                self._notes.setdefault(match[1], []).append(match.span())
        return self._notes


def _merge_stretches(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches in order; one that begins in another belongs to it."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(blocks):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
