"""`check`: what is true of a draft, or of documents; a draft comes back corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...engine.draft import UNNAMED, check_draft, correct_draft
from ...engine.read_receipts import demand_receipts
from ...engine.repair.fix import Fix, make_fix_diff
from ...engine.run import Request, Run
from ...engine.settings import merge_settings
from ...project.baseline_file import read_known
from ...report._problems import (
    blocks,
    detail_lines,
    format_citation,
    format_place,
    format_repair,
    is_unchecked,
    repairable,
    withheld,
)
from ...report._words import asides, headline, mark
from ...safe.escape import escape_text
from ...text.lines import format_count
from .jobs import JobResult

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...core.model import Report, Summary
    from ...engine.draft import CorrectedDraft
    from ...project.project import Project
    from ...report._problems import ReportedProblem
    from .jobs import Job
    from .workspace import Workspace

_WIDTH = 400
"""Characters of a line from a document."""
_DETAIL = 12
"""Lines of evidence beside one finding."""
_DRAFT = "draft"
"""What a draft without a name is called."""


def check_text(workspace: Workspace, job: Job, text: str, name: str, receipts: Sequence[str] | None) -> JobResult:
    """Check a draft and correct it as far as that needs no reader."""
    held = None if receipts is None else workspace.receipts.find_all(receipts)
    with workspace.open() as project:
        key = workspace.find_key(project, name) if name else UNNAMED
        draft = correct_draft(project, text, key)
        report, summary = draft.report, draft.summary
        after = check_draft(project, draft.text, key) if draft.changes else None
        if held is not None and after is None:
            report = demand_receipts(project.root, report, summary, held)
        _add_problems(workspace, job, report, {id(change.finding) for change in draft.changes})
        rows, fields = [_sum_up(workspace, summary)], _list_numbers(summary)
        if after is not None:
            judged = after.report
            if held is not None:
                # What was moved is held to the lines that it cites now.
                judged = demand_receipts(project.root, judged, after.summary, held)
                _add_unread(workspace, job, judged)
            rows += ["after correction: " + _sum_up(workspace, after.summary), *_list_changes(draft, key, text)]
            return JobResult("\n".join(rows), {"summary": fields, "corrected": draft.text})
    return JobResult("\n".join(rows), {"summary": fields})


def check_paths(workspace: Workspace, job: Job, paths: Sequence[str], receipts: Sequence[str] | None) -> JobResult:
    """Check documents, or all of them."""
    held = None if receipts is None else workspace.receipts.find_all(receipts)
    with workspace.open() as project:
        run = _open_run(workspace, project, paths, held is not None)
        for report in run.reports(job.step):
            job.step()
            if held is not None:
                report = demand_receipts(project.root, report, run.summary, held)
            _add_problems(workspace, job, report)
        return JobResult(_sum_up(workspace, run.summary), {"summary": _list_numbers(run.summary)})


def refuse_both(text: str, paths: Sequence[str]) -> None:
    """Raise UsageError where it is unclear what is to be checked."""
    if text and paths:
        raise UsageError("give either text or paths; `name` says which place a text will have")


def _open_run(workspace: Workspace, project: Project, paths: Sequence[str], every: bool) -> Run:
    root, config = project.root, merge_settings(project.config)
    keys = tuple(workspace.find_key(project, path) for path in paths)
    known = read_known(root, config.baseline)
    return Run(root, Request(keys, config, every=every, known=known, strict=config.strict, promises=True))


def _add_problems(workspace: Workspace, job: Job, report: Report, corrected: Collection[int] = ()) -> None:
    """Keep what is wrong with a document; what merely could not be checked is counted in the summary.

    `corrected` are the identities of findings whose edits were made.
    """
    made = {id(finding.edit) for verdict in report.verdicts for finding in verdict.findings if id(finding) in corrected}
    for block in blocks(report):
        if not is_unchecked(block[0]):
            _add_block(workspace, job, block, made)


def _add_unread(workspace: Workspace, job: Job, report: Report) -> None:
    """Keep the citations of a corrected draft that no receipt covers."""
    for block in blocks(report):
        missing = tuple(one for one in block if one.check == "receipt-missing")
        if missing:
            _add_block(workspace, job, missing, set())


def _add_block(workspace: Workspace, job: Job, block: Sequence[ReportedProblem], made: set[int]) -> None:
    """Keep all that is said about one citation."""
    first = block[0]
    checks = ", ".join(dict.fromkeys(escape_text(one.check) for one in block))
    place = format_place(first)
    place = _DRAFT + place[1:] if first.document == UNNAMED else place
    lines = [f"{escape_text(place)}  {first.label}  {checks}"]
    lines += [f"  {workspace.conceal(one.message)}" for one in block]
    if first.raw:
        lines.append(f"  cited  {escape_text(format_citation(first), _WIDTH)}")
    for one in block:
        details = detail_lines(one)
        lines += [f"    │ {escape_text(line, _WIDTH)}".rstrip() for line in details[:_DETAIL]]
        if one.edit is not None:
            how = "corrected" if id(one.edit) in made else "`fix` does it" if repairable(one) else withheld(one)
            lines.append(f"  fix    {escape_text(format_repair(one), _WIDTH) or '(removed)'}  ({escape_text(how)})")
    job.add("\n".join(lines), _list_fields(workspace, block))


def _list_fields(workspace: Workspace, block: Sequence[ReportedProblem]) -> dict[str, Any]:
    first = block[0]
    fields: dict[str, Any] = {
        "document": _DRAFT if first.document == UNNAMED else escape_text(first.document),
        "line": first.line,
        "column": first.column,
        "outcome": first.label,
        "cited": escape_text(format_citation(first), _WIDTH),
        "checks": [one.check for one in block],
        "messages": [workspace.conceal(one.message) for one in block],
    }
    fixes = [escape_text(format_repair(one), _WIDTH) for one in block if one.edit is not None]
    return {**fields, "fix": fixes[0]} if fixes else fields


def _list_numbers(summary: Summary) -> dict[str, Any]:
    named = {name: getattr(summary, name) for name in "documents citations malformed unreadable".split()}
    outcomes = {label: number for label, number in summary.outcomes.items() if number}
    return {**named, "outcomes": outcomes, "ok": summary.exit_code == 0}


def _sum_up(workspace: Workspace, summary: Summary) -> str:
    """The run in a line or a few."""
    rows = [f"{mark(summary)} {headline(summary)}" if summary.citations else headline(summary)]
    rows += [f"  {rest}" for rest in (asides(summary),) if rest]
    if summary.fixable:
        rows.append(f"  {format_count(summary.fixable, 'citation')} can be repaired: call `fix` for the diff")
    if summary.drift:
        rows.append(f"  Not compared with history: {workspace.conceal(summary.drift)}")
    return "\n".join(rows)


def _list_changes(draft: CorrectedDraft, key: str, text: str) -> list[str]:
    """The corrections as a diff, and those that were not made."""
    name = _DRAFT if key == UNNAMED else key
    diff = make_fix_diff(Fix(name, text.encode("utf-8", "replace"), draft.text.encode("utf-8", "replace"), (), ()))
    rows = ["Write it with these corrections:", *(escape_text(row) for row in diff)]
    rows += [f"not corrected: line {one.change.verdict.line}: {escape_text(one.reason)}" for one in draft.left]
    return rows
