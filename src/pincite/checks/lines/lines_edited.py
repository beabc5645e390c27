"""
The cited lines are not what they were when the citation was written.

Why: a citation without a snippet still has a witness, the commit that last touched the citing line. What the cited
lines said in that commit is what its author saw. They were edited since, at their place or on the way to another one,
which the finding names then. A range that grew to five times itself, or of which little is left, was edited
beyond recognition: there is no new range to name, and the finding lists the lines that still stand.

Example: the citing line was written in commit 1f0c9ae; since then `retry = 3` on the cited line became `retry = 5`.

Remedy: read the lines again. If the claim does not hold any more, correct it. If it does, `pincite accept` says so, or,
where the lines have another place, let `pincite fix --interactive` show both and correct the citation.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.model import Finding, Outcome, Place, Severity
from ..wording import NewPlace, diff, format_place_from, list_places, shorten_lines

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING


def make_finding(before: Sequence[str], after: Sequence[str], since: str) -> Finding:
    """What was cited, beside what stands in its place."""
    finding = make_finding_without_lines(since, diff(before, after))
    return replace(finding, then=shorten_lines(before), now=shorten_lines(after))


def make_finding_elsewhere(path: str, before: Sequence[str], after: Sequence[str], since: str, to: NewPlace) -> Finding:
    """The same where the edited lines stand at another place than the cited one of the file at `path`."""
    message = f"Edited {since}, and stands at {format_place_from(path, to.place)} now"
    return replace(make_finding(before, after, since), message=message, edit=to.edit, place=to.place)


def make_finding_beyond_recognition(before: Sequence[str], since: str, left: Sequence[Place]) -> Finding:
    """That so little is left of a range, or so much was put between, that nothing stands for it any more."""
    message = f"Edited beyond recognition {since}"
    if left:
        message += f"; what is left of {len(before)} lines:"
    return Finding("lines-edited", OUTCOME, SEVERITY, message, list_places(left), then=shorten_lines(before))


def make_finding_without_lines(since: str, detail: str = "") -> Finding:
    """That lines were edited, where not all that they said is known."""
    return Finding("lines-edited", OUTCOME, SEVERITY, f"Edited {since}", detail)


def make_passage_finding(before: Sequence[str], after: Sequence[str], since: str) -> Finding:
    """That a passage was edited that the citation names by its id, though its first line is what it was."""
    return Finding("lines-edited", OUTCOME, SEVERITY, f"The passage was edited {since}", diff(before, after))
