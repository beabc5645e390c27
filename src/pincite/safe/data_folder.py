"""The user's data folder: where what lasts is kept, unless the user names another place."""

from __future__ import annotations

import os

from ..core.errors import UsageError


def find_data_place(name: str, remedy: str) -> str:
    """The path of a file or folder in the data folder of pincite, which need not exist.

    Raises UsageError, with the remedy, where there is no data folder.
    """
    base = os.environ.get("XDG_DATA_HOME", "")
    base = base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".local", "share")
    if not os.path.isabs(base):
        raise UsageError(f"there is no data folder; {remedy}")
    return os.path.join(base, "pincite", name)


def choose_folder(given: str | None, variable: str, option: str, name: str) -> str:
    """The folder that was named, else that of an environment variable, else one in the user's data folder."""
    named = given or os.environ.get(variable, "")
    return os.path.abspath(named) if named else find_data_place(name, f"name one with {option}, or set {variable}")
