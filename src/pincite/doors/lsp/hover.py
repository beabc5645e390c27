"""What is known of the citation under the cursor: the verdict in words, what is cited, what changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.model import Outcome
from ...report._problems import detail_lines, format_repair, problems, repairable, withheld
from ...report.markdown import escape_markdown
from ...safe.escape import escape_text

if TYPE_CHECKING:
    from ...core.model import Report, Verdict
    from ...report._problems import ReportedProblem
    from .evidence_lookup import CitedEvidence

_MOST_LINES = 30
_WIDTH = 300
_RUN = re.compile(r"`{3,}")
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,10})\Z")
_WORDS = {
    Outcome.HOLDS: "holds",
    Outcome.UNCHECKED: "could not be checked",
    Outcome.MOVED: "moved: what is cited stands elsewhere now",
    Outcome.AMBIGUOUS: "ambiguous: several places may be meant",
    Outcome.MISMATCH: "does not match what is there",
    Outcome.MISSING: "missing: what is cited is not there",
    Outcome.BLOCKED: "cannot be read",
}


def describe_verdict(report: Report, verdict: Verdict, evidence: CitedEvidence | None, is_final: bool) -> str:
    """A citation in markdown; `is_final` says that history had its say. Text from files stands in fences."""
    parts = [f"**pincite**: {_WORDS[verdict.outcome]}" + ("" if is_final else " (history is still being read)")]
    for problem in problems(report, silenced=True):
        if problem.verdict is verdict:
            parts += _describe_problem(problem)
    if evidence is not None:
        parts += _describe_evidence(evidence)
    return "\n\n".join(parts)


def _describe_problem(problem: ReportedProblem) -> list[str]:
    quiet = f" (silenced by {problem.silenced_by.value})" if problem.silenced_by is not None else ""
    parts = [f"`{problem.check}`{quiet}: {escape_markdown(escape_text(problem.message))}"]
    if problem.accepted:
        parts.append(f"Accepted: {escape_markdown(escape_text(problem.accepted, _WIDTH))}")
    details = detail_lines(problem)
    if details:
        is_diff = any(line[:1] in ("-", "+", "@") for line in details)
        parts.append(fence_lines(details, "diff" if is_diff else "text"))
    if problem.edit is not None:
        how = "`pincite fix` makes it" if repairable(problem) else escape_markdown(escape_text(withheld(problem)))
        parts += [f"Repair ({how}):", fence_lines([format_repair(problem)], "text")]
    return parts


def _describe_evidence(evidence: CitedEvidence) -> list[str]:
    parts = []
    if evidence.title:
        parts.append(escape_markdown(escape_text(evidence.title, _WIDTH)))
    for page in evidence.pages:
        parts += [f"page {escape_markdown(escape_text(page.page))}", fence_lines(page.lines, "text")]
    if evidence.text:
        where = escape_markdown(escape_text(evidence.path or evidence.name or "captured output"))
        lines = evidence.lines
        which = f", line{'s' * (lines.first != lines.last)} {lines.text}" if lines is not None else ""
        parts += [f"{where}{which}", fence_lines(evidence.text, _find_language(evidence.path or evidence.name))]
    return parts


def fence_lines(lines: list[str] | tuple[str, ...], language: str) -> str:
    """Lines in a fence that none of them can close, with nothing invisible in them."""
    shown = [escape_text(line.expandtabs(4), _WIDTH) for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"… {len(lines) - _MOST_LINES} more")
    longest = max((len(run[0]) for line in shown for run in _RUN.finditer(line)), default=2)
    mark = "`" * (longest + 1)
    return "\n".join((f"{mark}{language}", *shown, mark))


def _find_language(path: str) -> str:
    """What a client knows a language by: the ending of the file."""
    match = _ENDING.search(path)
    return match[1].lower() if match is not None else "text"
