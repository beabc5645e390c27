"""A report in sentences: which of them claim something, and which sources each of them points at."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...text.document import Document
from ...text.lines import line_starts, position
from ...text.markdown import fences, unify_line_ends
from ...text.sentences import split_sentences
from .kept_edits import SEALED
from .report_blocks import ReportBlocks, is_frontmatter
from .source_references import Mark
from .statements import ANSWER, CLOSING, STOPS, WORD, is_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .report_blocks import ReportBlock
    from .source_references import ReferenceScan

_PICTURE = re.compile(r"!\[((?:\\.|[^\[\]\\]|\[[^\[\]]{0,200}\]){1,1000}+)\](?=[(\[])")
_TITLE = re.compile(
    # Example: `](https://e.org/x "Hidden words")`.
    r"""
    \]\([ \t]*+(?:<[^<>\n]{0,2000}+>|[^\s()<>]{0,2000}+(?:\([^\s()]{0,500}+\)[^\s()<>]{0,500}+)?)\s+
    (?:"([^"]{1,500}+)"|'([^']{1,500}+)'|\(([^()]{1,500}+)\))[ \t]*\)
    """,
    re.VERBOSE,
)
_TAG = re.compile(r"<[A-Za-z](?:[^<>\"']|\"[^\"]{0,1000}+\"|'[^']{0,1000}+'){0,1000}+>")
_ATTRIBUTE = re.compile(
    # Example: `alt="Hidden words"`.
    r"""
    \b(?:alt|title|aria-label|aria-description|label|summary|placeholder|content|caption|value|data-caption|srcdoc
    |abbr
    |standby|tooltip|aria-roledescription|aria-valuetext|aria-placeholder)\s*=\s*
    (?:"([^"]{1,1000}+)"|'([^']{1,1000}+)'|([^\s"'>]{1,300}+))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMMENT = re.compile(r"\x01+")
_KEY = re.compile(r"\s*(?:-\s+)*(?:[\w-]{1,60}:(?:\s+[>|][+-]?)?(?:\s|\Z))?")
_COMMENTED = re.compile(r"\s*(?:#+|//+|--+|;+|\*+|%+|<!--)?\s*")
_INNER_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
_SPACED = re.compile(r"[*_`~\\]")
_LONGEST = 1 << 40
_MOST_BORROWED = 50
_TAIL = re.compile(r"[*_~]{1,6}")
# What parts two clauses of which each has its own citation.
_CONJUNCTION = re.compile(r"(?:and|but|or|while|whereas|although|though|yet|so)\s+", re.IGNORECASE)
_PARTING = re.compile(r"\s*[,;:—–]?\s*")
_BETWEEN_LINKS = re.compile(
    r"\s*(?:[;:—–]|,?\s+(?:and|but|while|whereas|although|though|yet|so)(?=\s))\s*", re.IGNORECASE
)
_ELIDED = re.compile(
    r"(?:and|or|but|yet|so)\s+(?!(?:the|a|an|it|its|they|he|she|this|these|that|those|in|by|with)\b)[a-z]"
)
_WORDS_IN_CLAUSE = 3


class Aside(Struct, frozen=True):
    """A stretch of text that is no part of a sentence around it."""

    start: int
    end: int
    tail: int
    """Behind the markup that it belongs to."""
    kind: str
    """`label`, `code`, `front`, `comment` or `seal` (of a report of ours)."""
    said: str


def find_asides(text: str, prose: str) -> Iterator[Aside]:
    """Each of them; `prose` has the same places, with code as NULs and comments as U+0001."""
    for pattern, kind in ((_PICTURE, "label"), (_TITLE, "label")):
        for match in pattern.finditer(prose):
            number = match.lastindex or 1
            yield _aside(text, *match.span(number), match.end(), kind)
    for tag in _TAG.finditer(prose):
        for match in _ATTRIBUTE.finditer(prose, *tag.span()):
            yield _aside(text, *match.span(match.lastindex or 1), tag.end(), "label")
    for match in _COMMENT.finditer(prose):
        whole = text[match.start() : match.end()]
        said = whole.removeprefix("<!--").removesuffix("-->")
        if WORD.search(said):
            said = " ".join(said.split())
            kind = "seal" if said.startswith(SEALED) else "comment"
            yield Aside(*match.span(), match.end(), kind, said)
    yield from _unread(text)


