"""A report in sentences: which of them claim something, and which sources each of them points at."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

from ..sentences import split_sentences
from ..text import line_starts, position
from .blocks import CLOSING, STOPS, WORD, Blocks
from .marks import Mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .blocks import Block
    from .marks import Scan

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
_INTRODUCES = re.compile(r"\b(?:following|as follows|below|these|here)\b[^.]*:\Z", re.IGNORECASE)
_LONGEST = 1 << 40
_LONGEST_OPENING = 200
_WORDS_WITH_STOP, _WORDS_WITHOUT, _WORDS_IN_CELL = 2, 3, 4
_TAIL = re.compile(r"[*_~]{1,6}")


class Sentence(Struct, frozen=True):
    """A sentence of a report."""

    start: int
    end: int
    """Behind its last sign."""
    tail: int
    """Behind the marks that follow it."""
    line: int
    text: str
    """As a reader sees it, without marks."""
    marks: tuple[Mark, ...]
    claims: bool
    """Whether it says something that could be true or false."""
    block: int
    """Sentences of one paragraph, item or cell have the same."""


class Reading:
    """Every sentence of a markdown report in order, those that claim nothing too; code and plain headings have none."""

    def __init__(self, text: str, titles: Iterable[tuple[str, str]] = ()) -> None:
        """`titles` are those of pages with their addresses: linked behind a sentence, they cite."""
        self._blocks = Blocks(text, titles)
        self._starts = line_starts(text)
        self._scans: dict[int, Scan] = {}
        self.sentences: list[Sentence] = []
        for number, block in enumerate(self._blocks.blocks):
            scan = self._blocks.scan(block.start, block.end)
            found = list(self._read(block, number, scan))
            if len(found) > 1:
                self._scans[number] = scan
            self.sentences += found

    def between(self, first: Sentence, last: Sentence) -> str:
        """What a reader sees from one sentence to another of the same block."""
        return first.text if first is last else self._scans[first.block].read(first.start, last.end)

    def _read(self, block: Block, number: int, scan: Scan) -> Iterator[Sentence]:
        """The sentences of a block, each with the marks in it and behind it."""
        spans = self._spans(block, scan)
        places = [mark.start for mark in scan.marks]
        for at, (start, end) in enumerate(spans):
            until = spans[at + 1][0] if at + 1 < len(spans) else block.end
            own = scan.marks[bisect_left(places, start) if at else 0 : bisect_left(places, until)]
            text = scan.read(start, end)
            tail = max([end, *(mark.end for mark in own)])
            closing = _TAIL.match(self._blocks.prose, tail, until)
            yield Sentence(
                start,
                end,
                closing.end() if closing else tail,
                position(self._starts, start)[0],
                text,
                tuple(own) or block.borrowed,
                _claims(text, block.kind),
                number,
            )

    def _spans(self, block: Block, scan: Scan) -> list[tuple[int, int]]:
        """Where sentences begin and end: marks and markup are blanks, and no stop inside a link ends anything."""
        masked = list(self._blocks.prose[block.start : block.end])
        for start, end, said in scan.gaps:
            fill = "\0" if said.strip() else " "
            masked[start - block.start : end - block.start] = fill * (end - start)
        for mark in scan.marks:
            if mark.words:
                for at in range(mark.start - block.start, mark.end - block.start):
                    masked[at] = "\0" if masked[at] in STOPS else masked[at]
        found: list[tuple[int, int]] = []
        begin = -1
        for start, end in split_sentences("".join(masked), _LONGEST):
            start, end = start + block.start, end + block.start
            if WORD.search(scan.read(start, end)):
                found.append((start if begin < 0 else begin, end))
                begin = -1
            elif found:
                # Signs without a word go with the sentence before them, or with the first one.
                found[-1] = found[-1][0], end
            elif begin < 0:
                begin = start
        # A link that a sentence begins with is its own.
        worded = [mark for mark in scan.marks if mark.words]
        places = [mark.start for mark in worded]
        for at, (start, end) in enumerate(found):
            last = bisect_left(places, start) - 1
            if last >= 0 and worded[last].end > start:
                found[at] = worded[last].start, end
        return found


def _claims(text: str, kind: str) -> bool:
    """Whether a sentence says something that could be true or false."""
    bare = text.rstrip(CLOSING)
    if bare.endswith(("?", "？")):
        return False
    if bare.endswith((":", "：")) and _INTRODUCES.search(bare[-_LONGEST_OPENING:]):
        return False
    words = WORD.findall(bare)
    if len(_WIDE.findall(bare[:200])) > _WORDS_IN_CELL:
        return True
    if not any(sign.isalpha() for sign in bare):
        return False
    if bare.endswith((".", "!", "…")):
        return len(words) >= _WORDS_WITH_STOP
    return len(words) >= (_WORDS_IN_CELL if kind == "cell" else _WORDS_WITHOUT)
