"""What the checks say about a citation, with what may be meant and what `fix` would write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....core.model import Finding, Report
from ....engine.candidates import list_candidate_edits
from ....report._problems import detail_lines, format_repair, problems, withheld
from ....safe.escape import escape_text
from .view import EvidenceCandidate, FindingView

if TYPE_CHECKING:
    from ....core.model import Verdict
    from ....project.project import Project
    from ....report._problems import ReportedProblem
    from ....text.document import Document

_MOST_FINDINGS = 20
_MOST_DETAIL = 40
_WIDEST = 400
_CHANGED = ("-", "+")
_PLACE = re.compile(r"(\S.*?)(?::\d{1,9}(?:-\d{1,9})?)?\Z")


def list_findings(project: Project, document: Document, verdict: Verdict) -> tuple[FindingView, ...]:
    """Every finding of a verdict, the gravest first, also those that are not reported."""
    found = problems(Report(document.path, (verdict,)), silenced=True)
    return tuple(_show(project, document, verdict, one) for _, one in zip(range(_MOST_FINDINGS), found, strict=False))


def _show(project: Project, document: Document, verdict: Verdict, problem: ReportedProblem) -> FindingView:
    rows = detail_lines(problem)
    detail = [escape_text(row, _WIDEST) for row in rows[:_MOST_DETAIL]]
    if len(rows) > _MOST_DETAIL:
        detail.append(f"… {len(rows) - _MOST_DETAIL} more")
    return FindingView(
        problem.check,
        problem.outcome.label,
        problem.severity.label,
        escape_text(problem.message),
        tuple(detail),
        any(row[:1] in _CHANGED for row in rows) and all(row[:1] in (*_CHANGED, " ", "…") for row in rows if row),
        escape_text(format_repair(problem), _WIDEST),
        escape_text(withheld(problem), _WIDEST),
        problem.silenced_by.value if problem.silenced_by is not None else "",
        escape_text(problem.accepted),
        tuple(_list_candidates(project, document, verdict, problem)),
    )


def _list_candidates(
    project: Project, document: Document, verdict: Verdict, problem: ReportedProblem
) -> list[EvidenceCandidate]:
    finding = Finding(problem.check, problem.outcome, problem.severity, problem.message, problem.detail)
    found = []
    for name, edit in list_candidate_edits(project, document, verdict, finding):
        match = _PLACE.match(name)
        path = match[1] if match is not None and project.root.is_file(match[1]) else ""
        written = escape_text(format_repair(replace(problem, edit=edit)), _WIDEST)
        found.append(EvidenceCandidate(escape_text(name), path, written))
    return found
