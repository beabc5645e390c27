"""
A claim about captured output states a figure that is not in the cited lines.

Why: the number is what readers take from such a sentence and what goes stale first. The output itself was seen and is
intact, so either the figure or the cited lines are not the ones that were meant.

Example: `All 212 tests pass. 【a1b2c3†L208-L212】` where the lines say `211 passed, 1 failed in 3.42s`.

Remedy: correct the figure, or cite the lines that show it as well. The claim is the sentence before the citations; all
citations that follow it directly count together. Rounding, thousands separators and the number of cited lines are
taken into account, and so are units (`3.42 min` is not `3.42s`) and what is counted: `0 tests failed` is not shown by
`1 failed`, nor `211 tests failed` by `211 passed, 1 failed`. `All tests pass` says that none failed; `5 points lower`
needs lines that compare something. Versions, dates, exit codes, bounds (`under 5 s`) and places (`line 12`) are not
compared.
"""

import re

from ...core.model import Finding, Lines, Obstacle, Outcome, Severity, Span
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.lines import shorten
from ...text.sentences import claim_before
from .. import CheckedCitation
from . import command_failed
from ._counted import write_digits
from ._figures import ShownFigures, find_claimed_figures, find_missing

CitedLines = tuple[Evidence, Lines]
Seen = dict[tuple[int, Lines], tuple[Evidence, ShownFigures]]
"""The figures of evidence by its identity and the cited lines."""

# The cited text was seen; whether the claim is true could not be shown by it.
OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING

_BETWEEN = re.compile(r"(?:\s*[,;&+])?\s*(?:and\b\s*)?")
_PARTED = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)")
_LONGEST_GAP = 20
# A bracket that is no row: no citation after all, or malformed. What it means, nobody knows.
_UNREAD = re.compile(r"[ \t]*+(?:\r\n|\r|\n)?[ \t]*+【[^【】\n\r]{0,1000}†")
_CODE = re.compile("\0+")
_TARGET = re.compile(r"\]\([^()\s]{0,1000}\)")
_STRUCK = re.compile(r"~~[^~]{0,500}~~")
_QUOTED = re.compile(r"=*[ ]?[0-9][0-9.,_]*(?:%|[A-Za-zµ]{1,3})?,?(?:[ ][A-Za-z0-9.,%]+)*[ ]?=*\Z")
_PLAIN = re.compile(r"-{0,2}[A-Za-z][A-Za-z.+-]{0,30}\Z")
_LONGEST_QUOTE = 80
_MOST_TEXT = 256 * 1024
"""How much cited text is searched for the figures of one claim."""
_ALLOWANCE, _SHARE = 1 << 20, 50
"""How much is searched for one document: so much, and so much for each of its code points."""
_MOST_SEEN = 4096
_LISTED, _WIDEST = 6, 32


