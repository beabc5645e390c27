"""Lines and running text for pages: bounded, with nothing invisible in them, the cited ones marked."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from ....core.model import Lines
from ....engine.shown_evidence import CONTEXT, bound_excerpt
from ....quotes.lookup import QuoteSource
from ....safe.escape import escape_text
from .view import ChangeLine, EvidenceExcerpt, EvidenceLine, TextPiece

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LINES = 200
"""Lines of one excerpt; a reader who needs more opens the file."""
LONGEST_LINE = 400
"""Characters of one line; what is longer was written by a program."""
_MOST_CHARS = 12_000
"""Characters of running text around a quote."""
_TAB = 4


def make_excerpt(
    lines: Sequence[str], cited: Lines, title: str, name: str = "", context: int = CONTEXT, first: int = 1
) -> EvidenceExcerpt:
    """The cited lines with their neighbours; `first` is the number of the first of `lines`."""
    shown = bound_excerpt(cited, first + len(lines) - 1, context, context)
    last = min(shown.last, max(shown.first, first) + MOST_LINES - 1)
    rows = tuple(
        make_line(number, lines[number - first], cited.first <= number <= cited.last)
        for number in range(max(shown.first, first), last + 1)
    )
    left_out = max(0, min(cited.last, first + len(lines) - 1) - last)
    return EvidenceExcerpt(title, name, rows, left_out)


def make_line(number: int, text: str, is_cited: bool = False) -> EvidenceLine:
    """A line as a page shows it."""
    shown = escape_text(text[: 2 * LONGEST_LINE].expandtabs(_TAB), LONGEST_LINE)
    return EvidenceLine(number, shown, is_cited, len(text) > LONGEST_LINE)


def describe_lines(path: str, lines: Lines, total: int) -> str:
    """`src/app.py, lines 10-25 of 80`."""
    return f"{escape_text(path)}, line{'s' * (lines.first != lines.last)} {lines.text} of {total}"


def compare_lines(then: Sequence[str], first_then: int, now: Sequence[str], first_now: int) -> list[ChangeLine]:
    """What became of lines, in order: the same, removed, added."""
    found: list[ChangeLine] = []
    matcher = SequenceMatcher(None, then, now, autojunk=False)
    for kind, start, stop, from_now, to_now in matcher.get_opcodes():
        if kind == "equal":
            for at in range(stop - start):
                text = make_line(0, now[from_now + at]).text
                found.append(ChangeLine("same", text, first_then + start + at, first_now + from_now + at))
            continue
        for at in range(start, stop):
            found.append(ChangeLine("removed", make_line(0, then[at]).text, then=first_then + at))
        for at in range(from_now, to_now):
            found.append(ChangeLine("added", make_line(0, now[at]).text, now=first_now + at))
    return found


def mark_quotes(text: str, quotes: Sequence[str]) -> tuple[TextPiece, ...]:
    """A text with the quoted words marked that stand in it, cut to what stands around the first of them."""
    source = QuoteSource([text])
    whole = source.layers[0].text
    places = sorted(
        (start, end)
        for found, start, end in filter(None, (source.first_place(quote) for quote in quotes))
        if found is whole or found == whole
    )
    start = max(0, places[0][0] - _MOST_CHARS // 3) if places else 0
    end = min(len(whole), start + _MOST_CHARS)
    pieces = [TextPiece("… ")] if start else []
    at = start
    for first, last in places:
        if at <= first < last <= end:
            pieces += (_make_piece(whole[at:first]), _make_piece(whole[first:last], True))
            at = last
    pieces.append(_make_piece(whole[at:end] + (" …" if end < len(whole) else "")))
    return tuple(piece for piece in pieces if piece.text)


def cut_quote(text: str, quote: str, from_start: bool) -> str:
    """The longest beginning, or end, of a quote in whole words that stands in a text; empty where there is none."""
    source, words = QuoteSource([text]), quote.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        part = words[:middle] if from_start else words[-middle:]
        low, high = (middle, high) if source.first_place(" ".join(part)) is not None else (low, middle - 1)
    return " ".join(words[:low] if from_start else words[len(words) - low :])


def _make_piece(text: str, is_quoted: bool = False) -> TextPiece:
    # A hyphen at a line's end is kept as a mark of its own; people know it as a hyphen.
    lines = text.replace("\xad\n", "-\n").split("\n")
    return TextPiece("\n".join(escape_text(line) for line in lines), is_quoted)


def pair_changes(changes: Sequence[ChangeLine]) -> list[tuple[ChangeLine | None, ChangeLine | None]]:
    """A comparison side by side: what was removed beside what was added for it."""
    pairs: list[tuple[ChangeLine | None, ChangeLine | None]] = []
    removed: list[ChangeLine] = []
    added: list[ChangeLine] = []
    for line in (*changes, None):
        if line is not None and line.kind == "removed" and not added:
            removed.append(line)
        elif line is not None and line.kind == "added":
            added.append(line)
        else:
            pairs += zip_longest(removed, added)
            removed, added = ([line] if line is not None and line.kind == "removed" else []), []
            if line is not None and line.kind == "same":
                pairs.append((line, line))
    return pairs
