"""Definitions in source code, by name."""

from __future__ import annotations

from msgspec import Struct


class Symbol(Struct, frozen=True, gc=False):
    """A definition: where it is, and what it is called from the top of its file."""

    name: str
    """Dotted where it stands inside another: `Server.start`."""
    kind: str
    """`function`, `class`, `method`, `type`, `constant`, `module` …"""
    line: int
    """The line that holds its name."""
    first: int
    """The line it begins on, decorators and attributes included."""
    last: int
    """The line it ends on."""
