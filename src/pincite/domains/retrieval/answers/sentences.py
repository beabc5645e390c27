"""The sentences of an answer: which of them state something, and which one a citation's mark belongs to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ....core.model import Span
from ....text.lines import line_starts, position, replace_spans, shorten
from ....text.markdown import fences
from ....text.sentences import is_abbreviated, split_sentences
from .model import Uncited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .model import Answer, AnswerCitation

# The marks that providers leave in a text, and links that stand in brackets of their own.
_MARKS = re.compile(
    r"【[^【】\n]{0,200}】|\ue200[^\ue201\n]{0,200}\ue201|\[\^?[0-9]{1,4}\](?!\()|\(\[[^\]\n]{1,300}\]\([^()\s]{1,2000}\)\)"
)
_BLOCK = re.compile(r"\n[ \t\r]*\n|\n(?=[ \t>]*(?:(?:[-*+•]|[0-9]{1,4}[.)]|#{1,6})[ \t]|\|))")
_LEAD = re.compile(r"(?:[ \t\r\n>]++|(?:[-*+•]|[0-9]{1,4}[.)])[ \t]++|\[[ xX]\][ \t]++|\|++)*+")
_EMPHASIS = re.compile(r"\*{1,3}|_{2,3}|(?<![^\W_])_|_(?![^\W_])|`")
# Behind the first row of a table, the line of dashes below it.
_HEAD = re.compile(r"[ \t|]*\r?\n[ \t|:]*-[ \t|:\-]*(?:\r?\n|\Z)")
_HEADING = re.compile(r"[ \t>]*#{1,6}(?:[ \t]|\Z)")
_UNDERLINED = re.compile(r"[^\n]*\n[ \t]*(?:={3,}|-{3,})[ \t]*\Z")
_BOLD = re.compile(r"\s*(?:[-*+•][ \t]+|[0-9]{1,4}[.)][ \t]+)?(\*\*|__)[^*_\n]{1,200}\1[ \t]*:?\s*\Z")
# A stop to which the next sentence may be glued.
_GLUED_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_~]{0,8}+(?=[\"'“‘«(\[*_]{0,3}[^\W\d_])")
_GLUED = re.compile(r"[\"'“‘«(\[*_]{0,3}([^\W\d_]+)(?![\w./\\@=(]|::)")
_LAST = re.compile(r"\S+\Z")
_DOTTED = re.compile(r"[^\W\d_]\.[^\W\d_]")
_NO_PROSE = frozenset("/\\@_`=<>#")
"""Signs that a word of a path, an address or code has."""
_WORD = re.compile(r"[^\W_]+")
_NO_LINE_END = re.compile(r"[^\n]")
_CLOSING = ")]}\"'”’»*_~"
# What is said to the reader, and about no source.
_OPENER = re.compile(
    r"(?:sure|certainly|of course|absolutely|great question|good question|thanks?(?: you)?|hello|hi|hey|okay|ok"
    r"|you['’]re welcome|yes|no)\b[\s,!.:;–—-]*",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|let me|let['’]s|i['’](?:ll|d)|i (?:will|hope|would)"
    r"|i(?:['’]ve| have)? (?:searched|looked|read|reviewed|checked|gathered|prepared|compiled|listed|summari[sz]ed)"
    r"|i['’]m (?:happy|glad|sorry|afraid|unable)|i am (?:happy|glad|sorry|afraid|unable)"
    r"|feel free|please|let us know|hope (?:this|that|it)|if you(?:['’]d| have| need| would| want)"
    r"|(?:in summary|to summari[sz]e|overall|in short)[,.:]?\Z)\b",
    re.IGNORECASE,
)
_LONGEST_MARK = 2500
_FEWEST = 3
"""A sentence states something in no fewer words."""
_MOST_SHOWN = 300
_MOST_UNCITED = 10_000
_MOST_LISTED = 2_000_000
"""Of how many characters of a document sentences are listed for a hint."""
_MOST_HAVING = 2_000
_MOST_ASKED = 5_000


class Sentences:
    """An answer's sentences, markup and marks left out; split once."""

    def __init__(self, answer: Answer) -> None:
        self.text = answer.text
        self._plain = _blank_code_and_marks(answer)
        self.spans = tuple(_split(self._plain))
        self._starts = [span.start for span in self.spans]

    def claim_of(self, citation: AnswerCitation) -> Span | None:
        """The words that a citation supports: its span, or the sentence in which or behind which its mark stands."""
        span = citation.span
        if span is None or not citation.is_mark:
            return span if span is not None and span.end > span.start else None
        first, last = bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end) - 1
        if _WORD.search(self._plain, span.start, span.end) and 0 <= first <= last:
            # Not a mark but words: the sentences that they are part of.
            return Span(self.spans[first].start, self.spans[last].end)
        # A mark in front of everything belongs to what follows it.
        at = max(0, bisect_left(self._starts, max(span.start, 1)) - 1)
        return self.spans[at] if self.spans else None

    def words(self, span: Span) -> str:
        """The words of a span on one line, without the marks of citations in it."""
        return " ".join(_EMPHASIS.sub("", self._plain[span.start : span.end]).split())

    def statements(self, span: Span, others: Iterable[Span]) -> list[str]:
        """The sentences that a span is part of, each as far as no other citation's words reach."""
        first, last = max(0, bisect_right(self._starts, span.start) - 1), bisect_left(self._starts, span.end)
        if first >= last:
            return [self.words(span)] if span.end > span.start else []
        begin, end = min(span.start, self.spans[first].start), max(span.end, self.spans[last - 1].end)
        for other in others:
            if other.end <= span.start:
                begin = max(begin, other.end)
            elif other.start >= span.end:
                end = min(end, other.start)
        parts = (Span(max(begin, one.start), min(end, one.end)) for one in self.spans[first:last])
        return [words for part in parts if part.start < part.end and (words := self.words(part))]

    def text_around(self, span: Span) -> tuple[str, str]:
        """What the answer says before and behind a span, as far as it may bear on it."""
        before, after = self._plain[max(0, span.start - _MOST_SHOWN) : span.start], self._plain[span.end :]
        return " ".join(before.split()) + " ", " " + " ".join(after[:_MOST_SHOWN].split())

    def find_uncited(self, claims: Iterable[Span]) -> tuple[Uncited, ...]:
        """The sentences that state something and that no claim has a word of."""
        touched = self._mark_touched(claims)
        starts = line_starts(self.text)
        found: list[Uncited] = []
        for at, span in enumerate(self.spans):
            if at in touched or not self._states(span):
                continue
            shown = shorten(" ".join(self.text[span.start : span.end].split()), _MOST_SHOWN)
            found.append(Uncited(span.start, span.end, position(starts, span.start)[0], shown))
            if len(found) == _MOST_UNCITED:
                break
        return tuple(found)

    def _mark_touched(self, claims: Iterable[Span]) -> set[int]:
        touched: set[int] = set()
        for start, stop in _merge_spans(claims):
            first = max(0, bisect_right(self._starts, start) - 1)
            for at in range(first, bisect_left(self._starts, stop)):
                span = self.spans[at]
                begin, end = max(span.start, start), min(span.end, stop)
                if begin < end and _WORD.search(self._plain, begin, end):
                    touched.add(at)
        return touched

    def _states(self, span: Span) -> bool:
        """Whether a sentence says something that could be true or false."""
        text = self._plain[span.start : span.end]
        if _HEADING.match(text) or _BOLD.fullmatch(text) or _UNDERLINED.fullmatch(text):
            return False
        if _HEAD.match(self._plain, span.end):
            return False
        return is_statement(text)


