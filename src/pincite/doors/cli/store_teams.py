"""`pincite store team`, `grant` and `revoke`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .fleet_kit import Size
from .kit import format_option, print_json, say
from .store_kit import open_shared, store_option

if TYPE_CHECKING:
    from ...store.shared.records import Team

_MOST = click.IntRange(0, 2**62)


@click.command("team")
@click.argument("name")
@click.option("--repositories", type=_MOST, metavar="N", help="Repositories it may have; 0 is no limit.")
@click.option("--citations", type=_MOST, metavar="N", help="Citations that its repositories may have together.")
@click.option("--mirror-bytes", type=Size(), metavar="SIZE", help="What its mirrors may take on a disk: 20G.")
@click.option("--sources", type=_MOST, metavar="N", help="Web sources it may have.")
@store_option
@format_option()
def team(
    name: str,
    repositories: int | None,
    citations: int | None,
    mirror_bytes: int | None,
    sources: int | None,
    database: str | None,
    format_: str,
) -> None:
    """Add a team where it is missing, and set the limits that are given; the others stay.

    What is over a new limit stays; nothing is added to it. Exit code: 0 done, 2 it cannot be done.
    """
    from msgspec.structs import replace

    from ...store.shared.records import TeamLimits

    given = {
        "repositories": repositories,
        "citations": citations,
        "mirror_bytes": mirror_bytes,
        "sources": sources,
    }
    wanted = {key: value for key, value in given.items() if value is not None}
    with open_shared(database) as store:
        known = store.teams.find(name)
        limits = replace(known.limits if known is not None else TeamLimits(), **wanted) if wanted else None
        done = store.teams.set(name, limits)
    if format_ == "json":
        from msgspec import to_builtins

        print_json({"schema": "pincite.store-team/1", "team": done.name, "limits": to_builtins(done.limits)})
    else:
        say(f"team {done.name}: {_describe(done)}")


def _describe(team: Team) -> str:
    limits = team.limits
    parts = [
        f"{most:,} {noun}"
        for most, noun in (
            (limits.repositories, "repositories"),
            (limits.citations, "citations"),
            (limits.mirror_bytes, "bytes of mirrors"),
            (limits.sources, "sources"),
        )
        if most
    ]
    return f"at most {', '.join(parts)}" if parts else "no limits"


@click.command("grant")
@click.argument("role")
@click.option("--team", metavar="NAME", required=True, help="The team.")
@click.option("--as", "right", type=click.Choice(["reader", "worker"]), required=True, help="Sees it, or also writes.")
@store_option
def grant(role: str, team: str, right: str, database: str | None) -> None:
    """Let ROLE, a login that PostgreSQL has already, see a team, or also write for it.

    A login may be a reader of one team and a worker of another. Again with another right, that right replaces the old
    one. Exit code: 0 done, 2 it cannot be done.
    """
    with open_shared(database) as store:
        store.teams.grant(role, team, right)
    say(f"{role} is a {right} of team {team}")


@click.command("revoke")
@click.argument("role")
@click.option("--team", metavar="NAME", required=True, help="The team.")
@store_option
def revoke(role: str, team: str, database: str | None) -> None:
    """Take a team away from ROLE; what it wrote stays.

    Exit code: 0 done, 1 it did not have that team, 2 it cannot be done.
    """
    with open_shared(database) as store:
        had = store.teams.revoke(role, team)
    say(f"{role} no longer sees team {team}" if had else f"{role} was no member of team {team}", err=not had)
    sys.exit(0 if had else 1)
