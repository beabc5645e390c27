"""For code scanning: SARIF 2.1.0 with the problems, where their evidence stands, and the edits that repair them.

Citations that hold or merely could not be checked are left out. Each result carries the fingerprint `pincite/v1`,
made of document, check and citation, so that it keeps its identity when lines shift. Paths are relative to `SRCROOT`.
GitHub shows 5,000 results of a run and takes 20 runs of a file: more than 5,000 results are split over several runs,
the gravest first, and what does not fit into 20 is counted in a notification of the first run. What a change keeps from
being reported (`--base`, `--since`) is a notification as well, with the numbers in its properties.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec.json import encode

from ..core.model import Severity
from ..safe.escape import escape_text, json_safe, whole
from ..safe.spool import Spool
from ..text.lines import line_starts, position
from ._fingerprint import Fingerprints
from ._problems import ReportedProblem, detail_lines, gravity, is_unchecked, page, problems, repairable
from ._words import hidden_parts, hiding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.model import Report, Summary
    from . import Options

NEEDS_ALL = False

RESULTS_PER_RUN = 5_000
RUNS = 20

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_GITHUB_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}


class SarifReporter:
    """Keeps the encoded results, sorted by gravity, up to what a file may hold; writes all at the end."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._options = options
        self._fingerprints = Fingerprints()
        self._rules: dict[str, tuple[int, Severity]] = {}
        self._kept: dict[tuple[int, int], Spool] = {}
        self._total = 0

    def document(self, report: Report) -> None:
        """Take in the document's problems."""
        for problem in problems(report):
            if is_unchecked(problem):
                self._fingerprints.of(problem.document, problem.check, problem.raw)
                continue
            self._total += 1
            key = gravity(problem)
            bucket = self._kept.get(key) or self._kept.setdefault(key, Spool())
            if bucket.pieces < RESULTS_PER_RUN * RUNS:
                index, _ = self._rules.setdefault(problem.check, (len(self._rules), problem.severity))
                fingerprint = self._fingerprints.of(problem.document, problem.check, problem.raw)
                bucket.add(_encode_json(_result(problem, index, fingerprint)) + "\n")
        if not report.more:
            self._fingerprints.forget()

    def close(self, summary: Summary) -> None:
        """Write the file."""
        kept = min(sum(bucket.pieces for bucket in self._kept.values()), RESULTS_PER_RUN * RUNS)
        results = (result for key in sorted(self._kept) for result in self._kept[key].lines())
        runs = max(-(-kept // RESULTS_PER_RUN), 1)
        rules = [_rule(check, level, self._options.pages) for check, (_, level) in self._rules.items()]
        self._write(f'{{"version":"2.1.0","$schema":"{_SCHEMA}","runs":[')
        for number in range(runs):
            head = _run(rules, self._options.version, summary)
            if number:
                # The first run has no id, so that a category given at upload still counts; the others need one each.
                head["automationDetails"] = {"id": f"pincite-part-{number + 1}/"}
            else:
                notices = [*_hiding(summary), *_notices(self._total, kept, runs)]
                head["invocations"][0]["toolExecutionNotifications"] = notices
            part = list(islice(results, RESULTS_PER_RUN))
            self._write(("," if number else "") + "\n" + _encode_json(head)[:-1] + ',"results":[')
            self._write(("\n" if part else "") + ",\n".join(part) + "]}")
        self._write("\n]}\n")


def _run(rules: list[dict[str, Any]], version: str, summary: Summary) -> dict[str, Any]:
    driver: dict[str, Any] = {"name": "pincite", "rules": rules}
    if version:
        driver["version"] = escape_text(version)
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder that was checked."}}},
        "invocations": [{"executionSuccessful": summary.exit_code < 2, "exitCode": summary.exit_code}],
    }


def _hiding(summary: Summary) -> Iterator[dict[str, Any]]:
    """What this change keeps from being reported: for a reader, and as data."""
    if summary.hidden:
        yield {
            "level": "error" if summary.hidden.fails else "warning",
            "message": {"text": f"{hiding(summary)}.".replace("](", "\\](")},
            "properties": {"hidden": {name: _inert(value) for name, value in hidden_parts(summary.hidden).items()}},
        }


def _inert(value: str | int | tuple[str, ...]) -> str | int | list[str]:
    if isinstance(value, tuple):
        return [escape_text(one) for one in value]
    return escape_text(value) if isinstance(value, str) else value


def _notices(total: int, kept: int, runs: int) -> Iterator[dict[str, Any]]:
    if runs > 1:
        yield {
            "level": "note",
            "message": {
                "text": f"{total:,} results are more than the {RESULTS_PER_RUN:,} shown of one run: they are split"
                f" over {runs} runs, the gravest first."
            },
        }
    if kept < total:
        yield {
            "level": "warning",
            "message": {
                "text": f"{total - kept:,} of {total:,} results, the least grave, are left out: a file holds"
                f" {RUNS} runs of {RESULTS_PER_RUN:,} results. `pincite check --format json` has them all."
            },
        }


def _rule(check: str, severity: Severity, pages: Callable[[str], str] | None) -> dict[str, Any]:
    text = page(check, pages)
    body = "\n".join(escape_text(line) for line in text.split("\n"))
    first = body.split("\n", 1)[0]
    return {
        "id": escape_text(check),
        "name": escape_text(check, 255),
        "shortDescription": {"text": escape_text(first, 1000)},
        "fullDescription": {"text": escape_text(" ".join(body.split("\n\n")[0].split()), 1000)},
        "help": {"text": body, "markdown": body},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"tags": ["citations"], "problem.severity": _GITHUB_SEVERITY[severity]},
    }