def is_statement(text: str) -> bool:
    """Whether words say something about a source: no question, and nothing that is said to the reader alone."""
    words = " ".join(text.strip("*_~|> \t\n").split())
    bare = words.rstrip(_CLOSING)
    if bare.endswith(("?", "？", ":", "：")):
        return False
    opener = _OPENER.match(words)
    words = words[opener.end() :] if opener else words
    if _COURTESY.match(words):
        return False
    found = _WORD.findall(words)
    wide = any("\u2e80" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in words[:200])
    return len(found) >= _FEWEST or (wide and len(words) > _FEWEST * 2)


def _merge_spans(claims: Iterable[Span]) -> Iterator[tuple[int, int]]:
    """The stretches that the claims cover, in order and disjoint: many may cover the same."""
    start = end = 0
    for claim in sorted((claim.start, claim.end) for claim in claims):
        if claim[0] > end:
            yield start, end
            start = claim[0]
        end = max(end, claim[1])
    yield start, end


def _blank_code_and_marks(answer: Answer) -> str:
    """The text with code, and the marks of citations, as white space of the same length."""
    text = answer.text
    gaps = [(code.start, code.end) for code in fences(text)]
    gaps += [match.span() for match in _MARKS.finditer(text)]
    # What the span of a citation holds is a mark or link; else it is part of what is said.
    spans = [(span.start, span.end) for span in answer.marks if span.end - span.start < _LONGEST_MARK]
    gaps += [(start, end) for start, end in spans if text[start:end][:1] in "【[(\ue200"]
    gaps.sort()
    at = 0
    blanks: list[tuple[int, int, str]] = []
    for start, end in gaps:
        if end > at:
            start = max(start, at)
            blanks.append((start, end, _NO_LINE_END.sub(" ", text[start:end])))
            at = end
    return replace_spans(text, blanks)


