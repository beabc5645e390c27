"""Pin every claim to its evidence, and keep it pinned.

import pincite
result = pincite.check(["docs"], root=".")
for verdict in result.verdicts:
    print(verdict.citation.raw, verdict.outcome.label)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from .core.errors import PinciteError
    from .core.model import Citation, Defect, Edit, Finding, Malformed, Outcome, Report, Severity, Summary, Verdict
    from .doors.library import Result, check
    from .project.config import Config
    from .write.compose import chunk_hash, command_citation, file_citation, parse

_HOMES = {
    "check": "doors.library",
    "Result": "doors.library",
    "Config": "project.config",
    "PinciteError": "core.errors",
    **dict.fromkeys(("chunk_hash", "command_citation", "file_citation", "parse"), "write.compose"),
    **dict.fromkeys(
        ("Citation", "Defect", "Edit", "Finding", "Malformed", "Outcome", "Report", "Severity", "Summary", "Verdict"),
        "core.model",
    ),
}

__all__ = [
    "Citation",
    "Config",
    "Defect",
    "Edit",
    "Finding",
    "Malformed",
    "Outcome",
    "PinciteError",
    "Report",
    "Result",
    "Severity",
    "Summary",
    "Verdict",
    "__version__",
    "check",
    "chunk_hash",
    "command_citation",
    "file_citation",
    "parse",
]


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for: start-up is part of every hook."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{home}", __name__), name)
