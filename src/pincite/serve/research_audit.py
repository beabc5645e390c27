"""`pincite research audit`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .research_work import Ink, emit, emit_json, format_option, judge_options, root_option, settled
from .settings import open_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..config import ResearchSettings
    from ..research.auditing import Audit, Audited
    from ..research.grounds import Grounds
    from ..research.workflow import Work
    from ..safe.files import Root

_STYLES = {"grounded": "good", "unsupported": "bad", "uncited": "warn"}


@click.command("audit")
@click.argument("report", metavar="REPORT.md")
@click.option("--topic", metavar="TOPIC", help="Whose citations it rests on (default: the topic it lies in).")
@click.option("--mark", is_flag=True, help="Insert [citation needed] behind every sentence that is not grounded.")
@click.option("--all", "everything", is_flag=True, help="Name the grounded sentences too.")
@judge_options
@format_option
@root_option
def audit(
    report: str,
    topic: str | None,
    mark: bool,
    everything: bool,
    judge: str | None,
    model: str | None,
    format_: str,
    root: str | None,
) -> None:
    """Split any report into claims and say of each sentence whether it is grounded, unsupported or uncited.

    A sentence is grounded where a source that it cites itself states or strongly implies it: one of the validated
    citations, or the page behind one as its snapshot has it. Nothing is fetched.

    Exit code: 0 every sentence is grounded, 1 one is not, 2 a file cannot be read.
    """
    from ..errors import Missing, Unreadable, UsageError
    from ..read import root_key
    from ..research.auditing import audit as audit_text
    from ..text import decode

    opened, config = open_root(root, (report,))
    key = root_key(opened, report)
    try:
        data = opened.read(key)
    except Missing as error:
        raise UsageError(f"{report}: there is no such file") from error
    work = _work(opened, settled(config.research, judge, model), topic or key, topic is not None)
    if work is None:
        click.echo("it lies in no topic: nothing it cites is validated; pass --topic NAME", err=True)
    from ..ground.offline import Offline

    try:
        text = decode(data)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from error
    found = audit_text(text, _grounds(work), work.judge if work is not None else Offline())
    if mark:
        _mark(opened, key, data, found)
    if format_ == "json":
        emit_json(
            {
                "schema": "pincite.research-audit/1",
                "report": key,
                "topic": work.topic.name if work is not None else None,
                "grounded": found.count("grounded"),
                "unsupported": found.count("unsupported"),
                "uncited": found.count("uncited"),
                "percentage": found.percentage,
                "ok": found.ok,
                "sentences": found.sentences,
            }
        )
    else:
        emit(_lines(key, found, everything, Ink()))
    sys.exit(int(not found.ok))


def _work(root: Root, settings: ResearchSettings, given: str, asked: bool) -> Work | None:
    """The topic a report lies in, or the one asked for; None where it lies in none."""
    from ..errors import UsageError
    from ..research.topic import find_topic
    from ..research.workflow import Work

    try:
        topic = find_topic(root, given)
    except UsageError:
        if asked:
            raise
        return None
    return Work(root, topic, settings, offline=True)


def _grounds(work: Work | None) -> Grounds:
    """What the stages of a topic found, and the pages its snapshots hold."""
    from ..research.grounds import Grounds
    from ..research.made import MADE
    from ..research.model import GROUND, VALIDATE
    from ..research.obtaining import OK, Reader
    from ..research.running import read_stage
    from ..store.warc import Snapshots
    from ..web import Trouble

    if work is None:
        return Grounds()
    has = {stage: work.root.is_file(work.topic.path(stage)) for stage in (VALIDATE, GROUND)}
    citations = read_stage(work, VALIDATE).items if has[VALIDATE] else ()
    mapping = read_stage(work, GROUND) if has[GROUND] and has[VALIDATE] else None
    # A mapping that nobody judged yet grounds nothing: its sentences are judged here.
    claims = mapping.items if mapping is not None and MADE in mapping.extra else ()
    snapshots, reader = Snapshots(work.root, work.topic.snapshots), Reader(work.most_bytes)

    def texts(url: str) -> tuple[str, ...] | None:
        for one in reversed(snapshots.history(url)):
            if one.visit.status == OK and not one.damaged:
                try:
                    return reader.read(one).texts
                except Trouble:
                    continue
        return None

    return Grounds(claims, citations, texts)


def _mark(root: Root, key: str, data: bytes, found: Audit) -> None:
    from ..research.marking import mark
    from ..safe.write import replace
    from ..text import decode, encode_like

    text = decode(data)
    marked = mark(text, found)
    if marked != text:
        replace(root, key, data, encode_like(marked, data))
        click.echo(f"marked: {key}", err=True)


def _lines(key: str, found: Audit, everything: bool, ink: Ink) -> Iterator[str]:
    for one in found.sentences:
        if one.state != "grounded" or everything:
            yield from _sentence(key, one, ink)
    states = ", ".join(f"{found.count(state)} {state}" for state in _STYLES)
    style = "good" if found.ok else "bad"
    if not found.total:
        yield f"{ink('✗', style)} {ink('nothing claimed', style)}: no sentence of the report could be grounded"
        return
    yield f"{ink('✓' if found.ok else '✗', style)} {ink(found.percentage, style)} grounded: {states}"


def _sentence(key: str, one: Audited, ink: Ink) -> Iterator[str]:
    level = f" ({one.level})" if one.level and one.state == "grounded" else ""
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