def _split(text: str) -> Iterator[Span]:
    """Sentences, within paragraphs, items and rows; white space and list marks around them left out."""
    begin = 0
    for edge in [*_BLOCK.finditer(text), None]:
        end = edge.start() if edge else len(text)
        yield from _sentences(text, begin, end)
        begin = edge.end() if edge else end


def _sentences(text: str, begin: int, end: int) -> Iterator[Span]:
    if _HEADING.match(text, begin, end) or _UNDERLINED.match(text, begin, end):
        yield from _trim_span(text, begin, end)
        return
    lead = _LEAD.match(text, begin, end)
    begin = lead.end() if lead else begin
    for first, last in split_sentences(text[begin:end], end - begin + 1):
        at = begin + first
        for stop in _GLUED_STOP.finditer(text, at, begin + last):
            if _is_glued(text, at, stop, end):
                yield from _trim_span(text, at, stop.end())
                at = stop.end()
        yield from _trim_span(text, at, begin + last)


def _is_glued(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """Whether a sentence begins right behind a stop: `by 5 %.Costs fell`; `Node.js`, `System.Text` and paths do not."""
    following = _GLUED.match(text, stop.end(), end)
    if following is None or following[1][0].islower():
        return False
    if stop[0][0] in ".…" and is_abbreviated(text, begin, stop.start() + 1):
        return False
    last = _LAST.search(text, max(begin, stop.start() - 80), stop.start())
    if last is None:
        # A mark that was taken out stands before the stop.
        return True
    if not _NO_PROSE.isdisjoint(last[0]) or _DOTTED.search(last[0]) or text.count("`", begin, stop.start()) % 2:
        return False
    if last.start() == begin and last[0][0].isupper():
        return False
    name = following[1]
    return not (len(name) > 1 and name.isupper() and last[0][0].isupper())


def _trim_span(text: str, begin: int, end: int) -> Iterator[Span]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if begin < end and _WORD.search(text, begin, end):
        yield Span(begin, end)


class NearestSentence:
    """Which sentence of a document shares most words with another: a hint, no more."""

    def __init__(self, pages: Sequence[str]) -> None:
        self._places: list[tuple[int, int, int]] = []
        self._having: dict[str, list[int]] = {}
        """The sentences that have a word, of those words that not every other sentence has."""
        left = _MOST_LISTED
        for number, page in enumerate(pages):
            for span in _split(page[:left]):
                for word in _long_words(page[span.start : span.end]):
                    rows = self._having.setdefault(word, [])
                    if len(rows) < _MOST_HAVING:
                        rows.append(len(self._places))
                self._places.append((number, span.start, span.end))
            left -= len(page)
            if left <= 0:
                break

    def find(self, text: str) -> tuple[int, int, int] | None:
        """Page (from 0), start and end of the sentence that has at least a third of the text's long words."""
        wanted = _long_words(text[:_MOST_ASKED])
        shared: dict[int, int] = {}
        for word in wanted:
            for row in self._having.get(word, ()):
                shared[row] = shared.get(row, 0) + 1
        best = max(shared, key=lambda row: (shared[row], -row), default=None)
        if best is None or shared[best] < 2 or shared[best] * 3 < len(wanted):
            return None
        return self._places[best]


def _long_words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text) if len(word) > _FEWEST}
