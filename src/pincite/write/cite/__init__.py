"""Citations that write themselves: a place, or words to look for, becomes a text that `check` reads and finds true.

find_target   what was typed -> the Target it means, or Uncitable with the reason
write         Target and style -> the citation, read back before it is given
Proof         whether a citation holds, asked of the same engine that checks documents
insert        citations put behind the sentences they support
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .model import STYLES, CandidatePlace, CiteTarget, Style, Uncitable

if TYPE_CHECKING:
    from .insertion import end_after as end_after
    from .insertion import end_on_line as end_on_line
    from .insertion import insert as insert
    from .memory_citation import add_citation as add_citation
    from .permalinks import pin_commit as pin_commit
    from .proof import Proof as Proof
    from .target import find_target as find_target
    from .text_search import find_places as find_places
    from .writer import write as write

__all__ = ["STYLES", "CandidatePlace", "CiteTarget", "Style", "Uncitable"]

_HOMES = {
    "find_target": "target",
    "find_places": "text_search",
    "write": "writer",
    "Proof": "proof",
    "pin_commit": "permalinks",
    "insert": "insertion",
    "end_on_line": "insertion",
    "end_after": "insertion",
    "add_citation": "memory_citation",
}


def __getattr__(name: str) -> object:
    """The functions of this package, each loaded when it is first asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
