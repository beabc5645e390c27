"""For test dashboards: JUnit XML, one suite per document with citations.

Every citation with a finding is a test case: errors fail (warnings too under `--strict`), what could not be checked is
skipped, other findings pass with their message as output. Citations that hold share one passing case that counts them.
An unreadable document is an error. A run that found no citation is one skipped case, not an empty success. What a
change keeps from being reported (`--base`, `--since`) is a case of its own; the numbers are properties of its suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.model import Outcome, Severity
from ..safe.escape import escape_text
from ..safe.spool import Spool
from ..text.lines import format_count
from ._problems import ReportedProblem, blocks, describe_problem, format_citation, format_place
from ._words import headline, hidden_parts, hiding

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import HiddenFindings, Report, Summary
    from . import Options

NEEDS_ALL = True

_NAME_CHARS = 200
_COUNTS = {"failure": 0, "error": 0, "skipped": 0}


class JunitReporter:
    """Writes a suite as soon as its document is known."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._fails_at = Severity.WARNING if options.strict else Severity.ERROR
        self._cases = Spool()
        self._held = 0
        self._counts = _COUNTS.copy()
        write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pincite">\n')

    def document(self, report: Report) -> None:
        """Write the document's suite once it is complete, if it has anything to say."""
        self._held += report.held
        for block in blocks(report):
            kind = self._kind(block)
            if kind in self._counts:
                self._counts[kind] += 1
            first = block[0]
            cited = f"{first.line}:{first.column} {escape_text(format_citation(first), _NAME_CHARS)}"
            name = cited if first.line else "the document can be read"
            self._cases.add(_case(report.document, name, _body(kind, block), first.line))
        if not report.more:
            self._finish(report.document)

    def _finish(self, document: str) -> None:
        """A suite begins with the numbers of its cases."""
        held, counts = self._held, self._counts
        self._held, self._counts = 0, _COUNTS.copy()
        number = self._cases.pieces + bool(held)
        if not number:
            return
        self._write(_suite_head(document, number, counts))
        if held:
            words = format_count(held, "citation") + (" holds" if held == 1 else " hold")
            self._write(_case(document, words, ""))
        self._cases.write_to(self._write)
        self._write("  </testsuite>\n")

    def close(self, summary: Summary) -> None:
        """End the file."""
        if not summary.citations:
            body = f"      <skipped message={_quote_attribute(headline(summary))}/>\n"
            case = _case("pincite", "citations found", body)
            self._write(_suite_head("pincite", 1, {**_COUNTS, "skipped": 1}) + case + "  </testsuite>\n")
        if summary.hidden:
            self._write(_hidden_suite(summary.hidden, hiding(summary)))
        self._write("</testsuites>\n")

    def _kind(self, block: tuple[ReportedProblem, ...]) -> str:
        first = block[0]
        if first.fatal:
            return "error"
        if first.severity >= self._fails_at:
            return "failure"
        unchecked = max(problem.outcome for problem in block) is Outcome.UNCHECKED
        return "skipped" if unchecked else "system-out"


def _hidden_suite(hidden: HiddenFindings, words: str) -> str:
    """What this change keeps from being reported: a case that passes, unless it fails the run."""
    parts = []
    for name, value in hidden_parts(hidden).items():
        text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        parts.append(f"      <property name={_quote_attribute(f'hidden.{name}')} value={_quote_attribute(text)}/>\n")
    kind = "failure" if hidden.fails else "system-out"
    given = f" message={_quote_attribute(words)} type={_quote_attribute('hidden')}" if hidden.fails else ""
    body = f"      <{kind}{given}>{_escape_xml(escape_text(words))}</{kind}>\n"
    head = _suite_head("what this change hides", 1, {**_COUNTS, "failure": int(hidden.fails)})
    properties = f"    <properties>\n{''.join(parts)}    </properties>\n"
    return head + properties + _case("pincite", "nothing is hidden by this change", body) + "  </testsuite>\n"


def _suite_head(name: str, cases: int, counts: dict[str, int]) -> str:
    numbers = f'tests="{cases}" failures="{counts["failure"]}" errors="{counts["error"]}"'
    return f'  <testsuite name={_quote_attribute(name)} {numbers} skipped="{counts["skipped"]}" time="0">\n'


def _case(document: str, name: str, body: str, line: int = 0) -> str:
    place = f' file={_quote_attribute(document)} line="{line}"' if line else ""
    head = f'    <testcase classname={_quote_attribute(document)} name={_quote_attribute(name)}{place} time="0"'
    return f"{head}>\n{body}    </testcase>\n" if body else f"{head}/>\n"


def _body(kind: str, block: tuple[ReportedProblem, ...]) -> str:
    first = block[0]
    message, type_ = _quote_attribute(first.message), _quote_attribute(first.check)
    if kind == "skipped":
        return f"      <skipped message={message}/>\n"
    lines: list[str] = []
    for problem in block:
        lines += [
            escape_text(f"{format_place(problem)}: {problem.label} ({problem.check})"),
            *describe_problem(problem),
        ]
    text = _escape_xml("\n".join(lines))
    if kind == "system-out":
        return f"      <system-out>{text}</system-out>\n"
    return f"      <{kind} message={message} type={type_}>{text}</{kind}>\n"


def _quote_attribute(text: str) -> str:
    return f'"{_escape_xml(escape_text(text))}"'


def _escape_xml(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


Reporter = JunitReporter
