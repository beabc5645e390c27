"""`pincite corpus validate` and `absent`; `aiwg` calls them `validate-citations` and `corpus-check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from ...core.errors import PinciteError
from ...core.model import Report, Summary
from ...project.documents import find_documents, root_key
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.report_output import output_to
from ...text.lines import format_count
from .kit import merge, read_stdin
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...domains.corpus.validation import Detail, Validated, Validator
    from ...safe.files import Root

AUDITOR = "writing-validator"
_DATE_FORM = "YYYY-MM-DD"
_UNKNOWN = ("corpus-not-found", "paper-unreadable")
"""Where it is unknown whether a paper may be cited."""


def parse_date(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """The date a report carries: the one given, which must be one, else today's."""
    from datetime import date

    from ...domains.corpus.report_folder import today

    if value is None:
        return today()
    try:
        if len(value) == len(_DATE_FORM) and value.isascii():
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    raise click.BadParameter(f"{value[:40]!a} is no date; write it as {_DATE_FORM}")


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of what is signed: by whom and when."""
    command = click.option(
        "--date", metavar=_DATE_FORM, callback=parse_date, help="The date on the report (default: today)."
    )(command)
    return click.option(
        "--auditor", metavar="NAME", default=AUDITOR, help=f"The name on the report (default: {AUDITOR})."
    )(command)


def root_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says below which folder."""
    text = "Folder that paths are relative to (default: the repository)."
    return click.option("--root", metavar="DIR", help=text)(command)


class CorpusValidation:
    """What the commands over the corpus work on: a project, and a validator of its documents."""

    def __init__(self, root: str | None, paths: Sequence[str], receipts: bool = False) -> None:
        from ...domains.corpus.audit import open_validator

        self._project = open_project(root, paths)
        self.root = self._project.root
        config = merge(self._project.config)
        if receipts:
            config = replace(config, corpus=replace(config.corpus, require_receipts=True))
        self.config = config
        self.git = self._project.git()
        self.validator: Validator = open_validator(self.root, config, self._project.git)
        corpus = self.validator.corpus
        if corpus.closed:
            complain(corpus.closed)
        elif not corpus.exists and not corpus.bibliographies():
            complain(f"there is no corpus at {corpus.folder}: nothing may be cited; `pincite corpus add` begins one")

    def documents(self, paths: Iterable[str] = ()) -> list[str]:
        """The keys of the documents at the paths as typed, or of all there are."""
        keys = [root_key(self.root, path) for path in paths]
        return find_documents(self.root, self.git, keys, self.config.documents, self.config.exclude).documents

    def close(self) -> None:
        """Let go of git and of what is kept open."""
        self.validator.engine.close()
        self._project.close_git()


def complain(message: str) -> None:
    """Say something on standard error."""
    click.echo(f"pincite: {escape_text(message)}", err=True)


def emit(text: str, output: str | None = None, root: str = "") -> None:
    """Write a whole report to standard output or a file."""
    with output_to(output, root) as write:
        write(text)


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_path)
@click.option("--strict", is_flag=True, help="Fail on any warning.")
@click.option("--fix", is_flag=True, help="Remove invalid citations; shows the diff and asks first.")
@click.option("--yes", is_flag=True, help="With --fix: write without asking.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    help="How to report (default: text).",
)
@click.option("--require-receipts", is_flag=True, help="Accept only citations whose source was retrieved.")
@click.option("--no-log", is_flag=True, help="Do not add to .aiwg/logs/citation-validation.")
@report_options
@root_option
def validate(
    files: tuple[str, ...],
    strict: bool,
    fix: bool,
    yes: bool,
    format_: str,
    require_receipts: bool,
    no_log: bool,
    auditor: str,
    date: str,
    root: str | None,
) -> None:
    """Validate all citations in FILE ('-' is standard input) against the corpus.

    Exit code: 0 none is invalid (or there is none), 1 one is (with --strict also: a warning), 2 a file cannot be read.
    """
    from ...domains.corpus.audit import is_wrong, validate_key

    if fix and "-" in files:
        raise click.UsageError("--fix needs a file: standard input cannot be rewritten")
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix")
    project = CorpusValidation(root, files, require_receipts)
    documents: list[Validated] = []
    keys = dict.fromkeys(None if name == "-" else root_key(project.root, name) for name in files)
    for key in keys:
        if key is None:
            data = read_stdin(project.root.limits.document_bytes)
            documents.append(project.validator.validate("-", data))
        else:
            documents.append(validate_key(project.validator, key))
    project.close()
    for document in documents:
        if document.error:
            complain(f"{document.document}: {document.error}")
    details = [detail for document in documents for detail in document.details]
    code = 2 if any(document.error for document in documents) else int(is_wrong(details, strict))
    emit(_report(project, documents, format_, auditor, date, strict, code))
    if fix:
        from ...domains.corpus.removal import run_fix

        code = max(run_fix(project.root, documents, yes, _echo_for(format_), strict), 2 * (code == 2))
    if not no_log:
        _log(project, documents, auditor, date, strict, code)
    sys.exit(code)


