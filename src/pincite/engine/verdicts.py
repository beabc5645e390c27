"""Verdicts: a citation, what was found about it, and the evidence that it rests on; and the report of them."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from .. import checks
from ..core.model import (
    Citation,
    Defect,
    EvidenceStamp,
    Finding,
    Malformed,
    Obstacle,
    Report,
    SilencedBy,
    UnreadText,
    Verdict,
)
from ..papers.evidence import PaperEvidence
from ..text.document import Document
from ..text.evidence import Evidence, SymbolEvidence
from ..text.ignore_comments import is_silenced

_EXCERPT = 3


def make_verdict(
    citation: Citation,
    evidence: Evidence | Obstacle,
    line: int,
    column: int,
    findings: Sequence[Finding],
    silent: Sequence[Finding],
) -> Verdict:
    """The verdict on a citation; `silent` are findings that are not reported."""
    seen = None
    excerpt: tuple[str, ...] = ()
    if type(evidence) is Evidence and (lines := citation.lines) is not None:
        # Nearly all citations, and where every one becomes a verdict, this is what they cost.
        first = max(lines.first, 1) - 1
        excerpt = tuple(evidence.lines[first : min(lines.last, first + _EXCERPT)])
        seen = EvidenceStamp(evidence.source.key, evidence.digest, evidence.retrieved)
    elif isinstance(evidence, PaperEvidence):
        # Words were looked for in the PDF; all else the corpus file says.
        path, digest = evidence.reader.file_digest(evidence.paper) if citation.quote is not None else ("", "")
        excerpt, folded = checks.quoted_passage(citation, evidence)
        seen = EvidenceStamp(path or evidence.paper.path, digest or evidence.digest, evidence.retrieved, folded)
    elif isinstance(evidence, SymbolEvidence):
        excerpt = tuple(evidence.block(evidence.cited)[:_EXCERPT])
        seen = EvidenceStamp(evidence.source.key, evidence.digest, evidence.retrieved)
    elif isinstance(evidence, Evidence) and (citation.lines is not None or (citation.section and evidence.data)):
        excerpt = tuple(evidence.block(citation.lines)[:_EXCERPT]) if citation.lines is not None else ()
        seen = EvidenceStamp(evidence.source.key, evidence.digest, evidence.retrieved)
    return Verdict(citation, line, column, tuple(findings), seen, excerpt, tuple(silent))


def make_unread_text(document: Document, citation: Citation, why: str = "") -> UnreadText:
    """What looks like a citation, with its place; without a reason it is of a file that neither is nor was."""
    reason = f"{citation.source.key}: {why}" if why else f"there is no file {citation.source.key}, and never was"
    return UnreadText(citation.raw, *document.position(citation.span.start), reason)


def fill_report(
    report: Report,
    document: Document,
    rows: list[checks.CheckedCitation],
    defects: list[Malformed],
    quiet: dict[int, frozenset[str]],
    is_reported: Callable[[str], bool],
    every: bool,
) -> None:
    """Fill the report: what is ignored is counted, what holds is counted unless every verdict was asked for.

    Comments silence the checks that `quiet` has for a line, settings those that are not `is_reported`.
    """
    verdicts: list[Verdict] = []
    for row in rows:
        findings = row.findings
        if not findings and not every:
            report.held += 1
            continue
        line, column = document.position(row.citation.span.start)
        if not findings:
            report.held += 1
            verdicts.append(make_verdict(row.citation, row.evidence, line, column, (), ()))
            continue
        loud: list[Finding] = []
        silent: list[Finding] = []
        for finding in findings:
            commented = bool(quiet) and is_silenced(quiet, line, finding.check)
            report.ignored += commented
            accepted = bool(finding.accepted) and not commented
            report.accepted += accepted
            if commented or accepted or not is_reported(finding.check):
                by = SilencedBy.COMMENT if commented else SilencedBy.READER if accepted else SilencedBy.SETTINGS
                silent.append(replace(finding, silenced_by=by))
            else:
                loud.append(finding)
        verdicts.append(make_verdict(row.citation, row.evidence, line, column, loud, silent))
    kept_defects: list[Defect] = []
    silent_defects: list[Defect] = []
    for malformed in defects:
        line, column = document.position(malformed.span.start)
        if quiet and is_silenced(quiet, line, "malformed-citation"):
            report.ignored += 1
            silent_defects.append(Defect(malformed, line, column, SilencedBy.COMMENT))
        elif is_reported("malformed-citation"):
            kept_defects.append(Defect(malformed, line, column))
        else:
            silent_defects.append(Defect(malformed, line, column, SilencedBy.SETTINGS))
    report.verdicts = tuple(verdicts)
    report.malformed = tuple(kept_defects)
    report.silenced = tuple(silent_defects)
