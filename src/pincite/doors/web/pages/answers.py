"""A model's response with its documents: each sentence beside its evidence."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ....core.errors import UsageError
from ....domains.retrieval.answers import check_responses, open_repository, provider_names
from ....domains.retrieval.answers.answer_rows import count_outcomes, summarize
from ....domains.retrieval.answers.library import DocumentLibrary
from ....domains.retrieval.answers.load import PlainText
from ....engine.draft import check_draft
from ....project.documents import root_key
from ....safe.escape import escape_text, json_text
from ....text.lines import decode, format_count
from ..answer_views import PLAIN_TEXT, AnswerView, view_report, view_text
from ..records import Upload
from ..routes import MEGABYTE, ActionRoute, PageRoute, Refusal

if TYPE_CHECKING:
    from ....domains.retrieval.answers.model import AnswerReport
    from ....project.project import Project
    from ..routes import PageContext

_SOURCE = "response"
_MOST_BYTES = 12 * MEGABYTE
_MOST_FILES = 20
_MOST_PATHS = 200
_MOST_ANSWERS = 50
"""Answers of one file that are shown."""
SAMPLE = """{"request": {"messages": [{"role": "user", "content": [
  {"type": "document", "title": "guide.md", "citations": {"enabled": true},
   "source": {"type": "text", "media_type": "text/plain",
              "data": "The limit is 250. A gauge at its limit stays there."}},
  {"type": "text", "text": "What does a full gauge do?"}]}]},
 "response": {"type": "message", "role": "assistant", "content": [
  {"type": "text", "text": "A full gauge stays full.", "citations": [
    {"type": "char_location", "cited_text": "A gauge at its limit stays there.", "document_index": 0,
     "document_title": "guide.md", "start_char_index": 18, "end_char_index": 51}]},
  {"type": "text", "text": " Its limit is 350.", "citations": [
    {"type": "char_location", "cited_text": "The limit is 350.", "document_index": 0,
     "document_title": "guide.md", "start_char_index": 0, "end_char_index": 17}]},
  {"type": "text", "text": " It is painted green."}]}}
"""
"""A response with one citation that holds, one that does not, and a sentence without any."""


class AnswersQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class AnswersPage(Struct, frozen=True):
    """What can be checked."""

    providers: tuple[str, ...]
    """Whose responses are read, besides plain text."""
    most_bytes: int
    """The most that one request may hold."""
    most_files: int
    sample: str
    """A response to try."""


class AnswersForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A response and the documents that it claims to quote."""

    response: str | dict[str, Any] = ""
    """What the model gave back: JSON of a provider, several of them one per line, or plain text with citations."""
    response_file: tuple[Upload, ...] = ()
    """The same as a file."""
    documents: tuple[Upload, ...] = ()
    """The documents that were sent, in order."""
    paths: str = ""
    """Documents that are files or folders of the root, one per line; they come before those that are sent along."""
    provider: str = ""
    """Whose response it is; found by its shape where empty."""


class AnswersRecord(Struct, frozen=True):
    """Checked answers, each sentence beside its evidence."""

    summary: str
    compared: str
    """What the answers were compared with."""
    citations: int
    outcomes: dict[str, int]
    defects: int
    uncited: int
    answers: tuple[AnswerView, ...]
    more: int
    """How many answers there are beyond those."""


def show_form(context: PageContext, query: AnswersQuery) -> AnswersPage:
    """What can be sent."""
    return AnswersPage(provider_names(), _MOST_BYTES, _MOST_FILES, SAMPLE)


def check_answers(context: PageContext, form: AnswersForm) -> AnswersRecord:
    """Check the citations of a response; without documents, against what came with it or the files of the root."""
    if form.provider and form.provider not in provider_names():
        raise Refusal(422, f"provider: choose from {', '.join(provider_names())}")
    data = _read_response(form)
    with context.site.open() as project:
        try:
            return _check_responses(project, data, form)
        except PlainText:
            return _check_text(project, data, form)


def _read_response(form: AnswersForm) -> bytes:
    """The bytes of the response; raises Refusal where there is none, or where there are two."""
    files = [one for one in form.response_file if one.data or one.name]
    given = form.response if not isinstance(form.response, str) or form.response.strip() else ""
    if len(files) + bool(given) != 1:
        raise Refusal(422, "response: paste one response, or send it as one file")
    if files:
        return files[0].data
    return given.encode("utf-8", "replace") if isinstance(given, str) else json_text(given).encode()


