"""The little of markdown that citations need: where code is, and where frontmatter is.

A full parser costs seventy times the reading of the file, so this looks at fences and backtick runs only,
and at backticks only in the paragraph that is asked about.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .model import Span

# Repeats are possessive: a line of nothing but quote marks is read once, not in every way it could be divided.
_FENCE = re.compile(r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t>]*+)*+(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_TICKS = re.compile(r"`+")
# Where a paragraph ends for code spans: a blank line, a list item, a heading or a table row.
_BLOCK = re.compile(r"\n[ \t>]*(?=\n|[-*+] |\d{1,9}[.)] |#{1,6} |\|)")
_OPEN = re.compile(r"---[ \t]*(\r\n|\r|\n)")
_CLOSE = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")


class Region(Struct, frozen=True, gc=False):
    """A stretch of code: `start` and `end` take in the fence or backticks, `inner` what is between them."""

    start: int
    end: int
    inner: Span
    fenced: bool


def frontmatter_span(text: str) -> Span | None:
    """The text between an opening `---` on the first line and the next `---` (or `...`) line."""
    opening = _OPEN.match(text)
    if opening is None:
        return None
    closing = _CLOSE.search(text, opening.end())
    return Span(opening.end(), closing.start()) if closing else None


def fences(text: str) -> list[Region]:
    """Fenced blocks: opened by three or more of a kind, closed by at least as many alone, or by the end."""
    if "```" not in text and "~~~" not in text:
        return []
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    found: list[Region] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        ticks, info = match[1], match[2]
        if opened is None:
            # A backtick fence cannot have backticks in its info string: that is a code span.
            if ticks[0] == "~" or "`" not in info:
                opened = match
        elif ticks[0] == opened[1][0] and len(ticks) >= len(opened[1]) and not info.strip():
            found.append(Region(opened.start(), match.end(), Span(opened.end(), match.start()), True))
            opened = None
    if opened is not None:
        found.append(Region(opened.start(), len(text), Span(opened.end(), len(text)), True))
    return found


def code_span_at(text: str, offset: int, start: int, end: int) -> Region | None:
    """The code span around an offset, looking no further than `start` and `end`."""
    begin = max(start, text.rfind("\n\n", start, offset))
    if text.find("`", begin, offset) < 0:
        return None
    for block in _BLOCK.finditer(text, begin, offset):
        begin = block.end()
    after = _BLOCK.search(text, offset, end)
    stop = after.start() if after else end
    return _enclosing(text, offset, begin, stop)


def _enclosing(text: str, offset: int, begin: int, stop: int) -> Region | None:
    """Pair the backtick runs of one paragraph, each with the next of its length; give the pair around the offset."""
    runs = [run for run in _TICKS.finditer(text, begin, stop) if not _escaped(text, run.start())]
    later: dict[int, list[re.Match[str]]] = {}
    for run in reversed(runs):
        later.setdefault(len(run[0]), []).append(run)
    at = begin
    for run in runs:
        if run.start() < at:
            continue
        if run.start() > offset:
            return None
        same = later[len(run[0])]
        # What lies behind never matters again, so popping keeps the whole pass linear.
        while same and same[-1].start() <= run.start():
            same.pop()
        if same:
            at = same[-1].end()
            if run.start() <= offset < at:
                return Region(run.start(), at, Span(run.end(), same[-1].start()), False)
    return None


def _escaped(text: str, at: int) -> bool:
    """Whether the character at an offset has an odd number of backslashes before it."""
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return bool((at - start) % 2)
