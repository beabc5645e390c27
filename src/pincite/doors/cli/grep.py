"""`pincite grep`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ...project.project import open_project
from .kit import compile_pattern, wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.capture.view import ChunkLines
    from ...store.captures import CapturedRun, Captures

_PAGE = 100
_MOST_LINES = 10
"""Lines of one match that are printed."""


@click.command("grep")
@click.argument("pattern", metavar="REGEX")
@click.option("--root", metavar="DIR", help="Folder whose store to search (default: the repository).")
@click.option("--ignore-case", "-i", is_flag=True, help="Capital and small letters are the same.")
@click.option("--fixed", "-F", is_flag=True, help="REGEX is plain text.")
@click.option("--run", "number", type=click.IntRange(1, 2**63 - 1), metavar="N", help="Search only this run.")
@click.option("-n", "most", type=click.IntRange(0), default=100, metavar="N", help="Matches (default: 100; 0: all).")
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", help="text, or a JSON object per line."
)
def command(
    pattern: str, root: str | None, ignore_case: bool, fixed: bool, number: int | None, most: int, format_: str
) -> None:
    """Search captured output, the newest run first, and print the citation of every place where REGEX is found.

    Lines are those the screen showed. Neighbouring lines share a citation; a text that was printed several times is
    searched once. Exit code 0: found, 1: not found.
    """
    from ...safe.escape import escape_text
    from ...safe.report_output import output_to
    from ...store.captures import Captures

    flags = re.IGNORECASE if ignore_case else 0
    wanted = compile_pattern(re.escape(pattern) if fixed else pattern, pattern, flags, "; -F takes it as plain text")
    opened = open_project(root).root
    captures = Captures.open(opened)
    if captures is None:
        click.echo("nothing was captured yet; begin with `pincite run -- COMMAND`", err=True)
        sys.exit(1)
    trouble: list[str] = []
    often: dict[str, int] = {}
    found = 0
    with captures, output_to(None) as out:
        last = 0
        for run, match in _find_matches(captures, wanted, number, trouble):
            if most and found == most:
                click.echo(f"there are more; -n {most * 2} shows them, -n 0 all", err=True)
                break
            found += 1
            if match.digest not in often:
                often = {match.digest: len(captures.occurrences(match.digest))}
            if format_ == "json":
                out(_json(captures, run, match, often[match.digest]) + "\n")
                continue
            if run.id != last:
                out(("\n" if last else "") + _heading(run) + "\n")
                last = run.id
            for row in _rows(captures, match, often[match.digest]):
                out(row + "\n")
    for words in trouble[:5]:
        click.echo(escape_text(words), err=True)
    if len(trouble) > 5:
        click.echo(f"and {len(trouble) - 5} more; `pincite doctor` names all that is damaged", err=True)
    sys.exit(0 if found else 1)


def _find_matches(
    captures: Captures, pattern: re.Pattern[str], number: int | None, trouble: list[str]
) -> Iterator[tuple[CapturedRun, ChunkLines]]:
    """Every match with the newest run that printed it."""
    from ...domains.capture.view import find_matches

    seen: set[str] = set()
    for run in _runs(captures, number):
        for match in find_matches(
            captures, captures.chunks(run.id), pattern, seen, lambda error: trouble.append(str(error))
        ):
            yield run, match


def _runs(captures: Captures, number: int | None) -> Iterator[CapturedRun]:
    if number is not None:
        run = captures.run(number)
        if run is None:
            click.echo(f"there is no run {number}; `pincite log` lists those there are", err=True)
            sys.exit(1)
        yield run
        return
    page = captures.runs(_PAGE)
    while page:
        yield from page
        page = captures.runs(_PAGE, before=page[-1].id)


def _heading(run: CapturedRun) -> str:
    from ...domains.capture.view import describe

    return f"\x1b[1m{describe(run)}\x1b[0m" if wants_color(None) else describe(run)


def _rows(captures: Captures, match: ChunkLines, often: int) -> Iterator[str]:
    """A match for people."""
    from ...core.limits import LIMITS
    from ...domains.capture.view import format_citation
    from ...safe.escape import escape_text

    lead = format_citation(captures, match.digest, match.first, match.last)
    times = f" {often}×" if often > 1 else ""
    first, *rest = (escape_text(line.expandtabs(), LIMITS.shown_chars) for line in match.lines[:_MOST_LINES])
    painted = f"\x1b[36m{lead}\x1b[0m" if wants_color(None) else lead
    yield f"{painted}{times}  {first}"
    # The brackets of a citation take two columns each.
    indent = " " * (len(lead) + 2 + len(times) + 2)
    for line in rest:
        yield indent + line
    if len(match.lines) > _MOST_LINES:
        yield f"{indent}… {len(match.lines) - _MOST_LINES} more lines"


def _json(captures: Captures, run: CapturedRun, match: ChunkLines, often: int) -> str:
    """A match for programs."""
    import json

    from ...domains.capture.view import format_citation
    from ...safe.escape import json_safe

    fields = {
        "citation": format_citation(captures, match.digest, match.first, match.last),
        "digest": match.digest,
        "lines": [match.first, match.last],
        "text": match.lines,
        "run": run.id,
        "command": list(run.command),
        "printed": often,
    }
    return json_safe(json.dumps(fields, ensure_ascii=False))
