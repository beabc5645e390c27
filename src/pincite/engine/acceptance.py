"""Findings that a reader accepted: settled while the cited text is what was read and the citation is written the same.

Where either changed, the finding is reported again and says that it was accepted before.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..checks import CLAIM_CHECKS, READER_DECIDES
from ..checks.wording import add_accepted_before
from ..core.model import Citation, Obstacle, target_of
from ..papers.evidence import PaperEvidence
from ..store.accepted_file import Acceptance
from ..store.lock_entry import digest_of, name_of
from ..text.evidence import Evidence, SymbolEvidence
from ..text.sentences import claim_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..checks import CheckedCitation
    from ..core.model import Finding
    from ..text.document import Document

UNSAID = "read again, and still true"
"""The reason where none was given."""
_SENTENCE = 16


class AcceptedInDocument:
    """What readers accepted in one document, with all of its citations that may have findings."""

    def __init__(self, document: Document, rows: Sequence[CheckedCitation], accepted: Sequence[Acceptance]) -> None:
        self._document = document
        self._rows = rows
        self._written = Counter(row.citation.raw for row in rows)
        self._by_citation: dict[str, list[Acceptance]] = {}
        self._by_place: dict[str, list[Acceptance]] = {}
        """Those in words that the document has no more."""
        for one in accepted:
            if one.citation in self._written:
                self._by_citation.setdefault(one.citation, []).append(one)
            else:
                self._by_place.setdefault(one.cites, []).append(one)

    def settle(self) -> None:
        """Mark the findings that a reader accepted, and those that were accepted for another text."""
        for row in self._rows:
            if any(finding.check in READER_DECIDES for finding in row.findings) and (known := self._given_for(row)):
                same = self._in_force(row, known)
                row.findings = tuple([self._settle(row, finding, known, same) for finding in row.findings])

    def find(self, row: CheckedCitation) -> Acceptance | None:
        """The acceptance of a citation that is in force, whatever was found about it; None where there is none."""
        return next(iter(self._in_force(row, self._given_for(row))), None)

    def _given_for(self, row: CheckedCitation) -> list[Acceptance]:
        """The acceptances that were given for a citation, or for its place in words that the document has no more.

        Where the document writes a citation several times, the sentence tells which one was read.
        """
        raw = row.citation.raw
        known = self._by_citation.get(raw, [])
        if known and self._written[raw] > 1:
            sentence = digest_sentence(self._document, row.citation)
            known = [one for one in known if one.sentence == sentence]
        return known or (self._by_place.get(name_place(row), []) if self._by_place else [])

    def _in_force(self, row: CheckedCitation, known: Sequence[Acceptance]) -> list[Acceptance]:
        """Those of them whose text stands there and whose citation is written the same."""
        digest = digest_cited(row.citation, row.evidence) if known else ""
        return [one for one in known if one.digest == digest and one.citation == row.citation.raw]

    def _settle(
        self, row: CheckedCitation, finding: Finding, known: Sequence[Acceptance], same: Sequence[Acceptance]
    ) -> Finding:
        if finding.check not in READER_DECIDES:
            return finding
        sentence = digest_sentence(self._document, row.citation) if finding.check in CLAIM_CHECKS else ""
        for one in same:
            if one.sentence == sentence or not sentence:
                return replace(finding, accepted=one.reason or UNSAID)
        last = known[-1]
        if same:
            changed = "sentence"
        else:
            changed = "cited text" if row.citation.quote is None else "quote or the cited text"
            changed = changed if last.citation == row.citation.raw else "citation"
        return add_accepted_before(finding, changed, last.reason)


def make_acceptance(document: Document, row: CheckedCitation, reason: str) -> Acceptance | None:
    """The acceptance of a citation as it stands; None where there is no text to accept."""
    digest = digest_cited(row.citation, row.evidence)
    if not digest:
        return None
    sentence = digest_sentence(document, row.citation)
    return Acceptance(document.path, row.citation.raw, name_place(row), digest, sentence, reason)


def digest_cited(citation: Citation, evidence: Evidence | Obstacle) -> str:
    """SHA-256 of the cited text, and of the words that are quoted from it; empty where nothing stands there."""
    if isinstance(evidence, Obstacle):
        return ""
    lines = evidence.cited if isinstance(evidence, SymbolEvidence) else citation.lines
    if isinstance(evidence, PaperEvidence):
        digest = evidence.reader.file_digest(evidence.paper)[1] or evidence.digest
    elif lines is not None:
        block = evidence.block(lines)
        if len(block) < lines.last - lines.first + 1 or not any(map(str.strip, block)):
            return ""
        digest = digest_of(block)
    else:
        digest = evidence.digest
    if citation.quote is None:
        return digest
    words = "\0".join((digest, citation.quote.exact, *citation.quote.others))
    return sha256(words.encode(errors="surrogatepass")).hexdigest()


def digest_sentence(document: Document, citation: Citation) -> str:
    """The beginning of the SHA-256 of the sentence that a citation stands behind, or of its line."""
    claim = claim_before(document, citation.span.start)
    text = document.line_of(citation.span.start) if claim is None else document.text[claim.start : claim.end]
    return sha256(" ".join(text.split()).encode(errors="surrogatepass")).hexdigest()[:_SENTENCE]


def name_place(row: CheckedCitation) -> str:
    """The cited place, by the path of the file that was read."""
    citation, evidence = row.citation, row.evidence
    if isinstance(evidence, Evidence) and not isinstance(evidence, PaperEvidence) and citation.lines is not None:
        return name_of(evidence.source.key, citation.lines)
    return target_of(citation)
