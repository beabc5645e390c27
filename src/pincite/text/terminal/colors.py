"""Colours of a terminal."""

from __future__ import annotations


def paint(text: str, code: str, color: bool) -> str:
    """The text in a colour, where colours are wanted."""
    return f"\x1b[{code}m{text}\x1b[0m" if color and code else text