def _unread(text: str) -> Iterator[Aside]:
    """The lines of fenced code and of frontmatter."""
    plain = unify_line_ends(text)
    front = Document("-", text).frontmatter
    if front is not None and is_frontmatter(plain, front):
        yield from _lines(plain, front.start, front.end, _KEY, "front")
    for fence in fences(plain, front.end if front else 0):
        first = plain.find("\n", fence.start, fence.end)
        said = plain[fence.start : first if first >= 0 else fence.end].strip("`~ \t>")
        if len(WORD.findall(said)) > 1:
            yield Aside(fence.start, fence.start + 1, fence.start + 1, "code", said)
        if first >= 0:
            yield from _lines(plain, first + 1, fence.end, _COMMENTED, "code")


def _lines(text: str, start: int, end: int, lead: re.Pattern[str], kind: str) -> Iterator[Aside]:
    for line in re.finditer(r"[^\n]+", text[start:end]):
        begin = start + line.start()
        match = lead.match(line[0])
        said = line[0][match.end() if match else 0 :].strip().strip("\"'")
        if WORD.search(said) and not line[0].lstrip().startswith(("```", "~~~")):
            yield Aside(
                begin + len(line[0]) - len(line[0].lstrip()), start + line.end(), start + line.end(), kind, said
            )


def _aside(text: str, start: int, end: int, tail: int, kind: str) -> Aside:
    return Aside(start, end, tail, kind, _get_visible_text(text[start:end]))


def _get_visible_text(text: str) -> str:
    """What a reader sees of an attribute or caption, a document in it included."""
    return " ".join(_INNER_TAG.sub(" ", unescape(_SPACED.sub("", text))).split())


class ReportSentence(Struct, frozen=True):
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
    kind: str = "text"
    """Of its block."""
    rest: str = ""
    """The same without the words of its links, where it has such links."""
    elided: bool = False
    """Whether it is a clause that leaves its subject to the one before it."""


