"""`show`: the evidence behind one citation, and evidence as a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...core.model import Lines, Obstacle
from ...engine.read_receipts import ReadReceipt
from ...engine.shown_evidence import CONTEXT, bound_excerpt, find_evidence, list_excerpt, open_evidence_engine
from ...safe.escape import escape_text
from ...text.lines import format_count
from .jobs import JobResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...engine.pipeline import Engine
    from ...engine.shown_evidence import ShownEvidence
    from ...text.evidence import Evidence
    from .workspace import Workspace

MOST_ROWS = 120
"""Rows of one answer; more lines are a resource, or another call."""
_WIDEST = 500
_MOST_RESOURCE_ROWS = 2000


def show_citation(workspace: Workspace, text: str) -> JobResult:
    """The evidence behind a citation, marked as text of a file."""
    with workspace.open() as project:
        engine = open_evidence_engine(project)
        try:
            shown = find_evidence(engine, text)
            rows = [escape_text(row, _WIDEST) for row in _list_rows(engine, shown)]
        finally:
            engine.close()
    covered, cut = _find_receipt(shown), len(rows) - MOST_ROWS
    rows = rows[:MOST_ROWS]
    if cut > 0:
        rows.append(f"… {format_count(cut, 'more row')}: show fewer lines at once")
    rows += [f"{one.outcome.label}: {workspace.conceal(one.message)}" for one in shown.findings]
    receipt = ""
    if covered is not None:
        receipt = workspace.receipts.mint(covered)
        rows.append(f"receipt {receipt} for lines {covered.lines.text}")
    return JobResult("\n".join(rows), _list_fields(workspace, shown, receipt), receipt)


def read_evidence(workspace: Workspace, handle: str) -> str:
    """The lines that a receipt covers, with their numbers; raises UsageError where they are no longer there."""
    receipt = workspace.receipts.find(handle)
    if receipt is None:
        raise UsageError("there is no such evidence, or no longer")
    with workspace.open() as project:
        engine = open_evidence_engine(project)
        try:
            evidence = engine.world.file(receipt.path)
        finally:
            engine.close()
        if isinstance(evidence, Obstacle) or evidence.digest != receipt.digest:
            raise UsageError(f"{escape_text(receipt.path)} changed since it was shown; show it again")
        return "\n".join(number_lines(evidence, receipt.lines, _MOST_RESOURCE_ROWS))


def number_lines(evidence: Evidence, lines: Lines, most: int) -> list[str]:
    """Lines of a file as rows with numbers, so many at most."""
    width = len(str(lines.last))
    block = evidence.block(lines)
    rows = [f"{at:{width}} │ {escape_text(line, _WIDEST)}" for at, line in enumerate(block[:most], lines.first)]
    return rows + ([f"… {format_count(len(block) - most, 'more line')}"] if len(block) > most else [])


def _list_rows(engine: Engine, shown: ShownEvidence) -> Iterator[str]:
    """The evidence as `pincite show` prints it."""
    from ...papers.evidence import PaperEvidence

    evidence = shown.evidence
    if isinstance(evidence, Obstacle):
        if evidence.kind == "chunk-ambiguous":
            from ...domains.capture.shown_output import list_candidates

            for name, origin, line in list_candidates(engine.world, shown.citation.source.key):
                yield f"{name}  {origin}"
                yield f"  {line}"
    elif isinstance(evidence, PaperEvidence):
        from ...domains.corpus.shown_paper import text

        yield from text(shown.citation, evidence, False)
    elif evidence.record is None:
        yield from (row for row, _ in list_excerpt(shown.citation, evidence, CONTEXT, CONTEXT))
    else:
        from ...domains.capture.shown_output import CapturedView

        with CapturedView(engine.world, shown.citation, evidence, evidence.record) as view:
            yield from view.text(None, None, False, MOST_ROWS)


def _find_receipt(shown: ShownEvidence) -> ReadReceipt | None:
    """What was shown of a file, as far as its rows fit into the answer; None for anything else."""
    from ...papers.evidence import PaperEvidence

    evidence, cited = shown.evidence, shown.citation.lines
    if isinstance(evidence, Obstacle | PaperEvidence) or evidence.record is not None or cited is None:
        return None
    lines = bound_excerpt(cited, len(evidence.lines), CONTEXT, CONTEXT)
    if lines.last < lines.first or shown.citation.source.scheme not in ("file", "symbol"):
        return None
    # The first row is the head.
    return ReadReceipt(
        evidence.source.key, evidence.digest, Lines(lines.first, min(lines.last, lines.first + MOST_ROWS - 2))
    )


def _list_fields(workspace: Workspace, shown: ShownEvidence, receipt: str) -> dict[str, Any]:
    evidence, cited = shown.evidence, shown.citation.lines
    block: Sequence[str] = ()
    if not isinstance(evidence, Obstacle) and cited is not None:
        block = evidence.block(cited)[:MOST_ROWS]
    fields: dict[str, Any] = {
        "citation": escape_text(shown.citation.raw),
        "text": [escape_text(line, _WIDEST) for line in block],
        "findings": [
            {"check": one.check, "outcome": one.outcome.label, "message": workspace.conceal(one.message)}
            for one in shown.findings
        ],
    }
    if cited is not None:
        fields["lines"] = [cited.first, cited.last]
    return {**fields, "receipt": receipt} if receipt else fields
