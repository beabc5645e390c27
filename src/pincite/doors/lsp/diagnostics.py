"""A report as diagnostics: where the problem is, what it is, and where the evidence stands."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from ..._version import __version__
from ...core.model import Lines, Severity
from ...engine.candidates import list_candidate_places
from ...report._problems import detail_lines, format_repair, is_unchecked, problems, repairable, withheld
from ...safe.escape import escape_text
from .locations import uri_of
from .positions import range_of_lines

if TYPE_CHECKING:
    from ...core.model import Finding, Report
    from ...report._problems import ReportedProblem
    from .positions import TextIndex

SOURCE = "pincite"
_MOST = 2000
"""Diagnostics of one document."""
_MOST_RELATED = 10
_PAGES = f"https://github.com/pincite/pincite/blob/v{__version__}/docs/reference/checks.md#"
"""Where the page of each check stands, as this version has it."""
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}
_GONE = (
    "file-not-found",
    "lines-deleted",
    "heading-not-found",
    "symbol-not-found",
    "path-not-found",
    "target-not-found",
)
"""Checks that say that what is cited is there no more: clients strike such a citation out."""


class DiagnosticSupport(Struct, frozen=True):
    """What a client does with diagnostics."""

    related: bool = False
    tags: frozenset[int] = frozenset()
    pulls: bool = False
    """Whether it asks for them, and can be asked to ask again when history has answered; then none are sent unasked."""
    pages: bool = False
    """Whether it leads to the page of a check."""


def read_support(client: types.ClientCapabilities) -> DiagnosticSupport:
    """What the client says of itself."""
    document = client.text_document
    pushed = document.publish_diagnostics if document is not None else None
    pulled = document.diagnostic if document is not None else None
    workspace = client.workspace.diagnostics if client.workspace is not None else None
    said = [one for one in (pushed, pulled) if one is not None]
    tags = {int(tag) for one in said if one.tag_support is not None for tag in one.tag_support.value_set}
    return DiagnosticSupport(
        any(one.related_information for one in said),
        frozenset(tags),
        pulled is not None and workspace is not None and bool(workspace.refresh_support),
        any(one.code_description_support for one in said),
    )


def make_diagnostics(report: Report, text: TextIndex, root: str, support: DiagnosticSupport) -> list[types.Diagnostic]:
    """Every problem of a document, by place."""
    found: list[types.Diagnostic] = []
    for problem in problems(report):
        if len(found) >= _MOST:
            break
        found.append(_make_diagnostic(problem, text, root, support))
    return found


def make_result_id(diagnostics: list[types.Diagnostic]) -> str:
    """The same for the same diagnostics, and another for others."""
    return sha256(repr(diagnostics).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def find_range(problem: ReportedProblem, text: TextIndex) -> types.Range:
    """Where a problem stands in a text; the first line where it is about the whole document."""
    if not problem.line:
        return text.range(0, len(text.line(0)))
    start = text.start_of(problem.line, problem.column)
    return text.range(start, start + len(problem.raw))


def find_finding(problem: ReportedProblem) -> Finding | None:
    """The finding behind a problem."""
    findings = problem.verdict.findings if problem.verdict is not None else ()
    return next((one for one in findings if (one.check, one.message) == (problem.check, problem.message)), None)


def _make_diagnostic(
    problem: ReportedProblem, text: TextIndex, root: str, support: DiagnosticSupport
) -> types.Diagnostic:
    severity = types.DiagnosticSeverity.Hint if is_unchecked(problem) else _SEVERITIES[problem.severity]
    wanted = [types.DiagnosticTag.Deprecated] if problem.check in _GONE else []
    tags = [tag for tag in wanted if int(tag) in support.tags]
    related = _list_related(problem, root) if support.related else []
    return types.Diagnostic(
        find_range(problem, text),
        "\n".join(_describe(problem, bool(related))),
        severity=severity,
        code=problem.check,
        code_description=types.CodeDescription(f"{_PAGES}{problem.check}") if support.pages else None,
        source=SOURCE,
        tags=tags or None,
        related_information=related or None,
    )


def _describe(problem: ReportedProblem, related: bool) -> list[str]:
    """What is wrong and how to mend it; candidates that are shown as related places are left out."""
    lines = [problem.message]
    finding = find_finding(problem)
    if not related or finding is None or not list_candidate_places(finding):
        lines += detail_lines(problem)
    if problem.edit is not None:
        lines.append(f"fix: {format_repair(problem)}")
        if not repairable(problem):
            lines.append(f"not made by itself: {withheld(problem)}")
    return [escape_text(line) for line in lines]


def _list_related(problem: ReportedProblem, root: str) -> list[types.DiagnosticRelatedInformation]:
    """Where the evidence stands: now, as it is cited, or at the places that may be meant."""
    finding, verdict = find_finding(problem), problem.verdict
    if finding is None or verdict is None or verdict.citation.source.scheme == "mirror":
        return []
    places: list[tuple[str, Lines | None, str]] = []
    if finding.place is not None:
        places.append((finding.place.path, finding.place.lines, "what is cited stands here now"))
    elif verdict.seen is not None:
        places.append((verdict.seen.path, verdict.citation.lines, "this is cited"))
    candidates = list_candidate_places(finding)[:_MOST_RELATED]
    places += [(place.path, place.lines, "this may be meant") for place in candidates]
    return [
        types.DiagnosticRelatedInformation(types.Location(uri_of(root, path), range_of_lines(lines)), said)
        for path, lines, said in places
    ]