class FigureComparison:
    """The claims of one document, compared as its citations come: part after part."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._seen: Seen = {}
        self._left = _ALLOWANCE + _SHARE * len(document.text)
        self._floor = 0
        """Where the last citation of the part before ended."""
        self._cut = False
        """Whether that part ended within a chain."""

    def compare(self, rows: list[CheckedCitation], cut: bool = False) -> None:
        """Add a finding to the first citation of captured output where a chain does not show a figure of its claim.

        A part that is `cut` ends within a chain: what is cited for that claim is not all at hand.
        """
        was_cut, self._cut = self._cut, cut
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        for first, last, floor in _find_chains(self._document.text, rows, self._floor):
            if not (was_cut and not first) and not (cut and last == len(rows)):
                self._judge(rows[first:last], floor)
        self._floor = rows[-1].citation.span.end if rows else self._floor

    def _judge(self, chain: list[CheckedCitation], floor: int) -> None:
        document, seen = self._document, self._seen
        lead = next((row for row in chain if row.citation.source.scheme == "chunk"), None)
        parts = _read_chain(document.text, chain)
        if lead is None or not parts:
            return
        claim = claim_before(document, chain[0].citation.span.start, floor)
        if claim is None:
            return
        words = write_digits(_get_stated_words(document, claim))
        captured = [part[0] for part, row in zip(parts, chain, strict=True) if row.citation.source.scheme == "chunk"]
        codes = [one.record.code if one.record is not None else None for one in captured]
        failed = command_failed.judge(words, codes) if any(codes) else None
        if failed is not None:
            lead.findings = (*lead.findings, failed)
        says_all_pass = command_failed.says_all_pass(words)
        if not says_all_pass and not find_claimed_figures(words):
            return
        size = _count_unsearched_text(parts, seen)
        self._left -= size
        if size > _MOST_TEXT or self._left < 0:
            return
        shown = [_get_shown_figures(part, seen) for part in parts]
        missing = find_missing(words, shown)
        if says_all_pass and not missing:
            missing = _find_failures(shown)
        if missing:
            found = Finding("figure-not-found", OUTCOME, SEVERITY, _message(missing, chain, shown))
            lead.findings = (*lead.findings, found)


def _find_failures(shown: list[ShownFigures]) -> list[str]:
    """What a claim that all tests pass says of failures and errors where the cited lines count some."""
    named = (("fail", "0 failed (all pass)"), ("error", "0 errors (all pass)"))
    return [text for kind, text in named if any(number > 0 for place in shown for number in place.counts(kind))]


def _find_chains(text: str, rows: list[CheckedCitation], floor: int) -> list[tuple[int, int, int]]:
    """Citations with nothing of their own between them: first, past last, and where the one before ended."""
    found: list[tuple[int, int, int]] = []
    first = 0
    for at in range(1, len(rows) + 1):
        end = rows[at - 1].citation.span.end
        if at == len(rows) or not is_chained(text, end, rows[at].citation.span.start):
            found.append((first, at, floor))
            first, floor = at, end
    return found


def is_chained(text: str, end: int, start: int) -> bool:
    """Whether citations that end and start there are cited for the same claim."""
    if not end <= start <= end + _LONGEST_GAP:
        return False
    return _BETWEEN.fullmatch(text, end, start) is not None and _PARTED.search(text, end, start) is None


def _read_chain(text: str, chain: list[CheckedCitation]) -> list[CitedLines]:
    """What is cited for the claim; nothing unless all of it is at hand, so that what is not in it is nowhere."""
    parts: list[CitedLines] = []
    for row in chain:
        evidence, lines = row.evidence, row.citation.lines
        if isinstance(evidence, Obstacle) or lines is None:
            return []
        if any(finding.outcome > Outcome.HOLDS for finding in row.findings):
            return []
        parts.append((evidence, lines))
    return parts if _UNREAD.match(text, chain[-1].citation.span.end) is None else []


def _get_stated_words(document: Document, claim: Span) -> str:
    """The claim without what it does not state: link targets, struck words, and code unless it quotes output."""

    def code(match: re.Match[str]) -> str:
        start = claim.start + match.start()
        inner = document.text[start : start + len(match[0])].strip("` ")
        if len(inner) <= _LONGEST_QUOTE and (_QUOTED.match(inner) or _PLAIN.match(inner)):
            return inner
        return "\0"

    text = _CODE.sub(code, document.prose[claim.start : claim.end])
    return _STRUCK.sub(" ", _TARGET.sub("] ", text)).replace("*", "").replace("\n>", "\n ")


def _count_unsearched_text(parts: list[CitedLines], seen: Seen) -> int:
    """How much text has to be searched that was not before."""
    total = 0
    for evidence, lines in parts:
        if (id(evidence), lines) not in seen:
            for line in evidence.block(lines):
                total += len(line) + 1
                if total > _MOST_TEXT:
                    return total
    return total


def _get_shown_figures(part: CitedLines, seen: Seen) -> ShownFigures:
    evidence, lines = part
    if (id(evidence), lines) not in seen:
        # The evidence is kept too: as long as it is, nothing else goes by the same identity.
        seen[id(evidence), lines] = evidence, ShownFigures(evidence.block(lines))
    return seen[id(evidence), lines][1]


def _message(missing: list[str], chain: list[CheckedCitation], shown: list[ShownFigures]) -> str:
    named = [shorten(one, _WIDEST) for one in dict.fromkeys(missing)]
    more = ", …" if len(named) > _LISTED else ""
    what = ", ".join(named[:_LISTED]) + more
    be = "is" if len(named) == 1 else "are"
    lines = chain[0].citation.lines
    where = "they hold"
    if len(chain) == 1 and lines is not None:
        where = f"L{lines.first} holds" if lines.first == lines.last else f"L{lines.first}-L{lines.last} hold"
    there = [shorten(one, _WIDEST) for one in dict.fromkeys(one for place in shown for one in place.raw[: _LISTED + 1])]
    if not there:
        return f"{what} {be} not in the cited lines ({where} no figure)"
    listed = ", ".join(there[:_LISTED]) + (", …" if len(there) > _LISTED else "")
    return f"{what} {be} not in the cited lines ({where}: {listed})"