def _echo_for(format_: str) -> Callable[..., None]:
    """How the diff of a fix is printed: with a report for machines it must not be mixed."""

    def echo(message: str, err: bool = False) -> None:
        click.echo(message, err=err or format_ != "text")

    return echo


def _report(
    project: CorpusValidation,
    documents: Sequence[Validated],
    format_: str,
    auditor: str,
    date: str,
    strict: bool,
    code: int,
) -> str:
    if format_ == "json":
        from ...domains.corpus.report_json import results_json

        return results_json(documents)
    if format_ == "sarif":
        reports = [document.report or Report(document.document, error=document.error) for document in documents]
        return sarif(project.root, reports, strict, code)
    from ...domains.corpus.report_text import document_text

    return "\n".join(document_text(document, date, auditor) for document in documents)


def sarif(root: Root, reports: Iterable[Report], strict: bool, code: int) -> str:
    """What was found, in the words of every other check."""
    from ... import checks
    from ... import report as formats
    from ..._version import __version__

    pieces: list[str] = []
    options = formats.Options(strict=strict, root=root.path, version=__version__, pages=checks.page)
    reporter = formats.load("sarif").Reporter(pieces.append, options)
    for report in reports:
        reporter.document(report)
    reporter.close(Summary(exit_code=code))
    return "".join(pieces)


def _log(
    project: CorpusValidation, documents: Sequence[Validated], auditor: str, date: str, strict: bool, code: int
) -> None:
    """Keep one line about the run, where the project keeps such things."""
    from ...domains.corpus.report_folder import are_reports_wanted, describe_refusal, log_validation

    if not are_reports_wanted(project.root, project.validator):
        return
    try:
        log_validation(project.root, date, auditor, strict, code, documents)
    except PinciteError as error:
        complain(f"the log was not written: {describe_refusal(error)}")


@click.command("absent")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_path)
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", help="How to report (default: text)."
)
@root_option
def absent(paths: tuple[str, ...], format_: str, root: str | None) -> None:
    """List citations that are not in the corpus, in the given documents or trees (default: the repository).

    Exit code: 0 all cited papers are in the corpus (or nothing is cited), 1 one is not, 2 a document cannot be read.
    """
    from ...domains.corpus.audit import absent_ones, validate_key, without_own

    project = CorpusValidation(root, paths)
    keys = project.documents(paths)
    found: list[Detail] = []
    citations = 0
    failed = False
    for key in keys:
        document = without_own(validate_key(project.validator, key), project.validator.corpus)
        citations += len(document.details)
        found += absent_ones(document)
        if document.error:
            failed = True
            complain(f"{key}: {document.error}")
    project.close()
    emit(_listing(found, len(keys), citations, format_))
    sys.exit(2 if failed else int(bool(found)))


def _listing(absent: Sequence[Detail], documents: int, citations: int, format_: str) -> str:
    if format_ == "json":
        from ...domains.corpus.report_json import to_json

        results = [detail.result for detail in absent]
        return to_json({"version": 1, "documents": documents, "citations": citations, "absent": results})
    lines = []
    for detail in absent:
        result = detail.result
        place = f"{result.document}:{result.line}:{result.column}"
        said = [result.ref_id]
        for issue in result.issues[:1]:
            message = issue.message.removeprefix(f"{result.ref_id} ")
            told = issue.suggestion.lower() in message.lower()
            said.append(message if told else f"{message}. {issue.suggestion}".rstrip())
        lines.append(escape_text(f"{place}: {': '.join(said)}", 500))
    looked = f"{format_count(citations, 'citation')} in {format_count(documents, 'document')}"
    if not documents:
        lines.append("– No documents found: nothing was checked.")
    elif not citations:
        lines.append(f"– No citations found in {format_count(documents, 'document')}: nothing was checked.")
    elif absent:
        unknown = sum(any(one.check in _UNKNOWN for one in detail.findings) for detail in absent)
        parts = [f"{len(absent) - unknown:,} not in the corpus"] if len(absent) > unknown else []
        parts += [f"{unknown:,} not checked"] if unknown else []
        lines.append(f"✗ {looked}: {', '.join(parts)}")
    else:
        lines.append(f"✓ {looked}: all in the corpus")
    return "\n".join(lines) + "\n"
