"""Which words go with a citation that goes: its brackets, the space before them, or one item of a row."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Edit, Safety, Span
from ...text.document import Document
from ...text.lines import line_starts
from ...text.markdown import unify_line_ends
from ...text.prose import ProseSpans
from ...text.sentences import NEEDED, claim_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .validation import DetailedResult

    Cut = tuple[Edit, tuple[int, ...]]

_REACH = 400
"""How far before an id its bracket may open."""
_CLOSING = {"[": "]", "(": ")"}
_SEPARATOR = re.compile(r"[ \t]*(;)?,?[ \t]*(?:and[ \t]+)?")
_END = re.compile(r"[ \t,]*")
_DEFINITION = re.compile(r"[ \t>]*+(?:[-*+][ \t]+)?\[[^\[\]\n]{1,200}\]:")
_TAG = re.compile(r"[ \t>]{0,8}<(?:/?[A-Za-z][\w-]*(?=[\s/>])|[!?])")
_RAW = re.compile(r"[ \t>]{0,8}<(pre|script|style|textarea)\b", re.IGNORECASE)
_MARKUP = frozenset("`<>|*~\\#")
_HEADING = re.compile(r"[ \t>]*+#{1,6}(?:[ \t]|\Z)")
_LITERAL = re.compile(re.escape(NEEDED), re.IGNORECASE)
# What may stand between two citations that are cited for the same words.
_JOINT = re.compile(r"[ \t]*(?:[,;&]|,?[ \t]*(?:and|or)(?=[ \t]))?[ \t]*")
_WORD = re.compile(r"[^\W_]")
_SPACES = " \t\u00a0\u202f"
# After these words a citation is part of the sentence: without it, something else would be missing.
_NOUN = re.compile(
    r"(?:^|[^\w])(?:about|above|according|across|after|against|along|also|alongside|and|as|at|before|below|between"
    r"|both|but|by|cf\.?|cite[sd]?|citing|compare[ds]?|consult|contra|despite|e\.g\.?|either|else|following|for|from"
    r"|given|i\.e\.?|if|in|into|like|neither|nor|of|on|onto|or|over|paper|papers|per|quoting|read|ref|refs|reference"
    r"|references|reviewed|see|source|sources|study|than|that|the|through|to|towards?|under|unlike|until|using|versus"
    r"|via|viz\.?|vs\.?|when|where|which|while|with|within|without)[ \t\u00a0\u202f]*\Z",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"[.!?…][\"'”’»)\]*_~]{0,8}\s+\Z")
_GOES_ON = re.compile(r"[ \t]+[a-zà-öø-ÿ]")
_LOOK_BACK = 40


class BracketItem(Struct, frozen=True):
    """One citation in brackets, with the words of its own around it (`see`)."""

    index: int
    """Which citation of the document it is."""
    start: int
    end: int


class Enclosure(Struct, frozen=True):
    """A bracket or parenthesis that holds nothing but citations."""

    start: int
    end: int
    items: tuple[BracketItem, ...]


def enclosures(prose: str, spans: Sequence[Span], keyed: Sequence[bool]) -> list[Enclosure | None]:
    """For each citation the brackets that hold it, one object for all of a row; None for one in a sentence.

    `keyed` says which of them are keys of a bibliography: these may have words of their own before them.
    """
    found: list[Enclosure | None] = [None] * len(spans)
    at = 0
    while at < len(spans):
        one = _enclose(prose, spans, keyed, at)
        if one is None:
            at += 1
            continue
        for item in one.items:
            found[item.index] = one
        at = one.items[-1].index + 1
    return found


def _enclose(prose: str, spans: Sequence[Span], keyed: Sequence[bool], at: int) -> Enclosure | None:
    span = spans[at]
    if prose[span.start] in "[(":
        return Enclosure(span.start, span.end, (BracketItem(at, span.start, span.end),))
    floor = max(0, span.start - _REACH)
    opening = max(prose.rfind(mark, floor, span.start) for mark in "[](){}\n\r\0;")
    if opening < 0 or prose[opening] not in _CLOSING or (at and spans[at - 1].end > opening):
        return None
    closing = _CLOSING[prose[opening]]
    begin = opening + 1
    if not keyed[at] and prose[begin : span.start].strip(" \t"):
        return None
    items = [BracketItem(at, begin, span.end)]
    while True:
        rest = _END.match(prose, span.end)
        end = rest.end() if rest else span.end
        if prose[end : end + 1] == closing:
            return Enclosure(opening, end + 1, tuple(items))
        at += 1
        if at == len(spans):
            return None
        between = _between(prose, span.end, spans[at].start, keyed[at])
        if between is None:
            return None
        span = spans[at]
        items.append(BracketItem(at, between, span.end))


def _between(prose: str, end: int, start: int, keyed: bool) -> int | None:
    """Where the next item of a row begins, behind what separates it; None where something else stands between."""
    gap = prose[end : min(start, end + _REACH)]
    mark = _SEPARATOR.match(gap)
    if mark is None or not gap or start - end > _REACH:
        return None
    rest = gap[mark.end() :]
    if rest and not (keyed and mark[1] and not set(rest) & set("[](){}\n\r\0;")):
        return None
    return end + mark.end()


class ProtectedPlaces:
    """What may not be touched in one document: code, headings, links, definitions, markup, frontmatter."""

    def __init__(self, document: Document) -> None:
        """The document's lines all end in LF; see `markdown.unify_line_ends`."""
        self._document = document
        self._prose = document.prose
        self._running = ProseSpans(document)
        self._starts = line_starts(self._prose)
        self._special = _special_lines(self._prose) if document.is_markdown else {}

    def objection(self, start: int, end: int) -> str:
        """Why the brackets between two places stay as they are; empty where nothing is against it."""
        before, after = self._prose[max(0, start - 1) : start], self._prose[end : end + 1]
        if found := self.kind(start, end):
            return found
        if before in ("[", "]", "!", "^", "\\") or after in ("(", "[", "]", ":", "{"):
            return "its brackets belong to a link"
        if (before == ">" and self._prose.rfind("<", max(0, start - _REACH), start) >= 0) or after == "<":
            return "it stands in HTML"
        if not _MARKUP.isdisjoint(self._prose[start:end]):
            return "it holds markup, which would break"
        if "\n" in self._prose[start:end]:
            return "it runs over the end of a line, which would be lost"
        return ""

    def kind(self, start: int, end: int) -> str:
        """What the words between two places are where they are no running text."""
        prose = self._prose
        front = self._document.frontmatter
        if front is not None and start < front.end:
            return "it stands in the frontmatter"
        if "\0" in prose[start:end]:
            return "it stands in code"
        row = bisect_right(self._starts, start) - 1
        if row in self._special:
            return self._special[row]
        if self._document.is_markdown and _HEADING.match(prose, self._starts[row]):
            return "it stands in a heading"
        if not self._running.holds(start, end):
            return "it stands in a heading, a link, a comment or a block that is no running text"
        return ""

    def line_before(self, start: int) -> str:
        """What stands before a place on its line."""
        return self._prose[self._starts[bisect_right(self._starts, start) - 1] : start]


