"""Trying changes out: a document is checked before and after; what a change does beyond its own citation is harm."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from ...core.model import Citation, Edit, Finding, Place, Report, Safety, Span, Verdict
from ...text.lines import decode, encode_like, join, line_starts, position, shorten
from .edits import SpanMap, apply_edits

_LONGEST = 100
_DIFFERENTLY = "then the document would be read differently"
_FORGETS = "its line also cites what changed; once the line is rewritten, history no longer shows that"


class OfferedEdit(Struct, frozen=True):
    """One edit that a finding offers."""

    verdict: Verdict
    finding: Finding
    edit: Edit

    @property
    def safe(self) -> bool:
        """Whether it can be made without a reader."""
        return self.edit.safety is Safety.SAFE


class WithheldEdit(Struct, frozen=True):
    """A change that is not made, and why."""

    change: OfferedEdit
    reason: str
    reader: bool = False
    """Whether a reader of the evidence may still make it."""
    kind: str = ""
    """The reason without what is particular to this one; empty where it is the same."""

    @property
    def general(self) -> str:
        """What it has in common with others that are left."""
        return self.kind or self.reason


class SideEffects(Struct):
    """What some changes would do that they must not."""

    left: dict[int, WithheldEdit]
    """By a change's identity: why it is left out."""
    whole: str = ""
    """What is wrong where no single change can be named."""
    forgotten: list[Verdict] = []
    """Unchanged citations of which something was known that is not known any more."""


class DryRun:
    """One document as it is, to compare what it would be with. Both checks give a verdict on every citation, in parts.

    Of a document with many citations, old and new are checked side by side and neither is kept.
    """

    def __init__(
        self,
        check: Callable[[str, bytes], Iterable[Report]],
        check_old: Callable[[str, bytes], Iterable[Report]],
        document: str,
        old: bytes,
    ) -> None:
        self._check = check
        self._check_old = check_old
        """The same for the document as it is, of which no edits are asked for."""
        self._document = document
        self._old = old
        self.text = decode(old)
        self._starts = line_starts(self.text)
        self._whole: Report | None = None
        """What is true of the document as it is, where that came in one part."""

    def data(self, changes: Sequence[OfferedEdit]) -> bytes:
        """The document with changes made."""
        return encode_like(apply_edits(self.text, [change.edit for change in changes]), self._old)

    def _before(self) -> Iterator[Report]:
        if self._whole is not None:
            yield self._whole
            return
        for number, report in enumerate(self._check_old(self._document, self._old)):
            if not number and not report.more:
                self._whole = report
            yield report

    def harm(self, changes: Sequence[OfferedEdit], forget: bool = False) -> SideEffects:
        """What is wrong with making these changes, which are in order and do not overlap.

        With `forget` it is no harm that a rewritten line hides what history knew about its other citations.
        """
        if not changes:
            return SideEffects({})
        was_all, now_all = _Reading(self._before()), _Reading(self._check(self._document, self.data(changes)))
        moves = SpanMap([change.edit for change in changes])
        own: dict[Span, list[OfferedEdit]] = {}
        for change in changes:
            own.setdefault(change.verdict.citation.span, []).append(change)
        said = _Said(self._by_line(changes), forget)
        differently = False
        for was, now in zip_longest(was_all.verdicts(), now_all.verdicts()):
            if was is None or now is None:
                return SideEffects({}, _DIFFERENTLY)
            span = was.citation.span
            made = own.get(span, ())
            same = bool(made) or replace(now.citation, span=span) == was.citation
            if now.citation.span.start != moves.move(span).start or not same:
                differently = True
            elif made:
                _judge_changed(was, now, made, said.harm)
            else:
                row = position(self._starts, max(was.citation.span.start, was.citation.span.end - 1))[0]
                said.judge_neighbour(was, now, row)
        if now_all.error or was_all.defects != now_all.defects:
            return SideEffects({}, _DIFFERENTLY)
        return said.finish(_DIFFERENTLY if differently else "")

    def _by_line(self, changes: Sequence[OfferedEdit]) -> dict[int, list[OfferedEdit]]:
        """The changes that rewrite each line."""
        found: dict[int, list[OfferedEdit]] = {}
        for change in changes:
            first, last = (
                position(self._starts, offset)[0] for offset in (change.edit.span.start, change.edit.span.end)
            )
            for row in range(first, last + 1):
                found.setdefault(row, []).append(change)
        return found


