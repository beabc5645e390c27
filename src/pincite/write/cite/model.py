"""What is cited, how it can be written, and why it cannot be cited."""

from __future__ import annotations

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import Lines


class CiteTarget(Struct, frozen=True):
    """A place that can be cited: it was read, and what it says was seen."""

    path: str
    """From the root."""
    lines: Lines | None
    """None where the whole file is meant."""
    symbol: str = ""
    """The dotted name, where it was asked for by that."""
    text: tuple[str, ...] = ()
    """The cited lines."""
    digest: str = ""
    """SHA-256 of the whole file."""
    telling: int = 0
    """The one line that says most: the one that holds a symbol's name; 0 where nothing is known of it."""
    pinned: str = ""
    """`owner/name@commit:` and the folders above the root, where that commit holds the same text at the same lines."""


class CandidatePlace(Struct, frozen=True, gc=False):
    """Where words were found, or what else could be meant, with a line to tell it by."""

    path: str
    lines: Lines
    line: str
    symbol: str = ""


class Style(Struct, frozen=True):
    """A way to write a citation."""

    dialect: str
    """Who reads it back."""
    summary: str
    whole: bool = False
    """Whether it can cite a whole file."""


STYLES = {
    "bracket": Style("bracket", "【F:src/app.py†L10-L25】"),
    "colon": Style("path-line", "src/app.py:10-25"),
    "link": Style("link", "[src/app.py:10-25](src/app.py#L10-L25), from the document's folder"),
    "permalink": Style("permalink", "the address on GitHub, at the commit", True),
    "frontmatter": Style("memory", "an item of a memory's `citations`", True),
    "cite": Style("cite", "[cite:file](src/app.py:10-25), [cite:function](src/app.py::name)", True),
    "symbol": Style("symbol", "src/app.py::Name.method"),
}
"""The styles there are, by name; the first is what is written unless another is asked for."""


class Uncitable(Refused):
    """What would not hold if it were cited; `kind` names why, as checks are named where one of them would object."""

    exit_code = 1

    def __init__(self, kind: str, message: str, places: tuple[CandidatePlace, ...] = (), more: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.places = places
        """What else could be meant, or where to look."""
        self.more = more
        """How many further places there are."""