def _result(problem: ReportedProblem, rule: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": escape_text(problem.check),
        "ruleIndex": rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": _message(problem)},
        "locations": [_location(problem.document, _region(problem))],
        "partialFingerprints": {"pincite/v1": fingerprint},
        "properties": {"outcome": problem.label},
    }
    related = _evidence(problem)
    if related is not None:
        result["relatedLocations"] = [related]
    fix = _fix(problem)
    if fix is not None:
        result["fixes"] = [fix]
    return result


def _message(problem: ReportedProblem) -> str:
    lines = [problem.message, *detail_lines(problem)]
    # An unescaped "](" would make a viewer see a link where there is untrusted text.
    return "\n".join(escape_text(line) for line in lines).replace("](", "\\](")


def _location(path: str, region: dict[str, int] | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if region:
        physical["region"] = region
    return {"physicalLocation": physical}


def _artifact(path: str) -> dict[str, str]:
    try:
        data = path.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        data = path.encode(errors="surrogatepass")
    if path.startswith("/"):
        return {"uri": "file://" + quote(data)}
    return {"uri": quote(data), "uriBaseId": "SRCROOT"}


def _region(problem: ReportedProblem) -> dict[str, int]:
    if problem.line < 1:
        return {"startLine": 1}
    return _span(problem, 0, len(problem.raw))


def _span(problem: ReportedProblem, start: int, end: int) -> dict[str, int]:
    """Lines and columns of a part of the citation's raw text, given by offsets into it."""
    starts = line_starts(problem.raw)
    first, left = position(starts, start)
    last, right = position(starts, end)
    shift = max(problem.column, 1) - 1
    return {
        "startLine": problem.line + first - 1,
        "startColumn": left + (shift if first == 1 else 0),
        "endLine": problem.line + last - 1,
        "endColumn": right + (shift if last == 1 else 0),
    }


def _evidence(problem: ReportedProblem) -> dict[str, Any] | None:
    """Where the evidence that was looked at stands; its lines only if they are there."""
    verdict = problem.verdict
    if verdict is None or verdict.seen is None or verdict.citation.source.scheme != "file":
        return None
    lines = verdict.citation.lines
    region = None
    if lines is not None and verdict.excerpt and 1 <= lines.first <= lines.last:
        region = {"startLine": lines.first, "endLine": lines.last}
    text = "The cited lines as they are now." if region else "The cited file."
    return {"id": 1, **_location(verdict.seen.path, region), "message": {"text": text}}


def _fix(problem: ReportedProblem) -> dict[str, Any] | None:
    edit, verdict = problem.edit, problem.verdict
    if edit is None or verdict is None:
        return None
    start, end = edit.span.start, edit.span.end
    whole_span = verdict.citation.span
    deleted: dict[str, int] = {"charOffset": start, "charLength": end - start}
    if whole_span.start <= start <= end <= whole_span.end:
        deleted.update(_span(problem, start - whole_span.start, end - whole_span.start))
    change = {"deletedRegion": deleted, "insertedContent": {"text": whole(edit.replacement)}}
    words = "Point at where the evidence stands now"
    if not repairable(problem):
        words = f"Not made: {edit.withheld}" if edit.withheld else "Needs a reader before it is used"
    return {
        "description": {"text": whole(f"{words}.")},
        "artifactChanges": [{"artifactLocation": _artifact(problem.document), "replacements": [change]}],
    }


def _encode_json(data: object) -> str:
    return json_safe(encode(data).decode())


Reporter = SarifReporter
