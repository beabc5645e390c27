"""
The cited lines show nothing that the sentence names, and other lines of the file or the repository do.

Why: a pointer that was wrong on the day it was written never drifts, and one whose lines moved may have pointed beside
the mark before. The sentence that carries the citation names things: names from code, options, quoted words. Where
neither the cited lines nor the definition around them have any of them, and other lines of the same file plainly do, a
reader who follows the citation lands somewhere else. The same holds where a citation is put right behind a name that
its file does not have and one other file of the repository defines. A sentence that names nothing is not judged, nor is
a citation of line 1, which mostly means the file.

Example: ``mirrors `_format_tokens` (progress.py:68-71)`` where lines 68-71 are imports gives `L68-L71 show nothing that
the sentence names; _format_tokens stands on L147-L150`.

Remedy: read both places. `pincite fix --interactive` offers the lines that it found; where the cited lines moved too,
it offers both. If the citation is right, let the sentence name what stands there, or write
`<!-- pincite: ignore claim-not-shown reason -->`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.model import Finding, Lines, Outcome, Severity
from ..wording import NewPlace, format_line_range, shorten_lines

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING
_MOST_NAMED = 3
_LONGEST = 60


def make_finding(
    lines: Lines, shown: Sequence[str], then: Sequence[str], now: Sequence[str], to: NewPlace, moved: bool = False
) -> Finding:
    """The lines, or where they `moved` to, that show nothing of the sentence; `to` is where `shown` stands."""
    one = lines.first == lines.last
    where = f"L{format_line_range(lines, 'L')}"
    if moved:
        where, one = f"What was cited moved to {where}, which", True
    message = f"{where} {'shows' if one else 'show'} nothing that the sentence names; {_say_where(shown, to)}"
    finding = Finding("claim-not-shown", OUTCOME, SEVERITY, message)
    return replace(finding, edit=to.edit, then=shorten_lines(then), now=shorten_lines(now), place=to.place)


def make_finding_elsewhere(lines: Lines, name: str, then: Sequence[str], now: Sequence[str], to: NewPlace) -> Finding:
    """The lines of a file that lacks the name which the citation is put behind; `to` is where it is defined."""
    place = f"{to.place.path}:{to.place.lines.text}" if to.place.lines is not None else to.place.path
    message = f"L{format_line_range(lines, 'L')}: the file has no {_name((name,))}; it is defined in {place}"
    finding = Finding("claim-not-shown", OUTCOME, SEVERITY, message)
    return replace(finding, edit=to.edit, then=shorten_lines(then), now=shorten_lines(now), place=to.place)


def confirm_move(finding: Finding, held: Sequence[str]) -> Finding:
    """A move, with what the sentence names that stands where it leads."""
    verb = "stands" if len(held[:_MOST_NAMED]) == 1 else "stand"
    return replace(finding, message=f"{finding.message}; {_name(held)}, as the sentence says, {verb} there")


def add_other_lines(finding: Finding, shown: Sequence[str], to: NewPlace, likelier: bool) -> Finding:
    """A finding about lines that moved or went, with those that the sentence speaks of; the likelier are offered."""
    said = f"by the sentence: {_say_where(shown, to)}"
    finding = replace(finding, detail=f"{finding.detail}\n{said}" if finding.detail else said)
    return replace(finding, edit=to.edit, place=to.place) if likelier and to.edit is not None else finding


def _say_where(shown: Sequence[str], to: NewPlace) -> str:
    verb = "stands" if len(shown[:_MOST_NAMED]) == 1 else "stand"
    return f"{_name(shown)} {verb} on L{format_line_range(to.place.lines, 'L')}"


def _name(terms: Sequence[str]) -> str:
    return ", ".join(term if len(term) <= _LONGEST else f"{term[:_LONGEST]}…" for term in terms[:_MOST_NAMED])
