"""Cited lines, and where they moved to, held against the sentence that carries the citation.

History says where lines went, and not whether they were the right ones. What the sentence names is looked for there and
in all other lines of the file: a move is confirmed by it or left to a reader, and a pointer that was wrong when it was
written gets the sentence's own lines as its candidate.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from ...checks.lines import claim_not_shown
from ...core.model import Finding, Lines, Outcome, Place
from ...dialects import get_capabilities
from ...search.claims.bound import is_shown
from ...search.claims.claim import ABOVE, BELOW, NEAR, Claim, is_without_names, read_claim
from ...search.claims.file_lines import FileLines
from ...search.claims.introduced_name import find_introduced_name
from ...search.claims.lines import AS_CITED, EDITED, MOVED, WeighedLines, weigh
from ...text.evidence import Evidence, SymbolEvidence
from .lines import find_new_place, leave_to_reader

if TYPE_CHECKING:
    from ...checks import CheckedCitation
    from ...core.model import Citation
    from ...sources import World
    from ...text.document import Document

CHECK = "claim-not-shown"
_CONFIRMED = 0.8
"""From this chance on a move leads to what the sentence speaks of. With whole documents left out, 2 % of such moves in
the measured repositories led elsewhere; of those below it, a third."""
_PLAIN_WORDS = 0.5
"""The same where the sentence has plain words only."""
_NOT_MEANT = 0.2
"""Below this chance, lines are not what the sentence speaks of."""
_LIKELY, _TIMES = 0.3, 4
"""What other lines need to be named instead: this chance, and so many times that of the place. Of 222 findings read in
thirteen repositories nearly half were false without this, and without looking at what stands beside the place."""
_AROUND = 12
"""Lines around a citation that belong to its comment."""
_KEPT_BYTES = 4_000_000
"""Bytes of files that are kept with what was found in them."""
_FIRST = Lines(1, 1)
_LONGEST_LINE = 2000
"""Code points of a line that are read before a citation, and behind it."""
_CUT = 2 * _LONGEST_LINE
_BEFORE = 200
"""Characters before a citation in which the name stands that it is put behind."""


class SentenceJudge:
    """Holds citations against their sentences; files are read into lines once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._files: dict[Evidence, FileLines] = {}
        self._bytes = 0
        self._accused: dict[int, tuple[Citation, tuple[Finding, ...]]] = {}
        """What was found of citations when it was asked whether they are shown, by identity."""

    def hold(self, document: Document, rows: Sequence[CheckedCitation]) -> None:
        """Add what the sentences say to what is known of some citations."""
        for row in rows:
            evidence = row.evidence
            if isinstance(evidence, Evidence) and _is_judged(row.citation, evidence, row.findings):
                known = self._accused.get(id(row.citation)) if not row.findings else None
                row.findings = known[1] if known else self._judge(document, row.citation, evidence, row.findings)
        self._accused.clear()

    def shows(self, document: Document, citation: Citation, evidence: Evidence) -> bool:
        """Whether nothing would be said of a citation whose lines are there."""
        found = self._judge(document, citation, evidence, ()) if _is_judged(citation, evidence, ()) else ()
        if found:
            self._accused[id(citation)] = citation, found
        return not found

    def _judge(
        self, document: Document, citation: Citation, evidence: Evidence, findings: tuple[Finding, ...]
    ) -> tuple[Finding, ...]:
        lines = citation.lines
        if lines is None:
            return findings
        stands_for_file = lines == _FIRST and get_capabilities(citation.dialect).first_line_means_file
        if stands_for_file and not findings:
            return findings
        start = _find_start(citation)
        if not findings and is_without_names(document.path, document.text, start, citation.span.end):
            return findings
        claim = _read_claim(document, start, citation.span.end)
        if stands_for_file:
            return _judge_first_line(claim, evidence, findings)
        drift = findings[-1] if findings else None
        if drift is not None and claim.is_mention:
            return (*findings[:-1], replace(drift, edit=leave_to_reader(drift.edit)))
        if drift is None and (_shows_plainly(claim, evidence, lines) or not claim.names_something):
            return findings
        if drift is None and (elsewhere := self._find_elsewhere(document, citation, evidence, lines)) is not None:
            return (*findings, elsewhere)
        place, history = lines, AS_CITED
        if drift is not None and drift.check == "lines-moved" and drift.place is not None:
            place, history = drift.place.lines or lines, MOVED
        elif drift is not None:
            place, history = (drift.place.lines if drift.place is not None else None) or lines, EDITED
        file = self._read_lines(evidence)
        if drift is None and is_shown(file, claim, lines, _TIMES):
            return findings
        weighed = weigh(file, claim, lines, place, history)
        if weighed is None:
            return findings
        if drift is None:
            if not _is_plain(weighed) or _is_of_citation(document, citation, evidence, weighed.best):
                return findings
            return (*findings, self._accuse(document, citation, evidence, weighed, lines))
        return (*findings[:-1], *self._judge_drift(document, citation, evidence, weighed, drift, claim))

    def _read_lines(self, evidence: Evidence) -> FileLines:
        """The lines of a file, with what was found in them so far."""
        known = self._files.get(evidence)
        if known is None:
            self._bytes += len(evidence.data)
            if self._bytes > _KEPT_BYTES:
                # Citations of one file cluster: starting over costs less than keeping count of what was used last.
                self._files.clear()
                self._bytes = len(evidence.data)
            known = self._files[evidence] = FileLines(evidence.source.key, evidence.lines)
        return known

    def _find_elsewhere(
        self, document: Document, citation: Citation, evidence: Evidence, lines: Lines
    ) -> Finding | None:
        """A finding where the name before the citation is not in its file, and one other file defines it."""
        name = _read_introduced_name(document, citation)
        if not name or name in "\n".join(evidence.lines):
            return None
        defined = self._world.code_definitions.find(name)
        there = self._world.file(defined[0].path) if len(defined) == 1 else None
        if not isinstance(there, Evidence) or defined[0].lines is None:
            return None
        to = find_new_place(document, citation, defined[0], True)
        now = there.block(defined[0].lines)
        return claim_not_shown.make_finding_elsewhere(lines, name, evidence.block(lines), now, to)

    def _judge_drift(
        self,
        document: Document,
        citation: Citation,
        evidence: Evidence,
        weighed: WeighedLines,
        drift: Finding,
        claim: Claim,
    ) -> tuple[Finding, ...]:
        """What became of the cited lines, as the sentence sees it; the likelier candidate comes first."""
        moved = drift.check == "lines-moved"
        if moved and weighed.agrees and weighed.chance >= (_CONFIRMED if claim.names_something else _PLAIN_WORDS):
            return (claim_not_shown.confirm_move(drift, weighed.held) if weighed.held else drift,)
        drift = replace(drift, edit=leave_to_reader(drift.edit))
        if weighed.agrees or not weighed.shown or _is_of_citation(document, citation, evidence, weighed.best):
            return (drift,)
        if _is_plain(weighed) and not _holds_term(claim, drift.then):
            place = (drift.place.lines if drift.place is not None else None) or citation.lines or weighed.best
            return (self._accuse(document, citation, evidence, weighed, place, drift.place is not None), drift)
        to = find_new_place(document, citation, Place(evidence.source.key, weighed.best), True)
        return (claim_not_shown.add_other_lines(drift, weighed.shown, to, weighed.best_chance > weighed.chance),)

    def _accuse(
        self,
        document: Document,
        citation: Citation,
        evidence: Evidence,
        weighed: WeighedLines,
        lines: Lines,
        moved: bool = False,
    ) -> Finding:
        to = find_new_place(document, citation, Place(evidence.source.key, weighed.best), True)
        then, now = (evidence.block(one) for one in (lines, weighed.best))
        return claim_not_shown.make_finding(lines, weighed.shown, then, now, to, moved)


