"""Taking invalid citations out of a document, and giving quotes that stand on another page their page.

Only a citation whose source may not be cited is taken out. What cannot go without harm to the text around it stays,
and is named with the reason. A claim that loses its only citation keeps a mark in its place.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import PinciteError, Refused
from ...core.model import Citation, Edit, Safety, Severity, Span
from ...dialects import dialects, extract
from ...engine.repair.edits import apply_edits
from ...text.document import Document
from ...text.lines import decode, encode_like, format_count
from .citation_cuts import RemovalPlanner
from .validation import DIALECTS, INVALID, WARNING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...core.model import Malformed
    from ...engine.repair.fix import Fix
    from ...safe.files import Root
    from .citation_cuts import Cut
    from .validation import DetailedResult, ValidatedDocument

    Read = dict[int, Citation | Malformed]

_ABSENT = ("not-in-corpus", "malformed-citation")
_ROUNDS = 4
_PROOF_ROUNDS = 6


class KeptCitation(Struct, frozen=True):
    """An invalid citation that stays, and why."""

    line: int
    column: int
    citation: str
    reason: str


class Removal(Struct, frozen=True):
    """What to change in one document."""

    edits: tuple[Edit, ...] = ()
    left: tuple[KeptCitation, ...] = ()
    removed: int = 0
    corrected: int = 0


def plan(validated: ValidatedDocument, text: str) -> Removal:
    """The edits of one document, how many citations they take out or correct, and what they leave."""
    details = validated.details
    if not _is_current(validated, text):
        return Removal(
            left=tuple(_make_kept_citation(one, "the document changed") for one in details if _is_invalid(one))
        )
    corrections = {number: edit for number, one in enumerate(details) if (edit := _correction(one)) is not None}
    condemned = {number for number, one in enumerate(details) if _is_condemned(one)}
    reasons = {n: _advice(one) for n, one in enumerate(details) if _is_invalid(one) and n not in condemned}
    cuts: list[Cut] = []
    if condemned:
        cuts = RemovalPlanner(validated.document, text, details, condemned, reasons).cuts()
    kept = _find_stable_cuts(validated, text, condemned, cuts, tuple(corrections.values()))
    for _, numbers in cuts:
        for number in numbers:
            reasons[number] = "taking it out would change what is read of the citations around it"
    for _, numbers in kept:
        for number in numbers:
            del reasons[number]
    edits = [*(edit for edit, _ in kept), *corrections.values()]
    return Removal(
        tuple(sorted(edits, key=lambda edit: edit.span.start)),
        tuple(_make_kept_citation(details[number], reasons[number]) for number in sorted(reasons)),
        sum(len(numbers) for _, numbers in kept),
        len(corrections),
    )


def _find_stable_cuts(
    validated: ValidatedDocument, text: str, condemned: set[int], cuts: Sequence[Cut], corrections: Sequence[Edit]
) -> list[Cut]:
    """Those of the cuts that change nothing around them, and after which nothing more would be cut the next time."""
    path = validated.document
    for _ in range(_ROUNDS):
        kept = keep_harmless_cuts(path, text, cuts, corrections)
        gone = {number for _, numbers in kept for number in numbers}
        staying = condemned - gone
        if not kept or not staying:
            return kept
        edits = sorted([*(edit for edit, _ in kept), *corrections], key=lambda edit: edit.span.start)
        new, shift = apply_edits(text, edits), OffsetMap(edits)
        numbers = [number for number in range(len(validated.details)) if number not in gone]
        still = {at for at, number in enumerate(numbers) if number in staying}
        details = _shift_details(path, new, [validated.details[number] for number in numbers], shift)
        more = keep_harmless_cuts(path, new, RemovalPlanner(path, new, details, still, {}).cuts(), ())
        if not more:
            return kept
        cuts = without_nearest(kept, [shift.back(edit.span.start) for edit, _ in more])
    return []


def _shift_details(path: str, new: str, details: Sequence[DetailedResult], shift: OffsetMap) -> list[DetailedResult]:
    """The citations that stay, where they stand in the new text; brackets belong to the last one of a row."""
    using = tuple(dialect for dialect in dialects() if dialect.NAME in DIALECTS)
    spans = {item.span.start: item.span for item in extract(Document(path, new), using)}
    found: list[DetailedResult] = []
    for detail in details:
        start, end = shift.forth(detail.span.start), shift.forth(detail.span.end)
        found.append(replace(detail, span=spans.get(start) or spans.get(start - 1) or Span(start, end)))
    return found


def _is_current(validated: ValidatedDocument, text: str) -> bool:
    """Whether every citation that something was found out about still stands where it was validated."""
    if any(detail.span.end > len(text) for detail in validated.details[-1:]):
        return False
    verdicts = validated.report.verdicts if validated.report is not None else ()
    cited = (verdict.citation for verdict in verdicts)
    return all(text[citation.span.start : citation.span.end] == citation.raw for citation in cited)


def _is_invalid(detail: DetailedResult) -> bool:
    return detail.result.status == INVALID


def _is_condemned(detail: DetailedResult) -> bool:
    return _is_invalid(detail) and any(
        finding.check in _ABSENT and finding.severity is Severity.ERROR for finding in detail.findings
    )


def _correction(detail: DetailedResult) -> Edit | None:
    if _is_condemned(detail):
        return None
    edits = (finding.edit for finding in detail.findings if finding.check == "quote-elsewhere")
    return next((edit for edit in edits if edit is not None and edit.safety is Safety.SAFE), None)


def _advice(detail: DetailedResult) -> str:
    """Why an invalid citation of a good source is not taken out, and what to do instead."""
    first = next((issue for issue in detail.result.issues if issue.suggestion), None)
    problem = next((issue.message for issue in detail.result.issues), "it is invalid")
    return f"{problem} ({first.suggestion})" if first is not None else problem


def _make_kept_citation(detail: DetailedResult, reason: str) -> KeptCitation:
    return KeptCitation(detail.result.line, detail.result.column, detail.result.citation, reason)


def run_fix(
    root: Root, validated: Sequence[ValidatedDocument], yes: bool, echo: Callable[..., object], strict: bool = False
) -> int:
    """Show what would change and, with `yes` or a yes at the terminal, write it; gives the exit code.

    `echo` is called as `click.echo` is: with a line, and with `err=True` for what is not part of the diff.
    """
    from ...engine.repair.fix import make_fix_diff
    from ...safe.escape import escape_text

    fixes: list[Fix] = []
    invalid = warnings = failed = 0
    left: list[tuple[str, KeptCitation]] = []
    removed = corrected = 0
    for one in validated:
        if one.error:
            # Its validator has said so.
            failed += 1
            continue
        try:
            fix, made = _fix_of(root, one)
        except Refused as error:
            failed += 1
            echo(f"pincite: {escape_text(one.document)}: {escape_text(str(error))}", err=True)
            continue
        invalid += sum(map(_is_invalid, one.details))
        warnings += sum(detail.result.status == WARNING for detail in one.details)
        left += [(one.document, item) for item in made.left]
        removed, corrected = removed + made.removed, corrected + made.corrected
        if fix is not None:
            fixes.append(fix)
            for line in make_fix_diff(fix):
                echo(escape_text(line))
    for document, item in left:
        echo(
            f"left: {escape_text(f'{document}:{item.line}:{item.column}: {item.citation}')}: "
            f"{escape_text(item.reason)}",
            err=True,
        )
    written = bool(fixes) and (yes or _confirm_write())
    unwritten = _write(root, fixes, echo) if written else 0
    echo(_summary(fixes, removed, corrected, len(left), written, unwritten), err=True)
    if failed or unwritten:
        return 2
    remaining = len(left) if written or not fixes else invalid
    return int(remaining > 0 or (strict and warnings > (corrected if written else 0)))


def _fix_of(root: Root, validated: ValidatedDocument) -> tuple[Fix | None, Removal]:
    """The document with its edits made; None where there is nothing to change. Raises Refused."""
    from ...engine.repair.fix import Fix

    old = root.read(validated.document, root.limits.document_bytes)
    text = decode(old)
    made = plan(validated, text)
    new = apply_edits(text, made.edits)
    if new == text:
        return None, made
    return Fix(validated.document, old, encode_like(new, old), (), ()), made


def _confirm_write() -> bool:
    """Whether the user at the terminal says yes; without a terminal the answer is no."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    import click

    return click.confirm("Write these changes?", default=False, err=True)


