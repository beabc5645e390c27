"""What is said to an agent about its citations: what is wrong, the evidence, and what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Outcome, Severity
from ...report._problems import blocks, detail_lines, format_citation, format_repair, is_unchecked
from ...safe.escape import escape_text
from ...text.lines import format_count, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...core.model import Report
    from ...report._problems import ReportedProblem

MOST_LINES = 30
_WIDTH = 240
_MOST_DETAIL = 3
_PAST_END = ("line-out-of-range", "range-past-end")


def sort(
    report: Report, fresh: frozenset[int] | None, strict: bool
) -> tuple[list[tuple[ReportedProblem, ...]], list[tuple[ReportedProblem, ...]]]:
    """What is wrong with the citations on these lines (all where None): what is dead, and what is worth telling."""
    bar = Severity.WARNING if strict else Severity.ERROR
    dead, worth = [], []
    for block in blocks(report):
        first = block[0]
        height = max(1, len(split_lines(first.raw)))
        if fresh is not None and fresh.isdisjoint(range(first.line, first.line + height)):
            continue
        # What is cited is not there, or is not what it is said to be; what could not be read is neither.
        if any(one.line and one.outcome >= Outcome.MISMATCH and one.severity >= bar for one in block):
            dead.append(block)
        elif not is_unchecked(first):
            worth.append(block)
    return dead, worth


def reason(
    document: str,
    dead: Sequence[tuple[ReportedProblem, ...]],
    written: bool,
    elsewhere: Callable[[ReportedProblem], list[str]],
) -> str:
    """Why the agent has to write something else, in few lines."""
    verb = "cites" if written else "would cite"
    several = f" in {format_count(len(dead), 'place')}" if len(dead) > 1 else ""
    head = f"pincite: {escape_text(document, _WIDTH)} {verb} what is not there{several}."
    ending = "Correct the file" if written else "Nothing was written. Correct the text and write it again"
    end = (
        f"{ending}: cite lines that you have read, or make the claim without a citation.",
        "`pincite show PATH:LINES` prints what stands there; `pincite cite PATH:LINES` writes a citation that holds.",
    )
    return _fit_problems(head, dead, end, elsewhere)


def hint(document: str, worth: Sequence[tuple[ReportedProblem, ...]]) -> str:
    """What the agent may want to know though nothing is dead."""
    head = f"pincite: about the citations of {escape_text(document, _WIDTH)}:"
    return _fit_problems(head, worth, (), lambda problem: [])


def _fit_problems(
    head: str,
    blocks: Sequence[tuple[ReportedProblem, ...]],
    end: tuple[str, ...],
    elsewhere: Callable[[ReportedProblem], list[str]],
) -> str:
    """As many of the problems as fit; the others are counted."""
    lines = [head]
    for number, block in enumerate(blocks):
        item = _format_problems(block, elsewhere)
        left = len(blocks) - number
        if len(lines) + len(item) + len(end) + (left > 1) > MOST_LINES:
            lines.append(f"- and {left:,} more; `pincite check` lists all once the file is written")
            break
        lines += item
    return "\n".join((*lines, *end))


def _format_problems(
    block: tuple[ReportedProblem, ...], elsewhere: Callable[[ReportedProblem], list[str]]
) -> list[str]:
    first = block[0]
    lines = [f"- line {first.line}: {escape_text(format_citation(first), _WIDTH)}" if first.line else "- the document"]
    for problem in block[:2]:
        lines.append(f"  {escape_text(problem.message, _WIDTH)} ({problem.check})")
        lines += [f"    {escape_text(line, _WIDTH)}" for line in detail_lines(problem)[:_MOST_DETAIL]]
        lines += _evidence(problem)
        if problem.edit is not None:
            lines.append(f"  write instead: {escape_text(format_repair(problem), _WIDTH)}")
    if not any(problem.edit is not None for problem in block):
        lines += [f"  {escape_text(line, _WIDTH)}" for line in elsewhere(first)]
    return lines


def _evidence(problem: ReportedProblem) -> list[str]:
    """What stands at the cited place, unless the detail shows it."""
    verdict = problem.verdict
    if verdict is None or problem.detail or problem.check in _PAST_END or not verdict.excerpt:
        return []
    line = next(filter(str.strip, verdict.excerpt), "")
    return [f"  there stands: {escape_text(line.strip(), _WIDTH)}"] if line else []
