"""`pincite fix`."""

from __future__ import annotations

import sys

import click

from .settings import Wishes, common, wants_color


@click.command("fix")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--write", "write_", is_flag=True, help="Apply the fixes; without it they are only shown.")
@common
def command(
    paths: tuple[str, ...],
    write_: bool,
    wishes: Wishes,
) -> None:
    """Give citations whose evidence moved unchanged their new place.

    Prints a unified diff and changes nothing; --write applies it. Exit code: 0 done or nothing to do, 2 something
    could not be read or written.
    """
    from ..errors import PinciteError
    from ..fixing import find_fixes, unified, write
    from ..read import root_key
    from ..run import Request, Run
    from ..safe.escape import shown
    from ..safe.output import output_to

    opened, config = wishes.open(paths)
    keys = tuple(root_key(opened, path) for path in paths)
    request = Request(keys, config, jobs=wishes.processes, cache=not wishes.no_cache)
    run = Run(opened, request)
    color = wants_color(None)
    documents = citations = failed = 0
    with output_to(None) as out:
        for fix in find_fixes(opened, run.reports()):
            documents += 1
            citations += len(fix.fixed)
            for line in unified(fix):
                out(painted(shown(line), color) + "\n")
            for verdict in fix.forgotten:
                place = f"{fix.document}:{verdict.line}"
                click.echo(
                    f"note: {shown(place)} also cites {shown(verdict.citation.raw)}, whose evidence changed; "
                    "read it again: once this line is rewritten, history no longer shows the change",
                    err=True,
                )
            if write_:
                try:
                    write(opened, fix)
                except PinciteError as error:
                    failed += 1
                    click.echo(f"pincite: {shown(str(error))}", err=True)
    click.echo(_summary(documents, citations, write_, failed), err=True)
    if failed or run.summary.exit_code == 2:
        sys.exit(2)
    sys.exit(0)


def _summary(documents: int, citations: int, written: bool, failed: int) -> str:
    if not citations:
        return "Nothing to fix."
    what = f"{citations} citation{'s' if citations != 1 else ''} in {documents} document{'s' if documents != 1 else ''}"
    if failed:
        return f"{what} can be fixed; {failed} document{'s' if failed != 1 else ''} could not be written."
    return f"Fixed {what}." if written else f"{what} can be fixed: run again with --write."


def painted(line: str, color: bool) -> str:
    """A line of a diff in the usual colours."""
    if not color or not line:
        return line
    codes = {"+": "32", "-": "31", "@": "36"}
    code = "1" if line.startswith(("+++", "---")) else codes.get(line[0])
    return f"\x1b[{code}m{line}\x1b[0m" if code else line