def _write(root: Root, fixes: Sequence[Fix], echo: Callable[..., object]) -> int:
    """Put every corrected document in place; gives how many could not be written."""
    from ...engine.repair.fix import write
    from ...safe.escape import escape_text

    failed = 0
    for fix in fixes:
        try:
            write(root, fix)
        except PinciteError as error:
            failed += 1
            echo(f"pincite: {escape_text(str(error))}", err=True)
    return failed


def _summary(fixes: Sequence[Fix], removed: int, corrected: int, left: int, written: bool, unwritten: int) -> str:
    tail = f" {format_count(left, 'invalid citation')} left as {'it is' if left == 1 else 'they are'}." if left else ""
    if not fixes:
        return f"Nothing to fix.{tail}"
    parts = [format_count(removed, "citation") + " removed"] if removed else []
    parts += [format_count(corrected, "page") + " corrected"] if corrected else []
    what = " and ".join(parts)
    what += f" in {format_count(len(fixes), 'document')}"
    if unwritten:
        return f"{what}, of which {unwritten} could not be written.{tail}"
    return f"{what}.{tail}" if written else f"Nothing was written. With --yes: {what}.{tail}"


def keep_harmless_cuts(path: str, text: str, cuts: Sequence[Cut], corrections: Sequence[Edit]) -> list[Cut]:
    """Those of the cuts that change nothing about what stays: neither what it cites nor what it quotes."""
    before = extract(Document(path, text), dialects())
    cuts = list(cuts)
    for _ in range(_PROOF_ROUNDS):
        changed = _find_changed_citations(path, text, before, [edit for edit, _ in cuts], corrections)
        if not changed:
            return cuts
        cuts = without_nearest(cuts, changed)
    return []


