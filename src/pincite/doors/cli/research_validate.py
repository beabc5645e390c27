"""`pincite research validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...text.lines import format_count
from .kit import format_option, print_json
from .research_kit import Ink, aborted_json, at_topics, emit, fetch_options, open_work, refuse, salvage_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.research.model import Aborted, ValidatedCitation
    from ...domains.research.page_fetching import PageChange
    from ...domains.research.stages import StageValidation, TopicContext

_SAID = {True: ("yes", "good"), False: ("no", "bad"), None: ("not known", "warn")}
_SCHEMA = "pincite.research-validate/1"


@click.command("validate")
@click.argument("topic")
@fetch_options
@format_option()
@at_topics
def validate(topic: str, offline: bool, refresh: bool, format_: str, root: str | None) -> None:
    """Turn extracted citations into validated ones.

    Each source is taken from its snapshot, or fetched and kept as one. Says whether the page answered, whether the
    quote stands there word for word, who wrote it, what it refers to, and how credible it is, with the arithmetic.

    Exit code: 0 enough citations are validated, 1 a rule or a threshold is broken (nothing is written), 2 a file cannot
    be read.
    """
    from ...domains.research.model import VALIDATE, Aborted
    from ...domains.research.stage_runner import validate_topic
    from ...domains.research.stages import StageValidation

    work = open_work(topic, root, offline=offline, refresh=refresh)
    failed: Aborted | None = None
    try:
        found = validate_topic(work)
    except Aborted as error:
        failed, found = error, salvage_result(error, StageValidation, _SCHEMA, work, format_)
    if format_ == "json":
        print_json(_json(work, found, failed))
    else:
        emit(_lines(found, Ink()))
    if failed is not None:
        refuse(failed, "json")
    if format_ == "text":
        click.echo(f"written: {work.topic.path(VALIDATE)}")


def _json(work: TopicContext, found: StageValidation, failed: Aborted | None) -> dict[str, object]:
    return {
        "schema": _SCHEMA,
        "topic": work.topic.name,
        "citations": found.citations,
        "validated": sum(one.validated for one in found.citations),
        "changes": found.changes,
        "unread_snapshots": found.unread,
        "aborted": aborted_json(failed),
    }


def _lines(found: StageValidation, ink: Ink) -> Iterator[str]:
    """Source by source: what is true of the page, then of each quote from it."""
    numbers: dict[str, list[int]] = {}
    for at, citation in enumerate(found.citations):
        numbers.setdefault(citation.source_url, []).append(at)
    for own in numbers.values():
        yield from _source(found.citations[own[0]], ink)
        for at in own:
            yield from _citation(at + 1, found.citations[at], ink)
        yield ""
    for change in found.changes:
        yield from change_lines(change, ink)
    for problem in found.unread:
        yield f"{ink('snapshot', 'warn')}  {ink(problem)}"
    passed = sum(one.validated for one in found.citations)
    yield ink(f"{passed} of {format_count(len(found.citations), 'citation')} validated", "bold")


def _source(citation: ValidatedCitation, ink: Ink) -> Iterator[str]:
    details, seen = citation.validation_details, citation.evidence
    mark = f"  {ink('archived', 'warn')}" if seen.availability == "archived" else ""
    yield f"{ink(citation.source_url, 'place')}  {ink(f'{citation.credibility_score}/10', 'bold')}{mark}"
    for check in ("url_reachable", "author_verified", "has_references"):
        word, style = _SAID[getattr(details, check)]
        yield f"  {check:<17}{ink(f'{word:<9}', style)}  {ink(seen.reasons.get(check, ''), 'dim')}"
    if details.publication_date:
        doubt = seen.reasons.get("publication_date", "")
        said = f"  {ink(doubt, 'warn')}" if doubt else ""
        yield f"  {'publication_date':<17}{ink(details.publication_date)}{said}"
    for at, line in enumerate(seen.credibility):
        yield f"  {'' if at else 'credibility':<17}{ink(line)}"


def _citation(number: int, citation: ValidatedCitation, ink: Ink) -> Iterator[str]:
    details, seen = citation.validation_details, citation.evidence
    sign = ink("✓", "good") if citation.validated else ink("✗", "bad")
    yield f"  {number:>3} {sign} {ink(citation.claim, 'bold')}"
    word, style = ("verbatim", "good") if details.quote_verbatim else ("not verbatim", "bad")
    if details.quote_found is None:
        word, style = "not looked for", "warn"
    elif not details.quote_found:
        word = "not found"
    reason = seen.reasons.get("quote_found", "").removeprefix("not verbatim: ")
    yield f"        {ink('quote ' + word, style)}  {ink(reason, 'dim')}"
    if seen.nearest and not details.quote_verbatim:
        yield f"        {ink('the quote', 'dim')}  {ink(citation.quote)}"
        yield f"        {ink('the page ', 'dim')}  {ink(seen.nearest)}"
    for warning in seen.warnings:
        yield f"        {ink('warning', 'warn')}  {ink(warning)}"
    if seen.required:
        yield f"        {ink('required only: ' + ', '.join(seen.required), 'warn')}"
    if citation.rejection_reason:
        yield f"        {ink('rejected', 'bad')}  {ink(citation.rejection_reason)}"


def change_lines(change: PageChange, ink: Ink) -> Iterator[str]:
    """What became of a page."""
    style = {"same": "good", "changed": "warn", "gone": "bad"}.get(change.state, "dim")
    days = f" ({change.before} → {change.now})" if change.before else f" ({change.now})"
    yield f"{ink(change.state, style)}  {ink(change.url, 'place')}{ink(days, 'dim')}"
    for line in change.lines:
        yield f"     {ink(line, 'good' if line[0] == '+' else 'bad')}"
    if change.more:
        yield f"     {ink(f'… {change.more} more lines', 'dim')}"
    for number, survived, there in change.quotes:
        if survived is None:
            said = ink(f"the quote was not looked for: {there}", "warn")
        else:
            said = ink("the quote survived", "good") if survived else ink(f"the quote is gone: {there}", "bad")
        yield f"     citation {number}: {said}"
    yield ""
