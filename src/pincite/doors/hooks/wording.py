"""What an agent is told about citations: facts in few lines, nothing invisible in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...core.model import Outcome, Severity
from ...safe.escape import escape_text
from ...text.lines import format_count, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...core.model import Report
    from ...project.project import Project
    from ...report._problems import ReportedProblem

    Block = tuple[ReportedProblem, ...]
    """All that is said about one citation."""
    Elsewhere = Callable[[ReportedProblem], list[str]]
    """What to say of a problem that no edit mends."""

WIDTH = 240
MOST = 8
_MOST_LINES = 30
_MOST_DETAIL = 3
_PAST_END = ("line-out-of-range", "range-past-end")
_SHOW_AND_CITE = (
    "`pincite show PATH:LINES` prints what stands there; `pincite cite PATH:LINES` writes a citation that holds."
)


class Namesakes:
    """Files that are called like one that is not there; the tree is listed once, and only if it is needed."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def __call__(self, problem: ReportedProblem) -> list[str]:
        if problem.check != "file-not-found" or problem.verdict is None:
            return []
        name = problem.verdict.citation.source.key.partition("::")[0].rpartition("/")[2]
        found = [path for path in self._known.get(name, [])[:MOST] if self._project.root.is_file(path)][:3]
        return [f"files of that name: {', '.join(found)}"] if found else []

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        """Every path that git knows, by the file's name."""
        known: dict[str, list[str]] = {}
        git = self._project.git()
        for path in git.list_documents(("",)) if git is not None else ():
            known.setdefault(path.rpartition("/")[2], []).append(path)
        return known


def sort_problems(report: Report, fresh: frozenset[int] | None, strict: bool) -> tuple[list[Block], list[Block]]:
    """What is wrong with the citations on these lines (all where None): what is dead, and what is worth telling."""
    from ...report._problems import blocks, is_unchecked

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


def give_reason(document: str, dead: Sequence[Block], written: bool, elsewhere: Elsewhere) -> str:
    """Why the agent has to write something else, in few lines."""
    verb = "cites" if written else "would cite"
    several = f" in {format_count(len(dead), 'place')}" if len(dead) > 1 else ""
    head = f"pincite: {escape_text(document, WIDTH)} {verb} what is not there{several}."
    ending = "Correct the file" if written else "Nothing was written. Correct the text and write it again"
    end = (
        f"{ending}: cite lines that you have read, or make the claim without a citation.",
        _SHOW_AND_CITE,
    )
    return _fit_problems(head, dead, end, elsewhere)


def describe_message(dead: Sequence[Block], elsewhere: Elsewhere) -> str:
    """What is wrong with the agent's last message."""
    several = f" in {format_count(len(dead), 'place')}" if len(dead) > 1 else ""
    head = f"pincite: the last message cites what is not there{several}."
    return _fit_problems(head, dead, (_SHOW_AND_CITE,), elsewhere, "")


def give_hint(document: str, worth: Sequence[Block]) -> str:
    """What the agent may want to know though nothing is dead."""
    head = f"pincite: about the citations of {escape_text(document, WIDTH)}:"
    return _fit_problems(head, worth, (), lambda problem: [])


def _fit_problems(
    head: str,
    found: Sequence[Block],
    end: tuple[str, ...],
    elsewhere: Elsewhere,
    rest: str = "; `pincite check` lists all once the file is written",
) -> str:
    """As many of the problems as fit; the others are counted."""
    lines = [head]
    for number, block in enumerate(found):
        item = _format_problems(block, elsewhere)
        left = len(found) - number
        if len(lines) + len(item) + len(end) + (left > 1) > _MOST_LINES:
            lines.append(f"- and {left:,} more{rest}")
            break
        lines += item
    return "\n".join((*lines, *end))


def _format_problems(block: Block, elsewhere: Elsewhere) -> list[str]:
    from ...report._problems import detail_lines, format_citation, format_repair

    first = block[0]
    lines = [f"- line {first.line}: {escape_text(format_citation(first), WIDTH)}" if first.line else "- the document"]
    for problem in block[:2]:
        lines.append(f"  {escape_text(problem.message, WIDTH)} ({problem.check})")
        lines += [f"    {escape_text(line, WIDTH)}" for line in detail_lines(problem)[:_MOST_DETAIL]]
        lines += _evidence(problem)
        if problem.edit is not None:
            lines.append(f"  write instead: {escape_text(format_repair(problem), WIDTH)}")
    if not any(problem.edit is not None for problem in block):
        lines += [f"  {escape_text(line, WIDTH)}" for line in elsewhere(first)]
    return lines


def _evidence(problem: ReportedProblem) -> list[str]:
    """What stands at the cited place, unless the detail shows it."""
    verdict = problem.verdict
    if verdict is None or problem.detail or problem.check in _PAST_END or not verdict.excerpt:
        return []
    line = next(filter(str.strip, verdict.excerpt), "")
    return [f"  there stands: {escape_text(line.strip(), WIDTH)}"] if line else []
