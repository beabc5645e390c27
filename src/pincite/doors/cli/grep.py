"""`pincite grep`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from ...core.limits import LIMITS
from ...project.project import open_project
from ...safe.escape import escape_text
from ...safe.report_output import output_to
from .kit import compile_pattern, dump_json, format_option, paint, root_option, say, wants_color

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.capture.view import ChunkLines
    from ...store.captures import CapturedRun, Captures

_PAGE = 100
_MOST_LINES = 10
"""Lines of one match that are printed."""


@click.command("grep")
@click.argument("pattern", metavar="REGEX")
@root_option("Folder whose store to search")
@click.option("--ignore-case", "-i", is_flag=True, help="Capital and small letters are the same.")
@click.option("--fixed", "-F", is_flag=True, help="REGEX is plain text.")
@click.option("--run", "number", type=click.IntRange(1, 2**63 - 1), metavar="N", help="Search only this run.")
@click.option("-n", "most", type=click.IntRange(0), default=100, metavar="N", help="Matches (default: 100; 0: all).")
@format_option("text, or a JSON object per line.")
def command(
    pattern: str, root: str | None, ignore_case: bool, fixed: bool, number: int | None, most: int, format_: str
) -> None:
    """Search captured output, the newest run first, and print the citation of every place where REGEX is found.

    Lines are those the screen showed. Neighbouring lines share a citation; a text that was printed several times is
    searched once. Exit code 0: found, 1: not found.
    """
    from ...domains.capture.view import describe, format_citation
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
    found = last = 0
    color = wants_color()
    with captures, output_to(None) as out:
        for run, match in _find_matches(captures, wanted, number, trouble):
            if most and found == most:
                click.echo(f"there are more; -n {most * 2} shows them, -n 0 all", err=True)
                break
            found += 1
            if match.digest not in often:
                often = {match.digest: len(captures.occurrences(match.digest))}
            citation = format_citation(captures, match.digest, match.first, match.last)
            if format_ == "json":
                lines = [match.first, match.last]
                row = {"citation": citation, "digest": match.digest, "lines": lines, "text": match.lines, "run": run.id}
                out(dump_json({**row, "command": list(run.command), "printed": often[match.digest]}) + "\n")
                continue
            if run.id != last:
                out(("\n" if last else "") + paint(describe(run), "1", color) + "\n")
                last = run.id
            for line in _rows(citation, match, often[match.digest], color):
                out(line + "\n")
    for words in trouble[:5]:
        say(words, err=True)
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


def refuse_unknown_run(number: int) -> NoReturn:
    """Say that there is no such run, and end."""
    say(f"there is no run {number}; `pincite log` lists those there are", err=True)
    sys.exit(1)


def _runs(captures: Captures, number: int | None) -> Iterator[CapturedRun]:
    if number is not None:
        run = captures.run(number)
        if run is None:
            refuse_unknown_run(number)
        yield run
        return
    page = captures.runs(_PAGE)
    while page:
        yield from page
        page = captures.runs(_PAGE, before=page[-1].id)


def _rows(citation: str, match: ChunkLines, often: int, color: bool) -> Iterator[str]:
    """A match for people."""
    times = f" {often}×" if often > 1 else ""
    first, *rest = (escape_text(line.expandtabs(), LIMITS.shown_chars) for line in match.lines[:_MOST_LINES])
    yield f"{paint(citation, '36', color)}{times}  {first}"
    # The brackets of a citation take two columns each.
    indent = " " * (len(citation) + 2 + len(times) + 2)
    for line in rest:
        yield indent + line
    if len(match.lines) > _MOST_LINES:
        yield f"{indent}… {len(match.lines) - _MOST_LINES} more lines"
