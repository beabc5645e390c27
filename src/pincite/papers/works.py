"""Whether two entries are the same work."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Paper

_BARE = re.compile(r"[\W_]+")


def are_parts(one: Paper, other: Paper) -> bool:
    """Whether two papers with one DOI are parts of it: chapters of a book with titles and pages of their own."""
    if not (one.title and other.title and one.page_range and other.page_range):
        return False
    return bare_title(one.title) != bare_title(other.title) and one.page_range != other.page_range


def bare_title(title: str) -> str:
    """A title as it is compared: letters and digits in lower case, accents off."""
    plain = unicodedata.normalize("NFKD", title).casefold()
    return _BARE.sub("", "".join(char for char in plain if not unicodedata.combining(char)))
