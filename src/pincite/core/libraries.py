"""What to say where a library that pincite is installed with cannot be imported."""

from __future__ import annotations

_REMEDY = "pip install --force-reinstall "


def describe_missing(library: str) -> str:
    """The message for a library that is missing or damaged: what is wrong, and what to type."""
    return f"the library {library} is missing or damaged; reinstall it: {_REMEDY}{library}"


def is_missing_library(reason: str) -> bool:
    """Whether a message was made by `describe_missing`: the file is worth another look once the library is there."""
    return _REMEDY in reason
