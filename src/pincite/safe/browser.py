"""The user's browser."""

from __future__ import annotations

import click


def open_in_browser(address: str) -> None:
    """Open an address in the program that the user's system has for it; where it has none, nothing happens."""
    click.launch(address)
