"""`fix`: the corrections of documents as a diff; written only where the server may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import PinciteError, UsageError
from ...engine.repair.fix import make_fix_diff
from ...engine.repair.fix_writer import FixWriter, list_offering_reports
from ...engine.repair.plan import FixPlanner, count_fixed
from ...engine.run import Request, Run
from ...engine.settings import merge_settings
from ...project.baseline_file import read_known
from ...safe.escape import escape_text
from ...text.lines import format_count
from .jobs import JobResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.repair.fix import Fix
    from ...engine.repair.plan import DocumentPlan
    from ...project.project import Project
    from .jobs import Job
    from .workspace import Workspace

_MOST_ROWS = 200
"""Rows of one document's diff."""


def fix_paths(workspace: Workspace, job: Job, paths: Sequence[str], write: bool) -> JobResult:
    """Plan the corrections of documents, and write them where that is asked for and allowed."""
    if write and not workspace.allow_write:
        raise UsageError(
            "nothing was written: this server was started without --allow-write. Call without `write` for the diff, "
            "and let the user run `pincite fix --interactive`, or start the server with --allow-write"
        )
    with workspace.open() as project:
        run = _open_run(workspace, project, paths)
        planner = FixPlanner(run)
        try:
            reports = list(list_offering_reports(run, progress=job.step))
            plans = []
            for plan in planner.plan(reports):
                job.step()
                plans.append(plan)
            return _apply_plans(workspace, job, plans, FixWriter(run, planner.fixer) if write else None)
        finally:
            planner.close()
            run.close()


def _open_run(workspace: Workspace, project: Project, paths: Sequence[str]) -> Run:
    root, config = project.root, merge_settings(project.config)
    keys = tuple(workspace.find_key(project, path) for path in paths)
    known = read_known(root, config.baseline)
    return Run(root, Request(keys, config, known=known, thorough=True, afresh=True))


def _apply_plans(workspace: Workspace, job: Job, plans: Sequence[DocumentPlan], writer: FixWriter | None) -> JobResult:
    """Keep every document's diff; all was planned before the first one is written."""
    fixed = documents = readers = 0
    with workspace.writing:
        try:
            for plan in plans:
                readers += _count_reader_edits(plan)
                job.step()
                if plan.fix is not None and plan.fix.changes:
                    trouble = _write(workspace, writer, plan.fix) if writer is not None else ""
                    fixed += 0 if trouble else count_fixed(plan.fix)
                    documents += not trouble
                    _add_fix(job, plan.fix, writer is not None and not trouble, trouble)
        finally:
            if writer is not None:
                writer.follow_locks()
                writer.sweep()
    what = f"{format_count(fixed, 'citation')} in {format_count(documents, 'document')}"
    if writer is not None:
        rows = [f"Fixed {what}."]
    elif fixed:
        call = "call again with write: true" if workspace.allow_write else "the user can run `pincite fix --write`"
        rows = [f"{what} can be fixed: {call}."]
    else:
        rows = ["Nothing to fix."]
    if readers:
        rows.append(f"{format_count(readers, 'edit')} left to a person: `pincite fix --interactive` asks about each.")
    return JobResult("\n".join(rows), {"written": writer is not None and fixed > 0})


def _write(workspace: Workspace, writer: FixWriter, fix: Fix) -> str:
    """Write a document; gives why it was not written, where it was not."""
    try:
        writer.write(fix)
    except PinciteError as error:
        return workspace.describe_error(error)
    return ""


def _count_reader_edits(plan: DocumentPlan) -> int:
    if plan.offers is None:
        return 0
    left = (*plan.offers.left, *(plan.fix.left if plan.fix is not None else ()))
    return sum(not change.safe for change in plan.offers.changes) + len(left)


def _add_fix(job: Job, fix: Fix, written: bool, trouble: str) -> None:
    rows = [escape_text(row) for row in make_fix_diff(fix)]
    if len(rows) > _MOST_ROWS:
        rows = [*rows[:_MOST_ROWS], f"… {format_count(len(rows) - _MOST_ROWS, 'more row')}"]
    edits = [
        {
            "line": change.verdict.line,
            "cited": escape_text(change.verdict.citation.raw, 400),
            "new": escape_text(change.edit.replacement, 400),
        }
        for change in fix.changes
    ]
    fields: dict[str, Any] = {"document": escape_text(fix.document), "written": written, "edits": edits}
    if trouble:
        rows.append(f"not written: {trouble}")
        fields["error"] = trouble
    job.keep("\n".join(rows), fields)
