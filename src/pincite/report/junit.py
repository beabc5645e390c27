"""For test dashboards: JUnit XML, one suite per document with citations.

Every citation with a finding is a test case: errors fail (warnings too under `--strict`), what could not be checked is
skipped, other findings pass with their message as output. Citations that hold share one passing case that counts them.
An unreadable document is an error. A run that found no citation is one skipped case, not an empty success.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Outcome, Severity
from ..safe.escape import shown
from ..text import counted
from ._problems import Problem, blocks, cited, detail_lines, repaired
from ._words import headline

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model import Report, Summary
    from . import Options

NEEDS_ALL = True

_NAME_CHARS = 200


class Reporter:
    """Writes a suite as soon as its document is known."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._fails_at = Severity.WARNING if options.strict else Severity.ERROR
        write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pincite">\n')

    def document(self, report: Report) -> None:
        """Write the document's suite, if it has anything to say."""
        verdicts = {"failure": 0, "error": 0, "skipped": 0}
        cases: list[str] = []
        if report.held:
            words = counted(report.held, "citation") + (" holds" if report.held == 1 else " hold")
            cases.append(_case(report.document, words, ""))
        for block in blocks(report):
            kind = self._kind(block)
            if kind in verdicts:
                verdicts[kind] += 1
            cases.append(_case(report.document, _name(block[0]), _body(kind, block), block[0].line))
        if cases:
            self._write(_suite(report.document, cases, verdicts))

    def close(self, summary: Summary) -> None:
        """End the file."""
        if not summary.citations:
            body = f"      <skipped message={_quoted(headline(summary))}/>\n"
            case = _case("pincite", "citations found", body)
            self._write(_suite("pincite", [case], {"failure": 0, "error": 0, "skipped": 1}))
        self._write("</testsuites>\n")

    def _kind(self, block: tuple[Problem, ...]) -> str:
        first = block[0]
        if first.fatal:
            return "error"
        if first.severity >= self._fails_at:
            return "failure"
        unchecked = max(problem.outcome for problem in block) is Outcome.UNCHECKED
        return "skipped" if unchecked else "system-out"


def _suite(name: str, cases: list[str], verdicts: dict[str, int]) -> str:
    counts = f'tests="{len(cases)}" failures="{verdicts["failure"]}" errors="{verdicts["error"]}"'
    head = f'  <testsuite name={_quoted(name)} {counts} skipped="{verdicts["skipped"]}" time="0">\n'
    return head + "".join(cases) + "  </testsuite>\n"


def _case(document: str, name: str, body: str, line: int = 0) -> str:
    place = f' file={_quoted(document)} line="{line}"' if line else ""
    head = f'    <testcase classname={_quoted(document)} name={_quoted(name)}{place} time="0"'
    return f"{head}>\n{body}    </testcase>\n" if body else f"{head}/>\n"


def _name(problem: Problem) -> str:
    if not problem.line:
        return "the document can be read"
    return f"{problem.line}:{problem.column} {shown(cited(problem), _NAME_CHARS)}"


def _body(kind: str, block: tuple[Problem, ...]) -> str:
    first = block[0]
    message, type_ = _quoted(first.message), _quoted(first.check)
    if kind == "skipped":
        return f"      <skipped message={message}/>\n"
    text = _escaped("\n".join(line for problem in block for line in _lines(problem)))
    if kind == "system-out":
        return f"      <system-out>{text}</system-out>\n"
    return f"      <{kind} message={message} type={type_}>{text}</{kind}>\n"


def _lines(problem: Problem) -> list[str]:
    place = f"{shown(problem.document)}:{problem.line}:{problem.column}" if problem.line else shown(problem.document)
    lines = [f"{place}: {problem.label} ({shown(problem.check)})", shown(problem.message)]
    lines += [shown(line) for line in detail_lines(problem)]
    if problem.edit is not None:
        lines.append(f"fix: {shown(repaired(problem))}")
    return lines


def _quoted(text: str) -> str:
    return f'"{_escaped(shown(text))}"'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