def _check_responses(project: Project, data: bytes, form: AnswersForm) -> AnswersRecord:
    keys = _find_keys(project, form.paths)
    if len(form.documents) > _MOST_FILES:
        raise Refusal(422, f"documents: more than {_MOST_FILES}; name files of the root by their paths")
    library = DocumentLibrary()
    with ExitStack() as stack:

        @cache
        def repository() -> DocumentLibrary:
            return stack.enter_context(open_repository(project, ""))

        library.add_keys(project, keys)
        files = frozenset(one.path for one in library.documents)
        _refuse_same_names(files, form.documents)
        library.add_files([(one.name, one.data) for one in form.documents])
        is_named = bool(library.documents)
        reports: list[AnswerReport] = []
        views: list[AnswerView] = []
        for report in check_responses(data, _SOURCE, library, form.provider, None if is_named else repository):
            reports.append(report)
            if len(views) < _MOST_ANSWERS:
                used = [library, repository()] if repository.cache_info().currsize else [library]
                known = files | {one.path for one in used[-1].documents} if len(used) > 1 else files
                views.append(view_report(report, used, known))
        compared = _say_compared(library, repository() if repository.cache_info().currsize else None)
    counts = count_outcomes(reports)
    code = max((report.exit_code(False) for report in reports), default=0)
    return AnswersRecord(
        summary=summarize(reports, code),
        compared=compared,
        citations=counts["citations"],
        outcomes={label: number for label, number in counts["outcomes"].items() if number},
        defects=counts["defects"],
        uncited=counts["uncited"],
        answers=tuple(views),
        more=len(reports) - len(views),
    )


def _check_text(project: Project, data: bytes, form: AnswersForm) -> AnswersRecord:
    """Check a plain text as a document at the root, without history: it was written just now."""
    text = decode(data)
    report = check_draft(project, text, history=False).report
    if report.error:
        raise UsageError(report.error)
    outcomes: dict[str, int] = {}
    for verdict in report.verdicts:
        outcomes[verdict.outcome.label] = outcomes.get(verdict.outcome.label, 0) + 1
    compared = "plain text: its citations were held against the files of the root"
    if form.documents or form.paths.strip():
        compared += "; the documents that were named were not looked at"
    found = format_count(len(report.verdicts), "citation")
    return AnswersRecord(
        summary=f"{found} in a {PLAIN_TEXT}",
        compared=compared,
        citations=len(report.verdicts),
        outcomes=outcomes,
        defects=len(report.malformed),
        uncited=0,
        answers=(view_text(text, report),),
        more=0,
    )


def _find_keys(project: Project, paths: str) -> list[str]:
    """The keys of paths below the root; raises UsageError for one that leads out, or is not there."""
    named = [line.strip() for line in paths.splitlines() if line.strip()]
    if len(named) > _MOST_PATHS:
        raise Refusal(422, f"paths: more than {_MOST_PATHS}; name the folder that they are in")
    keys = []
    for path in named:
        try:
            key = root_key(project.root, path, project.root.path)
        except UsageError:
            raise UsageError(f"{path}: outside the root; name a path below it, from the root") from None
        if key and project.root.stat(key) is None:
            raise UsageError(f"{path}: no such file or folder below the root")
        keys.append(key)
    return keys


def _refuse_same_names(files: frozenset[str], documents: tuple[Upload, ...]) -> None:
    """Evidence is shown by the name of its document: two of one name could not be told apart."""
    known = set(files)
    for one in documents:
        if one.name in known:
            raise Refusal(422, f"documents: two are called {escape_text(one.name, 200)}; give one of them another name")
        known.add(one.name)


def _say_compared(library: DocumentLibrary, repository: DocumentLibrary | None) -> str:
    if repository is not None:
        return f"no documents were named: compared with {format_count(len(repository.documents), 'file')} of the root"
    if library.documents:
        return f"compared with {format_count(len(library.documents), 'document')}"
    return "compared with the documents that came with the response"


PAGES = (
    PageRoute(
        "answers",
        "/answers",
        "Where a model's response is pasted to be checked",
        AnswersQuery,
        AnswersPage,
        show_form,
        "answers.html",
        title="Answers",
        depends=lambda site, query: "",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "check_answers",
        "/answers",
        "Check the citations of a model's response against its documents",
        AnswersForm,
        AnswersRecord,
        check_answers,
        template="answers_checked.html",
        writes=False,
        most_bytes=_MOST_BYTES,
    ),
)
