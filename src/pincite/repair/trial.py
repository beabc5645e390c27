"""Trying changes out: a document is checked before and after; what a change does beyond its own citation is harm."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..model import Edit, Finding, Safety, Verdict
from ..text import decode, encode_like, line_starts, position, shorten
from .edits import apply_edits, moved_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..model import Report

_LONGEST = 100
_FORGETS = "its line also cites what changed; once the line is rewritten, history no longer shows that"


class Change(Struct, frozen=True):
    """One edit that a finding offers."""

    verdict: Verdict
    finding: Finding
    edit: Edit

    @property
    def safe(self) -> bool:
        """Whether it can be made without a reader."""
        return self.edit.safety is Safety.SAFE


class Left(Struct, frozen=True):
    """A change that is not made, and why."""

    change: Change
    reason: str
    reader: bool = False
    """Whether somebody who read the evidence may make it all the same."""
    kind: str = ""
    """The reason without what is particular to this one; empty where it is the same."""

    @property
    def general(self) -> str:
        """What it has in common with others that are left."""
        return self.kind or self.reason


class Harm(Struct):
    """What some changes would do that they must not."""

    left: dict[int, Left]
    """By a change's identity: why it is left out."""
    whole: str = ""
    """What is wrong where no single change can be named."""
    forgotten: tuple[Verdict, ...] = ()
    """Unchanged citations of which something was known that is not known any more."""


class Trial:
    """One document as it is, to compare what it would be with. `check` gives a verdict on every citation of a text."""

    def __init__(self, check: Callable[[str, bytes], Report], document: str, old: bytes) -> None:
        self._check = check
        self._document = document
        self._old = old
        self.text = decode(old)
        self._before = check(document, old)
        self._starts = line_starts(self.text)

    def data(self, changes: Sequence[Change]) -> bytes:
        """The document with changes made."""
        return encode_like(apply_edits(self.text, [change.edit for change in changes]), self._old)

    def harm(self, changes: Sequence[Change], forget: bool = False) -> Harm:
        """What is wrong with making these changes, which are in order and do not overlap.

        With `forget` it is no harm that a rewritten line hides what history knew about its other citations.
        """
        harm = Harm({})
        if not changes:
            return harm
        before, after = self._before, self._check(self._document, self.data(changes))
        if after.error or len(after.verdicts) != len(before.verdicts) or _defects(before) != _defects(after):
            harm.whole = "then the document would be read differently"
            return harm
        spans = moved_spans([verdict.citation.span for verdict in before.verdicts], [change.edit for change in changes])
        own: dict[tuple[int, int], list[Change]] = {}
        for change in changes:
            span = change.verdict.citation.span
            own.setdefault((span.start, span.end), []).append(change)
        sharing = self._by_line(changes)
        for was, now, span in zip(before.verdicts, after.verdicts, spans, strict=True):
            made = own.get((was.citation.span.start, was.citation.span.end), [])
            if now.citation.span.start != span.start or not (made or _reads_same(was, now)):
                harm.whole = "then the document would be read differently"
            elif made:
                _judge_changed(was, now, made, harm)
            else:
                row = position(self._starts, max(was.citation.span.start, was.citation.span.end - 1))[0]
                _judge_neighbour(was, now, sharing.get(row, []), harm, forget)
        return harm

    def _by_line(self, changes: Sequence[Change]) -> dict[int, list[Change]]:
        """The changes that rewrite each line."""
        found: dict[int, list[Change]] = {}
        for change in changes:
            first, last = (
                position(self._starts, offset)[0] for offset in (change.edit.span.start, change.edit.span.end)
            )
            for row in range(first, last + 1):
                found.setdefault(row, []).append(change)
        return found


def _judge_changed(was: Verdict, now: Verdict, made: Sequence[Change], harm: Harm) -> None:
    """A changed citation is said less about than before, and stands where it was to stand."""
    fixed = {change.finding.check for change in made}
    gained = _checks(now) - Counter({name: count for name, count in _checks(was).items() if name not in fixed})
    for change in made:
        place = change.finding.place
        if gained:
            finding = _of(now, next(iter(gained)))
            kind = f"then it would be reported as {finding.check}"
            reason = f"{kind} ({finding.message})"
            if finding.edit is not None:
                kind = "its new line reads like an older one; commit the other fixes first"
                reason += f": {kind}"
            harm.left[id(change)] = Left(change, reason, False, kind)
        elif place is not None and place.lines is not None and now.citation.lines not in (place.lines, None):
            harm.left[id(change)] = Left(change, "then it would be read as a citation of another place")


def _judge_neighbour(was: Verdict, now: Verdict, sharing: Sequence[Change], harm: Harm, forget: bool) -> None:
    """Of an unchanged citation the same is said as before."""
    before, after = _checks(was), _checks(now)
    if before == after:
        return
    gained, lost = after - before, before - after
    if gained:
        finding = _of(now, next(iter(gained)))
        reason = f"then {shorten(was.citation.raw, _LONGEST)} would be reported as {finding.check} ({finding.message})"
        for change in sharing:
            kind = f"then another citation of its line would be reported as {finding.check}"
            harm.left[id(change)] = Left(change, reason, False, kind)
        harm.whole = harm.whole if sharing else reason
    elif sharing and forget:
        harm.forgotten += (was,)
    elif sharing:
        finding = _of(was, next(iter(lost)))
        reason = (
            f"its line also cites {shorten(was.citation.raw, _LONGEST)} ({finding.message}); "
            "once the line is rewritten, history no longer shows that"
        )
        for change in sharing:
            harm.left.setdefault(id(change), Left(change, reason, True, _FORGETS))


def _reads_same(was: Verdict, now: Verdict) -> bool:
    return replace(now.citation, span=was.citation.span) == was.citation


def _checks(verdict: Verdict) -> Counter[str]:
    return Counter(finding.check for finding in (*verdict.findings, *verdict.silenced))


def _of(verdict: Verdict, check: str) -> Finding:
    return next(finding for finding in (*verdict.findings, *verdict.silenced) if finding.check == check)


def _defects(report: Report) -> list[str]:
    return [defect.malformed.raw for defect in report.malformed]
