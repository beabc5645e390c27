"""`pincite fleet revalidate`."""

from __future__ import annotations

import os
import re
import sys
import threading
from time import time
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from ...core.errors import UsageError
from ...text.lines import format_count
from . import kit
from .fleet_kit import log_options, store_option

if TYPE_CHECKING:
    from ...fleet.host_visits import VisitOptions
    from ...fleet.revalidation import RevalidationSummary
    from ...fleet.structured_log import FleetLog
    from ...store.shared import SharedStore
    from ...store.shared.records import Team
    from .fleet_kit import LogWishes

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SHORTEST, _LONGEST = 60, 366 * 86_400
_MOST_REFUSED = 20
_STATES = ("new", "same", "changed", "unchecked", "gone")


def _parse_period(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """The seconds of a length of time: `7d`, `12h`."""
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{1,6})([smhdw])", value.strip())
    seconds = int(match[1]) * _UNITS[match[2]] if match is not None else 0
    if not _SHORTEST <= seconds <= _LONGEST:
        raise click.BadParameter(f"{value!r} is no period; write 12h or 7d, from 1m to 366d")
    return seconds


class _Wishes(Struct, frozen=True):
    """What is to be done instead of, or before, visiting."""

    pause: tuple[str, ...]
    resume: tuple[str, ...]
    pause_all: bool
    resume_all: bool
    forget: tuple[str, ...]
    status: bool
    list_: bool
    state: str | None

    @property
    def is_change(self) -> bool:
        """Whether something is changed, and nothing visited."""
        return bool(self.pause or self.resume or self.forget) or self.pause_all or self.resume_all


class VisitWishes(Struct, frozen=True):
    """How pages are visited."""

    hosts: int
    delay: float
    snapshots: str | None
    no_snapshots: bool
    contact: str
    name: str


visit_options = kit.gather_options(
    VisitWishes,
    "visits",
    click.option(
        "--hosts", type=click.IntRange(1, 1000), default=64, metavar="N", help="Hosts to ask at once (default: 64)."
    ),
    click.option(
        "--delay",
        type=click.FloatRange(0.1, 86_400),
        default=1.0,
        metavar="SECONDS",
        help="Least time between two requests to one host (default: 1); a longer Crawl-delay is kept.",
    ),
    click.option(
        "--snapshots",
        metavar="DIR",
        help="Folder for pages that changed (default: PINCITE_FLEET_SNAPSHOTS, or your data folder).",
    ),
    click.option("--no-snapshots", is_flag=True, help="Keep no pages, only their digests."),
    click.option("--contact", default="", metavar="TEXT", help="An address that sites may write to."),
    click.option("--name", default="", metavar="NAME", help="What this worker is called in the store."),
)
_wish_options = kit.gather_options(
    _Wishes,
    "wishes",
    click.option("--pause", multiple=True, metavar="HOST", help="Ask a host no more, for all teams (repeatable)."),
    click.option("--resume", multiple=True, metavar="HOST", help="Ask a host again (repeatable)."),
    click.option("--pause-all", is_flag=True, help="Ask no host at all, for all teams."),
    click.option("--resume-all", is_flag=True, help="Ask all hosts again."),
    click.option("--forget", multiple=True, metavar="PLACE", help="Drop what is cited in a place (repeatable)."),
    click.option("--status", is_flag=True, help="Print how the sources fare, and visit nothing."),
    click.option("--list", "list_", is_flag=True, help="Print all sources, and visit nothing."),
    click.option("--state", type=click.Choice(_STATES), help="With --list: only sources in this state."),
)


