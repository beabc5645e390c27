"""JSON of a stranger as a table."""

from typing import Any

from msgspec import DecodeError
from msgspec.json import decode


def load_table(text: str) -> dict[str, Any]:
    """The object that a text is; raises ValueError where it is none."""
    try:
        found = decode(text.removeprefix("\ufeff").encode("utf-8", "surrogateescape"))
    except (DecodeError, RecursionError, UnicodeError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found
