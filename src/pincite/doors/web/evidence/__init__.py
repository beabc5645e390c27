"""What stands behind one citation, as pages show it: one module per kind of evidence. They ask the engine that
`pincite show` asks, and give records without markup; templates colour and mark."""

from .load import load_evidence
from .view import EvidenceView

__all__ = ["EvidenceView", "load_evidence"]
