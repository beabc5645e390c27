"""Reports that promise only what `fix` makes. Light to load: most runs find nothing to repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.model import Report, Safety

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...core.model import Edit, Finding, Verdict
    from ..run import Run

_MOST_HELD = 20_000
"""Verdicts that may wait for one plan; what is in memory does not grow with the number of documents."""


class PlannedReports:
    """Reports whose safe edits were tried: one that `fix` does not make says why. The others are counted.

    Reports pass through at once as long as none offers a safe edit; from then on they wait for the plan.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._held: list[Report] = []
        self._weight = 0
        self._released = False
        """Whether some reports were planned before the others were seen."""

    def plan(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Every report, in order."""
        for report in reports:
            if not self._held and not offers_safe_edit(report):
                yield report
                continue
            self._held.append(report)
            self._weight += 1 + len(report.verdicts)
            if self._weight >= _MOST_HELD and not report.more:
                yield from self._release(False)
        yield from self._release(True)

    def _release(self, last: bool) -> Iterator[Report]:
        """What waited, with its edits tried; `last` where nothing follows."""
        offering: dict[str, list[Verdict]] = {}
        for report in self._held:
            for verdict in report.verdicts:
                if any(finding.edit is not None for finding in verdict.findings):
                    offering.setdefault(report.document, []).append(verdict)
        asked = [
            Report(document, tuple(verdicts))
            for document, verdicts in offering.items()
            if any(map(_has_safe_edit, verdicts))
        ]
        reasons = self._find_reasons(asked, last and not self._released) if asked else {}
        held, self._held, self._weight, self._released = self._held, [], 0, True
        for report in held:
            if report.document in offering:
                report.verdicts = tuple([_withhold(verdict, reasons) for verdict in report.verdicts])
            yield report

    def _find_reasons(self, asked: list[Report], whole: bool) -> dict[int, str]:
        """Why edits are not made, by the identity of the edit; the plan of a `whole` run is kept with its answer."""
        run = self._run
        offered = [(report.document, _edits(report)) for report in asked]
        edits = [edit for _, some in offered for edit in some]
        # Documents that the run did not look at count too: only the answer of a run over all of them is enough.
        identity = run.snapshot.identity if whole and run.snapshot is not None and not run.request.paths else ""
        key = ""
        if identity:
            from ...store.fix_plans import StoredPlan, load_plan, make_plan_key, save_plan

            key = make_plan_key(identity, offered)
            kept = load_plan(run.root, key, len(edits))
            if kept is not None:
                run.summary.fixable += kept.fixable
                return {id(edit): reason for edit, reason in zip(edits, kept.reasons, strict=True) if reason}
        from .plan import FixPlanner, count_fixed, find_reasons

        reasons: dict[int, str] = {}
        fixable = 0
        planner = FixPlanner(run)
        for plan in planner.plan(asked):
            reasons |= find_reasons(plan)
            fixable += count_fixed(plan.fix)
        planner.close()
        run.summary.fixable += fixable
        if key:
            save_plan(run.root, StoredPlan(key, fixable, [reasons.get(id(edit), "") for edit in edits]))
        return reasons


def _edits(report: Report) -> list[Edit]:
    found = (finding.edit for verdict in report.verdicts for finding in verdict.findings)
    return [edit for edit in found if edit is not None]


def offers_safe_edit(report: Report) -> bool:
    """Whether a plan may change what a report says."""
    return any(map(_has_safe_edit, report.verdicts))


def _has_safe_edit(verdict: Verdict) -> bool:
    return any(finding.edit is not None and finding.edit.safety is Safety.SAFE for finding in verdict.findings)


def _withhold(verdict: Verdict, reasons: dict[int, str]) -> Verdict:
    """A verdict whose safe edits say why they are not made."""
    if all(finding.edit is None or id(finding.edit) not in reasons for finding in verdict.findings):
        return verdict
    return replace(verdict, findings=tuple([_withhold_edit(finding, reasons) for finding in verdict.findings]))


def _withhold_edit(finding: Finding, reasons: dict[int, str]) -> Finding:
    edit = finding.edit
    if edit is None or edit.safety is not Safety.SAFE or id(edit) not in reasons:
        return finding
    return replace(finding, edit=replace(edit, withheld=reasons[id(edit)]))