def _is_judged(citation: Citation, evidence: Evidence, findings: tuple[Finding, ...]) -> bool:
    """Whether the sentence can add to what is known: of lines without a snippet, in a file as it is now."""
    lines = citation.lines
    if lines is None or citation.quote is not None or evidence.record is not None:
        return False
    if isinstance(evidence, SymbolEvidence) or not 1 <= lines.first <= lines.last <= len(evidence.lines):
        return False
    if evidence.source.scheme != "file" or not evidence.source.key:
        return False
    capabilities = get_capabilities(citation.dialect)
    if not capabilities.follows_lines or capabilities.names_passages:
        return False
    if not findings:
        return True
    drift = findings[-1]
    if drift.check not in ("lines-moved", "lines-edited"):
        return False
    elsewhere = drift.place is not None and drift.place.path != evidence.source.key
    return not elsewhere and all(finding.outcome <= Outcome.UNCHECKED for finding in findings[:-1])


def _find_start(citation: Citation) -> int:
    """Where a citation begins; the label of a link belongs to the words before it."""
    label = citation.raw.rfind("](") if citation.raw[:1] == "[" else 0
    return citation.span.start + max(0, label)


class _NearLines(Sequence[str]):
    """The lines around a citation, each cut out when it is asked for; beyond the text there are blank ones. A line may
    hold a million citations: of each only what is near is taken."""

    row = ABOVE
    """The line that the citation begins in."""

    def __init__(self, document: Document, start: int) -> None:
        self._document = document
        self._text = document.text
        self._first = begin = self._find_begin(start)
        self._last = self._find_end(start)
        begin = max(begin, start - _LONGEST_LINE)
        self.column = start - begin
        self._line = self._cut_line(begin, self._last)
        self._below: list[str] = []

    def __len__(self) -> int:
        return ABOVE + 1 + BELOW

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            last = at.indices(len(self))[1]
            return [*self._above, *(self[one] for one in range(ABOVE, max(ABOVE, last)))][at]
        if not 0 <= at < len(self):
            raise IndexError(at)
        if at < ABOVE:
            # A paragraph of one line asks for no more than the one above it.
            return (
                self._cut_line(self._find_begin(self._first - 1), self._first) if at == ABOVE - 1 else self._above[at]
            )
        while at > ABOVE + len(self._below):
            begin, self._last = self._last, self._find_end(self._last)
            self._below.append(self._cut_line(begin, self._last))
        return self._below[at - ABOVE - 1] if at > ABOVE else self._line

    @cached_property
    def _above(self) -> list[str]:
        """The lines above, cut at once."""
        top = self._first
        begin = max(0, top - ABOVE * _LONGEST_LINE // 10)
        found = self._text[begin:top].split("\n")[begin > 0 : -1]
        if self._document.has_returns or (begin and len(found) < ABOVE) or max(map(len, found), default=0) > _CUT:
            found = []
            while top and len(found) < ABOVE:
                end, top = top, self._find_begin(top - 1)
                found.append(self._cut_line(top, end))
            found.reverse()
        return [*[""] * (ABOVE - len(found)), *found[-ABOVE:]]

    def _cut_line(self, begin: int, end: int) -> str:
        return self._text[begin : min(end, begin + _CUT)].rstrip("\r\n")

    def _find_begin(self, at: int) -> int:
        """Where the line begins that holds an offset; one that is not near is looked up, not searched for."""
        near = at - _CUT
        if not self._document.has_returns:
            found = self._text.rfind("\n", max(0, near), max(0, at))
            if found >= 0 or near <= 0:
                return found + 1
        starts = self._document.starts
        return starts[max(0, bisect_right(starts, at) - 1)]

    def _find_end(self, at: int) -> int:
        """Where the line ends that holds an offset, its end included."""
        far = at + _CUT
        if not self._document.has_returns:
            found = self._text.find("\n", at, far)
            if found >= 0 or far >= len(self._text):
                return found + 1 or len(self._text)
        starts = self._document.starts
        row = bisect_right(starts, at)
        return starts[row] if row < len(starts) else len(self._text)


def _read_claim(document: Document, start: int, end: int) -> Claim:
    """What is said where a citation stands."""
    lines = _NearLines(document, start)
    return read_claim(document.path, lines, lines.row, lines.column, end - start)


def read_sentence(document: Document, citation: Citation) -> tuple[Claim, str]:
    """All that a citation is held against: where two texts have the same, the same is found."""
    claim = _read_claim(document, _find_start(citation), citation.span.end)
    return claim, _read_introduced_name(document, citation)


def _read_introduced_name(document: Document, citation: Citation) -> str:
    return find_introduced_name(document.text[max(0, citation.span.start - _BEFORE) : citation.span.start])


def _shows_plainly(claim: Claim, evidence: Evidence, lines: Lines) -> bool:
    """Whether the cited lines hold something that the clause names: then no other lines have to be looked at."""
    return _holds_term(claim, evidence.block(lines))


def _holds_term(claim: Claim, lines: Sequence[str]) -> bool:
    """Whether lines hold something that the clause names."""
    block = "\n".join(lines)
    return any(term.term in block for term in claim.names if term.zone == NEAR) and not claim.is_mention


def _is_plain(weighed: WeighedLines) -> bool:
    """Whether other lines are plainly what the sentence speaks of, and nothing near the place is."""
    if weighed.agrees or weighed.held or weighed.beside or weighed.is_next or not weighed.shown:
        return False
    return weighed.chance < _NOT_MEANT and weighed.best_chance >= max(_LIKELY, _TIMES * weighed.chance)


def _is_of_citation(document: Document, citation: Citation, evidence: Evidence, lines: Lines) -> bool:
    """Whether lines are those that carry the citation: a file that cites itself names things there, too."""
    if document.path != evidence.source.key:
        return False
    line = document.position(citation.span.start)[0]
    return lines.first - _AROUND <= line <= lines.last + _AROUND


def _judge_first_line(claim: Claim, evidence: Evidence, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Line 1 mostly stands for the file: what became of it matters where the sentence speaks of it."""
    drift = findings[-1] if findings else None
    if drift is None or not any(map(str.strip, evidence.lines[1:])):
        return findings
    if _holds_term(claim, drift.then):
        return (*findings[:-1], replace(drift, edit=leave_to_reader(drift.edit)))
    return findings[:-1]
