"""`pincite store push` and `pincite store pull`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .kit import complain, format_option, join_options, print_json, root_option, say
from .store_kit import open_shared, store_option, team_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...fleet.evidence_exchange import ExchangeWishes, PullSummary
    from ...project.project import Project

_MOST_LISTED = 1_000

_exchange_options = join_options(
    click.option("--project", metavar="NAME", help="Its name in the store (default: that of its origin)."),
    team_option,
    click.option("--all", "is_all", is_flag=True, help="All captured output, not only what is cited."),
    click.option(
        "--judgements", "has_judgements", is_flag=True, help="Also the answers of models, of all your projects."
    ),
    store_option,
    format_option(),
    root_option(),
)


@click.command("push")
@_exchange_options
def push(
    project: str | None,
    team: str,
    is_all: bool,
    has_judgements: bool,
    database: str | None,
    format_: str,
    root: str | None,
) -> None:
    """Share what this project's documents rest on with a team.

    That is captured output that is cited, with its secrets hidden as they were when it was captured; receipts; accepted
    findings; and which snapshots of web pages there are. What the store has already is not sent again, and nothing is
    ever sent but by this command. Exit code: 0 done, 1 something is damaged here and was left out, 2 it cannot be done.
    """
    from ...fleet.evidence_exchange import push_evidence
    from ...project.project import open_project

    with open_project(root) as opened, open_shared(database) as store:
        wishes = _make_wishes(opened, project, is_all, has_judgements, only_missing=False)
        done = push_evidence(store, store.teams.get(team), opened, wishes)
    sent = {
        "texts": done.output.texts,
        "runs": done.output.runs,
        "bytes": done.output.bytes,
        "receipts": done.receipts,
        "acceptances": done.acceptances,
        "snapshots": done.snapshots,
        "judgements": done.judgements,
    }
    if format_ == "json":
        skipped = done.output.skipped
        print_json(
            {"schema": "pincite.store-push/1", "project": wishes.project, "team": team, **sent, "skipped": skipped}
        )
    else:
        say(f"{wishes.project}: sent to team {team}: {_describe(sent)}")
    _end(done.output.skipped)


@click.command("pull")
@click.option("--write", is_flag=True, help="Also write receipts and accepted findings into the work tree.")
@_exchange_options
def pull(
    write: bool,
    project: str | None,
    team: str,
    is_all: bool,
    has_judgements: bool,
    database: str | None,
    format_: str,
    root: str | None,
) -> None:
    """Get what this project's documents rest on and is not here.

    Captured output that is cited comes into the local store under the ids that it is cited by; every text is compared
    with its digest. Receipts and accepted findings are shown, and written with --write. Exit code: 0 done, 1 something
    in the store is damaged and was left out, 2 it cannot be done.
    """
    from ...fleet.evidence_exchange import pull_evidence, write_pulled
    from ...project.project import open_project

    with open_project(root) as opened, open_shared(database, write=False) as store:
        wishes = _make_wishes(opened, project, is_all, has_judgements, only_missing=True)
        done = pull_evidence(store, store.teams.get(team), opened, wishes)
        if format_ == "json":
            print_json({**_object(done), "project": wishes.project, "team": team, "written": write})
        else:
            for line in _lines(done, wishes, team, opened, write):
                say(line)
        if write:
            write_pulled(opened, done)
    _end(done.skipped)


def _make_wishes(
    opened: Project, project: str | None, is_all: bool, has_judgements: bool, only_missing: bool
) -> ExchangeWishes:
    from ...core.errors import UsageError
    from ...fleet.evidence_exchange import ExchangeWishes
    from ...fleet.repository_list import make_repository
    from ...safe.search_git import cited_ids
    from ...store.captures import Captures

    if project is None:
        try:
            project = make_repository(opened.root.path).name
        except UsageError:
            raise UsageError(f"{opened.root.path}: no repository of git; name the project with --project") from None
    if is_all:
        return ExchangeWishes(project, None, has_judgements)
    try:
        prefixes = {prefix for prefix, _ in cited_ids(opened.root, opened.git())}
    finally:
        opened.close_git()
    captures = Captures.open(opened.root) if only_missing else None
    if captures is not None:
        with captures:
            # Another text for an id that means one here would make it ambiguous.
            prefixes = {prefix for prefix in prefixes if not captures.find(prefix)}
    return ExchangeWishes(project, frozenset(prefixes), has_judgements)


def _describe(counts: dict[str, int]) -> str:
    words = {
        "texts": ("text", "texts"),
        "runs": ("run", "runs"),
        "bytes": ("byte", "bytes"),
        "receipts": ("receipt", "receipts"),
        "acceptances": ("accepted finding", "accepted findings"),
        "snapshots": ("snapshot in the index", "snapshots in the index"),
        "judgements": ("judgement", "judgements"),
    }
    shown = [f"{number:,} {words[name][number != 1]}" for name, number in counts.items() if number]
    return ", ".join(shown) or "nothing new"


def _object(done: PullSummary) -> dict[str, object]:
    from msgspec import to_builtins

    return {
        "schema": "pincite.store-pull/1",
        "texts": done.output.texts,
        "runs": done.output.runs,
        "bytes": done.output.bytes,
        "judgements": done.judgements,
        "receipts": [name for name, _ in done.receipts],
        "acceptances": to_builtins(done.acceptances),
        "snapshots": to_builtins(done.snapshots[:_MOST_LISTED]),
        "skipped": done.skipped,
    }


def _lines(done: PullSummary, wishes: ExchangeWishes, team: str, opened: Project, write: bool) -> Iterator[str]:
    counts = {
        "texts": done.output.texts,
        "runs": done.output.runs,
        "bytes": done.output.bytes,
        "judgements": done.judgements,
    }
    got = _describe(counts) if any(counts.values()) else "nothing that was missing"
    yield f"{wishes.project}: brought from team {team}: {got}"
    folder = opened.config.corpus.receipts
    for name, receipt in done.receipts:
        yield f"{'wrote' if write else 'would write'} {folder}/{name} ({receipt.citation})"
    if done.acceptances:
        yield from _diff(done, opened)
    if done.snapshots:
        pages = len({one.url for one in done.snapshots})
        yield f"others have {len(done.snapshots):,} snapshots of {pages:,} web pages that are not here"
    if (done.receipts or done.acceptances) and not write:
        yield "nothing was written into the work tree; --write does it"


def _diff(done: PullSummary, opened: Project) -> Iterator[str]:
    from difflib import unified_diff

    from ...fleet.evidence_exchange import merge_acceptances
    from ...store import ACCEPTED
    from ...store.accepted_file import Acceptances

    known = Acceptances.load(opened.root)
    before, after = (
        (known.data or b"").decode("utf-8", "replace"),
        merge_acceptances(known, done.acceptances).decode(),
    )
    yield from unified_diff(before.splitlines(), after.splitlines(), f"a/{ACCEPTED}", f"b/{ACCEPTED}", lineterm="")


def _end(skipped: list[str]) -> None:
    for line in skipped[:_MOST_LISTED]:
        complain(line)
    sys.exit(1 if skipped else 0)
