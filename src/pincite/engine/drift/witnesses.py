"""Which commit wrote a citation: it is the witness of what the author saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import checks
from ...checks.lines import drift_unknown
from ...core.model import Citation, Obstacle, Outcome
from ...dialects import get_capabilities
from ...history.model import UNKNOWN, WORKTREE
from ...text.evidence import Evidence
from ...text.lines import join
from .lines import PAST_END

if TYPE_CHECKING:
    from ...checks import CheckedCitation
    from ...core.model import Finding
    from ...history.authorship import History
    from ...text.document import Document


def find_witnesses(
    history: History, document: Document, rows: list[CheckedCitation]
) -> tuple[list[tuple[str, CheckedCitation, tuple[str, str]]], int]:
    """The rows that have a commit to compare with, each with its document and with commit and path of what was cited.

    With them the number of rows that history knew an answer for. Where it does not, that becomes a finding.
    """
    asked = [row for row in rows if _has_witness(row)]
    if not asked:
        return [], 0
    told = 0
    # Where a citation runs over several lines, its place stands on the last one.
    citing = [document.line_of(row.citation.span.end - 1) for row in asked]
    known: list[tuple[str, CheckedCitation, tuple[str, str]]] = []
    if not document.blob:
        document.blob = history.blob_id(document.written.encode("utf-8", "surrogatepass"))
    for row, witness in zip(asked, history.witnesses(document.path, citing, document.blob), strict=True):
        told += witness != UNKNOWN
        if witness not in (WORKTREE, UNKNOWN):
            known.append((document.path, row, (witness, _path(history, row.citation, row.evidence))))
        elif witness == UNKNOWN and not row.findings:
            row.findings = (_explain(history, document.path),)
    return known, told


def _explain(history: History, document: str) -> Finding:
    why = history.explain_unknown(document)
    if not why and history.is_link(document):
        return drift_unknown.make_finding_in_link()
    return drift_unknown.make_finding_without_history(why)


def _path(history: History, citation: Citation, evidence: Evidence | Obstacle) -> str:
    """The cited file from the root; an address of a branch names one too."""
    if isinstance(evidence, Evidence):
        return join("", evidence.source.key if evidence.source.scheme == "file" else citation.source.key)
    return find_past_key(history, citation)


def find_past_key(history: History, citation: Citation) -> str:
    """The path of a file that is gone, from the root: of the two that may be meant, the one that ever was."""
    key, other = (join("", one.partition("::")[0]) for one in (citation.source.key, citation.alternate))
    return other if other and not history.has_existed(key) and history.has_existed(other) else key


def _has_witness(row: CheckedCitation) -> bool:
    """Whether history can add to what is known: of lines without a snippet, or of a snippet that left its line."""
    citation, evidence, findings = row.citation, row.evidence, row.findings
    if citation.lines is None:
        return False
    if isinstance(evidence, Obstacle):
        return evidence.kind == "file-not-found" and citation.source.scheme == "file"
    if evidence.source.scheme != "file":
        # What an address pins to a commit cannot change.
        return False
    if citation.quote is not None:
        return any(finding.check == "snippet-mismatch" for finding in findings)
    capabilities = get_capabilities(citation.dialect)
    if not capabilities.follows_lines:
        return False
    if capabilities.names_passages and checks.passage_line(citation, evidence) is not None:
        # Its id is made from the passage's words: they are what they were.
        return False
    return not findings or all(
        finding.outcome <= Outcome.UNCHECKED or finding.check in PAST_END for finding in findings
    )
