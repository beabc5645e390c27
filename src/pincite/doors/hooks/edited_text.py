"""The text that an edit leaves, and which of its lines the edit wrote."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...core.limits import LIMITS
from ...text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .call import PatchHunk, Replacement

_MOST_STEPS = 20_000_000
"""Lines looked at for all hunks of a patch together, at the worst."""
_BREAK = re.compile(r"\r\n|\r|\n")


def apply_replacements(text: str, edits: tuple[Replacement, ...]) -> str | None:
    """The text as the edits leave it; None where the agent's tool will refuse them itself."""
    for edit in edits:
        old, new = edit.old, edit.new
        if old and old not in text and "\r\n" in text:
            # Agents are shown line feeds alone.
            text = text.replace("\r\n", "\n")
        if (not old and text) or (old and old not in text):
            return None
        times = text.count(old) if old else 1
        if times > 1 and not edit.everywhere:
            return None
        if len(text) + times * (len(new) - len(old)) > LIMITS.document_bytes:
            raise UsageError(f"the edits would make the file larger than {LIMITS.document_bytes} bytes")
        text = text.replace(old, new) if old else new
    return text


def changed_lines(old: str, new: str) -> frozenset[int]:
    """The numbers of the lines in a text that an older one did not have, each as often as it has it."""
    before, after = split_lines(old), split_lines(new)
    # What stands before and after all that changed is distinguished from lines that merely look like it.
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    had = Counter(before[first:])
    fresh = []
    for number, line in enumerate(after[first:], first + 1):
        if had[line]:
            had[line] -= 1
        else:
            fresh.append(number)
    return frozenset(fresh)


def written_lines(text: str, edits: tuple[Replacement, ...]) -> frozenset[int]:
    """The numbers of the lines where what the edits wrote stands now."""
    fresh: set[int] = set()
    for edit in edits:
        new = edit.new if edit.new in text else edit.new.replace("\n", "\r\n")
        if not new.strip():
            continue
        height = len(_BREAK.findall(new))
        number, counted, at = 1, 0, text.find(new)
        while at >= 0:
            number += len(_BREAK.findall(text, counted, at))
            counted = at
            fresh.update(range(number, number + height + 1))
            at = text.find(new, at + len(new)) if edit.everywhere else -1
    return frozenset(fresh)


def apply_hunks(text: str, hunks: tuple[PatchHunk, ...]) -> str | None:
    """The text as a patch leaves it; None where the agent's tool will refuse it itself."""
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) * len(hunks) > _MOST_STEPS:
        return None
    at = 0
    for hunk in hunks:
        found = _find_lines(lines, hunk.old, _find_header(lines, hunk.header, at))
        if found is None:
            return None
        lines[found : found + len(hunk.old)] = hunk.new
        at = found + len(hunk.new)
    return "\n".join(lines)


def find_added_lines(text: str, hunks: tuple[PatchHunk, ...]) -> frozenset[int]:
    """The numbers of the lines where what a patch added stands now."""
    lines = text.replace("\r\n", "\n").split("\n")
    fresh: set[int] = set()
    at = 0
    for hunk in hunks if len(lines) * len(hunks) <= _MOST_STEPS else ():
        found = _find_lines(lines, hunk.new, at)
        if found is not None:
            fresh.update(found + number + 1 for number in hunk.added)
            at = found + len(hunk.new)
    return frozenset(fresh)


def _find_header(lines: Sequence[str], header: str, at: int) -> int:
    """Where a hunk begins to be looked for: behind the line that its header names."""
    if header:
        for number in range(at, len(lines)):
            if lines[number].strip() == header:
                return number + 1
    return at


def _find_lines(lines: list[str], wanted: tuple[str, ...], at: int) -> int | None:
    """Where these lines stand, exactly or but for white space at their ends; at the end where there are none."""
    if not wanted:
        return len(lines) - (lines[-1:] == [""])
    first, height = wanted[0].rstrip(), len(wanted)
    loose = [line.rstrip() for line in wanted]
    # From where the last hunk ended, then from the top: headers are not always unique.
    for start in (at, 0):
        for number in range(start, len(lines) - height + 1):
            if lines[number].rstrip() == first and [line.rstrip() for line in lines[number : number + height]] == loose:
                return number
    return None
