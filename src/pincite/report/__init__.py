"""Reports: one format per module of this folder, found by listing it; the module's name is the format's name.

A format is a plain module. Its docstring is its documentation, `NEEDS_ALL` says whether it wants a verdict also for
citations that plainly hold, and its `Reporter` is fed one document at a time, in path order, so that a report of any
length is written with little in memory.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from ..core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report, Summary


class Options(Struct, frozen=True):
    """The options of a format: about the run, and the place it writes to."""

    color: bool = False
    quiet: bool = False
    """Only what fails the run; nothing at all when nothing does (the text format)."""
    strict: bool = False
    """Warnings fail the run."""
    skipped: bool = False
    """List what looks like a citation and was not read as one (the text format)."""
    root: str = ""
    version: str = ""
    width: int = 100
    """Columns of the terminal: longer quoted lines are cut."""
    pages: Callable[[str], str] | None = None
    """Gives the documentation of a check by its name."""


class ReportWriter(Protocol):
    """What every format's `Reporter` can do."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None: ...

    def document(self, report: Report) -> None:
        """Take in one document; documents come in path order, each once."""

    def close(self, summary: Summary) -> None:
        """Write what is left; nothing may follow."""


class Format(Protocol):
    """The shape of a format module."""

    __doc__: str | None
    NEEDS_ALL: bool
    Reporter: type[ReportWriter]


def names() -> tuple[str, ...]:
    """Every format there is, in alphabetical order."""
    found = (name for folder in __path__ for name in os.listdir(folder))
    return tuple(sorted({name[:-3] for name in found if name.endswith(".py") and not name.startswith("_")}))


def load(name: str) -> Format:
    """The format's module, imported now; raises UsageError for a name that is no format."""
    known = names()
    if name not in known:
        raise UsageError(f"unknown format {name[:40]!a}; choose one of: {', '.join(known)}")
    return cast("Format", import_module(f"{__name__}.{name}"))
