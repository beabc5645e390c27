"""What a change does to the citations of the documents: which it leaves alone, moves, edits or deletes the lines of."""

from .change import CompareSides, find_change, since_head
from .model import AffectedCitation, AffectedResult, Effect
from .search import look

__all__ = ["AffectedCitation", "AffectedResult", "CompareSides", "Effect", "find_change", "look", "since_head"]
