"""`pincite show`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...core.errors import UsageError
from ...core.model import Citation, Lines, Obstacle, Outcome, SourceRef, Span
from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.document import Document
from .kit import complain, dump_json, format_option, paint, print_lines, root_option, wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.model import Finding
    from ...engine.pipeline import Engine
    from ...safe.files import Root
    from ...text.evidence import Evidence

_TYPED = re.compile(r"\s*([0-9a-f]{6,64})(?:(?::|†L?|#L)(\d{1,9})(?:[-–]L?(\d{1,9}))?)?\s*\Z", re.IGNORECASE)


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
    from ...engine.drift.follow import Follower
    from ...engine.pipeline import Engine
    from ...text.evidence import SymbolEvidence

    project = open_project(root)
    engine = Engine(project.root, project.config, project.git, Follower())
    document, found = read_argument(engine, citation)
    if found is None:
        raise UsageError(f"{citation}: not a citation; write it as in a document, for example src/app.py:12")
    evidence = engine.world.find(found)
    if found.alternate and isinstance(evidence, Obstacle):
        settled = engine.settle(found, None)
        found, evidence = settled if settled is not None else (found, evidence)
    if evidence is None:
        if found.source.scheme in ("ref", "bibliography"):
            raise UsageError(f"{citation}: there is no corpus here; `pincite corpus add` begins one")
        raise UsageError(f"{citation}: points into another repository")
    if isinstance(evidence, SymbolEvidence):
        found = replace(found, lines=evidence.cited)
    # Where a citation stands in its document does not matter for one typed on the command line.
    findings = [item for item in engine.verify(document, found, evidence) if item.outcome > Outcome.HOLDS]
    if raw and not isinstance(evidence, Obstacle):
        _write_raw(found, evidence)
    elif not raw:
        if format_ == "json":
            print_lines([dump_json(_fields(engine, found, evidence, findings))])
        else:
            print_lines(_text(engine, found, evidence, before, after))
    for finding in findings:
        complain(finding.message, finding.outcome.label)
    if isinstance(evidence, Obstacle) and evidence.kind == "command-not-captured":
        click.echo("see what is there with `pincite log`, or capture it with `pincite run -- COMMAND`", err=True)
    engine.close()
    sys.exit(1 if findings else 0)


def _text(
    engine: Engine, cited: Citation, evidence: Evidence | Obstacle, before: int | None, after: int | None
) -> Iterator[str]:
    """The rows for people."""
    from ...papers.evidence import PaperEvidence

    color = wants_color()
    if isinstance(evidence, Obstacle):
        if evidence.kind == "chunk-ambiguous":
            from .show_captured import list_candidates

            for name, origin, line in list_candidates(engine.world, cited.source.key):
                yield f"{name}  {origin}"
                yield f"  {line}"
    elif isinstance(evidence, PaperEvidence):
        from .show_paper import text

        yield from text(cited, evidence, color)
    elif evidence.record is None:
        yield from _excerpt(cited, evidence, 3 if before is None else before, 3 if after is None else after, color)
    else:
        from .show_captured import MOST, CapturedView

        with CapturedView(engine.world, cited, evidence, evidence.record) as view:
            yield from view.text(before, after, color, MOST if sys.stdout.isatty() else None)


def _fields(
    engine: Engine, cited: Citation, evidence: Evidence | Obstacle, findings: list[Finding]
) -> dict[str, object]:
    """One object for programs."""
    from ...papers.evidence import PaperEvidence

    there = None if isinstance(evidence, Obstacle) else evidence
    row: dict[str, object] = {
        "citation": cited.raw,
        "source": {"scheme": cited.source.scheme, "key": cited.source.key},
        "digest": there.digest if there is not None and (cited.lines or there.record) else None,
        "lines": [cited.lines.first, cited.lines.last] if cited.lines else None,
        "text": (there.block(cited.lines) if cited.lines else there.lines) if there is not None else [],
        "total": len(there.lines) if there is not None else None,
        "findings": [
            {"check": item.check, "outcome": item.outcome.label, "message": item.message} for item in findings
        ],
    }
    if isinstance(there, PaperEvidence):
        from .show_paper import fields

        row["digest"], row["total"], row["paper"] = there.digest, None, fields(cited, there)
    elif there is not None and there.record is not None:
        from .show_captured import CapturedView

        with CapturedView(engine.world, cited, there, there.record) as view:
            row["captured"] = view.fields()
    elif isinstance(evidence, Obstacle) and evidence.kind == "chunk-ambiguous":
        from .show_captured import list_candidates

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


def read_argument(engine: Engine, text: str) -> tuple[Document, Citation | None]:
    """The first citation in an argument; a bare path counts as one."""
    from ...dialects import extract

    document = Document("-", text, top=engine.world.root.path)
    if (chunk := _parse_typed_id(text, engine.world.root)) is not None:
        return document, chunk
    for item in extract(document, engine.dialects):
        if isinstance(item, Citation):
            return document, item
        raise UsageError(f"{item.raw}: malformed: {item.reason}")
    if "path:" in text:
        # A memory's citation, as it stands in the list or between braces.
        rows = "\n".join(f"    {row.strip()}" for row in text.strip().removeprefix("-").splitlines())
        document = Document("memory.md", f"---\ncitations:\n  - {rows.lstrip()}\n---\n")
        for item in extract(document, engine.dialects):
            if isinstance(item, Citation):
                return document, item
    if text.strip() and engine.world.root.is_file(text):
        return document, Citation("path-line", Span(0, len(text)), text, SourceRef("file", text))
    return document, None


def _parse_typed_id(text: str, root: Root) -> Citation | None:
    """An id of captured output as people type it, with or without lines; None for anything else and for a file."""
    match = _TYPED.match(text)
    if match is None or root.is_file(text) or root.is_file(match[1]):
        return None
    lines = Lines(int(match[2]), int(match[3] or match[2])) if match[2] else None
    if lines is not None and lines.last < lines.first:
        raise UsageError(f"{text}: the range ends before it starts")
    return Citation("bracket", Span(0, len(text)), text, SourceRef("chunk", match[1].lower()), lines)


def _excerpt(citation: Citation, evidence: Evidence, before: int, after: int, color: bool) -> list[str]:
    """The cited lines with context, the cited ones marked."""
    if citation.lines is None:
        return [f"{escape_text(citation.source.key)}: the file exists; no lines are cited"]
    lines, (first, last) = evidence.lines, (citation.lines.first, citation.lines.last)
    start, end = max(1, first - before), min(len(lines), last + after)
    which = f"line{'s' * (first != last)} {citation.lines.text}"
    head = f"{escape_text(evidence.source.key)}, {which} of {len(lines)}, sha256 {evidence.digest[:12]}"
    rows = [paint(head, "1", color)]
    for number in range(start, end + 1):
        cited = first <= number <= last
        row = f"{'>' if cited else ' '} {number:{len(str(end))}} │ {escape_text(lines[number - 1])}"
        rows.append(paint(row, "" if cited else "2", color))
    return rows
