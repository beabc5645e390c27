"""Fixes: the edits that findings carry, per document, as a diff or as new bytes.

No fix is offered that was not tried: the new text is checked in memory before it is shown. What a fix may change is
what is said of the citations it fixed. An edit that would add a finding anywhere, change how another citation is read,
or make history forget what is known of a neighbour on the same line is left out, with the reason.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ... import symbols
from ...core.errors import Unreadable
from ...core.model import Edit, Finding, Lines, Outcome, Report, Severity, Span, Verdict
from ...dialects import get_dialect
from ...text.evidence import Evidence
from ...text.lines import decode, line_starts, position
from .dry_run import DryRun, OfferedEdit, WithheldEdit
from .edits import fit_between, fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...safe.files import Root
    from .citing_documents import CitingPlaces
    from .draft_engine import DraftEngine

    Judge = Callable[[str, bytes], Iterable[Report]]

TO_SYMBOL = "to-symbol"
"""What the findings are called that offer a name in place of a line; no check makes them."""
_ROUNDS = 8
_ALONE = 32


class DocumentFixes(Struct, frozen=True):
    """What can be changed in one document."""

    document: str
    old: bytes
    changes: tuple[OfferedEdit, ...]
    """In order; no two touch the same text."""
    left: tuple[WithheldEdit, ...] = ()

    @property
    def text(self) -> str:
        """What the edits are made to."""
        return decode(self.old)


class Fix(Struct, frozen=True):
    """One document with its citations corrected."""

    document: str
    old: bytes
    new: bytes
    fixed: tuple[Verdict, ...]
    forgotten: tuple[Verdict, ...]
    """Citations beside a corrected one whose own evidence changed: rewriting their line makes history forget it."""
    changes: tuple[OfferedEdit, ...] = ()
    """What was changed, in order."""
    left: tuple[WithheldEdit, ...] = ()
    """What was asked for and would do harm."""


class Fixer:
    """Finds what can be fixed and tries it out. `engine` makes the engine that judges texts, when one is needed."""

    def __init__(self, root: Root, engine: Callable[[], DraftEngine], to_symbols: bool = False) -> None:
        self.root = root
        self.citers: CitingPlaces | None = None
        """What they know to be cited is rewritten by a reader only."""
        self._make = engine
        self._to_symbols = to_symbols

    @cached_property
    def engine(self) -> DraftEngine:
        """The engine, made when first asked for; every citation is a verdict to it."""
        return self._make()

    def close(self) -> None:
        """Let go of what is kept open."""
        if "engine" in vars(self):
            self.engine.close()

    def offers(self, report: Report, data: bytes | None = None) -> DocumentFixes | None:
        """What a report offers to change; None where nothing. Raises Refused where the document cannot be read.

        Findings that are silenced offer nothing: the user does not want to hear about them.
        """
        found = [change for verdict in report.verdicts for change in self._of(verdict)]
        if not found:
            return None
        old = self.root.read(report.document, self.root.limits.document_bytes) if data is None else data
        text = decode(old)
        left: list[WithheldEdit] = []
        standing: list[OfferedEdit] = []
        for change in found:
            # The report may be older than the bytes: an edit only fits where its citation still stands.
            cited = change.verdict.citation
            if text[cited.span.start : cited.span.end] == cited.raw:
                standing.append(change)
            else:
                left.append(WithheldEdit(change, "the document changed since it was checked"))
        kept = _find_fitting(len(text), standing)
        left += [
            WithheldEdit(change, "another edit changes the same text")
            for change in standing
            if id(change.edit) not in kept
        ]
        changes = sorted((change for change in standing if id(change.edit) in kept), key=_place)
        return DocumentFixes(report.document, old, tuple(changes), tuple(left))

    def _of(self, verdict: Verdict) -> Iterator[OfferedEdit]:
        """The changes that one citation's findings offer."""
        offered = False
        for finding in verdict.findings:
            if finding.edit is not None:
                offered = True
                yield OfferedEdit(verdict, finding, finding.edit)
        # What could not be checked may have moved: a name would make a wrong line look sure.
        if self._to_symbols and not offered and verdict.outcome is Outcome.HOLDS:
            change = self._name_definition(verdict)
            if change is not None:
                yield change

    def _name_definition(self, verdict: Verdict) -> OfferedEdit | None:
        """The citation of a defining line as one of what it defines, where its dialect can write that."""
        citation, lines = verdict.citation, verdict.citation.lines
        cite_name = getattr(get_dialect(citation.dialect), "cite_name", None)
        if cite_name is None or citation.source.scheme != "file" or lines is None or citation.quote is not None:
            return None
        evidence = self.engine.world.file(citation.source.key)
        symbol = _find_definition(citation.source.key, lines, evidence.data) if isinstance(evidence, Evidence) else None
        edit: Edit | None = None if symbol is None else cite_name(citation, symbol.name, symbol.kind)
        if symbol is None or edit is None:
            return None
        message = f"Line {lines.first} defines {symbol.name}"
        return OfferedEdit(verdict, Finding(TO_SYMBOL, Outcome.HOLDS, Severity.NOTE, message, edit=edit), edit)

    def fix(self, offers: DocumentFixes, wanted: Sequence[OfferedEdit], forget: bool = False) -> Fix:
        """The document with the wanted changes made, as far as they do no harm.

        With `forget`, a person has read the evidence: a line may be rewritten although history then no longer shows
        that a neighbour's evidence changed, or although it is cited itself.
        """
        left = [] if forget else self._find_cited_changes(offers, wanted)
        cited = {id(one.change) for one in left}
        kept = sorted((change for change in wanted if id(change) not in cited), key=_place)
        trial = DryRun(*self._make_judges(offers, kept), offers.document, offers.old)
        for _ in range(_ROUNDS):
            harm = trial.harm(kept, forget)
            if not harm.left and not harm.whole:
                break
            bad = harm.left or _bad_alone(trial, kept, forget, harm.whole)
            left += [bad[id(change)] for change in kept if id(change) in bad]
            kept = [change for change in kept if id(change) not in bad]
        else:
            left += [WithheldEdit(change, "its effect on the document is unknown") for change in kept]
            kept = []
        forgotten = tuple(harm.forgotten) if kept else ()
        fixed = tuple(change.verdict for change in kept)
        new = trial.data(kept) if kept else offers.old
        return Fix(offers.document, offers.old, new, fixed, forgotten, tuple(kept), tuple(left))

    def _find_cited_changes(self, offers: DocumentFixes, wanted: Sequence[OfferedEdit]) -> list[WithheldEdit]:
        """The changes of lines that are cited themselves: their citations would be reported as edited."""
        if self.citers is None:
            return []
        text, left = offers.text, list[WithheldEdit]()
        starts = line_starts(text)
        for change in wanted:
            span, new = change.edit.span, change.edit.replacement
            first, last = (position(starts, offset)[0] for offset in (span.start, span.end))
            if len(line_starts(text[span.start : span.end])) != len(line_starts(new)):
                # All lines below move.
                last = len(starts)
            citer = self.citers.of(offers.document, first, last)
            if citer is not None:
                reason = f"{citer.document}:{citer.line} cites this line, which would then be reported as edited"
                left.append(
                    WithheldEdit(change, reason, True, "another citation leads to the line that would be rewritten")
                )
        return left

    def _make_judges(self, offers: DocumentFixes, changes: Sequence[OfferedEdit]) -> tuple[Judge, Judge]:
        """What checks a new text of a document, and the old one; what is locked follows its citations."""
        engine = self.engine
        if engine.locks is None:
            from .draft_engine import TouchedLines

            touched = TouchedLines(offers.document, offers.text, [change.edit for change in changes])
            judge = partial(engine.check_touched, touched=touched)
            # What the document offers as it is was found out before.
            return judge, partial(judge, edits=False)
        from ..locking import make_draft_check

        check = make_draft_check(engine.locks, engine, offers.document, offers.old)

        def check_whole(path: str, data: bytes) -> tuple[Report, ...]:
            return (check(path, data),)

        return check_whole, check_whole

    def again(self, fix: Fix, forget: bool = False) -> Fix | None:
        """The same changes to a document that changed meanwhile; None where none is left to make."""
        data = self.root.read(fix.document, self.root.limits.document_bytes)
        asked = {_identity(change) for change in fix.changes}
        offers = self.offers(self.engine.check_bytes(fix.document, data), data)
        wanted = [change for change in offers.changes if _identity(change) in asked] if offers is not None else []
        return self.fix(offers, wanted, forget) if offers is not None and wanted else None


