"""`pincite suggest`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import PinciteError, UsageError
from ...project.documents import find_documents, root_key
from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from . import kit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...safe.files import Root
    from ...write.suggest.model import Suggestion, Suggestions

_STYLES = ("bracket", "colon", "link", "permalink", "cite", "frontmatter")
_WIDEST = 160
"""Characters of an evidence line that are printed."""
_MOST_EVIDENCE = 6


@click.command("suggest")
@kit.paths_argument("[DOC]...")
@click.option("--write", "write_", is_flag=True, help="Put the suggestions into the documents.")
@click.option("--interactive", "-i", is_flag=True, help="Ask about each, and put in what is accepted.")
@click.option("--style", type=click.Choice(_STYLES), default="bracket", help="How they are written (default: bracket).")
@click.option(
    "--most", type=click.IntRange(0), default=10, metavar="N", help="How many for a document (default: 10; 0: all)."
)
@click.option("--all", "all_", is_flag=True, help="Show those of low confidence too.")
@kit.root_option()
@kit.format_option("text or json.")
def command(
    paths: tuple[str, ...],
    write_: bool,
    interactive: bool,
    style: str,
    most: int,
    all_: bool,
    root: str | None,
    format_: str,
) -> None:
    """Propose citations for sentences that have none: the lines of the repository that would falsify each.

    Goes by the paths, names, options, commands, keys, values and quoted words in a sentence. Suggests little: only what
    is likely, and nothing where two files are equally likely. Tests, prose and what is generated or vendored are cited
    only where the sentence names them. Every suggestion was verified. Nothing is written without --write or
    --interactive.

    Exit code: 0, also where there is nothing to suggest; 2 where a document cannot be read or written.
    """
    from ...write.suggest.model import Confidence, SuggestOptions
    from ...write.suggest.propose import suggest
    from ...write.suggest.tree import is_offered

    if interactive and format_ == "json":
        raise UsageError("--interactive asks on the terminal; leave out --format json")
    project = open_project(root, paths)
    opened, config = project.root, project.config
    keys = tuple(root_key(opened, path) for path in paths)
    listing = find_documents(opened, project.git(), keys, config.documents, config.exclude)
    # What was not named is left alone where nobody writes it by hand, or where it may be anything.
    documents = [path for path in listing.documents if path in keys or is_offered(path)]
    bars = {what: kit.Progress(True, what, "reading") for what in ("documents", "files")}
    asked = SuggestOptions(style, most, Confidence.LOW if all_ else Confidence.MEDIUM)

    def progress(what: str, done: int, total: int) -> None:
        bars[what].step(done, total)

    try:
        found = list(suggest(opened, config, project.git, documents, asked, progress))
    finally:
        for bar in bars.values():
            bar.clear()
        project.close_git()
    if format_ == "json":
        kit.print_json({"schema": "pincite.suggest/1", "style": style, "documents": [_fields(one) for one in found]})
    elif not interactive:
        _print_text(found, write_, most)
    failed = any(one.error for one in found)
    if interactive or write_:
        chosen = _asked_about(found) if interactive else [(one, one.suggestions) for one in found]
        failed = not _write_suggestions(opened, chosen, style) or failed
    sys.exit(2 if failed else 0)


def _fields(one: Suggestions) -> dict[str, object]:
    """The suggestions for a document, for programs."""
    return {
        **kit.pick_fields(one, "document sentences more error"),
        "suggestions": [
            {
                **kit.pick_fields(item, "line sentence citation path"),
                "first": item.lines.first,
                "last": item.lines.last,
                **kit.pick_fields(item, "evidence reason"),
                "confidence": item.confidence.label,
                "score": item.score,
                "offset": item.at,
            }
            for item in one.suggestions
        ],
    }


def _print_text(found: list[Suggestions], written: bool, most: int) -> None:
    number = 0
    for one in found:
        if one.error:
            kit.complain(one.error, escape_text(one.document))
        for item in one.suggestions:
            number += 1
            for row in _rows(item):
                click.echo(row)
            click.echo()
    if not number:
        click.echo(f"Nothing to suggest: {_why_none(found)}.", err=True)
        return
    sentences = format_count(sum(one.sentences for one in found), "sentence")
    what = f"{format_count(number, 'suggestion')} for {sentences} without a citation"
    click.echo(what + ("." if written else "; --write puts them in, --interactive asks."), err=True)
    left = sum(one.more for one in found)
    if left:
        click.echo(
            f"At most {most} for a document, up to {left} left out: --most N changes that, 0 shows all.", err=True
        )
    elif most and len(found) > 1:
        click.echo(f"At most {most} for a document: --most N changes that.", err=True)


def _why_none(found: list[Suggestions]) -> str:
    """Why there is no suggestion at all."""
    read = [one for one in found if not one.error]
    sentences = sum(one.sentences for one in read)
    if not read:
        return "no document could be read" if found else "there are no documents"
    where = format_count(len(read), "document")
    if not sentences:
        return f"no sentence in {where} states a fact and lacks a citation"
    looked = f"{format_count(sentences, 'sentence')} without a citation in {where}"
    return f"none of {looked} names lines clearly enough"


def _rows(item: Suggestion) -> Iterable[str]:
    """A suggestion for people."""
    color = kit.wants_color()
    place, citation = escape_text(f"{item.document}:{item.line}"), item.citation.replace("\n", " ")
    yield f"{kit.paint(place, '1', color)}  {item.confidence.label}"
    yield f"  {escape_text(item.sentence)}"
    yield f"  {kit.paint(escape_text(citation), '36', color)}"
    width = len(str(item.lines.last))
    for number, line in enumerate(item.evidence[:_MOST_EVIDENCE], item.lines.first):
        yield f"    {number:>{width}} │ {escape_text(line.expandtabs(4), _WIDEST)}"
    if len(item.evidence) > _MOST_EVIDENCE:
        yield f"    {'':>{width}} │ … {len(item.evidence) - _MOST_EVIDENCE} more"
    yield f"  because {escape_text(item.reason)}"


def _asked_about(found: list[Suggestions]) -> list[tuple[Suggestions, list[Suggestion]]]:
    """What a person accepts, document by document; what was accepted before they stop is kept."""
    chosen: list[tuple[Suggestions, list[Suggestion]]] = []
    for one in found:
        accepted: list[Suggestion] = []
        chosen.append((one, accepted))
        for item in sorted(one.suggestions, key=lambda item: item.at):
            for row in _rows(item):
                click.echo(row)
            try:
                answer = click.prompt("Cite it? [y]es, [n]o, [q]uit", default="n", show_default=False)
            except click.Abort:
                click.echo()
                return chosen
            if answer[:1].lower() == "q":
                return chosen
            if answer[:1].lower() == "y":
                accepted.append(item)
    if not any(one.suggestions for one in found):
        click.echo("Nothing to suggest.", err=True)
    return chosen


def _write_suggestions(root: Root, chosen: list[tuple[Suggestions, list[Suggestion]]], style: str) -> bool:
    """Put what was chosen into the documents; False where one could not be written."""
    from ...safe.write import replace
    from ...write.suggest.propose import insert_suggestions

    fine, citations, documents = True, 0, 0
    for one, items in chosen:
        if not items:
            continue
        try:
            replace(root, one.document, one.data, insert_suggestions(one, items, style))
        except PinciteError as error:
            fine = False
            kit.complain(error)
            continue
        citations, documents = citations + len(items), documents + 1
    click.echo(f"Added {format_count(citations, 'citation')} to {format_count(documents, 'document')}.", err=True)
    return fine
