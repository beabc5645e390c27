"""`pincite corpus pages` and `audit`; `aiwg` calls them `page-validate` and `citation-audit`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ...core.model import Obstacle
from ...text.lines import decode, encode_like, format_count
from . import kit
from .corpus_kit import CorpusValidation, keep_beside, tell_unread
from .corpus_validate import make_sarif, parse_date, report_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...domains.corpus.audit import CorpusAudit
    from ...domains.corpus.paper_status import PaperStatus
    from ...domains.corpus.validation import DetailedResult
    from ...papers.evidence import PaperEvidence

_VALIDATOR = re.compile(r"@?(\w(?:[\w.-]{0,62}\w)?)")


@click.command("pages")
@click.argument("ref_id", metavar="REF-ID")
@click.option("--mark", is_flag=True, help="Mark the key quotes found on their page as validated.")
@click.option("--validator", metavar="@NAME", help="With --mark: who validates.")
@click.option("--date", metavar="YYYY-MM-DD", callback=parse_date, help="With --mark: when (default: today).")
@kit.format_option()
@kit.root_option()
def pages(ref_id: str, mark: bool, validator: str | None, date: str, format_: str, root: str | None) -> None:
    """Validate the pages of one paper: those recorded, its sections, its key quotes, and everyone who cites it.

    Exit code: 0 nothing is wrong, 1 something is or the paper is not in the corpus, 2 it cannot be read.
    """
    from ...domains.corpus.paper_status import paper_status
    from ...domains.corpus.report_json import paper_json
    from ...domains.corpus.report_text import paper_text
    from ...papers.corpus_file import ID
    from ...papers.ids import EXPECTED

    if ID.fullmatch(ref_id) is None:
        raise click.UsageError(f"{ref_id[:40]!a} is no id of a paper (expected {EXPECTED})")
    signed = _signature(mark, validator)
    project = CorpusValidation(root)
    found = project.validator.corpus.find(ref_id)
    if isinstance(found, Obstacle):
        project.close()
        kit.complain(f"{ref_id}: {found.detail}")
        sys.exit(2 if found.kind == "paper-unreadable" else 1)
    status = paper_status(project.validator, found)
    keys = project.documents()
    citations, unread = _citations(project, found, keys)
    project.close()
    marked = _mark(project, found, status, date, signed) if mark else ()
    if format_ == "json":
        kit.save_text(paper_json(status, citations, len(keys), marked))
    else:
        kit.save_text(paper_text(status, citations, len(keys)))
    wrong = status.severity > 0 or any(detail.result.status != "valid" for detail in citations)
    sys.exit(2 if unread else int(wrong))


def _signature(mark: bool, validator: str | None) -> str:
    if not mark:
        if validator is not None:
            raise click.UsageError("--validator belongs to --mark")
        return ""
    if validator is None:
        raise click.UsageError("--mark needs --validator @name: a person has to sign")
    named = _VALIDATOR.fullmatch(validator)
    if named is None:
        raise click.UsageError(f"{validator[:40]!a} is no name; write it as @name")
    return f"@{named[1]}"


def _citations(
    project: CorpusValidation, paper: PaperEvidence, keys: Sequence[str]
) -> tuple[list[DetailedResult], bool]:
    """Every citation of a paper outside its own file, and whether a document could not be read."""
    from ...domains.corpus.audit import validate_key

    found: list[DetailedResult] = []
    unread = False
    for key in keys:
        if key == paper.paper.path:
            continue
        document = validate_key(project.validator, key)
        unread = tell_unread([document]) or unread
        found += [detail for detail in document.details if detail.result.ref_id == paper.paper.id]
    return found, unread


def _mark(
    project: CorpusValidation, paper: PaperEvidence, status: PaperStatus, date: str, validator: str
) -> tuple[int, ...]:
    """Mark the quotes that were seen on their page, and no others; says which. Gives their indexes."""
    from ...papers.corpus_file_writer import mark_validated
    from ...safe.write import replace

    seen = [index for index, quote in enumerate(status.quotes) if quote.seen]
    old = paper.data
    text, marked = mark_validated(decode(old), paper.paper, seen, date, validator) if seen else ("", ())
    if marked:
        replace(project.root, paper.paper.path, old, encode_like(text, old))
        names = ", ".join(str(index + 1) for index in marked)
        kit.complain(f"marked as validated by {validator} on {date}: key quote {names} of {paper.paper.id}")
    left = len(status.quotes) - len(seen)
    if left:
        kit.complain(f"not marked: {format_count(left, 'key quote')} not found on the page of the PDF")
    if len(marked) < len(seen):
        kit.complain(f"not marked: {format_count(len(seen) - len(marked), 'key quote')} outside the frontmatter")
    if not status.quotes:
        kit.complain(f"{paper.paper.path} keeps no key quotes: nothing to mark")
    return tuple(marked)


@click.command("audit")
@kit.paths_argument()
@kit.format_option("How to report (default: text).", "text", "markdown", "json", "sarif", "html")
@click.option("--output", "-o", metavar="FILE", help="Write the report to a file.")
@click.option("--no-save", is_flag=True, help="Do not keep the report in .aiwg/reports/citation-audit.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@report_options
@kit.root_option()
def audit(
    paths: tuple[str, ...],
    format_: str,
    output: str | None,
    no_save: bool,
    strict: bool,
    auditor: str,
    date: str,
    root: str | None,
) -> None:
    """Audit every citation: corpus coverage, page validation and quote verification (default: the repository).

    Exit code: 0 everything holds (or nothing is cited), 1 something does not, 2 a document cannot be read.
    """
    from ...domains.corpus import audit as audits

    project = CorpusValidation(root, paths)
    keys = project.documents(paths)
    with kit.Progress(True) as progress:
        found = audits.audit(project.validator, keys, date, auditor, not paths, format_ == "sarif", progress.step)
    project.close()
    tell_unread(found.documents)
    code = found.exit_code(strict)
    text = _render_audit(project, found, format_, strict, code)
    kit.save_text(text, output, project.root.path)
    if not no_save:
        from ...domains.corpus.report_folder import keep_report

        key = keep_beside(project, "the report was not kept", lambda: keep_report(project.root, date, format_, text))
        if key:
            click.echo(f"Report kept: {key}", err=True)
    sys.exit(code)


def _render_audit(project: CorpusValidation, found: CorpusAudit, format_: str, strict: bool, code: int) -> str:
    if format_ == "sarif":
        return make_sarif(project.root, found.reports, strict, code)
    if format_ == "json":
        from ...domains.corpus.report_json import audit_json as render
    elif format_ == "markdown":
        from ...domains.corpus.report_markdown import audit_markdown as render
    elif format_ == "html":
        from ...domains.corpus.report_html import audit_html as render
    else:
        from ...domains.corpus.report_text import audit_text as render
    return render(found)
