"""`pincite research audit`."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from ...core.errors import Missing, Unreadable, UsageError
from ...project.documents import root_key
from ...project.project import open_project
from ...text.lines import decode, encode_like
from .kit import format_option, pick_fields, print_json
from .research_kit import Ink, JudgeWishes, at_topics, emit, judge_options, tell_trust
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.research.report_audit import AuditedSentence, ReportAudit
    from ...domains.research.stages import TopicContext
    from ...project.config import ResearchSettings
    from ...safe.files import Root

_STYLES = {"grounded": "good", "needs a reader": "warn", "unsupported": "bad", "uncited": "warn"}
_KINDS = {
    **{kind: (kind, f"{kind}s") for kind in ("heading", "question", "label")},
    "source": ("line of a source", "lines of sources"),
    "code": ("line of code", "lines of code"),
    "front": ("line of frontmatter", "lines of frontmatter"),
    "comment": ("comment", "comments"),
}


@click.command("audit")
@click.argument("report", metavar="REPORT.md", shell_complete=complete_path)
@click.option("--topic", metavar="TOPIC", help="Whose citations it rests on (default: the topic it lies in).")
@click.option("--mark", is_flag=True, help="Insert [citation needed] behind every sentence that is not grounded.")
@click.option("--all", "everything", is_flag=True, help="Name the grounded sentences too.")
@judge_options
@format_option()
@at_topics
def audit(
    report: str,
    topic: str | None,
    mark: bool,
    everything: bool,
    wishes: JudgeWishes,
    format_: str,
    root: str | None,
) -> None:
    """Split any report into claims and say of each sentence whether it is grounded, unsupported or uncited.

    A sentence is grounded where a source that it cites itself states or strongly implies it: one of the validated
    citations, or the page behind one as its snapshot has it. Nothing is fetched. Headings, captions, rows, sources and
    code are read too; what claims nothing by its form is counted. What is only implied (medium) needs a reader, and
    does not count unless a person vouches for it or `--least medium` says so.

    Stage files that this user's pincite did not write are not believed: quotes are looked up in the snapshots again,
    and claims are judged again. What no snapshot shows needs a reader, too.

    Exit code: 0 every sentence is grounded, 1 one is not, 2 a file cannot be read.
    """
    from ...domains.research.audit_evidence import AuditEvidence
    from ...domains.research.report_audit import audit as audit_text
    from ...domains.research.topic_evidence import gather_evidence
    from ...judge.offline import Offline

    project = open_project(root, (report,))
    opened = project.root
    key = root_key(opened, report)
    try:
        data = opened.read(key)
    except Missing as error:
        raise UsageError(f"{report}: there is no such file") from error
    settings = wishes.apply(project.config.research)
    work = _work(opened, settings, topic or key, topic is not None)
    if work is None:
        click.echo("it lies in no topic: nothing it cites is validated; pass --topic NAME", err=True)
    else:
        tell_trust(work, again=True)
    try:
        text = decode(data)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from error
    level = settings.least or "high"
    evidence = AuditEvidence() if work is None else gather_evidence(work)
    found = audit_text(text, evidence, work.judge if work is not None else Offline(), level)
    if mark:
        _mark(opened, key, data, found)
    if format_ == "json":
        print_json(_fields(key, work, found, level))
    else:
        emit(_lines(key, found, everything, Ink()))
    sys.exit(int(not found.ok))


def _fields(key: str, work: TopicContext | None, found: ReportAudit, level: str) -> dict[str, object]:
    """The audit for programs."""
    return {
        "schema": "pincite.research-audit/1",
        "report": key,
        "topic": work.topic.name if work is not None else None,
        **{state: found.count(state) for state in ("grounded", "unsupported", "uncited")},
        "needs_reader": found.count("needs a reader"),
        "medium": found.medium,
        "attested": found.attested,
        "least": level,
        **pick_fields(found, "percentage ok sentences recognised"),
        "not_judged": found.skipped,
    }


def _work(root: Root, settings: ResearchSettings, given: str, asked: bool) -> TopicContext | None:
    """The topic a report lies in, or the one asked for; None where it lies in none."""
    from ...domains.research.stages import TopicContext
    from ...domains.research.topic import find_topic

    try:
        topic = find_topic(root, given)
    except UsageError:
        if asked:
            raise
        return None
    return TopicContext(root, topic, settings, offline=True)


def _mark(root: Root, key: str, data: bytes, found: ReportAudit) -> None:
    from ...domains.research.report_audit import mark
    from ...safe.write import replace

    text = decode(data)
    marked = mark(text, found)
    if marked != text:
        replace(root, key, data, encode_like(marked, data))
        click.echo(f"marked: {key}", err=True)


def _lines(key: str, found: ReportAudit, everything: bool, ink: Ink) -> Iterator[str]:
    for one in found.sentences:
        if one.state != "grounded" or everything:
            yield from _sentence(key, one, ink)
    states = ", ".join(
        f"{found.count(state)} {state}" for state in _STYLES if found.count(state) or state != "needs a reader"
    )
    style = "good" if found.ok else "bad"
    if not found.total:
        yield f"{ink('✗', style)} {ink('nothing claimed', style)}: no sentence of the report could be grounded"
    else:
        yield f"{ink('✓' if found.ok else '✗', style)} {ink(found.percentage, style)} grounded: {states}"
    yield from _besides(found)


def _besides(found: ReportAudit) -> Iterator[str]:
    """What the figures rest on, and what they leave out."""
    waiting = found.count("needs a reader") - found.on_trust
    if found.on_trust:
        yield f"  {found.on_trust} on the word of stage files alone: `pincite research validate` checks them again"
    if waiting:
        yield f"  {waiting} only implied (medium): read the quotes, or count them with --least medium"
    elif found.medium:
        yield f"  {found.medium} of these only implied (medium), counted by --least medium"
    if found.attested:
        yield f"  {found.attested} of these vouched for by a person"
    kinds = Counter(one.kind for one in found.skipped)
    left = [f"{kinds[kind]} {names[kinds[kind] != 1]}" for kind, names in _KINDS.items() if kinds[kind]]
    if left:
        yield f"  not judged, they claim nothing by their form: {', '.join(left)}"
    if kinds["record"]:
        yield f"  not recognised, as the report was edited: {kinds['record']} of its rows and lines"


def _sentence(key: str, one: AuditedSentence, ink: Ink) -> Iterator[str]:
    level = f" ({one.level})" if one.level and one.state in ("grounded", "needs a reader") else ""
    yield f"{ink(f'{key}:{one.line}', 'bold')}  {ink(one.state + level, _STYLES[one.state])}  {ink(one.text)}"
    if one.citation_url:
        number = f"citation {one.citation_id}  " if one.citation_id else ""
        yield f"    {ink(number, 'dim')}{ink(one.citation_url, 'place')}"
    if one.quote:
        yield f"    {ink('“' + one.quote + '”', 'dim')}"
    for reason in one.reasons:
        yield f"    {ink(reason.rule, 'dim')}  {ink(reason.text)}"
    if one.attested:
        yield f"    {ink(one.attested, 'warn')}"
    if one.remedy:
        yield f"    {ink('→ ' + one.remedy, 'place')}"
