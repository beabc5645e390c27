"""What the commands of `pincite store` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .fleet_kit import store_option as store_option

if TYPE_CHECKING:
    from ...store.shared import SharedStore
    from ...store.shared.backend import Backend

PATIENCE = 3.0
"""Seconds for which a server that cannot be reached is tried again: a person waits for the answer."""

team_option = click.option("--team", metavar="NAME", default="default", help="The team (default: default).")


def connect(database: str | None) -> Backend:
    """The database that was named, whatever schema it has."""
    from ...store.shared import default_address, open_backend

    return open_backend(default_address(database), PATIENCE)


def open_shared(database: str | None, write: bool = True) -> SharedStore:
    """The store that was named."""
    from ...store.shared import default_address, open_store

    return open_store(default_address(database), write, PATIENCE)