def _special_lines(prose: str) -> dict[int, str]:
    """The lines of footnote and link definitions and of HTML blocks, each with what it is."""
    found: dict[int, str] = {}
    if "]:" not in prose and "<" not in prose:
        return found
    defining = html = blank = False
    until = ""
    for row, line in enumerate(prose.split("\n")):
        empty = not line.strip(" \t>")
        raw = _RAW.match(line) if not until else None
        if raw is not None:
            until = f"</{raw[1].lower()}"
        html = not empty and (html or _TAG.match(line) is not None)
        if not empty and _DEFINITION.match(line):
            defining = True
        elif not empty and blank and not line.startswith(("  ", "\t")):
            # What is indented below a blank line still belongs to a footnote.
            defining = False
        blank = empty
        if html or until:
            found[row] = "it stands in HTML"
        elif defining and not empty:
            found[row] = "it stands in a footnote or the definition of a link"
        if until and until in line.lower():
            until = ""
    return found


class RemovalPlanner:
    """Finds out for one document which words go with each citation that goes."""

    def __init__(
        self, path: str, text: str, details: Sequence[DetailedResult], condemned: set[int], reasons: dict[int, str]
    ) -> None:
        self._document = Document(path, unify_line_ends(text))
        self._prose = self._document.prose
        self._details = details
        self._condemned = condemned
        self._reasons = reasons
        self._places = ProtectedPlaces(self._document)
        spans = [detail.span for detail in details]
        self._sentences: dict[int, int] = {}
        self._enclosed = enclosures(self._prose, spans, [one.result.ref_id[:1] == "@" for one in details])
        self._brackets = [one for one in dict.fromkeys(self._enclosed) if one is not None]

    def cuts(self) -> list[Cut]:
        """Each edit with the citations it takes out; for those that stay the reason is noted."""
        found: list[Cut] = []
        whole: set[int] = set()
        """Where the brackets begin that go altogether."""
        fixed = self._find_fixed_brackets()
        for one in self._brackets:
            gone = [item.index for item in one.items if item.index in self._condemned]
            if one.start in fixed:
                self._reasons.update(dict.fromkeys(gone, fixed[one.start]))
            elif gone and len(gone) == len(one.items):
                whole.add(one.start)
            elif gone:
                found += self._from_row(one)
        for number in self._condemned:
            if self._enclosed[number] is None:
                span = self._details[number].span
                kind = self._places.kind(span.start, span.end)
                self._reasons[number] = kind or "it is part of the sentence, which would be broken without it"
        for chain in self._chains(whole, fixed):
            found += self._from_chain(chain, whole)
        return found

    def _find_fixed_brackets(self) -> dict[int, str]:
        """Where the brackets begin that would have to go and cannot, each with the reason."""
        found: dict[int, str] = {}
        with_loss = [one for one in self._brackets if any(item.index in self._condemned for item in one.items)]
        for one in with_loss:
            if objection := self._places.objection(one.start, one.end):
                found[one.start] = objection
        # What touches such brackets holds them in their place: without it, they could go the next time.
        for order in (with_loss, with_loss[::-1]):
            for last, one in pairwise(order):
                if last.start in found and (last.end == one.start or one.end == last.start):
                    found.setdefault(one.start, found[last.start])
        return found

    def _from_row(self, row: Enclosure) -> list[Cut]:
        """The items that go out of brackets that stay, each with one separator."""
        found: list[Cut] = []
        leading = True
        for at, item in enumerate(row.items):
            if item.index not in self._condemned:
                leading = False
            elif leading:
                found.append((_cut(item.start, row.items[at + 1].start), (item.index,)))
            else:
                found.append((_cut(row.items[at - 1].end, item.end), (item.index,)))
        return found

    def _chains(self, whole: set[int], fixed: dict[int, str]) -> list[list[Enclosure]]:
        """Brackets that follow one another and hold some that go; marks of lost citations count as brackets."""
        if not whole:
            return []
        members = [one for one in self._brackets if one.start not in fixed]
        members += [Enclosure(match.start(), match.end(), ()) for match in _LITERAL.finditer(self._prose)]
        members.sort(key=lambda one: one.start)
        chains: list[list[Enclosure]] = []
        for one in members:
            last = chains[-1][-1] if chains else None
            if last is not None and last.end <= one.start and _JOINT.fullmatch(self._prose, last.end, one.start):
                chains[-1].append(one)
            else:
                chains.append([one])
        return [chain for chain in chains if any(one.start in whole for one in chain)]

    def _from_chain(self, chain: list[Enclosure], whole: set[int]) -> list[Cut]:
        staying = [one.start not in whole for one in chain]
        if not any(staying):
            start, end = chain[0].start, chain[-1].end
            numbers = tuple(item.index for one in chain for item in one.items)
            if self._is_supported(start, end):
                clean = self._clean_cut(start, end)
                if clean is not None:
                    return [(clean, numbers)]
            return [(Edit(Span(start, end), NEEDED, Safety.UNSAFE), numbers)]
        found: list[Cut] = []
        for at, one in enumerate(chain):
            if not staying[at]:
                numbers = tuple(item.index for item in one.items)
                leading = not any(staying[:at])
                cut = _cut(one.start, chain[at + 1].start) if leading else _cut(chain[at - 1].end, one.end)
                found.append((cut, numbers))
        return found

    def _is_supported(self, start: int, end: int) -> bool:
        """Whether the sentence before these brackets has another citation that stays."""
        sentence = self._sentence(start, end)
        at = bisect_left(self._details, start, key=lambda detail: detail.span.start)
        # Citations of the same sentence are close, in a bounded number.
        for number in range(max(0, at - _LOOK_BACK), min(len(self._details), at + _LOOK_BACK)):
            detail = self._details[number]
            if number in self._condemned or detail.result.checks.in_corpus is not True:
                continue
            one = self._enclosed[number]
            place = (one.start, one.end) if one is not None else (detail.span.start, detail.span.end)
            if self._sentence(*place) == sentence:
                return True
        return False

    def _sentence(self, start: int, end: int) -> int:
        """Where the sentence begins that a citation supports; its own place where it begins one."""
        known = self._sentences.get(start)
        if known is None:
            before = self._prose[max(0, start - _LOOK_BACK) : start]
            begins = _STOPPED.search(before) and _GOES_ON.match(self._prose, end)
            claim = None if begins else claim_before(self._document, start)
            known = self._sentences[start] = claim.start if claim is not None else start
        return known

    def _clean_cut(self, start: int, end: int) -> Edit | None:
        """The edit that leaves nothing behind; None where the words around would not stand without the brackets."""
        prose = self._prose
        line = self._places.line_before(start)
        if not _WORD.search(line) or _NOUN.search(line[-_LOOK_BACK:]) or self._sentence(start, end) == start:
            return None
        after = prose[end : end + 1]
        if line[-1] in _SPACES:
            begin = start if after.isalnum() else start - 1
            if not after or after in "\n.,;:!?":
                begin = start - (len(line) - len(line.rstrip(_SPACES)))
            return _cut(begin, end)
        return _cut(start, end) if (line[-1].isalnum() or line[-1] in '.,;:!?"”’»)') and not after.isalnum() else None


def _cut(start: int, end: int) -> Edit:
    return Edit(Span(start, end), "", Safety.UNSAFE)
