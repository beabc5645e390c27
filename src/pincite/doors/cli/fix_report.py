"""What `pincite fix` says about its work: the numbers for people, the object for programs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...core.model import Outcome
from ...engine.repair.plan import count_fixed
from ...safe.escape import escape_text
from ...text.lines import format_count
from .kit import pick_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Report, Summary, Verdict
    from ...engine.repair.dry_run import OfferedEdit, WithheldEdit
    from ...engine.repair.fix import DocumentFixes, Fix

SCHEMA = "pincite.fix/1"
_REASONS = 3
_EVIDENCE = 6
_CHARS = 160
_PLACES = 3
"""Places that are named for each reason to leave something."""
_GROUPS = 20


class FixTally:
    """Counts what was fixed, what was not and why."""

    def __init__(self) -> None:
        self.documents = self.fixed = self.reader = self.declined = self.unasked = self.failed = self.silenced = 0
        self.unsafe = 0
        """Of those that need a reader, what --unsafe would show."""
        self.left: list[tuple[str, WithheldEdit]] = []
        """What would do harm, with its document."""
        self.unfollowed: Counter[str] = Counter()
        """Citations that do not hold and that no edit is known for, by check."""

    def see(self, report: Report) -> None:
        """Count what a report says and offers no edit for."""
        for verdict in report.verdicts:
            self.silenced += any(finding.edit is not None for finding in verdict.silenced)
            worst = max(verdict.findings, key=lambda finding: finding.outcome, default=None)
            if worst is None or worst.outcome <= Outcome.UNCHECKED:
                continue
            if all(finding.edit is None for finding in verdict.findings):
                self.unfollowed[worst.check] += 1
        self.unfollowed["malformed-citation"] += len(report.malformed)

    def add(self, offers: DocumentFixes, fix: Fix | None, done: bool = True, asked: bool = False) -> None:
        """Count what became of a document's offers; not `done` is what could not be written.

        Where the user was `asked` about each, what needs a reader had one.
        """
        made = {id(change) for change in fix.changes} if fix is not None else set()
        left = (*offers.left, *(fix.left if fix is not None else ()))
        self.left += [(offers.document, one) for one in left]
        self.reader += sum(one.reader for one in left)
        told = made | {id(one.change) for one in left}
        if not asked:
            unsafe = sum(not change.safe and id(change) not in told for change in offers.changes)
            self.unsafe += unsafe
            self.reader += unsafe
        self.documents += done and bool(made)
        self.fixed += count_fixed(fix) if done else 0

    def words(self, written: bool, summary: Summary) -> list[str]:
        """The summary for people, one thing per line."""
        what = f"{format_count(self.fixed, 'citation')} in {format_count(self.documents, 'document')}"
        rows = [f"Fixed {what}." if written else f"{what} can be fixed: run again with --write."] if self.fixed else []
        if self.failed:
            rows.append(f"{format_count(self.failed, 'document')} could not be written.")
        if not rows:
            looked = f"{format_count(summary.citations, 'citation')} in {format_count(summary.documents, 'document')}"
            rows.append(f"Nothing to fix{' without a reader' if self.reader else ''}. Looked at {looked}.")
        if self.reader:
            verb = "needs" if self.reader == 1 else "need"
            shows = "all" if self.unsafe == self.reader else f"{self.unsafe:,} of them"
            hint = f", --unsafe shows {shows}" if self.unsafe else ""
            rows.append(f"{self.reader:,} {verb} a reader: --interactive asks about each{hint}.")
        if self.declined:
            rows.append(f"{self.declined:,} left as you said.")
        if self.unasked:
            rows.append(f"{self.unasked:,} not asked about.")
        if followed := +self.unfollowed:
            verb = "does" if followed.total() == 1 else "do"
            rows.append(f"{followed.total():,} {verb} not hold and cannot be followed: {_format_counts(followed)}.")
        if self.silenced:
            rows.append(f"{format_count(self.silenced, 'silenced finding')} left alone.")
        return rows

    def numbers(self) -> dict[str, Any]:
        """The summary for programs."""
        unfollowed = dict(sorted((+self.unfollowed).items()))
        counts = {"left": len(self.left), "unfollowed": unfollowed, "silenced": self.silenced, "failed": self.failed}
        return {**pick_fields(self, "documents fixed reader"), **counts}


def _format_counts(counts: Counter[str]) -> str:
    most = counts.most_common()
    rest = sum(count for _, count in most[_REASONS:])
    named = ", ".join(f"{count:,} {name}" for name, count in most[:_REASONS])
    return f"{named}, {rest:,} for other reasons" if rest else named


def left_words(left: Sequence[tuple[str, WithheldEdit]]) -> list[str]:
    """What is not made: one line for each reason, with how many it keeps back and where the first of them stand."""
    groups: dict[tuple[str, bool], list[tuple[str, WithheldEdit]]] = {}
    for document, one in left:
        groups.setdefault((one.general, one.reader), []).append((document, one))
    rows = []
    for (reason, reader), some in list(groups.items())[:_GROUPS]:
        places = list(dict.fromkeys(f"{document}:{one.change.verdict.line}" for document, one in some))
        if len(some) == 1:
            places, reason = [f"{places[0]}: {some[0][1].change.verdict.citation.raw}"], some[0][1].reason
        more = f" and {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
        where = ", ".join(escape_text(place, _CHARS) for place in places[:_PLACES]) + more
        how = "; --interactive makes it anyway" if reader else ""
        number = f"{len(some):,} at " if len(some) > 1 else ""
        rows.append(f"left: {number}{where}: {escape_text(reason + how)}")
    if len(groups) > _GROUPS:
        rows.append(f"left: {format_count(len(groups) - _GROUPS, 'more reason')}; --format json lists all")
    return rows


def reader_words(document: str, text: str, change: OfferedEdit) -> list[str]:
    """A change that needs a reader, with what was cited and what is there now."""
    verdict, finding, span = change.verdict, change.finding, change.edit.span
    old, new = text[span.start : span.end], change.edit.replacement
    rows = [f"  {escape_text(f'{document}:{verdict.line}')}: {escape_text(old, _CHARS)} -> {escape_text(new, _CHARS)}"]
    rows.append(f"    {escape_text(finding.check)}: {escape_text(finding.message)}")
    for sign, lines in (("-", finding.then), ("+", finding.now)):
        rows += [f"    {sign} {escape_text(line.expandtabs(4), _CHARS)}" for line in lines[:_EVIDENCE]]
        if len(lines) > _EVIDENCE:
            rows.append(f"    {sign} … {len(lines) - _EVIDENCE} more lines")
    return rows


def forgotten_words(document: str, verdict: Verdict) -> str:
    """What a person should read again because history will no longer point it out."""
    return (
        f"note: {escape_text(f'{document}:{verdict.line}')} also cites "
        f"{escape_text(verdict.citation.raw, _CHARS)}, whose evidence changed; "
        "read it again: once this line is rewritten, history no longer shows the change"
    )


def document_object(offers: DocumentFixes, fix: Fix | None, written: bool) -> dict[str, Any]:
    """A document and its edits, for programs."""
    text = offers.text
    made = {id(change) for change in fix.changes} if fix is not None else set()
    left = {id(one.change): one for one in (*offers.left, *(fix.left if fix is not None else ()))}
    changes = sorted(
        {id(change): change for change in (*offers.changes, *(one.change for one in left.values()))}.values(),
        key=lambda change: (change.edit.span.start, change.edit.span.end),
    )
    return {
        "document": offers.document,
        "written": written,
        "edits": [_edit(text, change, id(change) in made, left.get(id(change))) for change in changes],
    }


def _edit(text: str, change: OfferedEdit, made: bool, left: WithheldEdit | None) -> dict[str, Any]:
    verdict, finding, span = change.verdict, change.finding, change.edit.span
    place = finding.place
    reason = "" if made else left.reason if left is not None else "" if change.safe else "needs a reader"
    return {
        **pick_fields(verdict, "line column"),
        "citation": verdict.citation.raw,
        **pick_fields(span, "start end"),
        "old": text[span.start : span.end],
        "new": change.edit.replacement,
        "safety": change.edit.safety.value,
        **pick_fields(finding, "check message then now"),
        "path": place.path if place is not None else None,
        "lines": [place.lines.first, place.lines.last] if place is not None and place.lines is not None else None,
        "made": made,
        "reason": reason,
    }
