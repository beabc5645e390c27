"""`pincite fleet forget`."""

from __future__ import annotations

import sys

import click

from .fleet_kit import store_option
from .kit import complain, say


@click.command("forget")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@store_option
@click.option("--team", default="default", metavar="NAME", help="The team that the repositories belong to.")
def command(names: tuple[str, ...], database: str | None, team: str) -> None:
    """Forget repositories by their names, with everything that checks found in them and the web pages that they cite.

    `pincite fleet report` lists the names. Their mirrors go when room is needed. In PostgreSQL only the owner of the
    store may. Exit code: 0 forgotten, 1 some of them are not known, 2 it cannot be done.
    """
    from ...core.errors import UsageError
    from ...store.shared import default_address, open_store

    with open_store(default_address(database)) as store:
        if not store.backend.sees_everything():
            raise UsageError(f"{store.address.shown}: only the owner of the store may forget repositories")
        found = store.teams.get(team)
        forgotten = store.verdicts.forget(found, names)
        for name in forgotten:
            store.sources.forget(found, name)
    if forgotten:
        say(f"forgotten: {', '.join(forgotten)}")
    unknown = [name for name in dict.fromkeys(names) if name not in forgotten]
    for name in unknown:
        complain(f"{name}: team {team} has no repository of that name; `pincite fleet report` lists them")
    sys.exit(1 if unknown else 0)