def _judge_changed(was: Verdict, now: Verdict, made: Sequence[OfferedEdit], harm: SideEffects) -> None:
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
            harm.left[id(change)] = WithheldEdit(change, reason, False, kind)
        elif place is not None and not _leads_to(now.citation, place):
            harm.left[id(change)] = WithheldEdit(change, "then it would be read as a citation of another place")


def _leads_to(citation: Citation, place: Place) -> bool:
    """Whether a citation, read with the files there are, leads to the place."""
    if place.lines is not None and citation.lines not in (place.lines, None):
        return False
    return citation.source.scheme != "file" or join("", citation.source.key) == join("", place.path)


class _Said:
    """What is said of unchanged citations. A line may hold many of them and many changes: it is gone through once."""

    def __init__(self, sharing: dict[int, list[OfferedEdit]], forget: bool) -> None:
        self.harm = SideEffects({}, forgotten=[])
        self._sharing = sharing
        self._forget = forget
        self._gained: dict[int, tuple[str, str]] = {}
        self._lost: dict[int, str] = {}

    def judge_neighbour(self, was: Verdict, now: Verdict, row: int) -> None:
        """Of an unchanged citation the same is said as before."""
        before, after = _checks(was), _checks(now)
        if before == after and [one.place for one in was.findings] == [one.place for one in now.findings]:
            return
        # What leads elsewhere than before has lost what was known of it.
        gained, lost = after - before, before - after or before
        if gained:
            finding = _of(now, next(iter(gained)))
            raw = shorten(was.citation.raw, _LONGEST)
            reason = f"then {raw} would be reported as {finding.check} ({finding.message})"
            if row in self._sharing:
                self._gained[row] = reason, f"then another citation of its line would be reported as {finding.check}"
            else:
                self.harm.whole = reason
        elif row in self._sharing and self._forget:
            self.harm.forgotten.append(was)
        elif row in self._sharing and row not in self._lost:
            finding = _of(was, next(iter(lost)))
            self._lost[row] = (
                f"its line also cites {shorten(was.citation.raw, _LONGEST)} ({finding.message}); "
                "once the line is rewritten, history no longer shows that"
            )

    def finish(self, whole: str) -> SideEffects:
        """The harm, with the changes of each line concerned."""
        left = self.harm.left
        for row, (reason, kind) in self._gained.items():
            for change in self._sharing[row]:
                left[id(change)] = WithheldEdit(change, reason, False, kind)
        for row, reason in self._lost.items():
            for change in self._sharing[row]:
                left.setdefault(id(change), WithheldEdit(change, reason, True, _FORGETS))
        self.harm.whole = whole or self.harm.whole
        return self.harm


class _Reading:
    """The parts of a report, read once: the verdicts one by one, the rest when they are through."""

    def __init__(self, parts: Iterable[Report]) -> None:
        self._parts = parts
        self.error = ""
        self.defects = b""
        """Distinguishes two lists of malformed citations."""

    def verdicts(self) -> Iterator[Verdict]:
        """Every verdict in order."""
        defects = sha256()
        for report in self._parts:
            self.error = self.error or report.error
            for defect in report.malformed:
                raw = defect.malformed.raw.encode(errors="surrogatepass")
                defects.update(b"%d %s" % (len(raw), raw))
            yield from report.verdicts
        self.defects = defects.digest()


def _checks(verdict: Verdict) -> Counter[str]:
    return Counter(finding.check for finding in (*verdict.findings, *verdict.silenced))


def _of(verdict: Verdict, check: str) -> Finding:
    return next(finding for finding in (*verdict.findings, *verdict.silenced) if finding.check == check)