def _find_fitting(length: int, changes: Sequence[OfferedEdit]) -> set[int]:
    """The identities of edits that can all be made; what needs a reader never keeps a safe one from being made."""
    safe = fitting(length, [change.edit for change in changes if change.safe])
    others = [change.edit for change in changes if not change.safe]
    return {id(edit) for edit in (*safe, *fit_between(length, safe, others))}


def _find_definition(path: str, lines: Lines, data: bytes) -> symbols.Symbol | None:
    """The definition that the cited lines are: its line or all of it, and the only one of its name in the file."""
    try:
        symbol = symbols.at_line(path, data, lines.first)
        if symbol is None or (lines.first != lines.last and (lines.first, lines.last) != (symbol.first, symbol.last)):
            return None
        return symbol if symbols.find(path, data, symbol.name) == (symbol,) else None
    except Unreadable:
        return None


def patch(fix: Fix) -> Iterator[str]:
    """The fix as a patch that can be applied, row by row without line ends."""
    from .patch import patch_between, patch_lines

    if not fix.changes:
        yield from patch_between(fix.document, *(_whole_text(data) for data in (fix.old, fix.new)))
        return
    # Offsets count without a byte order mark; a patch has it.
    text = _whole_text(fix.old)
    mark = text[: len(text) - len(decode(fix.old))]
    edits = [change.edit for change in fix.changes]
    if mark:
        edits = [replace(edit, span=Span(edit.span.start + 1, edit.span.end + 1)) for edit in edits]
    yield from patch_lines(fix.document, text, edits)


def make_fix_diff(fix: Fix) -> list[str]:
    """The fix as a unified diff to be looked at, line by line, without line ends."""
    return [row.removesuffix("\r") for row in patch(fix)]


def write(root: Root, fix: Fix) -> None:
    """Put the corrected document in place of the one that was read; raises Conflict or Refused."""
    from ...safe.write import replace as put

    put(root, fix.document, fix.old, fix.new)


def _bad_alone(trial: DryRun, changes: Sequence[OfferedEdit], forget: bool, reason: str) -> dict[int, WithheldEdit]:
    """Those of several changes that do harm each on its own; all where they only do so together, or are many."""
    bad: dict[int, WithheldEdit] = {}
    for change in changes if len(changes) <= _ALONE else ():
        harm = trial.harm([change], forget)
        if harm.left or harm.whole:
            bad[id(change)] = harm.left.get(id(change)) or WithheldEdit(change, harm.whole)
    return bad or {id(change): WithheldEdit(change, reason) for change in changes}


def _identity(change: OfferedEdit) -> tuple[str, str, str]:
    return change.finding.check, change.verdict.citation.raw, change.edit.replacement


def _place(change: OfferedEdit) -> tuple[int, int]:
    return change.edit.span.start, change.edit.span.end


def _whole_text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
