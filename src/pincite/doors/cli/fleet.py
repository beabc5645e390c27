"""`pincite fleet`: many repositories and web sources, checked together."""

from __future__ import annotations

import click

from .lazy_group import LazyCommand, LazyGroup

SECTIONS = {
    "Check": {
        "check": LazyCommand("fleet_check", "Check many repositories, and keep what was found."),
        "revalidate": LazyCommand("fleet_revalidate", "Look at web sources again, politely."),
        "forget": LazyCommand("fleet_forget", "Forget repositories, and what was found in them."),
        "report": LazyCommand("fleet_report", "Say how all repositories fare, and what is new."),
    },
    "Several machines": {
        "certificates": LazyCommand("fleet_cluster:certificates", "Make the certificates of a cluster."),
        "scheduler": LazyCommand("fleet_cluster:scheduler", "Run the scheduler of a Dask cluster."),
        "worker": LazyCommand("fleet_worker", "Run a worker: of a cluster, or of the queue of web sources."),
    },
}


@click.group("fleet", cls=LazyGroup, sections=SECTIONS)
def command() -> None:
    """Check many repositories and web sources, on one machine or on several.

    Results are in the shared store: `--database`, or PINCITE_DATABASE, or a file in your data folder.
    """
