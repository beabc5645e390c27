"""`pincite show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...core.model import Obstacle
from ...project.project import open_project
from .kit import complain, dump_json, format_option, paint, print_lines, root_option, wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.model import Citation
    from ...engine.pipeline import Engine
    from ...engine.shown_evidence import ShownEvidence
    from ...text.evidence import Evidence


@click.command("show")
@click.argument("citation")
@root_option()
@click.option("--before", "-B", type=click.IntRange(0, 1000), metavar="N", help="Lines before (default: 3).")
@click.option("--after", "-A", type=click.IntRange(0, 1000), metavar="N", help="Lines after (default: 3).")
@click.option("--raw", is_flag=True, help="Write the exact bytes of captured output, and nothing else.")
@format_option("text, or one object.")
def command(citation: str, root: str | None, before: int | None, after: int | None, raw: bool, format_: str) -> None:
    """Print the evidence behind a citation, with line numbers and context.

    CITATION is written as in a document, in any dialect: src/app.py:12, '【F:src/app.py†L10-L25】',
    '[x](src/app.py#L3)', '{path: src/app.py, line: 3}', or just a path. Captured output is
    '【d05d1b†L1-L6】', d05d1b:1-6, or d05d1b for all of it; a paper 'REF-043, p.15'.
    """
    from ...engine.shown_evidence import find_evidence, open_evidence_engine

    project = open_project(root)
    engine = open_evidence_engine(project)
    shown = find_evidence(engine, citation)
    found, evidence, findings = shown.citation, shown.evidence, shown.findings
    if raw and not isinstance(evidence, Obstacle):
        _write_raw(found, evidence)
    elif not raw:
        if format_ == "json":
            print_lines([dump_json(_fields(engine, shown))])
        else:
            print_lines(_text(engine, shown, before, after))
    for finding in findings:
        complain(finding.message, finding.outcome.label)
    if isinstance(evidence, Obstacle) and evidence.kind == "command-not-captured":
        click.echo("see what is there with `pincite log`, or capture it with `pincite run -- COMMAND`", err=True)
    engine.close()
    sys.exit(1 if findings else 0)


def _text(engine: Engine, shown: ShownEvidence, before: int | None, after: int | None) -> Iterator[str]:
    """The rows for people."""
    from ...engine.shown_evidence import CONTEXT
    from ...papers.evidence import PaperEvidence

    color, cited, evidence = wants_color(), shown.citation, shown.evidence
    if isinstance(evidence, Obstacle):
        if evidence.kind == "chunk-ambiguous":
            from ...domains.capture.shown_output import list_candidates

            for name, origin, line in list_candidates(engine.world, cited.source.key):
                yield f"{name}  {origin}"
                yield f"  {line}"
    elif isinstance(evidence, PaperEvidence):
        from ...domains.corpus.shown_paper import text

        yield from text(cited, evidence, color)
    elif evidence.record is None:
        above, below = (CONTEXT if number is None else number for number in (before, after))
        yield from _excerpt(shown, evidence, above, below, color)
    else:
        from ...domains.capture.shown_output import MOST, CapturedView

        with CapturedView(engine.world, cited, evidence, evidence.record) as view:
            yield from view.text(before, after, color, MOST if sys.stdout.isatty() else None)


def _fields(engine: Engine, shown: ShownEvidence) -> dict[str, object]:
    """One object for programs."""
    from ...papers.evidence import PaperEvidence

    cited, evidence = shown.citation, shown.evidence
    there = None if isinstance(evidence, Obstacle) else evidence
    row: dict[str, object] = {
        "citation": cited.raw,
        "source": {"scheme": cited.source.scheme, "key": cited.source.key},
        "digest": there.digest if there is not None and (cited.lines or there.record) else None,
        "lines": [cited.lines.first, cited.lines.last] if cited.lines else None,
        "text": (there.block(cited.lines) if cited.lines else there.lines) if there is not None else [],
        "total": len(there.lines) if there is not None else None,
        "findings": [
            {"check": item.check, "outcome": item.outcome.label, "message": item.message} for item in shown.findings
        ],
    }
    if isinstance(there, PaperEvidence):
        from ...domains.corpus.shown_paper import fields

        row["digest"], row["total"], row["paper"] = there.digest, None, fields(cited, there)
    elif there is not None and there.record is not None:
        from ...domains.capture.shown_output import CapturedView

        with CapturedView(engine.world, cited, there, there.record) as view:
            row["captured"] = view.fields()
    elif isinstance(evidence, Obstacle) and evidence.kind == "chunk-ambiguous":
        from ...domains.capture.shown_output import list_candidates

        found = list_candidates(engine.world, cited.source.key)
        row["candidates"] = [{"id": name, "origin": origin, "line": line} for name, origin, line in found]
    return row


def _write_raw(cited: Citation, evidence: Evidence) -> None:
    """The bytes of captured output, unless they could take over a terminal."""
    from ...text.terminal.screen import is_plain

    if evidence.record is None:
        raise UsageError(f"{cited.raw}: --raw is for captured output; a file has its bytes itself")
    if sys.stdout.isatty() and not is_plain(evidence.data):
        raise UsageError(f"{cited.raw}: holds control characters; write it elsewhere: pincite show --raw … > FILE")
    sys.stdout.buffer.write(evidence.data)
    sys.stdout.flush()


def _excerpt(shown: ShownEvidence, evidence: Evidence, before: int, after: int, color: bool) -> Iterator[str]:
    """The cited lines with context, the cited ones marked."""
    from ...engine.shown_evidence import list_excerpt

    rows = list_excerpt(shown.citation, evidence, before, after)
    if shown.citation.lines is None:
        yield rows[0][0]
        return
    yield paint(rows[0][0], "1", color)
    for row, cited in rows[1:]:
        yield paint(row, "" if cited else "2", color)
