"""One flat list of what is wrong with a document, and the few ways every format words it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Defect, Edit, Finding, Outcome, Report, Safety, Severity, SilencedBy, Verdict, target_of
from ..safe.escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MALFORMED = "malformed-citation"
UNREADABLE = "unreadable-document"
_BRACKET = re.compile(r"(##[A-Za-z]{0,20})\[")
_PAGES = {
    MALFORMED: "Text that is meant as a citation and cannot be read as one.\n\nIts reason says which part is wrong.",
    UNREADABLE: "A document that could not be read, so that none of its citations was checked.",
}


class ReportedProblem(Struct, frozen=True, gc=False):
    """One finding, one malformed citation, or one unreadable document (line 0)."""

    document: str
    line: int
    column: int
    check: str
    label: str
    """The outcome as reports spell it; `malformed`, `unreadable`, or the severity where the citation holds."""
    outcome: Outcome
    severity: Severity
    message: str
    detail: str = ""
    raw: str = ""
    edit: Edit | None = None
    verdict: Verdict | None = None
    fatal: bool = False
    """True where the document was not checked as a whole."""
    silenced_by: SilencedBy | None = None
    accepted: str = ""
    """Why a reader accepted it, where one did."""
    then: tuple[str, ...] = ()
    """What was cited, as far as it is known."""


def problems(report: Report, silenced: bool = False) -> Iterator[ReportedProblem]:
    """Everything found in a document by place, the gravest first where there is more than one thing to say.

    `silenced` asks for what is kept from being reported as well.
    """
    path = report.document
    if report.error:
        severity = Severity.WARNING if report.doubtful else Severity.ERROR
        what = (UNREADABLE, "unreadable", Outcome.BLOCKED, severity, report.error)
        yield ReportedProblem(path, 0, 0, *what, fatal=not report.doubtful)
    marked: list[Verdict | Defect] = [
        verdict for verdict in report.verdicts if verdict.findings or (silenced and verdict.silenced)
    ]
    malformed = (*report.malformed, *report.silenced) if silenced else report.malformed
    if malformed:
        marked.extend(malformed)
        marked.sort(key=lambda item: (item.line, item.column))
    for item in marked:
        if isinstance(item, Verdict):
            yield from _of_verdict(path, item, silenced)
        else:
            bad = item.malformed
            wrong = (MALFORMED, "malformed", Outcome.BLOCKED, Severity.ERROR, bad.reason)
            by = item.silenced_by
            yield ReportedProblem(path, item.line, item.column, *wrong, raw=bad.raw, fatal=bad.fatal, silenced_by=by)


def blocks(report: Report) -> Iterator[tuple[ReportedProblem, ...]]:
    """The same, but all that is said about one citation together."""
    for _, group in groupby(problems(report), key=lambda one: (one.line, one.column, id(one.verdict))):
        yield tuple(group)


def _of_verdict(path: str, verdict: Verdict, silenced: bool) -> Iterator[ReportedProblem]:
    findings = (*verdict.findings, *verdict.silenced) if silenced else verdict.findings
    for finding in sorted(findings, key=gravity):
        outcome = finding.outcome
        label = outcome.label if outcome else finding.severity.label
        what = (finding.check, label, outcome, finding.severity, finding.message, finding.detail)
        raw, line, column = verdict.citation.raw, verdict.line, verdict.column
        why = (False, finding.silenced_by, finding.accepted, finding.then)
        yield ReportedProblem(path, line, column, *what, raw, finding.edit, verdict, *why)


def gravity(problem: ReportedProblem | Finding) -> tuple[int, int]:
    """Sorts the gravest first."""
    return -problem.severity, -problem.outcome


def describe_problem(problem: ReportedProblem) -> list[str]:
    """What is wrong, the evidence for it, and the fix where there is one: a line each, nothing invisible in them."""
    lines = [problem.message, *detail_lines(problem)]
    if problem.edit is not None:
        lines.append(f"fix: {format_repair(problem)}")
    return [escape_text(line) for line in lines]


def format_place(problem: ReportedProblem) -> str:
    """The document, with line and column where the problem has them."""
    return f"{problem.document}:{problem.line}:{problem.column}" if problem.line else problem.document


def is_unchecked(problem: ReportedProblem) -> bool:
    """True for what merely could not be checked: nothing to act on."""
    return problem.outcome is Outcome.UNCHECKED and problem.severity is Severity.NOTE


def format_citation(problem: ReportedProblem) -> str:
    """The citation on one line: as it was written, or its target where it spans several lines."""
    raw = problem.raw
    if problem.verdict is not None and ("\n" in raw or "\r" in raw):
        return target_of(problem.verdict.citation)
    return raw


def format_repair(problem: ReportedProblem) -> str:
    """The citation on one line as the edit would leave it; empty where there is no edit."""
    edit = problem.edit
    if edit is None:
        return ""
    text = edit.replacement
    if problem.verdict is not None:
        span = problem.verdict.citation.span
        if span.start <= edit.span.start <= edit.span.end <= span.end:
            raw = problem.raw
            if problem.verdict.citation.dialect == "key-quote":
                # The quote itself may be long; the line that changes is enough.
                first = raw.rfind("\n", 0, edit.span.start - span.start) + 1
                last = raw.find("\n", edit.span.end - span.start)
                line = raw[first : last if last >= 0 else len(raw)]
                start, end = edit.span.start - span.start - first, edit.span.end - span.start - first
                return (line[:start] + text + line[end:]).strip()
            text = raw[: edit.span.start - span.start] + text + raw[edit.span.end - span.start :]
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def repairable(problem: ReportedProblem) -> bool:
    """True where `pincite fix --write` makes the edit."""
    edit = problem.edit
    return edit is not None and edit.safety is Safety.SAFE and not edit.withheld


def withheld(problem: ReportedProblem) -> str:
    """Why `pincite fix --write` does not make an edit; empty where it does, or there is none."""
    if problem.edit is None or repairable(problem):
        return ""
    return problem.edit.withheld or "needs a reader: it may not be what the author meant"


def detail_lines(problem: ReportedProblem) -> list[str]:
    """The evidence beside the expectation, fit for one column; white space is marked where nothing else differs."""
    lines = problem.detail.split("\n") if problem.detail else []
    removed = {_plain(line[1:]).rstrip() for line in lines if line[:1] == "-"}
    alike = any(_plain(line[1:]).rstrip() in removed for line in lines if line[:1] == "+")
    return [_mark_white_space(line) if alike and line[:1] in {"-", "+"} else _plain(line) for line in lines]


def _plain(line: str) -> str:
    return line.replace("\t", "    ")


def _mark_white_space(line: str) -> str:
    bare = line.rstrip(" ")
    return bare.replace("\t", "→   ") + "·" * (len(line) - len(bare))


def inert(text: str, limit: int | None = None) -> str:
    """One visible line that no CI runner takes for a command of its own (`::add-mask::`, `##[group]`)."""
    text = break_brackets(escape_text(text, limit))
    if text.lstrip().startswith("::"):
        text = text.replace(":", "\\u{3a}", 1)
    return text


def break_brackets(text: str) -> str:
    """The text without commands that count anywhere in a line (`##[group]`, `##vso[task.complete]`)."""
    return _BRACKET.sub(r"\1\\u{5b}", text) if "##" in text else text


def page(check: str, pages: Callable[[str], str] | None) -> str:
    """The documentation of a check, its first line a summary; the check's name where none is known."""
    if check in _PAGES:
        return _PAGES[check]
    text = pages(check) if pages is not None else ""
    return text.strip() or check
