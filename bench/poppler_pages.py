"""Reads PDFs with poppler's `pdftotext -bbox-layout`: an extractor that pincite does not use, to make cases with."""

from __future__ import annotations

import html
import re
import subprocess
from collections import Counter
from typing import NamedTuple

_TAG = re.compile(r"<(page|block|line|word)\b([^>]*)>(?:([^<]*)</word>)?")
_NUMBER = re.compile(r'"(-?[0-9.]+)"')
_MOST_PAGES = 40


class Line(NamedTuple):
    """A line as poppler sees it: its box, counted from the top of the page, and its words."""

    left: float
    top: float
    right: float
    bottom: float
    words: tuple[str, ...]
    block: int

    @property
    def high(self) -> float:
        """How high its box is, which stands for the size of its type."""
        return self.bottom - self.top

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(self.words)


class Page(NamedTuple):
    """A page: its size, and its lines in the order of poppler."""

    width: float
    height: float
    lines: list[Line]


def read_pages(path: str) -> list[Page]:
    """The first pages of a PDF; none where poppler cannot read it."""
    command = ["pdftotext", "-q", "-l", str(_MOST_PAGES), "-bbox-layout", path, "-"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return []
    pages: list[Page] = []
    block = 0
    for found in _TAG.finditer(done.stdout.decode("utf-8", "replace")):
        kind, numbers = found[1], [float(number) for number in _NUMBER.findall(found[2])]
        if kind == "page":
            pages.append(Page(numbers[0], numbers[1], []))
        elif kind == "block":
            block += 1
        elif kind == "line":
            pages[-1].lines.append(Line(*numbers[:4], (), block))
        elif found[3] and found[3].strip():
            line = pages[-1].lines[-1]
            # A raised number makes the box of its line higher than its type: the first words say the size.
            pages[-1].lines[-1] = line._replace(words=(*line.words, html.unescape(found[3])))
    return [page._replace(lines=[line for line in page.lines if line.words]) for page in pages]


def body_height(pages: list[Page]) -> float:
    """The height of most lines, by letters."""
    seen: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            seen[round(line.high, 1)] += len(line.text)
    return seen.most_common(1)[0][0] if seen else 0.0
