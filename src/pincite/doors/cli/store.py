"""`pincite store`: the store that a team shares."""

from __future__ import annotations

import click

from .lazy_group import LazyCommand, LazyGroup

SECTIONS = {
    "The store": {
        "migrate": LazyCommand("store_schema:migrate", "Make the store, or bring its schema up to date."),
        "status": LazyCommand("store_schema:status", "Say what the store holds, and whether it adds up."),
        "export": LazyCommand("store_transfer:export", "Write the whole store to one file."),
        "import": LazyCommand("store_transfer:import_", "Read such a file into an empty store of any kind."),
    },
    "Who may do what": {
        "team": LazyCommand("store_teams:team", "Add a team, and set how much it may use."),
        "grant": LazyCommand("store_teams:grant", "Let a login of PostgreSQL see a team, or write for it."),
        "revoke": LazyCommand("store_teams:revoke", "Take a team away from a login."),
    },
    "Evidence of a project": {
        "push": LazyCommand("store_evidence:push", "Share what this project's documents rest on."),
        "pull": LazyCommand("store_evidence:pull", "Get what this project's documents rest on and is not here."),
    },
}


@click.group("store", cls=LazyGroup, sections=SECTIONS)
def command() -> None:
    """Keep the store that a team shares: verdicts over time, evidence and web sources.

    It is a database of PostgreSQL or a file of SQLite: `--database`, or PINCITE_DATABASE, or a file in your data
    folder. Other users of the machine see a command line; put a password into PINCITE_DATABASE or ~/.pgpass.
    """