@click.command("revalidate")
@click.argument("sources", nargs=-1, metavar="[SOURCES]...")
@store_option
@click.option("--team", default="default", metavar="NAME", help="The team that the sources belong to.")
@click.option(
    "--every", callback=_parse_period, metavar="PERIOD", help="Time between two visits of SOURCES (default: 7d)."
)
@click.option("--once", "mode", flag_value="once", help="End when what is due now was visited.")
@click.option("--until-done", "mode", flag_value="until-done", help="End when every source was seen, or is gone.")
@click.option(
    "--engine",
    type=click.Choice(["here", "queue"]),
    default="here",
    help="Visit in this process, or let workers do it (default: here).",
)
@visit_options
@_wish_options
@kit.format_option()
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@log_options
def command(
    sources: tuple[str, ...],
    database: str | None,
    team: str,
    every: int | None,
    mode: str | None,
    engine: str,
    visits: VisitWishes,
    wishes: _Wishes,
    format_: str,
    quiet: bool,
    log_wishes: LogWishes,
) -> None:
    """Look at web sources again, politely, and say which quotes no longer stand there.

    SOURCES are lists with a URL or a JSON object on each line ({"url": …, "quote": …, "cited_in": …}; '-' is standard
    input), https addresses, and repositories with research topics. They are kept in the store: without any, those that
    are known are visited when they are due. Without --once and --until-done this goes on until it is interrupted.

    A page is asked for at most as often as its host allows, and never where its robots.txt forbids it. What cannot be
    reached is unchecked and tried again; a page is gone when its server said so on three days. With --engine queue,
    workers (`pincite fleet worker --queue`) do the visits, and this command only waits for them where it is told to.

    Exit code: 0 every quote that could be looked up stands, 1 a quote is missing or a source is gone, 2 the arguments,
    the store or the folder of snapshots cannot be used.
    """
    from ...store.shared import default_address, open_store

    _refuse_contradictions(sources, every, mode, wishes)
    address = default_address(database)
    reads = wishes.status or wishes.list_
    with open_store(address, wishes.is_change or not reads) as store:
        found = store.teams.get(team)
        if wishes.is_change:
            _change(store, found, wishes, quiet or (reads and format_ == "json"))
            if not reads:
                return
        if sources:
            _add(store, found, sources, every, quiet or format_ == "json")
        if wishes.list_:
            _list(store, found, wishes.state or "", format_)
            return
        summary = None
        if not reads:
            log = log_wishes.make()
            summary = _visit(store, found, mode or "for-ever", engine, visits, log, quiet)
        problems = _report(store, found, summary, format_, quiet)
    sys.exit(int(problems and not wishes.status))


def _refuse_contradictions(sources: tuple[str, ...], every: int | None, mode: str | None, wishes: _Wishes) -> None:
    """Raise UsageError for options of which one would be ignored."""
    visits_nothing = wishes.is_change or wishes.status or wishes.list_
    if wishes.state and not wishes.list_:
        raise click.UsageError(f"--state goes with --list: pincite fleet revalidate --list --state {wishes.state}")
    if wishes.list_ and wishes.status:
        raise click.UsageError("--list and --status are two reports; give one of them")
    if wishes.pause_all and wishes.resume_all:
        raise click.UsageError("--pause-all and --resume-all contradict one another; give one of them")
    if sources and visits_nothing:
        raise click.UsageError("SOURCES are added to be visited; leave them out, or the options that visit nothing")
    if mode and visits_nothing:
        raise click.UsageError(f"--{mode} is for visits; leave it out, or the options that visit nothing")
    if every is not None and not sources:
        raise click.UsageError("--every is for SOURCES; name the lists or addresses that it is for")


def _change(store: SharedStore, team: Team, wishes: _Wishes, quiet: bool) -> None:
    from ...store.shared.web_hosts import ALL_HOSTS

    def say(line: str) -> None:
        if not quiet:
            kit.say(line)

    hosts = store.sources.hosts
    paused = [*map(_read_host, wishes.pause), *([ALL_HOSTS] if wishes.pause_all else [])]
    resumed = [*map(_read_host, wishes.resume), *([ALL_HOSTS] if wishes.resume_all else [])]
    for host in paused:
        hosts.pause(host)
        say("all hosts are paused" if host == ALL_HOSTS else f"{host}: paused")
    for host in resumed:
        number = hosts.resume(host)
        shown = "all hosts" if host == ALL_HOSTS else host
        say(f"{shown}: may be asked again" if number else f"{shown}: not paused")
    for place in wishes.forget:
        say(f"{place}: {format_count(store.sources.forget(team, place), 'citation')} forgotten")


