"""`pincite show`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .settings import open_root, wants_color

if TYPE_CHECKING:
    from ..document import Document
    from ..evidence import Evidence
    from ..model import Citation
    from ..pipeline import Engine


@click.command("show")
@click.argument("citation")
@click.option("--root", metavar="DIR", help="Folder that paths are relative to (default: the repository).")
@click.option("--before", "-B", type=click.IntRange(0, 1000), default=3, metavar="N", help="Lines before (default: 3).")
@click.option("--after", "-A", type=click.IntRange(0, 1000), default=3, metavar="N", help="Lines after (default: 3).")
def command(citation: str, root: str | None, before: int, after: int) -> None:
    """Print the evidence behind a citation, with line numbers and context.

    CITATION is written as in a document, in any dialect: src/app.py:12, '【F:src/app.py†L10-L25】',
    '[x](src/app.py#L3)', '{path: src/app.py, line: 3}', or just a path.
    """
    from ..errors import UsageError
    from ..follow import Follower
    from ..model import Obstacle, Outcome
    from ..pipeline import Engine
    from ..run import Request, Run
    from ..safe.escape import shown
    from ..safe.output import output_to

    opened, config = open_root(root, ())
    run = Run(opened, Request(config=config))
    engine = Engine(opened, config, run.git, Follower())
    document, found = read_argument(engine, citation)
    if found is None:
        raise UsageError(f"{citation}: not a citation; write it as in a document, for example src/app.py:12")
    evidence = engine.world.find(found)
    if found.alternate and isinstance(evidence, Obstacle):
        settled = engine.settle(document, found)
        found, evidence = settled if settled is not None else (found, evidence)
    if evidence is None:
        raise UsageError(f"{citation}: points into another repository")
    findings = engine.verify(document, found, evidence)
    with output_to(None) as out:
        if not isinstance(evidence, Obstacle):
            for line in _excerpt(found, evidence, before, after, wants_color(None)):
                out(line + "\n")
    # Where a citation stands in its document does not matter for one typed on the command line.
    findings = [finding for finding in findings if finding.outcome > Outcome.HOLDS]
    for finding in findings:
        click.echo(f"{finding.outcome.label}: {shown(finding.message)}", err=True)
    sys.exit(1 if findings else 0)


def read_argument(engine: Engine, text: str) -> tuple[Document, Citation | None]:
    """The first citation in an argument; a bare path counts as one."""
    from ..document import Document
    from ..extract import extract
    from ..model import Citation, SourceRef, Span

    document = Document("-", text)
    for item in extract(document, engine.dialects):
        if isinstance(item, Citation):
            return document, item
        from ..errors import UsageError

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


def _excerpt(citation: Citation, evidence: Evidence, before: int, after: int, color: bool) -> list[str]:
    """The cited lines with context, the cited ones marked."""
    from ..safe.escape import shown

    lines = evidence.lines
    first, last = (citation.lines.first, citation.lines.last) if citation.lines else (1, 0)
    start, end = max(1, first - before), min(len(lines), last + after)
    if citation.lines is None:
        return [f"{shown(citation.source.key)}: the file exists; no lines are cited"]
    width = len(str(end))
    which = f"line {first}" if first == last else f"lines {first}-{last}"
    head = f"{shown(evidence.source.key)}, {which} of {len(lines)}, sha256 {evidence.digest[:12]}"
    rows = [f"\x1b[1m{head}\x1b[0m" if color else head]
    for number in range(start, end + 1):
        cited = first <= number <= last
        row = f"{'>' if cited else ' '} {number:{width}} │ {shown(lines[number - 1])}"
        rows.append(row if cited or not color else f"\x1b[2m{row}\x1b[0m")
    return rows
