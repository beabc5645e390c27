"""`pincite accept`."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...core.model import Outcome
from ...engine.settings import merge_settings
from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from . import kit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...engine.acceptance_writer import AcceptanceWriter, AcceptResult
    from ...engine.named_citations import CitationName, NamedCitation
    from ...engine.run import Request
    from ...safe.files import Root
    from ...store.accepted_file import Acceptance

_SHOWN = 6
"""Lines of the accepted text that are printed."""
_MOST_CANDIDATES = 20
_WIDTH = 160
_COLORS = {"accepted": "32", "refused": "31"}


@click.command("accept")
@click.argument("citations", nargs=-1, metavar="[CITATION]...")
@click.option("--reason", metavar="TEXT", default="", help="Why it is still true; kept beside the acceptance.")
@click.option("--list", "list_", is_flag=True, help="List what was accepted, and whether it still counts.")
@click.option("--prune", is_flag=True, help="Drop acceptances whose citation is gone or whose text changed.")
@kit.root_option()
@kit.cache_option
def command(
    citations: tuple[str, ...], reason: str, list_: bool, prune: bool, root: str | None, no_cache: bool
) -> None:
    """Record that you read a citation's evidence again and that it is still true.

    CITATION is where it stands (docs/guide.md:3, with :COLUMN where a line has several), the citation as it is written,
    or the place it cites (src/app.py:12). Its drift and quote findings are settled until the cited text changes or the
    citation is written differently; the citing line stays as it is. What is not there cannot be accepted. The record
    goes into pincite.lock where the project has one and the lines can be locked, else into .pincite-accepted: commit
    it. Exit code: 0 recorded, or there was nothing to accept, 1 refused, 2 the name fits no citation or several.
    """
    if (list_ or prune) + bool(citations) != 1 or (list_ and prune):
        raise click.UsageError("name a citation, or give --list or --prune alone")
    from ...engine.acceptance_writer import AcceptanceWriter, normalize_reason
    from ...engine.run import Request, Run

    project = open_project(root)
    opened, config = project.root, merge_settings(project.config)
    reason = normalize_reason(reason, "--reason: ")
    request = Request(config=config, every=True, cache=not no_cache, afresh=True)
    run = Run(opened, request)
    try:
        with closing(run.engine()) as engine:
            writer = AcceptanceWriter(opened, engine)
            if list_ or prune:
                kit.print_lines(_list_all(writer) if list_ else _prune(writer))
                return
            named = _find_all(opened, citations, request)
            results = [(one, writer.accept(one, reason)) for one in named]
            writer.write()
    finally:
        run.close()
    kit.print_lines(row for one, result in results for row in _describe(one, result, kit.wants_color()))
    sys.exit(int(any(result.answer.value == "refused" for _, result in results)))


def _find_all(root: Root, typed: tuple[str, ...], request: Request) -> list[NamedCitation]:
    """One citation for each name; raises UsageError where a name fits none, ends where it fits several."""
    from msgspec.structs import replace

    from ...engine.named_citations import CitationName, find_named, find_standing
    from ...engine.run import Run

    names = [CitationName(root, one) for one in typed]
    documents = tuple(dict.fromkeys(filter(None, (name.document for name in names))))
    reports = list(Run(root, replace(request, paths=documents)).reports()) if documents else []
    fits = [find_standing(name, reports) for name in names]
    if not all(fits):
        # Only all documents tell who else is meant.
        reports = list(Run(root, request).reports())
        fits = [known or find_named(name, reports) for name, known in zip(names, fits, strict=True)]
    found = [_choose(name, known) for name, known in zip(names, fits, strict=True)]
    return list({one.place: one for one in found}.values())


def _choose(name: CitationName, fits: list[NamedCitation]) -> NamedCitation:
    """The citation that is meant: the only one, or the only one that has something to settle."""
    if not fits:
        raise UsageError(f"{name.typed}: no citation stands there, is written so or cites that; see `pincite list`")
    waiting = [one for one in fits if any(found.outcome > Outcome.UNCHECKED for found in one.verdict.findings)]
    candidates = waiting or fits
    if len(candidates) > 1:
        kit.complain(f"{name.typed}: {len(candidates)} citations fit; name one of them by its place:")
        for one in candidates[:_MOST_CANDIDATES]:
            kit.say(f"  {one.place}  {' '.join(one.verdict.citation.raw.split())[:_WIDTH]}", err=True)
        if len(candidates) > _MOST_CANDIDATES:
            kit.say(f"  and {len(candidates) - _MOST_CANDIDATES:,} more", err=True)
        sys.exit(2)
    return candidates[0]


def _describe(one: NamedCitation, result: AcceptResult, color: bool) -> Iterator[str]:
    """What was done with a citation."""
    word = result.answer.value
    raw = escape_text(" ".join(one.verdict.citation.raw.split()), _WIDTH)
    yield f"{escape_text(one.place)}  {kit.paint(word, _COLORS.get(word, '33'), color)}  {raw}"
    if result.why:
        yield f"  {escape_text(result.why)}"
    for at, line in enumerate(result.text[:_SHOWN]):
        yield f"  {result.first + at:4} │ {escape_text(line.expandtabs(), _WIDTH)}"
    if len(result.text) > _SHOWN:
        yield f"       … {format_count(len(result.text) - _SHOWN, 'more line')}"
    if result.file:
        yield f"  recorded in {result.file}; commit it"
    elif word == "refused":
        yield "  nothing was recorded: correct the citation, see `pincite fix` and `pincite check`"


def _list_all(writer: AcceptanceWriter) -> Iterator[str]:
    states = writer.states()
    for one, state in states:
        reason = f"  {one.reason}" if one.reason else ""
        yield escape_text(f"{one.document}  {state.value}  {_shorten(one)}{reason}")
    counted = sum(state.value == "in force" for _, state in states)
    yield f"{format_count(len(states), 'citation')} accepted, {counted:,} in force."


def _prune(writer: AcceptanceWriter) -> Iterator[str]:
    dropped = writer.prune()
    for one in dropped:
        yield escape_text(f"{one.document}  dropped  {_shorten(one)}")
    yield f"{format_count(len(dropped), 'acceptance')} dropped."


def _shorten(one: Acceptance) -> str:
    """An accepted citation on one line, with the place it cites."""
    words = " ".join(one.citation.split())
    return words[:_WIDTH] if words == one.cites else f"{words[:_WIDTH]} → {one.cites}"
