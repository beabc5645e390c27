"""Settings of a fleet, for repositories that have none of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.errors import Missing, Refused, UsageError
from ..core.limits import LIMITS
from ..project.config import parse_settings
from ..safe.files import read_path
from ..text.lines import decode

if TYPE_CHECKING:
    from ..project.config import Config

_NAME = "pincite.toml"


def read_fleet_settings(path: str) -> str:
    """The text of a settings file, which is sound; raises UsageError naming file, key and remedy."""
    try:
        text = decode(read_path(os.path.abspath(path), LIMITS.config_bytes))
    except Missing:
        raise UsageError(f"{path}: no such file; name one like pincite.toml with --settings") from None
    except Refused as error:
        raise UsageError(f"{path}: cannot be read ({error}); name a file like pincite.toml with --settings") from None
    choose_settings(text, path)
    return text


def choose_settings(text: str, path: str = "--settings") -> Config:
    """The settings in a text; raises UsageError."""
    config = parse_settings(text, _NAME, path)
    if config is None:
        raise UsageError(f"{path}: has no settings of pincite; write them as in pincite.toml")
    return config
