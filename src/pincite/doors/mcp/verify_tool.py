"""`verify_answer`: the citations in a model's answer, held against the documents that it claims to quote."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...domains.retrieval.answers import check_responses, open_repository
from ...domains.retrieval.answers.answer_rows import MOST_SHOWN, count_outcomes, list_rows, make_fields, summarize
from ...domains.retrieval.answers.library import DocumentLibrary
from ...domains.retrieval.answers.load import MOST_BYTES, PlainText
from ...safe.escape import escape_text, json_text
from .jobs import JobResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...domains.retrieval.answers.model import AnswerReport
    from .jobs import Job
    from .workspace import Workspace

_SOURCE = "answer"


def verify_response(
    workspace: Workspace, job: Job, response: object, docs: Sequence[str], texts: Mapping[str, str]
) -> JobResult:
    """Check the citations of a response; without documents, against what came with it or the files of the root."""
    data = response.encode("utf-8", "replace") if isinstance(response, str) else json_text(response).encode()
    if len(data) > MOST_BYTES:
        raise UsageError(f"the response is larger than {MOST_BYTES} bytes")
    with workspace.open() as project, ExitStack() as stack:

        @cache
        def repository() -> DocumentLibrary:
            return stack.enter_context(open_repository(project, ""))

        library = DocumentLibrary()
        library.add_keys(project, [workspace.find_key(project, path) for path in docs])
        library.add_texts(texts)
        named = bool(docs or texts)
        reports = []
        try:
            for report in check_responses(data, _SOURCE, library, "", None if named else repository):
                job.step()
                reports.append(report)
                _add_report(workspace, job, report)
        except PlainText as error:
            raise UsageError(f"{error}. The citations in a plain text are checked by `check`") from None
    code = max((report.exit_code(False) for report in reports), default=0)
    counts = count_outcomes(reports)
    outcomes = {label: number for label, number in counts["outcomes"].items() if number}
    said = summarize(reports, code)
    if not named:
        said += "\ncompared with the files of the root: neither docs nor texts were given"
    return JobResult(said, {"summary": {**counts, "outcomes": outcomes, "ok": code == 0}})


def _add_report(workspace: Workspace, job: Job, report: AnswerReport) -> None:
    """Keep each thing that is said of an answer, in the order of its rows."""
    told = _list_told(report)
    block: list[str] = []
    for row, _ in list_rows(report, False):
        if row:
            block.append(row)
        elif block:
            text = "\n".join(escape_text(line, MOST_SHOWN * 8) for line in block)
            job.add(workspace.conceal(text), next(told, {}))
            block = []


def _list_told(report: AnswerReport) -> Any:
    """The fields of what `list_rows` says, in its order."""
    fields = make_fields(report)
    if report.error:
        yield {"outcome": "unreadable", "message": escape_text(report.error, MOST_SHOWN * 8)}
        return
    for defect in report.defects:
        yield {"outcome": "defect", "path": defect.path, "kind": defect.kind, "message": escape_text(defect.message)}
    for checked, row in zip(report.citations, fields["citations"], strict=True):
        if checked.outcome:
            names = ("path", "outcome", "message", "quote", "remedy")
            yield {name: escape_text(row[name], MOST_SHOWN * 8) for name in names if row[name]}
    for sentence in report.uncited:
        yield {"outcome": "uncited", "line": sentence.line, "message": escape_text(sentence.text, MOST_SHOWN)}
