"""Texts that are not, or not yet, on disk: an agent's draft, an unsaved buffer, what a tool is about to write.

They are judged as `check` judges documents, and corrected as `fix` corrects them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..core.errors import UsageError
from ..core.model import Report, Summary
from ..project.baseline_file import read_known
from .run import Request, Run
from .settings import merge_settings

if TYPE_CHECKING:
    from ..project.project import Project
    from .repair.dry_run import OfferedEdit, WithheldEdit

UNNAMED = "-"
"""What a draft is called that will not be a file: its paths are relative to the root."""


class CheckedDraft(Struct, frozen=True):
    """What is true of a draft."""

    report: Report
    summary: Summary


class CorrectedDraft(Struct, frozen=True):
    """A draft with its citations corrected as far as that needs no reader."""

    text: str
    report: Report
    """What is true of the draft as it came; every citation is in it."""
    summary: Summary
    changes: tuple[OfferedEdit, ...] = ()
    left: tuple[WithheldEdit, ...] = ()
    """Safe edits that were not made, and why."""


def check_draft(
    project: Project, text: str, key: str = UNNAMED, *, history: bool = True, every: bool = True, promises: bool = False
) -> CheckedDraft:
    """Check a text that goes by a key of the project; raises UsageError where it is too large.

    Without `history` cited lines are not compared with what their author saw, which may take seconds. `every` asks for
    a verdict on citations that hold, too, `promises` for the reasons why `fix` would not make a safe edit.
    """
    run = _make_run(project, text, key, history, every, promises)
    report = next(iter(run.reports()), Report(key))
    return CheckedDraft(report, run.summary)


def correct_draft(project: Project, text: str, key: str = UNNAMED) -> CorrectedDraft:
    """Check a text and make its safe edits, as far as they do no harm."""
    from .repair.plan import FixPlanner

    run = _make_run(project, text, key, True, True, False)
    report = next(iter(run.reports()), Report(key))
    planner = FixPlanner(run)
    try:
        (plan,) = planner.plan([report])
    finally:
        planner.close()
    if plan.offers is None or plan.fix is None:
        return CorrectedDraft(text, report, run.summary)
    fix = plan.fix
    return CorrectedDraft(fix.new.decode(), report, run.summary, fix.changes, (*plan.offers.left, *fix.left))


def _make_run(project: Project, text: str, key: str, history: bool, every: bool, promises: bool) -> Run:
    root, config = project.root, merge_settings(project.config)
    data = text.encode("utf-8", "replace")
    if len(data) > root.limits.document_bytes:
        raise UsageError(f"{key}: larger than {root.limits.document_bytes} bytes, which is the most that is checked")
    if not history:
        config = replace(config, drift=False)
    known = read_known(root, config.baseline)
    return Run(root, Request(config=config, every=every, known=known, promises=promises, stdin=(key, data)))
