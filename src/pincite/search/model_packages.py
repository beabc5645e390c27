"""The packages of the extra `models`, imported when a model is used, and the tokenizer that every model has."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..core.errors import Unreadable, UsageError
from ..safe.files import read_path

_MOST_BYTES = 1 << 28


def import_package(name: str, doing: str = "ranking by meaning") -> Any:
    """A package of the extra; UsageError says which extra, and for what, where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{doing} needs an extra: install pincite[models]") from None


def read_tokenizer(path: str, doing: str = "ranking by meaning") -> Any:
    """What takes words apart; padding and cutting that the file may ask for are left to the caller."""
    tokenizers = import_package("tokenizers", doing)
    data = read_path(path, _MOST_BYTES)
    try:
        found = tokenizers.Tokenizer.from_str(data.decode("utf-8"))
        found.no_padding()
        found.no_truncation()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # what goes wrong in its depths is no Exception
        raise Unreadable(f"{path}: not a tokenizer") from None
    return found
