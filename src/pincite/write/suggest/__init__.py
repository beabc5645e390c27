"""Citations for documents that have few: sentences, and the lines of the repository that would falsify them.

suggest   documents -> what could be cited in each, the best first, every one of them verified
insert_suggestions   a document with suggestions put in
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .model import MOST, Asked, Confidence, Suggestion, Suggestions

if TYPE_CHECKING:
    from .propose import insert_suggestions as insert_suggestions
    from .propose import suggest as suggest

__all__ = ["MOST", "Asked", "Confidence", "Suggestion", "Suggestions"]


def __getattr__(name: str) -> object:
    """The functions of this package, loaded when one is first asked for."""
    if name not in ("insert_suggestions", "suggest"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".propose", __name__), name)
