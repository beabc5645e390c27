"""`pincite corpus validate` and `absent`; `aiwg` calls them `validate-citations` and `corpus-check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.model import Report, Summary
from ...project.documents import root_key
from ...safe.escape import escape_text
from ...text.lines import format_count
from . import kit
from .corpus_kit import CorpusValidation, keep_beside, tell_unread
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...domains.corpus.validation import DetailedResult, ValidatedDocument
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


report_options = kit.join_options(
    click.option("--auditor", metavar="NAME", default=AUDITOR, help=f"The name on the report (default: {AUDITOR})."),
    click.option("--date", metavar=_DATE_FORM, callback=parse_date, help="The date on the report (default: today)."),
)
"""The options of what is signed: by whom and when."""


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_path)
@click.option("--strict", is_flag=True, help="Fail on any warning.")
@click.option("--fix", is_flag=True, help="Remove invalid citations; shows the diff and asks first.")
@click.option("--yes", is_flag=True, help="With --fix: write without asking.")
@kit.format_option("How to report (default: text).", "text", "json", "sarif")
@click.option("--require-receipts", is_flag=True, help="Accept only citations whose source was retrieved.")
@click.option("--no-log", is_flag=True, help="Do not add to .aiwg/logs/citation-validation.")
@report_options
@kit.root_option()
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
    from ...domains.corpus.report_json import results_json
    from ...domains.corpus.report_text import document_text

    if fix and "-" in files:
        raise click.UsageError("--fix needs a file: standard input cannot be rewritten")
    if yes and not fix:
        raise click.UsageError("--yes belongs to --fix")
    project = CorpusValidation(root, files, require_receipts)
    documents: list[ValidatedDocument] = []
    keys = dict.fromkeys(None if name == "-" else root_key(project.root, name) for name in files)
    for key in keys:
        if key is None:
            data = kit.read_stdin(project.root.limits.document_bytes)
            documents.append(project.validator.validate("-", data))
        else:
            documents.append(validate_key(project.validator, key))
    project.close()
    details = [detail for document in documents for detail in document.details]
    code = 2 if tell_unread(documents) else int(is_wrong(details, strict))
    if format_ == "sarif":
        reports = [document.report or Report(document.document, error=document.error) for document in documents]
        text = make_sarif(project.root, reports, strict, code)
    elif format_ == "json":
        text = results_json(documents)
    else:
        text = "\n".join(document_text(document, date, auditor) for document in documents)
    kit.save_text(text)
    if fix:
        from ...domains.corpus.removal import run_fix

        # With a report for machines the diff must not be mixed.
        def echo(message: str, err: bool = False) -> None:
            click.echo(message, err=err or format_ != "text")

        code = max(run_fix(project.root, documents, yes, echo, strict), 2 * (code == 2))
    if not no_log:
        from ...domains.corpus.report_folder import log_validation

        entry = (project.root, date, auditor, strict, code, documents)
        keep_beside(project, "the log was not written", lambda: log_validation(*entry))
    sys.exit(code)


def make_sarif(root: Root, reports: Iterable[Report], strict: bool, code: int) -> str:
    """What was found, in the words of every other check."""
    pieces: list[str] = []
    reporter = kit.make_reporter("sarif", pieces.append, root, strict=strict)
    for report in reports:
        reporter.document(report)
    reporter.close(Summary(exit_code=code))
    return "".join(pieces)


@click.command("absent")
@kit.paths_argument()
@kit.format_option()
@kit.root_option()
def absent(paths: tuple[str, ...], format_: str, root: str | None) -> None:
    """List citations that are not in the corpus, in the given documents or trees (default: the repository).

    Exit code: 0 all cited papers are in the corpus (or nothing is cited), 1 one is not, 2 a document cannot be read.
    """
    from ...domains.corpus.audit import absent_ones, validate_key, without_own

    project = CorpusValidation(root, paths)
    keys = project.documents(paths)
    found: list[DetailedResult] = []
    citations, failed = 0, False
    for key in keys:
        document = without_own(validate_key(project.validator, key), project.validator.corpus)
        citations += len(document.details)
        found += absent_ones(document)
        failed = tell_unread([document]) or failed
    project.close()
    kit.save_text(_listing(found, len(keys), citations, format_))
    sys.exit(2 if failed else int(bool(found)))


def _listing(absent: Sequence[DetailedResult], documents: int, citations: int, format_: str) -> str:
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
