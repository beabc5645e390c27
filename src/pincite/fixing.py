"""Fixes: the edits that findings carry, per document, as a diff or as new bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .errors import Refused
from .model import Edit, Report, Safety, Verdict
from .repair.edits import apply_edits
from .text import decode, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .safe.files import Root

_BOM = b"\xef\xbb\xbf"
_UNREAD = ("lines-edited", "lines-deleted", "lines-ambiguous")


class Fix(Struct, frozen=True):
    """One document with its citations corrected."""

    document: str
    old: bytes
    new: bytes
    fixed: tuple[Verdict, ...]
    forgotten: tuple[Verdict, ...]
    """Citations beside a corrected one whose own evidence changed: rewriting their line makes history forget it."""


def find_fixes(root: Root, reports: Iterable[Report]) -> Iterator[Fix]:
    """The safe fixes of every document that has some."""
    for report in reports:
        fixed = tuple(verdict for verdict in report.verdicts if _edits(verdict))
        if not fixed:
            continue
        try:
            old = root.read(report.document, root.limits.document_bytes)
            text = decode(old)
        except Refused:
            continue
        # The report may be older than the bytes: an edit only fits where its citation still stands.
        current = [verdict for verdict in fixed if _stands(text, verdict)]
        changed = apply_edits(text, [edit for verdict in current for edit in _edits(verdict)])
        if changed == text:
            continue
        lines = {verdict.line for verdict in current}
        forgotten = tuple(
            verdict
            for verdict in report.verdicts
            if verdict.line in lines and any(finding.check in _UNREAD for finding in verdict.findings)
        )
        mark = _BOM if old.startswith(_BOM) else b""
        yield Fix(report.document, old, mark + changed.encode(), tuple(current), forgotten)


def unified(fix: Fix) -> list[str]:
    """The fix as a unified diff, line by line, without line ends."""
    from difflib import unified_diff

    old, new = (split_lines(text.decode(errors="replace")) for text in (fix.old, fix.new))
    return list(unified_diff(old, new, f"a/{fix.document}", f"b/{fix.document}", lineterm=""))


def write(root: Root, fix: Fix) -> None:
    """Put the corrected document in place of the one that was read; raises Conflict or Refused."""
    from .safe.write import replace

    replace(root, fix.document, fix.old, fix.new)


def _edits(verdict: Verdict) -> list[Edit]:
    found = (finding.edit for finding in verdict.findings)
    return [edit for edit in found if edit is not None and edit.safety is Safety.SAFE]


def _stands(text: str, verdict: Verdict) -> bool:
    span = verdict.citation.span
    return text[span.start : span.end] == verdict.citation.raw
