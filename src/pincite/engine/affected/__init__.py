"""What a change does to the citations of the documents: which it leaves alone, moves, edits or deletes the lines of."""

from __future__ import annotations

from .change import Change, find_change, since_head
from .model import Effect, Item, Result
from .search import look

__all__ = ["Change", "Effect", "Item", "Result", "find_change", "look", "since_head"]