class ReportReading:
    """Every sentence of a markdown report in order, those that claim nothing too; code and plain headings have none."""

    def __init__(self, text: str, titles: Iterable[tuple[str, str]] = ()) -> None:
        """`titles` are those of pages with their addresses: linked behind a sentence, they cite."""
        self._blocks = ReportBlocks(text, titles)
        self._starts = line_starts(text)
        self._scans: dict[int, ReferenceScan] = {}
        self.sentences: list[ReportSentence] = []
        for number, block in enumerate(self._blocks.blocks):
            if block.said:
                self.sentences.append(self._whole(block, number))
                continue
            scan = self._blocks.scan(block.start, block.end)
            found = _claim_answered(list(self._read(block, number, scan)))
            if len(found) > 1:
                self._scans[number] = scan
            self.sentences += found
        self.sentences += self._asides(text)

    def _whole(self, block: ReportBlock, number: int) -> ReportSentence:
        """A row of a table: what it says, it says together."""
        line = position(self._starts, block.start)[0]
        return ReportSentence(
            *(block.start, block.end, block.end, line), block.said, block.borrowed, True, number, block.kind
        )

    def _asides(self, text: str) -> Iterator[ReportSentence]:
        """What stands beside the blocks, each with the marks of the block around it."""
        blocks = self._blocks.blocks
        starts = [block.start for block in blocks]
        for number, aside in enumerate(find_asides(text, self._blocks.prose)):
            marks: tuple[Mark, ...] = ()
            if aside.kind == "label":
                at = bisect_right(starts, aside.start) - 1
                if at >= 0 and aside.start < blocks[at].end:
                    marks = tuple(self._blocks.scan(blocks[at].start, blocks[at].end).marks[:_MOST_BORROWED])
            line = position(self._starts, aside.start)[0]
            claims = aside.kind not in ("comment", "seal") and is_claim(aside.said, aside.kind)
            yield ReportSentence(
                *(aside.start, aside.end, aside.tail, line), aside.said, marks, claims, -1 - number, aside.kind
            )

    def text_between(self, first: ReportSentence, last: ReportSentence) -> str:
        """What a reader sees from one sentence to another of the same block."""
        return first.text if first is last else self._scans[first.block].read(first.start, last.end)

    def _read(self, block: ReportBlock, number: int, scan: ReferenceScan) -> Iterator[ReportSentence]:
        """The sentences of a block, each with the marks in it and behind it."""
        spans = self._clauses(self._spans(block, scan), block, scan)
        places = [mark.start for mark in scan.marks]
        for at, (start, end) in enumerate(spans):
            until = spans[at + 1][0] if at + 1 < len(spans) else block.end
            own = scan.marks[bisect_left(places, start) if at else 0 : bisect_left(places, until)]
            said = scan.read(start, end)
            clause = at > 0 and _CONJUNCTION.match(said) is not None
            text = _CONJUNCTION.sub("", said, count=1) if clause else said
            tail = max([end, *(mark.end for mark in own)])
            closing = _TAIL.match(self._blocks.prose, tail, until)
            yield ReportSentence(
                start,
                end,
                closing.end() if closing else tail,
                position(self._starts, start)[0],
                text,
                block.borrowed if block.kind == "source" else tuple(own) or block.borrowed,
                is_claim(text, block.kind),
                number,
                block.kind,
                _without_links(scan, start, end, own),
                clause and _ELIDED.match(said) is not None,
            )

    def _clauses(self, spans: list[tuple[int, int]], block: ReportBlock, scan: ReferenceScan) -> list[tuple[int, int]]:
        """The spans of sentences, those of two clauses with a citation each in two."""
        if len(scan.marks) < 2 or block.kind == "source":
            return spans
        found: list[tuple[int, int]] = []
        places = [mark.start for mark in scan.marks]
        for at, (start, end) in enumerate(spans):
            until = spans[at + 1][0] if at + 1 < len(spans) else block.end
            marks = scan.marks[bisect_left(places, start) : bisect_left(places, until)]
            for before, after in pairwise(marks):
                first, second = self._split_clause(before, after)
                if start < first and second < end and _is_clause(scan, start, first) and _is_clause(scan, second, end):
                    found.append((start, first))
                    start = second
            found.append((start, end))
        return found

    def _split_clause(self, before: Mark, after: Mark) -> tuple[int, int]:
        """Where the clause of one mark ends and that of the next begins; nowhere where both belong to one."""
        prose = self._blocks.prose
        if before.words:
            parting = _BETWEEN_LINKS.search(prose, before.end, after.start)
            if parting is None:
                return 0, 0
            comma = _PARTING.match(prose, parting.start())
            return parting.start(), comma.end() if comma else parting.start()
        if len(WORD.findall(prose[before.end : after.end if after.words else after.start])) < _WORDS_IN_CLAUSE:
            return 0, 0
        comma = _PARTING.match(prose, before.end)
        first = before.start
        while first and prose[first - 1].isspace():
            first -= 1
        return first, comma.end() if comma else before.end

    def _spans(self, block: ReportBlock, scan: ReferenceScan) -> list[tuple[int, int]]:
        """Where sentences begin and end: marks and markup are blanks, and no stop inside a link ends anything."""
        masked = list(self._blocks.prose[block.start : block.end])
        for start, end, said in scan.gaps:
            fill = ("\0" if said.strip() else " ") * (end - start)
            if said == "\n":
                # The tag of a block ends a sentence as an empty line does.
                fill = f"\n\n{fill[2:]}"
            masked[start - block.start : end - block.start] = fill
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


def _claim_answered(sentences: list[ReportSentence]) -> list[ReportSentence]:
    """The sentences of a block; a question that the next one answers claims something: `Faster? Yes.`"""
    for at, (one, following) in enumerate(pairwise(sentences)):
        if one.text.rstrip(CLOSING).endswith(("?", "？")) and ANSWER.match(following.text):
            sentences[at] = replace(one, claims=True)
    return sentences


def _is_clause(scan: ReferenceScan, start: int, end: int) -> bool:
    return len(WORD.findall(scan.read(start, end))) >= _WORDS_IN_CLAUSE


def _without_links(scan: ReferenceScan, start: int, end: int, marks: Sequence[Mark]) -> str:
    """What is left of a sentence without the words of its links; empty where it has no such links."""
    pieces: list[str] = []
    at = start
    for mark in marks:
        if mark.words and at <= mark.start and mark.end <= end:
            pieces.append(scan.read(at, mark.start))
            at = mark.end
    return " ".join([*pieces, scan.read(at, end)]) if pieces else ""