def _read_host(given: str) -> str:
    """The host that a name or an address means."""
    from ...core.web import FetchFailure
    from ...safe.fetch.target import target_of

    try:
        return target_of(given if "://" in given else f"https://{given}/").host
    except FetchFailure as failure:
        raise click.BadParameter(f"{failure}; name a host, such as www.example.org") from None


def _add(store: SharedStore, team: Team, given: tuple[str, ...], every: int | None, quiet: bool) -> None:
    from ...fleet.source_list import LARGEST_LIST, parse_list, read_sources, show_address

    added = known = quotes = 0
    is_usable = False
    refused: list[tuple[str, str]] = []
    for one in given:
        lists = [parse_list(kit.read_stdin(LARGEST_LIST), "standard input")] if one == "-" else read_sources([one])
        for listed in lists:
            got = store.sources.add(team, listed.sources, period=every, place=listed.place)
            added, known, quotes = added + got.added, known + got.known, quotes + got.quotes
            # A place in which nothing is cited any more is in order.
            is_usable = is_usable or got.added + got.known > 0 or bool(listed.place)
            refused += (*listed.refused, *((show_address(url), reason) for url, reason in got.refused))
    for name, reason in refused[:_MOST_REFUSED]:
        kit.complain(f"{name}: not added: {reason}", "warning")
    if len(refused) > _MOST_REFUSED:
        kit.complain(f"{len(refused) - _MOST_REFUSED:,} more were not added", "warning")
    if not is_usable:
        what = "nothing of what is listed can be visited" if refused else "no source is listed there"
        raise UsageError(f"{', '.join(map(show_address, given))}: {what}; nothing was visited")
    if not quiet:
        kit.say(f"{format_count(added, 'source')} added, {known:,} known already, {format_count(quotes, 'new quote')}")


def _visit(
    store: SharedStore, team: Team, mode: str, engine: str, visits: VisitWishes, log: FleetLog, quiet: bool
) -> RevalidationSummary:
    from ...fleet.metrics import make_metrics
    from ...fleet.revalidation import Revalidation, RevalidationSummary, stop_by_signals, wait_until_done
    from .fleet_visit_report import VisitProgress

    stop = threading.Event()
    with stop_by_signals(stop), VisitProgress(not quiet) as progress:
        if engine == "here":
            count = make_metrics().count_page
            run = Revalidation(store, team, make_options(visits), mode, recorded=lambda one: count(one.status), log=log)
            run.run(stop, progress.step)
            return run.summary
        import asyncio

        from ...fleet.web_queue import ensure_queue, queue_hosts

        ensure_queue(store.address)
        queued = asyncio.run(queue_hosts(store, team, int(time())))
        if mode == "for-ever":
            if not quiet:
                kit.say(f"{format_count(queued, 'host')} queued; `pincite fleet worker --queue` visits them", err=True)
            return RevalidationSummary()
        return wait_until_done(store, team, mode, stop, progress.step)


def make_options(visits: VisitWishes) -> VisitOptions:
    """How pages are visited, from the options of a command."""
    from ...fleet.host_visits import VisitOptions, snapshots_folder

    return VisitOptions(
        delay=visits.delay,
        hosts=visits.hosts,
        contact=visits.contact,
        snapshots="" if visits.no_snapshots else snapshots_folder(visits.snapshots),
        processes=min(4, os.cpu_count() or 1),
        name=visits.name,
    )


def _list(store: SharedStore, team: Team, state: str, format_: str) -> None:
    from .fleet_visit_report import format_source

    for one in store.sources.list_all(team, state):
        click.echo(format_source(one, format_))


def _report(store: SharedStore, team: Team, summary: RevalidationSummary | None, format_: str, quiet: bool) -> bool:
    """Say how the sources fare; whether something is wrong with them."""
    from .fleet_visit_report import make_report, print_report

    report = make_report(store, team, summary)
    if format_ == "json":
        kit.print_json(report.as_json())
    elif not quiet:
        print_report(report)
    return bool(report.problems)
