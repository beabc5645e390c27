"""Words and figures that several checks share: ranges of lines, differences, and when the author saw the text."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..core.limits import LIMITS
from ..core.model import Edit, Finding, Lines, Place, Severity
from ..text.lines import format_count, shorten

SINCE_LOCKED = "since it was locked"
_LONGEST_DIFF = 400
_SHOWN = 12
_NAMED_PLACES = 9
_LONGEST_REASON = 120


class NewPlace(Struct, frozen=True):
    """Where cited text stands now, and the edit that makes the citation point there."""

    place: Place
    edit: Edit | None = None
    severity: Severity | None = None
    """Where the rules of the dialect say how grave it is that text moved; else the check does."""

    def add_to(self, finding: Finding, then: Sequence[str]) -> Finding:
        """A finding of text that moved, with what it said and where it stands."""
        severity = finding.severity if self.severity is None else self.severity
        return replace(finding, severity=severity, edit=self.edit, then=shorten_lines(then), place=self.place)


def since_commit(commit: str, repository: str = "") -> str:
    """`since 1f0c9ae, when it was cited`; of another repository with its name."""
    return f"since {commit[:7]}{f' of {repository}' if repository else ''}, when it was cited"


def add_accepted_before(finding: Finding, changed: str, reason: str) -> Finding:
    """The finding of a citation that a reader accepted, with what is another since then."""
    given = f" ({shorten(reason, _LONGEST_REASON)})" if reason else ""
    return replace(finding, message=f"{finding.message}; accepted before{given}, but the {changed} has changed since")


def format_line_range(lines: Lines | None, prefix: str = "") -> str:
    """`12`, or `12-34`."""
    if lines is None:
        return ""
    return f"{lines.first}" if lines.first == lines.last else f"{lines.first}-{prefix}{lines.last}"


def format_place(place: Place) -> str:
    """`src/app.py:12-34`, or the path alone."""
    return place.path if place.lines is None else f"{place.path}:{format_line_range(place.lines)}"


def format_place_from(path: str, place: Place) -> str:
    """A place as it is named beside a citation of a file: `L12-L34` within that file, else with its path."""
    return format_place(place) if place.path != path else f"L{format_line_range(place.lines, 'L')}"


def list_places(places: Sequence[Place]) -> str:
    """Places, one per line."""
    return "\n".join(f"  {format_place(place)}" for place in places)


def shorten_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """The first of some lines, cut to what can be looked at."""
    return tuple(shorten(line, LIMITS.shown_chars) for line in lines[:_SHOWN])


def diff(before: Sequence[str], after: Sequence[str]) -> str:
    """A short unified diff of the cited lines."""
    from difflib import unified_diff

    old, new = ([shorten(line, LIMITS.shown_chars) for line in lines[:_LONGEST_DIFF]] for lines in (before, after))
    rows = list(unified_diff(old, new, lineterm="", n=1))[2:] or ["  (the difference is further along the lines)"]
    return format_first_rows([row for row in rows if not row.startswith("@@")])


def format_first_rows(rows: Sequence[str]) -> str:
    """The first of some rows, each cut to what can be looked at; the others are counted."""
    more = len(rows) - LIMITS.diff_lines
    kept = [shorten(row, LIMITS.shown_chars) for row in rows[: LIMITS.diff_lines]]
    return "\n".join(kept + ([f"… {format_count(more, 'more line')}"] if more > 0 else []))


def add_same_words(finding: Finding, why: str, then: Sequence[str], now: Sequence[str], to: NewPlace) -> Finding:
    """A finding about lost words, with the one place where the same words stand."""
    same = [line.strip() for line in now] == [line.strip() for line in then]
    return replace(
        finding,
        message=f"{finding.message}. The same words stand at {format_place(to.place)}",
        detail=_put_below(finding.detail, why),
        edit=to.edit,
        then=shorten_lines(then),
        now=() if same else shorten_lines(now),
        place=to.place,
    )


def add_candidates(finding: Finding, why: str, places: Sequence[Place]) -> Finding:
    """A finding about lost words, with the places where the same words stand."""
    more = f"\n  … {len(places) - _NAMED_PLACES} more" if len(places) > _NAMED_PLACES else ""
    return replace(finding, detail=_put_below(finding.detail, f"{why}\n{list_places(places[:_NAMED_PLACES])}{more}"))


def _put_below(detail: str, text: str) -> str:
    return f"{detail}\n{text}" if detail else text
