"""For code scanning: SARIF 2.1.0 with the problems, where their evidence stands, and the edits that repair them.

Citations that hold or merely could not be checked are left out. Each result carries the fingerprint `pincite/v1`,
made of document, check and citation, so that it keeps its identity when lines shift. Paths are relative to `SRCROOT`.
What a comment, a setting or the baseline silences is a result with `suppressions`; with a baseline every result has a
`baselineState`. `--no-suppressed` leaves these out, for readers that would show them as open. GitHub shows 5,000
results of a run and takes 20 runs of a file: more than 5,000 results are split over several runs, the gravest first and
what is suppressed last, and what does not fit into 20 is counted in a notification of the first run. What a change
keeps from being reported (`--base`, `--since`) is a notification as well, with the numbers in its properties.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec.json import encode

from ..core.model import Severity, SilencedBy
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
_SILENCED = "silenced "
"""Before the check in a fingerprint: what a comment or a setting silences has fingerprints of its own, so that those of
other findings are the same with and without it."""
_MEANING = re.compile(r"(.{1,4096}?): ([a-z][a-z0-9-]{0,80}) (.*)")
"""What a line of the baseline stands for: `docs/guide.md: lines-moved src/load.py:4`."""
_WHY = {
    SilencedBy.COMMENT: ("inSource", "Ignored by a comment in the document."),
    SilencedBy.SETTINGS: ("external", "Ignored by the settings or the command line."),
    SilencedBy.BASELINE: ("external", "Known from the baseline."),
    SilencedBy.READER: ("external", "Accepted by a reader."),
}
_OPEN, _SUPPRESSED, _ABSENT = range(3)


class SarifReporter:
    """Keeps the encoded results, sorted by gravity, up to what a file may hold; writes all at the end."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._options = options
        self._fingerprints = Fingerprints()
        self._every_fingerprint = Fingerprints()
        """As if nothing was silenced: whether an entry of the baseline is gone does not depend on that."""
        self._gone = set(options.baseline or ())
        self._rules: dict[str, tuple[int, Severity]] = {}
        self._kept: dict[tuple[int, int, int], Spool] = {}
        self._total = 0

    def document(self, report: Report) -> None:
        """Take in the document's problems."""
        for problem in problems(report, silenced=True):
            fingerprint = self._name(problem)
            if is_unchecked(problem) or (problem.silenced_by is not None and not self._options.suppressed):
                continue
            rank = _OPEN if problem.silenced_by is None else _SUPPRESSED
            index, _ = self._rules.setdefault(problem.check, (len(self._rules), problem.severity))
            if bucket := self._find_room((rank, *gravity(problem))):
                bucket.add(_encode_json(_result(problem, index, fingerprint, self._state(problem, fingerprint))) + "\n")
        if not report.more:
            self._fingerprints.forget()
            self._every_fingerprint.forget()

    def _name(self, problem: ReportedProblem) -> str:
        """The problem's fingerprint: the one that a baseline has, unless a comment or a setting silences it."""
        document, check, raw = problem.document, problem.check, problem.raw
        if self._gone:
            self._gone.discard(self._every_fingerprint.of(document, check, raw))
        own = problem.silenced_by in (None, SilencedBy.BASELINE, SilencedBy.READER)
        return self._fingerprints.of(document, check if own else _SILENCED + check, raw)

    def _state(self, problem: ReportedProblem, fingerprint: str) -> str:
        """What the baseline says of the problem; empty where there is none."""
        if self._options.baseline is None:
            return ""
        known = problem.silenced_by is SilencedBy.BASELINE or fingerprint in self._options.baseline
        return "unchanged" if known else "new"

    def _find_room(self, key: tuple[int, int, int]) -> Spool | None:
        """Count one more result; where to put it, None where a file cannot hold it."""
        self._total += 1
        bucket = self._kept.get(key) or self._kept.setdefault(key, Spool())
        return bucket if bucket.pieces < RESULTS_PER_RUN * RUNS else None

    def _keep_absent(self, summary: Summary) -> None:
        """Keep what the baseline lists and the run did not find; nothing where it did not look at everything."""
        options = self._options
        if not (options.baseline and options.complete and options.suppressed) or summary.unreadable:
            return
        for fingerprint in sorted(self._gone):
            match = _MEANING.fullmatch(options.baseline[fingerprint])
            if match is not None:
                document, check, raw = match.groups()
                index, _ = self._rules.setdefault(check, (len(self._rules), Severity.NOTE))
                if bucket := self._find_room((_ABSENT, 0, 0)):
                    bucket.add(_encode_json(_absent(document, check, raw, index, fingerprint)) + "\n")

    def _lines(self) -> Iterator[str]:
        """The encoded results, the gravest first and what is suppressed last."""
        # SARIF wants the property on all results or on none.
        mark = any(rank != _OPEN for rank, _, _ in self._kept)
        for key in sorted(self._kept):
            for line in self._kept[key].lines():
                yield f'{line[:-1]},"suppressions":[]}}' if mark and key[0] == _OPEN else line

    def close(self, summary: Summary) -> None:
        """Write the file."""
        self._keep_absent(summary)
        kept = min(sum(bucket.pieces for bucket in self._kept.values()), RESULTS_PER_RUN * RUNS)
        results = self._lines()
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


def _result(problem: ReportedProblem, rule: int, fingerprint: str, state: str) -> dict[str, Any]:
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
    if state:
        result["baselineState"] = state
    if problem.silenced_by is not None:
        result["suppressions"] = [_suppression(problem.silenced_by, problem.accepted)]
    return result


def _suppression(by: SilencedBy, reason: str = "") -> dict[str, str]:
    kind, why = _WHY[by]
    return {"kind": kind, "status": "accepted", "justification": reason or why}


def _absent(document: str, check: str, raw: str, rule: int, fingerprint: str) -> dict[str, Any]:
    """A finding that the baseline lists and the run did not find."""
    words = f"The baseline lists it and this run did not find it: {raw}"
    return {
        "ruleId": escape_text(check),
        "ruleIndex": rule,
        "level": "note",
        "message": {"text": escape_text(words).replace("](", "\\](")},
        "locations": [_location(document, None)],
        "partialFingerprints": {"pincite/v1": fingerprint},
        "properties": {"outcome": "absent"},
        "baselineState": "absent",
        "suppressions": [_suppression(SilencedBy.BASELINE)],
    }


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