def _find_changed_citations(
    path: str,
    text: str,
    before: Sequence[Citation | Malformed],
    cuts: Sequence[Edit],
    corrections: Sequence[Edit],
) -> list[int]:
    """The places, in the old text, of citations that are not read as they were."""
    if not cuts:
        return []
    edits = sorted([*cuts, *corrections], key=lambda edit: edit.span.start)
    shift = OffsetMap(edits)
    after = extract(Document(path, apply_edits(text, edits)), dialects())
    found: Read = {item.span.start: item for item in after}
    gone = sorted((edit.span.start, edit.span.end) for edit in cuts)
    turned = sorted(edit.span.start for edit in corrections)
    changed: list[int] = []
    for item in before:
        row = bisect_right(gone, (item.span.start, len(text) + 1)) - 1
        if row >= 0 and item.span.end <= gone[row][1]:
            continue
        start = shift.forth(item.span.start)
        # Brackets belong to the last one of a row.
        now = found.pop(start, None) or found.pop(start - 1, None)
        at = bisect_left(turned, item.span.start)
        paged = at < len(turned) and turned[at] < item.span.end
        if now is None or _make_comparison_key(now, paged) != _make_comparison_key(item, paged):
            changed.append(item.span.start)
    return changed + [shift.back(start) for start in found]


class OffsetMap:
    """Where a place of the old text is in the new one, and back."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._ends = [edit.span.end for edit in edits]
        lengths = (len(edit.replacement) - (edit.span.end - edit.span.start) for edit in edits)
        self._by = [0, *accumulate(lengths)]
        self._news = [end + self._by[at + 1] for at, end in enumerate(self._ends)]

    def forth(self, place: int) -> int:
        """A place of the old text in the new one."""
        return place + self._by[bisect_right(self._ends, place)]

    def back(self, place: int) -> int:
        """A place of the new text in the old one."""
        return place - self._by[bisect_right(self._news, place)]


def _make_comparison_key(item: Citation | Malformed, paged: bool) -> tuple[object, ...]:
    """What is read of a citation, its brackets aside; without the page where that is corrected."""
    if not isinstance(item, Citation):
        return item.dialect, item.raw.strip("[]()"), item.reason
    pages = None if paged else item.pages
    # An id counts with and without brackets; a key outside of them may be a user name.
    tentative = item.tentative and item.dialect != "ref"
    return tentative, item.dialect, item.source, item.lines, item.quote, item.alternate, item.section, pages


def without_nearest(cuts: Sequence[Cut], places: Sequence[int]) -> list[Cut]:
    """The cuts without the nearest one of each place."""
    cuts = sorted(cuts, key=lambda cut: cut[0].span.start)
    starts = [edit.span.start for edit, _ in cuts]
    dropped: set[int] = set()
    for place in places:
        at = bisect_left(starts, place)
        near = [number for number in (at - 1, at) if 0 <= number < len(cuts)]
        dropped.add(min(near, key=lambda number: abs(starts[number] - place)))
    return [cut for number, cut in enumerate(cuts) if number not in dropped]
