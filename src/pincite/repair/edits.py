"""Edits to text: apply those that fit together, touch nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model import Edit


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with every edit made; of overlapping ones the first in the text wins."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < at or edit.span.end > len(text):
            continue
        pieces += (text[at : edit.span.start], edit.replacement)
        at = edit.span.end
    return "".join((*pieces, text[at:]))
