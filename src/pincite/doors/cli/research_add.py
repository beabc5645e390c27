"""`pincite research new` and `add`: a topic, and the pages and quotes that it begins with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...domains.research.model import SOURCE_TYPES
from ...project.project import open_project
from ...text.lines import format_count
from . import research_kit as research
from .kit import format_option, print_json
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

    from ...domains.research.model import Aborted
    from ...domains.research.source_adding import AddedQuote, AddedSource, QuotedClaim
    from ...domains.research.stages import TopicContext
    from ...safe.files import Root

_SCHEMA = "pincite.research-add/1"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
_STYLES = {"added": "good", "known": "good", "altered": "bad", "missing": "bad", "unchecked": "warn"}
_WORDS = {
    "added": "quote verbatim",
    "known": "known already",
    "altered": "quote not verbatim",
    "missing": "quote not found",
    "unchecked": "quote not looked for",
}


@click.command("new")
@click.argument("topic")
@format_option()
@research.at_topics
def new(topic: str, format_: str, root: str | None) -> None:
    """Begin a topic: the folder `.research/TOPIC` with the files of its first two stages.

    Nothing that exists is replaced.

    Exit code: 0 it is there now, 2 it was there before, or cannot be written.
    """
    from ...domains.research.model import EXTRACT, SEARCH
    from ...domains.research.new_topic import create_topic
    from ...domains.research.topic import topics

    project = open_project(root)
    made = create_topic(project.root, topic)
    files = [made.path(stage) for stage in (SEARCH, EXTRACT)]
    if format_ == "json":
        print_json({"schema": "pincite.research-new/1", "topic": made.name, "files": files})
        return
    ink = research.Ink()
    named = f" --topic {made.name}" if len(topics(project.root)) > 1 else ""
    research.emit(f"created {ink(file, 'place')}" for file in files)
    research.emit(
        (
            "",
            "Add at least three pages, and for each claim the words that say it:",
            f"  pincite research add https://…{named} --quote 'words of the page' --claim 'what you say'",
            f"  pincite research add saved.html{named} --quote … --claim …",
            f"With five claims, `pincite research run {ink(made.name)}` checks them all and writes the report.",
        )
    )


@click.command("add")
@click.argument("source", metavar="URL|FILE", shell_complete=complete_path)
@click.option("--quote", "quotes", multiple=True, metavar="TEXT", help="Words of the page (repeatable).")
@click.option("--claim", "claims", multiple=True, metavar="TEXT", help="What the quote supports (repeatable).")
@click.option("--topic", metavar="TOPIC", help="The topic it belongs to (default: the only one there is).")
@click.option("--url", metavar="URL", default="", help="Where a saved page comes from, if the file does not say so.")
@click.option("--saved", metavar="DATE", default="", help="The day a page was saved, if the file does not say so.")
@click.option("--title", metavar="TEXT", default="", help="The page's title (default: as the page says).")
@click.option("--type", "type_", type=click.Choice(SOURCE_TYPES), default=None, help="Its type (default: by its host).")
@click.option("--section", metavar="TEXT", default="", help="The heading of the report that the claims belong under.")
@research.fetch_options
@format_option()
@research.at_topics
def add(
    source: str,
    quotes: tuple[str, ...],
    claims: tuple[str, ...],
    topic: str | None,
    url: str,
    saved: str,
    title: str,
    type_: str | None,
    section: str,
    offline: bool,
    refresh: bool,
    format_: str,
    root: str | None,
) -> None:
    """Add a page to a topic, with what you quote from it and what you claim.

    A page is fetched from its address, once, and kept. A FILE is a page that you saved: HTML of a browser, SingleFile,
    MHTML, PDF, text, or a WARC file. Each quote is looked up on the page at once; unless all of them stand there, word
    for word, nothing is entered, and you see what stands there instead. Of several quotes each goes with the claim in
    the same place; one quote may go with several claims. A page that is known already gets the new claims only.

    Exit code: 0 it is entered, 1 a quote does not stand there or a rule is broken, 2 a file cannot be read or misuse.
    """
    from ...domains.research.model import Aborted
    from ...domains.research.saved_files import read_saved_file
    from ...domains.research.source_adding import SourceRequest, add_page, add_saved

    quoted = _pair_up(quotes, claims)
    project = open_project(root)
    work = research.open_work(_find_name(project.root, topic), root, offline=offline, refresh=refresh)
    wanted = SourceRequest(source, quoted, title, type_ or "", " ".join(section.split()))
    try:
        if _ADDRESS.match(source):
            _refuse_options({"--url": url, "--saved": saved}, "is for saved pages; an address is fetched")
            added = add_page(work, wanted)
        else:
            _refuse_options({"--refresh": refresh, "--offline": offline}, "is for addresses; a file is only read")
            added = add_saved(work, wanted, read_saved_file(source, url, saved, work.root.path))
    except Aborted as error:
        _refuse(work, error, format_)
    if format_ == "json":
        print_json(_json(work, added))
    else:
        research.emit(_lines(work, added, research.Ink()))


def _pair_up(quotes: tuple[str, ...], claims: tuple[str, ...]) -> tuple[QuotedClaim, ...]:
    """Each claim with its quote; raises UsageError where the numbers do not go together."""
    from ...domains.research.source_adding import QuotedClaim
    from ...text.lines import can_encode

    for option, given in (("--quote", quotes), ("--claim", claims)):
        for text in given:
            if not text.strip() or not can_encode(text):
                raise click.UsageError(f"{option} is {'empty' if not text.strip() else 'no text'}; write it out")
    if len(quotes) == 1 and claims:
        quotes *= len(claims)
    if len(quotes) != len(claims):
        raise click.UsageError(
            f"{format_count(len(quotes), 'quote')} and {format_count(len(claims), 'claim')}: give each claim its quote"
        )
    pairs = zip(claims, quotes, strict=True)
    return tuple(QuotedClaim(" ".join(claim.split()), " ".join(quote.split())) for claim, quote in pairs)


def _find_name(root: Root, topic: str | None) -> str:
    """The topic that is meant; raises UsageError where there is none, or more than one."""
    from ...domains.research.topic import topic_named, topics

    known = [one.name for one in topics(root)]
    if topic is None:
        if not known:
            raise click.UsageError("there is no topic yet; begin one: `pincite research new TOPIC`")
        if len(known) > 1:
            raise click.UsageError(f"which topic? pass --topic NAME (topics: {', '.join(known)})")
        return known[0]
    if "/" not in topic and topic_named(topic).name not in known:
        there = f"topics: {', '.join(known)}" if known else "there is none yet"
        raise UsageError(f"{topic}: no such topic ({there}); begin it: `pincite research new {topic}`")
    return topic


def _refuse_options(given: dict[str, object], why: str) -> None:
    for option, value in given.items():
        if value:
            raise click.UsageError(f"{option} {why}")


def _refuse(work: TopicContext, error: Aborted, format_: str) -> NoReturn:
    """Show what was found instead of a quote, and end."""
    found: tuple[AddedQuote, ...] = error.result if isinstance(error.result, tuple) else ()
    if format_ == "json":
        aborted = research.aborted_json(error)
        print_json({"schema": _SCHEMA, "topic": work.topic.name, "quotes": found, "aborted": aborted})
    else:
        ink = research.Ink()
        for one in found:
            research.emit(_quote_lines(one, ink))
    research.refuse(error, format_)


def _quote_lines(one: AddedQuote, ink: research.Ink) -> Iterator[str]:
    """A quote, and whether it stands on the page."""
    sign = "✓" if one.verbatim else "?" if one.state == "unchecked" else "✗"
    number = f"{one.citation_id:>3} " if one.citation_id else "    "
    yield f"{number}{ink(sign, _STYLES[one.state])} {ink(one.claim)}"
    yield f"      {ink(_WORDS[one.state], _STYLES[one.state])}  {ink(one.reason)}"
    if one.nearest:
        yield f"      {ink('the quote', 'dim')}  {ink(one.quote)}"
        yield f"      {ink('the page ', 'dim')}  {ink(one.nearest)}"


def _lines(work: TopicContext, added: AddedSource, ink: research.Ink) -> Iterator[str]:
    """What was entered, and what is left to do."""
    from ...domains.research.model import GROUND, SEARCH
    from ...domains.research.stage_rules import FEWEST

    yield f"{ink(added.url, 'place')}  {ink(added.title)}"
    entered = "known already as" if added.known else "entered as"
    score = f", credibility {added.credibility}/10" if added.credibility else ""
    kind = f"{added.source_type} ({ink(added.called)})"
    yield f"  {entered} result {added.result_id}, {kind}{score}, page of {added.accessed}"
    if added.saved:
        yield f"  {ink('saved page', 'dim')}  {ink(added.saved)}"
    yield f"  {ink('snapshot', 'dim')}  {ink(added.snapshot)}"
    for one in added.quotes:
        yield from _quote_lines(one, ink)
    if added.rejected:
        yield f"  {ink('validation will reject it:', 'warn')} {ink(added.rejected)}"
    pages, claims = FEWEST[SEARCH], FEWEST[GROUND]
    have = f"{format_count(added.results, 'page')}, {format_count(added.citations, 'citation')}"
    if added.results < pages or added.citations < claims:
        yield ink(f"{have}; a report needs {pages} pages and {claims} claims", "bold")
    else:
        yield ink(f"{have}; now run `pincite research run {work.topic.name}`", "bold")


def _json(work: TopicContext, added: AddedSource) -> dict[str, object]:
    """What was entered, for programs."""
    from msgspec.structs import asdict

    return {"schema": _SCHEMA, "topic": work.topic.name, **asdict(added), "aborted": None}
